//! What kind of question a text is: whether it is one, whether it asks for a time, whether it is
//! about the past. Lists of words, no grammar: wrong now and then, and cheap to correct.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::token::fold;

/// Words that open a question where no question mark tells.
const OPENERS: &str = "what what's whats when where who whom whose which why how did does do is are was were am can could \
    will would should has have had may shall isn't aren't wasn't didn't don't doesn't hasn't haven't \
    was wann wo wer wen wem wessen welche welcher welches welchen warum wieso wie woher wohin hast habe ist sind war kannst \
    qué cuándo dónde quién cuál cuáles cómo por cuánto cuántos cuánta cuántas \
    quand où qui que quoi quel quelle quels quelles pourquoi comment combien est-ce \
    quando onde quem qual quais como porque quanto quantos quantas \
    che chi dove quale quali come perché quanto quanti quante cosa \
    что когда где кто какой какая какое какие почему как сколько куда откуда чей";

/// Phrases that ask for a time, folded, whole words.
const TIME: &[&str] = &[
    "what time did",
    "what time do",
    "what time is",
    "what time was",
    "what time does",
    "what time will",
    "what time of",
    "at what time",
    "what date",
    "what day",
    "what year",
    "what month",
    "which day",
    "which date",
    "which year",
    "which month",
    "which week",
    "what week",
    "how long ago",
    "how long since",
    "how long has it been",
    "since when",
    "until when",
    "how recently",
    "the date of",
    "the exact date",
    "what's the date",
    "how many days ago",
    "how many weeks ago",
    "how many months ago",
    "how many years ago",
    "wann",
    "seit wann",
    "bis wann",
    "welches datum",
    "welchem datum",
    "welchem tag",
    "welchen tag",
    "welchem jahr",
    "welches jahr",
    "welchem monat",
    "um wie viel uhr",
    "wie lange ist es her",
    "vor wie vielen",
    "que dia",
    "que fecha",
    "que ano",
    "que mes",
    "hace cuanto",
    "desde cuando",
    "a que hora",
    "quelle date",
    "quel jour",
    "quelle annee",
    "quel mois",
    "depuis quand",
    "a quelle heure",
    "il y a combien",
    "qual data",
    "qual dia",
    "ha quanto tempo",
    "desde quando",
    "em que ano",
    "em que mes",
    "che giorno",
    "che data",
    "quale giorno",
    "quale data",
    "che anno",
    "quale anno",
    "da quando",
    "quanto tempo fa",
    "когда",
    "какого числа",
    "в какои день",
    "какои день",
    "в каком году",
    "в каком месяце",
    "с каких пор",
    "как давно",
    "во сколько",
    "ne zaman",
    "hangi gun",
    "hangi yil",
    "wanneer",
    "kiedy",
    "متى",
    "कब",
];

/// Words that ask for a time only in a question: elsewhere they join clauses.
const TIME_IF_ASKED: &[&str] = &["when", "cuando", "quand", "quando"];

/// What stands behind an English "when" that asks.
const AUXILIARY: &[&str] = &[
    "did",
    "is",
    "was",
    "were",
    "will",
    "do",
    "does",
    "are",
    "am",
    "has",
    "have",
    "had",
    "can",
    "could",
    "should",
    "would",
    "exactly",
    "in",
    "on",
    "and",
    "else",
    "precisely",
];

/// The same in scripts without spaces: found anywhere.
const TIME_ANYWHERE: &[&str] = &[
    "什么时候",
    "什麼時候",
    "何时",
    "何時",
    "几号",
    "幾號",
    "哪天",
    "哪一天",
    "几月",
    "幾月",
    "哪年",
    "哪一年",
    "多久以前",
    "多久之前",
    "几点",
    "幾點",
    "いつ",
    "何日",
    "何年",
    "何月",
    "何曜日",
    "언제",
    "며칠",
    "몇 년",
    "몇년",
    "몇 월",
    "몇월",
    "몇 시",
    "몇시",
    "무슨 요일",
];

/// Words of a question about the past, folded, whole words.
const PAST: &[&str] = &[
    "did",
    "was",
    "were",
    "had",
    "used to",
    "ago",
    "previously",
    "formerly",
    "earlier",
    "in the past",
    "back then",
    "back when",
    "the last time",
    "last time",
    "first time",
    "originally",
    "ever",
    "war",
    "waren",
    "hatte",
    "hattest",
    "hatten",
    "wurde",
    "habe",
    "hast",
    "frueher",
    "fruher",
    "damals",
    "letztes mal",
    "fue",
    "fui",
    "era",
    "estaba",
    "tenia",
    "hice",
    "hiciste",
    "dije",
    "solia",
    "antes",
    "foi",
    "estava",
    "tinha",
    "disse",
    "etait",
    "etais",
    "avait",
    "avais",
    "ai je",
    "as tu",
    "autrefois",
    "avant",
    "ero",
    "aveva",
    "avevo",
    "una volta",
    "prima",
    "ho detto",
    "был",
    "была",
    "было",
    "были",
    "раньше",
    "прежде",
    "в прошлом",
];

/// The same in scripts without spaces.
const PAST_ANYWHERE: &[&str] = &[
    "以前",
    "之前",
    "过去",
    "過去",
    "曾经",
    "曾經",
    "上次",
    "当时",
    "當時",
    "昔",
    "前回",
    "ました",
    "でした",
    "だった",
    "ていた",
    "예전",
    "지난번",
    "그때",
    "었",
    "았",
    "했",
];

/// Ends of a question in Chinese, Japanese and Korean.
const ASKING_ENDS: &[&str] =
    &["吗", "嗎", "呢", "ですか", "ますか", "ましたか", "でしたか", "のか", "나요", "까", "니", "가요", "는지"];

/// The folded words of a text, one space between and around them: phrases are found whole.
fn words(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(' ');
    let ends = |c: char| !(c.is_alphanumeric() || crate::text::is_mark(c) || matches!(c, '\'' | '’'));
    for word in text.split(ends).filter(|word| !word.is_empty()) {
        out.push_str(&fold(word).replace('’', "'"));
        out.push(' ');
    }
    out
}

fn has(words: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| words.match_indices(phrase).any(|(at, _)| whole(words, at, phrase.len())))
}

fn whole(words: &str, at: usize, length: usize) -> bool {
    let bytes = words.as_bytes();
    bytes.get(at.wrapping_sub(1)) == Some(&b' ') && matches!(bytes.get(at + length), Some(b' ' | b'\''))
}

/// Whether the text is a question: it has a question mark, opens with a word that asks, or ends in
/// an asking particle.
///
/// ```
/// use myosotis_core::when::is_question;
/// assert!(is_question("what is my job"));
/// assert!(is_question("你叫什么名字？"));
/// assert!(!is_question("My name is Alice."));
/// ```
#[must_use]
pub fn is_question(text: &str) -> bool {
    let text = text.trim();
    if text.contains(['?', '？', '؟', '¿', '՞', '⁇', '⁈']) {
        return true;
    }
    let bare = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    if ASKING_ENDS.iter().any(|end| bare.ends_with(end)) || TIME_ANYWHERE.iter().any(|word| bare.contains(word)) {
        return true;
    }
    let mut opening = text.split_whitespace();
    let first = words(opening.next().unwrap_or_default());
    let first = first.trim();
    // "When I was young" and "cuando era niño" open a clause: "when" asks before an auxiliary verb only.
    if TIME_IF_ASKED.contains(&first) {
        return first == "when" && opening.next().is_some_and(|second| AUXILIARY.contains(&fold(second).as_str()));
    }
    !first.is_empty() && OPENERS.split_whitespace().any(|opener| fold(opener).replace('-', "") == first)
}

/// Whether the text is a question whose answer is a time: when, which date, how long ago, since when.
///
/// ```
/// use myosotis_core::when::asks_when;
/// assert!(asks_when("When did I move to Rome?"));
/// assert!(asks_when("Wie lange ist es her?"));
/// assert!(!asks_when("What did I eat when I was in Rome?"));
/// ```
#[must_use]
pub fn asks_when(text: &str) -> bool {
    if TIME_ANYWHERE.iter().any(|word| text.contains(word)) {
        return true;
    }
    let words = words(text);
    if !is_question(text) {
        return false;
    }
    if has(&words, TIME) {
        return true;
    }
    // "when" asks where it opens the question or a clause behind a comma or "and"; otherwise it joins.
    let opens = |word: &&str| {
        let joined =
            ["and", "y", "et", "e", "or", "but", "do you know", "remember", "tell me", "hey", "so", "ok", "okay"];
        let first = words.strip_prefix(&format!(" {word} ")).map(|rest| rest.split(' ').next().unwrap_or_default());
        first.is_some_and(|second| *word != "when" || second.is_empty() || AUXILIARY.contains(&second))
            || words.starts_with(&format!(" {word}'"))
            || joined.iter().any(|before| words.contains(&format!(" {before} {word} ")))
    };
    let at_clause = text.split([',', ':', ';', '.', '!', '¿', '-', '—']).skip(1).any(|clause| {
        let clause = self::words(clause);
        TIME_IF_ASKED.iter().any(|word| clause.starts_with(&format!(" {word} ")))
    });
    // "When Jon is planning to move?": nothing else is asked.
    let others = ["what", "where", "who", "which", "how", "why", "whose"];
    let alone = words.starts_with(" when ") && !has(&words, &others) && !text.contains(',') && text.contains('?');
    TIME_IF_ASKED.iter().any(opens) || at_clause || alone
}

/// Whether the text is about the past: a question in a past tense, or one that names a time that is
/// over whenever it is asked ("last year", "three days ago"). Recall turns recency down for these (REC-2).
/// Whether a written date ("in May 2019") is past depends on the day; [`find`](super::find) gives its span.
///
/// ```
/// use myosotis_core::when::about_past;
/// assert!(about_past("Where did I go on holiday?"));
/// assert!(about_past("trips of last summer"));
/// assert!(!about_past("What is my name?"));
/// ```
#[must_use]
pub fn about_past(text: &str) -> bool {
    let asked = is_question(text);
    if asked && (has(&words(text), PAST) || PAST_ANYWHERE.iter().any(|word| text.contains(word))) {
        return true;
    }
    // Any reference will do for what hangs on it: the beginning of 1970 is as good as another.
    let reference = Timestamp::UNIX_EPOCH;
    super::find(text, reference, &TimeZone::UTC).iter().any(|found| found.relative && found.span.end <= reference)
}
