//! What lies on the disk: nothing readable, and nothing at all of what was deleted (ERA-3).

use std::path::Path;

use myosotis_core::{ItemRow, Ledger, Scope, ScopeRow, ports};
use myosotis_store::{FileVault, KeyVault, Place};

use crate::{id, item, open, user};

/// The names of the files in `dir` that hold `bytes`.
fn holders(dir: &Path, bytes: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let content = std::fs::read(&path).unwrap();
        if content.windows(bytes.len()).any(|window| window == bytes) {
            names.push(path.file_name().unwrap().to_string_lossy().into_owned());
        }
    }
    names
}

#[test]
fn no_word_is_readable() {
    let dir = tempfile::tempdir().unwrap();
    let vault = FileVault::open(dir.path(), None).unwrap();
    let ledger = open(dir.path()).unwrap();
    let alice = user("alice");
    let key = vault.data_key_or_create(&alice).unwrap();
    let words = ["marmalade", "lighthouse", "favourite_jam", "balcony-project"];
    let scope = Scope { namespace: "chat".parse().unwrap(), workspace: Some("balcony-project".parse().unwrap()) };
    let scope_key = key.scope_key(&scope);
    let id_bytes = id(1);
    let place = Place::new("items", "sealed", &alice).scope(scope_key).row(id_bytes.as_bytes());
    let text = b"favourite_jam: marmalade at the lighthouse";
    let row = ItemRow {
        scope: scope_key,
        tag: Some(key.tag(&[b"fact", text])),
        sealed: key.seal(&place, text).unwrap(),
        sealed_vector: None,
        ..item(1)
    };
    let labels = Place::new("scopes", "sealed", &alice).row(&scope_key.0);
    let scope_row =
        ScopeRow { key: scope_key, version: 1, removed_at: 0, sealed: key.seal(&labels, b"balcony-project").unwrap() };
    let stored = row.clone();
    ledger
        .write(Box::new(move |tx| {
            tx.put_scope(&user("alice"), &scope_row)?;
            tx.put_item(&user("alice"), &stored)
        }))
        .unwrap();
    let check = || words.iter().for_each(|word| assert_eq!(holders(dir.path(), word.as_bytes()), [""; 0], "{word}"));
    check();
    ledger.scrub().unwrap();
    check();
    let found = ports::read(&ledger, |view| view.item(&alice, id(1))).unwrap().unwrap();
    assert_eq!(key.open(&place, &found.sealed).unwrap(), text);
    drop(ledger);
    check();
}

#[test]
fn what_was_deleted_is_gone_from_every_file() {
    let dir = tempfile::tempdir().unwrap();
    let ledger = open(dir.path()).unwrap();
    let put = |first: u64| {
        ledger
            .write(Box::new(move |tx| (first..first + 300).try_for_each(|n| tx.put_item(&user("alice"), &item(n)))))
            .unwrap();
    };
    put(0);
    ledger.scrub().unwrap();
    put(300);
    let probe = |n: u64| n.to_le_bytes().repeat(8);
    assert_eq!(holders(dir.path(), &probe(7)), ["myosotis.db"]);
    assert!(holders(dir.path(), &probe(307)).contains(&"myosotis.db-wal".to_owned()));

    // Some one by one, one replaced, in the file as well as in the log.
    ledger
        .write(Box::new(|tx| {
            for n in [7, 150, 307, 450] {
                tx.delete_item(&user("alice"), id(n))?;
            }
            tx.put_item(&user("alice"), &ItemRow { sealed: vec![1; 5], sealed_vector: None, ..item(8) })
        }))
        .unwrap();
    ledger.scrub().unwrap();
    for n in [7, 150, 307, 450, 8] {
        assert_eq!(holders(dir.path(), &probe(n)), [""; 0], "{n} is still there");
    }
    assert_eq!(holders(dir.path(), &probe(9)), ["myosotis.db"]);

    // Everybody at once, while somebody holds an older view until the end of it.
    let size = std::fs::metadata(ledger.path()).unwrap().len();
    ports::read(&ledger, |view| {
        assert_eq!(view.item_ids(&user("alice"), crate::SCOPE)?.len(), 596);
        ledger.write(Box::new(|tx| tx.erase_user(&user("alice")).map(drop)))
    })
    .unwrap();
    ledger.scrub().unwrap();
    for n in 1..600_u64 {
        assert_eq!(holders(dir.path(), &n.to_be_bytes().repeat(8)), [""; 0], "the vector of {n} is still there");
    }
    assert!(std::fs::metadata(ledger.path()).unwrap().len() < size / 4, "the space is given back");
}

#[test]
fn a_key_that_was_destroyed_is_gone_from_every_file() {
    let dir = tempfile::tempdir().unwrap();
    let vault = FileVault::open(dir.path(), None).unwrap();
    let keys: Vec<_> = (0..50).map(|n| vault.data_key_or_create(&user(&format!("u{n}"))).unwrap().id()).collect();
    assert_eq!(holders(dir.path(), &keys[17]), ["keys.db"]);
    assert!(vault.destroy(&user("u17")).unwrap());
    assert_eq!(holders(dir.path(), &keys[17]), [""; 0]);
    assert_eq!(holders(dir.path(), b"u17"), [""; 0]);
    assert_eq!(holders(dir.path(), &keys[18]), ["keys.db"]);
}
