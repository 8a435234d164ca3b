//! What the dates of a question mean in time, so that an item's date is compared with numbers only.

use jiff::ToSpan;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::Window;
use super::params::{DAY, DAY_AFTER, DAY_SLACK_DAYS, MONTH, MONTH_SLACK_DAYS};
use crate::index::UNKNOWN;
use crate::words::DateMention;

const DAY_MS: i64 = 86_400_000;
/// A month without a year is looked for from this year on, whatever odd times items carry.
const EARLIEST_YEAR: i16 = 1900;
/// And up to this one.
const LATEST_YEAR: i16 = 2199;

/// The stretches of time a question names.
#[derive(Debug, Default)]
pub(super) struct Dates {
    /// Months, years and what the caller found.
    stretches: Vec<(i64, i64)>,
    /// Days, and the week after each at half.
    days: Vec<(i64, i64, f32)>,
}

impl Dates {
    /// What `mentions` and `windows` mean for a scope whose items are dated from `first` to `last`: a
    /// month without a year is that of every year there is.
    pub(super) fn new(mentions: &[DateMention], windows: &[Window], zone: &TimeZone, span: Option<(i64, i64)>) -> Self {
        let mut dates = Self::default();
        for window in windows {
            let length = window.end.saturating_sub(window.start);
            let is_month = (27 * DAY_MS..=32 * DAY_MS).contains(&length);
            let slack = if is_month { i64::from(MONTH_SLACK_DAYS) * DAY_MS } else { 0 };
            dates.stretches.push((window.start, window.end.saturating_add(slack)));
            if length <= DAY_MS + DAY_MS / 12 {
                dates.add_day(window.start, window.end, i64::from(DAY_SLACK_DAYS) * DAY_MS);
            }
        }
        let Some((first, last)) = span else { return dates };
        for mention in mentions {
            let years = match mention.year {
                Some(year) => year..=year,
                None => year_of(first, zone).max(EARLIEST_YEAR)..=year_of(last, zone).min(LATEST_YEAR),
            };
            for year in years {
                dates.add(*mention, year, zone, (first, last));
            }
        }
        dates
    }

    fn add(&mut self, mention: DateMention, year: i16, zone: &TimeZone, (first, last): (i64, i64)) {
        let start = |date: Option<Date>| {
            let at = zone.to_timestamp(date?.to_datetime(jiff::civil::Time::midnight())).ok()?;
            Some(at.as_millisecond())
        };
        let Some(month) = mention.month else {
            let (from, to) = (start(Date::new(year, 1, 1).ok()), start(Date::new(year.saturating_add(1), 1, 1).ok()));
            if let (Some(from), Some(to)) = (from, to)
                && !(from <= first && last < to)
            {
                // A year that every item is of tells nothing.
                self.stretches.push((from, to));
            }
            return;
        };
        let Ok(opening) = Date::new(year, month, 1) else { return };
        let after = opening.last_of_month().checked_add((1 + MONTH_SLACK_DAYS).days()).ok();
        if let (Some(from), Some(to)) = (start(Some(opening)), start(after)) {
            self.stretches.push((from, to));
        }
        let Some(day) = mention.day.and_then(|day| Date::new(year, month, day).ok()) else { return };
        let plus = |days: i32| start(day.checked_add(days.days()).ok());
        if let (Some(from), Some(to), Some(slack)) = (plus(0), plus(1), plus(1 + DAY_SLACK_DAYS)) {
            self.add_day(from, to, slack - to);
        }
    }

    fn add_day(&mut self, from: i64, to: i64, slack: i64) {
        self.days.push((from, to, 1.0));
        self.days.push((to, to.saturating_add(slack), DAY_AFTER));
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.stretches.is_empty() && self.days.is_empty()
    }

    /// What an item's date is worth.
    pub(super) fn score(&self, time: i64) -> f32 {
        if time == UNKNOWN {
            return 0.0;
        }
        let in_stretch = self.stretches.iter().any(|(from, to)| (*from..*to).contains(&time));
        let on_day = self.days.iter().filter(|(from, to, _)| (*from..*to).contains(&time)).map(|(_, _, share)| *share);
        let stretch = if in_stretch { MONTH } else { 0.0 };
        stretch + DAY * on_day.fold(0.0, f32::max)
    }
}

fn year_of(unix_ms: i64, zone: &TimeZone) -> i16 {
    jiff::Timestamp::from_millisecond(unix_ms).map_or(1970, |at| zone.to_datetime(at).year())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> i64 {
        text.parse::<jiff::Timestamp>().unwrap().as_millisecond()
    }

    fn span() -> Option<(i64, i64)> {
        Some((at("2022-01-01T00:00:00Z"), at("2023-12-31T00:00:00Z")))
    }

    #[test]
    fn a_month_without_a_year_is_any_years_with_slack() {
        // REC-10
        let may = [DateMention { year: None, month: Some(5), day: None }];
        let dates = Dates::new(&may, &[], &TimeZone::UTC, span());
        for (day, worth) in [("2022-05-01", 0.3), ("2023-06-15", 0.3), ("2023-06-16", 0.0), ("2023-04-30", 0.0)] {
            assert!((dates.score(at(&format!("{day}T00:00:00Z"))) - worth).abs() < 1e-6, "{day}");
        }
    }

    #[test]
    fn a_day_counts_more_than_its_week() {
        let day = [DateMention { year: Some(2023), month: Some(5), day: Some(8) }];
        let dates = Dates::new(&day, &[], &TimeZone::UTC, span());
        assert!((dates.score(at("2023-05-08T23:00:00Z")) - 0.6).abs() < 1e-6);
        assert!((dates.score(at("2023-05-15T23:00:00Z")) - 0.45).abs() < 1e-6);
        assert!((dates.score(at("2023-05-16T00:00:00Z")) - 0.3).abs() < 1e-6);
    }

    #[test]
    fn a_year_all_items_are_of_tells_nothing() {
        let year = [DateMention { year: Some(2023), month: None, day: None }];
        let within = Some((at("2023-02-01T00:00:00Z"), at("2023-12-31T00:00:00Z")));
        assert!(Dates::new(&year, &[], &TimeZone::UTC, within).is_empty());
        assert!(!Dates::new(&year, &[], &TimeZone::UTC, span()).is_empty());
    }

    #[test]
    fn days_are_those_of_the_time_zone() {
        let zone = TimeZone::fixed(jiff::tz::offset(9));
        let day = [DateMention { year: Some(2023), month: Some(5), day: Some(8) }];
        let dates = Dates::new(&day, &[], &zone, span());
        assert!((dates.score(at("2023-05-07T16:00:00Z")) - 0.6).abs() < 1e-6);
    }
}
