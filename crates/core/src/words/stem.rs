//! Stemming: forms of one word become one term.
//!
//! Snowball's algorithms (`rust-stemmers`) where they work on folded text; Turkish keeps the first
//! five letters, which serves search as well as an analyser (Can et al., 2008) and does not mind
//! missing dots; Hindi loses its commonest endings; Hebrew words get a second term without their
//! prefix letter. A small cache per thread spares stemming the words everyone uses again and again.

use std::cell::RefCell;

use rust_stemmers::{Algorithm, Stemmer};

use super::hash::{Term, hash, term};
use super::segment::Class;
use super::stop::Latin;

/// Places in the cache: with 16 bytes each, 256 KB a thread that indexes.
const CACHE: usize = 16_384;

thread_local! {
    static STEMS: RefCell<Vec<(u64, Term)>> = RefCell::new(vec![(0, Term(0)); CACHE]);
}

/// Longest word worth stemming, in bytes.
const MAX_STEMMED: usize = 64;

/// The term of a folded word, made by `make` unless this thread has made it lately.
fn cached(key: u64, make: impl FnOnce() -> Term) -> Term {
    STEMS.with_borrow_mut(|stems| {
        let place = &mut stems[key as usize % CACHE];
        if place.0 != key {
            *place = (key, make());
        }
        place.1
    })
}

/// The term of a folded word in Latin letters.
pub(super) fn latin(word: &str, word_hash: u64, latin: Latin) -> Term {
    let has_digit = word.bytes().any(|b| b.is_ascii_digit());
    if latin == Latin::Other || has_digit || word.len() < 3 || word.len() > MAX_STEMMED {
        return term(word_hash);
    }
    cached(word_hash ^ (latin as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15), || {
        with_latin_stem(word, latin, Term::of)
    })
}

/// Calls `with` with the stem of a folded word.
fn with_latin_stem<T>(word: &str, latin: Latin, with: impl FnOnce(&str) -> T) -> T {
    let snowball = |algorithm: Algorithm, with: &mut dyn FnMut(&str)| with(&Stemmer::create(algorithm).stem(word));
    let algorithm = match latin {
        Latin::English => Algorithm::English,
        Latin::Spanish => Algorithm::Spanish,
        Latin::French => Algorithm::French,
        Latin::Portuguese => Algorithm::Portuguese,
        Latin::Italian => Algorithm::Italian,
        Latin::Dutch => Algorithm::Dutch,
        Latin::German => return with(&Stemmer::create(Algorithm::German).stem(&without_umlaut_e(word))),
        Latin::Turkish => return with(first_chars(word, 5)),
        Latin::Other => return with(word),
    };
    let mut stem = String::new();
    snowball(algorithm, &mut |s| stem.push_str(s));
    with(&stem)
}

/// `muenchen` as `munchen`: umlauts written with an e. Not after a, e or q (`bauen`, `neue`, `quelle`).
pub(super) fn without_umlaut_e(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    let mut before = ' ';
    let mut chars = word.chars().peekable();
    while let Some(c) = chars.next() {
        out.push(c);
        let umlaut = match c {
            'a' | 'o' => true,
            'u' => !matches!(before, 'a' | 'e' | 'q'),
            _ => false,
        };
        if umlaut && chars.peek() == Some(&'e') {
            chars.next();
            before = 'e';
        } else {
            before = c;
        }
    }
    out
}

/// The term of a folded word in another script with spaces.
pub(super) fn by_script(word: &str, word_hash: u64, class: Class) -> Term {
    let (shortest, algorithm) = match class {
        Class::Cyrillic => (6, Algorithm::Russian),
        Class::Greek => (6, Algorithm::Greek),
        Class::Arabic => (6, Algorithm::Arabic),
        Class::Devanagari => return Term::of(hindi(word)),
        _ => return term(word_hash),
    };
    // Only pure words: the algorithms were made for letters of one script.
    if word.len() < shortest
        || word.len() > 2 * MAX_STEMMED
        || word.is_ascii()
        || !word.chars().all(char::is_alphabetic)
    {
        return term(word_hash);
    }
    cached(word_hash, || Term(hash(&Stemmer::create(algorithm).stem(word)).wrapping_shr(32) as u32))
}

/// Endings of Hindi nouns and verbs, longest first, after Ramanathan and Rao's light stemmer.
const HINDI_ENDINGS: [&str; 24] = [
    "ियों",
    "ियां",
    "ाओं",
    "ुओं",
    "ाएं",
    "ाना",
    "ाने",
    "ाता",
    "ाती",
    "ाते",
    "ना",
    "ने",
    "नी",
    "ता",
    "ती",
    "ते",
    "ओं",
    "ों",
    "ें",
    "ां",
    "ा",
    "ी",
    "े",
    "ो",
];

fn hindi(word: &str) -> &str {
    HINDI_ENDINGS
        .iter()
        .find_map(|ending| word.strip_suffix(ending).filter(|rest| rest.chars().count() >= 2))
        .unwrap_or(word)
}

/// A Hebrew word's form without the letter that binds it to its sentence (and, the, in, to, from,
/// that, as).
pub(super) fn second_form(word: &str, class: Class) -> Option<Term> {
    if class != Class::Hebrew || word.chars().count() < 4 {
        return None;
    }
    word.strip_prefix(['ו', 'ה', 'ב', 'ל', 'מ', 'ש', 'כ']).map(Term::of)
}

/// Korean particles, longest first.
const PARTICLES: [&str; 36] = [
    "에서는",
    "에게서",
    "으로는",
    "이라고",
    "입니다",
    "에서",
    "에게",
    "한테",
    "께서",
    "으로",
    "까지",
    "부터",
    "보다",
    "처럼",
    "마다",
    "이나",
    "이랑",
    "하고",
    "라고",
    "에는",
    "이다",
    "예요",
    "이야",
    "은",
    "는",
    "이",
    "가",
    "을",
    "를",
    "에",
    "의",
    "도",
    "로",
    "와",
    "과",
    "랑",
];

/// A Korean word without its particle.
pub(super) fn korean(word: &str) -> &str {
    PARTICLES.iter().find_map(|particle| word.strip_suffix(particle).filter(|rest| !rest.is_empty())).unwrap_or(word)
}

/// Shortest compound looked into, in letters of its stem.
const COMPOUND: usize = 10;
/// Shortest part of one.
const PART: usize = 5;
/// Most parts taken of one word.
const MAX_PARTS: usize = 16;

/// Adds the beginnings and ends of a long word: `Donaudampfschifffahrt` is found by `Schifffahrt`
/// and by `Donau`. Where to cut is guessed by sound: both sides have a vowel, and the right one begins as a
/// word can begin.
pub(super) fn compound_parts(word: &str, latin: Latin, out: &mut Vec<Term>) {
    if word.len() < COMPOUND || word.len() > MAX_STEMMED || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return;
    }
    with_latin_stem(word, latin, |stem| {
        let before = out.len();
        if stem.len() < COMPOUND || !stem.is_ascii() {
            return;
        }
        for cut in 4..=stem.len() - 4 {
            let (left, right) = stem.split_at(cut);
            if !may_begin(right) || !has_vowel(left) || !has_vowel(right) {
                continue;
            }
            // `Geburtstag-s-geschenk`: the s that joins belongs to neither.
            let unjoined = left.strip_suffix('s').unwrap_or_default();
            for part in [left, unjoined, right] {
                if part.len() >= PART && out.len() - before < MAX_PARTS {
                    out.push(Term::of_part(part));
                }
            }
        }
    });
}

/// The term that finds a word as part of a compound, if it is long enough for that.
pub(super) fn as_part(word: &str, latin: Latin) -> Option<Term> {
    let plain = word.len() <= MAX_STEMMED && word.bytes().all(|b| b.is_ascii_lowercase());
    (latin.has_compounds() && plain)
        .then(|| with_latin_stem(word, latin, |stem| (stem.len() >= PART).then(|| Term::of_part(stem))))
        .flatten()
}

fn is_vowel(byte: u8) -> bool {
    matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

fn has_vowel(part: &str) -> bool {
    part.bytes().any(is_vowel)
}

/// Whether a German or Dutch word can begin like this.
fn may_begin(part: &str) -> bool {
    const ONSETS: [&str; 31] = [
        "bl", "br", "ch", "dr", "fl", "fr", "gl", "gn", "gr", "kl", "kn", "kr", "pf", "ph", "pl", "pr", "qu", "rh",
        "sc", "sk", "sl", "sm", "sn", "sp", "st", "sw", "th", "tr", "vl", "wr", "zw",
    ];
    let bytes = part.as_bytes();
    match bytes {
        [first, ..] if is_vowel(*first) => true,
        [_, second, ..] if is_vowel(*second) => true,
        _ => ONSETS.iter().any(|onset| part.starts_with(onset)),
    }
}

fn first_chars(word: &str, count: usize) -> &str {
    word.char_indices().nth(count).map_or(word, |(at, _)| &word[..at])
}
