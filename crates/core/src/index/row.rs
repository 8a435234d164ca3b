//! How an entry lies in memory.
//!
//! What every query reads of every row is in `Hot`, 24 bytes; the rest in `Row`, and what few rows
//! have in a box of its own. A row costs some 170 bytes beside its text, words and vector.

use super::vectors::NONE;
use crate::ids::{MemoryId, Tag};
use crate::item::{Kind, Origin, Role, Slot, Source, State};

/// A time that is unknown.
pub(crate) const UNKNOWN: i64 = i64::MIN;

/// The text ends with a question mark.
pub(crate) const ASKS: u8 = 1;
/// The text asks something and is short: the next one answers it.
pub(crate) const ASKS_SHORTLY: u8 = 2;
/// The text has a word of time.
pub(crate) const TIME_WORDS: u8 = 4;
/// The user said it.
pub(crate) const BY_USER: u8 = 8;
/// The assistant said it.
pub(crate) const BY_ASSISTANT: u8 = 16;
/// The row is in use.
pub(crate) const IN_USE: u8 = 128;

/// What scoring reads of every row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hot {
    /// When it happened or was said (Unix milliseconds), or [`UNKNOWN`].
    pub(crate) time: i64,
    pub(crate) session: u32,
    pub(crate) speaker: u32,
    pub(crate) importance: f32,
    pub(crate) kind: Kind,
    pub(crate) state: State,
    pub(crate) flags: u8,
}

impl Hot {
    /// What a freed row looks like.
    pub(crate) const FREE: Self = Self {
        time: UNKNOWN,
        session: NONE,
        speaker: NONE,
        importance: 0.0,
        kind: Kind::Fact,
        state: State::Quarantined,
        flags: 0,
    };

    pub(crate) fn is_live(&self) -> bool {
        self.flags & IN_USE != 0 && self.state == State::Live
    }
}

/// The rest of a row.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) id: MemoryId,
    pub(crate) tag: Option<Tag>,
    pub(crate) text: Box<str>,
    pub(crate) message: Option<Box<str>>,
    pub(crate) extra: Option<Box<Extra>>,
    pub(crate) stored: i64,
    pub(crate) created: i64,
    pub(crate) accessed: i64,
    pub(crate) position: u32,
    pub(crate) part: u32,
    pub(crate) support: u32,
    pub(crate) first_passage: u32,
    pub(crate) first_vector: u32,
    pub(crate) origin: Origin,
    pub(crate) role: Role,
    pub(crate) pinned: bool,
}

/// What few rows have.
#[derive(Debug, Default)]
pub(crate) struct Extra {
    pub(crate) slot: Option<Slot>,
    pub(crate) event: Option<(i64, i64)>,
    pub(crate) valid_from: Option<i64>,
    pub(crate) valid_to: Option<i64>,
    pub(crate) lineage: Option<MemoryId>,
    pub(crate) quote: Option<Box<str>>,
}

impl Extra {
    /// Boxed, unless there is nothing in it.
    pub(super) fn boxed(self) -> Option<Box<Self>> {
        let empty = self.slot.is_none()
            && self.event.is_none()
            && self.valid_from.is_none()
            && self.valid_to.is_none()
            && self.lineage.is_none()
            && self.quote.is_none();
        (!empty).then(|| Box::new(self))
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.slot.as_ref().map_or(0, |slot| slot.as_str().len())
            + self.quote.as_ref().map_or(0, |quote| quote.len())
    }
}

impl Row {
    /// When it was current, as far as known: `from <= t < to`.
    pub(crate) fn was_valid(&self, at: i64) -> bool {
        let extra = self.extra.as_deref();
        let from = extra.and_then(|extra| extra.valid_from).unwrap_or(self.created);
        let to = extra.and_then(|extra| extra.valid_to).unwrap_or(i64::MAX);
        // An unknown beginning is the earliest of all times: valid from the first.
        from <= at && at < to
    }

    /// From when on it was current, for telling the newest value of a slot.
    pub(crate) fn since(&self) -> i64 {
        self.extra.as_deref().and_then(|extra| extra.valid_from).unwrap_or(self.created)
    }

    /// What tells the newest of several values: the greatest.
    pub(crate) fn newness(&self) -> (i64, i64, MemoryId) {
        (self.since(), self.stored, self.id)
    }

    pub(crate) fn slot(&self) -> Option<&Slot> {
        self.extra.as_deref()?.slot.as_ref()
    }

    /// The time its age counts from at `now`: the later of when it happened (or was said) and when it was
    /// last recalled. A recall after `now`, in a question about then, counts for nothing.
    pub(crate) fn recent(&self, hot: &Hot, now: i64) -> i64 {
        if self.accessed > now { hot.time } else { hot.time.max(self.accessed) }
    }

    pub(super) fn source(&self, speaker: Option<&str>, session: Option<&str>) -> Source {
        Source {
            origin: self.origin,
            role: self.role,
            speaker: speaker.map(Into::into),
            session: session.map(Into::into),
            message: self.message.as_deref().map(Into::into),
            position: (self.position != NONE).then_some(self.position),
            part: self.part,
            quote: self.extra.as_deref().and_then(|extra| extra.quote.as_deref()).map(Into::into),
        }
    }

    /// Heap bytes.
    pub(super) fn bytes(&self) -> usize {
        self.text.len()
            + self.message.as_ref().map_or(0, |message| message.len())
            + self.extra.as_ref().map_or(0, |extra| extra.bytes())
    }
}

pub(super) fn known(time: i64) -> Option<i64> {
    (time != UNKNOWN).then_some(time)
}
