//! The tokens of a claim: words without what carries no claim, in one form a word.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::form::{is_symbol, is_word, normal_form};

/// One thing a text says.
#[derive(Debug, Clone, Eq)]
pub(super) struct Token {
    form: String,
    /// A weekday, a month or a number: what may move from one end of a sentence to the other.
    pub(super) is_time: bool,
}

impl PartialEq for Token {
    fn eq(&self, other: &Self) -> bool {
        self.form == other.form
    }
}

/// Words that carry no claim: who speaks, articles, intensifiers, politeness; by language.
const EMPTY: &str = "i my mine myself user user's users the a an am is are be being been do does that this really very quite so \
    much truly absolutely definitely certainly just simply actually totally also too well please at in on of for by as \
    currently now presently has have got \
    ich mein meine meinen meiner der die das ein eine einen bin wirklich sehr echt total ganz auch gern gerne \
    yo mi mis el la los las un una soy realmente mucho muy también de \
    je j mon ma mes le les l une suis vraiment beaucoup très aussi \
    eu meu minha o os as um uma sou muito realmente também \
    io mio mia il lo gli sono davvero molto anche \
    я мой моя мое очень действительно правда тоже";

/// Words of one meaning. The first of each line stands for the others.
const SYNONYMS: &[&str] = &[
    "like likes liked enjoy enjoys love loves adore adores",
    "liked enjoyed loved adored",
    "dislike dislikes",
    "hate hates detest detests",
    "work works employed",
    "live lives reside resides",
    "name named called",
    "big large",
    "job occupation profession",
    "begin begins start starts",
    "kid kids child children",
    "mom mum mother",
    "dad father",
    "favourite favorite",
    "colour color",
    "movie movies film films",
    "bike bicycle",
    "prefer prefers",
    "buy buys purchase purchases",
    "not isn't aren't wasn't don't doesn't didn't won't can't cannot couldn't shouldn't wouldn't haven't hasn't hadn't",
    "one 1",
    "two 2",
    "three 3",
    "four 4",
    "five 5",
    "six 6",
    "seven 7",
    "eight 8",
    "nine 9",
    "ten 10",
    "eleven 11",
    "twelve 12",
    "twenty 20",
    "thirty 30",
    "hundred 100",
];

/// Contractions that are two words, and what each is.
const CONTRACTIONS: &[(&str, &[&str])] = &[
    ("don't", &["not"]),
    ("doesn't", &["not"]),
    ("isn't", &["not"]),
    ("aren't", &["not"]),
    ("haven't", &["not"]),
    ("hasn't", &["not"]),
    ("didn't", &["did", "not"]),
    ("wasn't", &["was", "not"]),
    ("weren't", &["were", "not"]),
    ("won't", &["will", "not"]),
    ("wouldn't", &["would", "not"]),
    ("can't", &["can", "not"]),
    ("cannot", &["can", "not"]),
    ("couldn't", &["could", "not"]),
    ("i'm", &[]),
    ("i've", &[]),
    ("i'd", &["would"]),
    ("i'll", &["will"]),
    ("it's", &["it"]),
    ("that's", &[]),
];

/// Intensifiers and endings that do not change a claim, in scripts without spaces or case.
const SOFT: &[&str] = &[
    "非常",
    "真的",
    "特别",
    "特別",
    "很",
    "とても",
    "すごく",
    "本当に",
    "정말",
    "아주",
    "매우",
    "बहुत",
    "जداً",
    "جدا",
    "كثيرا",
    "มาก",
];

const TIMES: &str = "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august \
    september october november december today tomorrow yesterday montag dienstag mittwoch donnerstag freitag samstag sonntag \
    lunes martes miércoles jueves viernes sábado domingo lundi mardi mercredi jeudi vendredi samedi dimanche";

struct Lists {
    empty: std::collections::HashSet<&'static str>,
    synonyms: HashMap<&'static str, &'static str>,
    contractions: HashMap<&'static str, &'static [&'static str]>,
    times: std::collections::HashSet<&'static str>,
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let mut synonyms = HashMap::new();
    for line in SYNONYMS {
        let mut words = line.split_whitespace();
        if let Some(first) = words.next() {
            synonyms.insert(first, first);
            for word in words {
                synonyms.entry(word).or_insert(first);
            }
        }
    }
    Lists {
        empty: EMPTY.split_whitespace().collect(),
        synonyms,
        contractions: CONTRACTIONS.iter().copied().collect(),
        times: TIMES.split_whitespace().collect(),
    }
});

/// Letters of a script in which a name cannot be told from a word.
fn is_caseless(c: char) -> bool {
    c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase() && !matches!(c, 'ª' | 'º' | 'ʰ'..='ʸ')
}

/// What `text` claims, in order.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    if text.chars().any(is_caseless) {
        return caseless(text);
    }
    let form = normal_form(text);
    let mut out = Vec::new();
    for word in form.split(' ').flat_map(split_symbols) {
        let word = word.replace('’', "'");
        match LISTS.contractions.get(word.as_str()) {
            Some(words) => words.iter().for_each(|word| push(&mut out, word)),
            None => push(&mut out, &word),
        }
    }
    if out.is_empty() {
        // Nothing but words that carry no claim: then they are it.
        out.extend(form.split(' ').filter(|word| !word.is_empty()).map(token));
    }
    out
}

/// Symbols stand alone, so that what they are glued to is still seen as a word; but for those that
/// name something with it (`c++`, `c#`).
fn split_symbols(word: &str) -> Vec<&str> {
    let named = word.starts_with(|c: char| c.is_alphabetic()) && word.ends_with(['+', '#']);
    if named || !word.chars().any(is_symbol) {
        return vec![word];
    }
    let mut parts = Vec::new();
    let mut start = 0;
    let mut before: Option<bool> = None;
    for (at, c) in word.char_indices() {
        let symbol = is_symbol(c);
        if before.is_some_and(|before| before != symbol) {
            parts.push(&word[start..at]);
            start = at;
        }
        before = Some(symbol);
    }
    parts.push(&word[start..]);
    parts
}

fn token(word: &str) -> Token {
    let is_time = LISTS.times.contains(word) || word.starts_with(char::is_numeric);
    Token { form: word.to_owned(), is_time }
}

fn push(out: &mut Vec<Token>, word: &str) {
    // French elision: "j'aime" is "aime", "n'aime" is a negation and "aime".
    if let Some((article, rest)) = word.split_once('\'')
        && matches!(article, "j" | "l" | "d" | "n" | "qu" | "c" | "s" | "m" | "t")
        && rest.chars().nth(1).is_some()
    {
        if matches!(article, "n" | "m" | "t" | "s") {
            out.push(token(article));
        }
        return push(out, rest);
    }
    // "my name's Alice", "my dog's name".
    let word = word.strip_suffix("'s").unwrap_or(word);
    if word.is_empty() || LISTS.empty.contains(word) {
        return;
    }
    out.push(token(&stem(word)));
}

/// One form for the forms of an English word that keep its claim: plural, third person, -ing. The past
/// keeps its own, since "worked" is not "works".
fn stem(word: &str) -> String {
    let known = |word: &str| LISTS.synonyms.get(word).map(|first| (*first).to_owned());
    if let Some(first) = known(word) {
        return first;
    }
    if LISTS.times.contains(word)
        || !word.is_ascii()
        || !word.chars().all(|c| c.is_ascii_alphabetic())
        || word.len() < 4
    {
        return word.to_owned();
    }
    let strip = |suffix: &str, least: usize| word.strip_suffix(suffix).filter(|stem| stem.len() >= least);
    let stem = if let Some(stem) = strip("ies", 2) {
        [stem, "y"].concat()
    } else if let Some(stem) = strip("ing", 3).filter(|stem| stem.contains(['a', 'e', 'i', 'o', 'u', 'y'])) {
        undouble(stem)
    } else if let Some(stem) = ["ches", "shes", "sses", "xes", "zes"]
        .iter()
        .find_map(|end| word.ends_with(end).then(|| &word[..word.len() - 2]))
    {
        stem.to_owned()
    } else if let Some(stem) = strip("s", 3).filter(|stem| !stem.ends_with(['s', 'u', 'i'])) {
        stem.to_owned()
    } else {
        word.to_owned()
    };
    let stem = stem.strip_suffix('e').filter(|short| short.len() >= 3).map_or(stem.clone(), str::to_owned);
    known(&stem).or_else(|| known(&[&stem, "e"].concat())).unwrap_or(stem)
}

/// "running" is "run".
fn undouble(stem: &str) -> String {
    let mut letters = stem.chars().rev();
    let (last, before) = (letters.next(), letters.next());
    let doubled = last == before && last.is_some_and(|c| !matches!(c, 'l' | 's' | 'z' | 'e' | 'o'));
    let cut = usize::from(doubled && stem.len() > 3);
    stem[..stem.len() - cut].to_owned()
}

/// In a script without case everything counts but intensifiers.
fn caseless(text: &str) -> Vec<Token> {
    let mut form = normal_form(text);
    for soft in SOFT {
        // A word of a spaced script must stand alone.
        let spaced = !soft.chars().all(|c| matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{e00}'..='\u{e7f}'));
        if spaced {
            form = form.split(' ').filter(|word| word != soft).collect::<Vec<_>>().join(" ");
        } else if form != *soft {
            form = form.replace(soft, "");
        }
    }
    form.split(' ').filter(|word| word.chars().any(is_word) || !word.is_empty()).map(token).collect()
}
