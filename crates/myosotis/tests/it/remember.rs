//! MEM: what is stored, what is refused, and what is the same.

use myosotis::{Error, Importance, Kind, ListRequest, Origin, Refusal, Remember, Remembered, Source};

use crate::kit::{alice, recall, store, time};

fn stored(memory: &myosotis::UserMemory) -> usize {
    memory.list(&ListRequest::default()).unwrap().len()
}

#[test]
fn the_same_text_twice_is_one_memory() {
    // MEM-7, case 3
    let alice = alice();
    let id = store(&alice, "Likes green tea");
    for again in ["Likes green tea", "  likes   GREEN tea. ", "Likes green tea\n"] {
        assert_eq!(alice.remember(Remember::new(again)).unwrap(), Remembered::Unchanged { id }, "{again:?}");
    }
    let imported = Remember::new("likes green tea").source(Source { origin: Origin::Imported, ..Source::default() });
    assert_eq!(alice.remember(imported).unwrap(), Remembered::Unchanged { id });
    assert_eq!(stored(&alice), 1);
}

#[test]
fn a_near_duplicate_refreshes_the_survivor() {
    // MEM-5
    let alice = alice();
    let id = store(&alice, "She really likes green tea");
    assert_eq!(alice.remember(Remember::new("She really likes the green tea")).unwrap(), Remembered::Unchanged { id });
    assert_eq!(alice.get(id).unwrap().support, 2);
    assert_eq!(stored(&alice), 1);
}

#[test]
fn a_negation_number_date_or_name_makes_another_memory() {
    // MEM-5, case 9
    for (one, other) in [
        ("likes tea", "dislikes tea"),
        ("She is allergic to nuts", "She is not allergic to nuts"),
        ("She has two cats", "She has three cats"),
        ("The meeting is on Monday", "The meeting is on Tuesday"),
        ("Her brother is called Tom", "Her brother is called Tim"),
        ("The flight leaves on 3 May", "The flight leaves on 4 May"),
        ("我叫李国宇", "我叫李国华"),
        ("Она любит кошек", "Она не любит кошек"),
    ] {
        let alice = alice();
        store(&alice, one);
        store(&alice, other);
        assert_eq!(stored(&alice), 2, "{one:?} and {other:?}");
    }
}

#[test]
fn text_is_cleaned_and_kept_as_written() {
    // MEM-4, case 4
    let alice = alice();
    let id = store(&alice, "  我叫李国宇，\u{202e}在字节跳动工作\t\u{7} ");
    assert_eq!(alice.get(id).unwrap().text, "我叫李国宇，在字节跳动工作");
}

#[test]
fn too_long_or_empty_is_refused_and_nothing_is_cut() {
    // MEM-4, MEM-10
    let alice = alice();
    let outcome = |kind: Kind, chars: usize| alice.remember(Remember::new("é".repeat(chars)).kind(kind)).unwrap();
    for (kind, limit) in [(Kind::Fact, 300), (Kind::Rule, 200), (Kind::Episode, 720)] {
        assert!(matches!(outcome(kind, limit), Remembered::Stored { .. }), "{kind}");
        let refused = outcome(kind, limit + 1);
        assert_eq!(refused, Remembered::Refused { reason: Refusal::TooLong { chars: limit + 1, limit } });
        alice.clear(&Default::default()).unwrap();
    }
    for empty in ["", "   ", "\n\t", "\u{200b}\u{200b}", "\u{0}"] {
        assert_eq!(alice.remember(Remember::new(empty)).unwrap(), Remembered::Refused { reason: Refusal::Empty });
    }
    assert_eq!(stored(&alice), 0);
}

#[test]
fn a_long_message_is_kept_in_linked_parts() {
    // MEM-4
    let alice = alice();
    let words: Vec<String> = (0..2_000).map(|n| format!("word{n}")).collect();
    let source = Source { message: Some("m1".into()), session: Some("s1".into()), ..Source::default() };
    let outcome = alice.remember(Remember::new(words.join(" ")).kind(Kind::Message).source(source)).unwrap();
    let Remembered::Stored { parts, .. } = outcome else { panic!("{outcome:?}") };
    let mut items = alice.list(&ListRequest::default()).unwrap();
    assert_eq!(items.len(), parts.len() + 1);
    items.sort_by_key(|item| item.source.part);
    let whole: Vec<&str> = items.iter().flat_map(|item| item.text.split(' ')).collect();
    assert_eq!(whole, words);
    assert!(items.iter().all(|item| item.text.chars().count() <= 4_000));
    // Recall gives the message once, by its best part.
    assert_eq!(recall(&alice, "word1999").len(), 1);
}

#[test]
fn turns_repeat_by_their_source_and_not_by_their_words() {
    // MEM-7
    let alice = alice();
    let turn = |message: &str, text: &str| {
        let source = Source { origin: Origin::Imported, message: Some(message.into()), ..Source::default() };
        alice.remember(Remember::new(text).kind(Kind::Message).source(source)).unwrap()
    };
    assert!(matches!(turn("m1", "Thanks!"), Remembered::Stored { .. }));
    assert!(matches!(turn("m2", "Thanks!"), Remembered::Stored { .. }));
    assert!(matches!(turn("m1", "Thanks!"), Remembered::Unchanged { .. }));
}

#[test]
fn importance_is_always_a_number_from_0_to_1() {
    // MEM-3
    let cases =
        [(f64::NAN, 0.5), (f64::INFINITY, 0.5), (f64::NEG_INFINITY, 0.5), (-3.0, 0.0), (1e300, 1.0), (0.25, 0.25)];
    for (given, kept) in cases {
        assert_eq!(Importance::new(given).get(), kept);
    }
}

#[test]
fn an_edit_keeps_the_id_and_the_former_text() {
    // MEM-11
    let alice = alice();
    let id = store(&alice, "Works at Acme");
    let edit = myosotis::Edit { text: Some("Works at Globex".into()), importance: Some(0.9), ..Default::default() };
    let after = alice.edit(id, &edit).unwrap();
    assert_eq!((after.id, after.text.as_str(), after.importance.get()), (id, "Works at Globex", 0.9));
    let history: Vec<String> = alice.history(id).unwrap().into_iter().map(|item| item.text).collect();
    assert_eq!(history, ["Works at Globex", "Works at Acme"]);
    assert_eq!(crate::kit::texts(&alice, "where does she work? Globex"), ["Works at Globex"]);
    assert!(crate::kit::texts(&alice, "Acme").is_empty());
}

#[test]
fn an_edit_into_another_memory_changes_nothing() {
    let alice = alice();
    let tea = store(&alice, "Likes tea");
    store(&alice, "Likes coffee");
    let edit = myosotis::Edit { text: Some("likes coffee".into()), ..Default::default() };
    assert!(matches!(alice.edit(tea, &edit), Err(Error::Invalid { field: "text", .. })));
    assert_eq!(alice.get(tea).unwrap().text, "Likes tea");
}

#[test]
fn an_imported_memory_keeps_its_times() {
    // MEM-13
    let alice = alice();
    let source = Source { origin: Origin::Imported, ..Source::default() };
    let import = |text: &str, created| {
        let memory = Remember::new(text).source(source.clone()).created(created);
        let id = alice.remember(memory).unwrap().id().unwrap();
        alice.get(id).unwrap().created
    };
    assert_eq!(import("Moved to Lisbon", Some(time("2019-03-01"))), Some(time("2019-03-01")));
    assert_eq!(import("Has a bicycle", None), None);
    assert_eq!(import("Will retire", Some(time("2199-01-01"))), Some(time("2024-06-01")));
}

#[test]
fn two_messages_with_one_id_are_a_conflict_and_not_the_same() {
    // MEM-10
    let alice = alice();
    let turn = |text: &str| {
        let source = Source { origin: Origin::Imported, message: Some("m1".into()), ..Source::default() };
        alice.remember(Remember::new(text).kind(Kind::Message).source(source)).unwrap()
    };
    let id = turn("The gate is blue").id().unwrap();
    assert_eq!(turn("The gate is red now"), Remembered::Refused { reason: Refusal::Conflict { with: id } });
    assert_eq!(turn("The gate is blue"), Remembered::Unchanged { id });
}
