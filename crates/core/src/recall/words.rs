//! The word leg: BM25 over passages, pairs of words, and the words of whole conversations.

use super::params::{B, DATE_WORDS, K1, PAIRS};
use super::scratch::Scratch;
use crate::index::{Posting, ScopeIndex};
use crate::item::Kind;
use crate::words::{Group, QueryWords, Term};

/// Lengths up to which the length norm is looked up.
const NORMS: usize = 256;

/// What BM25 knows of a collection.
struct Collection {
    count: f32,
    norms: Vec<f32>,
    average: f32,
}

impl Collection {
    fn new(count: usize, total_words: u64, table: usize) -> Self {
        let average = (total_words as f32 / count.max(1) as f32).max(1e-9);
        let norms = (0..table).map(|length| norm(length as f32, average)).collect();
        Self { count: count as f32, norms, average }
    }

    fn idf(&self, holders: usize) -> f32 {
        let n = (holders as f32).min(self.count);
        (1.0 + (self.count - n + 0.5) / (n + 0.5)).ln()
    }

    #[inline]
    fn norm(&self, length: u32) -> f32 {
        self.norms.get(length as usize).copied().unwrap_or_else(|| norm(length as f32, self.average))
    }

    #[inline]
    fn score(&self, times: u32, length: u32) -> f32 {
        let times = times as f32;
        times * (K1 + 1.0) / (times + self.norm(length))
    }
}

fn norm(length: f32, average: f32) -> f32 {
    K1 * (1.0 - B + B * length / average)
}

/// Fills `scratch.words` with the best passage's BM25 of every row.
pub(super) fn score(indexes: &[&ScopeIndex], query: &QueryWords, scratch: &mut Scratch) {
    if query.groups.is_empty() {
        return;
    }
    let count = indexes.iter().map(|index| index.passages().in_use()).sum();
    let total = indexes.iter().map(|index| index.passages().total_words()).sum();
    let collection = Collection::new(count, total, NORMS);
    let only_dates = query.groups.iter().all(|group| group.in_date);
    for group in &query.groups {
        let weight = group.weight * if group.in_date && !only_dates { DATE_WORDS } else { 1.0 };
        add_group(indexes, group, weight, &collection, scratch);
    }
    for &(first, second) in &query.pairs {
        add_pair(indexes, &query.groups[first], &query.groups[second], &collection, scratch);
    }
    pool(indexes, scratch);
}

/// Adds a word's BM25 to the passages that have it, and returns its rarity.
fn add_group(indexes: &[&ScopeIndex], group: &Group, weight: f32, collection: &Collection, scratch: &mut Scratch) {
    let holders = |term: Term| indexes.iter().map(|index| index.postings(term).len()).sum::<usize>();
    let found = group.alternatives.iter().filter(|alternative| holders(alternative.term) > 0);
    let idf = collection.idf(found.clone().map(|alternative| holders(alternative.term)).sum());
    let alone = found.clone().count() == 1;
    for alternative in found.clone() {
        let factor = weight * alternative.weight * idf;
        for (index, offset) in indexes.iter().zip(&scratch.offsets) {
            for posting in index.postings(alternative.term) {
                let score = factor * collection.score(posting.times(), index.passages().length(posting.passage()));
                let at = offset.passage + posting.passage() as usize;
                if alone {
                    scratch.passages[at] += score;
                } else if score > scratch.best[at] {
                    // The best alternative counts, not all of them.
                    scratch.passages[at] += score - scratch.best[at];
                    scratch.best[at] = score;
                }
            }
        }
    }
    if !alone {
        for alternative in found {
            for (index, offset) in indexes.iter().zip(&scratch.offsets) {
                for posting in index.postings(alternative.term) {
                    scratch.best[offset.passage + posting.passage() as usize] = 0.0;
                }
            }
        }
    }
}

/// Adds the BM25 of two words side by side.
fn add_pair(indexes: &[&ScopeIndex], first: &Group, second: &Group, collection: &Collection, scratch: &mut Scratch) {
    let full = |group: &Group| {
        let terms = group.alternatives.iter().filter(|alternative| alternative.weight >= 1.0);
        terms.map(|alternative| alternative.term).collect::<Vec<_>>()
    };
    let (firsts, seconds) = (full(first), full(second));
    let mut found: Vec<(usize, u32, u32)> = Vec::new();
    for (number, index) in indexes.iter().enumerate() {
        for &a in &firsts {
            for &b in &seconds {
                meet(index.postings(a), index.postings(b), |passage| {
                    let words = index.passages().words(passage);
                    let times = words.windows(2).filter(|two| two[0] == a && two[1] == b).count();
                    if times > 0 {
                        found.push((number, passage, times as u32));
                    }
                });
            }
        }
    }
    let factor = PAIRS * collection.idf(found.len());
    for (number, passage, times) in found {
        let at = scratch.offsets[number].passage + passage as usize;
        scratch.passages[at] += factor * collection.score(times, indexes[number].passages().length(passage));
    }
}

/// Calls `both` with each passage that is in both lists.
fn meet(a: &[Posting], b: &[Posting], mut both: impl FnMut(u32)) {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let mut rest = long;
    for posting in short {
        let passage = posting.passage();
        // Step by step in lists of like length, by halves in a long one.
        let skip = if rest.len() > 16 * short.len() {
            rest.partition_point(|other| other.passage() < passage)
        } else {
            rest.iter().take_while(|other| other.passage() < passage).count()
        };
        rest = &rest[skip..];
        if rest.first().is_some_and(|other| other.passage() == passage) {
            both(passage);
        }
    }
}

/// An item scores as its best passage.
fn pool(indexes: &[&ScopeIndex], scratch: &mut Scratch) {
    for (index, offset) in indexes.iter().zip(&scratch.offsets) {
        let scores = &scratch.passages[offset.passage..];
        for (owner, score) in index.passages().owners().iter().zip(scores) {
            if *score > 0.0 {
                let word = &mut scratch.words[offset.row + *owner as usize];
                *word = word.max(*score);
            }
        }
    }
}

/// Fills `scratch.sessions` with the BM25 of each conversation as a whole, normalised by the greatest.
/// `scope_sessions` is how many conversations there are.
pub(super) fn score_sessions(
    indexes: &[&ScopeIndex],
    query: &QueryWords,
    scratch: &mut Scratch,
    scope_sessions: usize,
) {
    let total = indexes.iter().flat_map(|index| index.sessions()).map(|session| session.words).sum();
    let collection = Collection::new(scope_sessions, total, 0);
    let mut touched: Vec<(usize, u32)> = Vec::new();
    for group in &query.groups {
        for (index, offset) in indexes.iter().zip(&scratch.offsets) {
            for alternative in group.alternatives.iter().filter(|alternative| alternative.weight >= 1.0) {
                for posting in index.postings(alternative.term) {
                    let owner = index.passages().owners()[posting.passage() as usize];
                    let hot = &index.hot()[owner as usize];
                    if hot.kind != Kind::Message || hot.session as usize >= index.sessions().len() {
                        continue;
                    }
                    let at = offset.session + hot.session as usize;
                    if scratch.occurrences[at] == 0 {
                        touched.push((at, index.sessions()[hot.session as usize].words as u32));
                    }
                    scratch.occurrences[at] += posting.times();
                }
            }
        }
        let factor = group.weight * collection.idf(touched.len());
        for (at, length) in touched.drain(..) {
            let times = std::mem::take(&mut scratch.occurrences[at]);
            scratch.sessions[at] += factor * collection.score(times, length);
        }
    }
    let greatest = scratch.sessions.iter().copied().fold(0.0, f32::max);
    if greatest > 0.0 {
        scratch.sessions.iter_mut().for_each(|score| *score /= greatest);
    }
}
