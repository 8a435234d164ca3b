//! What the speed benches store: made-up sentences and vectors, the same in every run.

use std::sync::Arc;

use myosotis::{EmbedError, Embedder, EmbedderSpec};

/// A small generator (SplitMix64), so that runs repeat.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

const SUBJECTS: [&str; 12] = [
    "My sister",
    "The project",
    "Our landlord",
    "My manager",
    "The garden",
    "My bike",
    "The team",
    "My doctor",
    "The school",
    "My neighbour",
    "The bakery",
    "Our dog",
];
const VERBS: [&str; 12] = [
    "prefers",
    "moved to",
    "complained about",
    "asked for",
    "finally got",
    "is looking for",
    "wrote about",
    "cancelled",
    "recommended",
    "painted",
    "sold",
    "found",
];

/// A sentence of about 120 characters with some common and some rare words.
pub(crate) fn sentence(random: &mut Random) -> String {
    let mut text = format!("{} {}", SUBJECTS[random.below(12)], VERBS[random.below(12)]);
    while text.len() < 112 {
        // A Zipf-like vocabulary of 20,000 made-up words.
        let rank = (20_000f64.powf(random.below(10_000) as f64 / 10_000.0)) as u64;
        text.push(' ');
        let mut code = rank.wrapping_mul(0x9e37_79b9).rotate_left(7) % 11_881_376;
        for at in 0..(4 + rank % 4) {
            let set = if at % 2 == 0 { "bdfgklmnprst" } else { "aeiou" };
            text.push(char::from(set.as_bytes()[(code % set.len() as u64) as usize]));
            code /= 7;
        }
    }
    text
}

/// An embedder that costs nothing, so that what is timed is the engine. The vector follows from the
/// text; texts that share words are near each other.
pub(crate) struct Instant(EmbedderSpec);

impl Instant {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self(EmbedderSpec {
            id: "bench-384".into(),
            dimensions: 384,
            max_tokens: 128,
            query_prefix: String::new(),
            passage_prefix: String::new(),
        }))
    }
}

impl Embedder for Instant {
    fn spec(&self) -> &EmbedderSpec {
        &self.0
    }

    fn is_prompt(&self) -> bool {
        true
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|text| vector(text)).collect())
    }
}

fn vector(text: &str) -> Vec<f32> {
    let mut out = vec![0f32; 384];
    for word in text.split_whitespace() {
        let seed = word
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        let mut random = Random(seed);
        for value in &mut out {
            *value += (random.next() >> 40) as f32 / (1u64 << 23) as f32 - 1.0;
        }
    }
    let norm = out.iter().map(|value| value * value).sum::<f32>().sqrt().max(1e-6);
    out.iter_mut().for_each(|value| *value /= norm);
    out
}
