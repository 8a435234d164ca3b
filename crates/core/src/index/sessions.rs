//! Conversations: their messages in order, and what kind of conversation each is.

use super::passages::grow;
use super::vectors::NONE;

/// What kind of conversation a session is, which decides what its neighbours tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum SessionKind {
    /// Between people with names: a turn answers the one before it.
    Dialogue,
    /// Between a user and an assistant.
    Log,
}

/// A conversation.
#[derive(Debug, Default)]
pub(crate) struct Session {
    /// Its messages, in order.
    pub(crate) rows: Vec<u32>,
    /// Sum of the lengths of their passages.
    pub(crate) words: u64,
    /// How many messages each named speaker has.
    speakers: Vec<(u32, u32)>,
}

impl Session {
    /// Between people if at least two names speak in it.
    pub(crate) fn kind(&self) -> SessionKind {
        if self.speakers.len() >= 2 { SessionKind::Dialogue } else { SessionKind::Log }
    }

    /// Adds a row in its place.
    pub(super) fn insert<K: Ord>(&mut self, row: u32, speaker: u32, key: impl Fn(u32) -> K) {
        let own = key(row);
        let at = self.rows.partition_point(|other| key(*other) < own);
        grow(&mut self.rows, row);
        self.rows[at..].rotate_right(1);
        if speaker != NONE {
            match self.speakers.iter_mut().find(|(known, _)| *known == speaker) {
                Some((_, count)) => *count += 1,
                None => self.speakers.push((speaker, 1)),
            }
        }
    }

    /// Takes a row out.
    pub(super) fn remove<K: Ord>(&mut self, row: u32, speaker: u32, key: impl Fn(u32) -> K) {
        let own = key(row);
        let at = self.rows.partition_point(|other| key(*other) < own);
        if self.rows.get(at) == Some(&row) {
            self.rows.remove(at);
        }
        if let Some(at) = self.speakers.iter().position(|(known, _)| *known == speaker) {
            self.speakers[at].1 -= 1;
            if self.speakers[at].1 == 0 {
                self.speakers.swap_remove(at);
            }
        }
    }

    /// Heap bytes.
    pub(super) fn bytes(&self) -> usize {
        self.rows.capacity() * 4 + self.speakers.capacity() * 8
    }
}
