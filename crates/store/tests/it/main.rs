//! Behaviours of the store: the conformance suite, a model test, many processes, kill -9, damaged
//! files, and what lies readable on the disk.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod disk;
mod files;
mod model;
mod processes;
mod vault;

use myosotis_core::{ItemRow, LedgerError, MemoryId, ScopeKey, UserId};
use myosotis_store::{MemoryLedger, SqliteLedger, SqliteOptions};

fn user(name: &str) -> UserId {
    UserId::new(name).unwrap()
}

fn id(n: u64) -> MemoryId {
    let mut random = [0; 10];
    random[2..].copy_from_slice(&n.to_be_bytes());
    MemoryId::from_parts(1_790_000_000_000, random)
}

const SCOPE: ScopeKey = ScopeKey([1; 16]);

fn item(n: u64) -> ItemRow {
    ItemRow {
        id: id(n),
        scope: SCOPE,
        kind: 0,
        state: 0,
        lineage: id(n),
        stored: 1,
        created: None,
        accessed: None,
        access_count: 0,
        pinned: false,
        importance: 0.5,
        support: 1,
        rev: 1,
        tag: None,
        model: None,
        sealed: n.to_le_bytes().repeat(50),
        sealed_vector: Some(n.to_be_bytes().repeat(200)),
    }
}

fn open(dir: &std::path::Path) -> Result<SqliteLedger, LedgerError> {
    SqliteLedger::open(dir, SqliteOptions::default())
}

#[test]
fn sqlite_conforms() {
    let dir = tempfile::tempdir().unwrap();
    let number = std::cell::Cell::new(0);
    myosotis_store::conformance::ledger(&|| {
        number.set(number.get() + 1);
        Box::new(open(&dir.path().join(number.get().to_string())).unwrap())
    });
}

#[test]
fn memory_conforms() {
    myosotis_store::conformance::ledger(&|| Box::new(MemoryLedger::new()));
}
