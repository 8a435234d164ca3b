//! What the SQLite ledger costs, beside the bare disk in the same run:
//! `cargo run --release -p myosotis-store --example ledger_speed [DIR]`.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use myosotis_core::{ItemRow, Ledger, MemoryId, ScopeKey, ScopeRow, Tag, UserId, ports};
use myosotis_store::{FileVault, KeyVault, Place, SqliteLedger, SqliteOptions, UserKey};

const SCOPE: ScopeKey = ScopeKey([5; 16]);

fn user() -> UserId {
    UserId::new("alice").unwrap()
}

fn id(n: u64) -> MemoryId {
    let mut random = [0; 10];
    random[2..].copy_from_slice(&n.to_be_bytes());
    MemoryId::from_parts(1_790_000_000_000 + n as i64, random)
}

/// A memory as the engine makes it: 350 bytes of JSON, 384 numbers, both sealed.
fn item(key: &UserKey, n: u64) -> ItemRow {
    let (user, id) = (user(), id(n));
    let place = Place::new("items", "sealed", &user).scope(SCOPE).row(id.as_bytes());
    let vector_place = Place::new("items", "sealed_vector", &user).scope(SCOPE).row(id.as_bytes());
    ItemRow {
        id,
        scope: SCOPE,
        kind: 0,
        state: 0,
        lineage: id,
        stored: 1_790_000_000_000,
        created: Some(1_790_000_000_000),
        accessed: None,
        access_count: 0,
        pinned: false,
        importance: 0.5,
        support: 1,
        rev: n + 1,
        tag: Some(key.tag(&[&n.to_le_bytes()])),
        model: Some("minilm-l6-v2".into()),
        sealed: key.seal(&place, &[b'x'; 350]).unwrap(),
        sealed_vector: Some(key.seal(&vector_place, &[1; 4 * 384]).unwrap()),
    }
}

fn put(ledger: &dyn Ledger, row: ItemRow) {
    let scope = ScopeRow { key: SCOPE, version: row.rev, removed_at: 0, sealed: vec![3; 80] };
    ports::write::<_, myosotis_core::LedgerError>(ledger, move |tx| {
        tx.user(&user())?;
        tx.scope(&user(), SCOPE)?;
        tx.item_by_tag(&user(), SCOPE, row.tag.unwrap_or(Tag([0; 16])))?;
        tx.put_item(&user(), &row)?;
        tx.put_scope(&user(), &scope)
    })
    .unwrap();
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// Write and bare append in turn, so that both meet the same disk.
fn durable_writes(ledger: &dyn Ledger, key: &UserKey, dir: &std::path::Path) -> f64 {
    let mut bare_file = std::fs::File::create(dir.join("bare")).unwrap();
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    for n in 0..400 {
        let row = item(key, n);
        ours.push(timed(|| put(ledger, row)));
        bare.push(timed(|| {
            bare_file.write_all(&[7; 4096]).unwrap();
            bare_file.sync_data().unwrap();
        }));
    }
    let (ours, bare) = (median(ours), median(bare));
    println!(
        "durable write p50          {ours:>10.2?}   bare 4 KB append + fdatasync {bare:.2?}   ratio {:.2}",
        ours.as_secs_f64() / bare.as_secs_f64()
    );
    ours.as_secs_f64()
}

fn together(ledger: &Arc<SqliteLedger>, key: &UserKey) {
    let (threads, each) = (32_u64, 50_u64);
    let alone = timed(|| (1000..1200).for_each(|n| put(&**ledger, item(key, n)))).as_secs_f64() / 200.0;
    let all = timed(|| {
        std::thread::scope(|scope| {
            for thread in 0..threads {
                scope.spawn(move || {
                    for n in 0..each {
                        put(&**ledger, item(key, 10_000 + thread * each + n));
                    }
                });
            }
        });
    });
    let rate = (threads * each) as f64 / all.as_secs_f64();
    println!("32 threads                 {rate:>8.0}/s   one thread {:.0}/s   ratio {:.1}", 1.0 / alone, rate * alone);
}

fn cold_read(key: &UserKey) {
    let dir = tempfile::tempdir().unwrap();
    let ledger = SqliteLedger::open(dir.path(), SqliteOptions::default()).unwrap();
    let rows: Vec<_> = (0..500).map(|n| item(key, n)).collect();
    ledger.write(Box::new(move |tx| rows.iter().try_for_each(|row| tx.put_item(&user(), row)))).unwrap();
    ledger.scrub().unwrap();
    let mut best = [Duration::MAX; 3];
    for _ in 0..15 {
        let start = Instant::now();
        let (user, mut rows) = (user(), Vec::new());
        ports::read(&ledger, |view| {
            view.items(&user, SCOPE, 0, true, &mut |row| {
                rows.push(row);
                Ok(())
            })
        })
        .unwrap();
        let read = start.elapsed();
        let mut opened = 0;
        for row in &rows {
            let place = Place::new("items", "sealed", &user).scope(SCOPE).row(row.id.as_bytes());
            let vector_place = Place::new("items", "sealed_vector", &user).scope(SCOPE).row(row.id.as_bytes());
            opened += key.open(&place, &row.sealed).unwrap().len();
            opened += key.open(&vector_place, row.sealed_vector.as_ref().unwrap()).unwrap().len();
        }
        assert_eq!(opened, 500 * (350 + 1536));
        let whole = start.elapsed();
        best = [best[0].min(read), best[1].min(whole - read), best[2].min(whole)];
    }
    println!(
        "read 500 items             {:>10.2?}   opening them {:.2?}   both {:.2?} (best of 15)",
        best[0], best[1], best[2]
    );

    let user = user();
    let version = timed(|| {
        for _ in 0..2000 {
            ports::read(&ledger, |view| view.scope(&user, SCOPE)).unwrap();
        }
    });
    println!("read a scope's version     {:>10.2?}", version / 2000);
    let bumps = timed(|| {
        for n in 0..2000 {
            let user = user.clone();
            ledger.write_later(Box::new(move |tx| tx.bump_access(&user, id(n % 500), 1_790_000_000_001)));
        }
        ledger.flush().unwrap();
    });
    println!("access bump                {:>10.2?}", bumps / 2000);
}

fn sealing(key: &UserKey) {
    let user = user();
    let place = Place::new("items", "sealed_vector", &user).scope(SCOPE).row(&[9; 16]);
    let sealed = key.seal(&place, &[1; 1536]).unwrap();
    let open = timed(|| (0..20_000).for_each(|_| assert!(key.open(&place, &sealed).is_ok())));
    let seal = timed(|| (0..20_000).for_each(|_| assert!(key.seal(&place, &[1; 1536]).is_ok())));
    println!("open 1.5 KB                {:>10.2?}   seal {:.2?}", open / 20_000, seal / 20_000);
}

fn size_and_erasure(key: &UserKey) {
    let dir = tempfile::tempdir().unwrap();
    let ledger = SqliteLedger::open(dir.path(), SqliteOptions::default()).unwrap();
    let size = || std::fs::metadata(ledger.path()).unwrap().len();
    for batch in 0..100_u64 {
        let rows: Vec<_> = (0..100).map(|n| item(key, batch * 100 + n)).collect();
        ledger.write(Box::new(move |tx| rows.iter().try_for_each(|row| tx.put_item(&user(), row)))).unwrap();
    }
    ledger.scrub().unwrap();
    println!("bytes a memory             {:>10}   ({} KB for 10,000)", size() / 10_000, size() / 1024);
    let erase = timed(|| ledger.write(Box::new(|tx| tx.erase_user(&user()).map(drop))).unwrap());
    let scrub = timed(|| ledger.scrub().unwrap());
    println!("erase 10,000 memories      {erase:>10.2?}   scrub {scrub:.2?}   file then {} KB", size() / 1024);
}

fn main() {
    let base = std::env::args().nth(1).map_or_else(std::env::temp_dir, Into::into);
    let dir = tempfile::tempdir_in(base).unwrap();
    let vault = FileVault::open(dir.path(), None).unwrap();
    let key = vault.data_key_or_create(&user()).unwrap();
    let lookup = timed(|| (0..2000).for_each(|_| assert!(vault.data_key(&user()).unwrap().is_some()))) / 2000;
    println!("ask for a known key        {lookup:>10.2?}");
    sealing(&key);
    cold_read(&key);
    size_and_erasure(&key);
    let ledger = Arc::new(SqliteLedger::open(dir.path(), SqliteOptions::default()).unwrap());
    durable_writes(&*ledger, &key, dir.path());
    together(&ledger, &key);
}
