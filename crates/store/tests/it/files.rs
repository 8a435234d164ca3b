//! Files that are damaged, of another program, of a newer version or not to be had (OPS-3, OPS-5).

use std::path::{Path, PathBuf};

use myosotis_core::{Ledger, LedgerError, ports};

use crate::{SCOPE, item, open, user};

/// A closed store with 200 memories, and its file.
fn filled() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let ledger = open(dir.path()).unwrap();
    ledger.write(Box::new(|tx| (0..200).try_for_each(|n| tx.put_item(&user("alice"), &item(n))))).unwrap();
    drop(ledger);
    let file = dir.path().join("myosotis.db");
    assert!(!dir.path().join("myosotis.db-wal").exists(), "closing leaves no log");
    (dir, file)
}

fn refused(dir: &Path) -> LedgerError {
    open(dir).err().expect("this must not open")
}

#[test]
fn a_file_that_was_cut_is_reported_and_left_alone() {
    let (dir, file) = filled();
    let whole = std::fs::read(&file).unwrap();
    for length in [0, 1, 15, 16, 99, 100, 5_000, 8_192, 8_193, whole.len() / 2, whole.len() - 8_192, whole.len() - 1] {
        std::fs::write(&file, &whole[..length]).unwrap();
        let error = refused(dir.path());
        assert!(matches!(error, LedgerError::Damaged { .. }), "{length}: {error}");
        assert!(error.to_string().contains("restore it from a backup"), "{error}");
        assert_eq!(std::fs::read(&file).unwrap(), whole[..length], "{length}: the file was changed");
    }
    std::fs::write(&file, &whole).unwrap();
    let ledger = open(dir.path()).unwrap();
    assert_eq!(ports::read(&ledger, |view| view.item_ids(&user("alice"), SCOPE)).unwrap().len(), 200);
}

#[test]
fn garbage_is_not_a_store() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("myosotis.db");
    let mut liar = b"SQLite format 3\0".to_vec();
    liar.extend(vec![0xA5; 50_000]);
    for content in [b"hello".to_vec(), vec![0; 10_000], vec![0xFF; 10_000], liar] {
        std::fs::write(&file, &content).unwrap();
        let error = refused(dir.path());
        assert!(matches!(error, LedgerError::Damaged { .. }), "{error}");
        assert_eq!(std::fs::read(&file).unwrap(), content, "the file was changed");
    }
}

#[test]
fn damage_in_the_middle_is_an_error_when_it_is_met() {
    let (dir, file) = filled();
    let mut bytes = std::fs::read(&file).unwrap();
    let length = bytes.len();
    for byte in &mut bytes[3 * 8_192..length] {
        *byte = 0xEE;
    }
    std::fs::write(&file, &bytes).unwrap();
    let outcome = open(dir.path()).and_then(|ledger| {
        let found = ledger.health()?.into_iter().any(|(what, _, fine)| what == "integrity" && !fine);
        assert!(found, "doctor must see it");
        ports::read(&ledger, |view| view.items(&user("alice"), SCOPE, 0, true, &mut |_| Ok(())))
    });
    assert!(matches!(outcome, Err(LedgerError::Damaged { .. })), "{outcome:?}");
}

#[test]
fn a_newer_file_is_refused_and_left_alone() {
    let (dir, file) = filled();
    rusqlite::Connection::open(&file).unwrap().pragma_update(None, "user_version", 999).unwrap();
    let before = std::fs::read(&file).unwrap();
    let error = refused(dir.path());
    assert!(matches!(error, LedgerError::NewerSchema { found: 999, .. }), "{error}");
    assert!(error.to_string().contains("upgrade Myosotis"), "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[test]
fn another_programs_file_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let conn = rusqlite::Connection::open(dir.path().join("myosotis.db")).unwrap();
    conn.execute_batch("CREATE TABLE contacts (name TEXT)").unwrap();
    drop(conn);
    let error = refused(dir.path());
    assert!(error.to_string().contains("another program"), "{error}");
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("file"), "x").unwrap();
    let below = dir.path().join("file").join("store");
    let error = refused(&below);
    assert!(matches!(error, LedgerError::Access { .. }), "{error}");
    assert!(error.to_string().contains(&*below.to_string_lossy()), "{error}");
    // A folder where the file should be.
    std::fs::create_dir_all(dir.path().join("odd").join("myosotis.db")).unwrap();
    assert!(matches!(refused(&dir.path().join("odd")), LedgerError::Access { .. }));
}

#[cfg(unix)]
#[test]
fn only_the_owner_may_read() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("a").join("b");
    let ledger = open(&dir).unwrap();
    let _vault = myosotis_store::FileVault::open(&dir, None).unwrap();
    ledger.write(Box::new(|tx| tx.put_item(&user("alice"), &item(1)))).unwrap();
    ports::read(&ledger, |view| view.users()).unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(dir.parent().unwrap()), mode(&dir)), (0o700, 0o700));
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&dir).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
        names.push(path.file_name().unwrap().to_string_lossy().into_owned());
    }
    names.sort();
    let expected = ["keys.db", "master.key", "myosotis.db", "myosotis.db-shm", "myosotis.db-wal", "myosotis.lock"];
    assert_eq!(names, expected);
    // Opened up by hand, doctor says so.
    std::fs::set_permissions(ledger.path(), PermissionsExt::from_mode(0o644)).unwrap();
    let lines = ledger.health().unwrap();
    assert!(lines.iter().any(|(what, value, fine)| !fine && what.contains("permissions") && value.contains("0644")));
}

#[test]
fn many_open_a_new_folder_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("new");
    std::thread::scope(|threads| {
        for n in 0..8 {
            let dir = &dir;
            threads.spawn(move || {
                let ledger = open(dir).unwrap();
                ledger.write(Box::new(move |tx| tx.put_item(&user("alice"), &item(n)))).unwrap();
            });
        }
    });
    let ledger = open(&dir).unwrap();
    assert_eq!(ports::read(&ledger, |view| view.item_ids(&user("alice"), SCOPE)).unwrap().len(), 8);
}
