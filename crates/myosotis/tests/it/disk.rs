//! What lies on the disk: nothing readable, and nothing that opens elsewhere.

use std::path::Path;

use myosotis::{ListRequest, RecallRequest, Remember, Scope, Workspace};

use crate::kit::{builder, store, texts, user};

/// Files of `dir` that contain `needle`.
fn files_with(dir: &Path, needle: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        if bytes.windows(needle.len()).any(|window| window.eq_ignore_ascii_case(needle)) {
            found.push(path.file_name().unwrap().to_string_lossy().into_owned());
        }
    }
    found
}

#[test]
fn no_word_of_a_memory_its_slot_or_its_labels_is_readable() {
    // ERA-3, Must show 9
    let dir = tempfile::tempdir().unwrap();
    let engine = builder().open(dir.path()).unwrap();
    let alice = user(&engine, "alice");
    let scope = Scope { workspace: Some(Workspace::new("zanzibarproject").unwrap()), ..Scope::default() };
    let memory =
        Remember::new("The quokka sleeps under a marmalade umbrella").slot("favourite_xylophone").scope(scope.clone());
    let id = alice.remember(memory).unwrap().id().unwrap();
    alice.recall(&RecallRequest::new("quokka umbrella").scope(scope)).unwrap();
    alice.edit(id, &myosotis::Edit { text: Some("The wombat sleeps".into()), ..Default::default() }).unwrap();
    engine.flush().unwrap();
    for word in ["quokka", "marmalade", "umbrella", "wombat", "xylophone", "favourite", "zanzibar", "sleeps"] {
        assert_eq!(files_with(dir.path(), word.as_bytes()), Vec::<String>::new(), "{word}");
    }
}

#[test]
fn files_are_the_owners_alone() {
    // OPS-3
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let parent = tempfile::tempdir().unwrap();
        let dir = parent.path().join("store");
        let engine = builder().open(&dir).unwrap();
        store(&user(&engine, "alice"), "Likes tea");
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&dir), 0o700);
        for entry in std::fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            assert_eq!(mode(&path), 0o600, "{}", path.display());
        }
    }
}

#[test]
fn a_row_moved_to_another_user_does_not_open_and_says_so() {
    // ERA-3, Must show 9
    let dir = tempfile::tempdir().unwrap();
    let engine = builder().open(dir.path()).unwrap();
    let (alice, bob) = (user(&engine, "alice"), user(&engine, "bob"));
    store(&alice, "Likes tea");
    let bobs = store(&bob, "Plays chess");
    engine.flush().unwrap();
    let db = rusqlite::Connection::open(dir.path().join("myosotis.db")).unwrap();
    let changed = db
        .execute(
            "UPDATE items SET sealed = (SELECT sealed FROM items WHERE id <> ?1) WHERE id = ?1",
            [bobs.as_bytes().as_slice()],
        )
        .unwrap();
    assert_eq!(changed, 1);
    let error = bob.get(bobs).unwrap_err();
    assert!(error.to_string().contains("does not belong here"), "{error}");
}

#[test]
fn a_backup_of_an_erased_user_opens_nothing() {
    // ERA-3
    let (dir, backup) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let engine = builder().open(dir.path()).unwrap();
    let (alice, bob) = (user(&engine, "alice"), user(&engine, "bob"));
    store(&alice, "Likes tea");
    store(&bob, "Plays chess");
    engine.flush().unwrap();
    drop((alice, bob, engine));
    std::fs::copy(dir.path().join("myosotis.db"), backup.path().join("myosotis.db")).unwrap();
    let engine = builder().open(dir.path()).unwrap();
    user(&engine, "alice").forget_me().unwrap();
    drop(engine);
    for keys in ["keys.db", "master.key"] {
        std::fs::copy(dir.path().join(keys), backup.path().join(keys)).unwrap();
    }
    let restored = builder().open(backup.path()).unwrap();
    let alice = restored.user(myosotis::UserId::new("alice").unwrap());
    assert!(alice.list(&ListRequest::default()).is_err());
    assert_eq!(texts(&user(&restored, "bob"), "chess"), ["Plays chess"]);
}

#[test]
fn forgotten_rows_leave_no_bytes_behind() {
    // case 25: the sealed bytes themselves are gone, from the log and the free pages too.
    let dir = tempfile::tempdir().unwrap();
    let engine = builder().open(dir.path()).unwrap();
    let alice = user(&engine, "alice");
    let id = store(&alice, "The quokka sleeps under a marmalade umbrella");
    store(&alice, "Likes tea");
    engine.flush().unwrap();
    let sealed: Vec<u8> = {
        let db = rusqlite::Connection::open(dir.path().join("myosotis.db")).unwrap();
        db.query_row("SELECT sealed FROM items WHERE id = ?1", [id.as_bytes().as_slice()], |row| row.get(0)).unwrap()
    };
    assert!(!files_with(dir.path(), &sealed[..32]).is_empty());
    alice.forget(id).unwrap();
    assert_eq!(files_with(dir.path(), &sealed[..32]), Vec::<String>::new());
}
