//! The index of one scope, in memory: what recall searches (DESIGN, idea 4).
//!
//! Derived from the ledger's rows and never the truth: it can be dropped and built again at any
//! time. Putting and removing entries one by one gives the very index that building it afresh gives,
//! whatever the order, up to the numbering of rows, which nothing that leaves this module depends on.
//!
//! | file | holds |
//! |---|---|
//! | `entry` | an entry, as it is told and as it is read back |
//! | `row` | the entries' own fields: hot column, the rest, the seldom |
//! | `vectors` | `f32` rows one after the other; a copy in bytes from 20,000 rows on |
//! | `postings` | term -> passages, 4 bytes a posting |
//! | `passages` | owner, length and terms of each passage |
//! | `sessions` | the messages of each conversation in order |
//! | `names` | session and speaker names, each once |
//! | `evict` | what goes first when a scope is over its cap (MEM-8) |
//!
//! A memory of 120 characters with a vector of 384 dimensions takes about 2.1 KB, 1.5 of them vector.

mod entry;
mod evict;
mod flags;
mod names;
mod passages;
mod postings;
mod row;
mod sessions;
#[cfg(test)]
mod tests;
mod vectors;

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use jiff::civil::Date;

pub use entry::{Entry, EntryRef};
pub use evict::KeepRank;
pub(crate) use names::Names;
pub(crate) use passages::Passages;
pub(crate) use postings::Posting;
pub(crate) use row::{ASKS, ASKS_SHORTLY, BY_ASSISTANT, BY_USER, Hot, Row, TIME_WORDS, UNKNOWN};
pub(crate) use sessions::Session;
pub(crate) use sessions::SessionKind;
pub(crate) use vectors::{NONE, Vectors};

use crate::ids::MemoryId;
use crate::item::{Kind, Slot};
use crate::passage;
use crate::vector;
use crate::words::{Analyser, Analysis, IdentityHasher, Latin, LatinSet, Term};
use flags::{date_of, role_flag, text_flags};
use postings::{MAX_PASSAGES, Postings, table_bytes};
use row::{Extra, IN_USE, known};

/// Names that are parts in a conversation and name nobody.
const ROLE_WORDS: [&str; 6] = ["user", "assistant", "system", "human", "ai", "bot"];

/// How many items of a scope are live.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Learned ones, which the cap of MEM-8 counts.
    pub learned: usize,
    /// Messages, which are counted apart.
    pub messages: usize,
    /// Those of either that have no vector, which only words find.
    pub without_vectors: usize,
}

/// The memories of one scope, ready to be searched.
///
/// ```
/// use myosotis_core::index::ScopeIndex;
/// let index = ScopeIndex::new(384);
/// assert_eq!(index.len(), 0);
/// ```
#[derive(Debug, Default)]
pub struct ScopeIndex {
    hot: Vec<Hot>,
    rows: Vec<Option<Row>>,
    free: Vec<u32>,
    ids: HashMap<MemoryId, u32, BuildHasherDefault<IdentityHasher>>,
    vectors: Vectors,
    passages: Passages,
    postings: Postings,
    sessions: Vec<Session>,
    session_names: Names,
    speaker_names: Names,
    slots: HashMap<Slot, Vec<u32>>,
    /// Passages by the language their Latin words were stemmed as.
    languages: [u32; Latin::ALL.len()],
    counts: Counts,
    row_bytes: usize,
    analyser: Analyser,
    form: String,
}

impl ScopeIndex {
    /// An empty index for vectors of `dims` dimensions; 0 for none.
    #[must_use]
    pub fn new(dims: usize) -> Self {
        Self { vectors: Vectors::new(dims), ..Self::default() }
    }

    /// An index of `entries`, with no memory to spare.
    #[must_use]
    pub fn build(dims: usize, entries: impl IntoIterator<Item = Entry>) -> Self {
        let entries = entries.into_iter();
        let mut index = Self::new(dims);
        index.reserve(entries.size_hint().0);
        for entry in entries {
            index.put(entry);
        }
        index.shrink();
        index
    }

    /// Makes room for `entries` more.
    pub fn reserve(&mut self, entries: usize) {
        self.hot.reserve_exact(entries);
        self.rows.reserve_exact(entries);
        self.ids.reserve(entries);
        self.vectors.reserve(entries);
        self.passages.reserve(entries);
    }

    /// Gives back memory kept for growth.
    pub fn shrink(&mut self) {
        self.vectors.shrink();
        self.passages.shrink();
        self.postings.shrink();
        self.rows.shrink_to_fit();
        self.hot.shrink_to_fit();
        self.ids.shrink_to_fit();
        self.analyser = Analyser::default();
        self.form = String::new();
    }

    /// Adds an entry, or replaces the one with its id.
    pub fn put(&mut self, entry: Entry) {
        self.remove(entry.id);
        let row = self.free.pop().unwrap_or_else(|| {
            passages::grow(&mut self.hot, Hot::FREE);
            passages::grow(&mut self.rows, None);
            self.rows.len() as u32 - 1
        });
        let is_message = entry.kind == Kind::Message;
        let name =
            entry.source.speaker.as_deref().filter(|name| !ROLE_WORDS.iter().any(|r| name.eq_ignore_ascii_case(r)));
        let mut hot = Hot {
            time: entry.event.map(|(start, _)| start).or(entry.created).unwrap_or(UNKNOWN),
            session: self.session_names.take(entry.source.session.as_deref()),
            speaker: self.speaker_names.take(entry.source.speaker.as_deref()),
            importance: if entry.importance.is_finite() { entry.importance.clamp(0.0, 1.0) } else { 0.5 },
            kind: entry.kind,
            state: entry.state,
            flags: IN_USE | text_flags(&entry.text) | role_flag(entry.source.role),
        };
        let first_vector = self.vectors.insert(row, &entry.vectors);
        let date = entry.event.map(|(start, _)| start).or(entry.created.filter(|_| is_message)).and_then(date_of);
        let (first_passage, time_words, words) = self.put_words(row, &entry.text, name, date);
        hot.flags |= if time_words { TIME_WORDS } else { 0 };
        let extra = Extra {
            event: entry.event,
            valid_from: entry.valid_from.filter(|from| Some(*from) != entry.created),
            valid_to: entry.valid_to,
            lineage: (entry.lineage != entry.id).then_some(entry.lineage),
            quote: entry.source.quote.map(String::into_boxed_str),
            slot: entry.slot,
        };
        let created = entry.created.unwrap_or(UNKNOWN);
        let new = Row {
            id: entry.id,
            tag: entry.tag,
            text: entry.text.into_boxed_str(),
            message: entry.source.message.map(String::into_boxed_str),
            extra: extra.boxed(),
            stored: entry.stored,
            created,
            accessed: entry.accessed.unwrap_or(UNKNOWN),
            position: entry.source.position.unwrap_or(NONE),
            part: entry.source.part,
            support: entry.support,
            first_passage,
            first_vector,
            origin: entry.source.origin,
            role: entry.source.role,
            pinned: entry.pinned,
        };
        self.row_bytes += new.bytes();
        if let Some(slot) = new.slot() {
            self.slots.entry(slot.clone()).or_default().push(row);
        }
        self.count(&hot, first_vector, 1);
        self.hot[row as usize] = hot;
        self.rows[row as usize] = Some(new);
        self.ids.insert(entry.id, row);
        if is_message && hot.session != NONE {
            self.enter_session(row, words, name.is_some());
        }
    }

    /// Indexes the words of an entry: first passage, whether it has words of time, length.
    fn put_words(&mut self, row: u32, text: &str, name: Option<&str>, date: Option<Date>) -> (u32, bool, u64) {
        let mut analysis = Analysis::default();
        let (mut first, mut time_words, mut words) = (NONE, false, 0);
        let mut form = std::mem::take(&mut self.form);
        for part in passage::passages(text).into_iter().rev() {
            if self.passages.len() as u32 >= MAX_PASSAGES {
                break;
            }
            let spoken = passage::write_word_form(&mut form, part, name, date);
            analysis.words.clear();
            analysis.extras.clear();
            analysis.has_time_words = false;
            self.analyser.add(&form, spoken, true, &mut analysis);
            time_words |= analysis.has_time_words;
            words += analysis.words.len() as u64;
            first = self.passages.insert(row, first, &analysis);
            self.languages[analysis.latin as usize] += 1;
            self.post(first);
        }
        self.form = form;
        (first, time_words, words)
    }

    /// Enters a passage's terms in the postings.
    fn post(&mut self, passage: u32) {
        let mut terms: Vec<Term> = self.passages.terms(passage).to_vec();
        terms.sort_unstable();
        for same in terms.chunk_by(|a, b| a == b) {
            self.postings.insert(same[0], passage, same.len() as u32);
        }
    }

    fn count(&mut self, hot: &Hot, first_vector: u32, by: isize) {
        if !hot.is_live() {
            return;
        }
        let count = if hot.kind.is_learned() { &mut self.counts.learned } else { &mut self.counts.messages };
        *count = count.saturating_add_signed(by);
        if first_vector == NONE {
            self.counts.without_vectors = self.counts.without_vectors.saturating_add_signed(by);
        }
    }

    /// A row's place in its conversation: by position, then time, then part, then id.
    fn order(&self, row: u32) -> (u32, i64, u32, MemoryId) {
        match &self.rows[row as usize] {
            Some(cold) => (cold.position, cold.created, cold.part, cold.id),
            None => (NONE, UNKNOWN, 0, MemoryId::from_bytes([0xff; 16])),
        }
    }

    fn enter_session(&mut self, row: u32, words: u64, named: bool) {
        let Hot { session: number, speaker, .. } = self.hot[row as usize];
        if self.sessions.len() <= number as usize {
            self.sessions.resize_with(number as usize + 1, Session::default);
        }
        let mut session = std::mem::take(&mut self.sessions[number as usize]);
        session.insert(row, if named { speaker } else { NONE }, |row| self.order(row));
        session.words += words;
        self.sessions[number as usize] = session;
    }

    fn leave_session(&mut self, row: u32, words: u64) {
        let Hot { session: number, speaker, .. } = self.hot[row as usize];
        let Some(place) = self.sessions.get_mut(number as usize) else { return };
        let mut session = std::mem::take(place);
        session.remove(row, speaker, |row| self.order(row));
        session.words -= words;
        self.sessions[number as usize] = session;
    }

    /// Removes an entry; false if it is not there.
    pub fn remove(&mut self, id: MemoryId) -> bool {
        let Some(row) = self.ids.remove(&id) else { return false };
        let hot = self.hot[row as usize];
        let Some(cold) = &self.rows[row as usize] else { return false };
        let (first_vector, mut passage) = (cold.first_vector, cold.first_passage);
        self.row_bytes -= cold.bytes();
        let slot = cold.slot().cloned();
        let mut words = 0;
        while passage != NONE {
            let mut terms: Vec<Term> = self.passages.terms(passage).to_vec();
            terms.sort_unstable();
            terms.dedup();
            for term in terms {
                self.postings.remove(term, passage);
            }
            words += u64::from(self.passages.length(passage));
            self.languages[self.passages.latin(passage) as usize] -= 1;
            passage = self.passages.remove(passage);
        }
        if hot.kind == Kind::Message && hot.session != NONE {
            self.leave_session(row, words);
        }
        self.vectors.remove(first_vector);
        if let Some(slot) = slot
            && let Some(rows) = self.slots.get_mut(&slot)
        {
            rows.retain(|other| *other != row);
            if rows.is_empty() {
                self.slots.remove(&slot);
            }
        }
        self.session_names.release(hot.session);
        self.speaker_names.release(hot.speaker);
        self.count(&hot, first_vector, -1);
        self.hot[row as usize] = Hot::FREE;
        self.rows[row as usize] = None;
        self.free.push(row);
        true
    }

    /// Notes that recall returned the entry at `at`. An earlier time than the one noted leaves that
    /// one (clocks that jump back do no harm).
    pub fn touch(&mut self, id: MemoryId, at: i64) {
        if let Some(&row) = self.ids.get(&id)
            && let Some(cold) = &mut self.rows[row as usize]
        {
            cold.accessed = cold.accessed.max(at);
        }
    }

    /// One entry.
    #[must_use]
    pub fn get(&self, id: MemoryId) -> Option<EntryRef<'_>> {
        self.entry_at(*self.ids.get(&id)?)
    }

    /// Every entry, of every state, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = EntryRef<'_>> {
        (0..self.rows.len() as u32).filter_map(|row| self.entry_at(row))
    }

    pub(crate) fn entry_at(&self, row: u32) -> Option<EntryRef<'_>> {
        let cold = self.rows.get(row as usize)?.as_ref()?;
        Some(EntryRef { index: self, hot: &self.hot[row as usize], cold })
    }

    /// How many entries there are, of every state.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// How many entries are live.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Components of its vectors.
    #[must_use]
    pub fn dims(&self) -> usize {
        self.vectors.dims()
    }

    /// The live value of a slot (MEM-6): the newest, should there be several.
    #[must_use]
    pub fn by_slot(&self, slot: &Slot) -> Option<MemoryId> {
        let rows = self.slots.get(slot)?.iter();
        let live = rows.filter(|row| self.hot[**row as usize].is_live());
        let newest = live.filter_map(|row| self.rows[*row as usize].as_ref()).max_by_key(|row| row.newness());
        newest.map(|row| row.id)
    }

    /// The live entries of a kind whose vectors have at least this cosine to `vector`, best first
    /// (MEM-5).
    #[must_use]
    pub fn near(&self, vector: &[f32], kind: Kind, min_cosine: f32) -> Vec<(MemoryId, f32)> {
        let mut unit = vector.to_vec();
        if unit.len() != self.dims() || vector::normalise(&mut unit).is_err() {
            return Vec::new();
        }
        let mut products = vec![0.0; self.vectors.rows()];
        vector::dots(&unit, self.vectors.data(), &mut products);
        let mut best: HashMap<u32, f32> = HashMap::new();
        for (owner, product) in self.vectors.owners().iter().zip(products) {
            let fits = |hot: &Hot| hot.is_live() && hot.kind == kind;
            if product >= min_cosine && self.hot.get(*owner as usize).is_some_and(fits) {
                let known = best.entry(*owner).or_insert(product);
                *known = known.max(product);
            }
        }
        let mut near: Vec<_> =
            best.into_iter().filter_map(|(row, cosine)| Some((self.entry_at(row)?.id(), cosine))).collect();
        near.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        near
    }

    /// Heap bytes, for a cache that is bounded by them.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let sessions = self.sessions.capacity() * size_of::<Session>();
        size_of::<Self>()
            + self.hot.capacity() * size_of::<Hot>()
            + self.rows.capacity() * size_of::<Option<Row>>()
            + self.free.capacity() * 4
            + table_bytes::<(MemoryId, u32)>(self.ids.capacity())
            + self.vectors.bytes()
            + self.passages.bytes()
            + self.postings.bytes()
            + sessions
            + self.sessions.iter().map(Session::bytes).sum::<usize>()
            + self.session_names.bytes()
            + self.speaker_names.bytes()
            + table_bytes::<(Slot, Vec<u32>)>(self.slots.capacity())
            + self.slots.iter().map(|(slot, rows)| slot.as_str().len() + rows.capacity() * 4).sum::<usize>()
            + self.row_bytes
    }
}

/// What recall reads of an index.
impl ScopeIndex {
    pub(crate) fn hot(&self) -> &[Hot] {
        &self.hot
    }

    pub(crate) fn row(&self, row: u32) -> Option<&Row> {
        self.rows.get(row as usize)?.as_ref()
    }

    pub(crate) fn row_of(&self, id: MemoryId) -> Option<u32> {
        self.ids.get(&id).copied()
    }

    /// Where a row stands in its conversation.
    pub(crate) fn place_in(&self, session: &Session, row: u32) -> Option<usize> {
        let own = self.order(row);
        let at = session.rows.partition_point(|other| self.order(*other) < own);
        (session.rows.get(at) == Some(&row)).then_some(at)
    }

    pub(crate) fn vectors(&self) -> &Vectors {
        &self.vectors
    }

    pub(crate) fn passages(&self) -> &Passages {
        &self.passages
    }

    pub(crate) fn postings(&self, term: Term) -> &[Posting] {
        self.postings.get(term)
    }

    pub(crate) fn sessions(&self) -> &[Session] {
        &self.sessions
    }

    pub(crate) fn speaker_names(&self) -> &Names {
        &self.speaker_names
    }

    pub(crate) fn languages(&self) -> LatinSet {
        let present = Latin::ALL.into_iter().filter(|latin| self.languages[*latin as usize] > 0);
        LatinSet(present.map(Latin::bit).sum())
    }
}
