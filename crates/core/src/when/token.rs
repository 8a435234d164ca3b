//! Cutting a text into words and numbers and looking the words up.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

use super::lexicon::{FUNCTION_WORDS, FUTURE, Lang, Means, ONLY, PHRASES, WEAK, WORDS};
use crate::text::is_mark;

/// Longest word that is looked up, in characters; no word of time is longer.
const MAX_WORD: usize = 24;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Word,
    /// Its value and its number of digits; at most nine digits are a number.
    Number(i64, usize),
    Mark(char),
}

/// A word, a number or one other character.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) shape: Shape,
    pub(super) range: Range<usize>,
    /// The word without case and diacritics; empty for what is no word.
    pub(super) folded: String,
    /// Whether the first letter is a capital.
    pub(super) capital: bool,
    /// Whether nothing stands between it and the token before.
    pub(super) glued: bool,
    meanings: &'static [Meaning],
    /// Whether it counts only with support.
    pub(super) weak: bool,
}

#[derive(Debug, Clone, Copy)]
struct Meaning {
    means: Means,
    only: Option<Lang>,
}

/// What follows the first word of a phrase, and what the whole means.
type Continuation = (Vec<String>, [Meaning; 1]);

struct Lexicon {
    words: HashMap<String, Vec<Meaning>>,
    weak: std::collections::HashSet<String>,
    phrases: HashMap<String, Vec<Continuation>>,
    future: std::collections::HashSet<String>,
    function: HashMap<String, Vec<Lang>>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut words: HashMap<String, Vec<Meaning>> = HashMap::new();
    let only: HashMap<String, Lang> = ONLY.iter().map(|(word, lang)| (fold(word), *lang)).collect();
    for (spellings, means) in WORDS {
        for word in spellings.split_whitespace().map(fold) {
            let only = only.get(&word).copied();
            words.entry(word).or_default().push(Meaning { means: *means, only });
        }
    }
    let mut phrases: HashMap<String, Vec<Continuation>> = HashMap::new();
    for (phrase, means) in PHRASES {
        let mut parts = phrase.split_whitespace().map(fold);
        if let Some(first) = parts.next() {
            phrases.entry(first).or_default().push((parts.collect(), [Meaning { means: *means, only: None }]));
        }
    }
    for rest in phrases.values_mut() {
        rest.sort_by_key(|(rest, _)| std::cmp::Reverse(rest.len()));
    }
    let mut function: HashMap<String, Vec<Lang>> = HashMap::new();
    for (lang, list) in FUNCTION_WORDS {
        for word in list.split_whitespace() {
            function.entry(fold(word)).or_default().push(*lang);
        }
    }
    let set = |list: &str| list.split_whitespace().map(fold).collect();
    Lexicon { words, weak: set(WEAK), phrases, future: set(FUTURE), function }
});

/// A word without case and diacritics, full-width letters made plain.
pub(super) fn fold(word: &str) -> String {
    word.nfkd().filter(|c| !is_mark(*c) && *c != '-').flat_map(char::to_lowercase).collect()
}

/// A text in tokens.
pub(super) struct Tokens {
    list: Vec<Token>,
    lang: Option<Lang>,
    /// Whether the text speaks of what is to come.
    pub(super) future: bool,
}

impl Tokens {
    pub(super) fn of(text: &str) -> Self {
        let mut list = cut(text);
        let future = list.iter().any(|token| LEXICON.future.contains(&token.folded));
        let lang = guess(&list);
        join_phrases(&mut list);
        Self { list, lang, future }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn get(&self, at: usize) -> Option<&Token> {
        self.list.get(at)
    }

    pub(super) fn lang(&self) -> Option<Lang> {
        self.lang
    }

    /// The first meaning of the token at `at` that `pick` wants.
    pub(super) fn means<T>(&self, at: usize, pick: impl Fn(Means) -> Option<T>) -> Option<T> {
        let token = self.list.get(at)?;
        let spoken = |meaning: &&Meaning| meaning.only.is_none_or(|lang| self.lang == Some(lang));
        token.meanings.iter().filter(spoken).find_map(|meaning| pick(meaning.means))
    }

    /// Whether the token at `at` can mean `wanted`.
    pub(super) fn is(&self, at: usize, wanted: Means) -> bool {
        self.means(at, |means| (means == wanted).then_some(())).is_some()
    }

    pub(super) fn mark(&self, at: usize) -> Option<char> {
        match self.get(at)?.shape {
            Shape::Mark(c) => Some(c),
            _ => None,
        }
    }

    /// Value and number of digits of the number at `at`.
    pub(super) fn number(&self, at: usize) -> Option<(i64, usize)> {
        match self.get(at)?.shape {
            Shape::Number(value, digits) => Some((value, digits)),
            _ => None,
        }
    }

    pub(super) fn folded(&self, at: usize) -> &str {
        self.get(at).map_or("", |token| &token.folded)
    }
}

/// Scripts written without spaces are left to their own reader.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

fn digit(c: char) -> Option<u32> {
    match c {
        '0'..='9' => c.to_digit(10),
        '\u{ff10}'..='\u{ff19}' => Some(u32::from(c) - 0xff10),
        _ => None,
    }
}

fn cut(text: &str) -> Vec<Token> {
    let mut list: Vec<Token> = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if c.is_whitespace() {
            continue;
        }
        let mut end = start + c.len_utf8();
        let mut take_while = |wanted: &dyn Fn(char) -> bool| {
            while let Some((at, next)) = chars.next_if(|(_, next)| wanted(*next)) {
                end = at + next.len_utf8();
            }
        };
        let shape = if digit(c).is_some() {
            take_while(&|next| digit(next).is_some());
            number(&text[start..end])
        } else if c.is_alphabetic() && !is_unspaced(c) {
            take_while(&|next| (next.is_alphabetic() && !is_unspaced(next)) || is_mark(next));
            Shape::Word
        } else {
            Shape::Mark(c)
        };
        let folded = match shape {
            Shape::Word if text[start..end].chars().nth(MAX_WORD).is_none() => fold(&text[start..end]),
            _ => String::new(),
        };
        let glued = list.last().is_some_and(|before| before.range.end == start);
        let meanings = LEXICON.words.get(&folded).map_or(&[][..], Vec::as_slice);
        let weak = LEXICON.weak.contains(&folded);
        list.push(Token { shape, range: start..end, capital: c.is_uppercase(), glued, meanings, weak, folded });
    }
    list
}

fn number(digits: &str) -> Shape {
    let count = digits.chars().count();
    if count > 9 {
        return Shape::Mark('0');
    }
    let value = digits.chars().filter_map(digit).fold(0i64, |value, digit| value * 10 + i64::from(digit));
    Shape::Number(value, count)
}

/// The language whose function words are most, if one is ahead.
fn guess(list: &[Token]) -> Option<Lang> {
    let mut counts = [0usize; 6];
    for lang in list.iter().filter_map(|token| LEXICON.function.get(&token.folded)).flatten() {
        counts[*lang as usize] += 1;
    }
    let best = FUNCTION_WORDS.iter().max_by_key(|(lang, _)| counts[*lang as usize]).map(|(lang, _)| *lang)?;
    let most = counts[best as usize];
    let alone = counts.iter().filter(|count| **count == most).count() == 1;
    (most > 0 && alone).then_some(best)
}

/// Replaces the tokens of each phrase by one.
fn join_phrases(list: &mut Vec<Token>) {
    let mut out: Vec<Token> = Vec::with_capacity(list.len());
    let mut at = 0;
    while at < list.len() {
        let joined = LEXICON
            .phrases
            .get(&list[at].folded)
            .and_then(|rests| rests.iter().find_map(|(rest, means)| Some((phrase_end(list, at, rest)?, means))));
        let mut token = list[at].clone();
        at += 1;
        if let Some((end, means)) = joined {
            token.range.end = list[end - 1].range.end;
            token.meanings = means;
            token.weak = false;
            at = end;
        }
        out.push(token);
    }
    *list = out;
}

/// The index behind the phrase whose first word is at `at`; hyphens and apostrophes may stand between.
fn phrase_end(list: &[Token], at: usize, rest: &[String]) -> Option<usize> {
    let mut next = at + 1;
    for word in rest {
        if matches!(list.get(next)?.shape, Shape::Mark('-' | '\'' | '’' | '\u{2010}' | '\u{2011}')) {
            next += 1;
        }
        if list.get(next)?.folded != *word {
            return None;
        }
        next += 1;
    }
    Some(next)
}
