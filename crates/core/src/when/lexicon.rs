//! The words of time, by language: data only. A line gives spellings (separated by spaces; diacritics
//! and case do not matter) and their meaning; a word may have several meanings in several languages.
//!
//! Adding a language is adding its lines here. A word that is also an ordinary word goes under
//! `WEAK` as well; one that means something else in another language gets its language in `ONLY`.

/// A unit of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Minute,
    Hour,
    Day,
    Week,
    Fortnight,
    Weekend,
    Month,
    Quarter,
    Year,
    Decade,
}

/// A part of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Morning,
    Afternoon,
    Evening,
    Night,
}

/// A part of a month, a season or a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Third {
    Early,
    Mid,
    Late,
}

/// What a word means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Means {
    /// A day counted from today.
    Day(i8),
    /// A part of a day counted from today: Spanish "anoche".
    DayPart(i8, Part),
    Part(Part),
    Unit(Unit),
    /// Monday is 1.
    Weekday(i8),
    Month(i8),
    /// By its first month.
    Season(i8),
    /// Last, this, next before a unit.
    Rel(i8),
    /// The same after it: "la semana pasada".
    RelPost(i8),
    /// "The past week": the seven days up to now.
    Past,
    Num(i64),
    Few,
    /// A count and its unit in one: "half a year".
    Count(i64, Unit),
    /// First, second, ...; -1 is last.
    Ord(i8),
    /// Behind the count: "three days ago".
    Ago,
    /// Before the count: "vor drei Tagen".
    AgoPre,
    /// Before the count: "dans trois jours".
    Ahead,
    /// Behind the count: "three days from now".
    FromNow,
    In,
    On,
    The,
    Of,
    Since,
    Until,
    Before,
    After,
    Between,
    And,
    From,
    To,
    Third(Third),
    /// "The other day".
    Lately,
}

/// The languages whose function words are counted to tell words apart that several share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lang {
    English,
    German,
    French,
    Spanish,
    Portuguese,
    Italian,
}

use Means::{
    After, Ago, AgoPre, Ahead, And, Before, Between, Count, Day, DayPart, Few, From, FromNow, In, Lately, Month, Num,
    Of, On, Ord, Past, Rel, RelPost, Season, Since, The, To, Until, Weekday,
};

/// Single words.
pub(super) const WORDS: &[(&str, Means)] = &[
    // Days counted from today.
    ("today heute hoy aujourdhui hoje oggi сегодня", Day(0)),
    ("yesterday gestern ayer hier ontem ieri вчера", Day(-1)),
    ("tomorrow morgen mañana demain amanhã domani завтра", Day(1)),
    ("vorgestern anteayer antier anteontem avantieri avanthier позавчера", Day(-2)),
    ("übermorgen dopodomani aprèsdemain послезавтра overmorrow", Day(2)),
    ("tonight", DayPart(0, Part::Night)),
    ("anoche stanotte", DayPart(-1, Part::Night)),
    ("stamattina stamani", DayPart(0, Part::Morning)),
    ("stasera", DayPart(0, Part::Evening)),
    // Parts of the day.
    ("morning morgen morgens vormittag matin manhã mañana mattina mattino утром утро утра", Means::Part(Part::Morning)),
    ("afternoon nachmittag mittag tarde pomeriggio après-midi днем днём", Means::Part(Part::Afternoon)),
    ("evening abend soir soirée sera вечером вечер вечера", Means::Part(Part::Evening)),
    ("night nacht nuit noche noite notte ночью ночь", Means::Part(Part::Night)),
    // Units.
    ("minute minutes min mins minuten minuto minutos minuti минуту минуты минут", Means::Unit(Unit::Minute)),
    ("hour hours stunde stunden hora horas heure heures ora ore час часа часов", Means::Unit(Unit::Hour)),
    ("day days tag tage tagen tages día días jour jours dia dias giorno giorni день дня дней", Means::Unit(Unit::Day)),
    (
        "week weeks woche wochen semana semanas semaine semaines settimana settimane неделя неделю недели недель неделе",
        Means::Unit(Unit::Week),
    ),
    ("fortnight fortnights", Means::Unit(Unit::Fortnight)),
    ("weekend weekends wochenende wochenenden weekends выходные выходных выходным", Means::Unit(Unit::Weekend)),
    (
        "month months monat monate monaten monats mes meses mois mês mese mesi месяц месяца месяцев месяце",
        Means::Unit(Unit::Month),
    ),
    ("quarter quarters quartal trimestre", Means::Unit(Unit::Quarter)),
    (
        "year years jahr jahre jahren jahres año años an ans année années ano anos anno anni год года году лет годы",
        Means::Unit(Unit::Year),
    ),
    ("decade decades jahrzehnt década décadas décennie decennio", Means::Unit(Unit::Decade)),
    // Weekdays. Plurals recur ("on Mondays") and name no day.
    ("monday mon montag lunes lundi segunda lunedì понедельник", Weekday(1)),
    ("tuesday tue tues dienstag martes mardi terça martedì вторник", Weekday(2)),
    ("wednesday wed mittwoch miércoles mercredi quarta mercoledì среду", Weekday(3)),
    ("thursday thu thur thurs donnerstag jueves jeudi quinta giovedì четверг", Weekday(4)),
    ("friday fri freitag viernes vendredi sexta venerdì пятницу пятница", Weekday(5)),
    ("saturday sat samstag sonnabend sábado samedi sabato субботу суббота", Weekday(6)),
    ("sunday sun sonntag domingo dimanche domenica воскресенье", Weekday(7)),
    // Months.
    ("january jan januar jänner enero janvier janeiro gennaio январь января январе", Month(1)),
    ("february feb februar febrero février fevereiro febbraio февраль февраля феврале", Month(2)),
    ("march mar märz marzo mars março март марта марте", Month(3)),
    ("april apr abril avril aprile апрель апреля апреле", Month(4)),
    ("may mai mayo maio maggio май мая мае", Month(5)),
    ("june jun juni junio juin junho giugno июнь июня июне", Month(6)),
    ("july jul juli julio juillet julho luglio июль июля июле", Month(7)),
    ("august aug agosto août август августа августе", Month(8)),
    ("september sep sept septiembre septembre setembro settembre сентябрь сентября сентябре", Month(9)),
    ("october oct oktober octubre octobre outubro ottobre октябрь октября октябре", Month(10)),
    ("november nov noviembre novembre novembro ноябрь ноября ноябре", Month(11)),
    ("december dec dezember diciembre décembre dezembro dicembre декабрь декабря декабре", Month(12)),
    // Seasons.
    ("spring frühling frühjahr primavera printemps весна весной весну весны", Season(3)),
    ("summer sommer verano été verão estate лето летом лета", Season(6)),
    ("autumn fall herbst otoño automne outono autunno осень осенью осени", Season(9)),
    ("winter invierno hiver inverno зима зимой зиму зимы", Season(12)),
    // Last, this, next.
    ("last previous letzte letzten letzter letztes letztem vorige vorigen voriger voriges vergangene", Rel(-1)),
    ("vergangenen vergangener vergangenes прошлый прошлая прошлое прошлого прошлой прошлом прошлую прошлым", Rel(-1)),
    ("прошлые прошлых", Rel(-1)),
    (
        "pasado pasada passado passada scorso scorsa passato passata último última últimos últimas ultimi ultime dernier dernière derniers dernières",
        Rel(-1),
    ),
    ("pasado pasada passado passada scorso scorsa passato passata dernier dernière passé passée", RelPost(-1)),
    ("this dieser diese dieses diesen diesem este esta ce cette cet neste nesta deste desta", Rel(0)),
    ("questo questa quest questi этот эта это этой этом эту этого эти этих этим", Rel(0)),
    ("next coming upcoming nächste nächsten nächster nächstes nächstem kommende kommenden kommender kommendes", Rel(1)),
    ("следующий следующая следующее следующего следующей следующем следующую следующие", Rel(1)),
    (
        "próximo próxima próximos próximas prossimo prossima prossimi prossime prochain prochaine prochains prochaines",
        Rel(1),
    ),
    ("próximo próxima prossimo prossima prochain prochaine", RelPost(1)),
    ("past", Past),
    // Counts.
    ("a an one ein eine einem einen einer un una une um uma uno один одну одна", Num(1)),
    ("two couple zwei dos deux dois duas due два две пару", Num(2)),
    ("three drei tres trois três tre три", Num(3)),
    ("four vier cuatro quatre quatro quattro четыре", Num(4)),
    ("five fünf cinco cinq cinque пять", Num(5)),
    ("six sechs seis sei шесть", Num(6)),
    ("seven sieben siete sept sete sette семь", Num(7)),
    ("eight acht ocho huit oito otto восемь", Num(8)),
    ("nine neun nueve neuf nove девять", Num(9)),
    ("ten zehn diez dix dez dieci десять", Num(10)),
    ("eleven elf once onze undici одиннадцать", Num(11)),
    ("twelve zwölf doce douze doze dodici двенадцать", Num(12)),
    ("forty vierzig cuarenta quarante quaranta сорок", Num(40)),
    ("fifty fünfzig cincuenta cinquante cinquanta пятьдесят", Num(50)),
    ("sixty", Num(60)),
    ("seventy", Num(70)),
    ("eighty", Num(80)),
    ("ninety", Num(90)),
    ("hundred hundert cien cent cem cento сто", Num(100)),
    ("полгода", Count(6, Unit::Month)),
    ("fifteen fünfzehn quince quinze quindici пятнадцать", Num(15)),
    ("twenty zwanzig veinte vingt vinte venti двадцать", Num(20)),
    ("thirty dreißig treinta trente trinta trenta тридцать", Num(30)),
    ("few several some einige einigen paar unos unas quelques alguns algumas alcuni alcune несколько", Few),
    ("first erste ersten primer primera premier première primeiro primeira primo prima", Ord(1)),
    ("second zweite zweiten segundo deuxième secondo", Ord(2)),
    ("third dritte dritten tercer troisième terceiro terzo", Ord(3)),
    ("fourth vierte vierten cuarto quatrième quarto", Ord(4)),
    ("last letzte letzten último última dernier dernière ultimo ultima", Ord(-1)),
    ("ago fa atrás назад back", Ago),
    ("vor hace há faz", AgoPre),
    ("dans dentro tra fra через", Ahead),
    // Connections.
    ("in during im en em nel nella nell nei ad во в durant pendant durante", In),
    ("on at over am el le il la den no na nos nas lo los в во на by", On),
    ("the der die das dem den l el la le les il lo o os as", The),
    ("of de del des du da do dos di dello della dell d von vom", Of),
    ("since seit desde depuis dal dalla с", Since),
    ("until till bis hasta jusque jusqu até fino до", Until),
    ("before prior vor avant antes prima до перед", Before),
    ("after nach following après después depois dopo после", After),
    ("between zwischen entre tra fra между", Between),
    ("and und y et e и", And),
    ("from von vom du de da dal с от ab", From),
    ("to through thru bis a à al au até по hasta", To),
    ("early anfang début inizio начале начало начала", Means::Third(Third::Early)),
    ("mid middle mitte mediados meados metà середине середина", Means::Third(Third::Mid)),
    ("late ende fin finales fine конце конец", Means::Third(Third::Late)),
];

/// Phrases that mean one thing together.
pub(super) const PHRASES: &[(&str, Means)] = &[
    ("day before yesterday", Day(-2)),
    ("day after tomorrow", Day(2)),
    ("aujourd hui", Day(0)),
    ("avant hier", Day(-2)),
    ("après demain", Day(2)),
    ("antes de ayer", Day(-2)),
    ("pasado mañana", Day(2)),
    ("antes de ontem", Day(-2)),
    ("depois de amanhã", Day(2)),
    ("altro ieri", Day(-2)),
    ("other day", Lately),
    ("autre jour", Lately),
    ("otro día", Lately),
    ("outro dia", Lately),
    ("altro giorno", Lately),
    ("il y a", AgoPre),
    ("dentro de", Ahead),
    ("daqui a", Ahead),
    ("from now", FromNow),
    ("from today", FromNow),
    ("que viene", RelPost(1)),
    ("que vem", RelPost(1)),
    ("de cette", Rel(0)),
    ("week end", Means::Unit(Unit::Weekend)),
    ("fin de semana", Means::Unit(Unit::Weekend)),
    ("fim de semana", Means::Unit(Unit::Weekend)),
    ("fine settimana", Means::Unit(Unit::Weekend)),
    ("segunda feira", Weekday(1)),
    ("terça feira", Weekday(2)),
    ("quarta feira", Weekday(3)),
    ("quinta feira", Weekday(4)),
    ("sexta feira", Weekday(5)),
    ("ante ayer", Day(-2)),
    ("après midi", Means::Part(Part::Afternoon)),
    ("beginning of", Means::Third(Third::Early)),
    ("start of", Means::Third(Third::Early)),
    ("end of", Means::Third(Third::Late)),
    ("middle of", Means::Third(Third::Mid)),
    ("principios de", Means::Third(Third::Early)),
    ("comienzos de", Means::Third(Third::Early)),
    ("início de", Means::Third(Third::Early)),
    ("começo de", Means::Third(Third::Early)),
    ("finales de", Means::Third(Third::Late)),
    ("final de", Means::Third(Third::Late)),
    ("fim de", Means::Third(Third::Late)),
    ("up to", Until),
    ("ever since", Since),
    ("a partir de", Since),
    ("à partir de", Since),
    ("prior to", Before),
    ("couple of", Num(2)),
    ("half a year", Count(6, Unit::Month)),
    ("half a decade", Count(5, Unit::Year)),
    ("a year and a half", Count(18, Unit::Month)),
    ("one and a half years", Count(18, Unit::Month)),
    ("einem halben jahr", Count(6, Unit::Month)),
    ("anderthalb jahren", Count(18, Unit::Month)),
    ("medio año", Count(6, Unit::Month)),
    ("un año y medio", Count(18, Unit::Month)),
    ("un an et demi", Count(18, Unit::Month)),
    ("meio ano", Count(6, Unit::Month)),
    ("un anno e mezzo", Count(18, Unit::Month)),
    ("полтора года", Count(18, Unit::Month)),
    ("a few", Few),
    ("ein paar", Few),
    ("il mese scorso", Rel(-1)),
];

/// Words that are also ordinary words or names: they count only with support.
pub(super) const WEAK: &str = "janeiro may march april june august mars mai mayo julio juli juin marco jan mar apr jun jul aug sep \
    sept oct nov dec feb mon tue wed thu fri sat sun segunda terça quarta quinta sexta domingo sabato spring fall été \
    estate марта март primavera";

/// Words that mean a time in this language only, because elsewhere they are something else.
pub(super) const ONLY: &[(&str, Lang)] = &[
    ("hier", Lang::French),
    ("março", Lang::Portuguese),
    ("fine", Lang::Italian),
    ("metà", Lang::Italian),
    ("estate", Lang::Italian),
];

/// Function words by which a language is told from the others.
pub(super) const FUNCTION_WORDS: &[(Lang, &str)] = &[
    (
        Lang::English,
        "the is was are i you my did what when where who how of and with that this have has do in on at it",
    ),
    (
        Lang::German,
        "ich bin ist war der die das und nicht ein eine wir haben habe hat mit mein meine was wann wo wer wie du dir mir \
         auf im am zu den dem sich sind es wohne arbeite",
    ),
    (
        Lang::French,
        "je tu il elle nous vous ils est ai a suis sommes été le la les un une des du et mon ma mes que qui quoi où quand \
         pas dans j c au avec pour ce cette soir matin",
    ),
    (
        Lang::Spanish,
        "yo el la los las un una y en que qué mi mis fui fue es soy estoy no con por para cuándo del se lo",
    ),
    (
        Lang::Portuguese,
        "eu o a os as um uma e em que meu minha fui foi é sou estou não com por para quando do da no na você se de",
    ),
    (
        Lang::Italian,
        "io il lo la gli le un una e in che mio mia sono è ho ha non con per quando del della di da al scorsa scorso prossima prossimo",
    ),
];

/// Words that show that a text speaks of what is to come.
pub(super) const FUTURE: &str = "will ll shall gonna plan plans planning planned going upcoming soon werde wirst wird werden \
    werdet plane voy vamos iré irá vais irai ira vou vai irei andrò andrà буду будет будем поеду поедем планирую";
