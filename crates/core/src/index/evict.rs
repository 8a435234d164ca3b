//! What goes first when a scope is over its cap (MEM-8).

use std::cmp::Ordering;

use super::row::known;
use super::{Entry, ScopeIndex};
use crate::ids::MemoryId;
use crate::item::{Origin, State};
use crate::recall::params::{HALF_LIFE_MS, WEIGHT_IMPORTANCE, WEIGHT_RECENCY};
use crate::recall::recency;

/// What tells which of two memories goes first: the lower. What the user asked to remember is above all
/// others; then by 0.2 x recency + 0.1 x importance; ties by id.
#[derive(Debug, Clone, Copy)]
pub struct KeepRank {
    asked: bool,
    score: f64,
    id: MemoryId,
}

impl KeepRank {
    /// The rank of a memory whose age counts from `since`; times are Unix milliseconds.
    #[must_use]
    pub fn new(id: MemoryId, origin: Origin, importance: f32, since: Option<i64>, now: i64) -> Self {
        let age = recency(since, now, HALF_LIFE_MS);
        let score = WEIGHT_RECENCY * age + WEIGHT_IMPORTANCE * f64::from(importance);
        Self { asked: origin == Origin::Asked, score, id }
    }

    /// Whose rank it is.
    #[must_use]
    pub fn id(&self) -> MemoryId {
        self.id
    }
}

impl Ord for KeepRank {
    fn cmp(&self, other: &Self) -> Ordering {
        self.asked.cmp(&other.asked).then(self.score.total_cmp(&other.score)).then(self.id.cmp(&other.id))
    }
}

impl PartialOrd for KeepRank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for KeepRank {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for KeepRank {}

impl Entry {
    /// Its rank at the time `now`, or nothing if no cap ever takes it: it is pinned, past or a message.
    #[must_use]
    pub fn keep_rank(&self, now: i64) -> Option<KeepRank> {
        let may_go = self.state == State::Live && self.kind.is_learned() && !self.pinned;
        let since = self.event.map(|(start, _)| start).or(self.created).max(self.accessed);
        may_go.then(|| KeepRank::new(self.id, self.source.origin, self.importance, since, now))
    }
}

impl ScopeIndex {
    /// The ranks of the `over` learned live entries that count least, weakest first. Never a pinned one,
    /// never `keep`, which was just written; so there may be fewer than asked for.
    #[must_use]
    pub fn weakest(&self, now: i64, over: usize, keep: MemoryId) -> Vec<KeepRank> {
        let mut all: Vec<KeepRank> = self
            .hot
            .iter()
            .zip(&self.rows)
            .filter(|(hot, _)| hot.is_live() && hot.kind.is_learned())
            .filter_map(|(hot, row)| Some((hot, row.as_ref()?)))
            .filter(|(_, row)| !row.pinned && row.id != keep)
            .map(|(hot, row)| KeepRank::new(row.id, row.origin, hot.importance, known(row.recent(hot, now)), now))
            .collect();
        if over < all.len() && over > 0 {
            all.select_nth_unstable(over - 1);
        }
        all.truncate(over);
        all.sort_unstable();
        all
    }
}
