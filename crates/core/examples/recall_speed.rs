//! How fast recall is, how much memory an index takes, and whether the quantised scan loses anything.
//!
//! `cargo run --release --example recall_speed [-- 500 50000 500000]`. Texts are made of words drawn
//! by Zipf's law, vectors lie around a few hundred topics; all from a fixed seed. 500,000 memories take
//! about 1.3 GB.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use myosotis_core::index::{Entry, ScopeIndex};
use myosotis_core::recall::{Query, search};
use myosotis_core::{Kind, MemoryId, Origin, Role, Source, State, vector, words};

const DIMS: usize = 384;
const TOPICS: u64 = 300;
const NOW: i64 = 1_700_000_000_000;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u64 << 24) as f32
    }

    /// A word's rank by Zipf's law among 20,000.
    fn rank(&mut self) -> u64 {
        (20_000_f32.powf(self.unit()) - 1.0) as u64
    }
}

/// Made of syllables, so that words look like words; the commonest are English function words.
fn word(rank: u64, out: &mut String) {
    const COMMON: [&str; 16] =
        ["the", "I", "to", "and", "a", "of", "my", "in", "is", "that", "it", "was", "for", "with", "on", "have"];
    const SYLLABLES: [&str; 20] = [
        "ka", "lo", "mi", "ter", "ran", "so", "ne", "bel", "di", "fu", "gar", "hi", "jo", "pen", "qua", "ri", "sta",
        "tu", "ve", "zon",
    ];
    if let Some(common) = COMMON.get(rank as usize) {
        out.push_str(common);
        return;
    }
    let mut rest = rank;
    while rest > 0 {
        out.push_str(SYLLABLES[(rest % 20) as usize]);
        rest /= 20;
    }
}

fn text(random: &mut Random, length: usize) -> String {
    let mut out = String::new();
    while out.len() < length {
        word(random.rank(), &mut out);
        out.push(' ');
    }
    out.truncate(length);
    out.trim_end().to_owned()
}

/// A point near one of the topics: cosines within a topic are about 0.7, as real ones are.
fn point(random: &mut Random) -> Vec<f32> {
    let topic = random.next() % TOPICS;
    let mut centre = Random(topic.wrapping_mul(77));
    let mut point: Vec<f32> = (0..DIMS).map(|_| centre.unit() - 0.5 + 0.65 * (random.unit() - 0.5)).collect();
    let _ = vector::normalise(&mut point);
    point
}

fn entry(random: &mut Random, number: u64) -> Entry {
    let mut tail = [0; 10];
    tail[2..].copy_from_slice(&random.next().to_be_bytes());
    let id = MemoryId::from_parts(NOW + number as i64, tail);
    let message = number.is_multiple_of(2);
    let source = Source {
        origin: Origin::Imported,
        role: if number.is_multiple_of(4) { Role::User } else { Role::Assistant },
        session: message.then(|| format!("s{}", number / 40)),
        position: message.then_some(number as u32),
        ..Source::default()
    };
    Entry {
        id,
        kind: if message { Kind::Message } else { Kind::Fact },
        state: State::Live,
        text: text(random, 120),
        slot: None,
        source,
        importance: random.unit(),
        support: 1,
        stored: NOW,
        created: Some(NOW - (random.next() % 31_536_000_000) as i64),
        event: None,
        valid_from: None,
        valid_to: None,
        accessed: None,
        pinned: false,
        lineage: id,
        tag: None,
        vectors: point(random),
    }
}

fn p50(runs: usize, mut run: impl FnMut(usize)) -> Duration {
    let mut times: Vec<Duration> = (0..runs)
        .map(|number| {
            let start = Instant::now();
            run(number);
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[runs / 2]
}

fn main() {
    let sizes: Vec<usize> = std::env::args().skip(1).filter_map(|size| size.parse().ok()).collect();
    let sizes = if sizes.is_empty() { vec![500, 50_000, 500_000] } else { sizes };
    println!("vector body: {}", vector::body_name());
    println!("memories  load cold  recall p50  words only  vectors    recall@10  bytes a memory");
    for size in sizes {
        measure(size);
    }
    let mut random = Random(5);
    let texts: Vec<String> = (0..1000).map(|_| text(&mut random, 120)).collect();
    let analysing = p50(9, |_| texts.iter().for_each(|text| drop(black_box(words::analyse(text)))));
    println!("analysing 120 characters: {:.2} us", analysing.as_secs_f64() * 1e3);
}

fn measure(size: usize) {
    let mut random = Random(42);
    let index = {
        let entries = (0..size as u64).map(|number| entry(&mut random, number));
        ScopeIndex::build(DIMS, entries)
    };
    let small: Vec<Entry> = (0..size.min(500) as u64).map(|number| entry(&mut random, number)).collect();
    let mut copies: Vec<Vec<Entry>> = (0..15).map(|_| small.clone()).collect();
    let cold = p50(15, |_| {
        let entries = copies.pop().unwrap_or_default();
        drop(black_box(ScopeIndex::build(DIMS, entries)));
    });

    let runs = if size > 100_000 { 25 } else { 201 };
    let questions: Vec<(String, Vec<f32>)> = (0..runs).map(|_| (text(&mut random, 60), point(&mut random))).collect();
    let ask = |number: usize, vector: bool, k: usize| {
        let (text, point) = &questions[number];
        let mut query = Query::new(text, NOW);
        query.vector = vector.then_some(point.as_slice());
        query.k = k;
        search(&[&index], &query)
    };
    let hybrid = p50(runs, |number| drop(black_box(ask(number, true, 10))));
    let words = p50(runs, |number| drop(black_box(ask(number, false, 10))));

    // The exact answer: the same index whose cosines are all computed in f32.
    let rows: Vec<f32> =
        index.iter().flat_map(|entry| entry.vectors().flatten().copied().collect::<Vec<_>>()).collect();
    let mut products = vec![0.0; size];
    let exact_scan = p50(runs, |number| vector::dots(&questions[number].1, &rows, &mut products));
    let coded = size >= 20_000;
    let scan = if coded {
        let mut codes = vec![0; rows.len()];
        for (row, code) in rows.chunks_exact(DIMS).zip(codes.chunks_exact_mut(DIMS)) {
            vector::quantise(row, code);
        }
        let mut query = vec![0; DIMS];
        let mut products = vec![0; size];
        p50(runs, |number| {
            vector::quantise(&questions[number].1, &mut query);
            vector::dots_i8(&query, &codes, &mut products);
        })
    } else {
        exact_scan
    };
    let (mut found, mut wanted) = (0, 0);
    let checked = runs.min(50);
    for number in 0..checked {
        // So many places asked for that thousands of rows are rescored exactly.
        let want: Vec<_> = ask(number, true, 1_000).hits.iter().take(10).map(|hit| hit.id).collect();
        wanted += want.len();
        found += ask(number, true, 10).hits.iter().filter(|hit| want.contains(&hit.id)).count();
    }
    println!(
        "{size:8}  {:7.2} ms  {:7.1} us  {:7.1} us  {:7.1} us  {:.3}      {}",
        cold.as_secs_f64() * 1e3,
        hybrid.as_secs_f64() * 1e6,
        words.as_secs_f64() * 1e6,
        scan.as_secs_f64() * 1e6,
        found as f64 / wanted as f64,
        index.bytes() / size,
    );
}
