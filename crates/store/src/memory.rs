//! A ledger in memory: for tests, simulations and engines that keep nothing. A write works on a copy
//! of what it touches, and the copy takes the place of the original only if all went well.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use myosotis_core::ports::{ReadJob, WriteJob};
use myosotis_core::{
    Erased, ItemRow, Kind, Ledger, LedgerError, LedgerRead, LedgerWrite, MemoryId, ScopeKey, ScopeRow, Tag, UserId,
    UserRow,
};

/// Everything of one user.
#[derive(Debug, Clone, Default)]
struct Person {
    row: UserRow,
    scopes: BTreeMap<ScopeKey, ScopeRow>,
    items: BTreeMap<MemoryId, Arc<ItemRow>>,
    tombstones: BTreeMap<Tag, i64>,
}

/// One state of everything. Copying it is cheap: the people are shared until one is changed.
#[derive(Debug, Clone, Default)]
struct Book {
    people: BTreeMap<UserId, Arc<Person>>,
}

/// A [`Ledger`] that forgets everything when it is dropped.
#[derive(Debug, Default)]
pub struct MemoryLedger {
    current: Mutex<Arc<Book>>,
    /// Held while a job works on its copy, so that jobs come one after the other.
    turn: Mutex<()>,
}

impl MemoryLedger {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn current(&self) -> Arc<Book> {
        Arc::clone(&self.current.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Two items of a scope may not have the same tag.
pub(crate) fn tag_taken() -> LedgerError {
    LedgerError::Other("another item of this scope has the same content tag".into())
}

/// Bytes of sealed content in an item.
fn bytes(row: &ItemRow) -> u64 {
    (row.sealed.len() + row.sealed_vector.as_ref().map_or(0, Vec::len)) as u64
}

impl Book {
    fn person(&self, user: &UserId) -> Option<&Person> {
        self.people.get(user).map(Arc::as_ref)
    }

    fn items_of(&self, user: &UserId, scope: ScopeKey) -> impl Iterator<Item = &ItemRow> {
        let items = self.person(user).into_iter().flat_map(|person| person.items.values());
        items.map(Arc::as_ref).filter(move |row| row.scope == scope)
    }

    fn change(&mut self, user: &UserId) -> &mut Person {
        Arc::make_mut(self.people.entry(user.clone()).or_default())
    }

    fn change_known(&mut self, user: &UserId) -> Option<&mut Person> {
        self.people.get_mut(user).map(Arc::make_mut)
    }
}

impl LedgerRead for Book {
    fn user(&self, user: &UserId) -> Result<Option<UserRow>, LedgerError> {
        Ok(self.person(user).map(|person| person.row.clone()))
    }

    fn scopes(&self, user: &UserId) -> Result<Vec<ScopeRow>, LedgerError> {
        Ok(self.person(user).map(|person| person.scopes.values().cloned().collect()).unwrap_or_default())
    }

    fn scope(&self, user: &UserId, scope: ScopeKey) -> Result<Option<ScopeRow>, LedgerError> {
        Ok(self.person(user).and_then(|person| person.scopes.get(&scope)).cloned())
    }

    fn items(
        &self,
        user: &UserId,
        scope: ScopeKey,
        since: u64,
        with_vectors: bool,
        each: &mut dyn FnMut(ItemRow) -> Result<(), LedgerError>,
    ) -> Result<(), LedgerError> {
        self.items_of(user, scope).filter(|row| row.rev > since).try_for_each(|row| {
            let mut row = row.clone();
            row.sealed_vector = row.sealed_vector.filter(|_| with_vectors);
            each(row)
        })
    }

    fn item_ids(&self, user: &UserId, scope: ScopeKey) -> Result<Vec<MemoryId>, LedgerError> {
        Ok(self.items_of(user, scope).map(|row| row.id).collect())
    }

    fn item(&self, user: &UserId, id: MemoryId) -> Result<Option<ItemRow>, LedgerError> {
        Ok(self.person(user).and_then(|person| person.items.get(&id)).map(|row| ItemRow::clone(row)))
    }

    fn item_by_tag(&self, user: &UserId, scope: ScopeKey, tag: Tag) -> Result<Option<MemoryId>, LedgerError> {
        Ok(self.items_of(user, scope).find(|row| row.tag == Some(tag)).map(|row| row.id))
    }

    fn lineage(&self, user: &UserId, lineage: MemoryId) -> Result<Vec<ItemRow>, LedgerError> {
        let items = self.person(user).into_iter().flat_map(|person| person.items.values());
        let mine = items.filter(|row| row.lineage == lineage);
        Ok(mine.map(|row| ItemRow { sealed_vector: None, ..ItemRow::clone(row) }).collect())
    }

    fn tombstone(&self, user: &UserId, tag: Tag) -> Result<Option<i64>, LedgerError> {
        Ok(self.person(user).and_then(|person| person.tombstones.get(&tag)).copied())
    }

    fn counts(&self, user: &UserId) -> Result<Vec<(u8, u8, u64)>, LedgerError> {
        let mut counts = BTreeMap::new();
        for row in self.person(user).into_iter().flat_map(|person| person.items.values()) {
            *counts.entry((row.kind, row.state)).or_insert(0) += 1;
        }
        Ok(counts.into_iter().map(|((kind, state), count)| (kind, state, count)).collect())
    }

    fn users(&self) -> Result<Vec<UserId>, LedgerError> {
        Ok(self.people.keys().cloned().collect())
    }
}

impl LedgerWrite for Book {
    fn put_user(&mut self, user: &UserId, epoch: u64, consent: Option<&[u8]>) -> Result<(), LedgerError> {
        let person = self.change(user);
        person.row.epoch = epoch;
        person.row.consent = consent.map(<[u8]>::to_vec);
        Ok(())
    }

    fn put_scope(&mut self, user: &UserId, row: &ScopeRow) -> Result<(), LedgerError> {
        self.change(user).scopes.insert(row.key, row.clone());
        Ok(())
    }

    fn put_item(&mut self, user: &UserId, row: &ItemRow) -> Result<(), LedgerError> {
        if let Some(tag) = row.tag
            && self.item_by_tag(user, row.scope, tag)?.is_some_and(|other| other != row.id)
        {
            return Err(tag_taken());
        }
        let person = self.change(user);
        let before = person.items.insert(row.id, Arc::new(row.clone()));
        person.row.items += u64::from(before.is_none());
        person.row.bytes += bytes(row);
        person.row.bytes -= before.map_or(0, |row| bytes(&row));
        Ok(())
    }

    fn bump_access(&mut self, user: &UserId, id: MemoryId, at: i64) -> Result<(), LedgerError> {
        if let Some(row) = self.change_known(user).and_then(|person| person.items.get_mut(&id)) {
            let row = Arc::make_mut(row);
            row.accessed = row.accessed.max(Some(at));
            row.access_count = row.access_count.saturating_add(1);
        }
        Ok(())
    }

    fn delete_item(&mut self, user: &UserId, id: MemoryId) -> Result<bool, LedgerError> {
        let Some(person) = self.change_known(user) else { return Ok(false) };
        let Some(row) = person.items.remove(&id) else { return Ok(false) };
        person.row.items -= 1;
        person.row.bytes -= bytes(&row);
        Ok(true)
    }

    fn put_tombstone(&mut self, user: &UserId, tag: Tag, at: i64) -> Result<(), LedgerError> {
        self.change(user).tombstones.insert(tag, at);
        Ok(())
    }

    fn delete_tombstone(&mut self, user: &UserId, tag: Tag) -> Result<(), LedgerError> {
        if let Some(person) = self.change_known(user) {
            person.tombstones.remove(&tag);
        }
        Ok(())
    }

    fn erase_user(&mut self, user: &UserId) -> Result<Erased, LedgerError> {
        let person = self.change(user);
        let mut erased = Erased {
            items_by_kind: vec![0; Kind::ALL.len()],
            tombstones: person.tombstones.len() as u64,
            scopes: person.scopes.len() as u64,
            consents: u64::from(person.row.consent.is_some()),
        };
        for row in person.items.values() {
            let kind = usize::from(row.kind);
            if erased.items_by_kind.len() <= kind {
                erased.items_by_kind.resize(kind + 1, 0);
            }
            erased.items_by_kind[kind] += 1;
        }
        let epoch = person.row.epoch + 1;
        *person = Person { row: UserRow { epoch, ..UserRow::default() }, ..Person::default() };
        Ok(erased)
    }
}

impl Ledger for MemoryLedger {
    fn read(&self, job: ReadJob<'_>) -> Result<(), LedgerError> {
        job(&*self.current())
    }

    fn write(&self, job: WriteJob) -> Result<(), LedgerError> {
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut draft = Book::clone(&self.current());
        catch_unwind(AssertUnwindSafe(|| job(&mut draft)))
            .unwrap_or_else(|_| Err(LedgerError::Other("the change panicked and was undone".into())))?;
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(draft);
        drop(turn);
        Ok(())
    }

    fn write_later(&self, job: WriteJob) {
        let _ = self.write(job);
    }

    fn flush(&self) -> Result<(), LedgerError> {
        Ok(())
    }

    fn scrub(&self) -> Result<(), LedgerError> {
        Ok(())
    }

    fn health(&self) -> Result<Vec<(String, String, bool)>, LedgerError> {
        let people = self.current().people.len();
        Ok(vec![("store".into(), format!("in memory, {people} users, gone at the end"), true)])
    }
}
