//! What people would use otherwise, on the same items and vectors: plain BM25, dense cosine, their
//! equal-weight rank fusion, and the seed formula on raw cosine.

use std::collections::HashMap;

use myosotis_core::vector::dot;
use myosotis_core::words::{Term, analyse};

/// One item as the baselines see it.
pub(crate) struct Document {
    pub(crate) id: String,
    /// What is indexed for words: `speaker: text`.
    pub(crate) words: String,
    /// One vector, of what is embedded.
    pub(crate) vector: Vec<f32>,
    /// Unix milliseconds.
    pub(crate) said: Option<i64>,
}

/// An index of documents for the baselines.
pub(crate) struct Baselines {
    documents: Vec<Document>,
    counts: Vec<HashMap<Term, f64>>,
    lengths: Vec<f64>,
    frequency: HashMap<Term, f64>,
}

/// BM25's usual constants (Robertson and Zaragoza 2009).
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// The constant of reciprocal rank fusion (Cormack et al. 2009).
const RRF: f64 = 60.0;

/// Half-life of recency in the seed formula, in milliseconds (30 days).
const HALF_LIFE: f64 = 30.0 * 86_400_000.0;

impl Baselines {
    pub(crate) fn new(documents: Vec<Document>) -> Self {
        let mut counts = Vec::new();
        let mut frequency: HashMap<Term, f64> = HashMap::new();
        for document in &documents {
            let mut count: HashMap<Term, f64> = HashMap::new();
            for term in analyse(&document.words).words {
                *count.entry(term).or_default() += 1.0;
            }
            for term in count.keys() {
                *frequency.entry(*term).or_default() += 1.0;
            }
            counts.push(count);
        }
        let lengths = counts.iter().map(|count| count.values().sum()).collect();
        Self { documents, counts, lengths, frequency }
    }

    /// Names and rankings of all baselines for a question.
    pub(crate) fn rank(&self, question: &str, vector: &[f32], now: i64) -> Vec<(&'static str, Vec<String>)> {
        let words = self.bm25(question);
        let dense: Vec<f64> = self.documents.iter().map(|document| f64::from(dot(&document.vector, vector))).collect();
        let mut fused = vec![0.0; words.len()];
        for scores in [&words, &dense] {
            for (rank, at) in order(scores).into_iter().enumerate() {
                fused[at] += 1.0 / (RRF + rank as f64 + 1.0);
            }
        }
        let seed = dense.iter().zip(&self.documents).map(|(cosine, document)| {
            let recency = document.said.map_or(0.0, |said| 0.5f64.powf((now - said).max(0) as f64 / HALF_LIFE));
            0.7 * cosine.max(0.0) + 0.2 * recency + 0.1 * 0.5
        });
        let seed: Vec<f64> = seed.collect();
        [("plain BM25", words), ("dense cosine", dense), ("rank fusion", fused), ("seed formula", seed)]
            .into_iter()
            .map(|(name, scores)| (name, self.ids(&scores)))
            .collect()
    }

    fn ids(&self, scores: &[f64]) -> Vec<String> {
        order(scores).into_iter().take(20).map(|at| self.documents[at].id.clone()).collect()
    }

    fn bm25(&self, question: &str) -> Vec<f64> {
        let total = self.documents.len() as f64;
        let mean = self.lengths.iter().sum::<f64>() / total.max(1.0);
        let mut terms = analyse(question).words;
        terms.sort_unstable();
        terms.dedup();
        let score = |count: &HashMap<Term, f64>, length: f64| {
            terms
                .iter()
                .filter_map(|term| Some((count.get(term)?, self.frequency.get(term)?)))
                .map(|(tf, df)| {
                    let idf = (1.0 + (total - df + 0.5) / (df + 0.5)).ln();
                    idf * tf * (K1 + 1.0) / (tf + K1 * (1.0 - B + B * length / mean.max(1.0)))
                })
                .sum()
        };
        self.counts.iter().zip(&self.lengths).map(|(count, length)| score(count, *length)).collect()
    }
}

/// Places by falling score; equal ones as they stand.
fn order(scores: &[f64]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..scores.len()).collect();
    places.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
    places
}
