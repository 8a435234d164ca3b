//! What goes first when a scope is over its cap (MEM-8).

use super::{ScopeIndex, UNKNOWN};
use crate::ids::MemoryId;
use crate::item::Origin;
use crate::recall::params::{HALF_LIFE_MS, WEIGHT_IMPORTANCE, WEIGHT_RECENCY};
use crate::recall::recency;

impl ScopeIndex {
    /// The `over` learned live entries that count least, weakest first: by 0.2 x recency + 0.1 x
    /// importance, what the user asked to remember after all others, ties by id. Never a pinned one,
    /// never `keep`, which was just written; so there may be fewer than asked for.
    #[must_use]
    pub fn weakest(&self, now: i64, over: usize, keep: MemoryId) -> Vec<MemoryId> {
        let mut all: Vec<(bool, f64, MemoryId)> = self
            .hot
            .iter()
            .zip(&self.rows)
            .filter(|(hot, _)| hot.is_live() && hot.kind.is_learned())
            .filter_map(|(hot, row)| Some((hot, row.as_ref()?)))
            .filter(|(_, row)| !row.pinned && row.id != keep)
            .map(|(hot, row)| {
                let recent = row.recent(hot);
                let age = recency((recent != UNKNOWN).then_some(recent), now, HALF_LIFE_MS);
                let score = WEIGHT_RECENCY * age + WEIGHT_IMPORTANCE * f64::from(hot.importance);
                (row.origin == Origin::Asked, score, row.id)
            })
            .collect();
        let order = |a: &(bool, f64, MemoryId), b: &(bool, f64, MemoryId)| {
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2))
        };
        if over < all.len() && over > 0 {
            all.select_nth_unstable_by(over - 1, order);
        }
        all.truncate(over);
        all.sort_unstable_by(order);
        all.into_iter().map(|(_, _, id)| id).collect()
    }
}
