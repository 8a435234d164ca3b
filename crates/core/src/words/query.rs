//! A question's terms: for each of its words a group of alternatives, any of which finds a text.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::cues::{self, Cues};
use super::hash::{Term, term};
use super::months::{self, DateMention};
use super::segment::{self, Class, Segments, Token};
use super::stop::{self, Latin, LatinSet};
use super::{stem, stop_lists};

/// One way to find a text by a word.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Alternative {
    /// The term looked for.
    pub(crate) term: Term,
    /// How much finding it counts, up to 1.
    pub(crate) weight: f32,
}

/// A word of the question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Group {
    /// Ways to find it; a text scores by the best.
    pub(crate) alternatives: Vec<Alternative>,
    /// How much the word counts: 1, less for single characters out of a longer run.
    pub(crate) weight: f32,
    /// Whether it belongs to a date, which the column of dates answers better than the words do.
    pub(crate) in_date: bool,
}

/// A question, analysed.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct QueryWords {
    /// Its words, each once.
    pub(crate) groups: Vec<Group>,
    /// Words that follow each other, stop words left out, as places in `groups`; each pair once.
    pub(crate) pairs: Vec<(usize, usize)>,
    /// The hashes of all its words as they stand and their places: names are looked up in it.
    pub(crate) surfaces: Vec<(u64, usize)>,
    /// Its folded words of three letters and more that began with a capital one, without stop words, and
    /// their places: nicknames are looked up in it.
    pub(crate) capitals: Vec<(String, usize)>,
    /// Dates it names.
    pub(crate) dates: Vec<DateMention>,
    /// What it asks besides its subject.
    pub(crate) cues: Cues,
    /// Its own language, if written in Latin letters.
    pub(crate) latin: Latin,
}

/// How much a single character counts when the run it stands in is longer. Too little to carry a
/// text that shares nothing else far, enough to find `猫` in a sentence about it.
const LONE_CHARACTER: f32 = 0.4;
/// How much a pair of syllables counts beside the Korean word it is of.
const SYLLABLE_PAIR: f32 = 0.4;
/// How much the whole of a code, or the number in `8th`, counts beside its parts or whole.
const CODE_EXTRA: f32 = 0.5;
/// How much a word counts where it is only part of a compound.
const COMPOUND_PART: f32 = 0.6;

struct Stops {
    characters: HashSet<char>,
    pairs: HashSet<&'static str>,
}

static STOPS: LazyLock<Stops> = LazyLock::new(|| Stops {
    characters: stop_lists::CHARACTERS.chars().collect(),
    pairs: stop_lists::PAIRS.split_whitespace().collect(),
});

thread_local! {
    static SEGMENTS: std::cell::RefCell<Segments> = std::cell::RefCell::default();
}

/// Analyses a question for searching texts that are in `languages`.
#[must_use]
pub(crate) fn query(text: &str, languages: LatinSet) -> QueryWords {
    SEGMENTS.with_borrow_mut(|segments| {
        segments.cut(text);
        let latin = stop::guess(segments);
        let cues = cues::find(text, segments, latin);
        let mut in_date = Vec::new();
        let dates = months::find(segments, &mut in_date);
        let out = QueryWords { latin, cues, dates, ..QueryWords::default() };
        let mut builder = Builder { segments, latin, languages, out, last: None, in_date: false, keep_stops: false };
        builder.add_all(&in_date);
        if builder.out.groups.is_empty() {
            // Nothing but stop words: then it is about them. Hà Nội is two of Italian, The Who two of English.
            builder.keep_stops = true;
            builder.out.surfaces.clear();
            builder.add_all(&in_date);
        }
        builder.out
    })
}

struct Builder<'a> {
    segments: &'a Segments,
    latin: Latin,
    languages: LatinSet,
    out: QueryWords,
    /// The group of the word before.
    last: Option<usize>,
    in_date: bool,
    /// Whether stop words are looked for like any other.
    keep_stops: bool,
}

impl Builder<'_> {
    fn add_all(&mut self, in_date: &[bool]) {
        let segments = self.segments;
        for (place, token) in segments.tokens.iter().enumerate() {
            self.in_date = in_date[place];
            self.add(*token, place);
        }
    }

    fn add(&mut self, token: Token, place: usize) {
        let word = self.segments.word(token);
        if !matches!(token.class, Class::Whole | Class::Piece) {
            self.out.surfaces.push((token.hash, place));
        }
        match token.class {
            Class::Latin if self.keep_stops || token.stops & self.latin.bit() == 0 => {
                if token.capital && word.len() >= 3 && word.bytes().all(|b| b.is_ascii_lowercase()) {
                    self.out.capitals.push((word.to_owned(), place));
                }
                self.latin_word(token, word);
            }
            Class::Latin => {}
            Class::Cyrillic | Class::Greek | Class::Arabic | Class::Devanagari | Class::Hebrew | Class::OtherWord => {
                if self.keep_stops || token.stops & stop::OTHER_SCRIPT == 0 {
                    let second = stem::second_form(word, token.class);
                    let terms = [Some(stem::by_script(word, token.hash, token.class)), second];
                    self.push(terms.into_iter().flatten().map(full).collect(), 1.0, true);
                }
            }
            Class::Whole | Class::Piece => self.push(vec![full(term(token.hash))], CODE_EXTRA, false),
            Class::Emoji => self.push(vec![full(term(token.hash))], 1.0, true),
            Class::Hangul if self.keep_stops || token.stops & stop::OTHER_SCRIPT == 0 => self.korean(word),
            Class::Hangul => {}
            Class::Cjk | Class::SoutheastAsian => self.run(word, token.class),
        }
    }

    fn latin_word(&mut self, token: Token, word: &str) {
        let mut alternatives = vec![full(stem::latin(word, token.hash, self.latin))];
        let mut add = |term: Term, weight: f32| {
            if alternatives.iter().all(|alternative| alternative.term != term) {
                alternatives.push(Alternative { term, weight });
            }
        };
        let long_form = self.segments.spelling(token);
        let may_be_long = word.is_ascii() && ["ae", "oe", "ue"].iter().any(|pair| word.contains(pair));
        let short_form = may_be_long.then(|| stem::without_umlaut_e(word));
        for latin in self.languages.iter() {
            for form in [Some(word), long_form, short_form.as_deref()].into_iter().flatten() {
                add(stem::latin(form, super::hash::hash(form), latin), 1.0);
            }
        }
        for latin in self.languages.iter() {
            if let Some(part) = stem::as_part(word, latin) {
                add(part, COMPOUND_PART);
            }
        }
        self.push(alternatives, 1.0, true);
    }

    fn korean(&mut self, word: &str) {
        let stem = stem::korean(word);
        let mut alternatives = vec![full(Term::of(stem))];
        if stem.len() != word.len() {
            alternatives.push(full(Term::of(word)));
        }
        self.push(alternatives, 1.0, true);
        super::pairs(stem, &segment::units(stem, Class::Hangul), |pair| {
            if pair.len() < stem.len() {
                self.push(vec![full(Term::of(pair))], SYLLABLE_PAIR, false);
            }
        });
        // A two-syllable word inside a longer one is a pair there, under the same term.
    }

    /// A run of characters without spaces.
    fn run(&mut self, word: &str, class: Class) {
        let units = segment::units(word, class);
        if units.len() == 1 {
            self.push(vec![full(Term::of(word))], 1.0, true);
            return;
        }
        super::pairs(word, &units, |pair| {
            if !is_stop_pair(pair) {
                self.push(vec![full(Term::of(pair))], 1.0, false);
            }
        });
        if class == Class::Cjk {
            for unit in units {
                let unit = &word[unit];
                if unit.chars().all(|c| is_han(c) && !STOPS.characters.contains(&c)) {
                    self.push(vec![full(Term::of(unit))], LONE_CHARACTER, false);
                }
            }
        }
    }

    fn push(&mut self, alternatives: Vec<Alternative>, weight: f32, in_order: bool) {
        let known = |group: &Group| group.alternatives[0].term == alternatives[0].term;
        let at = self.out.groups.iter().position(known).unwrap_or_else(|| {
            self.out.groups.push(Group { alternatives, weight, in_date: self.in_date });
            self.out.groups.len() - 1
        });
        if !in_order {
            return;
        }
        if let Some(last) = self.last.replace(at)
            && !self.out.pairs.contains(&(last, at))
        {
            self.out.pairs.push((last, at));
        }
    }
}

fn full(term: Term) -> Alternative {
    Alternative { term, weight: 1.0 }
}

fn is_han(c: char) -> bool {
    !('\u{3040}'..='\u{30ff}').contains(&c)
}

/// Whether a pair says nothing: it is listed, or both its characters are.
fn is_stop_pair(pair: &str) -> bool {
    STOPS.pairs.contains(pair) || pair.chars().all(|c| STOPS.characters.contains(&c))
}
