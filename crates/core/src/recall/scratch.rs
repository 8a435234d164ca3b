//! The arrays a recall needs, kept by each thread from one to the next.
//!
//! Rows, passages and sessions of several indexes follow each other, so that everything after the
//! legs treats them as one scope.

use crate::index::ScopeIndex;

/// Where an index's rows, passages and sessions begin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Offset {
    pub(super) row: usize,
    pub(super) passage: usize,
    pub(super) session: usize,
}

#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) offsets: Vec<Offset>,
    /// By row: whether it takes part.
    pub(super) eligible: Vec<bool>,
    /// By row: best passage's BM25, then normalised.
    pub(super) words: Vec<f32>,
    /// By row: best cosine; [`NO_VECTOR`] for none.
    pub(super) cosine: Vec<f32>,
    /// By row: words and dense together.
    pub(super) base: Vec<f32>,
    /// By row: the sum of all signals.
    pub(super) total: Vec<f32>,
    /// By row: what its neighbours add.
    pub(super) neighbours: Vec<f32>,
    /// By row: whether it is relevant, by itself or by a neighbour (REC-4).
    pub(super) relevant: Vec<bool>,
    /// By row: whether a neighbour is relevant by itself.
    pub(super) near_relevant: Vec<bool>,
    /// By passage: BM25 so far.
    pub(super) passages: Vec<f32>,
    /// By passage: the best alternative of the word at hand.
    pub(super) best: Vec<f32>,
    /// By session: BM25.
    pub(super) sessions: Vec<f32>,
    /// By session: occurrences of the word at hand.
    pub(super) occurrences: Vec<u32>,
    /// Products of one index's vectors with the question's.
    pub(super) products: Vec<f32>,
    pub(super) coded_products: Vec<i32>,
}

/// The cosine of a row that has no vector.
pub(super) const NO_VECTOR: f32 = f32::NEG_INFINITY;

impl Scratch {
    /// Makes the arrays fit; empty are those that are read before they are written. The others hold
    /// what the last recall left for rows that do not take part now, and nobody looks there.
    pub(super) fn prepare(&mut self, indexes: &[&ScopeIndex]) {
        self.offsets.clear();
        let mut next = Offset { row: 0, passage: 0, session: 0 };
        for index in indexes {
            self.offsets.push(next);
            next.row += index.hot().len();
            next.passage += index.passages().len();
            next.session += index.sessions().len();
        }
        reset(&mut self.eligible, next.row, false);
        reset(&mut self.words, next.row, 0.0);
        reset(&mut self.cosine, next.row, NO_VECTOR);
        self.base.resize(next.row, 0.0);
        self.total.resize(next.row, 0.0);
        self.neighbours.resize(next.row, 0.0);
        reset(&mut self.relevant, next.row, false);
        self.near_relevant.resize(next.row, false);
        reset(&mut self.passages, next.passage, 0.0);
        reset(&mut self.best, next.passage, 0.0);
        reset(&mut self.sessions, next.session, 0.0);
        reset(&mut self.occurrences, next.session, 0);
    }

    /// The index and the row within it for a row of all.
    pub(super) fn locate(&self, row: usize) -> (usize, u32) {
        let index = self.offsets.partition_point(|offset| offset.row <= row) - 1;
        (index, (row - self.offsets[index].row) as u32)
    }
}

fn reset<T: Copy>(array: &mut Vec<T>, length: usize, value: T) {
    array.clear();
    array.resize(length, value);
}
