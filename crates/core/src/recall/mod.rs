//! Recall: which memories answer a question, and why (REC-1 to REC-10).
//!
//! One pass, all in memory, over one or more indexes taken together (a workspace and the scope
//! without one):
//!
//! 1. `words`: BM25 of the question's words over passages, the best passage standing for its item.
//! 2. `dense`: cosine of the question's vector with every passage's, calibrated over the scope.
//! 3. `fuse`: their sum; then what neighbours, conversation, speaker and dates tell.
//! 4. `search`: relevance normalised to 0..1, recency and importance added, the best selected, duplicates
//!    collapsed.
//!
//! All filters (state, kind, validity) apply before anything is ranked or normalised. The constants are
//! in `params`. Nothing depends on the order in which entries were put into an index.

mod collapse;
mod dates;
mod dense;
mod explain;
mod fuse;
pub mod params;
mod scratch;
mod search;
#[cfg(test)]
mod tests;
mod words;

use jiff::tz::TimeZone;

pub use search::search;

use crate::ids::MemoryId;
use crate::item::Kind;

/// How relevance is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// Words, vectors and the evidence around an item, normalised for the question.
    #[default]
    Hybrid,
    /// The true cosine, floored at 0, and all of recency: the seed's formula (REC-2).
    Plain,
}

/// The weights of the score's three terms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// Of relevance; 0.7 by default.
    pub relevance: f64,
    /// Of recency; 0.2 by default.
    pub recency: f64,
    /// Of importance; 0.1 by default.
    pub importance: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            relevance: params::WEIGHT_RELEVANCE,
            recency: params::WEIGHT_RECENCY,
            importance: params::WEIGHT_IMPORTANCE,
        }
    }
}

/// A set of kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kinds(u8);

impl Kinds {
    /// Every kind.
    pub const ALL: Self = Self(0x7f);

    /// These kinds.
    #[must_use]
    pub fn of(kinds: &[Kind]) -> Self {
        Self(kinds.iter().fold(0, |set, kind| set | 1 << kind.code()))
    }

    /// Whether a kind is in it.
    #[must_use]
    pub fn has(self, kind: Kind) -> bool {
        self.0 >> kind.code() & 1 == 1
    }
}

/// A stretch of time the question means, in Unix milliseconds, `end` exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// First instant.
    pub start: i64,
    /// First instant after it.
    pub end: i64,
}

/// What is asked.
#[derive(Debug, Clone)]
pub struct Query<'a> {
    /// The question, as the user wrote it.
    pub text: &'a str,
    /// Its vector; `None` leaves the dense leg out (REC-7).
    pub vector: Option<&'a [f32]>,
    /// The time it is asked at (Unix milliseconds).
    pub now: i64,
    /// The zone in which days and months in it are meant.
    pub time_zone: TimeZone,
    /// How many hits are wanted.
    pub k: usize,
    /// The weights of the score.
    pub weights: Weights,
    /// How relevance is made.
    pub profile: Profile,
    /// Raw cosine from which on an item that shares no word with the question counts as relevant
    /// (REC-4).
    pub min_cosine: f32,
    /// What was valid at that time, instead of what is now (MEM-6).
    pub as_of: Option<i64>,
    /// Which kinds may be returned, and take part in ranking at all.
    pub kinds: Kinds,
    /// Whether to say which duplicates were left out.
    pub explain: bool,
    /// Stretches of time the question means ("yesterday"), found by `when`.
    pub windows: &'a [Window],
    /// Whether it is about the past, if the caller knows; its words are asked too.
    pub past: bool,
    /// Whether it names a time and nothing else ("what did I do yesterday?"): then what happened in its
    /// windows is relevant, and nothing else is.
    pub only_time: bool,
}

impl<'a> Query<'a> {
    /// A question with the defaults: five hits, hybrid, every kind, UTC.
    #[must_use]
    pub fn new(text: &'a str, now: i64) -> Self {
        Self {
            text,
            vector: None,
            now,
            time_zone: TimeZone::UTC,
            k: 5,
            weights: Weights::default(),
            profile: Profile::Hybrid,
            min_cosine: params::MIN_COSINE,
            as_of: None,
            kinds: Kinds::ALL,
            explain: false,
            windows: &[],
            past: false,
            only_time: false,
        }
    }
}

/// The terms of a hit's score (REC-8). `score = weights . (relevance, recency x gate, importance)`.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize)]
pub struct Terms {
    /// 0 to 1: the sum of the signals below over that of the best item.
    pub relevance: f32,
    /// 0.5^(age / 30 days).
    pub recency: f32,
    /// How much of recency counts for this question.
    pub recency_gate: f32,
    /// 0 to 1.
    pub importance: f32,
    /// The word leg, 0 to 1.
    pub words: f32,
    /// The true cosine of the best passage, if it has a vector and the question too.
    pub cosine: Option<f32>,
    /// What the cosine added.
    pub dense: f32,
    /// What was said before and after.
    pub neighbours: f32,
    /// The whole conversation's words.
    pub session: f32,
    /// Who said it.
    pub who: f32,
    /// Dates and words of time.
    pub when: f32,
    /// Whether it opens its conversation, or only asks.
    pub form: f32,
}

/// One memory found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Its identity.
    pub id: MemoryId,
    /// In which of the searched indexes it lies.
    pub index: usize,
    /// Its score.
    pub score: f64,
    /// Where the score comes from.
    pub terms: Terms,
}

/// Why an item that ranked high enough is not among the hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Collapse {
    /// It is another part of the same long message.
    SameMessage,
    /// It makes the same claim.
    SameClaim,
    /// It is an older value of the same slot.
    OlderValue,
}

/// An item left out in favour of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Collapsed {
    /// What was left out.
    pub id: MemoryId,
    /// What stands for it.
    pub kept: MemoryId,
    /// Why.
    pub reason: Collapse,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ranked {
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// How many items were eligible: live, of the kinds asked for.
    pub considered: usize,
    /// How many of them were not relevant at all (REC-4).
    pub below_minimum: usize,
    /// How many of them were relevant but not among the first `k`.
    pub beyond_k: usize,
    /// What was left out in favour of another; empty unless explained.
    pub collapsed: Vec<Collapsed>,
    /// Whether the dense leg took part.
    pub dense: bool,
}

/// 0.5^(age / half-life), from the later of the times given. An unknown time is not recent at all;
/// one in the future is as recent as can be.
///
/// ```
/// use myosotis_core::recall::{params::HALF_LIFE_MS, recency};
/// let day = 86_400_000;
/// assert_eq!(recency(Some(0), 30 * day, HALF_LIFE_MS), 0.5);
/// assert_eq!(recency(Some(5 * day), 0, HALF_LIFE_MS), 1.0);
/// assert_eq!(recency(None, 0, HALF_LIFE_MS), 0.0);
/// ```
#[must_use]
pub fn recency(since: Option<i64>, now: i64, half_life_ms: f64) -> f64 {
    let Some(since) = since else { return 0.0 };
    let age = now.saturating_sub(since).max(0) as f64;
    (-age / half_life_ms).exp2()
}
