//! An entry, as the index is told it and as it is read back.

use super::{Hot, Row, ScopeIndex, known};
use crate::ids::{MemoryId, Tag};
use crate::item::{Kind, Slot, Source, State};

/// What the index is told of an item. Times are Unix milliseconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its identity.
    pub id: MemoryId,
    /// What kind of thing it is.
    pub kind: Kind,
    /// Current, replaced or held back.
    pub state: State,
    /// The text.
    pub text: String,
    /// The single-valued fact it is a value of.
    pub slot: Option<Slot>,
    /// Where it comes from.
    pub source: Source,
    /// How strongly it counts, 0 to 1.
    pub importance: f32,
    /// How often it was said.
    pub support: u32,
    /// When this row was made in this store.
    pub stored: i64,
    /// When it was said or learned.
    pub created: Option<i64>,
    /// When what it tells of happened: start and end.
    pub event: Option<(i64, i64)>,
    /// From when it was current.
    pub valid_from: Option<i64>,
    /// Until when it was current.
    pub valid_to: Option<i64>,
    /// When recall last returned it.
    pub accessed: Option<i64>,
    /// Kept whatever the cap says.
    pub pinned: bool,
    /// What its past values share with it.
    pub lineage: MemoryId,
    /// The keyed hash of its content.
    pub tag: Option<Tag>,
    /// The vectors of its passages, one after the other; empty if it has none of the scope's model.
    pub vectors: Vec<f32>,
}

/// An entry of an index.
#[derive(Debug, Clone, Copy)]
pub struct EntryRef<'a> {
    pub(super) index: &'a ScopeIndex,
    pub(super) hot: &'a Hot,
    pub(super) cold: &'a Row,
}

impl<'a> EntryRef<'a> {
    /// Its identity.
    #[must_use]
    pub fn id(&self) -> MemoryId {
        self.cold.id
    }

    /// What kind of thing it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.hot.kind
    }

    /// Current, replaced or held back.
    #[must_use]
    pub fn state(&self) -> State {
        self.hot.state
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &'a str {
        &self.cold.text
    }

    /// The single-valued fact it is a value of.
    #[must_use]
    pub fn slot(&self) -> Option<&'a Slot> {
        self.cold.slot()
    }

    /// Where it comes from.
    #[must_use]
    pub fn source(&self) -> Source {
        let session = self.index.session_names.get(self.hot.session);
        self.cold.source(self.index.speaker_names.get(self.hot.speaker), session)
    }

    /// How strongly it counts, 0 to 1.
    #[must_use]
    pub fn importance(&self) -> f32 {
        self.hot.importance
    }

    /// How often it was said.
    #[must_use]
    pub fn support(&self) -> u32 {
        self.cold.support
    }

    /// When this row was made in this store.
    #[must_use]
    pub fn stored(&self) -> i64 {
        self.cold.stored
    }

    /// When it was said or learned.
    #[must_use]
    pub fn created(&self) -> Option<i64> {
        known(self.cold.created)
    }

    /// When what it tells of happened.
    #[must_use]
    pub fn event(&self) -> Option<(i64, i64)> {
        self.cold.extra.as_deref()?.event
    }

    /// From when it was current.
    #[must_use]
    pub fn valid_from(&self) -> Option<i64> {
        known(self.cold.since())
    }

    /// Until when it was current.
    #[must_use]
    pub fn valid_to(&self) -> Option<i64> {
        self.cold.extra.as_deref()?.valid_to
    }

    /// When recall last returned it.
    #[must_use]
    pub fn accessed(&self) -> Option<i64> {
        known(self.cold.accessed)
    }

    /// Whether it is kept whatever the cap says.
    #[must_use]
    pub fn pinned(&self) -> bool {
        self.cold.pinned
    }

    /// What its past values share with it.
    #[must_use]
    pub fn lineage(&self) -> MemoryId {
        self.cold.extra.as_deref().and_then(|extra| extra.lineage).unwrap_or(self.cold.id)
    }

    /// The keyed hash of its content.
    #[must_use]
    pub fn tag(&self) -> Option<Tag> {
        self.cold.tag
    }

    /// The unit vectors of its passages, one by one.
    pub fn vectors(&self) -> impl Iterator<Item = &'a [f32]> {
        let vectors = &self.index.vectors;
        vectors.chain(self.cold.first_vector).map(|row| vectors.row(row))
    }

    /// What tells the newest of several values of a slot: the greatest.
    pub(crate) fn newness(&self) -> (i64, i64, MemoryId) {
        self.cold.newness()
    }

    /// Whether both are parts of one message of one conversation.
    pub(crate) fn is_part_with(&self, other: EntryRef<'_>) -> bool {
        let message = self.cold.message.is_some() && self.cold.message == other.cold.message;
        message && self.hot.session == other.hot.session && self.cold.part != other.cold.part
    }

    /// A copy of all of it. A beginning of validity that was the same as its creation comes back as
    /// that.
    #[must_use]
    pub fn to_entry(&self) -> Entry {
        Entry {
            id: self.id(),
            kind: self.kind(),
            state: self.state(),
            text: self.text().to_owned(),
            slot: self.slot().cloned(),
            source: self.source(),
            importance: self.importance(),
            support: self.support(),
            stored: self.stored(),
            created: self.created(),
            event: self.event(),
            valid_from: self.valid_from(),
            valid_to: self.valid_to(),
            accessed: self.accessed(),
            pinned: self.pinned(),
            lineage: self.lineage(),
            tag: self.tag(),
            vectors: self.vectors().flatten().copied().collect(),
        }
    }
}
