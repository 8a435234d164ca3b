//! LoCoMo: conversations of two people over months, as the lists `session_1`, `session_2`, ... with a
//! `session_1_date_time` each, either at the top or nested under `conversation` in a list of samples.

use jiff::Timestamp;
use jiff::civil::{Date, Time};
use myosotis_core::Role;
use serde_json::Value;

use super::error::ImportError;
use super::fields::{self, Object};
use super::{Out, Parser, Turn};

/// Reads samples. Their sessions and turns have the same ids in each, so within a list the sample's
/// id goes before the session's.
#[derive(Debug, Default)]
pub(super) struct Locomo {
    samples: u64,
}

impl Parser for Locomo {
    fn object(&mut self, sample: Object, out: &mut Out) -> Result<(), ImportError> {
        self.samples += 1;
        let prefix = match fields::label(&sample, "sample_id") {
            Ok(Some(id)) => format!("{id}/"),
            Ok(None) if self.samples > 1 => format!("{}/", self.samples),
            Ok(None) => String::new(),
            Err(reason) => {
                out.broken(reason);
                return Ok(());
            }
        };
        let conversation = sample.get("conversation").and_then(Value::as_object).unwrap_or(&sample);
        let mut sessions: Vec<(u32, &str, &Value)> =
            conversation.iter().filter_map(|(key, turns)| Some((number_of(key)?, key.as_str(), turns))).collect();
        sessions.sort_by_key(|(number, ..)| *number);
        if sessions.is_empty() {
            out.broken("it has no `session_1`, so it is no LoCoMo conversation");
        }
        for (_, name, turns) in sessions {
            if let Err(reason) = session(conversation, name, turns, &prefix, out) {
                out.broken(format!("its {name}: {reason}"));
            }
        }
        Ok(())
    }
}

fn number_of(key: &str) -> Option<u32> {
    key.strip_prefix("session_")?.parse().ok()
}

fn session(conversation: &Object, name: &str, turns: &Value, prefix: &str, out: &mut Out) -> Result<(), String> {
    let Value::Array(turns) = turns else { return Err("it is not a list".into()) };
    let date_key = format!("{name}_date_time");
    let spoken = conversation.get(&date_key).and_then(Value::as_str).and_then(spoken_time);
    let created = match spoken {
        Some(at) => Some(at),
        None => fields::time(conversation, &date_key)?,
    };
    for (turn, position) in turns.iter().zip(0..) {
        match read_turn(turn) {
            Ok(turn) => {
                let session = Some(format!("{prefix}{name}"));
                out.turn(Turn { session, position: Some(position), created, ..turn });
            }
            Err(reason) => out.broken(format!("its {name}, turn {}: {reason}", position + 1)),
        }
    }
    Ok(())
}

fn read_turn(turn: &Value) -> Result<Turn, String> {
    let Value::Object(turn) = turn else { return Err("it is not a JSON object".into()) };
    let caption = turn.get("blip_caption").and_then(Value::as_str).map(str::trim).filter(|caption| !caption.is_empty());
    let text = match (fields::text(turn, "text"), caption) {
        (Ok(text), None) => text.to_owned(),
        (Ok(text), Some(caption)) => format!("{text} [{caption}]"),
        (Err(_), Some(caption)) if !turn.contains_key("text") => format!("[{caption}]"),
        (Err(reason), _) => return Err(reason),
    };
    Ok(Turn {
        text,
        role: Role::User,
        speaker: fields::label(turn, "speaker")?,
        session: None,
        message: fields::label(turn, "dia_id")?,
        position: None,
        created: None,
    })
}

/// `1:56 pm on 8 May, 2023`, taken as UTC.
fn spoken_time(text: &str) -> Option<Timestamp> {
    let text = text.to_lowercase();
    let (clock, day) = text.split_once(" on ")?;
    let clock = clock.trim();
    let (clock, afternoon) = match clock.strip_suffix("pm") {
        Some(clock) => (clock, 12),
        None => (clock.strip_suffix("am")?, 0),
    };
    let (hour, minute) = clock.trim().split_once(':')?;
    let hour = hour.parse::<i8>().ok().filter(|hour| (1..=12).contains(hour))? % 12 + afternoon;
    let day = day.replace(',', " ");
    let mut words = day.split_whitespace();
    let (number, month, year) = (words.next()?, words.next()?, words.next()?);
    let date = Date::new(year.parse().ok()?, month_of(month)?, number.parse().ok()?).ok()?;
    fields::utc(date.to_datetime(Time::new(hour, minute.parse().ok()?, 0, 0).ok()?))
}

fn month_of(word: &str) -> Option<i8> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    MONTHS.iter().zip(1..).find(|(month, _)| word.len() >= 3 && month.starts_with(word)).map(|(_, number)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spoken_times_are_read() {
        let at = |text| spoken_time(text).map(|at| at.to_string());
        assert_eq!(at("1:56 pm on 8 May, 2023").as_deref(), Some("2023-05-08T13:56:00Z"));
        assert_eq!(at("12:09 am on 13 September, 2023").as_deref(), Some("2023-09-13T00:09:00Z"));
        assert_eq!(at("12:30 PM on 1 Jan 2024").as_deref(), Some("2024-01-01T12:30:00Z"));
        for text in ["13:00 pm on 8 May, 2023", "1:56 on 8 May, 2023", "1:56 pm on 31 June, 2023", "pm on", " on "] {
            assert_eq!(at(text), None, "{text}");
        }
    }
}
