//! Dates in a question: `8 May 2023`, `May 8th`, `in May`, `2022`. Which day they mean is for recall to
//! say: a month without a year is any year's. What depends on today (`yesterday`) is read elsewhere and
//! given to recall as a window of time.

use super::cues::is_year;
use super::segment::{Class, Segments, Token};

/// A date as far as it was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DateMention {
    /// The year, if given.
    pub(crate) year: Option<i16>,
    /// The month, 1 to 12; `None` for a year alone.
    pub(crate) month: Option<i8>,
    /// The day of the month, if given.
    pub(crate) day: Option<i8>,
}

/// Month names by number, folded.
pub(super) const MONTHS: [&str; 12] = [
    "january januar enero janvier janeiro gennaio januari января январь январе",
    "february februar febrero fevrier fevereiro febbraio februari февраля февраль феврале",
    "march marz maerz marzo marco maart марта март марте",
    "april abril avril aprile апреля апрель апреле",
    "may mayo maio maggio мая мае",
    "june juni junio juin junho giugno июня июнь июне",
    "july juli julio juillet julho luglio июля июль июле",
    "august agosto aout augustus августа август августе",
    "september septiembre septembre setembro settembre сентября сентябрь сентябре",
    "october oktober octubre octobre outubro ottobre октября октябрь октябре",
    "november noviembre novembre novembro ноября ноябрь ноябре",
    "december dezember diciembre decembre dezembro dicembre декабря декабрь декабре",
];

/// Finds dates. Sets `in_date[i]` for the tokens that belong to one.
pub(super) fn find(segments: &Segments, in_date: &mut Vec<bool>) -> Vec<DateMention> {
    in_date.clear();
    in_date.resize(segments.tokens.len(), false);
    let plain: Vec<(usize, Token)> = segments
        .tokens
        .iter()
        .copied()
        .enumerate()
        .filter(|(_, token)| !matches!(token.class, Class::Whole | Class::Piece))
        .collect();
    let word = |at: usize| plain.get(at).map_or("", |(_, token)| segments.word(*token));
    let mut dates = Vec::new();
    for at in 0..plain.len() {
        let month = plain[at].1.month;
        if month == 0 {
            continue;
        }
        let (mut from, mut to) = (at, at);
        // A day before: `8 May`, `8th of May`, `8. Mai`, `8 de mayo`.
        let joined = at >= 2 && matches!(word(at - 1), "of" | "de" | "del");
        let before = if joined { at - 2 } else { at.wrapping_sub(1) };
        let day_before = day(word(before));
        if day_before.is_some() {
            from = before;
        }
        let day_after = day(word(at + 1));
        if day_after.is_some() {
            to = at + 1;
        }
        // `May, 2022`, `mayo de 2022`.
        let skip = usize::from(matches!(word(to + 1), "of" | "de" | "del"));
        let year = is_year(word(to + 1 + skip)).then(|| word(to + 1 + skip).parse().ok()).flatten();
        if year.is_some() {
            to += 1 + skip;
        }
        let ambiguous = matches!(word(at), "may" | "march") && from == at && to == at;
        if ambiguous && (at == 0 || !plain[at].1.capital) {
            continue;
        }
        dates.push(DateMention { year, month: i8::try_from(month).ok(), day: day_before.or(day_after) });
        for (token, _) in &plain[from..=to] {
            in_date[*token] = true;
        }
    }
    if dates.is_empty() {
        for (token, plain_token) in &plain {
            let word = segments.word(*plain_token);
            if is_year(word) {
                dates.push(DateMention { year: word.parse().ok(), month: None, day: None });
                in_date[*token] = true;
            }
        }
    }
    dates
}

/// The day of the month a word tells: `8`, `8th`.
fn day(word: &str) -> Option<i8> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ending = &word[digits.len()..];
    let ordinal = matches!(ending, "" | "st" | "nd" | "rd" | "th" | "er");
    (ordinal && (1..=2).contains(&digits.len())).then(|| digits.parse().ok()).flatten()
}
