//! The caps of a scope within a write transaction: over them the lowest-scored go (MEM-8).
//!
//! What was just said is always taken in. What is imported has to be stronger than the weakest that is there:
//! otherwise importing a file larger than the cap would never come to rest.

use std::collections::BTreeSet;

use myosotis_core::index::KeepRank;
use myosotis_core::{Kind, LedgerError, MemoryId, Origin, State};

use crate::commit::{Commit, Prepared};
use crate::error::Error;

impl Commit<'_> {
    /// The cap, if the scope is full and `part` is weaker than everything in it.
    pub(crate) fn too_weak(&mut self, part: &Prepared) -> Result<Option<usize>, Error> {
        let limits = &self.memory.shared.limits;
        let (count, cap) = match part.kind {
            Kind::Message => (self.body.messages, limits.max_messages),
            _ => (self.body.learned, limits.max_items),
        };
        let replaces = part.slot.as_ref().map(|slot| self.slot_holder(slot)).transpose()?.flatten().is_some();
        if cap == 0 || count < cap || part.source.origin != Origin::Imported || replaces {
            return Ok(None);
        }
        let created = part.created.map(jiff::Timestamp::as_millisecond);
        let weaker = if part.kind == Kind::Message {
            self.oldest()?.first().is_some_and(|(seen, _)| created <= *seen)
        } else {
            let since = part.event.map(|event| event.start.as_millisecond()).or(created);
            // By the lowest of ids, so that it has to be stronger, not as strong.
            let (id, now) = (MemoryId::from_bytes([0; 16]), self.now.as_millisecond());
            let rank = KeepRank::new(id, part.source.origin, part.importance.get(), since, now);
            self.weakest(1).first().is_some_and(|weakest| rank <= *weakest)
        };
        Ok(weaker.then_some(cap))
    }

    /// MEM-8: over the cap the lowest-scored go, in this transaction. Returns how many.
    pub(crate) fn evict(&mut self) -> Result<usize, Error> {
        let limits = &self.memory.shared.limits;
        let over = |count: usize, cap: usize| if cap == 0 { 0 } else { count.saturating_sub(cap) };
        let (learned, messages) =
            (over(self.body.learned, limits.max_items), over(self.body.messages, limits.max_messages));
        if learned > 0 {
            for rank in self.weakest(learned) {
                self.delete(rank.id())?;
            }
        }
        for _ in 0..messages {
            self.evict_message()?;
        }
        Ok(learned + messages)
    }

    fn weakest(&self, count: usize) -> Vec<KeepRank> {
        let keep = self.just_written.unwrap_or(MemoryId::from_bytes([0; 16]));
        let now = self.now.as_millisecond();
        let mut candidates: Vec<KeepRank> = Vec::new();
        if let Some(cached) = &self.cached {
            let shown = cached.read().index.weakest(now, count + self.hidden.len(), keep);
            candidates.extend(shown.into_iter().filter(|rank| !self.hidden.contains(&rank.id())));
        }
        let overlay = self.overlay.values().filter(|entry| entry.id != keep);
        candidates.extend(overlay.filter_map(|entry| entry.keep_rank(now)));
        candidates.sort_unstable();
        candidates.truncate(count);
        candidates
    }

    /// Messages weigh the same, so the longest unseen goes first.
    fn evict_message(&mut self) -> Result<(), Error> {
        loop {
            let Some((_, id)) = self.oldest()?.pop_first() else { return Ok(()) };
            // Some may have gone since they were walked over.
            if Some(id) != self.just_written && self.exists(id)? {
                return self.delete(id);
            }
        }
    }

    /// The messages that may go, the first to go first. Walked over once a transaction.
    fn oldest(&mut self) -> Result<&mut BTreeSet<(Option<i64>, MemoryId)>, Error> {
        if self.oldest.is_none() {
            let mut seen = BTreeSet::new();
            self.tx.items(&self.memory.user, self.key, 0, false, &mut |row| {
                let live = State::from_code(row.state) == Some(State::Live);
                if live && Kind::from_code(row.kind) == Some(Kind::Message) && !row.pinned {
                    seen.insert((row.accessed.max(row.created), row.id));
                }
                Ok::<_, LedgerError>(())
            })?;
            self.oldest = Some(seen);
        }
        Ok(self.oldest.get_or_insert_default())
    }
}
