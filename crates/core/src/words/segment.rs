//! Cutting a text into folded tokens.
//!
//! Not the word boundaries of UAX 29 but close to them where words have spaces, and its own way where
//! they have none: a run of Chinese, Japanese or Thai is one token (pairs of characters are made of
//! it later), and it ends where Latin letters begin, so that `重跑gen-itgc后50条` holds `gen-itgc`.
//! ASCII is taken byte by byte: that is most of most texts, and the index is rebuilt from them.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use super::fold::{self, Sort};
use super::{hash, stop};

/// What a token is, which tells how it becomes terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Latin,
    Cyrillic,
    Greek,
    Arabic,
    Hebrew,
    Devanagari,
    OtherWord,
    Hangul,
    Cjk,
    SoutheastAsian,
    Emoji,
    /// The joined form of a code like `XK-4711`, after its parts.
    Whole,
    /// The letters or the digits of a word that has both.
    Piece,
}

/// One token: a range of the folded text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) start: u32,
    pub(super) end: u32,
    /// Where it began in the text (after composition, which moves little).
    pub(super) at: u32,
    pub(super) class: Class,
    /// Hash of the folded word as it stands.
    pub(super) hash: u64,
    /// In which languages it is a stop word.
    pub(super) stops: u16,
    /// What it tells about the text; see `cues`.
    pub(super) cues: u16,
    /// The number of the month it names; 0 for none.
    pub(super) month: u8,
    /// Where its other spelling (`ae` for `ä`) lies in `spellings`; empty for most.
    pub(super) spelling: (u32, u32),
    /// Whether it began with a capital letter.
    pub(super) capital: bool,
}

/// A text cut up. Kept and reused for its buffers.
#[derive(Debug, Default)]
pub(super) struct Segments {
    pub(super) folded: String,
    pub(super) tokens: Vec<Token>,
    /// Other spellings of words with umlauts.
    pub(super) spellings: String,
    /// Which letters were seen that only some languages have; see `stop`.
    pub(super) letters: u32,
    open: Option<Open>,
    chain: Vec<(u32, u32)>,
    /// Whether a word of the chain says something: `est-ce` has none and makes no whole.
    chain_speaks: bool,
    joiner: Option<char>,
    /// Where the character being read stands.
    here: u32,
}

/// The run being read.
#[derive(Debug, Clone, Copy)]
struct Open {
    sort: Sort,
    start: u32,
    at: u32,
    letters: bool,
    digits: bool,
    capital: bool,
    /// Where the other spelling begins, once an umlaut was met.
    spelling: Option<u32>,
}

/// Longest joined form of a code, in bytes.
const MAX_WHOLE: usize = 64;

impl Segments {
    /// The folded word of a token.
    pub(super) fn word(&self, token: Token) -> &str {
        &self.folded[token.start as usize..token.end as usize]
    }

    /// The other spelling of a token, if it has one.
    pub(super) fn spelling(&self, token: Token) -> Option<&str> {
        let (start, end) = token.spelling;
        (end > start).then(|| &self.spellings[start as usize..end as usize])
    }

    /// Cuts `text`. Only the first 4 GB count.
    pub(super) fn cut(&mut self, text: &str) {
        self.folded.clear();
        self.tokens.clear();
        self.spellings.clear();
        self.chain.clear();
        self.letters = 0;
        self.open = None;
        self.joiner = None;
        let text = composed(text);
        for (at, c) in text.char_indices() {
            self.here = at as u32;
            if c.is_ascii() { self.ascii(c) } else { self.other(c) }
        }
        self.close();
        self.end_chain();
    }

    #[inline]
    fn ascii(&mut self, c: char) {
        if c.is_ascii_alphanumeric() {
            self.enter(Sort::Word, c);
            let lower = c.to_ascii_lowercase();
            if let Some(open) = &mut self.open {
                let digit = c.is_ascii_digit();
                open.digits |= digit;
                open.letters |= !digit;
                if open.spelling.is_some() {
                    self.spellings.push(lower);
                }
            }
            self.folded.push(lower);
        } else {
            self.gap(c);
        }
    }

    fn other(&mut self, c: char) {
        match fold::sort(c) {
            Sort::Skip => {}
            Sort::Gap => self.gap(c),
            Sort::Emoji => {
                // A flag is two regional indicators.
                let flag = ('\u{1f1e6}'..='\u{1f1ff}').contains(&c);
                let second = flag && self.open.is_some_and(|open| open.sort == Sort::Emoji);
                if !second {
                    self.close();
                    self.end_chain();
                    self.enter(Sort::Emoji, c);
                }
                self.folded.push(c);
                if !flag || second {
                    self.close();
                }
            }
            sort => {
                self.enter(sort, c);
                self.letters |= stop::letter(c);
                self.umlaut(c);
                let before = self.folded.len();
                fold::push(c, &mut self.folded);
                let added = &self.folded[before..];
                let digit = added.bytes().all(|b| b.is_ascii_digit());
                if let Some(open) = &mut self.open {
                    open.digits |= digit;
                    open.letters |= !digit;
                    if open.spelling.is_some() && umlaut(c).is_none() {
                        self.spellings.push_str(added);
                    }
                }
            }
        }
    }

    /// Begins or goes on with the other spelling of a German word.
    fn umlaut(&mut self, c: char) {
        let (Some(long), Some(open)) = (umlaut(c), &mut self.open) else { return };
        if open.spelling.is_none() {
            open.spelling = Some(self.spellings.len() as u32);
            let so_far = &self.folded[open.start as usize..];
            self.spellings.push_str(so_far);
        }
        self.spellings.push_str(long);
    }

    /// Makes sure that a run of this sort is open.
    #[inline]
    fn enter(&mut self, sort: Sort, c: char) {
        if self.open.is_some_and(|open| open.sort == sort) {
            return;
        }
        self.close();
        let joined = sort == Sort::Word && self.joiner.take().is_some_and(|joiner| self.may_join(joiner, c));
        if !joined {
            self.end_chain();
        }
        let start = self.folded.len() as u32;
        let capital = c.is_uppercase();
        self.open = Some(Open { sort, start, at: self.here, letters: false, digits: false, capital, spelling: None });
    }

    /// Whether `joiner` binds the last word to one beginning with `next`: `/`, `:` and `,` do so
    /// only between digits.
    fn may_join(&self, joiner: char, next: char) -> bool {
        let digits = next.is_numeric() && self.folded.ends_with(|c: char| c.is_ascii_digit());
        !self.chain.is_empty() && (digits || !matches!(joiner, '/' | ':' | ','))
    }

    #[inline]
    fn gap(&mut self, c: char) {
        let word_ended = self.open.is_some_and(|open| open.sort == Sort::Word);
        self.close();
        let joins = matches!(c, '-' | '.' | '_' | '@' | '/' | ':' | ',' | '+' | '\u{2010}' | '\u{2011}');
        if word_ended && joins {
            self.joiner = Some(c);
        } else {
            self.end_chain();
        }
    }

    /// Ends the open run and makes its token.
    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        let (start, end) = (open.start, self.folded.len() as u32);
        if start == end {
            return;
        }
        let word = &self.folded[start as usize..];
        let class = class_of(open.sort, word);
        let hash = hash::hash(word);
        let known = if matches!(class, Class::Cjk | Class::SoutheastAsian | Class::Emoji) {
            stop::Known::default()
        } else {
            stop::known(hash)
        };
        let cues = known.cues | if open.letters { 0 } else { stop::number_cue(word) };
        let spelling = open.spelling.map_or((0, 0), |at| (at, self.spellings.len() as u32));
        let capital = open.capital;
        self.tokens.push(Token {
            start,
            end,
            at: open.at,
            class,
            hash,
            stops: known.stops,
            cues,
            month: known.month,
            spelling,
            capital,
        });
        if open.sort == Sort::Word {
            self.chain_speaks = known.stops == 0 || (!self.chain.is_empty() && self.chain_speaks);
            self.chain.push((start, end));
            if open.letters && open.digits {
                self.pieces(start, end);
            }
        }
    }

    /// Adds the digits, and letters from three on, of a word that has both.
    fn pieces(&mut self, start: u32, end: u32) {
        let word = &self.folded.as_bytes()[start as usize..end as usize];
        let mut from = 0;
        while from < word.len() {
            let digit = word[from].is_ascii_digit();
            let length = word[from..].iter().take_while(|b| b.is_ascii_digit() == digit).count();
            if digit || length >= 3 {
                let hash = hash::finish(word[from..from + length].iter().fold(hash::SEED, |h, b| hash::step(h, *b)));
                let (start, end) = (start + from as u32, start + (from + length) as u32);
                self.tokens.push(extra(start, end, Class::Piece, hash));
            }
            from += length;
        }
    }

    /// Ends a chain of joined words; if there were several, adds the whole.
    fn end_chain(&mut self) {
        self.joiner = None;
        if self.chain.len() < 2 || !self.chain_speaks {
            self.chain.clear();
            return;
        }
        let start = self.folded.len();
        let length: usize = self.chain.iter().map(|(start, end)| (end - start) as usize + 1).sum();
        if length <= MAX_WHOLE {
            for i in 0..self.chain.len() {
                let (from, to) = self.chain[i];
                let digit = |at: u32| self.folded.as_bytes().get(at as usize).is_some_and(u8::is_ascii_digit);
                // Between digits the separator counts (`2.31` is not `23.1`), else it does not:
                // `XK-4711` is `XK4711`.
                let separated = i > 0 && digit(from) && digit(self.chain[i - 1].1 - 1);
                if separated {
                    self.folded.push('.');
                }
                self.folded.extend_from_within(from as usize..to as usize);
            }
            let hash = hash::hash(&self.folded[start..]);
            self.tokens.push(extra(start as u32, self.folded.len() as u32, Class::Whole, hash));
        }
        self.chain.clear();
    }
}

fn extra(start: u32, end: u32, class: Class, hash: u64) -> Token {
    Token { start, end, at: 0, class, hash, stops: 0, cues: 0, month: 0, spelling: (0, 0), capital: false }
}

/// The text in NFKC, without copying if it is already.
fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfkc().collect())
    }
}

/// How German writes an umlaut where there is none on the keyboard.
fn umlaut(c: char) -> Option<&'static str> {
    match c {
        'ä' | 'Ä' => Some("ae"),
        'ö' | 'Ö' => Some("oe"),
        'ü' | 'Ü' => Some("ue"),
        _ => None,
    }
}

fn class_of(sort: Sort, word: &str) -> Class {
    match sort {
        Sort::Hangul => Class::Hangul,
        Sort::Cjk => Class::Cjk,
        Sort::SoutheastAsian => Class::SoutheastAsian,
        Sort::Emoji => Class::Emoji,
        Sort::Word | Sort::Skip | Sort::Gap => {
            let letter = word.chars().find(|c| !c.is_ascii_digit()).map_or(0x61, u32::from);
            match letter {
                0x0..=0x24f | 0x1e00..=0x1eff => Class::Latin,
                0x370..=0x3ff | 0x1f00..=0x1fff => Class::Greek,
                0x400..=0x52f => Class::Cyrillic,
                0x590..=0x5ff => Class::Hebrew,
                0x600..=0x6ff | 0x750..=0x77f => Class::Arabic,
                0x900..=0x97f => Class::Devanagari,
                _ => Class::OtherWord,
            }
        }
    }
}

/// The ranges of a run's units: its characters, in Thai and its neighbours with their marks.
pub(super) fn units(word: &str, class: Class) -> Vec<Range<usize>> {
    let mut units: Vec<Range<usize>> = Vec::with_capacity(word.len() / 3 + 1);
    for (at, c) in word.char_indices() {
        let end = at + c.len_utf8();
        let mark = class == Class::SoutheastAsian && unicode_normalization::char::is_combining_mark(c);
        match units.last_mut() {
            Some(last) if mark => last.end = end,
            _ => units.push(at..end),
        }
    }
    units
}
