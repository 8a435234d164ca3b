//! From text to terms: what the word leg of recall matches on (REC-3).
//!
//! A text is folded and cut into tokens (`segment`), its language guessed from its stop words
//! (`stop`), each word reduced to a stem (`stem`) and each stem to a 32-bit hash: postings hold no
//! strings. A query (`query`) goes the same way but brings alternatives: the stem under each
//! language that the searched texts are in, and other spellings (`Muenchen` for `München`), so that
//! a wrong guess on either side hides nothing.
//!
//! | script | terms |
//! |---|---|
//! | Latin, Cyrillic, Greek, Arabic, Hebrew, Devanagari | words, without diacritics, stemmed |
//! | Han, Kana, Thai, Lao, Khmer, Myanmar | single characters and pairs of them |
//! | Hangul | words without their particle, and pairs of syllables |
//! | emoji | each its own |
//! | `XK-4711`, `v2.3.1`, addresses, dates | whole, and each part |
//! | long German and Dutch words | also their beginnings and ends, as terms of lower weight |

mod cues;
mod fold;
mod hash;
mod months;
mod query;
mod segment;
mod stem;
mod stop;
mod stop_lists;

pub(crate) use hash::IdentityHasher;
pub use hash::Term;
pub(crate) use months::DateMention;
pub(crate) use query::{Group, QueryWords, query};
pub(crate) use stop::{Latin, LatinSet};

use std::ops::Range;

use segment::{Class, Segments, Token};

/// The terms of a text.
#[derive(Debug, Default, Clone)]
pub struct Analysis {
    /// Terms in the order of the text, stop words left out: their count is the text's length for
    /// BM25, their neighbourhood makes pairs.
    pub words: Vec<Term>,
    /// Further terms to find the text by: wholes of codes, single characters, parts of compounds.
    pub extras: Vec<Term>,
    /// The language its Latin words were stemmed as.
    pub(crate) latin: Latin,
    /// Whether it has a word of time: `yesterday`, `May`, `2023`.
    pub(crate) has_time_words: bool,
}

/// Analyses texts, reusing its buffers.
#[derive(Debug, Default)]
pub(crate) struct Analyser {
    segments: Segments,
}

impl Analyser {
    /// Adds the terms of `text` to `out`. The language is guessed from this text alone; words of time
    /// count within `spoken`, a range of its bytes (the rest is a name and a date). If that range has
    /// nothing but stop words and `keep` is set, they are terms: a memory may be about The Who.
    pub(crate) fn add(&mut self, text: &str, spoken: Range<usize>, keep: bool, out: &mut Analysis) {
        self.segments.cut(text);
        out.latin = stop::guess(&self.segments);
        let is_spoken = |token: &Token| spoken.contains(&(token.at as usize));
        let mut silent = keep;
        for token in &self.segments.tokens {
            let before = out.words.len() + out.extras.len();
            add_token(&self.segments, *token, out.latin.bit() | stop::OTHER_SCRIPT, out);
            if is_spoken(token) {
                out.has_time_words |= token.cues & cues::TIME != 0;
                silent &= before == out.words.len() + out.extras.len();
            }
        }
        if silent {
            self.segments.tokens.iter().filter(|token| is_spoken(token)).for_each(|token| {
                add_token(&self.segments, *token, 0, out);
            });
        }
    }
}

/// The terms of one text.
///
/// ```
/// use myosotis_core::words::analyse;
/// assert_eq!(analyse("She likes running").words, analyse("she liked the run").words);
/// assert_eq!(analyse("Ｈｅｌｌｏ").words, analyse("HELLO").words);
/// ```
#[must_use]
pub fn analyse(text: &str) -> Analysis {
    let mut out = Analysis::default();
    Analyser::default().add(text, 0..text.len(), false, &mut out);
    out
}

/// Adds the terms of a token, unless it is a stop word by one of the bits `stops`.
fn add_token(segments: &Segments, token: Token, stops: u16, out: &mut Analysis) {
    let word = segments.word(token);
    match token.class {
        Class::Latin if token.stops & stops == 0 => {
            out.words.push(stem::latin(word, token.hash, out.latin));
            if out.latin.has_compounds() {
                stem::compound_parts(word, out.latin, &mut out.extras);
            }
        }
        Class::Latin => {}
        Class::Cyrillic | Class::Greek | Class::Arabic | Class::Devanagari | Class::Hebrew | Class::OtherWord => {
            if token.stops & stops == 0 {
                out.words.push(stem::by_script(word, token.hash, token.class));
                out.extras.extend(stem::second_form(word, token.class));
            }
        }
        Class::Whole | Class::Piece => out.extras.push(hash::term(token.hash)),
        Class::Emoji => out.words.push(hash::term(token.hash)),
        Class::Hangul => {
            let stem = stem::korean(word);
            out.words.push(Term::of(stem));
            let mut units = segment::units(stem, token.class);
            if units.len() > 2 || stem.len() != word.len() {
                pairs(word, &segment::units(word, token.class), |pair| out.extras.push(Term::of(pair)));
            }
            units.truncate(1);
            if stem.len() > units[0].len() {
                out.extras.push(Term::of(&stem[units[0].clone()]));
            }
        }
        Class::Cjk | Class::SoutheastAsian => {
            let units = segment::units(word, token.class);
            if units.len() == 1 {
                out.words.push(Term::of(word));
                return;
            }
            pairs(word, &units, |pair| out.words.push(Term::of(pair)));
            out.extras.extend(units.iter().map(|unit| Term::of(&word[unit.clone()])));
        }
    }
}

/// A name, folded for being looked up among the words of a question.
pub(crate) struct FoldedName {
    /// The name without case and diacritics.
    pub(crate) text: String,
    /// The hashes of its words.
    pub(crate) words: Vec<u64>,
}

/// Folds a name.
pub(crate) fn fold_name(name: &str) -> FoldedName {
    let text = stop::folded(name);
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(hash::hash).collect();
    FoldedName { text, words }
}

/// Whether a character is of a script that puts no spaces between words.
#[must_use]
pub(crate) fn is_without_spaces(c: char) -> bool {
    matches!(fold::sort(c), fold::Sort::Cjk | fold::Sort::SoutheastAsian)
}

/// Calls `found` with each two neighbouring units of `word`.
fn pairs<'a>(word: &'a str, units: &[Range<usize>], mut found: impl FnMut(&'a str)) {
    for two in units.windows(2) {
        found(&word[two[0].start..two[1].end]);
    }
}

#[cfg(test)]
mod tests;
