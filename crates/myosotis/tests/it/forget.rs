//! Forgetting: gone from everywhere, not brought back by old files, nobody else touched.

use std::sync::Arc;

use myosotis::{Error, ListRequest, Origin, RecallRequest, Refusal, Remember, Remembered, Source};

use crate::kit::{HandClock, alice, builder, engine, store, texts, time, user};

#[test]
fn a_forgotten_memory_is_gone_from_everywhere() {
    // MEM-11, case 24
    let alice = alice();
    let id = store(&alice, "Likes jazz");
    store(&alice, "Likes tea");
    assert_eq!(texts(&alice, "jazz"), ["Likes jazz"]);
    alice.forget(id).unwrap();
    assert!(texts(&alice, "jazz").is_empty());
    assert!(matches!(alice.get(id), Err(Error::NotFound(_))));
    assert!(matches!(alice.history(id), Err(Error::NotFound(_))));
    assert!(matches!(alice.forget(id), Err(Error::NotFound(_))));
    assert_eq!(alice.list(&ListRequest::default()).unwrap().len(), 1);
    let mut export = Vec::new();
    alice.export(&mut export).unwrap();
    assert!(!String::from_utf8(export).unwrap().contains("jazz"));
}

#[test]
fn past_values_go_with_the_memory() {
    // MEM-11
    let alice = alice();
    alice.remember(Remember::new("Works at Acme").slot("employer")).unwrap();
    let id = alice.remember(Remember::new("Works at Globex").slot("employer")).unwrap().id().unwrap();
    assert_eq!(alice.forget(id).unwrap(), 2);
    let mut export = Vec::new();
    alice.export(&mut export).unwrap();
    assert!(!String::from_utf8(export).unwrap().contains("Acme"));
}

#[test]
fn an_old_message_does_not_bring_it_back_but_the_user_can() {
    // MEM-12
    let clock = HandClock::at("2024-06-01");
    let engine = builder().clock(clock.clone()).in_memory().unwrap();
    let alice = user(&engine, "alice");
    let import = |created: Option<&str>| {
        let source = Source { origin: Origin::Imported, ..Source::default() };
        alice.remember(Remember::new("likes JAZZ").source(source).created(created.map(time))).unwrap()
    };
    let forgotten = Remembered::Refused { reason: Refusal::Forgotten };
    let id = store(&alice, "Likes jazz");
    alice.forget(id).unwrap();
    clock.set("2024-07-01");
    assert_eq!(import(Some("2024-05-01")), forgotten);
    assert_eq!(import(None), forgotten);
    assert!(matches!(import(Some("2024-06-15")), Remembered::Stored { .. }), "said again later");

    let id = alice.list(&ListRequest::default()).unwrap()[0].id;
    alice.forget(id).unwrap();
    assert!(matches!(alice.remember(Remember::new("Likes jazz")).unwrap(), Remembered::Stored { .. }));
}

#[test]
fn forgetting_by_words_only_proposes() {
    // MEM-11, case 29
    let alice = alice();
    store(&alice, "Likes modern jazz");
    store(&alice, "Plays jazz on Fridays");
    let candidates = alice.forget_candidates("jazz", &Default::default(), 10).unwrap();
    assert_eq!(candidates.len(), 2);
    assert_eq!(alice.list(&ListRequest::default()).unwrap().len(), 2);
}

#[test]
fn erasing_one_user_leaves_the_other_as_they_were() {
    // ERA-2, cases 23 and 27
    let engine = engine();
    let (alice, bob) = (user(&engine, "alice"), user(&engine, "bob"));
    for n in 0..20 {
        store(&alice, &format!("Alice fact number {n}"));
        store(&bob, &format!("Bob fact number {n}"));
    }
    let bobs = |memory: &myosotis::UserMemory| memory.list(&ListRequest::default()).unwrap();
    let before = bobs(&bob);
    let erasure = alice.forget_me().unwrap();
    assert_eq!(erasure.memories["fact"], 20);
    assert!(erasure.key_destroyed);
    assert_eq!(bobs(&bob), before);
    assert!(alice.list(&ListRequest::default()).unwrap().is_empty());
    assert_eq!(alice.consent().unwrap(), None);
    assert!(alice.recall(&RecallRequest::new("fact")).unwrap().off.is_some());
    let again = alice.forget_me().unwrap();
    assert!(again.memories.is_empty());
    // And they can come back as somebody new.
    let alice = user(&engine, "alice");
    assert!(matches!(alice.remember(Remember::new("Alice fact number 1")).unwrap(), Remembered::Stored { .. }));
}

#[test]
fn a_write_that_was_under_way_when_the_user_was_erased_does_not_land() {
    // ERA-2, case 27
    let gate = Arc::new(std::sync::Barrier::new(2));
    let (inside, after) = (gate.clone(), gate.clone());
    let embedder = crate::kit::Scripted::new("gated", 4, move |text: &str| {
        if text.contains("wait") {
            inside.wait(); // the write has begun
            inside.wait(); // the erasure is done
        }
        Ok(vec![1.0, 0.0, 0.0, 0.0])
    });
    let engine = builder().embedder(embedder).in_memory().unwrap();
    let alice = user(&engine, "alice");
    let writer = alice.clone();
    let writing = std::thread::spawn(move || writer.remember(Remember::new("please wait")));
    after.wait();
    alice.forget_me().unwrap();
    after.wait();
    assert!(writing.join().unwrap().is_err());
    assert!(alice.list(&ListRequest::default()).unwrap().is_empty());
}

#[test]
fn clearing_a_scope_leaves_the_others() {
    let alice = alice();
    let work = myosotis::Scope { workspace: Some(myosotis::Workspace::new("work").unwrap()), ..Default::default() };
    store(&alice, "Likes tea");
    alice.remember(Remember::new("The budget is 20,000").scope(work.clone())).unwrap();
    assert_eq!(alice.clear(&work).unwrap(), 1);
    assert_eq!(texts(&alice, "tea budget"), ["Likes tea"]);
}
