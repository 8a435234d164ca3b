//! Terms are hashes: 32 bits tell the words of a person's memory apart (a scope of 50,000 messages
//! has some 100,000 of them, so that a word it lacks meets another's hash once in 40,000 queries).

use std::hash::Hasher;

/// What postings are kept by: 32 bits of the hash of a folded, stemmed word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Term(pub(crate) u32);

impl Term {
    /// The term of a word that needs no stemming.
    #[must_use]
    pub fn of(word: &str) -> Self {
        term(hash(word))
    }

    /// The term under which a part of a compound is kept, apart from words that stand alone.
    #[must_use]
    pub(crate) fn of_part(part: &str) -> Self {
        Self(Self::of(part).0 ^ 0x9e37_79b9)
    }
}

/// The term of a word by its hash.
pub(crate) fn term(hash: u64) -> Term {
    Term((hash >> 32) as u32)
}

/// First value of the running hash.
pub(crate) const SEED: u64 = 0xcbf2_9ce4_8422_2325;

/// Takes one byte in (FNV-1a).
#[inline]
pub(crate) fn step(state: u64, byte: u8) -> u64 {
    (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
}

/// Spreads the state over all bits, for FNV alone leaves the upper ones poor in short words.
#[inline]
pub(crate) fn finish(state: u64) -> u64 {
    let mut h = state;
    h ^= h >> 32;
    h = h.wrapping_mul(0xd6e8_feb8_6659_fd93);
    h ^= h >> 32;
    h = h.wrapping_mul(0xd6e8_feb8_6659_fd93);
    h ^ (h >> 32)
}

/// The hash of a word as it stands; the same on every machine and in every version of the index.
#[must_use]
pub(crate) fn hash(word: &str) -> u64 {
    finish(word.bytes().fold(SEED, step))
}

/// A hasher for keys that are hashes or random already. Other keys it takes eight bytes at a time.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        // Ids: 16 bytes, the last 8 of them random.
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.0 = finish(self.0 ^ u64::from_le_bytes(word));
        }
    }

    fn write_u32(&mut self, n: u32) {
        // A table uses the lowest bits for the place and the highest seven to tell apart.
        self.0 = u64::from(n) << 32 | u64::from(n);
    }

    // A length before a slice tells nothing about keys that all have the same.
    fn write_usize(&mut self, _: usize) {}

    fn write_u64(&mut self, n: u64) {
        self.0 = n;
    }
}
