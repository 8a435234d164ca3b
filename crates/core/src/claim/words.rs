//! The tokens of a claim: words without what carries no claim, in one form a word.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::form::{is_symbol, is_word, normal_form};

/// What a text claims, and of whom.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Claim {
    /// Whether it opens with a pronoun of one sex.
    pub(super) subject: Subject,
    /// What it says, in order.
    pub(super) tokens: Vec<Token>,
}

/// The pronoun a text opens with. Who learned memories are about is mostly left out, and written now
/// one way, now another; but "he" is never "she".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    Any,
    He,
    She,
}

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

/// Pronouns of a text's subject, where it opens with them. Not those that are names ("Ella", "Elle").
const THEY: &str = "they er sie ils elles они";
const HE: &str = "he он";
const SHE: &str = "she она";

/// Intensifiers of several words, or of other meaning elsewhere, at the end of a text.
const AT_THE_END: &[&str] = &[
    " a lot",
    " lots",
    " quite a bit",
    " a great deal",
    " tremendously",
    " unheimlich",
    " unglaublich",
    " muchísimo",
    " un montón",
    " énormément",
    " un sacco",
    " moltissimo",
    " muitíssimo",
];

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
    ("shouldn't", &["should", "not"]),
    ("hadn't", &["had", "not"]),
    ("i'm", &[]),
    ("i've", &[]),
    ("i'd", &["would"]),
    ("i'll", &["will"]),
    ("it's", &["it"]),
    ("that's", &[]),
    ("he'd", &["he", "would"]),
    ("he'll", &["he", "will"]),
    ("she'd", &["she", "would"]),
    ("she'll", &["she", "will"]),
    ("they're", &["they"]),
    ("they've", &["they"]),
    ("they'd", &["they", "would"]),
    ("they'll", &["they", "will"]),
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

const MONTHS: &str = "january february march april may june july august september october november december";

const TIMES: &str = "monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday montag dienstag mittwoch donnerstag freitag samstag sonntag \
    lunes martes miércoles jueves viernes sábado domingo lundi mardi mercredi jeudi vendredi samedi dimanche";

struct Lists {
    empty: std::collections::HashSet<&'static str>,
    synonyms: HashMap<&'static str, &'static str>,
    contractions: HashMap<&'static str, &'static [&'static str]>,
    months: std::collections::HashSet<&'static str>,
    times: std::collections::HashSet<&'static str>,
    subjects: HashMap<&'static str, Subject>,
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
        months: MONTHS.split_whitespace().collect(),
        times: TIMES.split_whitespace().chain(MONTHS.split_whitespace()).collect(),
        subjects: [(THEY, Subject::Any), (HE, Subject::He), (SHE, Subject::She)]
            .into_iter()
            .flat_map(|(words, subject)| words.split_whitespace().map(move |word| (word, subject)))
            .collect(),
    }
});

/// Letters of a script in which a name cannot be told from a word.
fn is_caseless(c: char) -> bool {
    c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase() && !matches!(c, 'ª' | 'º' | 'ʰ'..='ʸ')
}

/// What `text` claims.
pub(super) fn claim(text: &str) -> Claim {
    if text.chars().any(is_caseless) {
        return Claim { subject: Subject::Any, tokens: caseless(text) };
    }
    let form = normal_form(text).replace('’', "'");
    let without_end = AT_THE_END.iter().find_map(|end| form.strip_suffix(end)).unwrap_or(&form);
    let mut words = Vec::new();
    for word in without_end.split(' ').flat_map(split_symbols) {
        match LISTS.contractions.get(word) {
            Some(parts) => parts.iter().for_each(|part| push(&mut words, part)),
            None => push(&mut words, word),
        }
    }
    let mut subject = Subject::Any;
    if words.len() > 1
        && let Some(pronoun) = LISTS.subjects.get(words[0].as_str())
    {
        subject = *pronoun;
        words.remove(0);
    }
    days_before_months(&mut words);
    let mut tokens: Vec<_> = words.iter().map(|word| token(&stem(word))).collect();
    if tokens.is_empty() {
        // Nothing but words that carry no claim: then they are it.
        tokens.extend(form.split(' ').filter(|word| !word.is_empty()).map(token));
    }
    Claim { subject, tokens }
}

/// Writes "May 5th" as "5 May".
fn days_before_months(words: &mut [String]) {
    let day = |word: &str| {
        let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
        let is_day = digits.len() <= 2 && digits.parse::<u8>().is_ok_and(|day| (1..=31).contains(&day));
        is_day.then(|| digits.to_owned())
    };
    for at in 0..words.len() {
        if !LISTS.months.contains(words[at].as_str()) {
            continue;
        }
        if let Some(before) = at.checked_sub(1).and_then(|before| day(&words[before])) {
            words[at - 1] = before;
        } else if let Some(after) = words.get(at + 1).and_then(|after| day(after)) {
            words[at + 1] = after;
            words.swap(at, at + 1);
        }
    }
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

/// Adds a word, unless it carries no claim.
fn push(out: &mut Vec<String>, word: &str) {
    // French elision: "j'aime" is "aime", "n'aime" is a negation and "aime".
    if let Some((article, rest)) = word.split_once('\'')
        && matches!(article, "j" | "l" | "d" | "n" | "qu" | "c" | "s" | "m" | "t")
        && rest.chars().nth(1).is_some()
    {
        if matches!(article, "n" | "m" | "t" | "s") {
            out.push(article.to_owned());
        }
        return push(out, rest);
    }
    // "my name's Alice", "my dog's name".
    let word = word.strip_suffix("'s").unwrap_or(word);
    if word.is_empty() || LISTS.empty.contains(word) {
        return;
    }
    out.push(if is_in_thousands(word) { word.replace(',', "") } else { word.to_owned() });
}

/// Whether it is a number like `1,000`.
fn is_in_thousands(word: &str) -> bool {
    let mut groups = word.split(',');
    let digits = |group: &str| group.bytes().all(|b| b.is_ascii_digit());
    let first = groups.next().is_some_and(|group| (1..=3).contains(&group.len()) && digits(group));
    first && word.contains(',') && groups.all(|group| group.len() == 3 && digits(group))
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
