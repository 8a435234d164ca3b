//! How many tokens a text costs, estimated without a model's tokeniser, and what fits (REC-9).
//!
//! The engine does not know which model will read the prompt, so it estimates on the high side: a
//! budget that is kept by estimate is kept in truth. The numbers: byte-pair vocabularies of today
//! spend about one token on 4 characters of English prose (the rule of thumb OpenAI and Anthropic
//! document), one on each common word, more on rare words, digits (one a group of up to three) and
//! punctuation; about one a character for Chinese, Japanese and Korean; one on 2 to 3 bytes of
//! Cyrillic, Greek, Arabic and Indic text; up to one a byte for symbols they have never seen (emoji).

/// Tokens that `text` will cost in a prompt, rounded up.
///
/// A run of ASCII letters costs a quarter of its length rounded up, digits one for each three, each
/// mark of punctuation one; a Chinese, Japanese or Korean character one; other letters a third of
/// their bytes rounded up by word; anything else half of its bytes rounded up.
///
/// ```
/// use myosotis_core::budget::estimate_tokens;
/// assert_eq!(estimate_tokens(""), 0);
/// assert_eq!(estimate_tokens("likes green tea"), 5);
/// assert_eq!(estimate_tokens("喜欢绿茶"), 4);
/// ```
#[must_use]
pub fn estimate_tokens(text: &str) -> usize {
    let mut total = 0usize;
    let (mut run, mut length) = (Class::Space, 0usize);
    for c in text.chars() {
        let class = Class::of(c);
        if class != run {
            total += run.cost(length);
            (run, length) = (class, 0);
        }
        length += match class {
            Class::Letters | Class::Digits | Class::Space | Class::Marks | Class::Wide => 1,
            Class::Foreign | Class::Other => c.len_utf8(),
        };
    }
    total + run.cost(length)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    Letters,
    Digits,
    Marks,
    Wide,
    Foreign,
    Other,
}

impl Class {
    fn of(c: char) -> Self {
        match c {
            _ if c.is_whitespace() => Class::Space,
            'a'..='z' | 'A'..='Z' => Class::Letters,
            '0'..='9' => Class::Digits,
            '\0'..='\u{7f}' => Class::Marks,
            '\u{1100}'..='\u{11ff}'
            | '\u{2e80}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7a3}'
            | '\u{f900}'..='\u{faff}'
            | '\u{ff00}'..='\u{ffef}' => Class::Wide,
            _ if c.is_alphanumeric() || crate::text::is_mark(c) => Class::Foreign,
            _ => Class::Other,
        }
    }

    fn cost(self, length: usize) -> usize {
        match self {
            // A space belongs to the word behind it; longer runs are tokens of their own.
            Class::Space => length.saturating_sub(1).div_ceil(4),
            Class::Letters => length.div_ceil(4),
            Class::Digits | Class::Foreign => length.div_ceil(3),
            Class::Marks | Class::Wide => length,
            Class::Other => length.div_ceil(2),
        }
    }
}

/// Keeps whole items from the start while they fit into `budget`; at the first that does not, it and
/// all behind it are dropped (REC-9: from the end, never in the middle, never a part of one).
///
/// ```
/// use myosotis_core::budget::{estimate_tokens, fit};
/// let (kept, dropped) = fit(vec!["likes tea", "lives in Rome", "has a cat"], |text| estimate_tokens(text), 8);
/// assert_eq!((kept.len(), dropped.len()), (2, 1));
/// ```
#[must_use]
pub fn fit<T>(mut items: Vec<T>, cost: impl Fn(&T) -> usize, budget: usize) -> (Vec<T>, Vec<T>) {
    let mut left = budget;
    let keep = items
        .iter()
        .take_while(|item| {
            let rest = left.checked_sub(cost(item));
            left = rest.unwrap_or(0);
            rest.is_some()
        })
        .count();
    let dropped = items.split_off(keep);
    (items, dropped)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    // REC-9
    #[test]
    fn whole_items_are_dropped_from_the_end() {
        let (kept, dropped) = fit(vec![3, 4, 5, 1], |n| *n, 8);
        assert_eq!((kept, dropped), (vec![3, 4], vec![5, 1]));
        assert_eq!(fit(vec![3, 4], |n| *n, 0), (vec![], vec![3, 4]));
        assert_eq!(fit(vec![usize::MAX, 1], |n| *n, 5), (vec![], vec![usize::MAX, 1]));
    }

    // REC-9: a text costs at least what a quarter of its characters would
    #[test]
    fn the_estimate_is_on_the_high_side() {
        let prose = "The user moved from Rome to Berlin in May 2023 and works as a nurse.";
        assert!((16..=30).contains(&estimate_tokens(prose)), "{}", estimate_tokens(prose));
        assert!(estimate_tokens("東京に住んでいます") >= 9);
        assert!(estimate_tokens("Я живу в Москве") >= 7);
        assert!(estimate_tokens("👩‍🚀") >= 4);
        assert!(estimate_tokens("sk-abc_DEF-123") >= 7);
    }

    proptest! {
        // REC-9
        #[test]
        fn joining_texts_never_costs_more_than_both_and_keeping_is_a_prefix(a in "\\PC{0,40}", b in "\\PC{0,40}", budget in 0usize..50) {
            let joined = [a.as_str(), b.as_str()].concat();
            prop_assert!(estimate_tokens(&joined) <= estimate_tokens(&a) + estimate_tokens(&b) + 1);
            prop_assert!(estimate_tokens(&a) <= a.len());
            let items = vec![a.clone(), b.clone(), a, b];
            let (kept, dropped) = fit(items.clone(), |text| estimate_tokens(text), budget);
            prop_assert!(kept.iter().map(|text| estimate_tokens(text)).sum::<usize>() <= budget);
            prop_assert_eq!([kept, dropped].concat(), items);
        }
    }
}
