//! REC-10: questions about a time, and what happened when.

use jiff::tz::TimeZone;
use myosotis::{Kind, Origin, RecallRequest, Remember, Source};

use crate::kit::{alice, time};

#[test]
fn yesterday_is_the_day_before_it_was_said() {
    // case 8
    let alice = alice();
    let source = Source { origin: Origin::Imported, ..Source::default() };
    let memory = Remember::new("Yesterday I went to the store").source(source).created(Some(time("2023-05-07")));
    let id = alice.remember(memory).unwrap().id().unwrap();
    let event = alice.get(id).unwrap().event.unwrap();
    assert_eq!(event.start, time("2023-05-06T00:00:00Z"));
    assert_eq!(event.end, time("2023-05-07T00:00:00Z"));
}

#[test]
fn yesterday_in_a_question_is_the_users_yesterday() {
    // REC-10, case 8: 2024-03-10 01:00 in Tokyo is still the 9th in UTC.
    let alice = alice();
    let store = |text: &str, at: &str| {
        let source = Source { origin: Origin::Imported, ..Source::default() };
        let memory = Remember::new(text).kind(Kind::Message).source(source).created(Some(time(at)));
        alice.remember(memory).unwrap();
    };
    store("Walked the dog at the river in the first minute", "2024-03-08T15:01:00Z"); // 00:01 on the 9th
    store("Walked the dog at the river in the last minute", "2024-03-09T14:59:00Z"); // 23:59 on the 9th
    store("Walked the dog at the river after midnight", "2024-03-09T15:01:00Z"); // 00:01 on the 10th
    store("Walked the dog at the river long before", "2024-02-01T10:00:00Z");
    let request = RecallRequest::new("when did I walk the dog at the river yesterday?")
        .at(Some(time("2024-03-09T16:00:00Z")))
        .time_zone(TimeZone::get("Asia/Tokyo").unwrap())
        .k(2)
        .unwrap();
    let mut found: Vec<String> = alice.recall(&request).unwrap().items.into_iter().map(|item| item.text).collect();
    found.sort();
    assert_eq!(
        found,
        ["Walked the dog at the river in the first minute", "Walked the dog at the river in the last minute"]
    );
}

#[test]
fn a_month_in_the_question_favours_what_happened_then() {
    // REC-10
    let alice = alice();
    for (text, said) in [
        ("We went to the concert with Mia", "2023-05-20"),
        ("We went to the concert with Tom", "2023-09-20"),
        ("We went to the concert with Ada", "2024-01-20"),
    ] {
        alice.remember(Remember::new(text).created(Some(time(said)))).unwrap();
    }
    for (query, answer) in [
        ("who came to the concert in May 2023?", "We went to the concert with Mia"),
        ("who came to the concert in September 2023?", "We went to the concert with Tom"),
        ("wer kam im Januar 2024 ins concert?", "We went to the concert with Ada"),
    ] {
        let found = alice.recall(&RecallRequest::new(query)).unwrap().items;
        assert_eq!(found[0].text, answer, "{query}");
    }
}

#[test]
fn the_newer_of_two_equal_facts_comes_first() {
    // REC-2
    let alice = alice();
    for (text, said) in
        [("The meeting room is on floor 3", "2023-01-01"), ("The meeting room is on floor 5", "2024-05-30")]
    {
        alice.remember(Remember::new(text).created(Some(time(said)))).unwrap();
    }
    let found = alice.recall(&RecallRequest::new("where is the meeting room?")).unwrap().items;
    assert_eq!(found[0].text, "The meeting room is on floor 5");
}

#[test]
fn a_question_that_names_only_a_time_is_answered_by_what_lies_in_it() {
    // REC-10, case 8
    for embedder in [true, false] {
        let builder = crate::kit::builder();
        let engine = if embedder { builder } else { builder.without_embedder() }.in_memory().unwrap();
        let alice = crate::kit::user(&engine, "alice");
        for (text, said) in [
            ("Bought bread at the bakery", "2023-05-06T00:01:00+02:00"),
            ("Returned a book to the library", "2023-05-06T23:59:00+02:00"),
            ("Saw the museum by night", "2023-05-07T00:01:00+02:00"),
            ("Planted roses", "2023-03-05T10:00:00+02:00"),
            ("Planted oaks", "2022-05-10T10:00:00+02:00"),
        ] {
            alice.remember(Remember::new(text).created(Some(time(said)))).unwrap();
        }
        let ask = |query: &str| {
            let request = RecallRequest::new(query)
                .at(Some(time("2023-05-07T12:00:00Z")))
                .time_zone(TimeZone::get("Europe/Berlin").unwrap());
            let mut found: Vec<String> =
                alice.recall(&request).unwrap().items.into_iter().map(|item| item.text).collect();
            found.sort();
            found
        };
        for query in [
            "What did I do yesterday?",
            "what happened yesterday?",
            "yesterday",
            "was habe ich gestern gemacht?",
            "on 2023-05-06?",
        ] {
            assert_eq!(ask(query), ["Bought bread at the bakery", "Returned a book to the library"], "{query}");
        }
        assert_eq!(ask("What happened last year?"), ["Planted oaks"]);
        assert_eq!(ask("what did we do in March 2023"), ["Planted roses"]);
    }
}
