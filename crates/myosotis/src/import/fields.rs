//! Single fields of foreign JSON: ids, roles, texts and times, each read leniently and refused with a
//! reason that says which field and why. Reasons quote at most a few characters of the file.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use myosotis_core::Role;
use serde_json::{Map, Number, Value};

/// A JSON object.
pub(super) type Object = Map<String, Value>;

/// Longest id, session or speaker, in characters; beyond it is a text in the wrong field.
const MAX_LABEL_CHARS: usize = 512;

/// From this number on, a time is in milliseconds: as seconds it would be the year 5138.
const FIRST_MILLISECOND: u64 = 100_000_000_000;

/// The beginning of a foreign text, fit to be shown anywhere.
pub(super) fn excerpt(text: &str) -> String {
    let mut shown: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    if text.chars().nth(40).is_some() {
        shown.push('…');
    }
    shown
}

/// Reads one JSON object.
pub(super) fn object(bytes: &[u8]) -> Result<Object, String> {
    if let Err(error) = std::str::from_utf8(bytes) {
        return Err(format!("it is not UTF-8 from its byte {} on; save the file as UTF-8", error.valid_up_to() + 1));
    }
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err("it is not a JSON object (`{...}`)".into()),
        Err(error) => Err(syntax_reason(&error)),
    }
}

fn syntax_reason(error: &serde_json::Error) -> String {
    let message = error.to_string();
    if message.contains("surrogate") || message.contains("hex escape") {
        return "it holds half of a surrogate pair (an escape like \\ud800), which is no character; remove the escape"
            .into();
    }
    let what = message.split(" at line ").next().unwrap_or(&message);
    format!("it is not valid JSON: {what} at its column {}", error.column())
}

/// A string or number that names something; `None` if missing, null or empty.
pub(super) fn label(object: &Object, key: &str) -> Result<Option<String>, String> {
    let label = match object.get(key) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(Value::Number(number)) => number.to_string(),
        Some(_) => return Err(format!("`{key}` is neither text nor a number")),
    };
    if label.chars().nth(MAX_LABEL_CHARS).is_some() {
        return Err(format!("`{key}` is longer than {MAX_LABEL_CHARS} characters"));
    }
    Ok(Some(label).filter(|label| !label.is_empty()))
}

/// The text in a field that has to be there.
pub(super) fn text<'a>(object: &'a Object, key: &str) -> Result<&'a str, String> {
    match object.get(key) {
        Some(Value::String(text)) => Ok(text),
        None | Some(Value::Null) => Err(format!("it has no `{key}`")),
        Some(_) => Err(format!("`{key}` is not text")),
    }
}

/// Who spoke. `developer` and `function` are other words for system and tool.
pub(super) fn role(object: &Object) -> Result<Role, String> {
    let word = text(object, "role")?;
    match word.trim().to_ascii_lowercase().as_str() {
        "user" => Ok(Role::User),
        "assistant" => Ok(Role::Assistant),
        "system" | "developer" => Ok(Role::System),
        "tool" | "function" => Ok(Role::Tool),
        _ => Err(format!("`role` is \"{}\"; use user, assistant, system or tool", excerpt(word))),
    }
}

/// A time: RFC 3339 with or without a zone (then UTC), a date, seconds or milliseconds since 1970 as a
/// number or text. Missing, null and empty are unknown (MEM-13).
pub(super) fn time(object: &Object, key: &str) -> Result<Option<Timestamp>, String> {
    let (at, shown) = match object.get(key) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) if text.trim().is_empty() => return Ok(None),
        Some(Value::String(text)) => (written_time(text.trim()), excerpt(text)),
        Some(Value::Number(number)) => (counted_time(number), number.to_string()),
        Some(_) => (None, "neither text nor a number".to_owned()),
    };
    at.map(Some).ok_or_else(|| {
        format!("`{key}` is no time: {shown}; use RFC 3339, a date, or seconds or milliseconds since 1970")
    })
}

fn written_time(text: &str) -> Option<Timestamp> {
    // Eight digits are a date, 20230508: as seconds they would all be in 1970.
    if text.len() == 8
        && let Ok(date) = text.parse::<Date>()
    {
        return utc(date.at(0, 0, 0, 0));
    }
    if text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+')) {
        let whole = text.parse::<i64>().ok().map(Number::from);
        let number = whole.or_else(|| text.parse::<f64>().ok().and_then(Number::from_f64));
        if let Some(number) = number {
            return counted_time(&number);
        }
    }
    text.parse::<Timestamp>().ok().or_else(|| utc(text.parse::<DateTime>().ok()?))
}

fn counted_time(number: &Number) -> Option<Timestamp> {
    if let Some(count) = number.as_i64() {
        return match count.unsigned_abs() {
            ..FIRST_MILLISECOND => Timestamp::from_second(count).ok(),
            _ => Timestamp::from_millisecond(count).ok(),
        };
    }
    let count = number.as_f64()?;
    let micros = if count.abs() < FIRST_MILLISECOND as f64 { count * 1e6 } else { count * 1e3 };
    // Beyond this no time exists, and a cast would only saturate.
    (micros.abs() < 1e18).then(|| Timestamp::from_microsecond(micros.round() as i64).ok())?
}

/// A civil time as one in UTC.
pub(super) fn utc(at: DateTime) -> Option<Timestamp> {
    TimeZone::UTC.to_timestamp(at).ok()
}

/// Counts the messages of each session.
#[derive(Debug, Default)]
pub(super) struct Positions(HashMap<Option<String>, u32>);

impl Positions {
    /// The next place in a session, from 0.
    pub(super) fn next(&mut self, session: &Option<String>) -> Option<u32> {
        if let Some(next) = self.0.get_mut(session) {
            *next = next.saturating_add(1);
            return Some(*next);
        }
        self.0.insert(session.clone(), 0);
        Some(0)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn at(value: Value) -> Result<Option<String>, String> {
        let object = Object::from_iter([("timestamp".to_owned(), value)]);
        time(&object, "timestamp").map(|at| at.map(|at| at.to_string()))
    }

    #[test]
    fn times_are_read_as_people_write_them() {
        let moment = Ok(Some("2023-05-08T13:56:00Z".to_owned()));
        for value in [
            json!("2023-05-08T13:56:00Z"),
            json!("2023-05-08T13:56:00"),
            json!("2023-05-08 13:56:00"),
            json!("2023-05-08T13:56"),
            json!("2023-05-08T15:56:00+02:00"),
            json!("2023-05-08T13:56:00.000+0000"),
            json!("2023-05-08T13:56:00.000Z"),
            json!(" 2023-05-08t13:56:00z "),
            json!(1_683_554_160),
            json!(1_683_554_160.0),
            json!(1_683_554_160_000_i64),
            json!("1683554160"),
            json!("1683554160000"),
            json!("1683554160.0"),
        ] {
            assert_eq!(at(value.clone()), moment, "{value}");
        }
        for value in [json!("2023-05-08"), json!("20230508")] {
            assert_eq!(at(value.clone()), Ok(Some("2023-05-08T00:00:00Z".to_owned())), "{value}");
        }
        assert_eq!(at(json!(-1)), Ok(Some("1969-12-31T23:59:59Z".to_owned())));
        for value in [json!(null), json!(""), json!("  ")] {
            assert_eq!(at(value), Ok(None));
        }
    }

    #[test]
    fn no_time_is_refused_with_its_field() {
        for value in [json!("yesterday"), json!("2023-13-01"), json!("NaN"), json!(1e300), json!(u64::MAX), json!(true)]
        {
            let reason = at(value).unwrap_err();
            assert!(reason.starts_with("`timestamp` is no time"), "{reason}");
        }
    }
}
