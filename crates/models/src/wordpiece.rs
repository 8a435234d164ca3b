//! WordPiece as `bert-base-uncased` does it: control characters out, lower case, accents off, split
//! at spaces, punctuation and CJK characters, then the longest known piece first.
//!
//! One difference, on purpose: `[SEP]` and its like in a text are three ordinary pieces. Text is data.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::bert::{MAX_TOKENS, VOCABULARY};
use crate::builtin::BuiltInError;

const UNKNOWN: u32 = 100;
const START: u32 = 101;
const END: u32 = 102;
/// The three above, as the vocabulary must have them.
const SPECIAL: [(&str, u32); 3] = [("[UNK]", UNKNOWN), ("[CLS]", START), ("[SEP]", END)];

/// A longer word, in characters, is unknown as a whole.
const MAX_WORD: usize = 100;
/// More of a text is not looked at: 128 tokens end long before, unless it is made to waste time.
const MAX_BYTES: usize = 64 * 1024;

/// The pieces by their spelling.
#[derive(Debug)]
pub(crate) struct WordPiece {
    /// Pieces that begin a word.
    heads: HashMap<&'static str, u32>,
    /// Pieces that continue one, without their `##`.
    tails: HashMap<&'static str, u32>,
    /// Length of the longest piece in bytes.
    longest: usize,
}

impl WordPiece {
    /// Reads a vocabulary, one piece a line in the order of their ids.
    pub(crate) fn parse(vocabulary: &'static str) -> Result<Self, BuiltInError> {
        let mut this = Self { heads: HashMap::with_capacity(VOCABULARY), tails: HashMap::new(), longest: 0 };
        for (id, piece) in (0..).zip(vocabulary.lines()) {
            this.longest = this.longest.max(piece.len());
            match piece.strip_prefix("##") {
                Some(tail) if !tail.is_empty() => this.tails.insert(tail, id),
                _ => this.heads.insert(piece, id),
            };
        }
        let count = this.heads.len() + this.tails.len();
        if count != VOCABULARY || SPECIAL.iter().any(|(piece, id)| this.heads.get(piece) != Some(id)) {
            return Err(BuiltInError::Vocabulary { found: count, expected: VOCABULARY });
        }
        Ok(this)
    }

    /// The ids of a text's pieces between `[CLS]` and `[SEP]`, at most [`MAX_TOKENS`] in all.
    pub(crate) fn encode(&self, text: &str) -> Vec<u32> {
        let mut ids = vec![START];
        self.each_word(text, |_, pieces| {
            ids.extend_from_slice(pieces);
            ids.len() < MAX_TOKENS
        });
        ids.truncate(MAX_TOKENS - 1);
        ids.push(END);
        ids
    }

    /// The share of a text's pieces the model cannot read: unknown ones, and letters of other scripts,
    /// which the vocabulary has one by one but the model never learned to put together.
    pub(crate) fn unknown_share(&self, text: &str) -> f32 {
        let (mut all, mut unknown) = (0, 0);
        self.each_word(text, |word, pieces| {
            all += pieces.len();
            if pieces == [UNKNOWN] || word.chars().any(|c| c.is_alphabetic() && !is_latin(c)) {
                unknown += pieces.len();
            }
            all < MAX_TOKENS - 2
        });
        if all == 0 { 1.0 } else { unknown as f32 / all as f32 }
    }

    /// Hands out each word and its pieces until `each` returns false.
    fn each_word(&self, text: &str, mut each: impl FnMut(&str, &[u32]) -> bool) {
        let text = &text[..text.floor_char_boundary(MAX_BYTES)];
        let mut pieces = Vec::new();
        let mut word = Word::default();
        let mut flush = |word: &mut Word| {
            if word.text.is_empty() {
                return true;
            }
            self.split(word, &mut pieces);
            let more = each(&word.text, &pieces);
            word.text.clear();
            word.chars = 0;
            more
        };
        for c in text.chars().filter(|c| !is_dropped(*c)).nfd().filter(|c| !is_accent(*c)) {
            let stands_alone = is_punctuation(c) || is_cjk(c);
            if (stands_alone || c.is_whitespace()) && !flush(&mut word) {
                return;
            }
            if !c.is_whitespace() {
                c.to_lowercase().for_each(|c| word.push(c));
            }
            if stands_alone && !flush(&mut word) {
                return;
            }
        }
        flush(&mut word);
    }

    fn split(&self, word: &Word, pieces: &mut Vec<u32>) {
        pieces.clear();
        let mut rest = word.text.as_str();
        while !rest.is_empty() && word.chars <= MAX_WORD {
            let table = if pieces.is_empty() { &self.heads } else { &self.tails };
            let mut end = rest.floor_char_boundary(self.longest);
            let id = loop {
                match table.get(&rest[..end]) {
                    _ if end == 0 => break None,
                    Some(id) => break Some(*id),
                    None => end = rest.floor_char_boundary(end - 1),
                }
            };
            let Some(id) = id else { break };
            pieces.push(id);
            rest = &rest[end..];
        }
        if !rest.is_empty() {
            pieces.clear();
            pieces.push(UNKNOWN);
        }
    }
}

#[derive(Default)]
struct Word {
    text: String,
    chars: usize,
}

impl Word {
    fn push(&mut self, c: char) {
        self.chars += 1;
        if self.chars <= MAX_WORD {
            self.text.push(c);
        }
    }
}

fn is_dropped(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | ' '..='~' => false,
        '\u{fffd}' => true,
        _ => matches!(
            c.general_category(),
            GeneralCategory::Control | GeneralCategory::Format | GeneralCategory::PrivateUse
        ),
    }
}

fn is_accent(c: char) -> bool {
    !c.is_ascii() && c.general_category() == GeneralCategory::NonspacingMark
}

fn is_punctuation(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_punctuation()
    } else {
        c.general_category_group() == GeneralCategoryGroup::Punctuation
    }
}

/// The blocks the original calls Chinese; Hangul and kana are not among them.
fn is_cjk(c: char) -> bool {
    matches!(c,
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{2a6df}' | '\u{2a700}'..='\u{2b81f}' | '\u{2b920}'..='\u{2ceaf}'
        | '\u{2f800}'..='\u{2fa1f}')
}

fn is_latin(c: char) -> bool {
    matches!(c, '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | '\u{2c60}'..='\u{2c7f}' | '\u{a720}'..='\u{a7ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wordpiece() -> WordPiece {
        WordPiece::parse(include_str!("../weights/vocab.txt")).unwrap()
    }

    #[test]
    fn a_word_is_cut_into_the_longest_known_pieces() {
        let wordpiece = wordpiece();
        assert_eq!(wordpiece.encode("Forget-me-nots!"), [101, 5293, 1011, 2033, 1011, 2025, 2015, 999, 102]);
        assert_eq!(wordpiece.encode("Café"), wordpiece.encode("cafe"));
        assert_eq!(wordpiece.encode(""), [101, 102]);
        assert_eq!(wordpiece.encode(" \n\0\u{200b}"), [101, 102]);
    }

    #[test]
    fn ids_are_the_reference_implementations() {
        let wordpiece = wordpiece();
        for line in include_str!("../tests/golden.jsonl").lines() {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            let ids: Vec<u32> = serde_json::from_value(value["ids"].clone()).unwrap();
            assert_eq!(wordpiece.encode(value["text"].as_str().unwrap()), ids, "{}", value["text"]);
        }
    }

    #[test]
    fn long_words_are_unknown_and_long_texts_cut() {
        let wordpiece = wordpiece();
        assert_eq!(wordpiece.encode(&"a".repeat(101)), [101, 100, 102]);
        assert!(wordpiece.encode(&"a".repeat(100)).len() > 3);
        assert_eq!(wordpiece.encode(&"a".repeat(10_000_000)), [101, 100, 102]);
        let long = wordpiece.encode(&"word ".repeat(2_000_000));
        assert_eq!((long.len(), long[127]), (128, 102));
        assert_eq!(wordpiece.encode(&"forgetting-".repeat(70)).len(), 128);
    }

    #[test]
    fn special_tokens_in_a_text_are_text() {
        assert_eq!(wordpiece().encode("[SEP]").iter().filter(|id| **id == END).count(), 1);
    }

    #[test]
    fn other_scripts_are_not_known() {
        let wordpiece = wordpiece();
        assert_eq!(wordpiece.unknown_share("Alice moved to Zürich in May, 2021."), 0.0);
        assert_eq!(wordpiece.unknown_share("東京に住んでいます"), 1.0);
        assert_eq!(wordpiece.unknown_share("Она живёт в Москве"), 1.0);
        assert_eq!(wordpiece.unknown_share(""), 1.0);
        let half = wordpiece.unknown_share("Bob lives in 東京都港");
        assert!((0.4..=0.6).contains(&half), "{half}");
    }

    #[test]
    fn a_damaged_vocabulary_is_an_error() {
        assert!(WordPiece::parse("a\nb\n").is_err());
    }
}
