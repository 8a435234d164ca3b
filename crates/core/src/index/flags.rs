//! What is noted of a text when it is indexed, so that no query reads it again.

use jiff::civil::Date;

use super::row::{ASKS, ASKS_SHORTLY, BY_ASSISTANT, BY_USER};
use crate::item::Role;

/// Most words of a message that asks something which the next one is taken to answer. Measured on
/// conversations: longer ones ask in passing.
const SHORT_QUESTION: usize = 25;

/// Whether a text asks.
pub(super) fn text_flags(text: &str) -> u8 {
    let said = without_caption(text);
    let question = |c: char| matches!(c, '?' | '？' | '؟' | '՞');
    let ends = said.trim_end().ends_with(question);
    let short = said.contains(question) && said.split_whitespace().nth(SHORT_QUESTION).is_none();
    u8::from(ends) * ASKS + u8::from(short) * ASKS_SHORTLY
}

/// The text without the bracketed description of a picture at its end.
fn without_caption(text: &str) -> &str {
    match text.trim_end().strip_suffix(']').and_then(|rest| rest.rfind(" [").map(|at| &rest[..at])) {
        Some(said) => said,
        None => text,
    }
}

/// Whose words they are.
pub(super) fn role_flag(role: Role) -> u8 {
    match role {
        Role::User => BY_USER,
        Role::Assistant => BY_ASSISTANT,
        Role::System | Role::Tool => 0,
    }
}

/// The day of a time, in UTC.
pub(super) fn date_of(unix_ms: i64) -> Option<Date> {
    let at = jiff::Timestamp::from_millisecond(unix_ms).ok()?;
    Some(jiff::tz::Offset::UTC.to_datetime(at).date())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_seen_behind_its_picture() {
        assert_eq!(text_flags("How was it?"), ASKS | ASKS_SHORTLY);
        assert_eq!(text_flags("How was it? [shares a photo of a lake]"), ASKS | ASKS_SHORTLY);
        assert_eq!(text_flags("你去哪里？"), ASKS | ASKS_SHORTLY);
        assert_eq!(text_flags("Is it? I think so."), ASKS_SHORTLY);
        assert_eq!(text_flags(&format!("{}?", "word ".repeat(30))), ASKS);
        assert_eq!(text_flags("It was fine [really]"), 0);
    }

    #[test]
    fn days_before_1970_are_days() {
        assert_eq!(date_of(-1).map(|d| d.to_string()), Some("1969-12-31".into()));
        assert_eq!(date_of(i64::MAX), None);
    }
}
