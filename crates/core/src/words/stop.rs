//! What is known of a word before it is stemmed: in which languages it is a stop word, and what it
//! tells about the text. The language of a text with Latin letters is guessed from that.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::LazyLock;

use super::hash::{IdentityHasher, hash};
use super::segment::Segments;
use super::{cues, fold, months, stop_lists};

/// A language written in Latin letters, as far as stemming tells them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub(crate) enum Latin {
    /// English, and whatever gives no sign of another.
    #[default]
    English = 0,
    /// German.
    German = 1,
    /// Spanish.
    Spanish = 2,
    /// French.
    French = 3,
    /// Portuguese.
    Portuguese = 4,
    /// Italian.
    Italian = 5,
    /// Dutch.
    Dutch = 6,
    /// Turkish.
    Turkish = 7,
    /// Another one (Vietnamese, Polish, Czech, ...): not stemmed.
    Other = 8,
}

impl Latin {
    /// Every one, in the order of their codes.
    pub(crate) const ALL: [Latin; 9] = [
        Latin::English,
        Latin::German,
        Latin::Spanish,
        Latin::French,
        Latin::Portuguese,
        Latin::Italian,
        Latin::Dutch,
        Latin::Turkish,
        Latin::Other,
    ];

    /// Its bit in a [`LatinSet`].
    #[must_use]
    pub(crate) fn bit(self) -> u16 {
        1 << self as u8
    }

    /// Whether it writes compounds as one word.
    pub(super) fn has_compounds(self) -> bool {
        matches!(self, Latin::German | Latin::Dutch)
    }
}

/// A set of such languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct LatinSet(pub(crate) u16);

impl LatinSet {
    /// Whether `latin` is in it.
    #[must_use]
    pub(crate) fn has(self, latin: Latin) -> bool {
        self.0 & latin.bit() != 0
    }

    /// The languages in it.
    pub(crate) fn iter(self) -> impl Iterator<Item = Latin> {
        Latin::ALL.into_iter().filter(move |latin| self.has(*latin))
    }
}

/// The bit of stop words in scripts other than Latin.
pub(super) const OTHER_SCRIPT: u16 = 1 << 15;

/// What is known of a word.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known {
    /// Bits of the languages it is a stop word of.
    pub(super) stops: u16,
    /// Bits of `cues`.
    pub(super) cues: u16,
    /// The number of the month it names; 0 for none.
    pub(super) month: u8,
}

type Table = HashMap<u64, Known, BuildHasherDefault<IdentityHasher>>;

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table::default();
    let lists = [
        (stop_lists::ENGLISH, Latin::English.bit()),
        (stop_lists::GERMAN, Latin::German.bit()),
        (stop_lists::SPANISH, Latin::Spanish.bit()),
        (stop_lists::FRENCH, Latin::French.bit()),
        (stop_lists::PORTUGUESE, Latin::Portuguese.bit()),
        (stop_lists::ITALIAN, Latin::Italian.bit()),
        (stop_lists::DUTCH, Latin::Dutch.bit()),
        (stop_lists::TURKISH, Latin::Turkish.bit()),
        (stop_lists::OTHER, OTHER_SCRIPT),
    ];
    for (words, bit) in lists {
        for word in words.split_whitespace() {
            table.entry(hash(&folded(word))).or_default().stops |= bit;
        }
    }
    for (words, bit) in cues::LISTS {
        for word in words.split_whitespace() {
            table.entry(hash(&folded(word))).or_default().cues |= bit;
        }
    }
    for (names, number) in months::MONTHS.iter().zip(1..) {
        for name in names.split_whitespace() {
            table.entry(hash(&folded(name))).or_default().month = number;
        }
    }
    table
});

/// What is known of the word with this hash.
#[inline]
pub(super) fn known(hash: u64) -> Known {
    TABLE.get(&hash).copied().unwrap_or_default()
}

/// A year is a word of time.
pub(super) fn number_cue(word: &str) -> u16 {
    if cues::is_year(word) { cues::TIME } else { 0 }
}

/// One word, folded.
pub(super) fn folded(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    for c in word.chars() {
        if c.is_ascii() {
            out.push(c.to_ascii_lowercase());
        } else if fold::sort(c) != fold::Sort::Skip {
            fold::push(c, &mut out);
        }
    }
    out
}

/// Letters that speak for languages: their bits in the lower half if only one or two have them, in
/// the upper half if several do.
pub(super) fn letter(c: char) -> u32 {
    use Latin::{French, German, Italian, Other, Portuguese, Spanish, Turkish};
    let strong = |latin: Latin| u32::from(latin.bit());
    let weak = |latins: &[Latin]| latins.iter().map(|latin| u32::from(latin.bit()) << 16).sum();
    match c {
        'ß' | 'ä' | 'Ä' => strong(German),
        'ñ' | 'Ñ' => strong(Spanish),
        'ã' | 'õ' | 'Ã' | 'Õ' => strong(Portuguese),
        'ı' | 'İ' | 'ş' | 'Ş' | 'ğ' | 'Ğ' => strong(Turkish),
        'œ' | 'û' | 'î' => strong(French),
        'ò' | 'ì' => strong(Italian),
        'ö' | 'ü' | 'Ö' | 'Ü' => weak(&[German, Turkish]),
        'ç' | 'Ç' => weak(&[French, Portuguese, Turkish]),
        'è' | 'à' => weak(&[French, Italian]),
        'ê' | 'â' => weak(&[French, Portuguese]),
        'é' | 'É' => weak(&[French, Spanish, Portuguese]),
        'á' | 'í' | 'ó' | 'ú' => weak(&[Spanish, Portuguese]),
        'đ'
        | 'Đ'
        | 'ơ'
        | 'ư'
        | 'Ơ'
        | 'Ư'
        | '\u{1ea0}'..='\u{1ef9}'
        | 'ą'
        | 'ę'
        | 'ł'
        | 'ś'
        | 'ż'
        | 'ź'
        | 'ć'
        | 'ń'
        | 'ř'
        | 'ě'
        | 'ů'
        | 'č'
        | 'š'
        | 'ž'
        | 'å'
        | 'ø'
        | 'ő'
        | 'ű'
        | 'ă'
        | 'ț'
        | 'ș' => strong(Other),
        _ => 0,
    }
}

/// The language of a text with Latin letters: the one with most stop words and letters of its own.
/// English unless another is ahead of it.
pub(super) fn guess(segments: &Segments) -> Latin {
    let mut votes = [0_u32; 9];
    for token in &segments.tokens {
        let mut bits = token.stops & !OTHER_SCRIPT;
        while bits != 0 {
            votes[bits.trailing_zeros() as usize] += 2;
            bits &= bits - 1;
        }
    }
    for (code, vote) in votes.iter_mut().enumerate() {
        if segments.letters >> code & 1 == 1 {
            // Letters only some other language has outweigh a few chance stop words ("Hà Nội" is two of
            // Italian), not a sentence of them.
            *vote += if code == Latin::Other as usize { 12 } else { 3 };
        }
        *vote += segments.letters >> (code + 16) & 1;
    }
    let mut best = Latin::English;
    for latin in Latin::ALL {
        if votes[latin as usize] > votes[best as usize] {
            best = latin;
        }
    }
    best
}
