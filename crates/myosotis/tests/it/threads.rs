//! VEC-1, MEM-14: many threads and many openings of one store.

use myosotis::{ListRequest, Remember};

use crate::kit::{builder, store, texts, user};

#[test]
fn threads_write_the_same_thing_once() {
    // MEM-7
    let dir = tempfile::tempdir().unwrap();
    let engine = builder().open(dir.path()).unwrap();
    let alice = user(&engine, "alice");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for n in 0..10 {
                    alice.remember(Remember::new(format!("Fact number {n}"))).unwrap();
                }
            });
        }
    });
    assert_eq!(alice.list(&ListRequest::default()).unwrap().len(), 10);
}

#[test]
fn two_openings_of_a_store_see_each_other_at_once() {
    // MEM-14, case 24
    let dir = tempfile::tempdir().unwrap();
    let (one, other) = (builder().open(dir.path()).unwrap(), builder().open(dir.path()).unwrap());
    let (here, there) = (user(&one, "alice"), user(&other, "alice"));
    let tea = store(&here, "Likes tea");
    assert_eq!(texts(&there, "tea"), ["Likes tea"]);
    assert_eq!(there.remember(Remember::new("likes tea")).unwrap(), myosotis::Remembered::Unchanged { id: tea });
    there.forget(tea).unwrap();
    assert!(texts(&here, "tea").is_empty());
    store(&there, "Likes coffee");
    assert_eq!(texts(&here, "coffee"), ["Likes coffee"]);
}

#[test]
fn an_erasure_in_one_opening_is_seen_in_the_other() {
    // ERA-2
    let dir = tempfile::tempdir().unwrap();
    let (one, other) = (builder().open(dir.path()).unwrap(), builder().open(dir.path()).unwrap());
    let (here, there) = (user(&one, "alice"), user(&other, "alice"));
    store(&here, "Likes tea");
    assert_eq!(texts(&there, "tea"), ["Likes tea"]);
    there.forget_me().unwrap();
    assert!(here.list(&ListRequest::default()).unwrap().is_empty());
    let here = user(&one, "alice");
    store(&here, "Likes coffee");
    let there = user(&other, "alice");
    assert_eq!(texts(&there, "coffee"), ["Likes coffee"]);
}
