//! The compound expressions ("two weeks ago", "the week before 9 June", "between March and May",
//! "since 2020") and the walk over the text.

use jiff::civil::{Date, DateTime, Time};

use super::Found;
use super::calendar::{Calendar, Pick, Stretch, shift};
use super::dates::{Hit, Reader, Support};
use super::lexicon::{Lang, Means, Third, Unit};
use super::token::Tokens;

/// All expressions of a text in a language that writes spaces.
pub(super) fn find(tokens: &Tokens, calendar: &Calendar) -> Vec<Found> {
    let reader = Reader { tokens, calendar };
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let Some(hit) = reader.expression(at).filter(|hit| hit.end > at) else {
            at += 1;
            continue;
        };
        let ends = tokens.get(at).zip(tokens.get(hit.end - 1));
        if let (Some((first, last)), Some(span)) = (ends, calendar.span(&hit.stretch)) {
            let range = first.range.start..last.range.end;
            found.push(Found { span, range, relative: hit.relative });
        }
        at = hit.end;
    }
    found
}

impl Reader<'_> {
    fn expression(&self, at: usize) -> Option<Hit> {
        let is = |means| self.tokens.is(at, means);
        if (is(Means::Between) || is(Means::From))
            && let Some(hit) = self.range(self.skip_small(at + 1), true)
        {
            return Some(hit);
        }
        self.bounded(at).or_else(|| self.range(at, false)).or_else(|| self.point(at, self.support(at)))
    }

    /// "since March", "after 8 May 2023", "before 2020", "until last week".
    fn bounded(&self, at: usize) -> Option<Hit> {
        let is = |means| self.tokens.is(at, means);
        if ![Means::Since, Means::After, Means::Before, Means::Until].into_iter().any(is) {
            return None;
        }
        let next = self.skip_small(at + 1);
        let hit = self.point(next, self.support(next))?;
        let (now, beginning) = (self.calendar.now, Date::constant(1, 1, 1).to_datetime(Time::midnight()));
        let until_now = |from: DateTime| Stretch { from, to: if from < now { now } else { DateTime::MAX } };
        // "vor", "antes", "с" mean several things: the first that fits the word.
        let stretch = if is(Means::Since) {
            until_now(hit.stretch.from)
        } else if is(Means::After) {
            until_now(hit.stretch.to)
        } else if is(Means::Until) {
            Stretch { from: beginning, to: hit.stretch.to }
        } else {
            Stretch { from: beginning, to: hit.stretch.from }
        };
        let relative = hit.relative || is(Means::Since) || is(Means::After);
        (stretch.from < stretch.to).then_some(Hit { stretch, end: hit.end, relative })
    }

    /// "March to May 2023", "8 May – 3 June"; after "from" or "between" more words join the two.
    fn range(&self, at: usize, introduced: bool) -> Option<Hit> {
        let capital = self.tokens.get(at).is_some_and(|token| token.capital);
        let support = if introduced || capital { Support::ALL } else { self.support(at) };
        let first = self.point(at, support)?;
        let joint = first.end;
        let dash = matches!(self.tokens.mark(joint), Some('-' | '–' | '—'));
        let word = self.tokens.is(joint, Means::To) || self.tokens.is(joint, Means::Until);
        let loose = introduced && (self.tokens.is(joint, Means::And) || self.tokens.folded(joint) == "a");
        if !(dash || word || loose) {
            return None;
        }
        let second = self.point(self.skip_small(joint + 1), Support::ALL)?;
        let stretch = join(&first, &second)?;
        Some(Hit { stretch, end: second.end, relative: first.relative && second.relative })
    }

    fn skip_small(&self, mut at: usize) -> usize {
        for _ in 0..2 {
            let small =
                self.tokens.is(at, Means::The) || self.tokens.is(at, Means::On) || self.tokens.is(at, Means::In);
            let spoken = self.count(at).is_some() || self.weekday_word(at).is_some();
            if small && !spoken {
                at += 1;
            }
        }
        at
    }

    /// One expression that is not a range.
    fn point(&self, at: usize, support: Support) -> Option<Hit> {
        self.ago(at)
            .or_else(|| self.nth(at))
            .or_else(|| self.beside(at))
            .or_else(|| self.third(at))
            .or_else(|| self.simple(at, support))
    }

    /// "three days ago", "vor drei Tagen", "il y a un an", "неделю назад", "in two weeks".
    fn ago(&self, at: usize) -> Option<Hit> {
        let away = |count: Option<i64>, unit: Unit, sign: i64, end: usize| {
            let stretch = match count {
                Some(count) => self.calendar.away(sign * count, unit)?,
                None => self.calendar.few_away(unit, sign)?,
            };
            Some(Hit { stretch, end, relative: true })
        };
        let counted = |at: usize| self.counted(at);
        if let Some((Some(count), day_at)) = self.count(at)
            && let Some(weekday) = self.weekdays_word(day_at)
            && self.tokens.is(day_at + 1, Means::Ago)
        {
            let last = self.calendar.weekday(weekday, Pick::Last)?.from.date();
            let stretch = Calendar::day_of(shift(last, count.checked_sub(1)?.checked_mul(-7)?)?)?;
            return Some(Hit { stretch, end: day_at + 2, relative: true });
        }
        if self.tokens.is(at, Means::AgoPre)
            && let Some((count, unit, end)) = counted(at + 1)
        {
            return away(count, unit, -1, end);
        }
        let german = self.tokens.lang() == Some(Lang::German);
        let ahead =
            self.tokens.is(at, Means::Ahead) || (self.tokens.is(at, Means::In) && (self.tokens.future || german));
        if ahead && let Some((count, unit, end)) = counted(at + 1) {
            return away(count, unit, 1, end);
        }
        if self.tokens.is(at, Means::Ahead)
            && let Some(unit) = self.unit_word(at + 1)
        {
            return away(Some(1), unit, 1, at + 2);
        }
        if let Some((count, unit, end)) = counted(at) {
            if self.tokens.is(end, Means::Ago) {
                return away(count, unit, -1, end + 1);
            }
            if self.tokens.is(end, Means::FromNow) {
                return away(count, unit, 1, end + 1);
            }
            return None;
        }
        let unit = self.unit_word(at)?;
        let russian = self.tokens.folded(at + 1) == "назад";
        (russian).then(|| away(Some(1), unit, -1, at + 2)).flatten()
    }

    /// "Fridays" behind a count.
    fn weekdays_word(&self, at: usize) -> Option<i8> {
        const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
        let word = self.tokens.folded(at);
        let day = DAYS.iter().position(|day| word.strip_suffix('s').unwrap_or(word) == *day)?;
        i8::try_from(day + 1).ok()
    }

    /// "the first weekend of August 2023", "the last Monday of May".
    fn nth(&self, at: usize) -> Option<Hit> {
        let nth = self.tokens.means(at, |means| match means {
            Means::Ord(n) => Some(i64::from(n)),
            _ => None,
        })?;
        let weekday = self.weekday_word(at + 1);
        let unit = self.unit_word(at + 1);
        let of = [Means::Of, Means::In].into_iter().any(|means| self.tokens.is(at + 2, means));
        let whole = of.then(|| self.simple(self.skip_small(at + 3), Support::ALL)).flatten()?;
        let (first, end) = (whole.stretch.from.date(), whole.stretch.to.date());
        // The first one that begins within the whole, and the step to the next.
        let (step, days, start) = match (weekday, unit) {
            (Some(day), _) => (7, 1, day),
            (_, Some(Unit::Weekend)) => (7, 2, 6),
            (_, Some(Unit::Week)) => (7, 7, first.weekday().to_monday_one_offset()),
            (_, Some(Unit::Day)) => (1, 1, first.weekday().to_monday_one_offset()),
            _ => return None,
        };
        let ahead = i64::from(start - first.weekday().to_monday_one_offset()).rem_euclid(7);
        let length = i64::from(first.until(end).ok()?.get_days());
        let offset =
            if nth > 0 { ahead + (nth - 1) * step } else { ahead + (length - 1 - ahead).div_euclid(step) * step };
        if !(0..length).contains(&offset) {
            return None;
        }
        let stretch = Calendar::days(shift(first, offset)?, days)?;
        Some(Hit { stretch, end: whole.end, relative: whole.relative })
    }

    /// "the week before 9 June 2023", "two days after ...", "the week of ...", "the year before last".
    fn beside(&self, at: usize) -> Option<Hit> {
        let (count, next) = match self.count(at) {
            Some((Some(count), next)) => (count, next),
            _ => (1, at),
        };
        let unit = self.unit_word(next);
        let weekday = self.weekday_word(next);
        if unit.is_none() && weekday.is_none() {
            return None;
        }
        let place = next + 1;
        let after = self.tokens.is(place, Means::After);
        let before = self.tokens.is(place, Means::Before);
        if let (Some(unit), true) = (unit, before || after)
            && let Some(rel @ (-1 | 1)) = self.rel_word(place + 1)
            && (rel < 0) == before
            && self.unit_word(place + 2).is_none()
            && let Some(stretch) = self.calendar.unit(unit, 2 * i64::from(rel))
            && self.simple(place + 1, Support::default()).is_none()
        {
            return Some(Hit { stretch, end: place + 2, relative: true });
        }
        if let (Some(day), true) = (weekday, before)
            && self.rel_word(place + 1) == Some(-1)
            && self.simple(place + 1, Support::default()).is_none()
        {
            let last = self.calendar.weekday(day, Pick::Last)?.from.date();
            return Some(Hit { stretch: Calendar::day_of(shift(last, -7)?)?, end: place + 2, relative: true });
        }
        let date_at = self.skip_small(place + 1);
        if before || after {
            let date = self.simple(date_at, Support::ALL)?;
            let stretch = match (weekday, unit) {
                (Some(day), _) => Calendar::weekday_beside(edge(&date, after)?, day, after)?,
                (_, Some(unit)) => self.units_beside(&date.stretch, unit, count, after)?,
                _ => return None,
            };
            return Some(Hit { stretch, end: date.end, relative: date.relative });
        }
        if self.tokens.is(place, Means::Of) {
            let date = self.simple(date_at, Support::ALL).filter(|date| is_day(&date.stretch))?;
            let stretch = match unit? {
                Unit::Week => Calendar::week_of(date.stretch.from.date())?,
                Unit::Weekend => Calendar::weekend_of(date.stretch.from.date())?,
                _ => return None,
            };
            return Some(Hit { stretch, end: date.end, relative: date.relative });
        }
        None
    }

    fn units_beside(&self, date: &Stretch, unit: Unit, count: i64, after: bool) -> Option<Stretch> {
        if !(1..=1000).contains(&count) {
            return None;
        }
        let (first, behind) = (date.from.date(), date.to.date());
        let days = |length: i64| {
            let start = if after { shift(behind, (count - 1) * length)? } else { shift(first, -count * length)? };
            Calendar::days(start, length)
        };
        match unit {
            Unit::Day => days(1),
            Unit::Week => days(7),
            Unit::Fortnight => days(14),
            Unit::Weekend => {
                let edge = if after { shift(behind, -1)? } else { first };
                let saturday = Calendar::weekday_beside(edge, 6, after)?.from.date();
                Calendar::days(shift(saturday, if after { 7 } else { -7 } * (count - 1))?, 2)
            }
            Unit::Month | Unit::Quarter | Unit::Year | Unit::Decade => {
                self.calendar.unit_at(first, unit, if after { count } else { -count })
            }
            Unit::Minute | Unit::Hour => None,
        }
    }

    /// "early May", "Mitte 2022", "end of last month".
    fn third(&self, at: usize) -> Option<Hit> {
        let third: Third = self.tokens.means(at, |means| match means {
            Means::Third(third) => Some(third),
            _ => None,
        })?;
        let mut next = at + 1;
        while next < at + 4
            && (self.tokens.mark(next) == Some('-')
                || self.tokens.is(next, Means::Of)
                || self.tokens.is(next, Means::The))
            && self.rel_word(next).is_none()
        {
            next += 1;
        }
        // "the end of the year" is that of this year.
        let this = || {
            let calendar_unit = |unit: &Unit| matches!(unit, Unit::Week | Unit::Month | Unit::Quarter | Unit::Year);
            let unit = self.unit_word(next).filter(calendar_unit).filter(|_| next > at + 1)?;
            Some(Hit { stretch: self.calendar.unit(unit, 0)?, end: next + 1, relative: true })
        };
        let whole = self.simple(next, Support::ALL).or_else(this)?;
        Some(Hit { stretch: Calendar::third(&whole.stretch, third)?, ..whole })
    }
}

fn is_day(stretch: &Stretch) -> bool {
    Calendar::day_of(stretch.from.date()) == Some(*stretch)
}

/// The day next to which something stands.
fn edge(date: &Hit, after: bool) -> Option<Date> {
    if after { shift(date.stretch.to.date(), -1) } else { Some(date.stretch.from.date()) }
}

/// From the first to the second. Where only one names a year, the other takes it.
fn join(first: &Hit, second: &Hit) -> Option<Stretch> {
    let (mut from, mut to) = (first.stretch.from, second.stretch.to);
    let moved = |at: DateTime, years: i16| {
        let year = at.year().checked_add(years).filter(|year| (1..=9999).contains(year))?;
        at.with().year(year).build().ok()
    };
    match (first.relative, second.relative) {
        (true, false) => {
            from = moved(from, second.stretch.from.year() - from.year())?;
            if from >= to {
                from = moved(from, -1)?;
            }
        }
        (false, true) => {
            to = moved(to, first.stretch.from.year() - second.stretch.from.year())?;
            if from >= to {
                to = moved(to, 1)?;
            }
        }
        // "from Monday to Wednesday", said on a Tuesday: the Monday before that Wednesday.
        _ if from >= to && first.relative && from.date().until(to.date()).is_ok_and(|days| days.get_days() > -7) => {
            from = shift(from.date(), -7)?.to_datetime(from.time());
        }
        _ if from >= to => to = moved(to, 1)?,
        _ => {}
    }
    (from < to).then_some(Stretch { from, to })
}
