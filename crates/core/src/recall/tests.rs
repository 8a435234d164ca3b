//! What recall returns and why, in small scopes one can see through.

use jiff::tz::TimeZone;

use super::*;
use crate::index::{Entry, ScopeIndex};
use crate::item::{Role, Slot, Source, State};

const DAY: i64 = 86_400_000;
const NOW: i64 = 20_000 * DAY;

fn id(number: u8) -> MemoryId {
    MemoryId::from_parts(1_000, [number; 10])
}

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
        stored: NOW,
        created: Some(NOW - 100 * DAY),
        event: None,
        valid_from: None,
        valid_to: None,
        accessed: None,
        pinned: false,
        lineage: id(number),
        tag: None,
        vectors: Vec::new(),
    }
}

fn message(number: u8, session: &str, speaker: Option<&str>, role: Role, text: &str) -> Entry {
    let source = Source {
        role,
        speaker: speaker.map(Into::into),
        session: Some(session.into()),
        position: Some(u32::from(number)),
        ..Source::default()
    };
    Entry { kind: Kind::Message, source, ..fact(number, text) }
}

fn index(entries: impl IntoIterator<Item = Entry>) -> ScopeIndex {
    ScopeIndex::build(2, entries)
}

fn ids(ranked: &Ranked) -> Vec<MemoryId> {
    ranked.hits.iter().map(|hit| hit.id).collect()
}

fn ask(index: &ScopeIndex, text: &str) -> Vec<MemoryId> {
    ids(&search(&[index], &Query::new(text, NOW)))
}

fn facts() -> ScopeIndex {
    index([
        fact(1, "User's sister Julia lives in Lisbon"),
        fact(2, "User prefers green tea over coffee"),
        fact(3, "User has two cats named Miso and Tofu"),
        fact(4, "Ticket XK-4711 is about the login page"),
        fact(5, "我养了一只猫叫咪咪"),
    ])
}

#[test]
fn names_codes_and_rare_words_are_found() {
    // REC-3
    let index = facts();
    assert_eq!(ask(&index, "Where does Julia live?"), [id(1)]);
    assert_eq!(ask(&index, "what is XK-4711"), [id(4)]);
    assert_eq!(ask(&index, "coffee?"), [id(2)]);
    assert_eq!(ask(&index, "咪咪"), [id(5)]);
}

#[test]
fn nothing_relevant_gives_nothing() {
    // REC-4
    let index = facts();
    for question in ["What is the capital of Mongolia?", "who are you", "", "???", "怎么办"] {
        let ranked = search(&[&index], &Query::new(question, NOW));
        assert!(ranked.hits.is_empty(), "{question}: {ranked:?}");
        assert_eq!((ranked.considered, ranked.below_minimum), (5, 5));
    }
}

#[test]
fn a_near_vector_is_enough_and_a_far_one_is_not() {
    // REC-4
    let with = |number: u8, x: f32, y: f32| Entry { vectors: vec![x, y], ..fact(number, "alpha beta") };
    let index = index([with(1, 1.0, 0.05), with(2, 0.2, 1.0)]);
    let mut query = Query::new("unrelated words", NOW);
    query.vector = Some(&[1.0, 0.0]);
    assert_eq!(ids(&search(&[&index], &query)), [id(1)]);
}

#[test]
fn plain_is_the_seeds_formula() {
    // REC-2
    let with = |number: u8, vectors: Vec<f32>, age: i64, importance: f32| Entry {
        vectors,
        importance,
        kind: Kind::Message,
        created: Some(NOW - age * DAY),
        ..fact(number, "anything")
    };
    let index =
        index([with(1, vec![0.6, 0.8], 30, 1.0), with(2, vec![0.8, 0.6], 300, 0.0), with(3, vec![-1.0, 0.0], 0, 1.0)]);
    let mut query = Query::new("was it?", NOW);
    query.vector = Some(&[2.0, 0.0]);
    query.profile = Profile::Plain;
    let ranked = search(&[&index], &query);
    assert_eq!(ids(&ranked), [id(1), id(2)]);
    assert!((ranked.hits[0].score - (0.7 * 0.6 + 0.2 * 0.5 + 0.1)).abs() < 1e-6);
    assert!((ranked.hits[1].score - (0.7 * 0.8 + 0.2 * 0.5_f64.powi(10))).abs() < 1e-6);
}

#[test]
fn the_score_is_the_sum_of_its_terms() {
    // REC-8
    let ranked = search(&[&facts()], &Query::new("Does my sister like green tea now?", NOW));
    assert_eq!(ranked.hits.len(), 2);
    for hit in &ranked.hits {
        let Terms { relevance, recency, recency_gate, importance, .. } = hit.terms;
        let sum = 0.7 * f64::from(relevance) + 0.2 * f64::from(recency * recency_gate) + 0.1 * f64::from(importance);
        assert!((hit.score - sum).abs() < 1e-6);
        assert!((0.0..=1.0).contains(&relevance));
        assert_eq!(hit.terms.recency_gate, 1.0); // facts, not messages
    }
    assert_eq!(ranked.hits[0].terms.relevance, 1.0);
}

#[test]
fn ages_that_make_no_sense_do_no_harm() {
    // MEM-13, REC-2
    let at = |number: u8, created: Option<i64>| Entry { created, kind: Kind::Message, ..fact(number, "likes tea") };
    let index = index([at(1, None), at(2, Some(NOW + 999 * DAY)), at(3, Some(i64::MIN + 1)), at(4, Some(i64::MAX))]);
    let ranked = search(&[&index], &Query::new("tea", NOW));
    let recency = |number: u8| ranked.hits.iter().find(|hit| hit.id == id(number)).map(|hit| hit.terms.recency);
    assert_eq!((recency(1), recency(2), recency(3), recency(4)), (Some(0.0), Some(1.0), Some(0.0), Some(1.0)));
}

#[test]
fn ties_go_to_the_later_id_whatever_the_order_of_entry() {
    // REC-5
    let same = |number: u8| Entry { kind: Kind::Message, ..fact(number, "likes tea") };
    let one = index([same(1), same(2), same(3)]);
    let other = index([same(3), same(1), same(2)]);
    assert_eq!(ask(&one, "tea"), [id(3), id(2), id(1)]);
    assert_eq!(ask(&other, "tea"), ask(&one, "tea"));
}

#[test]
fn filters_act_before_ranking() {
    // ID-6, REC-2: what may not be returned does not set the scale either.
    let mut entries = vec![fact(1, "tea with milk and sugar and a long list of other things to drink with it")];
    entries.extend((2..200).map(|number| Entry { state: State::Quarantined, ..fact(number, "tea tea tea") }));
    entries.push(Entry { kind: Kind::Rule, ..fact(201, "tea") });
    let index = index(entries);
    let mut query = Query::new("tea", NOW);
    query.kinds = Kinds::of(&[Kind::Fact]);
    let ranked = search(&[&index], &query);
    assert_eq!(ids(&ranked), [id(1)]);
    assert_eq!(ranked.hits[0].terms.relevance, 1.0);
    assert_eq!(ranked.considered, 1);
}

#[test]
fn as_of_returns_what_was_valid_then() {
    // MEM-6
    let slot = Slot::normalise("employer");
    let value = |number: u8, text: &str, from: Option<i64>, to: Option<i64>| Entry {
        slot: slot.clone(),
        created: from,
        valid_from: from,
        valid_to: to,
        state: if to.is_some() { State::Superseded } else { State::Live },
        ..fact(number, text)
    };
    let index = index([
        value(1, "works at Acme", None, Some(100)),
        value(2, "works at Bolt", Some(100), Some(200)),
        value(3, "works at Core", Some(200), None),
    ]);
    let at = |as_of: Option<i64>| {
        let mut query = Query::new("where works", NOW);
        query.as_of = as_of;
        ids(&search(&[&index], &query))
    };
    assert_eq!(at(None), [id(3)]);
    assert_eq!((at(Some(-5)), at(Some(99)), at(Some(100))), (vec![id(1)], vec![id(1)], vec![id(2)]));
    assert_eq!((at(Some(199)), at(Some(200)), at(Some(NOW))), (vec![id(2)], vec![id(3)], vec![id(3)]));
}

#[test]
fn the_newest_value_of_a_slot_wins_over_both_scopes() {
    // MEM-6, REC-11
    let value = |number: u8, text: &str, age: i64| Entry {
        slot: Slot::normalise("city"),
        created: Some(NOW - age * DAY),
        ..fact(number, text)
    };
    let workspace = index([value(1, "user lives in Paris in the city", 9)]);
    let common = index([value(2, "user lives in Rome", 3), fact(3, "Rome is hot")]);
    let mut query = Query::new("where does the user live, Paris?", NOW);
    query.explain = true;
    let ranked = search(&[&workspace, &common], &query);
    assert_eq!(ids(&ranked), [id(2)]);
    assert_eq!(ranked.hits[0].index, 1);
    assert_eq!(ranked.collapsed, [Collapsed { id: id(1), kept: id(2), reason: Collapse::OlderValue }]);
}

#[test]
fn two_indexes_rank_as_one_would() {
    // REC-11
    let entries =
        || (1..30).map(|n| fact(n, ["tea", "tea and cats", "cats in Lisbon", "Lisbon tea house"][usize::from(n % 4)]));
    let whole = index(entries().map(|entry| Entry { kind: Kind::Message, ..entry }));
    let split = |keep: u8| {
        index(entries().filter(move |e| e.id.as_bytes()[15] % 2 == keep).map(|e| Entry { kind: Kind::Message, ..e }))
    };
    let (even, odd) = (split(0), split(1));
    let mut query = Query::new("tea house in Lisbon", NOW);
    query.k = 50;
    let one = search(&[&whole], &query);
    let two = search(&[&even, &odd], &query);
    assert_eq!(ids(&one), ids(&two));
    for (a, b) in one.hits.iter().zip(&two.hits) {
        assert!((a.score - b.score).abs() < 1e-6);
    }
}

#[test]
fn equal_claims_and_parts_of_a_message_are_one_hit() {
    let claims =
        index([fact(1, "I like green tea"), fact(2, "i really like green tea!"), fact(3, "dislikes green tea")]);
    let mut query = Query::new("green tea", NOW);
    query.explain = true;
    let ranked = search(&[&claims], &query);
    assert_eq!(ranked.hits.len(), 2);
    assert_eq!(ranked.collapsed[0].reason, Collapse::SameClaim);

    let part = |number: u8, part: u32, text: &str| {
        let mut entry = message(number, "s", None, Role::User, text);
        entry.source.message = Some("m1".into());
        entry.source.part = part;
        entry
    };
    let parts = index([part(1, 0, "a story about tea"), part(2, 1, "tea tea"), part(3, 2, "the end")]);
    let ranked = search(&[&parts], &query);
    assert_eq!(ranked.hits.len(), 1);
    assert!(ranked.collapsed.iter().all(|out| out.reason == Collapse::SameMessage));
}

#[test]
fn the_answer_to_a_question_is_found_without_its_words() {
    let dialogue = index([
        message(1, "a", Some("Anna"), Role::User, "Hi Bob, nice to see you"),
        message(2, "a", Some("Bob"), Role::User, "Where did you buy that marvellous piano?"),
        message(3, "a", Some("Anna"), Role::User, "From an old man in Porto"),
        message(4, "b", Some("Bob"), Role::User, "Did you see the film?"),
        message(5, "b", Some("Anna"), Role::User, "Not until Monday, I was ill"),
    ]);
    let ranked = search(&[&dialogue], &Query::new("Where did Anna buy her piano?", NOW));
    assert_eq!(ids(&ranked)[0], id(3));
    let terms = ranked.hits[0].terms;
    assert!(terms.neighbours > 0.5 && terms.who > 0.0 && terms.words < 0.5, "{terms:?}");
}

#[test]
fn in_a_log_the_users_words_come_first_unless_the_assistants_are_asked_for() {
    let log = index([
        message(1, "a", None, Role::User, "I planted tomatoes on my balcony"),
        message(2, "a", None, Role::Assistant, "For tomatoes on a balcony take large pots"),
    ]);
    assert_eq!(ask(&log, "What is with the tomatoes on the balcony pots?")[0], id(1));
    assert_eq!(ask(&log, "What pots did you recommend for balcony tomatoes?")[0], id(2));
}

#[test]
fn a_stretch_of_time_favours_what_lies_in_it() {
    // REC-10
    let at = |number: u8, day: i64| Entry {
        event: Some((day * DAY, day * DAY)),
        kind: Kind::Message,
        ..fact(number, "went swimming")
    };
    let index = index([at(1, 19_000), at(2, 19_100), at(3, 19_200)]);
    let mut query = Query::new("when swimming?", NOW);
    query.windows = &[Window { start: 19_100 * DAY, end: 19_107 * DAY }];
    assert_eq!(ids(&search(&[&index], &query))[0], id(2));
    query.windows = &[];
    query.text = "swimming in January 2022";
    query.time_zone = TimeZone::UTC;
    assert_eq!(ids(&search(&[&index], &query))[0], id(1));
}

#[test]
fn rows_without_vectors_are_found_by_their_words() {
    // REC-7, REC-12
    let index = index([Entry { vectors: vec![1.0, 0.0], ..fact(1, "likes coffee") }, fact(2, "likes green tea")]);
    let mut query = Query::new("green tea", NOW);
    query.vector = Some(&[0.0, 1.0]);
    assert_eq!(ids(&search(&[&index], &query)), [id(2)]);
    query.vector = Some(&[1.0, 0.0, 0.0]);
    let ranked = search(&[&index], &query);
    assert_eq!((ids(&ranked), ranked.dense), (vec![id(2)], false));
}

#[test]
fn any_k_is_an_answer() {
    let index = facts();
    let mut query = Query::new("tea sister cats", NOW);
    query.k = 0;
    assert!(search(&[&index], &query).hits.is_empty());
    query.k = usize::MAX;
    let ranked = search(&[&index], &query);
    assert_eq!((ranked.hits.len(), ranked.beyond_k), (3, 0));
    query.k = 1;
    assert_eq!(search(&[&index], &query).beyond_k, 2);
    assert!(search(&[], &query).hits.is_empty());
}

#[test]
fn the_quantised_scan_answers_as_the_exact_one() {
    // Two indexes of half the size are scanned exactly, one of all is scanned in bytes first.
    let entry = |number: u32| {
        let mut random = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random >> 40) as f32 / 16_777_216.0 - 0.5
        };
        let mut tail = [0; 10];
        tail[6..].copy_from_slice(&number.to_be_bytes());
        let id = MemoryId::from_parts(1_000, tail);
        let vectors = (0..64).map(|_| next()).collect();
        Entry {
            id,
            lineage: id,
            vectors,
            kind: Kind::Message,
            ..fact(0, if number.is_multiple_of(9) { "tea" } else { "coffee" })
        }
    };
    let whole = ScopeIndex::build(64, (0..24_000).map(entry));
    let halves = [ScopeIndex::build(64, (0..12_000).map(entry)), ScopeIndex::build(64, (12_000..24_000).map(entry))];
    for number in 0..10 {
        let vector = entry(100_000 + number).vectors;
        let mut query = Query::new("tea", NOW);
        query.vector = Some(&vector);
        query.k = 10;
        let coded = search(&[&whole], &query);
        let exact = search(&[&halves[0], &halves[1]], &query);
        assert_eq!(ids(&coded), ids(&exact));
        for (a, b) in coded.hits.iter().zip(&exact.hits) {
            assert!((a.score - b.score).abs() < 1e-4, "{} {}", a.score, b.score);
        }
    }
}
