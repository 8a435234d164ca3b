//! The form of a text by which exact repeats are found: the same for every way of writing one text,
//! different for texts that read differently.

use unicode_normalization::UnicodeNormalization;

use crate::text::{is_invisible, is_mark};

/// `text` case-folded, in NFKC, without punctuation and spacing that carries nothing: what two texts
/// share if and only if a person would call them the same text (MEM-7, MEM-12).
///
/// Kept: letters, marks and digits of every script; signs, separators and apostrophes inside numbers
/// and words (`-5`, `1.5`, `7:30`, `we're`); symbols (`C++`, `C#`, `50%`, `$5`, emoji). Between words
/// one space, none next to Chinese and Japanese characters. A text of nothing but punctuation keeps it.
///
/// ```
/// use myosotis_core::claim::normal_form;
/// assert_eq!(normal_form("  I like   GREEN tea! "), "i like green tea");
/// assert_eq!(normal_form("我 喜欢 Rust。"), "我喜欢rust");
/// assert_ne!(normal_form("C"), normal_form("C++"));
/// assert_ne!(normal_form("-5"), normal_form("5"));
/// ```
#[must_use]
pub fn normal_form(text: &str) -> String {
    let chars: Vec<char> = folded(text).chars().collect();
    let mut out = String::with_capacity(text.len());
    let (mut gap, mut last) = (false, None);
    for (at, &c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| chars.get(at)).copied();
        let kept = is_word(c) || is_symbol(c) || is_inner(c, before, &chars[at..], last);
        if !kept {
            gap = true;
            continue;
        }
        if let Some(last) = last
            && gap
            && needs_space(last, c)
        {
            out.push(' ');
        }
        // A sign behind a space stays apart from what stands before it.
        out.push(if is_dash(c) { '-' } else { c });
        (gap, last) = (false, Some(c));
    }
    if out.is_empty() { folded(text).chars().filter(|c| !c.is_whitespace()).collect() } else { out }
}

/// Full case folding and NFKC; superscripts that would turn into digits of a number keep a mark.
fn folded(text: &str) -> String {
    let mut marked = String::with_capacity(text.len());
    let mut before = None;
    for c in text.nfc() {
        if matches!(c, '²' | '³' | '¹' | '⁰' | '⁴'..='⁹') && before.is_some_and(|c: char| c.is_numeric()) {
            marked.push('^');
        }
        if matches!(c, '¼'..='¾' | '⅐'..='⅞') && before.is_some_and(|c: char| c.is_numeric()) {
            marked.push(' ');
        }
        before = Some(c);
        let joiner = c == '\u{200d}' && !marked.is_empty();
        if !is_invisible(c) || joiner {
            marked.push(c);
        }
    }
    let folded: String = marked.nfkc().flat_map(fold_char).collect();
    let folded: String = folded.nfkc().collect();
    // A joiner counts inside an emoji only; the selectors choose a look, not a meaning.
    let chars: Vec<char> = folded.chars().collect();
    let keeps = |at: usize| {
        let symbol =
            |at: Option<usize>| at.and_then(|at| chars.get(at)).is_some_and(|c| is_symbol(*c) || *c == '\u{fe0f}');
        chars[at] != '\u{200d}' || (symbol(at.checked_sub(1)) && symbol(Some(at + 1)))
    };
    let selector = |c: char| matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}');
    (0..chars.len()).filter(|at| keeps(*at)).map(|at| chars[at]).filter(|c| !selector(*c)).collect()
}

/// One character, case-folded. Through the capital, so that ß is ss and ς is σ; the Turkish dotless ı,
/// whose capital it would share with i, stays itself.
fn fold_char(c: char) -> impl Iterator<Item = char> {
    let (upper, itself) = match c {
        'ı' => (None, Some(c)),
        c if c.is_ascii() => (None, Some(c.to_ascii_lowercase())),
        c => (Some(c.to_uppercase()), None),
    };
    itself.into_iter().chain(upper.into_iter().flatten().flat_map(char::to_lowercase))
}

pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || is_mark(c)
}

/// Symbols that carry meaning wherever they stand: mathematics, money, emoji, and `# % & @` and the like.
pub(super) fn is_symbol(c: char) -> bool {
    matches!(c, '#' | '%' | '&' | '@' | '+' | '<' | '=' | '>' | '^' | '|' | '~' | '$' | '‰' | '§' | '\u{200d}')
        || matches!(c, '\u{a2}'..='\u{a5}' | '©' | '®' | '°' | '±' | '×' | '÷' | '¬' | '\u{20a0}'..='\u{20cf}')
        || matches!(c, '\u{2044}' | '\u{2100}'..='\u{214f}' | '\u{2190}'..='\u{2211}' | '\u{2213}'..='\u{2bff}' | '\u{3012}' | '\u{3020}' | '\u{4dc0}'..='\u{4dff}' | '\u{1f000}'..='\u{1faff}')
}

pub(super) fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2012}' | '–' | '\u{2212}')
}

/// Punctuation that belongs to the word or number around it.
fn is_inner(c: char, before: Option<char>, from: &[char], last: Option<char>) -> bool {
    let after = from.get(1).copied();
    let (word_before, word_after) = (before.is_some_and(is_word), after.is_some_and(is_word));
    let digit_after = after.is_some_and(char::is_numeric);
    match c {
        '\'' | '’' | '.' | '_' | '/' | '\\' | '*' | '·' => word_before && word_after,
        ',' | ':' => before.is_some_and(char::is_numeric) && digit_after,
        // A sign, or a range of numbers; a hyphen between words is a space.
        _ if is_dash(c) => {
            digit_after
                && (!word_before || before.is_some_and(char::is_numeric))
                && last.is_none_or(|last| !is_dash(last))
        }
        _ => false,
    }
}

/// Whether a gap between these two carries anything.
fn needs_space(before: char, after: char) -> bool {
    let unspaced = |c: char| matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}');
    let glued = |c: char| is_symbol(c) && !matches!(c, '<' | '>' | '&');
    !(unspaced(before) || unspaced(after) || glued(before) || glued(after))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    // MEM-7
    #[test]
    fn ways_of_writing_one_text_share_a_form() {
        for (a, b) in [
            ("I like tea", " i  LIKE tea. "),
            ("Straße", "STRASSE"),
            ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
            ("ﬁne", "fine"),
            ("ｆｕｌｌ　width", "full width"),
            ("我喜欢 Rust", "我喜欢Rust！"),
            ("cafe\u{301}", "café"),
            ("re\u{ad}member", "remember"),
            ("❤\u{fe0f}", "❤"),
            ("50 %", "50%"),
            ("e-mail — daily", "e mail daily"),
        ] {
            assert_eq!(normal_form(a), normal_form(b), "{a:?} {b:?}");
        }
    }

    // MEM-7, MEM-12
    #[test]
    fn texts_that_read_differently_differ() {
        for (a, b) in [
            ("C", "C++"),
            ("C#", "C++"),
            ("C", "C#"),
            ("-5", "5"),
            ("−5", "5"),
            ("1.5", "15"),
            ("7:30", "730"),
            ("12 3", "123"),
            ("10²", "102"),
            ("3½", "31/2"),
            ("we're", "were"),
            ("nowhere", "now here"),
            ("$5", "€5"),
            ("5%", "5"),
            ("😀", "😡"),
            ("👨‍👩‍👧", "👨👩👧"),
            ("...", "!!"),
            ("papá", "papa"),
            ("año", "ano"),
            ("ılık", "ilik"),
            ("قلب", "كلب"),
            ("李国宇", "李国华"),
            ("はし", "ばし"),
            ("कि", "की"),
            ("R&B", "RB"),
            ("a < b", "a > b"),
        ] {
            assert_ne!(normal_form(a), normal_form(b), "{a:?} {b:?}");
        }
    }

    proptest! {
        // MEM-7
        #[test]
        fn the_form_is_stable(text in "\\PC{0,30}") {
            let once = normal_form(&text);
            prop_assert_eq!(normal_form(&once), once);
        }

        // MEM-7
        #[test]
        fn spacing_and_case_do_not_count(words in prop::collection::vec("[a-z]{1,8}|[а-я]{1,8}|[0-9]{1,4}", 1..6)) {
            let plain = words.join(" ");
            let spread = [" ", &words.join(" \t "), " ."].concat().to_uppercase();
            prop_assert_eq!(normal_form(&plain), normal_form(&spread));
        }

        // MEM-12
        #[test]
        fn other_letters_are_another_text(a in "[a-z0-9αбж日本あ한ا]{1,6}", b in "[a-z0-9αбж日本あ한ا]{1,6}") {
            prop_assert_eq!(normal_form(&a) == normal_form(&b), a == b);
        }
    }
}
