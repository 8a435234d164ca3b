//! The columns of passages: whose they are, how long, and their terms in order.
//!
//! The terms are kept so that pairs of neighbouring words can be checked while scoring, and so that a passage can be
//! taken out of the postings without analysing its text again. They lie in one array; what removed
//! passages leave is closed up when it outweighs the rest.

use super::vectors::NONE;
use crate::words::{Analysis, Latin, Term};

/// Passages of an index.
#[derive(Debug, Default)]
pub(crate) struct Passages {
    owners: Vec<u32>,
    next: Vec<u32>,
    /// Where each passage's terms begin in `terms`.
    starts: Vec<u32>,
    /// How many terms stand in order, and how many there are with the extras.
    counts: Vec<(u16, u16)>,
    latins: Vec<Latin>,
    free: Vec<u32>,
    terms: Vec<Term>,
    dead: usize,
    /// Sum of the lengths of passages in use.
    total_words: u64,
}

impl Passages {
    pub(super) fn reserve(&mut self, passages: usize) {
        self.owners.reserve_exact(passages);
        self.next.reserve_exact(passages);
        self.starts.reserve_exact(passages);
        self.counts.reserve_exact(passages);
        self.latins.reserve_exact(passages);
    }

    /// Adds a passage of `owner` before `next` and returns its number.
    pub(super) fn insert(&mut self, owner: u32, next: u32, analysis: &Analysis) -> u32 {
        let Analysis { words, extras, latin, .. } = analysis;
        let words = &words[..words.len().min(usize::from(u16::MAX) / 2)];
        let extras = &extras[..extras.len().min(usize::from(u16::MAX) / 2)];
        let passage = self.free.pop().unwrap_or_else(|| {
            grow(&mut self.owners, NONE);
            grow(&mut self.next, NONE);
            grow(&mut self.starts, 0);
            grow(&mut self.counts, (0, 0));
            grow(&mut self.latins, Latin::English);
            self.owners.len() as u32 - 1
        });
        let at = passage as usize;
        self.owners[at] = owner;
        self.next[at] = next;
        self.latins[at] = *latin;
        self.starts[at] = self.terms.len() as u32;
        self.counts[at] = (words.len() as u16, (words.len() + extras.len()) as u16);
        let added = words.len() + extras.len();
        if self.terms.len() + added > self.terms.capacity() {
            self.terms.reserve_exact(added.max(self.terms.len() / 8));
        }
        self.terms.extend_from_slice(words);
        self.terms.extend_from_slice(extras);
        self.total_words += words.len() as u64;
        passage
    }

    /// Frees a passage and returns the next of its owner.
    pub(super) fn remove(&mut self, passage: u32) -> u32 {
        let at = passage as usize;
        let (words, all) = std::mem::take(&mut self.counts[at]);
        self.total_words -= u64::from(words);
        self.dead += usize::from(all);
        self.owners[at] = NONE;
        self.free.push(passage);
        if self.dead > 1024 && self.dead * 2 > self.terms.len() {
            self.close_up();
        }
        std::mem::replace(&mut self.next[at], NONE)
    }

    fn close_up(&mut self) {
        let mut terms = Vec::with_capacity(self.terms.len() - self.dead);
        for (start, (_, all)) in self.starts.iter_mut().zip(&self.counts) {
            let from = *start as usize;
            *start = terms.len() as u32;
            terms.extend_from_slice(&self.terms[from..from + usize::from(*all)]);
        }
        self.terms = terms;
        self.dead = 0;
    }

    /// How many passages are in use.
    pub(crate) fn in_use(&self) -> usize {
        self.owners.len() - self.free.len()
    }

    /// How many numbers there are, freed ones included.
    pub(crate) fn len(&self) -> usize {
        self.owners.len()
    }

    /// The owner of each; [`NONE`] for freed ones.
    pub(crate) fn owners(&self) -> &[u32] {
        &self.owners
    }

    /// Words of a passage without stop words.
    #[inline]
    pub(crate) fn length(&self, passage: u32) -> u32 {
        u32::from(self.counts[passage as usize].0)
    }

    /// The language a passage was stemmed as.
    pub(super) fn latin(&self, passage: u32) -> Latin {
        self.latins[passage as usize]
    }

    /// Sum of all lengths.
    pub(crate) fn total_words(&self) -> u64 {
        self.total_words
    }

    /// The words of a passage, in order.
    pub(crate) fn words(&self, passage: u32) -> &[Term] {
        let start = self.starts[passage as usize] as usize;
        &self.terms[start..start + usize::from(self.counts[passage as usize].0)]
    }

    /// All terms of a passage.
    pub(super) fn terms(&self, passage: u32) -> &[Term] {
        let start = self.starts[passage as usize] as usize;
        &self.terms[start..start + usize::from(self.counts[passage as usize].1)]
    }

    /// Heap bytes.
    pub(super) fn bytes(&self) -> usize {
        (self.owners.capacity() + self.next.capacity() + self.starts.capacity() + self.counts.capacity()) * 4
            + (self.free.capacity() + self.terms.capacity()) * 4
            + self.latins.capacity()
    }

    /// Gives spare capacity back.
    pub(super) fn shrink(&mut self) {
        self.owners.shrink_to_fit();
        self.next.shrink_to_fit();
        self.starts.shrink_to_fit();
        self.counts.shrink_to_fit();
        self.latins.shrink_to_fit();
        self.terms.shrink_to_fit();
    }
}

/// Pushes onto a column that grows by an eighth, not by doubling.
pub(super) fn grow<T>(column: &mut Vec<T>, value: T) {
    if column.len() == column.capacity() {
        column.reserve_exact((column.len() / 8).max(16));
    }
    column.push(value);
}
