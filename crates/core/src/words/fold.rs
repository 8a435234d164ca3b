//! Folding: what is written differently but meant alike becomes equal.
//!
//! Compatibility forms (full-width letters, ligatures, half-width kana) are resolved by NFKC before
//! this; here case, diacritics of Latin, Greek and Cyrillic, the vowel marks of Arabic and Hebrew and
//! the digits of other scripts go. Vowel signs of Indic scripts are letters and stay. Cyrillic й is
//! a letter of its own and stays, ё is written е by most and becomes it.

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// What a character is worth to the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// Part of a word between spaces.
    Word,
    /// A mark that is dropped, or a character that shows nothing: the word goes on without it.
    Skip,
    /// A Chinese or Japanese character.
    Cjk,
    /// A character of Thai, Lao, Khmer or Myanmar.
    SoutheastAsian,
    /// A Korean syllable.
    Hangul,
    /// A picture.
    Emoji,
    /// Space, punctuation, symbols.
    Gap,
}

/// Sorts a character that is not ASCII.
pub(super) fn sort(c: char) -> Sort {
    match u32::from(c) {
        0xad | 0x200b..=0x200d | 0x2060 | 0xfe00..=0xfe0f | 0x1f3fb..=0x1f3ff | 0xe0020..=0xe007f => Sort::Skip,
        // Arabic tashkeel, tatweel and Koranic marks; Hebrew niqqud, cantillation, geresh, gershayim.
        0x0640
        | 0x0610..=0x061a
        | 0x064b..=0x065f
        | 0x0670
        | 0x06d6..=0x06dc
        | 0x06df..=0x06e8
        | 0x06ea..=0x06ed
        | 0x0591..=0x05bd
        | 0x05bf..=0x05c7
        | 0x05f3
        | 0x05f4 => Sort::Skip,
        // Combining diacritics; Devanagari nukta.
        0x0300..=0x036f
        | 0x0483..=0x0487
        | 0x1ab0..=0x1aff
        | 0x1dc0..=0x1dff
        | 0x20d0..=0x20ff
        | 0xfe20..=0xfe2f
        | 0x093c => Sort::Skip,
        0x30fb | 0x3000..=0x3004 | 0x3008..=0x3020 => Sort::Gap,
        0x3005..=0x3007
        | 0x3021..=0x3029
        | 0x3041..=0x312f
        | 0x31a0..=0x31ff
        | 0x3400..=0x4dbf
        | 0x4e00..=0x9fff
        | 0xf900..=0xfaff
        | 0x20000..=0x323af => Sort::Cjk,
        0x0e50..=0x0e59 | 0x0ed0..=0x0ed9 => Sort::Word,
        0x0e01..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff if c.is_alphanumeric() || is_combining_mark(c) => {
            Sort::SoutheastAsian
        }
        0x1100..=0x11ff | 0x3130..=0x318f | 0xa960..=0xa97f | 0xac00..=0xd7ff => Sort::Hangul,
        0x231a | 0x231b | 0x23e9..=0x23fa | 0x2600..=0x27bf | 0x2b05..=0x2b07 | 0x2b1b..=0x2b55 | 0x1f000..=0x1faff => {
            Sort::Emoji
        }
        _ if c.is_alphanumeric() || is_combining_mark(c) => Sort::Word,
        _ => Sort::Gap,
    }
}

/// Appends the folded form of a word's character (not ASCII, not [`Sort::Skip`]).
pub(super) fn push(c: char, out: &mut String) {
    let special = match c {
        'ß' | 'ẞ' => "ss",
        'æ' | 'Æ' => "ae",
        'œ' | 'Œ' => "oe",
        'ø' | 'Ø' => "o",
        'đ' | 'Đ' | 'ð' | 'Ð' => "d",
        'þ' | 'Þ' => "th",
        'ł' | 'Ł' => "l",
        'ħ' | 'Ħ' => "h",
        'ı' | 'İ' => "i",
        'ς' => "σ",
        'й' | 'Й' => "й",
        'أ' | 'إ' | 'آ' | 'ٱ' => "ا",
        'ى' | 'ی' => "ي",
        'ک' => "ك",
        // Final forms of Hebrew.
        'ך' => "כ",
        'ם' => "מ",
        'ן' => "נ",
        'ף' => "פ",
        'ץ' => "צ",
        // Chandrabindu, written as anusvara by many.
        '\u{901}' => "\u{902}",
        _ => "",
    };
    if !special.is_empty() {
        out.push_str(special);
        return;
    }
    if let Some(digit) = digit(c) {
        out.push(digit);
        return;
    }
    for lower in c.to_lowercase() {
        match u32::from(lower) {
            0xc0..=0x52f | 0x1e00..=0x1fff => decompose_canonical(lower, |part| {
                if !is_combining_mark(part) {
                    out.push(part);
                }
            }),
            _ => out.push(lower),
        }
    }
}

/// The ASCII digit for a decimal digit of another script.
fn digit(c: char) -> Option<char> {
    const ZEROS: [u32; 8] = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xed0, 0x1040, 0x17e0];
    let code = u32::from(c);
    let zero = ZEROS.into_iter().find(|&zero| (zero..zero + 10).contains(&code))?;
    char::from_digit(code - zero, 10)
}
