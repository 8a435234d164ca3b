//! The dates of the simple expressions: a day, a month, a season, a year, a weekday. `relative` has the rest.
//! None of them contains another, so reading one takes a bounded number of steps.

use super::calendar::{Calendar, Pick, Stretch};
use super::lexicon::{Means, Part, Unit};
use super::numeric;
use super::token::{Shape, Tokens};

/// An expression that was read: what it means, the index behind it, whether it hangs on the reference.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    pub(super) stretch: Stretch,
    pub(super) end: usize,
    pub(super) relative: bool,
}

/// What stands before a word and makes a doubtful one a date.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Support {
    pub(super) month: bool,
    pub(super) weekday: bool,
    pub(super) year: bool,
    /// Whether a lower-case "may" would do as well.
    pub(super) any_case: bool,
}

impl Support {
    pub(super) const ALL: Support = Support { month: true, weekday: true, year: true, any_case: true };
}

/// The reader: tokens and the reference time.
pub(super) struct Reader<'a> {
    pub(super) tokens: &'a Tokens,
    pub(super) calendar: &'a Calendar,
}

/// Words after which a bare "may 8" or "the 8th" still ends there.
const GOES_ON: &[&str] = &[
    "at", "in", "and", "to", "when", "with", "for", "on", "i", "we", "she", "he", "they", "you", "was", "is", "did",
    "my", "the", "from", "until", "or", "because", "but", "this", "last", "next",
];

impl Reader<'_> {
    /// The support the words before `at` give.
    pub(super) fn support(&self, at: usize) -> Support {
        let mut support = Support::default();
        let Some(mut before) = at.checked_sub(1) else { return support };
        for _ in 0..2 {
            let is = |means| self.tokens.is(before, means);
            let strong = is(Means::In) || is(Means::Since);
            let bound = [Means::Until, Means::From, Means::Before, Means::After, Means::Between];
            // Romance "de" is "of" more often than "from": "Rio de Janeiro".
            let of = matches!(self.tokens.folded(before), "de" | "du" | "da");
            let bounded = !of && bound.into_iter().any(is);
            support.any_case |= strong;
            support.month |= strong || bounded;
            support.year |= strong || bounded || is(Means::Unit(Unit::Year));
            support.weekday |= bounded || is(Means::Since) || is(Means::On);
            // "au mois de mai": the word for month behind "of".
            let month_of = is(Means::Of) && before > 0 && self.tokens.is(before - 1, Means::Unit(Unit::Month));
            support.month |= month_of;
            support.any_case |= month_of;
            match before.checked_sub(1) {
                Some(more) if is(Means::The) && !is(Means::On) => before = more,
                _ => break,
            }
        }
        support
    }

    /// The unspoken direction: past, unless the text speaks of the future.
    pub(super) fn pick(&self) -> Pick {
        if self.tokens.future { Pick::Next } else { Pick::Started }
    }

    /// A simple expression at `at`.
    pub(super) fn simple(&self, at: usize, support: Support) -> Option<Hit> {
        self.dated(at, support).or_else(|| self.counted_day(at)).or_else(|| self.rel(at)).or_else(|| self.rel_post(at))
    }

    /// A date, month, season or year, with or without its year.
    pub(super) fn dated(&self, at: usize, support: Support) -> Option<Hit> {
        if let Some((stretch, end)) = numeric::date(self.tokens, at) {
            return Some(Hit { stretch, end, relative: false });
        }
        self.weekday(at, support)
            .or_else(|| self.day_month(at))
            .or_else(|| self.month(at, support))
            .or_else(|| self.season(at, support))
            .or_else(|| self.day_of_rel_month(at))
            .or_else(|| self.quarter(at))
            .or_else(|| self.weekend(at, support))
            .or_else(|| self.year(at, support))
    }

    pub(super) fn hit(stretch: Option<Stretch>, end: usize, relative: bool) -> Option<Hit> {
        Some(Hit { stretch: stretch?, end, relative })
    }

    /// Whether what follows does not make the expression part of something else.
    pub(super) fn ends_well(&self, at: usize) -> bool {
        self.tokens.get(at).is_none_or(|token| match token.shape {
            Shape::Word => GOES_ON.contains(&token.folded.as_str()),
            Shape::Mark(c) => !(token.glued && matches!(c, '%' | ':' | '/')),
            Shape::Number(..) => false,
        })
    }

    /// A number that is not the tail of a decimal, a time or an amount.
    pub(super) fn free_number(&self, at: usize) -> Option<(i64, usize)> {
        let number = self.tokens.number(at)?;
        let tail = self.tokens.get(at).is_some_and(|token| token.glued)
            && at > 0
            && self.tokens.mark(at - 1).is_some_and(|c| matches!(c, '.' | ',' | ':' | '/' | '$' | '€' | '£' | '#'));
        (!tail).then_some(number)
    }

    /// A day of the month 1 to 31, the index behind it, and whether it is written as an ordinal.
    fn day_number(&self, at: usize) -> Option<(i64, usize, bool)> {
        if let Some(first) = self.tokens.means(at, |means| match means {
            Means::Ord(n @ 1..=4) => Some(i64::from(n)),
            _ => None,
        }) {
            // "the second of May", not "a second march"; French and German need no "of".
            let bare = matches!(self.tokens.folded(at), "premier" | "ersten" | "zweiten" | "dritten");
            return (bare || self.tokens.is(at + 1, Means::Of)).then_some((first, at + 1, true));
        }
        let (day, digits) = self.free_number(at)?;
        if digits > 2 || !(1..=31).contains(&day) {
            return None;
        }
        let glued = self.tokens.get(at + 1).is_some_and(|token| token.glued);
        if !glued {
            return Some((day, at + 1, false));
        }
        if matches!(self.tokens.folded(at + 1), "st" | "nd" | "rd" | "th" | "er" | "o" | "го" | "º") {
            return Some((day, at + 2, true));
        }
        match self.tokens.mark(at + 1) {
            Some('-') if self.tokens.folded(at + 2) == "го" => Some((day, at + 3, true)),
            Some('.' | '°' | 'º') => Some((day, at + 2, false)),
            _ => Some((day, at + 1, false)),
        }
    }

    pub(super) fn month_word(&self, at: usize) -> Option<i8> {
        self.tokens.means(at, |means| match means {
            Means::Month(month) => Some(month),
            _ => None,
        })
    }

    /// The year at `at`, if one stands there ("2023", ", 2023", "de 2023", "'23", "2023 года", "last
    /// year"), the index behind it, and whether it is counted from the reference.
    fn year_after(&self, at: usize) -> Option<(i64, usize, bool)> {
        if let Some((year, end)) = self.written_year(at) {
            return Some((year, end, false));
        }
        let next = at + usize::from(self.tokens.mark(at) == Some(','));
        let next = self.skip_of(next);
        let (rel, end) = if self.unit_word(next + 1) == Some(Unit::Year) {
            (self.rel_word(next)?, next + 2)
        } else if self.unit_word(next) == Some(Unit::Year) {
            (self.rel_post_word(next + 1)?, next + 2)
        } else {
            return None;
        };
        Some((i64::from(self.calendar.today.year()) + i64::from(rel), end, true))
    }

    fn written_year(&self, at: usize) -> Option<(i64, usize)> {
        let mut next = at;
        if matches!(self.tokens.mark(next), Some(',' | '.')) {
            next += 1;
        }
        if matches!(self.tokens.mark(next), Some('\'' | '’')) {
            let (year, digits) = self.tokens.number(next + 1)?;
            let glued = self.tokens.get(next + 1).is_some_and(|token| token.glued);
            return (digits == 2 && glued).then_some((2000 + year, next + 2));
        }
        if self.tokens.is(next, Means::Of) {
            next += 1;
        }
        let (year, digits) = self.tokens.number(next)?;
        if digits != 4 || !(1000..3000).contains(&year) || self.is_amount(next + 1) {
            return None;
        }
        Some((year, self.after_year(next + 1)))
    }

    /// "2023 года": the word for year behind the number.
    fn after_year(&self, at: usize) -> usize {
        if matches!(self.tokens.folded(at), "год" | "года" | "году" | "г") { at + 1 } else { at }
    }

    fn is_amount(&self, at: usize) -> bool {
        let glued = self.tokens.get(at).is_some_and(|token| token.glued);
        glued && matches!(self.tokens.mark(at), Some('%' | '$' | '€' | '£' | ':'))
    }

    fn skip_of(&self, mut at: usize) -> usize {
        for _ in 0..2 {
            if self.tokens.is(at, Means::Of) || self.tokens.is(at, Means::The) {
                at += 1;
            }
        }
        at
    }

    /// "8 May 2023", "the 8th of May", "8. Mai", "8 de mayo de 2023", "8-10 May".
    fn day_month(&self, at: usize) -> Option<Hit> {
        let (first, mut next, ordinal) = self.day_number(at)?;
        let mut last = first;
        let dash = matches!(self.tokens.mark(next), Some('-' | '–' | '—'));
        if (dash || self.tokens.is(next, Means::To) || self.tokens.is(next, Means::And))
            && let Some((day, digits)) = self.tokens.number(next + 1)
            && digits <= 2
            && day > first
            && day <= 31
        {
            last = day;
            next += 2;
            if self.tokens.get(next).is_some_and(|token| token.glued && token.folded.len() == 2)
                || self.tokens.mark(next) == Some('.')
            {
                next += 1;
            }
        }
        let word = self.skip_of(next);
        let month = i64::from(self.month_word(word)?);
        let token = self.tokens.get(word)?;
        let dotted = word + 1 + usize::from(self.tokens.mark(word + 1) == Some('.') && token.weak);
        let year = self.year_after(word + 1).or_else(|| self.year_after(dotted));
        let doubtful = token.folded == "may" && !token.capital && !ordinal && word == next && year.is_none();
        if doubtful && !self.ends_well(word + 1) {
            return None;
        }
        match year {
            Some((year, end, relative)) => Self::hit(day_range(year, month, first, last), end, relative),
            None => {
                let start = self.calendar.month_day(month, first, self.pick())?;
                let stretch = Calendar::days(start.from.date(), last - first + 1);
                Self::hit(stretch, word + 1, true)
            }
        }
    }

    /// "May 8th, 2023", "May 2023", "in May".
    fn month(&self, at: usize, support: Support) -> Option<Hit> {
        let month = self.month_word(at)?;
        let token = self.tokens.get(at)?;
        let dot = usize::from(self.tokens.mark(at + 1) == Some('.') && token.weak);
        if let Some((year, end, relative)) = self.year_after(at + 1).or_else(|| self.year_after(at + 1 + dot))
            && (!relative || !token.weak || token.capital || support.month)
        {
            return Self::hit(Calendar::month_of(year, i64::from(month)), end, relative);
        }
        if let Some(hit) = self.month_then_day(at, at + 1 + dot, month) {
            return Some(hit);
        }
        if token.weak && !(support.month && (token.capital || support.any_case)) {
            return None;
        }
        // "in may be", "in march order": what follows a lower-case "may" must not be its verb.
        if token.folded == "may" && !token.capital && self.tokens.folded(at + 1) == "be" {
            return None;
        }
        Self::hit(self.calendar.month(month, self.pick()), at + 1, true)
    }

    fn month_then_day(&self, at: usize, next: usize, month: i8) -> Option<Hit> {
        let token = self.tokens.get(at)?;
        let next = if self.tokens.is(next, Means::The) { next + 1 } else { next };
        self.tokens.number(next)?;
        let (first, mut end, ordinal) = self.day_number(next)?;
        if self.is_amount(end) || self.unit_word(end).is_some() {
            return None;
        }
        // A full stop behind the day ends the sentence.
        if self.tokens.mark(end - 1) == Some('.') {
            end -= 1;
        }
        let mut last = first;
        let dash = matches!(self.tokens.mark(end), Some('-' | '–' | '—'));
        if (dash || self.tokens.is(end, Means::To))
            && let Some((day, after, _)) = self.tokens.number(end + 1).and_then(|_| self.day_number(end + 1))
            && day > first
            && self.month_word(after).is_none()
        {
            (last, end) = (day, after);
        }
        if let Some((year, end, relative)) = self.year_after(end) {
            return Self::hit(day_range(year, i64::from(month), first, last), end, relative);
        }
        if token.weak && !token.capital && !ordinal && !self.ends_well(end) {
            return None;
        }
        let start = self.calendar.month_day(i64::from(month), first, self.pick())?;
        Self::hit(Calendar::days(start.from.date(), last - first + 1), end, true)
    }

    /// "summer 2022", "in the summer of 2022", "in winter".
    fn season(&self, at: usize, support: Support) -> Option<Hit> {
        let season = self.season_word(at)?;
        if let Some((year, end, relative)) = self.year_after(at + 1) {
            return Self::hit(Calendar::months(year, i64::from(season), 3), end, relative);
        }
        if !support.month {
            return None;
        }
        Self::hit(self.calendar.season(season, self.pick()), at + 1, true)
    }

    pub(super) fn season_word(&self, at: usize) -> Option<i8> {
        self.tokens.means(at, |means| match means {
            Means::Season(month) => Some(month),
            _ => None,
        })
    }

    /// "on the 8th", "the 8th of last month".
    fn day_of_rel_month(&self, at: usize) -> Option<Hit> {
        let (day, end, ordinal) = self.tokens.number(at).and_then(|_| self.day_number(at))?;
        if !ordinal || at == 0 || !self.tokens.is(at - 1, Means::The) {
            return None;
        }
        if self.tokens.is(end, Means::Of)
            && let Some(hit) = self.rel(end + 1)
            && let first = hit.stretch.from.date()
            && first.until(hit.stretch.to.date()).is_ok_and(|days| (28..=31).contains(&days.get_days()))
        {
            let date = Calendar::date(i64::from(first.year()), i64::from(first.month()), day)?;
            return Self::hit(Calendar::day_of(date), hit.end, true);
        }
        if at < 2 || !self.support(at - 1).weekday || !self.ends_well(end) {
            return None;
        }
        Self::hit(self.calendar.day_of_month(day, self.pick()), end, true)
    }

    /// "Q2 2023".
    fn quarter(&self, at: usize) -> Option<Hit> {
        let (quarter, _) = (self.tokens.folded(at) == "q").then(|| self.tokens.number(at + 1)).flatten()?;
        let glued = self.tokens.get(at + 1).is_some_and(|token| token.glued);
        let (year, end, relative) = self.year_after(at + 2)?;
        ((1..=4).contains(&quarter) && glued)
            .then(|| Self::hit(Calendar::months(year, quarter * 3 - 2, 3), end, relative))
            .flatten()
    }

    /// "over the weekend": the last one that began, or the one to come.
    fn weekend(&self, at: usize, support: Support) -> Option<Hit> {
        let bare = self.unit_word(at) == Some(Unit::Weekend) && self.rel_post_word(at + 1).is_none();
        if !bare || !support.weekday || self.tokens.is(at + 1, Means::Of) {
            return None;
        }
        let running = self.calendar.today.weekday().to_monday_one_offset() >= 6;
        let offset = if running || self.pick() == Pick::Next { 0 } else { -1 };
        Self::hit(self.calendar.unit(Unit::Weekend, offset), at + 1, true)
    }

    /// "in 2022", "im Jahr 2022", "2022 году", "the 1990s".
    fn year(&self, at: usize, support: Support) -> Option<Hit> {
        let (value, digits) = self.free_number(at)?;
        let glued = self.tokens.get(at + 1).is_some_and(|token| token.glued);
        let decade = glued && self.tokens.folded(at + 1) == "s" && value % 10 == 0;
        let spoken = support.year || (at > 0 && self.tokens.is(at - 1, Means::The));
        match digits {
            4 if decade && spoken => Self::hit(Calendar::months(value, 1, 120), at + 2, false),
            2 if decade && spoken => {
                let century = if value >= 30 { 1900 } else { 2000 };
                Self::hit(Calendar::months(century + value, 1, 120), at + 2, false)
            }
            4 if (1000..2200).contains(&value) => {
                let end = self.after_year(at + 1);
                let tail = glued
                    && matches!(self.tokens.mark(at + 1), Some('.' | ',' | ':' | '/' | '_'))
                    && self.tokens.number(at + 2).is_some();
                let named = support.year || end > at + 1;
                let counts = end == at + 1 && self.unit_word(end).is_some();
                (named && !tail && !counts && !self.is_amount(at + 1))
                    .then(|| Self::hit(Calendar::year_of(value), end, false))
                    .flatten()
            }
            _ => None,
        }
    }

    pub(super) fn weekday_word(&self, at: usize) -> Option<i8> {
        self.tokens.means(at, |means| match means {
            Means::Weekday(day) => Some(day),
            _ => None,
        })
    }

    pub(super) fn unit_word(&self, at: usize) -> Option<Unit> {
        self.tokens.means(at, |means| match means {
            Means::Unit(unit) => Some(unit),
            _ => None,
        })
    }

    pub(super) fn part_word(&self, at: usize) -> Option<Part> {
        self.tokens.means(at, |means| match means {
            Means::Part(part) => Some(part),
            _ => None,
        })
    }

    pub(super) fn rel_word(&self, at: usize) -> Option<i8> {
        self.tokens.means(at, |means| match means {
            Means::Rel(rel) => Some(rel),
            _ => None,
        })
    }

    pub(super) fn rel_post_word(&self, at: usize) -> Option<i8> {
        self.tokens.means(at, |means| match means {
            Means::RelPost(rel) => Some(rel),
            _ => None,
        })
    }

    /// "Monday, 8 May 2023" is the date; "on Monday morning" is the last one.
    fn weekday(&self, at: usize, support: Support) -> Option<Hit> {
        let weekday = self.weekday_word(at)?;
        let token = self.tokens.get(at)?;
        let mut next = at + 1;
        while next < at + 4
            && (matches!(self.tokens.mark(next), Some(',' | '.'))
                || self.tokens.is(next, Means::The)
                || self.tokens.is(next, Means::On))
        {
            next += 1;
        }
        if let Some(date) = self.day_month(next).or_else(|| self.month(next, Support::default()))
            && Calendar::day_of(date.stretch.from.date()) == Some(date.stretch)
        {
            return Some(date);
        }
        if self.rel_post_word(at + 1).is_some() || (token.weak && !(support.weekday && token.capital)) {
            return None;
        }
        let day = self.calendar.weekday(weekday, self.pick())?;
        self.with_part(day, at + 1, true)
    }
}

fn day_range(year: i64, month: i64, first: i64, last: i64) -> Option<Stretch> {
    Calendar::date(year, month, last)?;
    Calendar::days(Calendar::date(year, month, first)?, last - first + 1)
}
