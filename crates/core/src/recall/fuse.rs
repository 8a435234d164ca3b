//! Fusion: words and vectors, and the evidence around an item, become one number.
//!
//! All signals add up. What an item's kind of conversation lacks (a speaker, a neighbour) adds
//! nothing, so that facts, dialogues and logs stand in one order.

use super::Window;
use super::dates::Dates;
use super::dense::Spread;
use super::params::{
    AFTER, ANSWER, BEFORE, BY_USER as USER_SAID, CARRY, DENSE, LEARNED, OPENER, QUESTION, REPLIED, REPLY, SESSION,
    WHEN, WHO, WHO_FIRST,
};
use super::scratch::{NO_VECTOR, Scratch};
use crate::index::{ASKS, ASKS_SHORTLY, BY_ASSISTANT, BY_USER, Hot, ScopeIndex, Session, SessionKind, TIME_WORDS};
use crate::item::Kind;
use crate::words::QueryWords;

/// What fusion knows besides the legs.
pub(super) struct Context<'a> {
    pub(super) indexes: &'a [&'a ScopeIndex],
    pub(super) words: &'a QueryWords,
    pub(super) dates: Dates,
    /// By index and speaker: what it is worth to be them.
    pub(super) who: Vec<Vec<f32>>,
    /// One over the greatest BM25 of an eligible item; 0 if there is none.
    pub(super) words_scale: f32,
    pub(super) min_cosine: f32,
    /// Whether the words of whole conversations were scored.
    pub(super) sessions: bool,
    /// Whether the scope has messages.
    pub(super) messages: bool,
    /// The windows of a question that names nothing but a time.
    pub(super) only_within: Option<&'a [Window]>,
}

/// The signals an item has by itself.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Own {
    pub(super) who: f32,
    pub(super) when: f32,
    pub(super) form: f32,
    pub(super) session: f32,
}

impl Own {
    fn sum(&self) -> f32 {
        self.who + self.when + self.form + self.session
    }
}

/// What it is worth to be a speaker the question names: the only one, or the first of several.
pub(super) fn named_speakers(indexes: &[&ScopeIndex], query: &QueryWords) -> Vec<Vec<f32>> {
    let mut named: Vec<(usize, &str)> = Vec::new();
    let first_place = |name: &str| {
        let folded = crate::words::fold_name(name);
        let by_word = query.surfaces.iter().filter(|(hash, _)| folded.words.contains(hash)).map(|(_, place)| *place);
        let by_nickname =
            query.capitals.iter().filter(|(word, _)| folded.text.starts_with(word.as_str())).map(|(_, place)| *place);
        by_word.chain(by_nickname).min()
    };
    for index in indexes {
        for (_, name) in index.speaker_names().iter() {
            if let Some(place) = first_place(name) {
                named.push((place, name));
            }
        }
    }
    named.sort_unstable();
    named.dedup_by(|a, b| a.1 == b.1);
    let worth = if named.len() > 1 { WHO_FIRST } else { WHO };
    let first = named.first().map(|(_, name)| *name);
    let of_index = |index: &&ScopeIndex| {
        let mut who = vec![0.0; index.speaker_names().len()];
        for (number, name) in index.speaker_names().iter() {
            if Some(name) == first {
                who[number as usize] = worth;
            }
        }
        who
    };
    indexes.iter().map(of_index).collect()
}

impl Context<'_> {
    /// Sums every signal up in `scratch.total`, and marks what is relevant at all.
    pub(super) fn fuse(&self, spread: Spread, scratch: &mut Scratch) {
        for (number, index) in self.indexes.iter().enumerate() {
            for row in 0..index.hot().len() as u32 {
                self.alone(number, row, spread, scratch);
            }
            for session in 0..index.sessions().len() {
                self.conversation(number, session, scratch);
            }
        }
        self.keep_within(scratch);
    }

    /// REC-10: a question that names only a time is answered by what lies in it.
    fn keep_within(&self, scratch: &mut Scratch) {
        let Some(windows) = self.only_within else { return };
        for (number, index) in self.indexes.iter().enumerate() {
            for (row, hot) in index.hot().iter().enumerate() {
                let at = scratch.offsets[number].row + row;
                let within = windows.iter().any(|window| (window.start..window.end).contains(&hot.time));
                scratch.relevant[at] = scratch.eligible[at] && within;
            }
        }
    }

    /// Does the same again for these rows, whose cosines have changed, and the conversations they
    /// are in. They are in order.
    pub(super) fn fuse_again(&self, rows: &[usize], spread: Spread, scratch: &mut Scratch) {
        let mut conversations: Vec<(usize, usize)> = Vec::new();
        for &row in rows {
            let (number, local) = scratch.locate(row);
            let hot = &self.indexes[number].hot()[local as usize];
            let in_session =
                hot.kind == Kind::Message && (hot.session as usize) < self.indexes[number].sessions().len();
            if in_session {
                conversations.push((number, hot.session as usize));
            } else {
                self.alone(number, local, spread, scratch);
            }
        }
        conversations.sort_unstable();
        conversations.dedup();
        for (number, session) in conversations {
            for &row in &self.indexes[number].sessions()[session].rows {
                self.alone(number, row, spread, scratch);
            }
            self.conversation(number, session, scratch);
        }
        self.keep_within(scratch);
    }

    /// What a row is worth without its conversation: words and cosine together, dates, its role; and whether it is
    /// relevant by itself (REC-4).
    #[inline]
    fn alone(&self, number: usize, row: u32, spread: Spread, scratch: &mut Scratch) {
        let at = scratch.offsets[number].row + row as usize;
        if !scratch.eligible[at] {
            return;
        }
        let hot = &self.indexes[number].hot()[row as usize];
        let (words, cosine) = (scratch.words[at], scratch.cosine[at]);
        let base = words * self.words_scale + DENSE * spread.calibrated(cosine);
        let by_kind = if hot.kind == Kind::Message { self.said_by(hot) } else { self.learned() };
        scratch.base[at] = base;
        scratch.neighbours[at] = 0.0;
        scratch.total[at] = base + by_kind + self.when(hot);
        scratch.relevant[at] = words > 0.0 || (cosine != NO_VECTOR && cosine >= spread.minimum(self.min_cosine));
    }

    fn conversation(&self, number: usize, session: usize, scratch: &mut Scratch) {
        let of = &self.indexes[number].sessions()[session];
        match of.kind() {
            SessionKind::Dialogue => self.dialogue(number, session, of, scratch),
            SessionKind::Log => self.log(number, of, scratch),
        }
    }

    /// A learned memory stands level with the user's own messages, where there are any.
    fn learned(&self) -> f32 {
        if self.messages { LEARNED } else { 0.0 }
    }

    /// What a message of a log, or of no conversation, is worth by its role.
    fn said_by(&self, hot: &Hot) -> f32 {
        if hot.flags & BY_USER != 0 && !self.words.cues.about_assistant { USER_SAID } else { 0.0 }
    }

    fn when(&self, hot: &Hot) -> f32 {
        let words = if self.words.cues.asks_when && hot.flags & TIME_WORDS != 0 { WHEN } else { 0.0 };
        words + if self.dates.is_empty() { 0.0 } else { self.dates.score(hot.time) }
    }

    /// A conversation between people: what was said before and after, who says it, whether it opens.
    fn dialogue(&self, number: usize, session: usize, of: &Session, scratch: &mut Scratch) {
        let first_row = scratch.offsets[number].row;
        let hot = self.indexes[number].hot();
        let session_worth =
            if self.sessions { SESSION * scratch.sessions[scratch.offsets[number].session + session] } else { 0.0 };
        let mut before: Option<(f32, f32, u8)> = None;
        let mut since_relevant = usize::MAX;
        for &row in &of.rows {
            let at = first_row + row as usize;
            if !scratch.eligible[at] {
                continue;
            }
            let item = &hot[row as usize];
            let (sum, opens, answers) = match before {
                Some((base, sum, flags)) => (base + CARRY * sum, false, flags & ASKS_SHORTLY != 0),
                None => (0.0, true, false),
            };
            let own = self.dialogue_own(number, item, opens, session_worth);
            scratch.neighbours[at] = sum * (BEFORE + if answers { ANSWER } else { 0.0 });
            scratch.total[at] = scratch.base[at] + own.sum();
            since_relevant = if scratch.relevant[at] { 0 } else { since_relevant.saturating_add(1) };
            scratch.near_relevant[at] = since_relevant <= DIALOGUE_REACH;
            before = Some((scratch.base[at], sum, item.flags));
        }
        let mut after: Option<(f32, f32)> = None;
        let mut since_relevant = usize::MAX;
        for &row in of.rows.iter().rev() {
            let at = first_row + row as usize;
            if !scratch.eligible[at] {
                continue;
            }
            let sum = after.map_or(0.0, |(base, sum)| base + CARRY * sum);
            scratch.neighbours[at] += AFTER * sum;
            scratch.total[at] += scratch.neighbours[at];
            since_relevant = if scratch.relevant[at] { 0 } else { since_relevant.saturating_add(1) };
            scratch.near_relevant[at] |= since_relevant <= DIALOGUE_REACH;
            after = Some((scratch.base[at], sum));
        }
        mark_near(first_row, of, scratch);
    }

    fn dialogue_own(&self, number: usize, item: &Hot, opens: bool, session: f32) -> Own {
        Own {
            who: self.who[number].get(item.speaker as usize).copied().unwrap_or(0.0),
            when: self.when(item),
            form: if opens { OPENER } else { 0.0 } - if item.flags & ASKS != 0 { QUESTION } else { 0.0 },
            session,
        }
    }

    /// A chat with an assistant: message and reply speak for each other, nothing further does.
    fn log(&self, number: usize, of: &Session, scratch: &mut Scratch) {
        let first_row = scratch.offsets[number].row;
        let hot = self.indexes[number].hot();
        // The row before, what it is worth, whether it is relevant by itself, its flags.
        let mut before: Option<(usize, f32, bool, u8)> = None;
        for &row in &of.rows {
            let at = first_row + row as usize;
            if !scratch.eligible[at] {
                continue;
            }
            let (flags, base, relevant) = (hot[row as usize].flags, scratch.base[at], scratch.relevant[at]);
            if let Some((earlier, earlier_base, earlier_relevant, earlier_flags)) = before {
                if flags & BY_ASSISTANT != 0 {
                    scratch.neighbours[at] += REPLY * earlier_base;
                    scratch.total[at] += REPLY * earlier_base;
                    scratch.relevant[at] |= earlier_relevant;
                }
                if earlier_flags & BY_USER != 0 {
                    scratch.neighbours[earlier] += REPLIED * base;
                    scratch.total[earlier] += REPLIED * base;
                    scratch.relevant[earlier] |= relevant;
                }
            }
            before = Some((at, base, relevant, flags));
        }
    }

    /// The signals of one row by themselves, for explaining it.
    pub(super) fn own(&self, number: usize, row: u32, scratch: &Scratch) -> Own {
        let index = self.indexes[number];
        let item = &index.hot()[row as usize];
        if item.kind != Kind::Message {
            return Own { when: self.when(item), form: self.learned(), ..Own::default() };
        }
        let first_row = scratch.offsets[number].row;
        match index.sessions().get(item.session as usize) {
            Some(session) if session.kind() == SessionKind::Dialogue => {
                let first = session.rows.iter().find(|row| scratch.eligible[first_row + **row as usize]);
                let worth = if self.sessions {
                    SESSION * scratch.sessions[scratch.offsets[number].session + item.session as usize]
                } else {
                    0.0
                };
                self.dialogue_own(number, item, first == Some(&row), worth)
            }
            _ => Own { when: self.when(item), who: self.said_by(item), ..Own::default() },
        }
    }
}

/// How many messages away from a relevant one a message of a dialogue is still relevant through it.
const DIALOGUE_REACH: usize = 2;

/// Makes messages near a relevant one relevant, once both directions have been looked at.
fn mark_near(first_row: usize, of: &Session, scratch: &mut Scratch) {
    for &row in &of.rows {
        let at = first_row + row as usize;
        scratch.relevant[at] |= scratch.eligible[at] && scratch.near_relevant[at];
    }
}
