//! The search itself: legs, fusion, score, selection.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::dates::Dates;
use super::fuse::{Context, named_speakers};
use super::params::{HALF_LIFE_MS, RECENCY_ELSE, RECENCY_LEARNED, RECENCY_NOW, RECENCY_PAST, SESSIONS_MORE_THAN};
use super::scratch::{NO_VECTOR, Scratch};
use super::{Hit, Profile, Query, Ranked, Terms, collapse, dense, recency, words};
use crate::ids::MemoryId;
use crate::index::{EntryRef, ScopeIndex, SessionKind, UNKNOWN};
use crate::item::{Kind, State};
use crate::vector;
use crate::words::{LatinSet, QueryWords};

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Searches `indexes` as one scope.
///
/// ```
/// use myosotis_core::index::ScopeIndex;
/// use myosotis_core::recall::{Query, search};
/// let empty = ScopeIndex::new(0);
/// assert!(search(&[&empty], &Query::new("anything", 0)).hits.is_empty());
/// ```
#[must_use]
pub fn search(indexes: &[&ScopeIndex], query: &Query<'_>) -> Ranked {
    SCRATCH.with_borrow_mut(|scratch| {
        scratch.prepare(indexes);
        Search { indexes, query, scratch }.run()
    })
}

struct Search<'a> {
    indexes: &'a [&'a ScopeIndex],
    query: &'a Query<'a>,
    scratch: &'a mut Scratch,
}

/// A row and its score; greater is better, ties go to the later id.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Candidate {
    score: f64,
    id: MemoryId,
    row: usize,
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    /// Turned round: a heap gives its greatest, and the worst is what selection wants to drop.
    fn cmp(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then(other.id.cmp(&self.id))
    }
}

/// What takes part in a search.
#[derive(Debug, Clone, Copy)]
struct Scope {
    eligible: usize,
    messages: bool,
    /// The earliest and the latest time of an item.
    first: i64,
    last: i64,
}

/// How a row's total becomes its relevance.
#[derive(Debug, Clone, Copy)]
struct Scale {
    greatest: f32,
    gates: Gates,
}

/// How much of recency counts for a question.
#[derive(Debug, Clone, Copy)]
struct Gates {
    messages: f64,
    learned: f64,
}

impl Gates {
    fn of(self, kind: Kind) -> f64 {
        if kind == Kind::Message { self.messages } else { self.learned }
    }
}

impl<'a> Search<'a> {
    fn run(mut self) -> Ranked {
        let scope = self.mark_eligible();
        let considered = scope.eligible;
        if considered == 0 || self.query.k == 0 {
            return Ranked { considered, ..Ranked::default() };
        }
        let languages = LatinSet(self.indexes.iter().fold(0, |set, index| set | index.languages().0));
        let words = crate::words::query(self.query.text, languages);
        words::score(self.indexes, &words, self.scratch);
        let vector = self.unit_vector();
        let exact = vector.as_deref().is_none_or(|vector| dense::score(self.indexes, vector, self.scratch));
        let mut spread = dense::spread(self.scratch);
        if let (false, Some(vector)) = (exact, vector.as_deref()) {
            // The greatest cosine sets the scale of all others.
            let near = dense::near_greatest(spread, self.scratch);
            dense::refine(self.indexes, vector, &near, self.scratch);
            spread = dense::spread(self.scratch);
        }
        let context = self.context(&words, scope);
        let plain = self.query.profile == Profile::Plain && spread.count > 0;
        let gates = if plain { Gates { messages: 1.0, learned: 1.0 } } else { self.gates(&words) };

        let mut scale = self.totals(&context, spread, plain, gates);
        if let (false, Some(vector)) = (exact, vector.as_deref()) {
            let decisive = self.decisive(scale);
            dense::refine(self.indexes, vector, &decisive, self.scratch);
            if plain {
                scale = self.totals(&context, spread, plain, gates);
            } else {
                context.fuse_again(&decisive, spread, self.scratch);
                scale.greatest = self.greatest();
            }
        }
        let relevant = self.scratch.relevant.iter().filter(|relevant| **relevant).count();
        let mut ranked = self.select(scale, relevant);
        for hit in &mut ranked.hits {
            hit.terms = self.terms(hit, &context, spread, scale, plain);
        }
        ranked.considered = considered;
        ranked.below_minimum = considered - relevant;
        ranked.beyond_k = relevant.saturating_sub(ranked.hits.len() + ranked.collapsed.len());
        ranked.dense = spread.count > 0;
        if !self.query.explain {
            ranked.collapsed.clear();
        }
        ranked
    }

    /// Marks what takes part (all filters act here).
    fn mark_eligible(&mut self) -> Scope {
        let Query { as_of, kinds, .. } = *self.query;
        let mut scope = Scope { eligible: 0, messages: false, first: i64::MAX, last: i64::MIN };
        for (index, offset) in self.indexes.iter().zip(&self.scratch.offsets) {
            for (row, hot) in index.hot().iter().enumerate() {
                let valid = match as_of {
                    None => hot.is_live(),
                    Some(at) => {
                        hot.state != State::Quarantined && index.row(row as u32).is_some_and(|row| row.was_valid(at))
                    }
                };
                if !(valid && kinds.has(hot.kind)) {
                    continue;
                }
                self.scratch.eligible[offset.row + row] = true;
                scope.eligible += 1;
                scope.messages |= hot.kind == Kind::Message;
                if hot.time != UNKNOWN {
                    scope.first = scope.first.min(hot.time);
                    scope.last = scope.last.max(hot.time);
                }
            }
        }
        scope
    }

    /// The question's vector at unit length, if it has a usable one.
    fn unit_vector(&self) -> Option<Vec<f32>> {
        let mut unit = self.query.vector?.to_vec();
        vector::normalise(&mut unit).ok()?;
        Some(unit)
    }

    fn context<'c>(&mut self, words: &'c QueryWords, scope: Scope) -> Context<'c>
    where
        'a: 'c,
    {
        let eligible = self.scratch.words.iter().zip(&self.scratch.eligible);
        let best_words =
            eligible.fold(0.0_f32, |best, (words, eligible)| if *eligible { best.max(*words) } else { best });
        let sessions = self.indexes.iter().flat_map(|index| index.sessions());
        let dialogues = || sessions.clone().filter(|session| session.kind() == SessionKind::Dialogue);
        let count = sessions.clone().filter(|session| !session.rows.is_empty()).count();
        let with_sessions = count > SESSIONS_MORE_THAN && dialogues().next().is_some();
        if with_sessions {
            words::score_sessions(self.indexes, words, self.scratch, count);
        }
        let span = (scope.first <= scope.last).then_some((scope.first, scope.last));
        let Query { windows, time_zone, min_cosine, .. } = self.query;
        Context {
            indexes: self.indexes,
            words,
            dates: Dates::new(&words.dates, windows, time_zone, span),
            who: named_speakers(self.indexes, words),
            words_scale: if best_words > 0.0 { 1.0 / best_words } else { 0.0 },
            min_cosine: *min_cosine,
            sessions: with_sessions,
            messages: scope.messages,
            only_within: self.query.only_time.then_some(*windows),
        }
    }

    /// How much of recency counts for this question.
    fn gates(&self, words: &QueryWords) -> Gates {
        match words.cues {
            cues if cues.past || self.query.past => Gates { messages: RECENCY_PAST, learned: RECENCY_PAST },
            cues if cues.now => Gates { messages: RECENCY_NOW, learned: RECENCY_LEARNED },
            _ => Gates { messages: RECENCY_ELSE, learned: RECENCY_LEARNED },
        }
    }

    /// Fills `scratch.total` and `scratch.relevant`.
    fn totals(&mut self, context: &Context<'_>, spread: dense::Spread, plain: bool, gates: Gates) -> Scale {
        if plain {
            let near = spread.minimum(self.query.min_cosine);
            for at in 0..self.scratch.total.len() {
                let cosine = self.scratch.cosine[at];
                self.scratch.total[at] = cosine.max(0.0);
                self.scratch.relevant[at] = self.scratch.eligible[at] && cosine != NO_VECTOR && cosine >= near;
            }
            return Scale { greatest: 1.0, gates };
        }
        context.fuse(spread, self.scratch);
        Scale { greatest: self.greatest(), gates }
    }

    /// The greatest total of what takes part.
    fn greatest(&self) -> f32 {
        let totals = self.scratch.total.iter().zip(&self.scratch.eligible);
        totals.fold(0.0_f32, |best, (total, eligible)| if *eligible { best.max(*total) } else { best })
    }

    fn relevance(&self, row: usize, scale: Scale) -> f32 {
        if scale.greatest > 0.0 { self.scratch.total[row].max(0.0) / scale.greatest } else { 0.0 }
    }

    fn recency_of(&self, number: usize, row: u32) -> f64 {
        let index = self.indexes[number];
        let recent = index.row(row).map_or(UNKNOWN, |cold| cold.recent(&index.hot()[row as usize], self.query.now));
        recency((recent != UNKNOWN).then_some(recent), self.query.now, HALF_LIFE_MS)
    }

    /// The best `count` relevant rows, best first.
    fn best(&self, count: usize, scale: Scale) -> Vec<Candidate> {
        let weights = self.query.weights;
        let weight = weights.recency.max(0.0);
        let mut heap: BinaryHeap<Candidate> = BinaryHeap::new();
        for (number, index) in self.indexes.iter().enumerate() {
            let first_row = self.scratch.offsets[number].row;
            for (local, hot) in index.hot().iter().enumerate() {
                let row = first_row + local;
                if !self.scratch.relevant[row] {
                    continue;
                }
                let known = weights.relevance * f64::from(self.relevance(row, scale))
                    + weights.importance * f64::from(hot.importance);
                let worst = heap.peek().map_or(f64::NEG_INFINITY, |candidate| candidate.score);
                let gate = scale.gates.of(hot.kind);
                // Recency is looked up only where it could still decide.
                if heap.len() >= count && known + weight * gate < worst {
                    continue;
                }
                let Some(cold) = index.row(local as u32) else { continue };
                let score = known + weights.recency * gate * self.recency_of(number, local as u32);
                let candidate = Candidate { score, id: cold.id, row };
                if heap.len() < count {
                    heap.push(candidate);
                } else if let Some(mut worst) = heap.peek_mut()
                    && candidate < *worst
                {
                    *worst = candidate;
                }
            }
        }
        heap.into_sorted_vec()
    }

    /// Rows whose cosine could decide something: the best by what is known, and their neighbours.
    fn decisive(&self, scale: Scale) -> Vec<usize> {
        /// How far the running sums of a dialogue reach before they fade.
        const REACH: usize = 5;
        let mut rows = Vec::new();
        for candidate in self.best((self.query.k.min(1_000) * 8).max(128), scale) {
            rows.push(candidate.row);
            let (number, local) = self.scratch.locate(candidate.row);
            let index = self.indexes[number];
            let first_row = self.scratch.offsets[number].row;
            let hot = &index.hot()[local as usize];
            let Some(session) = index.sessions().get(hot.session as usize) else { continue };
            if let Some(at) = index.place_in(session, local) {
                let near = at.saturating_sub(REACH)..(at + REACH + 1).min(session.rows.len());
                rows.extend(session.rows[near].iter().map(|row| first_row + *row as usize));
            }
        }
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// Selects `k` hits, looking further down as long as duplicates take their places.
    fn select(&self, scale: Scale, relevant: usize) -> Ranked {
        let k = self.query.k.min(relevant);
        let mut count = (k + k / 2 + 16).min(relevant);
        loop {
            let best = self.best(count, scale);
            let entries: Vec<(usize, EntryRef<'_>)> = best
                .iter()
                .filter_map(|candidate| {
                    let (number, local) = self.scratch.locate(candidate.row);
                    Some((number, self.indexes[number].entry_at(local)?))
                })
                .collect();
            let (kept, collapsed) = collapse::keep(&entries, k);
            if kept.len() >= k || count >= relevant {
                let hit = |place: &usize| Hit {
                    id: best[*place].id,
                    index: entries[*place].0,
                    score: best[*place].score,
                    terms: Terms::default(),
                };
                return Ranked { hits: kept.iter().map(hit).collect(), collapsed, ..Ranked::default() };
            }
            count = (count * 4).min(relevant);
        }
    }

    /// The terms of a hit's score (REC-8).
    fn terms(&self, hit: &Hit, context: &Context<'_>, spread: dense::Spread, scale: Scale, plain: bool) -> Terms {
        let index = self.indexes[hit.index];
        let Some(local) = index.row_of(hit.id) else { return Terms::default() };
        let row = self.scratch.offsets[hit.index].row + local as usize;
        let cosine = self.scratch.cosine[row];
        let mut terms = Terms {
            relevance: self.relevance(row, scale),
            recency: self.recency_of(hit.index, local) as f32,
            recency_gate: scale.gates.of(index.hot()[local as usize].kind) as f32,
            importance: index.hot()[local as usize].importance,
            cosine: (cosine != NO_VECTOR).then_some(cosine),
            ..Terms::default()
        };
        if !plain {
            let own = context.own(hit.index, local, self.scratch);
            terms.words = self.scratch.words[row] * context.words_scale;
            terms.dense = super::params::DENSE * spread.calibrated(cosine);
            terms.neighbours = self.scratch.neighbours[row];
            (terms.session, terms.who, terms.when, terms.form) = (own.session, own.who, own.when, own.form);
        }
        terms
    }
}
