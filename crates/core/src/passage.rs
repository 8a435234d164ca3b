//! Passages, and the forms in which a text is indexed.
//!
//! Long messages are matched by their best passage of 60 words, each overlapping the next by 15, so
//! that one sentence is not drowned by the rest (+4 to +20 points of recall on long chats). What was
//! said is indexed together with who said it and when: a question names both (+7 points for the
//! dense leg; -13 without the speaker).

use std::fmt::Write as _;
use std::ops::Range;

use jiff::civil::Date;

use crate::item::Role;
use crate::words::is_without_spaces;

/// Words in a passage. Measured on user/assistant logs; 40 to 80 do about as well.
pub const PASSAGE_WORDS: usize = 60;
/// Words from the start of a passage to the start of the next.
pub const PASSAGE_STRIDE: usize = 45;
/// How many characters of a script without spaces count as a word.
const CHARS_PER_WORD: usize = 2;

/// Cuts a text into passages, in order. A text of up to 60 words is one passage, as it stands; an
/// empty text too.
///
/// ```
/// use myosotis_core::passage::passages;
/// assert_eq!(passages("a short text"), ["a short text"]);
/// let long = "word ".repeat(100);
/// assert_eq!(passages(&long).len(), 2);
/// ```
#[must_use]
pub fn passages(text: &str) -> Vec<&str> {
    // No text has more words than half its bytes.
    if text.len() <= PASSAGE_WORDS * 2 {
        return vec![text];
    }
    let starts = word_starts(text);
    if starts.len() <= PASSAGE_WORDS {
        return vec![text];
    }
    let mut out = Vec::new();
    let mut first = 0;
    loop {
        let end = starts.get(first + PASSAGE_WORDS).copied().unwrap_or(text.len());
        out.push(text[starts[first]..end].trim());
        if first + PASSAGE_WORDS >= starts.len() {
            return out;
        }
        first += PASSAGE_STRIDE;
    }
}

/// Where words begin; in scripts without spaces, every other character.
fn word_starts(text: &str) -> Vec<usize> {
    let mut starts = Vec::with_capacity(text.len() / 5);
    let (mut in_word, mut dense) = (false, 0);
    for (at, c) in text.char_indices() {
        if c.is_whitespace() {
            in_word = false;
            dense = 0;
        } else if !c.is_ascii() && is_without_spaces(c) {
            if dense % CHARS_PER_WORD == 0 {
                starts.push(at);
            }
            dense += 1;
            in_word = false;
        } else {
            if !in_word {
                starts.push(at);
            }
            in_word = true;
            dense = 0;
        }
    }
    starts
}

/// Who said a text, and when.
#[derive(Debug, Clone, Copy, Default)]
pub struct Said<'a> {
    /// The name of the speaker, where the conversation has names.
    pub speaker: Option<&'a str>,
    /// The speaker's part in it.
    pub role: Role,
    /// The day it was said.
    pub date: Option<Date>,
}

impl Said<'_> {
    /// The speaker's name, or the role's.
    #[must_use]
    pub fn who(&self) -> &str {
        self.speaker.unwrap_or(match self.role {
            Role::User => "User",
            Role::Assistant => "Assistant",
            Role::System => "System",
            Role::Tool => "Tool",
        })
    }
}

/// A day as people write it: `8 May 2023`.
#[must_use]
pub fn day(date: Date) -> String {
    format!("{} {} {}", date.day(), month(date), date.year())
}

/// The English name of a date's month.
pub(crate) fn month(date: Date) -> &'static str {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    MONTHS[usize::from(date.month().unsigned_abs().clamp(1, 12)) - 1]
}

/// What the word leg indexes for a passage: `Anna: I moved to Lisbon (8 May 2023)`.
///
/// ```
/// use myosotis_core::passage::{Said, word_form};
/// let said = Said { speaker: Some("Anna"), date: Some(jiff::civil::date(2023, 5, 8)), ..Said::default() };
/// assert_eq!(word_form("I moved to Lisbon", &said), "Anna: I moved to Lisbon (8 May 2023)");
/// ```
#[must_use]
pub fn word_form(passage: &str, said: &Said<'_>) -> String {
    let mut out = String::new();
    write_word_form(&mut out, passage, said.speaker, said.date);
    out
}

/// Writes the form the word index takes, `Anna: I moved to Lisbon (8 May 2023)`, over what `out` held, and returns where
/// the passage lies in it. Roles are left out: half of all messages have the same.
pub(crate) fn write_word_form(out: &mut String, passage: &str, name: Option<&str>, date: Option<Date>) -> Range<usize> {
    out.clear();
    if let Some(name) = name {
        out.push_str(name);
        out.push_str(": ");
    }
    let start = out.len();
    out.push_str(passage);
    let end = out.len();
    if let Some(date) = date {
        // Writing to a string cannot fail.
        let _ = write!(out, " ({} {} {})", date.day(), month(date), date.year());
    }
    start..end
}

/// What the embedder is given for a passage: `Anna said on 8 May 2023: "I moved to Lisbon"`.
///
/// ```
/// use myosotis_core::{Role, passage::{Said, embed_form}};
/// let said = Said { speaker: Some("Anna"), role: Role::User, date: Some(jiff::civil::date(2023, 5, 8)) };
/// assert_eq!(embed_form("I moved to Lisbon", &said), "Anna said on 8 May 2023: \"I moved to Lisbon\"");
/// ```
#[must_use]
pub fn embed_form(passage: &str, said: &Said<'_>) -> String {
    match said.date {
        Some(date) => format!("{} said on {}: \"{passage}\"", said.who(), day(date)),
        None => format!("{} said: \"{passage}\"", said.who()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn passages_overlap_and_reach_the_end() {
        let words: Vec<String> = (0..151).map(|n| format!("w{n}")).collect();
        let text = words.join(" ");
        let parts = passages(&text);
        let edges: Vec<_> = parts.iter().map(|p| (p.split(' ').next(), p.split(' ').next_back())).collect();
        assert_eq!(
            edges,
            [
                (Some("w0"), Some("w59")),
                (Some("w45"), Some("w104")),
                (Some("w90"), Some("w149")),
                (Some("w135"), Some("w150"))
            ]
        );
    }

    #[test]
    fn sixty_words_are_one_passage() {
        let text = "word ".repeat(60);
        assert_eq!(passages(&text), [text.as_str()]);
    }

    #[test]
    fn chinese_counts_two_characters_as_a_word() {
        assert_eq!(passages(&"好".repeat(120)).len(), 1);
        let parts = "好".repeat(200);
        let lengths: Vec<_> = passages(&parts).iter().map(|p| p.chars().count()).collect();
        assert_eq!(lengths, [120, 110]);
    }

    #[test]
    fn nobody_named_is_their_role() {
        let said = Said { role: Role::Assistant, ..Said::default() };
        assert_eq!(word_form("Hello", &said), "Hello");
        assert_eq!(embed_form("Hello", &said), "Assistant said: \"Hello\"");
    }

    proptest! {
        #[test]
        fn every_word_is_in_some_passage(text in "([a-z]{1,8} |好|ไ|\u{1f431} ){0,300}") {
            let parts = passages(&text);
            for word in text.split_whitespace().filter(|word| word.is_ascii()) {
                prop_assert!(parts.iter().any(|part| part.contains(word)));
            }
            prop_assert!(parts.len() <= text.chars().count() / PASSAGE_STRIDE + 1);
        }
    }
}
