//! Temporal expressions in Chinese, Japanese and Korean, whose words are not (or not reliably) kept
//! apart by spaces: tables of phrases, longest first, and a few patterns around a number.

use super::Found;
use super::calendar::{Calendar, Pick, Stretch};
use super::cjk_words::{AGO, AHEAD, COUNTED, KOREAN_COUNTS, KOREAN_WEEKDAYS, PARTS, PHRASES, Phrase, SEASONS};
use super::lexicon::{Part, Unit};

/// All expressions of a text in Chinese, Japanese or Korean.
pub(super) fn find(text: &str, calendar: &Calendar) -> Vec<Found> {
    let mut found = Vec::new();
    if text.is_ascii() {
        return found; // most texts, and every number in them would be tried
    }
    let mut at = 0;
    let mut before = None;
    while let Some(c) = text[at..].chars().next() {
        let reader = Reader { text, calendar, before };
        let hit = if may_begin(c) { reader.read(at) } else { None };
        let end = hit.as_ref().map_or(at, |hit| hit.range.end).max(at + c.len_utf8());
        found.extend(hit);
        before = text[at..end].chars().next_back();
        at = end;
    }
    found
}

fn may_begin(c: char) -> bool {
    c.is_ascii_digit()
        || matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{ff10}'..='\u{ff19}')
}

fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}')
}

struct Reader<'a> {
    text: &'a str,
    calendar: &'a Calendar,
    /// The character before the one that is read.
    before: Option<char>,
}

impl Reader<'_> {
    fn read(&self, at: usize) -> Option<Found> {
        let first = self.text[at..].chars().next()?;
        let (stretch, end, relative) = self
            .phrase(at, first)
            .or_else(|| self.counted(at))
            .or_else(|| self.dated(at))
            .or_else(|| self.weekday(at))?;
        let span = self.calendar.span(&stretch)?;
        Some(Found { span, range: at..end, relative })
    }

    /// The end of `word` at `at`. In Korean a space may stand between its parts.
    fn word(&self, at: usize, word: &str) -> Option<usize> {
        if self.text[at..].starts_with(word) {
            return Some(at + word.len());
        }
        if !word.chars().all(is_hangul) {
            return None;
        }
        let mut end = at;
        for (n, wanted) in word.chars().enumerate() {
            let mut rest = self.text[end..].chars();
            let mut c = rest.next()?;
            if c == ' ' && n > 0 {
                end += 1;
                c = rest.next()?;
            }
            if c != wanted {
                return None;
            }
            end += c.len_utf8();
        }
        Some(end)
    }

    fn phrase(&self, at: usize, first: char) -> Option<(Stretch, usize, bool)> {
        // A Korean word of time does not begin in the middle of another word.
        if is_hangul(first) && self.before.is_some_and(is_hangul) {
            return None;
        }
        let matches = PHRASES.iter().filter_map(|(word, phrase)| Some((self.word(at, word)?, *phrase)));
        let (end, phrase) = matches.max_by_key(|(end, _)| *end)?;
        let (stretch, end) = match phrase {
            Phrase::Day(offset) => {
                let day = self.calendar.day(offset)?;
                match self.part(self.skip(end)) {
                    Some((part, end)) => (Calendar::part(&day, part)?, end),
                    None => (day, end),
                }
            }
            Phrase::DayPart(offset, part) => (Calendar::part(&self.calendar.day(offset)?, part)?, end),
            Phrase::Season(month, pick) => (self.calendar.season(month, pick)?, end),
            Phrase::Unit(unit, offset) => {
                let whole = self.calendar.unit(unit, offset)?;
                self.within(unit, &whole, end).unwrap_or((whole, end))
            }
        };
        Some((stretch, end, true))
    }

    /// Passes over spaces and Japanese and Chinese "of".
    fn skip(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        let cut = rest.trim_start_matches([' ', 'の', '的']);
        // Never far: one expression reads a bounded stretch of text.
        let passed = rest.len() - cut.len();
        if passed > 4 { at } else { at + passed }
    }

    fn part(&self, at: usize) -> Option<(Part, usize)> {
        PARTS.iter().find_map(|(word, part)| Some((*part, self.word(at, word)?)))
    }

    /// The weekday of a week, the month or date of a year, the day of a month.
    fn within(&self, unit: Unit, whole: &Stretch, end: usize) -> Option<(Stretch, usize)> {
        let next = self.skip(end);
        let first = whole.from.date();
        let (year, month) = (i64::from(first.year()), i64::from(first.month()));
        match unit {
            Unit::Week => {
                let (weekday, end) = self.weekday_name(next, true)?;
                let day = super::calendar::shift(first, i64::from(weekday) - 1)?;
                Some((Calendar::day_of(day)?, end))
            }
            Unit::Year => {
                if let Some((season, end)) =
                    SEASONS.iter().find_map(|(word, month)| Some((*month, self.word(next, word)?)))
                {
                    let tail = self.text[end..].chars().next().filter(|c| matches!(c, '天' | '季'));
                    return Some((Calendar::months(year, season, 3)?, end + tail.map_or(0, char::len_utf8)));
                }
                let (month, month_end) = self.numbered(next, &["月", "월"])?;
                Some(self.day_in(year, month, month_end).unwrap_or((Calendar::month_of(year, month)?, month_end)))
            }
            Unit::Month => self.day_in(year, month, end),
            _ => None,
        }
    }

    fn day_in(&self, year: i64, month: i64, at: usize) -> Option<(Stretch, usize)> {
        let (day, end) = self.numbered(self.skip(at), &["日", "号", "號", "일"])?;
        Some((Calendar::day_of(Calendar::date(year, month, day)?)?, end))
    }

    /// A number and one of the words right behind it.
    fn numbered(&self, at: usize, words: &[&str]) -> Option<(i64, usize)> {
        let (value, end) = self.number(at)?;
        words.iter().find_map(|word| Some((value, self.word(end, word)?)))
    }

    /// Digits, full-width digits or Chinese numerals up to 99; at most four digits.
    fn number(&self, at: usize) -> Option<(i64, usize)> {
        let mut end = at;
        let (mut value, mut digits) = (0i64, 0);
        for c in self.text[at..].chars() {
            let digit = match c {
                '0'..='9' => c.to_digit(10)?,
                '\u{ff10}'..='\u{ff19}' => u32::from(c) - 0xff10,
                _ => break,
            };
            value = value * 10 + i64::from(digit);
            digits += 1;
            end += c.len_utf8();
            if digits > 4 {
                return None;
            }
        }
        if digits > 0 { Some((value, end)) } else { self.numeral(at) }
    }

    fn numeral(&self, at: usize) -> Option<(i64, usize)> {
        let mut end = at;
        let (mut tens, mut ones, mut read, mut places) = (0i64, None, 0, Vec::new());
        for c in self.text[at..].chars().take(5) {
            let digit = "〇一二三四五六七八九".chars().position(|n| n == c).or(match c {
                '两' | '兩' => Some(2),
                '零' => Some(0),
                _ => None,
            });
            match (digit, c) {
                (Some(digit), _) => {
                    let digit = i64::try_from(digit).ok()?;
                    ones = Some(digit);
                    places.push(digit);
                }
                (None, '十') => {
                    tens = ones.take().unwrap_or(1) * 10;
                    places.clear();
                    places.push(-1);
                }
                _ => break,
            }
            read += 1;
            end += c.len_utf8();
        }
        // 二〇二三 is read digit by digit.
        let plain = places.len() == 4 && places.iter().all(|digit| *digit >= 0);
        let value = match plain {
            true => places.iter().fold(0, |value, digit| value * 10 + digit),
            false if read > 0 && read <= 3 => tens + ones.unwrap_or(0),
            false => return None,
        };
        Some((value, end))
    }

    /// "三天前", "3日前", "2주 전", "两个月后".
    fn counted(&self, at: usize) -> Option<(Stretch, usize, bool)> {
        if self.before.is_some_and(|c| c.is_ascii_digit() || c == '.') {
            return None;
        }
        if let Some(hit) = self.vaguely_counted(at) {
            return Some(hit);
        }
        let korean = || KOREAN_COUNTS.iter().find_map(|(word, n)| Some((*n, self.skip(self.word(at, word)?))));
        let free = !self.before.is_some_and(is_hangul);
        let (count, end) = self.number(at).or_else(|| free.then(korean).flatten())?;
        let (unit, end) = COUNTED.iter().find_map(|(word, unit)| Some((*unit, self.word(end, word)?)))?;
        let next = if self.text[end..].starts_with(' ') { end + 1 } else { end };
        let sign = |words: &[&str]| words.iter().find_map(|word| self.word(next, word));
        let (sign, end) = sign(AGO).map(|end| (-1, end)).or_else(|| sign(AHEAD).map(|end| (1, end)))?;
        // 2023年前 is "before 2023", which is left alone.
        if unit == Unit::Year && count > 999 {
            return None;
        }
        Some((self.calendar.away(sign * count, unit)?, end, true))
    }

    /// "几天前", "数日前", "며칠 전", "半年前".
    fn vaguely_counted(&self, at: usize) -> Option<(Stretch, usize, bool)> {
        let ago = |end: usize| {
            let next = if self.text[end..].starts_with(' ') { end + 1 } else { end };
            AGO.iter().find_map(|word| self.word(next, word))
        };
        if let Some(end) = self.word(at, "半年").and_then(ago) {
            return Some((self.calendar.away(-6, Unit::Month)?, end, true));
        }
        if let Some(end) = self.word(at, "며칠").and_then(ago) {
            return Some((self.calendar.few_away(Unit::Day, -1)?, end, true));
        }
        let end = ["几", "幾", "数", "數"].iter().find_map(|word| self.word(at, word))?;
        let (unit, end) = COUNTED.iter().find_map(|(word, unit)| Some((*unit, self.word(end, word)?)))?;
        Some((self.calendar.few_away(unit, -1)?, ago(end)?, true))
    }

    /// "2023年5月8日", "2023年", "5月8日", "5月", "2023년 5월".
    fn dated(&self, at: usize) -> Option<(Stretch, usize, bool)> {
        if self.before.is_some_and(|c| c.is_ascii_digit() || matches!(c, '第' | '.' | '-' | '/')) {
            return None;
        }
        if let Some((year, year_end)) = self.numbered(at, &["年", "년"])
            && (1000..3000).contains(&year)
        {
            let month = self.numbered(self.skip(year_end), &["月", "월"]);
            let Some((month, month_end)) = month else {
                return Some((Calendar::year_of(year)?, year_end, false));
            };
            let (stretch, end) =
                self.day_in(year, month, month_end).unwrap_or((Calendar::month_of(year, month)?, month_end));
            return Some((stretch, end, false));
        }
        let (month, end) = self.numbered(at, &["月", "월"]).filter(|(month, _)| (1..=12).contains(month))?;
        if let Some((day, end)) = self.numbered(self.skip(end), &["日", "号", "號", "일"]) {
            return Some((self.calendar.month_day(month, day, Pick::Started)?, end, true));
        }
        Some((self.calendar.month(i8::try_from(month).ok()?, Pick::Started)?, end, true))
    }

    /// "周三", "星期三", "水曜日", "수요일": the last one.
    fn weekday(&self, at: usize) -> Option<(Stretch, usize, bool)> {
        if self.before.is_some_and(|c| is_hangul(c) || matches!(c, '每' | '毎')) {
            return None;
        }
        let (weekday, end) = self.weekday_name(at, false)?;
        Some((self.calendar.weekday(weekday, Pick::Last)?, end, true))
    }

    fn weekday_name(&self, at: usize, after_week: bool) -> Option<(i8, usize)> {
        let rest = &self.text[at..];
        if let Some(n) = KOREAN_WEEKDAYS.iter().position(|name| rest.starts_with(name)) {
            return Some((i8::try_from(n + 1).ok()?, at + KOREAN_WEEKDAYS[n].len()));
        }
        let mut chars = rest.chars();
        let first = chars.next()?;
        if let Some(n) = "月火水木金土日".chars().position(|name| name == first)
            && let Some(tail) = chars.as_str().strip_prefix("曜日").or_else(|| chars.as_str().strip_prefix("曜"))
        {
            return Some((i8::try_from(n + 1).ok()?, self.text.len() - tail.len()));
        }
        let names = ["星期", "礼拜", "禮拜", "周", "週"];
        let prefixed = names.iter().find_map(|prefix| rest.strip_prefix(prefix));
        let tail = prefixed.or(after_week.then_some(rest))?;
        let mut chars = tail.chars();
        let digit = chars.next()?;
        let n = "一二三四五六日".chars().position(|name| name == digit).or((digit == '天').then_some(6))?;
        Some((i8::try_from(n + 1).ok()?, self.text.len() - chars.as_str().len()))
    }
}
