//! The index's invariants: the same whatever way it came about, and true to what it was told.

use proptest::prelude::*;

use super::*;
use crate::item::{Origin, Role, Source, State};
use crate::recall::{Query, Ranked, search};

const DIMS: usize = 8;
const DAY: i64 = 86_400_000;

fn id(number: u8) -> MemoryId {
    MemoryId::from_parts(1_000, [number; 10])
}

/// A fact with that number and text; its vector points somewhere that the number decides.
fn fact(number: u8, text: &str) -> Entry {
    Entry {
        id: id(number),
        kind: Kind::Fact,
        state: State::Live,
        text: text.into(),
        slot: None,
        source: Source::default(),
        importance: 0.5,
        support: 1,
        stored: 0,
        created: Some(i64::from(number) * DAY),
        event: None,
        valid_from: None,
        valid_to: None,
        accessed: None,
        pinned: false,
        lineage: id(number),
        tag: None,
        vectors: (0..DIMS)
            .map(|at| f32::from(number.wrapping_mul((at as u8).wrapping_mul(37).wrapping_add(11))) / 128.0 - 0.9)
            .collect(),
    }
}

const WORDS: [&str; 14] = [
    "tea",
    "Lisbon",
    "sister",
    "moved?",
    "cats",
    "running",
    "yesterday",
    "May",
    "Anna",
    "猫が好き",
    "München",
    "code-42",
    "gern",
    "nicht",
];

fn any_entry() -> impl Strategy<Value = Entry> {
    let words = prop::collection::vec(0..WORDS.len(), 0..90);
    let place = (0..4_u8, 0..3_u8, prop::option::of(0..20_u32), any::<bool>());
    let rest = (0..6_u8, 0..3_u8, prop::option::of(0..100_i64), any::<bool>(), 0..2_u32);
    (0..24_u8, words, place, rest).prop_map(|(number, words, (session, speaker, position, user), rest)| {
        let (kind, state, day, vector, part) = rest;
        let text = words.into_iter().map(|word| WORDS[word]).collect::<Vec<_>>().join(" ");
        let kind = if kind < 4 { Kind::Message } else { Kind::Fact };
        let mut entry = fact(number, &text);
        if !vector {
            entry.vectors.clear();
        }
        entry.state = [State::Live, State::Live, State::Superseded][usize::from(state)];
        entry.slot = (number % 7 == 0).then(|| Slot::normalise("city")).flatten();
        entry.source = Source {
            role: if user { Role::User } else { Role::Assistant },
            speaker: (speaker > 0).then(|| ["Anna", "Bob"][usize::from(speaker) - 1].into()),
            session: (session > 0).then(|| format!("s{session}")),
            message: Some(format!("m{}", number / 2)),
            position,
            part,
            ..Source::default()
        };
        Entry { kind, created: day.map(|day| day * DAY), ..entry }
    })
}

#[derive(Debug, Clone)]
enum Step {
    Put(Box<Entry>),
    Remove(u8),
    Touch(u8, i64),
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => any_entry().prop_map(|entry| Step::Put(Box::new(entry))),
        3 => (0..24_u8).prop_map(Step::Remove),
        1 => (0..24_u8, 0..100_i64).prop_map(|(number, day)| Step::Touch(number, day * DAY)),
    ]
}

fn ask(index: &ScopeIndex, text: &str, vector: bool) -> Ranked {
    let unit: Vec<f32> = fact(5, "").vectors;
    let mut query = Query::new(text, 100 * DAY);
    query.vector = vector.then_some(&unit);
    query.k = 50;
    query.explain = true;
    search(&[index], &query)
}

proptest! {
    #[test]
    fn an_index_is_the_same_whatever_way_it_came_about(steps in prop::collection::vec(any_step(), 1..60)) {
        // REC-5
        let mut index = ScopeIndex::new(DIMS);
        let mut model = std::collections::BTreeMap::new();
        for step in steps {
            match step {
                Step::Put(entry) => {
                    model.insert(entry.id, (*entry).clone());
                    index.put(*entry);
                }
                Step::Remove(number) => {
                    prop_assert_eq!(index.remove(id(number)), model.remove(&id(number)).is_some());
                }
                Step::Touch(number, at) => {
                    index.touch(id(number), at);
                    if let Some(entry) = model.get_mut(&id(number)) {
                        entry.accessed = entry.accessed.max(Some(at));
                    }
                }
            }
        }
        let fresh = ScopeIndex::build(DIMS, model.values().rev().cloned());
        prop_assert_eq!(index.len(), model.len());
        prop_assert_eq!(index.counts(), fresh.counts());
        let unseen = model.values().filter(|entry| entry.state == State::Live && entry.vectors.is_empty()).count();
        prop_assert_eq!(index.counts().without_vectors, unseen);
        let mut ranks: Vec<_> = model.values().filter(|e| e.id != id(1)).filter_map(|e| e.keep_rank(100 * DAY)).collect();
        ranks.sort();
        ranks.truncate(5);
        prop_assert_eq!(index.weakest(100 * DAY, 5, id(1)), ranks);
        prop_assert_eq!(index.languages(), fresh.languages());
        for question in ["Where did Anna's sister move?", "tea cats", "when in May", "猫", "Muenchen", "code-42", "", "the"] {
            for vector in [true, false] {
                prop_assert_eq!(ask(&index, question, vector), ask(&fresh, question, vector), "{}", question);
            }
        }
        let city = Slot::normalise("city").unwrap();
        prop_assert_eq!(index.by_slot(&city), fresh.by_slot(&city));
        prop_assert_eq!(index.weakest(100 * DAY, 5, id(1)), fresh.weakest(100 * DAY, 5, id(1)));
        prop_assert_eq!(index.near(&fact(5, "").vectors, Kind::Fact, -1.0), fresh.near(&fact(5, "").vectors, Kind::Fact, -1.0));
        prop_assert!(fresh.bytes() > 0);
    }

    #[test]
    fn an_entry_comes_back_as_it_was(entry in any_entry()) {
        let mut index = ScopeIndex::new(DIMS);
        index.put(entry.clone());
        let back = index.get(entry.id).unwrap().to_entry();
        prop_assert_eq!(back.vectors.len(), entry.vectors.len());
        prop_assert_eq!(
            Entry { vectors: Vec::new(), ..back },
            Entry { vectors: Vec::new(), valid_from: entry.valid_from.or(entry.created), ..entry }
        );
    }
}

#[test]
fn an_emptied_index_holds_nothing() {
    let mut index = ScopeIndex::new(DIMS);
    for number in 0..50 {
        index.put(fact(number, "Anna likes tea and code-42 in München"));
    }
    for number in 0..50 {
        assert!(index.remove(id(number)));
        assert!(!index.remove(id(number)));
    }
    assert!(index.is_empty());
    assert_eq!(index.iter().count(), 0);
    assert_eq!(index.passages().in_use(), 0);
    assert_eq!(index.passages().total_words(), 0);
    assert!(crate::words::analyse("Anna tea").words.iter().all(|term| index.postings(*term).is_empty()));
}

#[test]
fn near_finds_the_live_of_a_kind_best_first() {
    // MEM-5
    let along = |x: f32, y: f32| vec![x, y];
    let mut index = ScopeIndex::new(2);
    let of = |number: u8, kind, state, vectors| Entry { kind, state, vectors, ..fact(number, "a") };
    index.put(of(1, Kind::Fact, State::Live, along(1.0, 0.1)));
    index.put(of(2, Kind::Fact, State::Live, along(2.0, 0.0)));
    index.put(of(3, Kind::Fact, State::Superseded, along(1.0, 0.0)));
    index.put(of(4, Kind::Preference, State::Live, along(1.0, 0.0)));
    index.put(of(5, Kind::Fact, State::Live, along(0.0, 1.0)));
    let near: Vec<_> = index.near(&[3.0, 0.0], Kind::Fact, 0.92).into_iter().map(|(id, _)| id).collect();
    assert_eq!(near, [id(2), id(1)]);
    assert!(index.near(&[1.0], Kind::Fact, 0.0).is_empty());
}

#[test]
fn the_weakest_go_first_but_never_the_pinned_or_the_new() {
    // MEM-8
    let with = |number: u8, importance: f32, origin, pinned| {
        let source = Source { origin, ..Source::default() };
        Entry { importance, pinned, source, created: Some(0), ..fact(number, "a") }
    };
    let mut index = ScopeIndex::new(DIMS);
    index.put(with(1, 0.9, Origin::Extracted, false));
    index.put(with(2, 0.1, Origin::Extracted, false));
    index.put(with(3, 0.0, Origin::Extracted, true));
    index.put(with(4, 0.0, Origin::Asked, false));
    index.put(with(5, 0.0, Origin::Extracted, false));
    index.put(Entry { kind: Kind::Message, ..with(6, 0.0, Origin::Extracted, false) });
    let weakest = |index: &ScopeIndex, now: i64, over: usize| {
        index.weakest(now, over, id(5)).iter().map(KeepRank::id).collect::<Vec<_>>()
    };
    assert_eq!(weakest(&index, DAY, 9), [id(2), id(1), id(4)]);
    assert_eq!(weakest(&index, DAY, 1), [id(2)]);
    assert!(weakest(&index, DAY, 0).is_empty());
    // Recalled lately is not weak.
    index.touch(id(2), 400 * DAY);
    assert_eq!(weakest(&index, 400 * DAY, 1), [id(1)]);
}

#[test]
fn the_newest_live_value_of_a_slot_is_its_value() {
    // MEM-6
    let slot = Slot::normalise("employer").unwrap();
    let value = |number: u8, state| Entry { slot: Some(slot.clone()), state, ..fact(number, "works somewhere") };
    let mut index = ScopeIndex::new(DIMS);
    index.put(value(3, State::Superseded));
    index.put(value(1, State::Live));
    index.put(value(2, State::Live));
    assert_eq!(index.by_slot(&slot), Some(id(2)));
    index.remove(id(2));
    assert_eq!(index.by_slot(&slot), Some(id(1)));
    index.remove(id(1));
    assert_eq!(index.by_slot(&slot), None);
}

#[test]
fn what_it_says_it_weighs_grows_with_what_it_holds() {
    let small = ScopeIndex::build(384, (0..10).map(|n| Entry { vectors: vec![1.0; 384], ..fact(n, "Anna likes tea") }));
    let large =
        ScopeIndex::build(384, (0..200).map(|n| Entry { vectors: vec![1.0; 384], ..fact(n, "Anna likes tea") }));
    assert!(large.bytes() > small.bytes() + 190 * 384 * 4);
    assert!(large.bytes() < 200 * 2_253);
}
