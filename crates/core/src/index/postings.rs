//! The word index: which passages hold which term.
//!
//! A posting is 4 bytes: the passage's number in the upper 26 bits, how often the term occurs in it
//! in the lower 6. Most terms occur in one to three passages; those lists lie within the
//! dictionary's own entry, so that a rare word costs no allocation.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use crate::words::{IdentityHasher, Term};

/// Bits of a posting that count occurrences.
const TIMES_BITS: u32 = 6;
/// Most occurrences counted in a passage.
const MAX_TIMES: u32 = (1 << TIMES_BITS) - 1;
/// First passage number that has no room in a posting: words of passages from here on are not indexed.
pub(super) const MAX_PASSAGES: u32 = 1 << (32 - TIMES_BITS);

/// A term in a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Posting(u32);

impl Posting {
    fn new(passage: u32, times: u32) -> Self {
        Self(passage << TIMES_BITS | times.min(MAX_TIMES))
    }

    /// The passage's number.
    #[inline]
    pub(crate) fn passage(self) -> u32 {
        self.0 >> TIMES_BITS
    }

    /// How often the term occurs there.
    #[inline]
    pub(crate) fn times(self) -> u32 {
        self.0 & MAX_TIMES
    }
}

/// How many postings lie within the entry.
const INLINE: usize = 3;

/// The passages of a term, in order.
#[derive(Debug)]
enum List {
    Few(u8, [Posting; INLINE]),
    // The double box keeps an entry at 16 bytes; the second step is taken once a term and query.
    #[allow(clippy::box_collection)]
    Many(Box<Vec<Posting>>),
}

impl List {
    fn as_slice(&self) -> &[Posting] {
        match self {
            List::Few(count, few) => &few[..usize::from(*count)],
            List::Many(many) => many,
        }
    }
}

/// All terms of an index.
#[derive(Debug, Default)]
pub(super) struct Postings {
    lists: HashMap<Term, List, BuildHasherDefault<IdentityHasher>>,
    /// Heap bytes of the long lists.
    long: usize,
}

impl Postings {
    /// The passages of `term`, in order.
    pub(super) fn get(&self, term: Term) -> &[Posting] {
        self.lists.get(&term).map_or(&[], List::as_slice)
    }

    /// Notes that `term` occurs `times` in `passage`, where it was not before.
    pub(super) fn insert(&mut self, term: Term, passage: u32, times: u32) {
        let posting = Posting::new(passage, times);
        let list = self.lists.entry(term).or_insert(List::Few(0, [Posting::default(); INLINE]));
        match list {
            List::Few(count, few) if usize::from(*count) < INLINE => {
                let at = few[..usize::from(*count)].partition_point(|old| *old < posting);
                few.copy_within(at..usize::from(*count), at + 1);
                few[at] = posting;
                *count += 1;
            }
            List::Few(_, few) => {
                let mut many = Vec::with_capacity(INLINE * 2);
                many.extend_from_slice(few);
                let at = many.partition_point(|old| *old < posting);
                many.insert(at, posting);
                self.long += size_of::<Vec<Posting>>() + many.capacity() * size_of::<Posting>();
                *list = List::Many(Box::new(many));
            }
            List::Many(many) => {
                let before = many.capacity();
                if many.len() == before {
                    // Half as much again, not twice: memory is counted here.
                    many.reserve_exact(before / 2);
                }
                let at = many.partition_point(|old| *old < posting);
                many.insert(at, posting);
                self.long += (many.capacity() - before) * size_of::<Posting>();
            }
        }
    }

    /// Forgets that `term` occurs in `passage`.
    pub(super) fn remove(&mut self, term: Term, passage: u32) {
        let Some(list) = self.lists.get_mut(&term) else { return };
        let find = |postings: &[Posting]| postings.iter().position(|posting| posting.passage() == passage);
        let left = match list {
            List::Few(count, few) => {
                let held = usize::from(*count);
                if let Some(at) = find(&few[..held]) {
                    few.copy_within(at + 1..held, at);
                    *count -= 1;
                }
                usize::from(*count)
            }
            List::Many(many) => {
                let from = many.partition_point(|posting| posting.passage() < passage);
                if many.get(from).is_some_and(|posting| posting.passage() == passage) {
                    many.remove(from);
                }
                many.len()
            }
        };
        if left == 0
            && let Some(List::Many(many)) = self.lists.remove(&term)
        {
            self.long -= size_of::<Vec<Posting>>() + many.capacity() * size_of::<Posting>();
        }
    }

    /// Heap bytes.
    pub(super) fn bytes(&self) -> usize {
        self.long + table_bytes::<(Term, List)>(self.lists.capacity())
    }

    /// Gives spare capacity back.
    pub(super) fn shrink(&mut self) {
        self.lists.shrink_to_fit();
        for list in self.lists.values_mut() {
            if let List::Many(many) = list {
                self.long -= many.capacity() * size_of::<Posting>();
                many.shrink_to_fit();
                self.long += many.capacity() * size_of::<Posting>();
            }
        }
    }
}

/// Heap bytes of a hash table: it keeps one byte of its own beside each place, and a power of two of places
/// of which it fills seven eighths.
pub(super) fn table_bytes<T>(capacity: usize) -> usize {
    if capacity == 0 {
        return 0;
    }
    let places = if capacity < 8 { capacity + 1 } else { (capacity * 8).div_ceil(7) }.next_power_of_two();
    places * (size_of::<T>() + 1) + 16
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_entry_is_small() {
        assert!(size_of::<List>() <= 16 && size_of::<(Term, List)>() <= 24);
    }

    proptest! {
        #[test]
        fn lists_stay_sorted_and_lose_nothing(steps in prop::collection::vec((0_u32..4, 0_u32..12, any::<bool>()), 0..80)) {
            let mut postings = Postings::default();
            let mut model = std::collections::BTreeSet::new();
            for (term, passage, put) in steps {
                if put {
                    if model.insert((term, passage)) {
                        postings.insert(Term(term), passage, passage + 60);
                    }
                } else {
                    model.remove(&(term, passage));
                    postings.remove(Term(term), passage);
                }
            }
            for term in 0..4 {
                let got: Vec<_> = postings.get(Term(term)).iter().map(|p| (p.passage(), p.times())).collect();
                let want: Vec<_> =
                    model.iter().filter(|(t, _)| *t == term).map(|(_, p)| (*p, (*p + 60).min(MAX_TIMES))).collect();
                prop_assert_eq!(got, want);
            }
            if model.is_empty() {
                prop_assert_eq!(postings.long, 0);
            }
        }
    }
}
