//! Slots within a write transaction: one current value each, the past ones kept in order (MEM-6).

use jiff::Timestamp;
use myosotis_core::index::Entry;
use myosotis_core::{Item, MemoryId, Origin, Slot, State};

use crate::commit::Commit;
use crate::error::Error;
use crate::rows::Opened;

impl Commit<'_> {
    /// Gives `item` its slot: the value it had until now becomes history.
    pub(crate) fn take_slot(&mut self, item: &mut Opened) -> Result<(), Error> {
        self.supersede_slot(item, false).map(|_| ())
    }

    /// MEM-6: if the slot has a value, the newer of the two is current and the older becomes history.
    /// Returns the value that was replaced, if `new` is the newer one.
    pub(crate) fn supersede_slot(&mut self, new: &mut Opened, told: bool) -> Result<Option<MemoryId>, Error> {
        let Some(slot) = new.item.slot.clone() else { return Ok(None) };
        new.item.valid_from = new.item.created;
        let Some(current) = self.slot_holder(&slot)?.filter(|id| *id != new.item.id) else { return Ok(None) };
        let Some(mut old) = self.opened(current)? else { return Ok(None) };
        new.item.lineage = old.item.lineage;
        if told || new.item.source.origin == Origin::Imported {
            // Both times are as the sources tell; a missing one is older than any known one.
            if new.item.created < old.item.valid_from.or(old.item.created) {
                new.item.state = State::Superseded;
                new.item.valid_to = self.successor_of(&new.item, &old.item)?;
                new.tag = None;
                return Ok(None);
            }
        } else if let Some(since) = old.item.valid_from
            && new.item.valid_from < Some(since)
        {
            // Said just now by a clock that jumped back: still the newer word.
            new.item.valid_from = Some(since);
        }
        old.item.state = State::Superseded;
        old.item.valid_to = new.item.valid_from;
        old.tag = None;
        self.body.count(old.item.kind, -1);
        self.put(old)?;
        Ok(Some(current))
    }

    /// When a past value stopped being current: when the next newer value of its lineage began. The
    /// value before it ends where this one begins.
    fn successor_of(&mut self, past: &Item, current: &Item) -> Result<Option<Timestamp>, Error> {
        let mut ends = current.valid_from;
        for mut other in self.lineage(current.lineage)? {
            if other.item.state != State::Superseded || other.item.id == past.id {
                continue;
            }
            if other.item.valid_from > past.valid_from && other.item.valid_from < ends {
                ends = other.item.valid_from;
            }
            if other.item.valid_from <= past.valid_from && other.item.valid_to > past.valid_from {
                other.item.valid_to = past.valid_from;
                if let Some(full) = self.opened(other.item.id)? {
                    other.vectors = full.vectors;
                }
                self.put(other)?;
            }
        }
        Ok(ends)
    }

    /// Keeps the newest past values of a lineage (MEM-6).
    pub(crate) fn trim_history(&mut self, lineage: MemoryId) -> Result<(), Error> {
        let mut past: Vec<_> = self
            .lineage(lineage)?
            .into_iter()
            .filter(|opened| opened.item.state == State::Superseded)
            .map(|opened| (opened.item.valid_to, opened.item.valid_from, opened.item.id))
            .collect();
        past.sort_by(|a, b| b.cmp(a));
        for (_, _, id) in past.into_iter().skip(self.memory.shared.limits.max_history) {
            self.delete(id)?;
        }
        Ok(())
    }

    /// The live item that holds `slot`.
    pub(crate) fn slot_holder(&self, slot: &Slot) -> Result<Option<MemoryId>, Error> {
        let in_overlay = |entry: &&Entry| entry.state == State::Live && entry.slot.as_ref() == Some(slot);
        if let Some(entry) = self.overlay.values().find(in_overlay) {
            return Ok(Some(entry.id));
        }
        let Some(cached) = &self.cached else { return Ok(None) };
        Ok(cached.read().index.by_slot(slot).filter(|id| !self.hidden.contains(id)))
    }
}
