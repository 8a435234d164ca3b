//! Forgetting: one memory, a scope, or everything of a user (MEM-11, MEM-12, ERA-2). All of it works
//! with memory off and without an embedder (OPT-4).

use jiff::Timestamp;
use myosotis_core::{Item, Kind, MemoryId, Scope, State, ports};
use serde::Serialize;

use crate::commit::{Commit, Sight};
use crate::error::Error;
use crate::recall::{RecallRequest, Recalled};
use crate::remember::tag_of;
use crate::user::UserMemory;

/// What an erasure removed: counts and a time, no content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Erasure {
    /// When it was done.
    pub at: Timestamp,
    /// Memories of each kind, past values included; kinds without any are left out.
    pub memories: std::collections::BTreeMap<&'static str, u64>,
    /// Notes of forgotten contents.
    pub tombstones: u64,
    /// Scopes.
    pub scopes: u64,
    /// Consent records.
    pub consents: u64,
    /// Whether the user had a key, and it was destroyed.
    pub key_destroyed: bool,
}

impl UserMemory {
    /// Forgets one memory with all its past values; a past value named by its own id goes alone. What is left is a keyed hash that keeps old
    /// messages and files from bringing it back (MEM-12). Returns how many rows went.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none, or it is somebody else's.
    ///
    /// ```
    /// # use myosotis::*;
    /// # let engine = Engine::in_memory()?;
    /// # let alice = engine.user(UserId::new("alice")?);
    /// # alice.set_consent(ConsentState::On, "example", None)?;
    /// let id = alice.remember(Remember::new("Likes jazz"))?.id().unwrap();
    /// alice.forget(id)?;
    /// assert!(alice.recall(&RecallRequest::new("jazz"))?.items.is_empty());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn forget(&self, id: MemoryId) -> Result<usize, Error> {
        let scope = self.place_of(id)?;
        let (memory, session) = (self.clone(), self.session_to_write()?);
        let removed = ports::write(self.shared.ledger.as_ref(), move |tx| {
            let mut commit = Commit::begin(&memory, tx, &session, &scope, Sight::Tags)?;
            let removed = commit.forget(id)?;
            commit.finish()?;
            Ok::<_, Error>(removed)
        })?;
        self.scrub()?;
        Ok(removed)
    }

    /// Memories a description may mean, best first, for the user to choose from. Deletes nothing:
    /// only [`UserMemory::forget`] by id does (MEM-11).
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn forget_candidates(&self, description: &str, scope: &Scope, limit: usize) -> Result<Vec<Recalled>, Error> {
        let request = RecallRequest::new(description).k(limit)?.scope(scope.clone()).touch(false);
        // Finding what to forget is allowed with memory off (OPT-4).
        Ok(self.search(&request, false)?.items)
    }

    /// Forgets every memory of a scope. Returns how many rows went.
    ///
    /// # Errors
    /// If the store fails.
    pub fn clear(&self, scope: &Scope) -> Result<usize, Error> {
        let (memory, session, scope) = (self.clone(), self.session_to_write()?, scope.clone());
        let removed = ports::write(self.shared.ledger.as_ref(), move |tx| {
            let mut commit = Commit::begin(&memory, tx, &session, &scope, Sight::Tags)?;
            let removed = commit.clear()?;
            commit.finish()?;
            Ok::<_, Error>(removed)
        })?;
        self.scrub()?;
        Ok(removed)
    }

    /// Erases everything of this user: every memory and past value, vector, consent, and the key that
    /// opened them, so that a backup restored later shows nothing of them either (ERA-2, ERA-3).
    ///
    /// # Errors
    /// If the store fails; doing it again is safe and completes it.
    pub fn forget_me(&self) -> Result<Erasure, Error> {
        // The key goes first: whatever happens after, nothing of the old content can be read, and a
        // write that raced with this is wiped together with the rest.
        let key_destroyed = self.shared.vault.destroy(&self.user)?;
        let user = self.user.clone();
        let erased = ports::write(self.shared.ledger.as_ref(), move |tx| Ok::<_, Error>(tx.erase_user(&user)?))?;
        self.shared.cache.forget_user(&self.user);
        self.scrub()?;
        let by_kind = erased.items_by_kind.iter().zip(Kind::ALL).filter(|(count, _)| **count > 0);
        Ok(Erasure {
            at: self.shared.clock.now(),
            memories: by_kind.map(|(count, kind)| (kind.as_str(), *count)).collect(),
            tombstones: erased.tombstones,
            scopes: erased.scopes,
            consents: erased.consents,
            key_destroyed,
        })
    }

    /// Wipes what was deleted from the files. Another process that reads at this moment can put it
    /// off to the next time; the rows are gone and sealed anyway.
    fn scrub(&self) -> Result<(), Error> {
        match self.shared.ledger.scrub() {
            Err(myosotis_core::LedgerError::Busy { .. }) => Ok(()),
            other => Ok(other?),
        }
    }
}

impl Commit<'_> {
    /// Removes `id`: a live memory with all its past values, a past value alone; with a tombstone for
    /// each text. A row that does not open is removed without one.
    fn forget(&mut self, id: MemoryId) -> Result<usize, Error> {
        let opened = match self.opened(id) {
            Err(Error::Seal(_)) => {
                self.delete(id)?;
                return Ok(1);
            }
            opened => opened?.ok_or(Error::NotFound(id))?,
        };
        let whole = opened.item.state != State::Superseded;
        let doomed = if whole { self.lineage(opened.item.lineage)? } else { vec![opened] };
        for past in &doomed {
            self.bury(&past.item)?;
        }
        Ok(doomed.len())
    }

    /// Removes every item of the scope, with a tombstone for each that opens.
    fn clear(&mut self) -> Result<usize, Error> {
        let all = self.everything()?;
        for (id, item) in &all {
            match item {
                Some(item) => self.bury(item)?,
                None => self.delete(*id)?,
            }
        }
        Ok(all.len())
    }

    fn bury(&mut self, item: &Item) -> Result<(), Error> {
        let tag = tag_of(self.user_key(), item.kind, &item.text, &item.source, item.created);
        self.tombstone(tag)?;
        self.delete(item.id)
    }
}
