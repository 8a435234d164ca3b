//! The canonical form of a text before anything else looks at it (MEM-4).

use unicode_normalization::UnicodeNormalization;

/// Unicode NFC, control and bidirectional-override characters removed, white space runs collapsed to
/// one space, trimmed (MEM-4).
///
/// ```
/// use myosotis_core::text::canonical;
/// assert_eq!(canonical("  likes\n\tgreen \u{202e}tea "), "likes green tea");
/// ```
#[must_use]
pub fn canonical(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.nfc() {
        if c.is_whitespace() || matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}') {
            if !out.ends_with(' ') && !out.is_empty() {
                out.push(' ');
            }
        } else if !c.is_control() && !is_bidi(c) && !is_noncharacter(c) {
            out.push(c);
        }
    }
    if out.ends_with(' ') {
        out.pop();
    }
    out
}

/// Bidirectional embeddings, overrides, isolates and marks, which can make a text read as another.
#[must_use]
pub fn is_bidi(c: char) -> bool {
    matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Code points that are no characters and have no business in a text.
fn is_noncharacter(c: char) -> bool {
    matches!(u32::from(c) & 0xffff, 0xfffe | 0xffff) || matches!(c, '\u{fdd0}'..='\u{fdef}')
}

/// Characters that show nothing: zero-width, bidirectional, tags, fillers, soft hyphen.
///
/// The zero-width joiner and non-joiner are among them though emoji and some scripts use them: where
/// this is asked (labels, the block), a name or a line must look like what it is.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    is_bidi(c)
        || is_noncharacter(c)
        || matches!(
            c,
            '\u{00ad}' | '\u{034f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{3164}'
                | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Combining marks: part of the letter before them.
#[must_use]
pub fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn cleaning_keeps_words_and_drops_tricks() {
        // MEM-4
        for (given, clean) in [
            ("a\u{0}b", "ab"),
            ("one\u{2028}two\u{85}three", "one two three"),
            ("e\u{301}", "\u{e9}"),
            ("\u{feff}  \u{a0}x\u{3000}y ", "\u{feff} x y"),
            ("left\u{202d}right\u{2069}", "leftright"),
            ("👩\u{200d}🚀 flies", "👩\u{200d}🚀 flies"),
        ] {
            assert_eq!(canonical(given), clean, "{given:?}");
        }
    }

    proptest! {
        #[test]
        fn cleaning_twice_changes_nothing(text in "\\PC{0,60}|.{0,60}") {
            let clean = canonical(&text);
            prop_assert_eq!(canonical(&clean), clean.clone());
            prop_assert!(!clean.contains("  ") && clean.trim() == clean);
            prop_assert!(clean.chars().all(|c| !c.is_control() && !is_bidi(c)));
        }
    }
}
