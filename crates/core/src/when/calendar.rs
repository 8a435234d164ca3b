//! Date arithmetic: days, weeks, months, seasons seen from the reference time. Everything is civil
//! time until [`Calendar::span`] places it in the time zone; every step that could leave the years
//! 1 to 9999 gives `None`.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

use super::lexicon::{Part, Third, Unit};
use crate::item::Span;

/// A stretch of civil time, `from` inclusive and `to` exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) from: DateTime,
    pub(super) to: DateTime,
}

/// Which of the recurring ones is meant: the nearest in the past, the one of the current period,
/// or the nearest to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pick {
    /// The last one that began, be it still running ("in May").
    Started,
    /// The last one that is over ("last May").
    Last,
    /// That of this week or year ("this May").
    This,
    /// The first that begins after today ("next May").
    Next,
}

impl Pick {
    pub(super) fn of(rel: i8) -> Self {
        match rel {
            0 => Pick::This,
            ..0 => Pick::Last,
            1.. => Pick::Next,
        }
    }
}

/// The reference time, taken apart.
pub(super) struct Calendar {
    pub(super) now: DateTime,
    pub(super) today: Date,
    zone: TimeZone,
}

/// Largest count that is still taken for "N units ago".
const MAX_COUNT: i64 = 10_000;

impl Calendar {
    pub(super) fn new(reference: Timestamp, zone: &TimeZone) -> Self {
        let now = reference.to_zoned_datetime(zone.clone()).datetime();
        Self { now, today: now.date(), zone: zone.clone() }
    }

    /// Places a stretch in the time zone. Midnights that a clock change skips begin at the first
    /// moment after the gap; ends past the representable are the last moment there is.
    pub(super) fn span(&self, stretch: &Stretch) -> Option<Span> {
        let place = |at: DateTime, fallback: Timestamp| {
            at.to_zoned_datetime(self.zone.clone()).map_or(fallback, |zoned| zoned.timestamp())
        };
        let start = place(stretch.from, Timestamp::MIN);
        let end = place(stretch.to, Timestamp::MAX);
        (start < end).then_some(Span { start, end })
    }

    pub(super) fn date(year: i64, month: i64, day: i64) -> Option<Date> {
        if !(1..=9999).contains(&year) {
            return None;
        }
        Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
    }

    pub(super) fn days(first: Date, count: i64) -> Option<Stretch> {
        if !(1..=9999).contains(&first.year()) {
            return None;
        }
        Some(Stretch { from: first.to_datetime(Time::midnight()), to: end_of(first, count) })
    }

    pub(super) fn day_of(date: Date) -> Option<Stretch> {
        Self::days(date, 1)
    }

    pub(super) fn day(&self, offset: i64) -> Option<Stretch> {
        Self::day_of(shift(self.today, offset)?)
    }

    pub(super) fn month_of(year: i64, month: i64) -> Option<Stretch> {
        let first = Self::date(year, month, 1)?;
        Self::days(first, i64::from(first.days_in_month()))
    }

    pub(super) fn months(year: i64, month: i64, count: i64) -> Option<Stretch> {
        let first = Self::month_of(year, month)?;
        let index = year.checked_mul(12)?.checked_add(month - 1)?.checked_add(count - 1)?;
        let to = Self::month_of(index.div_euclid(12), index.rem_euclid(12) + 1).map_or(DateTime::MAX, |last| last.to);
        Some(Stretch { from: first.from, to })
    }

    pub(super) fn year_of(year: i64) -> Option<Stretch> {
        Self::months(year, 1, 12)
    }

    pub(super) fn week_of(date: Date) -> Option<Stretch> {
        Self::days(monday_of(date)?, 7)
    }

    pub(super) fn weekend_of(date: Date) -> Option<Stretch> {
        Self::days(shift(monday_of(date)?, 5)?, 2)
    }

    /// The calendar unit `offset` units away: -1 is last week, 0 this month, 1 next year.
    pub(super) fn unit(&self, unit: Unit, offset: i64) -> Option<Stretch> {
        self.unit_at(self.today, unit, offset)
    }

    /// The calendar unit `offset` units away from the one that holds `date`.
    pub(super) fn unit_at(&self, date: Date, unit: Unit, offset: i64) -> Option<Stretch> {
        if offset.abs() > MAX_COUNT {
            return None;
        }
        let (year, month) = (i64::from(date.year()), i64::from(date.month()));
        match unit {
            Unit::Minute | Unit::Hour => None,
            Unit::Day => Self::day_of(shift(date, offset)?),
            Unit::Week => Self::week_of(shift(date, 7 * offset)?),
            Unit::Fortnight => Self::days(monday_of(shift(date, 14 * offset)?)?, 14),
            Unit::Weekend => Self::weekend_of(shift(date, 7 * offset)?),
            Unit::Month => {
                let index = year * 12 + month - 1 + offset;
                Self::month_of(index.div_euclid(12), index.rem_euclid(12) + 1)
            }
            Unit::Quarter => {
                let index = year * 4 + (month - 1) / 3 + offset;
                Self::months(index.div_euclid(4), index.rem_euclid(4) * 3 + 1, 3)
            }
            Unit::Year => Self::year_of(year + offset),
            Unit::Decade => Self::months((year.div_euclid(10) + offset) * 10, 1, 120),
        }
    }

    /// "N units ago" (negative) or "in N units" (positive), as widely as people mean it.
    pub(super) fn away(&self, count: i64, unit: Unit) -> Option<Stretch> {
        if count.abs() > MAX_COUNT {
            return None;
        }
        let around = |middle: DateTime, half_minutes: i64| {
            let from = middle.checked_sub(half_minutes.minutes()).ok()?;
            let to = middle.checked_add(half_minutes.minutes()).ok()?;
            Some(Stretch { from, to })
        };
        match unit {
            Unit::Minute => around(self.now.checked_add(count.minutes()).ok()?, 5),
            Unit::Hour => around(self.now.checked_add(count.hours()).ok()?, 30),
            Unit::Week => Self::days(shift(self.today, 7 * count - 3)?, 7),
            Unit::Fortnight => Self::days(shift(self.today, 14 * count - 3)?, 7),
            Unit::Decade => self.unit(Unit::Year, count * 10),
            Unit::Quarter => self.unit(Unit::Month, count * 3),
            Unit::Day | Unit::Weekend | Unit::Month | Unit::Year => self.unit(unit, count),
        }
    }

    /// "A few units ago": two to five of them.
    pub(super) fn few_away(&self, unit: Unit, sign: i64) -> Option<Stretch> {
        let (near, far) = (self.away(2 * sign, unit)?, self.away(5 * sign, unit)?);
        Some(Stretch { from: near.from.min(far.from), to: near.to.max(far.to) })
    }

    /// "The last N units" (negative) or "the next N units": from then to now, today included.
    pub(super) fn window(&self, count: i64, unit: Unit) -> Option<Stretch> {
        if count == 0 || count.abs() > MAX_COUNT {
            return None;
        }
        if matches!(unit, Unit::Minute | Unit::Hour) {
            let away = if unit == Unit::Hour { count.hours() } else { count.minutes() };
            let other = self.now.checked_add(away).ok()?;
            let (from, to) = (self.now.min(other), self.now.max(other));
            return Some(Stretch { from, to });
        }
        let span = jiff::Span::new();
        let away = match unit {
            Unit::Minute | Unit::Hour | Unit::Day => span.try_days(count),
            Unit::Week | Unit::Weekend => span.try_weeks(count),
            Unit::Fortnight => span.try_weeks(2 * count),
            Unit::Month => span.try_months(count),
            Unit::Quarter => span.try_months(3 * count),
            Unit::Year => span.try_years(count),
            Unit::Decade => span.try_years(10 * count),
        }
        .ok()?;
        let other = self.today.checked_add(away).ok().filter(|date| (1..=9999).contains(&date.year()))?;
        let (first, last) = (self.today.min(other), self.today.max(other));
        Some(Stretch { from: first.to_datetime(Time::midnight()), to: end_of(last, 1) })
    }

    /// The Monday (1) to Sunday (7) that is meant.
    pub(super) fn weekday(&self, weekday: i8, pick: Pick) -> Option<Stretch> {
        let today = self.today.weekday().to_monday_one_offset();
        let ahead = i64::from(weekday - today);
        let offset = match pick {
            Pick::This => ahead,
            Pick::Last | Pick::Started => {
                if ahead < 0 {
                    ahead
                } else {
                    ahead - 7
                }
            }
            Pick::Next => {
                if ahead > 0 {
                    ahead
                } else {
                    ahead + 7
                }
            }
        };
        self.day(offset)
    }

    /// The month 1 to 12 of the year that is meant.
    pub(super) fn month(&self, month: i8, pick: Pick) -> Option<Stretch> {
        let year = i64::from(self.today.year()) + self.year_shift(i64::from(month), 1, pick);
        Self::month_of(year, i64::from(month))
    }

    /// The day of the month without a year: the last one, or the next.
    pub(super) fn month_day(&self, month: i64, day: i64, pick: Pick) -> Option<Stretch> {
        let this = i64::from(self.today.year());
        let order = if pick == Pick::Next { [0, 1, 4, 8] } else { [0, -1, -4, -8] };
        // Up to eight years away because of 29 February.
        let found = order.into_iter().filter_map(|shift| Self::date(this + shift, month, day));
        let meant = found.into_iter().find(|date| match pick {
            Pick::Next => *date >= self.today,
            Pick::This => date.year() == self.today.year(),
            Pick::Started | Pick::Last => *date <= self.today,
        });
        Self::day_of(meant?)
    }

    /// The day of a month without a month: "on the 8th".
    pub(super) fn day_of_month(&self, day: i64, pick: Pick) -> Option<Stretch> {
        let now = i64::from(self.today.year()) * 12 + i64::from(self.today.month()) - 1;
        let step = if pick == Pick::Next { 1 } else { -1 };
        let found = (0..3).filter_map(|n| {
            let index = now + n * step;
            Self::date(index.div_euclid(12), index.rem_euclid(12) + 1, day)
        });
        let meant = found.into_iter().find(|date| if step > 0 { *date >= self.today } else { *date <= self.today });
        Self::day_of(meant?)
    }

    /// The season (its first month: 3, 6, 9 or 12) of the year that is meant.
    pub(super) fn season(&self, first_month: i8, pick: Pick) -> Option<Stretch> {
        let mut shift = self.year_shift(i64::from(first_month), 3, pick);
        // In January and February "this winter" is the one that began in December.
        if pick == Pick::This && first_month == 12 && self.today.month() <= 2 {
            shift = -1;
        }
        Self::months(i64::from(self.today.year()) + shift, i64::from(first_month), 3)
    }

    /// How many years away the period of `length` months from `first` is that `pick` means.
    fn year_shift(&self, first: i64, length: i64, pick: Pick) -> i64 {
        let now = i64::from(self.today.month());
        match pick {
            Pick::This => 0,
            Pick::Started => {
                if first <= now {
                    0
                } else {
                    -1
                }
            }
            Pick::Last => {
                if first + length <= now {
                    0
                } else if first + length - 12 <= now {
                    -1
                } else {
                    -2
                }
            }
            Pick::Next => {
                if first > now {
                    0
                } else {
                    1
                }
            }
        }
    }

    /// A part of the day on which `day` begins.
    pub(super) fn part(day: &Stretch, part: Part) -> Option<Stretch> {
        let (from, to) = match part {
            Part::Morning => (5, 12),
            Part::Afternoon => (12, 18),
            Part::Evening => (17, 24),
            Part::Night => (18, 30),
        };
        let midnight = day.from.date().to_datetime(Time::midnight());
        let at = |hour: i64| midnight.checked_add(hour.hours()).ok();
        Some(Stretch { from: at(from)?, to: at(to)? })
    }

    /// The first, middle or last third of a stretch, in whole days.
    pub(super) fn third(whole: &Stretch, third: Third) -> Option<Stretch> {
        let first = whole.from.date();
        let days = i64::from(first.until(whole.to.date()).ok()?.get_days());
        if days < 3 {
            return Some(*whole);
        }
        let (skip, take) = match third {
            Third::Early => (0, (days + 2) / 3),
            Third::Mid => (days / 3, days - 2 * (days / 3)),
            Third::Late => (days - (days + 2) / 3, (days + 2) / 3),
        };
        Self::days(shift(first, skip)?, take)
    }

    /// The last weekday strictly before `date`, or the first strictly after.
    pub(super) fn weekday_beside(date: Date, weekday: i8, after: bool) -> Option<Stretch> {
        let ahead = i64::from(weekday - date.weekday().to_monday_one_offset());
        let offset = match (after, ahead) {
            (true, 1..) | (false, ..0) => ahead,
            (true, _) => ahead + 7,
            (false, _) => ahead - 7,
        };
        Self::day_of(shift(date, offset)?)
    }
}

/// `date` moved by whole days.
pub(super) fn shift(date: Date, days: i64) -> Option<Date> {
    if days.abs() > 4_000_000 {
        return None;
    }
    date.checked_add(days.days()).ok().filter(|date| (1..=9999).contains(&date.year()))
}

/// Midnight after `count` days from `first`, or the end of time.
fn end_of(first: Date, count: i64) -> DateTime {
    first.checked_add(count.days()).map_or(DateTime::MAX, |date| date.to_datetime(Time::midnight()))
}

fn monday_of(date: Date) -> Option<Date> {
    shift(date, -i64::from(date.weekday().to_monday_zero_offset()))
}
