//! What every ledger must do, as one suite: [`ledger`] runs all checks against ledgers that a factory
//! makes. A new backend is right when this passes; a check that fails panics with its name.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed check is a panic")]

mod isolation;
mod rows;
mod transactions;

use myosotis_core::{
    ItemRow, Ledger, LedgerError, LedgerRead, LedgerWrite, MemoryId, ScopeKey, ScopeRow, Tag, UserId, UserRow, ports,
};

/// Makes an empty ledger, independent of those made before.
pub type Factory<'a> = &'a dyn Fn() -> Box<dyn Ledger>;

type Check = (&'static str, fn(&dyn Ledger));

/// Every check, by the requirement or promise it is for.
const CHECKS: &[Check] = &[
    ("nothing is there at first", rows::empty),
    ("users: epoch and consent are replaced, counters are left alone", rows::users),
    ("scopes are listed by key and replaced", rows::scopes),
    ("items come back as they were put, in order of id", rows::items_round_trip),
    ("items of a scope since a revision", rows::items_since),
    ("a callback's error ends the walk", rows::walk_ends),
    ("counters are true after put, replace, move, delete", rows::counters),
    ("counts by kind and state", rows::counts),
    ("tags are unique within a scope and found there", rows::tags),
    ("tombstones", rows::tombstones),
    ("an access raises count and time and nothing else", rows::accesses),
    ("a lineage is listed in order, across scopes", rows::lineage),
    ("ID-3, ID-5: names that look alike never meet", isolation::look_alikes),
    ("ERA-2: erasing takes everything of one user and nothing of another", isolation::erase),
    ("MEM-14: what was written is seen at once", transactions::read_your_writes),
    ("a job that fails leaves nothing", transactions::rollback),
    ("a job that panics leaves nothing and the ledger works on", transactions::panic),
    ("a job sees its own changes, others do not yet", transactions::own_view),
    ("a reader's view stays as it was while others write", transactions::stable_view),
    ("jobs handed over are done by the next flush", transactions::later),
    ("concurrent writers lose nothing and share no failure", transactions::concurrent),
    ("a failed job in company fails alone", transactions::company),
    ("scrub and health answer", transactions::upkeep),
];

/// Runs every check, each on a ledger of its own.
///
/// ```
/// myosotis_store::conformance::ledger(&|| Box::new(myosotis_store::MemoryLedger::new()));
/// ```
///
/// # Panics
/// If a check fails.
pub fn ledger(factory: Factory<'_>) {
    for (name, check) in CHECKS {
        let ledger = factory();
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&*ledger)));
        assert!(outcome.is_ok(), "the ledger fails: {name} (see the panic above)");
    }
}

fn user(name: &str) -> UserId {
    UserId::new(name).unwrap()
}

fn id(n: u8) -> MemoryId {
    MemoryId::from_parts(1_790_000_000_000 + i64::from(n), [n; 10])
}

fn scope(n: u8) -> ScopeKey {
    ScopeKey([n; 16])
}

fn tag(n: u8) -> Tag {
    Tag([n; 16])
}

/// A plain live item.
fn item(n: u8, scope_number: u8) -> ItemRow {
    ItemRow {
        id: id(n),
        scope: scope(scope_number),
        kind: n % 7,
        state: 0,
        lineage: id(n),
        stored: 1_790_000_000_000,
        created: None,
        accessed: None,
        access_count: 0,
        pinned: false,
        importance: 0.5,
        support: 1,
        rev: 1,
        tag: None,
        model: None,
        sealed: vec![n; 30],
        sealed_vector: None,
    }
}

fn scope_row(n: u8, version: u64) -> ScopeRow {
    ScopeRow { key: scope(n), version, removed_at: 0, sealed: vec![n, 0xFF] }
}

fn change(ledger: &dyn Ledger, job: impl FnOnce(&mut dyn LedgerWrite) -> Result<(), LedgerError> + Send + 'static) {
    ledger.write(Box::new(job)).unwrap();
}

fn put(ledger: &dyn Ledger, user: &UserId, rows: Vec<ItemRow>) {
    let user = user.clone();
    change(ledger, move |tx| rows.iter().try_for_each(|row| tx.put_item(&user, row)));
}

fn see<T>(ledger: &dyn Ledger, job: impl FnOnce(&dyn LedgerRead) -> Result<T, LedgerError>) -> T {
    ports::read(ledger, job).unwrap()
}

fn items(view: &dyn LedgerRead, user: &UserId, scope: ScopeKey, since: u64, vectors: bool) -> Vec<ItemRow> {
    let mut rows = Vec::new();
    view.items(user, scope, since, vectors, &mut |row| {
        rows.push(row);
        Ok(())
    })
    .unwrap();
    rows
}

/// Everything the ledger tells of a user's rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Everything {
    row: Option<UserRow>,
    scopes: Vec<ScopeRow>,
    items: Vec<ItemRow>,
    counts: Vec<(u8, u8, u64)>,
    tombstones: Vec<Option<i64>>,
}

/// Reads all of a user's rows in the given scopes and the tombstones of the given tags, so that two
/// states or two ledgers can be compared.
///
/// # Errors
/// What the ledger returns.
pub fn everything(
    view: &dyn LedgerRead,
    user: &UserId,
    scopes: &[ScopeKey],
    tags: &[Tag],
) -> Result<Everything, LedgerError> {
    let mut rows = Vec::new();
    for scope in scopes {
        for id in view.item_ids(user, *scope)? {
            rows.extend(view.item(user, id)?);
        }
    }
    Ok(Everything {
        row: view.user(user)?,
        scopes: view.scopes(user)?,
        items: rows,
        counts: view.counts(user)?,
        tombstones: tags.iter().map(|tag| view.tombstone(user, *tag)).collect::<Result<_, _>>()?,
    })
}
