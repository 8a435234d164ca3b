//! One write transaction over a scope: repeats, near-duplicates, slots, history and caps.
//!
//! The transaction sees the scope as the last commit left it: the cached index plus an overlay of the
//! rows that changed since. Everything is decided on that view, so two processes that write the same
//! thing at once still store it once.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use jiff::Timestamp;
use myosotis_core::claim::{normal_form, same_claim, same_words};
use myosotis_core::index::Entry;
use myosotis_core::vector::dot;
use myosotis_core::{
    Importance, Item, ItemRow, Kind, LedgerError, LedgerWrite, MemoryId, Origin, Scope, ScopeKey, ScopeRow, Slot,
    Source, Span, State, Tag, UserId,
};

use myosotis_store::UserKey;

use crate::cache::SharedScope;
use crate::error::Error;
use crate::outcome::{Refusal, Remembered};
use crate::remember::learned_tag;
use crate::rows::{Opened, Rows, ScopeBody};
use crate::user::{Session, UserMemory};

/// True cosine from which two texts of a kind may say the same (MEM-5).
const NEAR_DUPLICATE: f32 = 0.92;

/// A cleaned, tagged and embedded memory, ready to be stored.
#[derive(Debug, Clone)]
pub(crate) struct Prepared {
    /// Its place in the caller's batch.
    pub(crate) place: usize,
    pub(crate) tag: Tag,
    pub(crate) text: String,
    pub(crate) kind: Kind,
    pub(crate) importance: Importance,
    pub(crate) slot: Option<Slot>,
    /// Whether the caller told when it was said; otherwise `created` is the clock's word.
    pub(crate) told: bool,
    pub(crate) source: Source,
    pub(crate) created: Option<Timestamp>,
    pub(crate) event: Option<Span>,
    pub(crate) pinned: bool,
    /// Whether the embedder can read the text, so that its cosine means something.
    pub(crate) readable: bool,
    pub(crate) vectors: Vec<f32>,
}

/// How much of a scope a transaction has to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sight {
    /// Everything: near-duplicates and slots are looked for.
    Whole,
    /// Only what the ledger finds by itself: verbatim messages, which repeat by their source alone.
    Tags,
}

/// A write transaction on one scope of one user.
pub(crate) struct Commit<'a> {
    pub(crate) memory: &'a UserMemory,
    pub(crate) tx: &'a mut dyn LedgerWrite,
    pub(crate) session: &'a Session,
    pub(crate) scope: &'a Scope,
    pub(crate) key: ScopeKey,
    pub(crate) now: Timestamp,
    pub(crate) body: ScopeBody,
    pub(crate) version: u64,
    pub(crate) removed_at: u64,
    pub(crate) sight: Sight,
    pub(crate) changed: bool,
    /// The scope as cached, and which of its entries no longer count.
    pub(crate) cached: Option<Arc<SharedScope>>,
    pub(crate) hidden: HashSet<MemoryId>,
    pub(crate) overlay: HashMap<MemoryId, Entry>,
    /// The item written last: never evicted to make room for itself.
    pub(crate) just_written: Option<MemoryId>,
    pub(crate) user_items: u64,
    pub(crate) user_bytes: u64,
    /// Messages by when they were last seen; filled when the cap is first reached.
    pub(crate) oldest: Option<BTreeSet<(Option<i64>, MemoryId)>>,
}

impl<'a> Commit<'a> {
    /// Checks that the user still is who they were when the call began (OPT-3, ERA-2), and lays out
    /// the scope.
    pub(crate) fn begin(
        memory: &'a UserMemory,
        tx: &'a mut dyn LedgerWrite,
        session: &'a Session,
        scope: &'a Scope,
        sight: Sight,
    ) -> Result<Self, Error> {
        let now = memory.shared.clock.now();
        let row = tx.user(&memory.user)?;
        let (user_items, user_bytes) = row.as_ref().map_or((0, 0), |row| (row.items, row.bytes));
        match &row {
            Some(row) if row.epoch != session.epoch => return Err(Error::EpochPassed),
            Some(_) => {}
            None => tx.put_user(&memory.user, session.epoch, None)?,
        }
        let key = session.key.scope_key(scope);
        let rows = memory.rows(&session.key);
        let (body, version, removed_at) = match tx.scope(&memory.user, key)? {
            Some(row) => (scope_body(tx, &memory.user, &rows, scope, &row)?, row.version, row.removed_at),
            None => (ScopeBody::new(scope), 0, 0),
        };
        let cached = memory.shared.cache.get(&memory.user, session.epoch, key).filter(|_| sight == Sight::Whole);
        let mut commit = Self {
            cached,
            memory,
            tx,
            session,
            scope,
            key,
            now,
            body,
            version: version + 1,
            removed_at,
            sight,
            changed: false,
            hidden: HashSet::new(),
            overlay: HashMap::new(),
            just_written: None,
            user_items,
            user_bytes,
            oldest: None,
        };
        if sight == Sight::Whole {
            commit.lay_out(version)?;
        }
        Ok(commit)
    }

    /// Fills the overlay with what the cache does not show; with no cached scope that is everything.
    fn lay_out(&mut self, current: u64) -> Result<(), Error> {
        let cached = self.cached.clone();
        let open = cached.as_ref().map(|cached| cached.read());
        let seen = open.as_ref().map_or(0, |open| open.version);
        if seen >= current {
            return Ok(());
        }
        if let Some(open) = open.filter(|open| open.version < self.removed_at) {
            let kept = self.tx.item_ids(&self.memory.user, self.key)?;
            self.hidden.extend(open.index.iter().map(|entry| entry.id()).filter(|id| kept.binary_search(id).is_err()));
        }
        let mut changed = Vec::new();
        self.tx.items(&self.memory.user, self.key, seen, true, &mut |row| {
            changed.push(row);
            Ok::<_, LedgerError>(())
        })?;
        for row in changed {
            let entry = match self.rows().entry(&row, self.memory.shared.model()) {
                Err(Error::Seal(_)) => continue, // unreadable rows take no part
                entry => entry?,
            };
            self.hidden.insert(entry.id);
            self.overlay.insert(entry.id, entry);
        }
        Ok(())
    }

    pub(crate) fn rows(&self) -> Rows<'a> {
        Rows { user: &self.memory.user, key: &self.session.key }
    }

    /// Stores one memory, or finds why not.
    pub(crate) fn remember(&mut self, part: Prepared) -> Result<Remembered, Error> {
        if let Some(reason) = self.refusal(&part)? {
            return Ok(Remembered::Refused { reason });
        }
        if let Some(id) = self.tx.item_by_tag(&self.memory.user, self.key, part.tag)? {
            return self.repeat(id, &part);
        }
        if part.kind.is_learned()
            && let Some(id) = self.near_duplicate(&part)
        {
            return self.refresh(id, &part);
        }
        if let Some(limit) = self.too_weak(&part)? {
            return Ok(Remembered::Refused { reason: Refusal::OverCap { limit } });
        }
        self.insert(part)
    }

    fn refusal(&mut self, part: &Prepared) -> Result<Option<Refusal>, Error> {
        let user = &self.memory.user;
        let mut forgotten = self.tx.tombstone(user, part.tag)?;
        if !part.kind.is_learned() {
            let said = self.tx.tombstone(user, learned_tag(&self.session.key, &part.text))?;
            forgotten = forgotten.max(said);
        }
        if let Some(at) = forgotten {
            // MEM-12: only what was said after the forgetting counts as saying it again.
            let said_again = match part.source.origin {
                Origin::Asked => true,
                Origin::Extracted | Origin::Imported => part.created.is_some_and(|said| said.as_millisecond() > at),
            };
            if !said_again {
                return Ok(Some(Refusal::Forgotten));
            }
            self.tx.delete_tombstone(user, part.tag)?;
        }
        Ok(self.over_quota())
    }

    /// MEM-9: whether the user's total is used up.
    pub(crate) fn over_quota(&self) -> Option<Refusal> {
        let limits = &self.memory.shared.limits;
        let full = |used: u64, limit: u64| limit > 0 && used >= limit;
        if full(self.user_items, limits.max_user_items) {
            return Some(Refusal::OverQuota { what: "memories", limit: limits.max_user_items });
        }
        full(self.user_bytes, limits.max_user_bytes)
            .then_some(Refusal::OverQuota { what: "bytes", limit: limits.max_user_bytes })
    }

    /// Whether the user forgot a content with one of these tags.
    pub(crate) fn was_forgotten(&self, own: Tag, learned: Tag) -> Result<bool, Error> {
        let user = &self.memory.user;
        Ok(self.tx.tombstone(user, own)?.is_some() || self.tx.tombstone(user, learned)?.is_some())
    }

    /// MEM-7: the same text again changes nothing, except that a slot named now is noted.
    fn repeat(&mut self, id: MemoryId, part: &Prepared) -> Result<Remembered, Error> {
        let Some(mut opened) = self.opened(id)? else { return Ok(Remembered::Unchanged { id }) };
        if !part.kind.is_learned() && normal_form(&opened.item.text) != normal_form(&part.text) {
            return Ok(Remembered::Refused { reason: Refusal::Conflict { with: id } });
        }
        if part.slot.is_none() || opened.item.slot.is_some() {
            return Ok(Remembered::Unchanged { id });
        }
        opened.item.slot.clone_from(&part.slot);
        let replaced = self.supersede_slot(&mut opened, part.told)?;
        self.put(opened)?;
        Ok(replaced.map_or(Remembered::Unchanged { id }, |superseded| Remembered::Updated { id, superseded }))
    }

    /// The live item that says the same, if any (MEM-5).
    fn near_duplicate(&self, part: &Prepared) -> Option<MemoryId> {
        let cached = self.cached.as_ref()?.read();
        let said_before = |text: &str| {
            if part.readable { same_claim(text, &part.text) } else { same_words(text, &part.text) }
        };
        let fits =
            |entry_slot: Option<&Slot>| part.slot.is_none() || entry_slot.is_none() || entry_slot == part.slot.as_ref();
        let mut best: Option<(f32, MemoryId)> = None;
        let mut offer = |cosine: f32, id: MemoryId| {
            if best.is_none_or(|(high, at)| cosine > high || (cosine == high && id < at)) {
                best = Some((cosine, id));
            }
        };
        if part.vectors.is_empty() {
            return None;
        }
        for (id, cosine) in cached.index.near(&part.vectors, part.kind, NEAR_DUPLICATE) {
            let Some(entry) = cached.index.get(id) else { continue };
            if !self.hidden.contains(&id) && fits(entry.slot()) && said_before(entry.text()) {
                offer(cosine, id);
            }
        }
        for entry in self.overlay.values() {
            let comparable =
                entry.state == State::Live && entry.kind == part.kind && entry.vectors.len() == part.vectors.len();
            if comparable && fits(entry.slot.as_ref()) {
                let cosine = dot(&entry.vectors, &part.vectors);
                if cosine >= NEAR_DUPLICATE && said_before(&entry.text) {
                    offer(cosine, entry.id);
                }
            }
        }
        best.map(|(_, id)| id)
    }

    /// MEM-5: the survivor counts once more, and knows the newer source.
    fn refresh(&mut self, id: MemoryId, part: &Prepared) -> Result<Remembered, Error> {
        let Some(mut opened) = self.opened(id)? else { return Err(Error::NotFound(id)) };
        opened.item.support = opened.item.support.saturating_add(1);
        if part.created > opened.item.created {
            opened.item.created = part.created;
            opened.item.source = part.source.clone();
        }
        let mut superseded = None;
        if opened.item.slot.is_none() && part.slot.is_some() {
            opened.item.slot.clone_from(&part.slot);
            superseded = self.supersede_slot(&mut opened, part.told)?;
        }
        self.put(opened)?;
        Ok(superseded.map_or(Remembered::Unchanged { id }, |superseded| Remembered::Updated { id, superseded }))
    }

    fn insert(&mut self, part: Prepared) -> Result<Remembered, Error> {
        let id = self.memory.shared.ids.memory(self.now);
        let model = if part.vectors.is_empty() { None } else { self.memory.shared.model().map(str::to_owned) };
        let mut opened = Opened {
            item: Item {
                id,
                scope: self.scope.clone(),
                kind: part.kind,
                state: State::Live,
                text: part.text,
                importance: part.importance,
                slot: part.slot,
                source: part.source,
                support: 1,
                stored: self.now,
                created: part.created,
                event: part.event,
                valid_from: None,
                valid_to: None,
                accessed: None,
                access_count: 0,
                pinned: part.pinned,
                lineage: id,
                model,
            },
            tag: Some(part.tag),
            vectors: part.vectors,
        };
        let superseded = self.supersede_slot(&mut opened, part.told)?;
        self.admit(opened, superseded)
    }

    /// Adds an item that has all it needs; a live value of a slot competes by its time.
    pub(crate) fn add_live(&mut self, mut opened: Opened) -> Result<Remembered, Error> {
        let began = opened.item.valid_from;
        let superseded = self.supersede_slot(&mut opened, true)?;
        opened.item.valid_from = began.or(opened.item.valid_from);
        self.admit(opened, superseded)
    }

    fn admit(&mut self, opened: Opened, superseded: Option<MemoryId>) -> Result<Remembered, Error> {
        let (id, lineage, live) = (opened.item.id, opened.item.lineage, opened.item.state == State::Live);
        if live {
            self.body.count(opened.item.kind, 1);
            if let (Kind::Message, Some(oldest)) = (opened.item.kind, &mut self.oldest) {
                oldest.insert((opened.item.created.map(Timestamp::as_millisecond), id));
            }
        }
        self.just_written = Some(id);
        self.add(opened)?;
        if superseded.is_some() || !live {
            self.trim_history(lineage)?;
            if !self.exists(id)? {
                let kept = self.memory.shared.limits.max_history;
                return Ok(Remembered::Refused { reason: Refusal::TooOld { kept } });
            }
        }
        let evicted = self.evict()?;
        Ok(match superseded {
            Some(superseded) => Remembered::Updated { id, superseded },
            None => Remembered::Stored { id, parts: Vec::new(), evicted },
        })
    }

    /// Writes an item that was not there.
    pub(crate) fn add(&mut self, opened: Opened) -> Result<(), Error> {
        self.user_items += 1;
        self.put(opened)
    }

    /// An item with its vectors, as this transaction sees it.
    pub(crate) fn opened(&self, id: MemoryId) -> Result<Option<Opened>, Error> {
        match self.tx.item(&self.memory.user, id)? {
            Some(row) if row.scope == self.key => self.rows().open(&row, self.scope).map(Some),
            _ => Ok(None),
        }
    }

    /// Writes an item and shows it in the overlay.
    pub(crate) fn put(&mut self, opened: Opened) -> Result<(), Error> {
        let row = self.rows().seal(&opened, self.key, self.version)?;
        self.user_bytes += (row.sealed.len() + row.sealed_vector.as_ref().map_or(0, Vec::len)) as u64;
        self.tx.put_item(&self.memory.user, &row)?;
        if self.sight == Sight::Whole {
            let entry = opened.into_entry(self.memory.shared.model());
            self.hidden.insert(entry.id);
            self.overlay.insert(entry.id, entry);
        }
        self.changed = true;
        Ok(())
    }

    /// Removes an item, and counts it out if it was live.
    pub(crate) fn delete(&mut self, id: MemoryId) -> Result<(), Error> {
        let Some(row) = self.tx.item(&self.memory.user, id)? else { return Ok(()) };
        self.tx.delete_item(&self.memory.user, id)?;
        if let (Some(kind), Some(State::Live)) = (Kind::from_code(row.kind), State::from_code(row.state)) {
            self.body.count(kind, -1);
        }
        self.hidden.insert(id);
        self.overlay.remove(&id);
        self.user_items = self.user_items.saturating_sub(1);
        self.removed_at = self.version;
        self.changed = true;
        Ok(())
    }

    /// Whether a row of this scope has the id, be it readable or not.
    pub(crate) fn exists(&self, id: MemoryId) -> Result<bool, Error> {
        Ok(self.tx.item(&self.memory.user, id)?.is_some_and(|row| row.scope == self.key))
    }

    /// Notes that a content was forgotten now (MEM-12).
    pub(crate) fn tombstone(&mut self, tag: Tag) -> Result<(), Error> {
        Ok(self.tx.put_tombstone(&self.memory.user, tag, self.now.as_millisecond())?)
    }

    /// Every item of the scope; without content if it does not open.
    pub(crate) fn everything(&self) -> Result<Vec<(MemoryId, Option<Item>)>, Error> {
        let mut sealed = Vec::new();
        self.tx.items(&self.memory.user, self.key, 0, false, &mut |row| {
            sealed.push(row);
            Ok::<_, LedgerError>(())
        })?;
        let open = |row: &ItemRow| match self.rows().open(row, self.scope) {
            Ok(opened) => Ok((row.id, Some(opened.item))),
            Err(Error::Seal(_)) => Ok((row.id, None)),
            Err(error) => Err(error),
        };
        sealed.iter().map(open).collect()
    }

    /// All rows of a lineage, opened without vectors.
    pub(crate) fn lineage(&self, lineage: MemoryId) -> Result<Vec<Opened>, Error> {
        let rows = self.tx.lineage(&self.memory.user, lineage)?;
        let open = rows.iter().map(|row| self.rows().open(row, self.scope));
        open.filter(|opened| !matches!(opened, Err(Error::Seal(_)))).collect()
    }

    /// The live item with this tag.
    pub(crate) fn holder(&self, tag: Tag) -> Result<Option<MemoryId>, Error> {
        Ok(self.tx.item_by_tag(&self.memory.user, self.key, tag)?)
    }

    /// A fresh id.
    pub(crate) fn new_id(&self) -> MemoryId {
        self.memory.shared.ids.memory(self.now)
    }

    /// The user's key.
    pub(crate) fn user_key(&self) -> &UserKey {
        &self.session.key
    }

    /// The moment of this transaction.
    pub(crate) fn now(&self) -> Timestamp {
        self.now
    }

    /// Raises the scope's version if anything changed.
    pub(crate) fn finish(self) -> Result<(), Error> {
        if !self.changed {
            return Ok(());
        }
        let row = self.rows().seal_scope(self.key, &self.body, self.version, self.removed_at)?;
        Ok(self.tx.put_scope(&self.memory.user, &row)?)
    }
}

/// A scope's labels and counters; counted anew from the rows' clear columns if the record is damaged.
fn scope_body(
    tx: &dyn LedgerWrite,
    user: &UserId,
    rows: &Rows<'_>,
    scope: &Scope,
    row: &ScopeRow,
) -> Result<ScopeBody, Error> {
    match rows.open_scope(row) {
        Err(Error::Seal(_)) => {}
        opened => return opened,
    }
    let mut body = ScopeBody::new(scope);
    tx.items(user, row.key, 0, false, &mut |item| {
        if let (Some(kind), Some(State::Live)) = (Kind::from_code(item.kind), State::from_code(item.state)) {
            body.count(kind, 1);
        }
        Ok::<_, LedgerError>(())
    })?;
    Ok(body)
}
