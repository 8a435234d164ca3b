//! Dates written in digits: 2023-05-08, 08.05.2023, 25/12/2023, 2023-05.

use super::calendar::{Calendar, Stretch};
use super::token::Tokens;

/// The date in digits at `at` and the index behind it.
pub(super) fn date(tokens: &Tokens, at: usize) -> Option<(Stretch, usize)> {
    if continues(tokens, at) {
        return None;
    }
    let (first, first_digits) = tokens.number(at)?;
    let separator = tokens.mark(at + 1).filter(|c| matches!(c, '-' | '/' | '.' | '\u{2010}' | '\u{2011}'))?;
    let glued = |n: usize| tokens.get(at + n).is_some_and(|token| token.glued);
    if !(glued(1) && glued(2)) {
        return None;
    }
    let (second, second_digits) = tokens.number(at + 2)?;
    let third =
        (tokens.mark(at + 3) == Some(separator) && glued(3) && glued(4)).then(|| tokens.number(at + 4)).flatten();
    let Some((third, third_digits)) = third else {
        // 2023-05 and nothing behind it.
        let plain = first_digits == 4 && second_digits == 2 && separator == '-' && !follows(tokens, at + 3);
        let believable = (1900..2100).contains(&first);
        return (plain && believable).then(|| Calendar::month_of(first, second)).flatten().map(|month| (month, at + 3));
    };
    let end = at + 5;
    if follows_digit(tokens, end) {
        return None;
    }
    let small = |digits: usize| digits <= 2;
    let date = if first_digits == 4 && small(second_digits) && small(third_digits) {
        Calendar::date(first, second, third)
    } else if third_digits == 4 && small(first_digits) && small(second_digits) {
        match separator {
            // With dots the day comes first, everywhere dots are used.
            '.' => Calendar::date(third, second, first),
            _ if first == second || first > 12 => Calendar::date(third, second, first),
            _ if second > 12 => Calendar::date(third, first, second),
            _ => None,
        }
    } else {
        None
    };
    Some((Calendar::day_of(date?)?, after_time(tokens, end)))
}

/// Whether the number at `at` goes on something longer: a phone number, a version, a decimal.
fn continues(tokens: &Tokens, at: usize) -> bool {
    let glued = tokens.get(at).is_some_and(|token| token.glued);
    glued
        && at > 0
        && (tokens.mark(at - 1).is_some_and(|c| matches!(c, '-' | '/' | '.' | '_' | '+' | '#' | ':'))
            || tokens.get(at - 1).is_some_and(|token| token.shape == super::token::Shape::Word))
}

fn follows(tokens: &Tokens, at: usize) -> bool {
    tokens.get(at).is_some_and(|token| token.glued)
        && tokens.mark(at).is_none_or(|c| matches!(c, '-' | '/' | '_' | ':'))
}

/// Whether another separator and digit follow at once.
fn follows_digit(tokens: &Tokens, at: usize) -> bool {
    let glued = |n: usize| tokens.get(n).is_some_and(|token| token.glued);
    glued(at)
        && glued(at + 1)
        && tokens.mark(at).is_some_and(|c| matches!(c, '-' | '/' | '.'))
        && tokens.number(at + 1).is_some()
}

/// Passes over a time of the day glued to an ISO date: `T13:45:00Z`.
fn after_time(tokens: &Tokens, at: usize) -> usize {
    let glued = |n: usize| tokens.get(n).is_some_and(|token| token.glued);
    if tokens.folded(at) != "t" || !glued(at) {
        return at;
    }
    let mut end = at + 1;
    while end < at + 12
        && glued(end)
        && (tokens.number(end).is_some()
            || matches!(tokens.mark(end), Some(':' | '.' | '+' | '-'))
            || tokens.folded(end) == "z")
    {
        end += 1;
    }
    // A full stop or a dash at the end belongs to the sentence.
    if matches!(tokens.mark(end - 1), Some('.' | '-' | '+' | ':')) { end - 1 } else { end }
}
