//! Do two texts make the same claim? Asked once a cosine of 0.92 or more says that they are close
//! (MEM-5), because closeness does not see what matters most: "likes tea" and "dislikes tea", two
//! cats and three, Rex and Max lie side by side for a small embedder.
//!
//! The test leans to "different": a duplicate too many costs a line, a wrong merge loses a fact. Two
//! texts are the same claim if what remains after taking away words that carry no claim ("really",
//! "the", "I"; "she" at the start, "a lot" at the end) and forms of one word ("works", "is working";
//! "May 5th", "5 May") is equal, in the same order. A negation,
//! a number, a date, a name, a tense or any other word of content on one side only keeps them apart.
//! In scripts without letter case, where a name looks like any word, everything but a short list of
//! intensifiers must be equal.

mod form;
mod words;

pub use form::normal_form;

use words::{Subject, Token, claim};

/// Whether `a` and `b` make the same claim, for texts the embedder understands and found close (MEM-5).
///
/// ```
/// use myosotis_core::claim::same_claim;
/// assert!(same_claim("I like green tea", "i really like green tea!"));
/// assert!(same_claim("works at Acme", "is working at Acme"));
/// assert!(!same_claim("likes tea", "dislikes tea"));
/// assert!(!same_claim("my dog is rex", "my dog is max"));
/// assert!(!same_claim("我叫李国宇", "我叫李国华"));
/// ```
#[must_use]
pub fn same_claim(a: &str, b: &str) -> bool {
    if normal_form(a) == normal_form(b) {
        return true;
    }
    let (a, b) = (claim(a), claim(b));
    if a.tokens.is_empty() || b.tokens.is_empty() {
        return false;
    }
    let subjects = a.subject == b.subject || a.subject == Subject::Any || b.subject == Subject::Any;
    subjects && (a.tokens == b.tokens || is_moved_time(&a.tokens, &b.tokens))
}

/// The same question for texts the embedder has no words for (its `coverage` is below 1): the cosine
/// says nothing, so only equal texts are the same claim, but for case, punctuation and spacing.
///
/// ```
/// use myosotis_core::claim::same_words;
/// assert!(same_words("Ἀγαπῶ τὸ τσάι", "ἀγαπῶ τὸ τσάι."));
/// assert!(!same_words("really likes tea", "likes tea"));
/// ```
#[must_use]
pub fn same_words(a: &str, b: &str) -> bool {
    normal_form(a) == normal_form(b)
}

/// Whether `b` is `a` with its time moved from one end to the other: "on Monday I meet Bob" and "I
/// meet Bob on Monday". Any other change of order can change who did what.
fn is_moved_time(a: &[Token], b: &[Token]) -> bool {
    let n = a.len();
    if n != b.len() || n < 2 {
        return false;
    }
    let times = |tokens: &[Token]| tokens.iter().take_while(|token| token.is_time).count();
    let moved = |a: &[Token], b: &[Token]| {
        let k = times(a);
        k > 0 && k < n && a[k..] == b[..n - k] && a[..k] == b[n - k..]
    };
    moved(a, b) || moved(b, a)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn same(pairs: &[(&str, &str)]) {
        for (a, b) in pairs {
            assert!(same_claim(a, b), "{a:?} and {b:?} are one claim: {:?} {:?}", claim(a), claim(b));
            assert!(same_claim(b, a));
        }
    }

    fn different(pairs: &[(&str, &str)]) {
        for (a, b) in pairs {
            assert!(!same_claim(a, b), "{a:?} and {b:?} are two claims: {:?}", claim(a));
            assert!(!same_claim(b, a));
        }
    }

    // MEM-5
    #[test]
    fn one_claim_in_other_words() {
        same(&[
            ("I like green tea", "I like green tea."),
            ("I like green tea", "i really like green tea"),
            ("works at Acme", "is working at Acme"),
            ("The user likes green tea", "likes green tea"),
            ("User enjoys hiking", "I like hiking"),
            ("has two cats", "has 2 cats"),
            ("I don't eat meat", "I do not eat meat"),
            ("I’m from Rome", "I am from Rome"),
            ("My name is Alice", "my name's Alice"),
            ("On Monday I meet Bob", "I meet Bob on Monday"),
            ("is employed by Acme", "works for Acme"),
            ("Ich mag grünen Tee", "ich mag wirklich grünen Tee"),
            ("我喜欢绿茶", "我 非常喜欢 绿茶。"),
            ("J'aime le thé vert", "j'aime vraiment le thé vert"),
            ("She likes green tea", "Likes green tea"),
            ("Likes green tea a lot", "They like green tea"),
            ("The user likes green tea very much", "He really likes green tea"),
            ("Likes green tea quite a bit", "likes green tea"),
            ("She's allergic to nuts", "is allergic to nuts"),
            ("He doesn't eat meat", "does not eat meat"),
            ("Er trinkt gern Tee", "trinkt sehr gern Tee"),
            ("toma mucho té verde", "toma té verde"),
            ("Ils boivent du thé", "boivent du thé beaucoup"),
            ("born 5 May 1990", "born on May 5, 1990"),
            ("born 5th May 1990", "born May 5th 1990"),
            ("Meets Bob on 5 May", "meets Bob on May 5"),
            ("earns 1,000 dollars", "earns 1000 dollars"),
            ("earns 1,234,567 dollars", "earns 1234567 dollars"),
        ]);
    }

    // MEM-5
    #[test]
    fn polarity_keeps_apart() {
        different(&[
            ("likes tea", "dislikes tea"),
            ("likes tea", "likes no tea"),
            ("is allergic to nuts", "is not allergic to nuts"),
            ("is allergic to nuts", "isn't allergic to nuts"),
            ("works at Acme", "no longer works at Acme"),
            ("works at Acme", "never works at Acme"),
            ("loves cats", "hates cats"),
            ("coffee with milk", "coffee without milk"),
            ("moved to Paris", "moved from Paris"),
            ("works at Acme", "worked at Acme"),
            ("is a smoker", "was a smoker"),
            ("works at Acme", "used to work at Acme"),
            ("Ich mag Tee", "Ich mag keinen Tee"),
            ("Ich esse Fleisch", "Ich esse nicht Fleisch"),
            ("me gusta el té", "no me gusta el té"),
            ("J'aime le thé", "Je n'aime pas le thé"),
            ("gosto de chá", "não gosto de chá"),
            ("mi piace il tè", "non mi piace il tè"),
            ("я люблю чай", "я не люблю чай"),
            ("çayı severim", "çayı sevmem"),
            ("我喜欢茶", "我不喜欢茶"),
            ("お茶が好きです", "お茶が好きではありません"),
            ("나는 차를 좋아해", "나는 차를 안 좋아해"),
            ("أحب الشاي", "لا أحب الشاي"),
            ("मुझे चाय पसंद है", "मुझे चाय पसंद नहीं है"),
        ]);
    }

    // MEM-5
    #[test]
    fn numbers_dates_and_names_keep_apart() {
        different(&[
            ("has two cats", "has three cats"),
            ("has 2 cats", "has 3 cats"),
            ("is 45 years old", "is 46 years old"),
            ("meeting on Monday", "meeting on Tuesday"),
            ("born in May", "born in June"),
            ("moved in 2022", "moved in 2023"),
            ("moved to Paris", "moved to Rome"),
            ("my dog is rex", "my dog is max"),
            ("works at Acme", "works at Acme in Berlin"),
            ("Alice likes Bob", "Bob likes Alice"),
            ("my sister loves me", "I love my sister"),
            ("my sister likes tea", "I like tea"),
            ("prefers C", "prefers C++"),
            ("prefers C#", "prefers C++"),
            ("it is -5 degrees", "it is 5 degrees"),
            ("budget is $5", "budget is €5"),
            ("pays 1.5 euros", "pays 15 euros"),
            ("wakes at 7:30 am", "wakes at 7:30 pm"),
            ("我叫李国宇", "我叫李国华"),
            ("住在东京", "住在京都"),
            ("ฉันชื่อสมชาย", "ฉันชื่อสมศรี"),
            ("اسمي أحمد", "اسمي محمد"),
            ("मेरा नाम राज है", "मेरा नाम रवि है"),
            ("제 이름은 민수입니다", "제 이름은 민호입니다"),
            ("меня зовут Аня", "меня зовут Оля"),
            ("likes tea 😀", "likes tea 😡"),
            ("Anna likes tea", "Tom likes tea"),
            ("He likes tea", "She likes tea"),
            ("Anna likes tea", "She likes tea"),
            ("Her mother likes tea", "She likes tea"),
            ("Her mother likes tea", "My mother likes tea"),
            ("She likes him", "He likes her"),
            ("She likes him", "likes her"),
            ("We like tea", "I like tea"),
            ("Ella likes tea", "likes tea"),
            ("Anna says she likes tea", "Anna says likes tea a lot"),
            ("a lot is for sale", "is for sale"),
            ("bought a lot in Rome", "bought in Rome"),
            ("born 5 May 1990", "born 6 May 1990"),
            ("born 5 May 1990", "born 5 June 1990"),
            ("met 5 May people", "met May 5 people at 6"),
            ("from 1 May to 5 June", "from 5 May to 1 June"),
            ("earns 1,000 dollars", "earns 1,00 dollars"),
            ("pays 1,5 euros", "pays 15 euros"),
            ("rolled 1,000", "rolled 1.000"),
            ("has 5 cats, 1990", "has 51990 cats"),
        ]);
    }

    // MEM-5: what the embedder cannot read is compared by its text
    #[test]
    fn without_coverage_only_equal_texts_are_one() {
        assert!(same_words("Likes tea.", "likes tea"));
        assert!(!same_words("likes tea", "really likes tea"));
    }

    proptest! {
        // MEM-5
        #[test]
        fn the_test_is_reflexive_and_symmetric(a in "\\PC{0,30}", b in "\\PC{0,30}") {
            prop_assert!(same_claim(&a, &a));
            prop_assert_eq!(same_claim(&a, &b), same_claim(&b, &a));
        }

        // MEM-5
        #[test]
        fn another_number_is_another_claim(a in 0u32..10_000, b in 0u32..10_000) {
            let of = |n: u32| ["has ", &n.to_string(), " books"].concat();
            prop_assert_eq!(same_claim(&of(a), &of(b)), a == b);
        }
    }
}
