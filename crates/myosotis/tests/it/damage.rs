//! What one damaged row, vector or key may cost: itself, and nothing else.

use std::path::Path;

use myosotis::{ConsentState, Engine, Error, ListRequest, RecallRequest, Remember, UserId};

use crate::kit::{builder, store, texts, user};

fn three(dir: &Path) -> (Engine, myosotis::UserMemory, Vec<myosotis::MemoryId>) {
    let engine = builder().open(dir).unwrap();
    let alice = user(&engine, "alice");
    let ids = ["Likes green tea", "Plays the violin", "Has a dog called Bruno"].map(|text| store(&alice, text));
    engine.flush().unwrap();
    (engine, alice, ids.to_vec())
}

fn break_rows(dir: &Path, sql: &str) {
    let db = rusqlite::Connection::open(dir.join("myosotis.db")).unwrap();
    assert!(db.execute(sql, []).unwrap() > 0);
}

#[test]
fn a_row_that_does_not_open_hides_only_itself_and_can_be_forgotten() {
    // OPS-2, ERA-3
    let dir = tempfile::tempdir().unwrap();
    let (engine, alice, ids) = three(dir.path());
    drop((engine, alice));
    break_rows(dir.path(), "UPDATE items SET sealed = zeroblob(length(sealed)) WHERE item_key = 2");
    let engine = builder().open(dir.path()).unwrap();
    let alice = user(&engine, "alice");
    assert_eq!(alice.unreadable().unwrap(), [ids[1]]);
    assert_eq!(alice.list(&ListRequest::default()).unwrap().len(), 2);
    assert_eq!(texts(&alice, "tea"), ["Likes green tea"]);
    assert_eq!(alice.export(&mut Vec::new()).unwrap(), 2);
    store(&alice, "Lives in Lisbon");
    assert!(matches!(alice.get(ids[1]), Err(Error::Seal(_))));
    assert_eq!(alice.forget(ids[1]).unwrap(), 1);
    assert!(alice.unreadable().unwrap().is_empty());
    assert_eq!(alice.list(&ListRequest::default()).unwrap().len(), 3);
}

#[test]
fn a_scope_record_that_does_not_open_is_made_anew() {
    let dir = tempfile::tempdir().unwrap();
    let (engine, alice, _) = three(dir.path());
    drop((engine, alice));
    break_rows(dir.path(), "UPDATE scopes SET sealed = zeroblob(length(sealed))");
    let engine = builder().open(dir.path()).unwrap();
    let alice = user(&engine, "alice");
    assert_eq!(texts(&alice, "tea"), ["Likes green tea"]);
    store(&alice, "Lives in Lisbon");
    assert_eq!(alice.list(&ListRequest::default()).unwrap().len(), 4);
}

#[test]
fn a_damaged_vector_costs_the_meaning_until_it_is_made_again() {
    // REC-7, REC-12
    let dir = tempfile::tempdir().unwrap();
    let (engine, alice, _) = three(dir.path());
    drop((engine, alice));
    break_rows(dir.path(), "UPDATE vectors SET sealed = zeroblob(length(sealed)) WHERE item_key = 1");
    let engine = builder().open(dir.path()).unwrap();
    let alice = user(&engine, "alice");
    let answer = alice.recall(&RecallRequest::new("tea")).unwrap();
    assert_eq!(answer.items[0].text, "Likes green tea");
    assert!(answer.degraded.unwrap().contains("reindex"));
    assert_eq!(alice.broken_vectors().unwrap(), 1);
    assert_eq!(alice.reindex(|_, _| {}).unwrap(), 1);
    assert_eq!(alice.broken_vectors().unwrap(), 0);
    assert_eq!(alice.recall(&RecallRequest::new("tea")).unwrap().degraded, None);
}

#[test]
fn no_second_key_is_made_beside_rows_of_a_lost_one() {
    // ERA-3
    let dir = tempfile::tempdir().unwrap();
    let (engine, alice, _) = three(dir.path());
    drop((engine, alice));
    let keys = std::fs::read(dir.path().join("keys.db")).unwrap();
    std::fs::remove_file(dir.path().join("keys.db")).unwrap();
    {
        let engine = builder().open(dir.path()).unwrap();
        let alice = engine.user(UserId::new("alice").unwrap());
        assert!(matches!(alice.set_consent(ConsentState::On, "test", None), Err(Error::KeyGone)));
        assert!(matches!(alice.remember(Remember::new("After the loss")), Err(Error::KeyGone)));
        assert!(matches!(alice.list(&ListRequest::default()), Err(Error::KeyGone)));
    }
    std::fs::write(dir.path().join("keys.db"), keys).unwrap();
    let engine = builder().open(dir.path()).unwrap();
    assert_eq!(user(&engine, "alice").list(&ListRequest::default()).unwrap().len(), 3);
}
