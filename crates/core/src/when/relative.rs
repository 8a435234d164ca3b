//! The simple expressions counted from the reference: yesterday, last/this/next, the last three days.

use super::calendar::{Calendar, Pick, Stretch, shift};
use super::dates::{Hit, Reader};
use super::lexicon::{Means, Unit};

impl Reader<'_> {
    /// The day, or the part of it that is named behind it.
    pub(super) fn with_part(&self, day: Stretch, at: usize, relative: bool) -> Option<Hit> {
        for skipped in 0..3 {
            if let Some(part) = self.part_word(at + skipped) {
                return Self::hit(Calendar::part(&day, part), at + skipped + 1, relative);
            }
            let filler = [Means::On, Means::The, Means::Of, Means::In]
                .into_iter()
                .any(|means| self.tokens.is(at + skipped, means))
                || matches!(self.tokens.folded(at + skipped), "por" | "a" | "de");
            if !filler {
                break;
            }
        }
        Self::hit(Some(day), at, relative)
    }

    /// "yesterday", "heute Morgen", "ontem à noite", "tonight".
    pub(super) fn counted_day(&self, at: usize) -> Option<Hit> {
        if let Some((offset, part)) = self.tokens.means(at, |means| match means {
            Means::DayPart(offset, part) => Some((offset, part)),
            _ => None,
        }) {
            return Self::hit(Calendar::part(&self.calendar.day(i64::from(offset))?, part), at + 1, true);
        }
        let offset = self.tokens.means(at, |means| match means {
            Means::Day(offset) => Some(offset),
            _ => None,
        })?;
        let token = self.tokens.get(at)?;
        let opens = at == 0 || matches!(self.tokens.mark(at - 1), Some('.' | '!' | '?' | ':' | '"' | ','));
        let noun = token.folded == "morgen"
            && ((token.capital && !opens) || (at > 0 && self.tokens.folded(at - 1) == "guten"));
        let morning = token.folded == "manana" && at > 0 && self.tokens.folded(at - 1) == "la";
        if noun || morning {
            return None;
        }
        self.with_part(self.calendar.day(i64::from(offset))?, at + 1, true)
    }

    /// A count in digits or words; `None` inside means "a few".
    pub(super) fn count(&self, at: usize) -> Option<(Option<i64>, usize)> {
        if let Some((value, digits)) = self.free_number(at) {
            return (digits <= 4).then_some((Some(value), at + 1));
        }
        let count = self.tokens.means(at, |means| match means {
            Means::Num(n) => Some(Some(n)),
            Means::Few => Some(None),
            _ => None,
        })?;
        if let Some(whole) = count
            && let Some(hit) = self.compound(whole, at + 1)
        {
            return Some(hit);
        }
        let end = at + 1 + usize::from(self.tokens.is(at + 1, Means::Of) && self.unit_word(at + 1).is_none());
        Some((count, end))
    }

    /// "twenty-five", "a hundred", "two hundred".
    fn compound(&self, first: i64, next: usize) -> Option<(Option<i64>, usize)> {
        let number = |at: usize| {
            self.tokens.means(at, |means| match means {
                Means::Num(n) => Some(n),
                _ => None,
            })
        };
        if first < 10 && number(next) == Some(100) {
            return Some((Some(first * 100), next + 1));
        }
        let ones = next + usize::from(self.tokens.mark(next) == Some('-'));
        let value = number(ones).filter(|n| (1..10).contains(n) && (20..100).contains(&first))?;
        Some((Some(first + value), ones + 1))
    }

    /// A count and its unit: "three days", "half a year".
    pub(super) fn counted(&self, at: usize) -> Option<(Option<i64>, Unit, usize)> {
        if let Some((count, unit)) = self.tokens.means(at, |means| match means {
            Means::Count(count, unit) => Some((count, unit)),
            _ => None,
        }) {
            return Some((Some(count), unit, at + 1));
        }
        let (count, end) = self.count(at)?;
        Some((count, self.unit_word(end)?, end + 1))
    }

    /// The month behind "last year in ...".
    fn month_within(&self, whole: &Hit, unit: Unit) -> Option<Hit> {
        let wanted = unit == Unit::Year && self.tokens.is(whole.end, Means::In);
        let month = self.month_word(whole.end + 1).filter(|_| wanted)?;
        let stretch = Calendar::month_of(i64::from(whole.stretch.from.year()), i64::from(month));
        Self::hit(stretch, whole.end + 2, true)
    }

    /// "last week", "this May", "next Monday morning", "the last three days", "the past month".
    pub(super) fn rel(&self, at: usize) -> Option<Hit> {
        if self.tokens.is(at, Means::Lately) {
            let stretch = Calendar::days(shift(self.calendar.today, -7)?, 7);
            return Self::hit(stretch, at + 1, true);
        }
        // "ces trois derniers jours"
        if let Some((Some(count), rel_at)) = self.count(at)
            && let Some(rel @ (-1 | 1)) = self.rel_word(rel_at)
            && let Some(unit) = self.unit_word(rel_at + 1)
        {
            return Self::hit(self.calendar.window(i64::from(rel) * count, unit), rel_at + 2, true);
        }
        let past = self.tokens.is(at, Means::Past);
        let rel = if past { -1 } else { self.rel_word(at)? };
        let next = at + 1;
        if rel != 0
            && let Some((count, unit, end)) = self.counted(next)
        {
            let stretch = self.calendar.window(i64::from(rel) * count.unwrap_or(5), unit);
            return Self::hit(stretch, end, true);
        }
        if let Some(unit) = self.unit_word(next) {
            let vague = rel != 0 && unit == Unit::Day;
            let stretch = match past {
                true if unit != Unit::Weekend => self.calendar.window(-1, unit),
                _ => self.calendar.unit(unit, i64::from(rel)),
            };
            let hit = Self::hit(stretch, next + 1, true).filter(|_| !vague)?;
            return self.month_within(&hit, unit).or(Some(hit));
        }
        if past {
            return None;
        }
        let token = self.tokens.get(next)?;
        if let Some(weekday) = self.weekday_word(next) {
            let day = self.calendar.weekday(weekday, Pick::of(rel))?;
            return if token.weak && !token.capital && rel == 0 { None } else { self.with_part(day, next + 1, true) };
        }
        if let Some(part) = self.part_word(next) {
            let day = self.calendar.day(i64::from(rel))?;
            return Self::hit(Calendar::part(&day, part), next + 1, true);
        }
        if let Some(month) = self.month_word(next) {
            let verb = token.weak && !token.capital && (rel == 0 || token.folded == "may") && !self.ends_well(next + 1);
            return if verb { None } else { Self::hit(self.calendar.month(month, Pick::of(rel)), next + 1, true) };
        }
        let season = self.season_word(next)?;
        Self::hit(self.calendar.season(season, Pick::of(rel)), next + 1, true)
    }

    /// "la semana pasada", "lundi dernier", "mayo pasado", "semana que vem".
    pub(super) fn rel_post(&self, at: usize) -> Option<Hit> {
        let rel = self.rel_post_word(at + 1)?;
        let stretch = if let Some(unit) = self.unit_word(at).filter(|unit| *unit != Unit::Day) {
            let hit = Self::hit(self.calendar.unit(unit, i64::from(rel)), at + 2, true)?;
            return self.month_within(&hit, unit).or(Some(hit));
        } else if let Some(weekday) = self.weekday_word(at) {
            self.calendar.weekday(weekday, Pick::of(rel))
        } else if let Some(month) = self.month_word(at) {
            self.calendar.month(month, Pick::of(rel))
        } else if let Some(part) = self.part_word(at) {
            Calendar::part(&self.calendar.day(i64::from(rel))?, part)
        } else {
            self.calendar.season(self.season_word(at)?, Pick::of(rel))
        };
        Self::hit(stretch, at + 2, true)
    }
}
