//! Words that tell what a text or a question is about, other than by its subject: a time, the past,
//! the assistant. Recall weighs items by them; see `recall::params`. Lists of grammatical words, measured in
//! English; the other languages have the nearest equivalents, none of them a word of English.

use super::segment::{Class, Segments, Token};
use super::stop::Latin;

/// The word is one of time.
pub(super) const TIME: u16 = 1;
/// It asks when.
const ASKS_WHEN: u16 = 2;
/// A unit of time: `what date` asks when.
const UNIT: u16 = 4;
/// Units of time in the plural: `how many days` asks when.
const PERIOD: u16 = 8;
/// What an assistant did: `you suggested`.
const TELLS: u16 = 16;
/// What it gave: `your advice`.
const GIVES: u16 = 32;
/// The word speaks of the past.
const OF_PAST: u16 = 64;
/// The word speaks of now.
const OF_NOW: u16 = 128;

/// Words by what they tell; the table in `stop` is built of them.
pub(super) const LISTS: [(&str, u16); 8] = [
    (TIME_WORDS, TIME),
    (WHEN, ASKS_WHEN),
    (WHEN_UNITS, UNIT),
    (WHEN_PERIODS, PERIOD),
    (TOLD, TELLS),
    (ADVICE, GIVES),
    (PAST, OF_PAST),
    (NOW, OF_NOW),
];

/// Words of time: a text that has one is favoured when a question asks when. Not `may`, nor words that are
/// something else in another language of the list.
const TIME_WORDS: &str = "yesterday today tonight tomorrow ago last next week weekend month year day \
    monday tuesday wednesday thursday friday saturday sunday january february march april june july august september \
    october november december since recently morning night summer winter spring fall autumn weeks weekends months years \
    days mondays tuesdays wednesdays thursdays fridays saturdays sundays mornings nights summers winters springs autumns \
    gestern heute morgen letzte letzten letztes nächste nächsten woche wochen monat monate jahr jahre tage montag \
    dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz juni juli oktober dezember sommer herbst \
    frühling abend ayer hoy mañana semana año años día días lunes martes miércoles jueves viernes sábado domingo enero \
    febrero abril mayo junio julio septiembre octubre noviembre diciembre verano invierno aujourd demain semaine mois \
    année années jour jours lundi mardi mercredi jeudi vendredi samedi dimanche janvier février avril juin juillet \
    août septembre octobre novembre décembre depuis ontem hoje amanhã janeiro fevereiro março maio junho julho setembro \
    outubro novembro dezembro ieri oggi domani settimana giorno giorni gennaio febbraio aprile maggio giugno luglio \
    settembre ottobre dicembre gisteren vandaag maand jaar bugün yarın hafta \
    вчера сегодня завтра неделя неделю недели неделе месяц месяца месяце год года лет году день дня понедельник вторник \
    среду четверг пятницу субботу воскресенье января февраля марта апреля мая июня июля августа сентября октября ноября \
    декабря назад летом зимой осенью весной \
    أمس اليوم غدا أسبوع شهر سنة אתמול היום מחר שבוע חודש שנה कल आज परसों हफ्ते महीने साल दिन 어제 오늘 내일 작년 지난주 지난달";

/// What a question asks, besides its subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Cues {
    /// It asks when something was or for how long.
    pub(crate) asks_when: bool,
    /// It asks what the assistant said.
    pub(crate) about_assistant: bool,
    /// It is about the past.
    pub(crate) past: bool,
    /// It is about how things are now.
    pub(crate) now: bool,
}

const WHEN: &str = "when wann quand cuando quando wanneer когда kiedy zaman متى מתי कब ποτε 언제";
const WHEN_UNITS: &str = "date day month year time week";
const WHEN_PERIODS: &str = "days weeks months years";
const TOLD: &str = "recommended suggested said told mentioned gave advised explained wrote proposed listed described \
    shared offered showed provided";
const ADVICE: &str = "advice suggestion suggestions recommendation recommendations answer answers reply replies";
const PAST: &str = "did was were had when ever before first ago last previously originally earlier \
    waren hatte hattest hatten wurde damals fruher fue fui era fueron habia estaba tenia hice hiciste dije solia antes \
    etait etais avait avais avant autrefois foi estava tinha disse aveva avevo erano werd had vroeger \
    был была было были раньше прежде прошлом";
const NOW: &str = "now current currently latest newest still today nowadays recent recently \
    jetzt aktuell aktuelle derzeit heute ahora actualmente maintenant actuellement agora atualmente adesso attualmente \
    nu nog simdi сейчас теперь الآن עכשיו अब 지금 현재";

/// Two words that ask when, folded.
const WHEN_PAIRS: &[(&str, &str)] = &[
    ("welches", "datum"),
    ("welchem", "datum"),
    ("welchem", "tag"),
    ("welchen", "tag"),
    ("welchem", "jahr"),
    ("welches", "jahr"),
    ("welchem", "monat"),
    ("wie", "lange"),
    ("viel", "uhr"),
    ("que", "dia"),
    ("que", "fecha"),
    ("que", "ano"),
    ("que", "mes"),
    ("que", "hora"),
    ("hace", "cuanto"),
    ("cuanto", "tiempo"),
    ("quelle", "date"),
    ("quelle", "annee"),
    ("quelle", "heure"),
    ("quel", "jour"),
    ("quel", "mois"),
    ("qual", "data"),
    ("qual", "dia"),
    ("quanto", "tempo"),
    ("che", "giorno"),
    ("che", "data"),
    ("che", "anno"),
    ("quale", "giorno"),
    ("quale", "data"),
    ("quale", "anno"),
    ("какого", "числа"),
    ("какой", "день"),
    ("каком", "году"),
    ("каком", "месяце"),
    ("каких", "пор"),
    ("как", "давно"),
    ("как", "долго"),
    ("во", "сколько"),
    ("hangi", "gun"),
    ("hangi", "yil"),
];

/// Phrases of languages that put no spaces between words, or more than we think.
const WHEN_PHRASES: &[&str] = &[
    "什么时候",
    "什麼時候",
    "何时",
    "何時",
    "哪天",
    "哪年",
    "哪一天",
    "哪一年",
    "几月",
    "幾月",
    "几号",
    "幾號",
    "几点",
    "幾點",
    "多久",
    "いつ",
    "何年",
    "何月",
    "何日",
    "何曜日",
    "เมื่อไหร่",
    "เมื่อไร",
    "khi nào",
    "며칠",
    "몇 년",
    "몇년",
    "몇 월",
    "몇월",
    "몇 시",
    "몇시",
    "무슨 요일",
];
const ASSISTANT_PHRASES: &[&str] =
    &["你说", "你說", "你建议", "你推荐", "あなたが言", "あなたは言", "hast du mir", "me dijiste", "tu m'as"];
const PAST_PHRASES: &[&str] = &[
    "以前",
    "之前",
    "过去",
    "過去",
    "曾经",
    "曾經",
    "上次",
    "当时",
    "當時",
    "ました",
    "でした",
    "だった",
    "ていた",
    "前回",
    "昔",
    "했",
    "였",
    "었",
    "았",
    "예전",
    "지난번",
    "그때",
];
const NOW_PHRASES: &[&str] = &["现在", "現在", "目前", "如今", "最近", "今は", "今の", "ตอนนี้", "hiện tại", "bây giờ"];

/// Finds the cues of a question in that language.
pub(super) fn find(text: &str, segments: &Segments, latin: Latin) -> Cues {
    let plain = segments.tokens.iter().filter(|token| !matches!(token.class, Class::Whole | Class::Piece));
    let words: Vec<(&str, Token)> = plain.map(|token| (segments.word(*token), *token)).collect();
    let mut cues = Cues::default();
    for (at, (first, token)) in words.iter().enumerate() {
        let word = |offset: usize| words.get(at + offset).map_or("", |(word, _)| *word);
        let is = |offset: usize, bit: u16| words.get(at + offset).is_some_and(|(_, token)| token.cues & bit != 0);
        let have = |offset: usize| matches!(word(offset), "have" | "had" | "ve");
        match *first {
            "what" | "which" => cues.asks_when |= is(1, UNIT),
            "how" => cues.asks_when |= word(1) == "long" || (word(1) == "many" && is(2, PERIOD)),
            "did" | "have" | "had" => cues.about_assistant |= word(1) == "you",
            "you" => cues.about_assistant |= is(1, TELLS) || (have(1) && is(2, TELLS)),
            "your" => cues.about_assistant |= is(1, GIVES),
            "used" => cues.past |= word(1) == "to",
            "in" | "on" | "of" | "since" | "by" | "until" => cues.past |= matches!(word(1), "may" | "march"),
            "these" => cues.now |= word(1) == "days",
            "at" => cues.now |= word(1) == "the" && word(2) == "moment",
            // Words of English too.
            "war" => cues.past |= latin == Latin::German,
            "prima" => cues.past |= latin == Latin::Italian,
            _ => {}
        }
        let month = token.month != 0 && !matches!(*first, "may" | "march");
        cues.asks_when |= token.cues & ASKS_WHEN != 0 || WHEN_PAIRS.contains(&(*first, word(1)));
        cues.past |= token.cues & OF_PAST != 0 || month || is_year(first);
        cues.now |= token.cues & OF_NOW != 0;
    }
    if !text.is_ascii() {
        let lower = text.to_lowercase();
        let has = |phrases: &[&str]| phrases.iter().any(|phrase| lower.contains(phrase));
        cues.asks_when |= has(WHEN_PHRASES);
        cues.about_assistant |= has(ASSISTANT_PHRASES);
        cues.past |= has(PAST_PHRASES);
        cues.now |= has(NOW_PHRASES);
    }
    cues
}

/// Whether a word is a year from 1900 to 2099.
pub(super) fn is_year(word: &str) -> bool {
    word.len() == 4 && (word.starts_with("19") || word.starts_with("20")) && word.bytes().all(|b| b.is_ascii_digit())
}
