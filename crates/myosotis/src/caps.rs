//! The caps of a scope within a write transaction: over them the lowest-scored go (MEM-8).

use myosotis_core::index::Entry;
use myosotis_core::recall::{params, recency};
use myosotis_core::{Kind, LedgerError, MemoryId, Origin, State};

use crate::commit::Commit;
use crate::error::Error;

/// Messages evicted beyond what the cap asks, as a share of the cap, so that a full scope is not
/// walked at every turn.
const MESSAGE_SLACK: usize = 100;

impl Commit<'_> {
    /// MEM-8: over the cap the lowest-scored go, in this transaction.
    pub(crate) fn evict(&mut self) -> Result<(), Error> {
        let limits = &self.memory.shared.limits;
        let over = |count: usize, cap: usize| if cap == 0 { 0 } else { count.saturating_sub(cap) };
        let learned_over = over(self.body.learned, limits.max_items);
        if learned_over > 0 {
            for id in self.weakest(learned_over) {
                self.delete(id)?;
            }
        }
        if over(self.body.messages, limits.max_messages) > 0 {
            let target = limits.max_messages - limits.max_messages / MESSAGE_SLACK;
            self.evict_messages(self.body.messages - target)?;
        }
        Ok(())
    }

    fn weakest(&self, count: usize) -> Vec<MemoryId> {
        let keep = self.just_written.unwrap_or(MemoryId::from_bytes([0; 16]));
        let now = self.now.as_millisecond();
        let mut candidates: Vec<(bool, f64, MemoryId)> = Vec::new();
        if let Some(cached) = &self.cached {
            let open = cached.read();
            for id in open.index.weakest(now, count + self.hidden.len(), keep) {
                if !self.hidden.contains(&id)
                    && let Some(entry) = open.index.get(id)
                {
                    candidates.push(keep_rank(&entry.to_entry(), now));
                }
            }
        }
        let overlay = self
            .overlay
            .values()
            .filter(|entry| entry.state == State::Live && entry.kind.is_learned() && !entry.pinned && entry.id != keep);
        candidates.extend(overlay.map(|entry| keep_rank(entry, now)));
        candidates.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        candidates.into_iter().take(count).map(|(_, _, id)| id).collect()
    }

    /// Messages weigh the same, so the longest unseen go first.
    fn evict_messages(&mut self, count: usize) -> Result<(), Error> {
        let mut seen = Vec::new();
        self.tx.items(&self.memory.user, self.key, 0, false, &mut |row| {
            let message = Kind::from_code(row.kind) == Some(Kind::Message);
            if message && !row.pinned && Some(row.id) != self.just_written {
                seen.push((row.accessed.max(row.created), row.id));
            }
            Ok::<_, LedgerError>(())
        })?;
        seen.sort_unstable();
        for (_, id) in seen.into_iter().take(count) {
            self.delete(id)?;
        }
        Ok(())
    }
}

/// What goes first when a scope is over its cap: what nobody asked for, then the lowest of 0.2 x
/// recency + 0.1 x importance (MEM-8).
fn keep_rank(entry: &Entry, now: i64) -> (bool, f64, MemoryId) {
    let since = entry.event.map(|(start, _)| start).or(entry.created).max(entry.accessed);
    let age = recency(since, now, params::HALF_LIFE_MS);
    let score = params::WEIGHT_RECENCY * age + params::WEIGHT_IMPORTANCE * f64::from(entry.importance);
    (entry.source.origin == Origin::Asked, score, entry.id)
}
