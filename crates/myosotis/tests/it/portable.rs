//! ERA-7: what goes out comes back without loss.

use myosotis::{Engine, Item, ListRequest, Remember, Remembered, Scope, State, UserMemory, Workspace};

use crate::kit::{builder, engine, store, texts, user};

fn export(memory: &UserMemory) -> Vec<Item> {
    let mut bytes = Vec::new();
    memory.export(&mut bytes).unwrap();
    let lines = String::from_utf8(bytes).unwrap();
    let lines: Vec<myosotis::ExportLine> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let items = lines.into_iter().filter_map(|line| match line {
        myosotis::ExportLine::Memory(item) => Some(*item),
        _ => None,
    });
    let mut items: Vec<Item> = items.collect();
    items.sort_by_key(|item| item.id);
    items
}

fn filled(engine: &Engine) -> UserMemory {
    let alice = user(engine, "alice");
    let work = Scope { workspace: Some(Workspace::new("work").unwrap()), ..Scope::default() };
    alice.remember(Remember::new("Works at Acme").slot("employer")).unwrap();
    alice.remember(Remember::new("Works at Globex").slot("employer").importance(0.7)).unwrap();
    let tea = store(&alice, "Likes tea");
    alice.pin(tea, true).unwrap();
    let edited = store(&alice, "Plays the violin");
    alice.edit(edited, &myosotis::Edit { text: Some("Plays the cello".into()), ..Default::default() }).unwrap();
    alice.remember(Remember::new("The budget is 20,000").scope(work)).unwrap();
    alice
}

#[test]
fn an_export_restored_elsewhere_is_the_same() {
    let alice = filled(&engine());
    let items = export(&alice);
    assert_eq!(items.iter().filter(|item| item.state == State::Superseded).count(), 2);
    let elsewhere = engine();
    let again = user(&elsewhere, "alice");
    again.restore(items.clone()).unwrap();
    assert_eq!(export(&again), items);
    assert_eq!(texts(&again, "where does she work?")[0], "Works at Globex");
}

#[test]
fn restoring_twice_or_over_what_is_there_changes_nothing() {
    let alice = filled(&engine());
    let items = export(&alice);
    let outcomes = alice.restore(items.clone()).unwrap();
    assert!(outcomes.iter().all(|outcome| matches!(outcome, Remembered::Unchanged { .. })), "{outcomes:?}");
    assert_eq!(export(&alice), items);
}

#[test]
fn an_old_export_does_not_bring_back_what_was_forgotten() {
    // MEM-12
    let alice = filled(&engine());
    let items = export(&alice);
    let tea = items.iter().find(|item| item.text == "Likes tea").unwrap().id;
    alice.forget(tea).unwrap();
    alice.restore(items).unwrap();
    assert!(texts(&alice, "tea").is_empty());
    assert!(alice.list(&ListRequest::default()).unwrap().iter().all(|item| item.text != "Likes tea"));
}

#[test]
fn restoring_needs_consent() {
    // OPT-1
    let items = export(&filled(&engine()));
    let elsewhere = builder().in_memory().unwrap();
    let bob = elsewhere.user(myosotis::UserId::new("bob").unwrap());
    assert!(bob.restore(items).unwrap().iter().all(|outcome| matches!(outcome, Remembered::Refused { .. })));
}
