//! Several processes on one file, and processes that are killed (VEC-1, OPS-4). The children are this
//! very test program, told by the environment what to be.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use myosotis_core::{Ledger, ports};
use myosotis_store::{FileVault, KeyVault};

use crate::{SCOPE, id, item, open, user};

const ROLE: &str = "MYOSOTIS_TEST_ROLE";
const DIR: &str = "MYOSOTIS_TEST_DIR";
const FIRST: &str = "MYOSOTIS_TEST_FIRST";

/// What the second half of a pair is called.
const PARTNER: u64 = 1 << 40;

fn child(role: &str, dir: &Path, first: u64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["processes::the_child", "--exact", "--nocapture"])
        .env(ROLE, role)
        .env(DIR, dir)
        .env(FIRST, first.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Not a test by itself: does nothing unless a test started this process as its child.
#[test]
fn the_child() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let dir = std::env::var_os(DIR).unwrap();
    let first: u64 = std::env::var(FIRST).unwrap().parse().unwrap();
    match role.as_str() {
        "write a hundred" => write_a_hundred(Path::new(&dir), first),
        "write in pairs" => write_in_pairs(Path::new(&dir), first),
        other => panic!("no such role: {other}"),
    }
}

fn write_a_hundred(dir: &Path, first: u64) {
    let vault = FileVault::open(dir, None).unwrap();
    let key = vault.data_key_or_create(&user("alice")).unwrap();
    println!("key {:?}", key.id());
    let ledger = open(dir).unwrap();
    for n in first..first + 100 {
        ledger
            .write(Box::new(move |tx| {
                tx.put_item(&user("alice"), &item(n))?;
                let version = tx.scope(&user("alice"), SCOPE)?.map_or(0, |row| row.version);
                let row = myosotis_core::ScopeRow { key: SCOPE, version: version + 1, removed_at: 0, sealed: vec![] };
                tx.put_scope(&user("alice"), &row)
            }))
            .unwrap();
        let seen = ports::read(&ledger, |view| view.item(&user("alice"), id(n))).unwrap();
        assert_eq!(seen, Some(item(n)));
    }
}

#[test]
fn five_processes_write_to_one_new_file() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("new");
    let children: Vec<_> = (0..5).map(|n| child("write a hundred", &dir, n * 1000)).collect();
    let mut keys = Vec::new();
    for child in children {
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{text}");
        keys.extend(
            text.lines()
                .filter(|line| line.contains("key ["))
                .map(|line| line.split("key ").last().unwrap().to_owned()),
        );
    }
    assert_eq!(keys.len(), 5);
    assert!(keys.iter().all(|key| *key == keys[0]), "all got the same key: {keys:?}");
    let ledger = open(&dir).unwrap();
    ports::read(&ledger, |view| {
        assert_eq!(view.item_ids(&user("alice"), SCOPE)?.len(), 500);
        assert_eq!(view.user(&user("alice"))?.map(|row| row.items), Some(500));
        assert_eq!(view.scope(&user("alice"), SCOPE)?.map(|row| row.version), Some(500));
        Ok::<_, myosotis_core::LedgerError>(())
    })
    .unwrap();
}

/// Puts pairs, removes every third again, and says so after each acknowledgement, without end.
fn write_in_pairs(dir: &Path, first: u64) {
    let ledger = open(dir).unwrap();
    let mut out = std::io::stdout();
    for n in first.. {
        ledger
            .write(Box::new(move |tx| {
                tx.put_item(&user("alice"), &item(n))?;
                tx.put_item(&user("alice"), &item(n + PARTNER))
            }))
            .unwrap();
        writeln!(out, "acknowledged put {n}").unwrap();
        ledger.write_later(Box::new(move |tx| tx.bump_access(&user("alice"), id(n), 5)));
        if n % 3 == 0 {
            ledger
                .write(Box::new(move |tx| {
                    tx.delete_item(&user("alice"), id(n))?;
                    tx.delete_item(&user("alice"), id(n + PARTNER)).map(drop)
                }))
                .unwrap();
            writeln!(out, "acknowledged removal {n}").unwrap();
        }
        out.flush().unwrap();
    }
}

/// Adds what a line acknowledges to what must be there (true) and must be gone (false).
fn note(line: &str, known: &mut BTreeMap<u64, bool>) {
    if let Some((_, n)) = line.split_once("acknowledged put ") {
        known.insert(n.parse().unwrap(), true);
    }
    if let Some((_, n)) = line.split_once("acknowledged removal ") {
        known.insert(n.parse().unwrap(), false);
    }
}

#[test]
fn killed_at_any_moment_nothing_acknowledged_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("new");
    let mut known = BTreeMap::new();
    for round in 0..20_u64 {
        let mut child = child("write in pairs", &dir, round * 10_000);
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        // Killed after another number of acknowledgements each time, in the middle of what follows.
        for _ in 0..3 + round * 7 % 19 {
            let mut line = String::new();
            lines.read_line(&mut line).unwrap();
            note(line.trim_end(), &mut known);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let mut rest = String::new();
        lines.read_to_string(&mut rest).unwrap();
        // The last line may be cut off in the middle of its number.
        let complete = rest.rsplit_once('\n').map_or("", |(complete, _)| complete);
        complete.lines().for_each(|line| note(line, &mut known));

        let ledger = open(&dir).unwrap();
        ports::read(&ledger, |view| {
            let alice = user("alice");
            for (&n, &there) in &known {
                let found = view.item(&alice, id(n))?;
                if there && n % 3 != 0 {
                    assert!(found.is_some(), "round {round}: {n} was acknowledged and is gone");
                }
                assert!(there || found.is_none(), "round {round}: {n} was removed and is back");
            }
            let ids = view.item_ids(&alice, SCOPE)?;
            for id in &ids {
                let row = view.item(&alice, *id)?.unwrap();
                let n = u64::from_le_bytes(row.sealed[..8].try_into().unwrap());
                assert_eq!(
                    row,
                    myosotis_core::ItemRow { accessed: row.accessed, access_count: row.access_count, ..item(n) }
                );
                assert!(view.item(&alice, crate::id(n ^ PARTNER))?.is_some(), "round {round}: half a pair, {n}");
            }
            assert_eq!(view.user(&alice)?.map(|row| row.items), Some(ids.len() as u64));
            Ok::<_, myosotis_core::LedgerError>(())
        })
        .unwrap();
        let lines = ledger.health().unwrap();
        assert!(lines.iter().all(|(_, _, fine)| *fine), "{lines:?}");
    }
    assert!(known.len() > 50);
}
