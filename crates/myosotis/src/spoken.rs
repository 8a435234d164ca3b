//! How a text is cut into items, and what of it the embedder is given.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use myosotis_core::passage::{Said, embed_form, passages};
use myosotis_core::{Item, Kind, Source};

/// Cuts a text into parts of at most `limit` characters, between words where that wastes less than
/// half of a part (MEM-4).
pub(crate) fn parts(text: &str, limit: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((end, _)) = rest.char_indices().nth(limit) {
        let cut = rest[..end].rfind(char::is_whitespace).filter(|at| *at > end / 2).unwrap_or(end);
        parts.push(rest[..cut].trim_end());
        rest = rest[cut..].trim_start();
    }
    if !rest.is_empty() || parts.is_empty() {
        parts.push(rest);
    }
    parts
}

/// What the embedder is given: a message passage by passage with who said it and when (RETRIEVAL:
/// +7 points), anything learned as it stands.
pub(crate) fn embedding_texts(
    text: &str,
    kind: Kind,
    source: &Source,
    created: Option<Timestamp>,
    prefix: &str,
) -> Vec<String> {
    let said = Said {
        speaker: source.speaker.as_deref(),
        role: source.role,
        date: created.map(|at| at.to_zoned_datetime(TimeZone::UTC).date()),
    };
    let form = |passage: &str| match kind {
        Kind::Message => format!("{prefix}{}", embed_form(passage, &said)),
        _ => format!("{prefix}{passage}"),
    };
    passages(text).into_iter().map(form).collect()
}

/// [`embedding_texts`] of a stored item.
pub(crate) fn texts_of(item: &Item, prefix: &str) -> Vec<String> {
    embedding_texts(&item.text, item.kind, &item.source, item.created, prefix)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_long_text_is_cut_between_words() {
        // MEM-4
        assert_eq!(parts("one two three", 8), ["one two", "three"]);
        assert_eq!(parts("short", 8), ["short"]);
        assert_eq!(parts("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(parts("", 4), [""]);
    }

    proptest! {
        #[test]
        fn parts_keep_every_letter_and_the_limit(text in "\\PC{0,200}", limit in 1usize..40) {
            let parts = parts(&text, limit);
            let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(letters(&parts.concat()), letters(&text));
            prop_assert!(parts.iter().all(|part| part.chars().count() <= limit));
        }
    }
}
