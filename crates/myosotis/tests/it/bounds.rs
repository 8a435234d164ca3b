//! MEM-8, MEM-9: what is kept is bounded, and the bound is kept in the same transaction.

use myosotis::{Kind, Limits, ListRequest, Origin, Refusal, Remember, Remembered, Source, UserMemory};

use crate::kit::{builder, store, user};

fn with(limits: Limits) -> UserMemory {
    user(&builder().limits(limits).in_memory().unwrap(), "alice")
}

fn extracted(text: &str, importance: f64) -> Remember {
    let source = Source { origin: Origin::Extracted, ..Source::default() };
    Remember::new(text).source(source).importance(importance)
}

fn texts_of(memory: &UserMemory) -> Vec<String> {
    let mut texts: Vec<String> =
        memory.list(&ListRequest::default()).unwrap().into_iter().map(|item| item.text).collect();
    texts.sort();
    texts
}

#[test]
fn the_weakest_goes_first_and_pinned_and_asked_for_stay() {
    // MEM-8
    let alice = with(Limits { max_items: 4, ..Limits::default() });
    let pinned = alice.remember(extracted("Alpha river", 0.0)).unwrap().id().unwrap();
    alice.pin(pinned, true).unwrap();
    alice.remember(Remember::new("Bravo mountain").importance(0.0)).unwrap(); // asked for
    alice.remember(extracted("Charlie window", 0.1)).unwrap();
    alice.remember(extracted("Delta guitar", 0.9)).unwrap();
    alice.remember(extracted("Echo lantern", 0.5)).unwrap();
    assert_eq!(texts_of(&alice), ["Alpha river", "Bravo mountain", "Delta guitar", "Echo lantern"]);
    alice.remember(extracted("Foxtrot pepper", 0.0)).unwrap(); // just written: stays
    assert_eq!(texts_of(&alice), ["Alpha river", "Bravo mountain", "Delta guitar", "Foxtrot pepper"]);
}

#[test]
fn a_batch_over_the_cap_ends_at_the_cap() {
    // MEM-8
    let alice = with(Limits { max_items: 10, ..Limits::default() });
    let words = ["river", "mountain", "window", "guitar", "lantern"];
    let batch = (0..50).map(|n| Remember::new(format!("Entry {n} about the {} of house {}", words[n % 5], n * 7)));
    alice.remember_all(batch.collect()).unwrap();
    assert_eq!(texts_of(&alice).len(), 10);
}

#[test]
fn messages_are_counted_apart() {
    // MEM-8
    let alice = with(Limits { max_items: 2, max_messages: 100, ..Limits::default() });
    store(&alice, "Likes tea");
    store(&alice, "Plays chess");
    let turns = (0..150).map(|n| {
        let source = Source { message: Some(format!("m{n}")), ..Source::default() };
        Remember::new(format!("turn {n}")).kind(Kind::Message).source(source)
    });
    alice.remember_all(turns.collect()).unwrap();
    let items = alice.list(&ListRequest::default()).unwrap();
    let messages = items.iter().filter(|item| item.kind == Kind::Message).count();
    assert_eq!(items.len() - messages, 2);
    assert_eq!(messages, 100);
}

#[test]
fn a_users_total_is_bounded_with_a_clear_answer() {
    // MEM-9
    let alice = with(Limits { max_user_items: 2, ..Limits::default() });
    store(&alice, "Likes tea");
    store(&alice, "Plays chess");
    let outcome = alice.remember(Remember::new("Has a dog")).unwrap();
    let Remembered::Refused { reason: reason @ Refusal::OverQuota { limit: 2, .. } } = outcome else {
        panic!("{outcome:?}")
    };
    assert!(reason.to_string().contains("limit of 2"));
    assert!(matches!(
        alice.remember(Remember::new("Likes tea")).unwrap(),
        Remembered::Refused { .. } | Remembered::Unchanged { .. }
    ));
}

#[test]
fn importing_more_than_the_cap_comes_to_rest() {
    // MEM-7, MEM-8: the second time nothing changes, and what does not fit is said.
    for kind in [Kind::Message, Kind::Fact] {
        let alice = with(Limits { max_items: 20, max_messages: 20, ..Limits::default() });
        let import = || {
            let turns = (0..60).map(|n| {
                let source = Source { origin: Origin::Imported, message: Some(format!("m{n}")), ..Source::default() };
                let words = ["river", "mountain", "window", "guitar", "lantern", "pepper"];
                let said =
                    crate::kit::time("2024-01-01").checked_add(jiff::SignedDuration::from_hours(n * 24)).unwrap();
                let text = format!("Entry {} about the {} of house {}", n * 13, words[(n % 6) as usize], n * 7);
                Remember::new(text).kind(kind).source(source).created(Some(said))
            });
            alice.remember_all(turns.collect()).unwrap()
        };
        import();
        let before = texts_of(&alice);
        assert_eq!(before.len(), 20, "{kind}");
        let again = import();
        assert_eq!(texts_of(&alice), before, "{kind}");
        let refused =
            again.iter().filter(|outcome| matches!(outcome, Remembered::Refused { reason: Refusal::OverCap { .. } }));
        assert_eq!(refused.count(), 40, "{kind}");
    }
}
