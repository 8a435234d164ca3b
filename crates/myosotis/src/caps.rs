//! The caps of a scope within a write transaction: over them the lowest-scored go (MEM-8).
//!
//! What was just said is always taken in. What is imported has to be stronger than the weakest that is there:
//! otherwise importing a file larger than the cap would never come to rest.

use std::collections::BTreeSet;

use myosotis_core::index::Entry;
use myosotis_core::recall::{params, recency};
use myosotis_core::{Kind, LedgerError, MemoryId, Origin, State};

use crate::commit::{Commit, Prepared};
use crate::error::Error;

/// What goes first has the lowest rank: what nobody asked for, then the lowest score, then the lowest id.
type Rank = (bool, f64, MemoryId);

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
            let score = score(since, part.importance.get(), self.now.as_millisecond());
            let weakest = self.weakest(1).into_iter().next();
            weakest.is_some_and(|(asked, weakest, _)| asked || score <= weakest)
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
            for (_, _, id) in self.weakest(learned) {
                self.delete(id)?;
            }
        }
        for _ in 0..messages {
            self.evict_message()?;
        }
        Ok(learned + messages)
    }

    fn weakest(&self, count: usize) -> Vec<Rank> {
        let keep = self.just_written.unwrap_or(MemoryId::from_bytes([0; 16]));
        let now = self.now.as_millisecond();
        let mut candidates: Vec<Rank> = Vec::new();
        if let Some(cached) = &self.cached {
            let open = cached.read();
            for id in open.index.weakest(now, count + self.hidden.len(), keep) {
                if !self.hidden.contains(&id)
                    && let Some(entry) = open.index.get(id)
                {
                    candidates.push(rank(&entry.to_entry(), now));
                }
            }
        }
        let overlay = self
            .overlay
            .values()
            .filter(|entry| entry.state == State::Live && entry.kind.is_learned() && !entry.pinned && entry.id != keep);
        candidates.extend(overlay.map(|entry| rank(entry, now)));
        candidates.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
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

/// 0.2 x recency + 0.1 x importance (MEM-8).
fn score(since: Option<i64>, importance: f32, now: i64) -> f64 {
    params::WEIGHT_RECENCY * recency(since, now, params::HALF_LIFE_MS)
        + params::WEIGHT_IMPORTANCE * f64::from(importance)
}

fn rank(entry: &Entry, now: i64) -> Rank {
    let since = entry.event.map(|(start, _)| start).or(entry.created).max(entry.accessed);
    (entry.source.origin == Origin::Asked, score(since, entry.importance, now), entry.id)
}
