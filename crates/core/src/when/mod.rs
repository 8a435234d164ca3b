//! Temporal expressions in what people write: "yesterday", "in May 2023", "vor zwei Wochen", "上周三".
//!
//! [`find`] reads a query or a memory and gives the stretch of time each expression means, seen from
//! a reference time in a time zone (REC-10). It never asks what time it is now: "yesterday" said on
//! 7 May is 6 May whatever today is. The folder is laid out as data and two small readers:
//! `lexicon` is the words of each language, `token` cuts the text and looks words up, `calendar`
//! does the date arithmetic, `dates`, `relative`,
//! `numeric` and `grammar` read tokens of languages that write spaces, `cjk` (with `cjk_words`) reads
//! Chinese, Japanese and Korean. What kind of question a text is, `words` tells.
//!
//! Conventions, the same everywhere:
//! - A day is midnight to midnight in the reference's time zone; a week starts on Monday; a weekend
//!   is Saturday and Sunday.
//! - Seasons are the northern, meteorological ones: summer is June to August.
//! - Without a year or a direction the past is meant ("in May", "on Monday"), unless the text speaks
//!   of the future ("I will ... in May").
//! - "N weeks ago" is the seven days around that day, "N months ago" that calendar month, "N years
//!   ago" that calendar year: people round.
//! - A word that is also an ordinary word ("may", "march", "sat", French "mon") counts only with
//!   support: a preposition, a day, a year. Numeric dates that could be read two ways (05/08/2023) are left alone.
//!
//! Reading is linear in the text and never panics; a date outside the years 1 to 9999 is no date.

mod calendar;
mod cjk;
mod cjk_words;
mod dates;
mod grammar;
mod lexicon;
mod numeric;
mod relative;
#[cfg(test)]
mod tests;
mod token;

use std::ops::Range;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::item::Span;

/// One temporal expression and what it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The stretch of time, `start` inclusive and `end` exclusive.
    pub span: Span,
    /// Where the expression stands in the text, in bytes.
    pub range: Range<usize>,
    /// Whether the meaning hangs on the reference time ("yesterday", "in May") or not ("8 May 2023").
    pub relative: bool,
}

/// The temporal expressions of `text` in order of appearance, none overlapping another, resolved
/// against the time `reference` in the time zone `zone` (REC-10).
///
/// ```
/// use jiff::civil::date;
/// use jiff::tz::TimeZone;
/// use myosotis_core::when::find;
///
/// let said = date(2023, 5, 7).at(18, 30, 0, 0).to_zoned_datetime(TimeZone::UTC)?.timestamp();
/// let found = find("Yesterday I went to the store", said, &TimeZone::UTC);
/// assert_eq!(found[0].span.start.to_string(), "2023-05-06T00:00:00Z");
/// assert_eq!(found[0].span.end.to_string(), "2023-05-07T00:00:00Z");
/// assert!(found[0].relative);
/// # Ok::<(), jiff::Error>(())
/// ```
#[must_use]
pub fn find(text: &str, reference: Timestamp, zone: &TimeZone) -> Vec<Found> {
    let calendar = calendar::Calendar::new(reference, zone);
    let tokens = token::Tokens::of(text);
    let mut found = grammar::find(&tokens, &calendar);
    found.extend(cjk::find(text, &calendar));
    found.sort_by_key(|hit| (hit.range.start, std::cmp::Reverse(hit.range.end)));
    let mut end = 0;
    found.retain(|hit| {
        let free = hit.range.start >= end;
        end = if free { hit.range.end } else { end };
        free
    });
    found
}
