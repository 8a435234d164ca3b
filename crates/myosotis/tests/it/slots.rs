//! MEM-6: one current value a slot, its past kept.

use std::sync::Arc;

use myosotis::{Engine, Origin, RecallRequest, Remember, Remembered, Source, State, UserMemory};

use crate::kit::{HandClock, builder, recall, time, user};

fn at(clock: &Arc<HandClock>) -> (Engine, UserMemory) {
    let engine = builder().clock(clock.clone()).in_memory().unwrap();
    let alice = user(&engine, "alice");
    (engine, alice)
}

fn say(memory: &UserMemory, text: &str, slot: &str) -> Remembered {
    memory.remember(Remember::new(text).slot(slot)).unwrap()
}

#[test]
fn the_newest_value_is_current_and_the_old_one_is_history() {
    // MEM-6
    let clock = HandClock::at("2024-01-10");
    let (_engine, alice) = at(&clock);
    let acme = say(&alice, "I work at Acme", "employer").id().unwrap();
    clock.set("2024-04-10");
    let globex = say(&alice, "I now work at Globex", "Employer");
    assert!(matches!(globex, Remembered::Updated { superseded, .. } if superseded == acme));
    let found = recall(&alice, "where do I work?");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].text.as_str(), found[0].current), ("I now work at Globex", true));
    let past = alice.recall(&RecallRequest::new("where do I work?").as_of(Some(time("2024-02-01")))).unwrap().items;
    assert_eq!((past[0].text.as_str(), past[0].current), ("I work at Acme", false));
    let before = alice.recall(&RecallRequest::new("where do I work?").as_of(Some(time("2023-02-01")))).unwrap().items;
    assert!(before.is_empty());
}

#[test]
fn five_past_values_are_kept() {
    // MEM-6
    let clock = HandClock::at("2024-01-01");
    let (_engine, alice) = at(&clock);
    for month in 1..=8 {
        clock.set(&format!("2024-{month:02}-01"));
        say(&alice, &format!("Lives in city number {month}"), "home city");
    }
    let items = alice.list(&Default::default()).unwrap();
    assert_eq!(items.len(), 1);
    let history: Vec<String> = alice.history(items[0].id).unwrap().into_iter().map(|item| item.text).collect();
    let expected: Vec<String> = [8, 7, 6, 5, 4, 3].map(|n| format!("Lives in city number {n}")).into();
    assert_eq!(history, expected);
}

#[test]
fn an_old_chat_imported_later_does_not_become_the_current_value() {
    // MEM-6, MEM-13
    let clock = HandClock::at("2024-05-01");
    let (_engine, alice) = at(&clock);
    say(&alice, "I work at Globex", "employer");
    let old = |text: &str, said: &str| {
        let source = Source { origin: Origin::Imported, ..Source::default() };
        alice.remember(Remember::new(text).slot("employer").source(source).created(Some(time(said)))).unwrap();
    };
    old("I work at Initech", "2021-03-01");
    old("I work at Acme", "2020-01-01");
    let found = recall(&alice, "where do I work?");
    assert_eq!(found[0].text, "I work at Globex");
    assert_eq!(found.len(), 1);
    let as_of = |moment: &str| {
        let request = RecallRequest::new("where do I work?").as_of(Some(time(moment)));
        alice.recall(&request).unwrap().items.first().map(|item| item.text.clone())
    };
    assert_eq!(as_of("2020-06-01").as_deref(), Some("I work at Acme"));
    assert_eq!(as_of("2022-06-01").as_deref(), Some("I work at Initech"));
    assert_eq!(as_of("2024-05-02").as_deref(), Some("I work at Globex"));
}

#[test]
fn a_clock_that_jumps_back_does_not_bring_the_old_value_back() {
    // Must show 8
    let clock = HandClock::at("2024-05-01");
    let (_engine, alice) = at(&clock);
    say(&alice, "My name is Alice", "name");
    clock.set("2024-04-01");
    say(&alice, "My name is Bob", "name");
    assert_eq!(recall(&alice, "what is my name?")[0].text, "My name is Bob");
    let items = alice.list(&Default::default()).unwrap();
    assert_eq!(items.len(), 1);
    let history = alice.history(items[0].id).unwrap();
    assert_eq!(history.iter().map(|item| item.state).collect::<Vec<_>>(), [State::Live, State::Superseded]);
}

#[test]
fn a_value_can_come_back() {
    let clock = HandClock::at("2024-01-01");
    let (_engine, alice) = at(&clock);
    for (month, city) in [(1, "Lisbon"), (2, "Porto"), (3, "Lisbon")] {
        clock.set(&format!("2024-{month:02}-01"));
        say(&alice, &format!("I live in {city}"), "home city");
    }
    assert_eq!(recall(&alice, "where do I live?")[0].text, "I live in Lisbon");
    assert_eq!(alice.list(&Default::default()).unwrap().len(), 1);
}

#[test]
fn a_slot_that_is_nothing_is_dropped() {
    // MEM-6
    let clock = HandClock::at("2024-01-01");
    let (_engine, alice) = at(&clock);
    let id = say(&alice, "Likes tea", " -- ").id().unwrap();
    assert_eq!(alice.get(id).unwrap().slot, None);
    let id = say(&alice, "住在东京", "居住 城市").id().unwrap();
    assert_eq!(alice.get(id).unwrap().slot.unwrap().as_str(), "居住_城市");
}

#[test]
fn forgetting_a_past_value_leaves_the_current_one() {
    // MEM-11
    let clock = HandClock::at("2024-01-01");
    let (_engine, alice) = at(&clock);
    let rome = say(&alice, "I live in Rome", "city").id().unwrap();
    clock.set("2024-02-01");
    let oslo = say(&alice, "I live in Oslo", "city").id().unwrap();
    assert_eq!(alice.forget(rome).unwrap(), 1);
    assert_eq!(alice.get(oslo).unwrap().text, "I live in Oslo");
    assert_eq!(alice.history(oslo).unwrap().len(), 1);
}

#[test]
fn a_value_older_than_all_that_is_kept_is_refused_and_not_called_stored() {
    // MEM-6, MEM-10
    let clock = HandClock::at("2024-01-01");
    let (_engine, alice) = at(&clock);
    let told = |text: &str, said: &str| {
        alice.remember(Remember::new(text).slot("employer").created(Some(time(said)))).unwrap()
    };
    for year in 2010..2016 {
        told(&format!("I work at company number {year}"), &format!("{year}-01-01"));
    }
    let outcome = told("I work at the mill", "1990-01-01");
    assert_eq!(outcome, Remembered::Refused { reason: myosotis::Refusal::TooOld { kept: 5 } });
}

#[test]
fn names_of_slots_that_differ_do_not_meet() {
    // MEM-6
    let clock = HandClock::at("2024-01-01");
    let (_engine, alice) = at(&clock);
    say(&alice, "Writes C++ at work", "C++");
    assert!(matches!(say(&alice, "Writes C# at home", "C#"), Remembered::Stored { .. }));
    let long = |end: char| format!("{}{end}", "s".repeat(64));
    assert!(matches!(say(&alice, "One more", &long('a')), Remembered::Refused { .. }));
}

#[test]
fn looking_into_the_past_does_not_change_what_it_looked_like() {
    // MEM-6, REC-6
    let clock = HandClock::at("2024-01-01");
    let (engine, alice) = at(&clock);
    say(&alice, "I work at Acme", "employer");
    clock.set("2024-06-01");
    say(&alice, "I work at Globex", "employer");
    let then = || {
        let request = RecallRequest::new("where do I work?").as_of(Some(time("2024-02-01")));
        let recall = alice.recall(&request).unwrap();
        engine.flush().unwrap();
        recall.items[0].clone()
    };
    let first = then();
    recall(&alice, "where do I work?");
    assert_eq!(then(), first);
    assert!(first.terms.recency < 0.6, "30 days old at that time");
}
