//! The file vault across openings and processes (ERA-3, ID-2).

use std::path::Path;

use myosotis_core::UserId;
use myosotis_store::{FileVault, KeyError, KeyVault, Place};

use crate::user;

fn open(dir: &Path) -> FileVault {
    FileVault::open(dir, None).unwrap()
}

#[test]
fn keys_survive_opening_again() {
    let dir = tempfile::tempdir().unwrap();
    let alice = user("alice");
    let place = Place::new("users", "consent", &alice);
    let (sealed, external) = {
        let vault = open(dir.path());
        (vault.data_key_or_create(&alice).unwrap().seal(&place, b"yes").unwrap(), vault.external_id_key())
    };
    let vault = open(dir.path());
    assert_eq!(vault.data_key(&alice).unwrap().unwrap().open(&place, &sealed).unwrap(), b"yes");
    assert_eq!(*vault.external_id_key(), *external);
    assert!(UserId::from_external(&vault.external_id_key(), "alice@example.org").is_ok());
    assert!(vault.data_key(&user("Alice")).unwrap().is_none());
    assert!(vault.health().unwrap().iter().all(|(_, _, fine)| *fine));
}

#[test]
fn what_another_process_destroys_is_noticed_at_once() {
    let dir = tempfile::tempdir().unwrap();
    // Two vaults on the same files are to each other what two processes are.
    let (here, there) = (open(dir.path()), open(dir.path()));
    let alice = user("alice");
    let first = here.data_key_or_create(&alice).unwrap();
    assert_eq!(there.data_key(&alice).unwrap().unwrap().id(), first.id());
    assert!(there.destroy(&alice).unwrap());
    assert!(!there.destroy(&alice).unwrap());
    assert!(here.data_key(&alice).unwrap().is_none());
    let second = there.data_key_or_create(&alice).unwrap();
    assert_ne!(second.id(), first.id());
    assert_eq!(here.data_key_or_create(&alice).unwrap().id(), second.id());
    let place = Place::new("users", "consent", &alice);
    let sealed = first.seal(&place, b"old").unwrap();
    assert!(second.open(&place, &sealed).is_err(), "a new key opens nothing of before");
}

#[test]
fn one_key_for_all_who_ask_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let ids: Vec<_> = std::thread::scope(|threads| {
        let asking = || open(dir.path()).data_key_or_create(&user("alice")).unwrap().id();
        let threads: Vec<_> = (0..8).map(|_| threads.spawn(asking)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(ids.iter().all(|id| *id == ids[0]));
}

#[test]
fn a_wrong_or_missing_master_key_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let secrets = tempfile::tempdir().unwrap();
    let other = secrets.path().join("other.key");
    std::fs::write(&other, format!("{}\n", "0A".repeat(32))).unwrap();
    let master = dir.path().join("master.key");

    // As long as there are no keys, another master key may be chosen.
    drop(open(dir.path()));
    drop(FileVault::open(dir.path(), Some(other.clone())).unwrap());
    open(dir.path()).data_key_or_create(&user("alice")).unwrap();

    let error = FileVault::open(dir.path(), Some(other.clone())).err().unwrap();
    assert!(matches!(error, KeyError::WrongMaster { .. }));
    let text = error.to_string();
    assert!(
        text.contains("other.key") && text.contains("keys.db") && text.contains("MYOSOTIS_MASTER_KEY_FILE"),
        "{text}"
    );

    let kept = std::fs::read(&master).unwrap();
    std::fs::remove_file(&master).unwrap();
    assert!(matches!(FileVault::open(dir.path(), None).err().unwrap(), KeyError::MasterMissing { .. }));
    assert!(!master.exists(), "no new key is made over old ones");
    std::fs::write(&master, &kept).unwrap();
    assert!(open(dir.path()).data_key(&user("alice")).unwrap().is_some());

    for broken in ["", "abc", &"g0".repeat(32), &"+0".repeat(32), &"00".repeat(33)] {
        std::fs::write(&other, broken).unwrap();
        let error = FileVault::open(dir.path(), Some(other.clone())).err().unwrap();
        assert!(matches!(error, KeyError::MasterMalformed { .. }), "{broken}: {error}");
    }
    let missing =
        FileVault::open(tempfile::tempdir().unwrap().path(), Some(secrets.path().join("none"))).err().unwrap();
    assert!(missing.to_string().contains("no such file"), "{missing}");
}

#[test]
fn a_key_moved_to_another_user_does_not_open() {
    let dir = tempfile::tempdir().unwrap();
    let vault = open(dir.path());
    vault.data_key_or_create(&user("alice")).unwrap();
    let conn = rusqlite::Connection::open(dir.path().join("keys.db")).unwrap();
    conn.execute("UPDATE keys SET user = 'bob'", []).unwrap();
    let error = vault.data_key(&user("bob")).err().unwrap();
    assert!(matches!(error, KeyError::Altered { .. }), "{error}");
    assert!(vault.data_key_or_create(&user("bob")).is_err(), "it is not replaced either");
}

#[test]
fn a_damaged_key_file_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    open(dir.path()).data_key_or_create(&user("alice")).unwrap();
    let file = dir.path().join("keys.db");
    let whole = std::fs::read(&file).unwrap();
    for content in [b"nonsense".to_vec(), whole[..whole.len() / 2].to_vec(), Vec::new()] {
        std::fs::write(&file, &content).unwrap();
        let error = FileVault::open(dir.path(), None).err().expect("this must not open");
        assert!(error.to_string().contains("keys.db") && error.to_string().contains("backup"), "{error}");
    }
}
