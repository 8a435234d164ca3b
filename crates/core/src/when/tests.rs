//! Cases by language, and properties over arbitrary text and times.

use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ZonedDateTime};
use proptest::prelude::*;

use super::Found;

fn find(text: &str, reference: &ZonedDateTime) -> Vec<Found> {
    super::find(text, reference.timestamp(), reference.time_zone())
}

/// Wednesday, 7 June 2023, half past two in the afternoon.
fn june() -> ZonedDateTime {
    date(2023, 6, 7).at(14, 30, 0, 0).to_zoned_datetime(TimeZone::UTC).unwrap()
}

/// First and last day of the only expression of `text`.
fn days_at(text: &str, reference: &ZonedDateTime) -> Vec<(Date, Date)> {
    let place = |at: Timestamp| at.to_zoned_datetime(reference.time_zone().clone());
    find(text, reference)
        .iter()
        .map(|found| {
            (
                place(found.span.start).date(),
                place(found.span.end).datetime().checked_sub(jiff::SignedDuration::from_nanos(1)).unwrap().date(),
            )
        })
        .collect()
}

fn check(cases: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (text, expected) in cases {
        let got: Vec<String> = days_at(text, &june())
            .iter()
            .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}..{last}") })
            .collect();
        if got.join(" ") != *expected {
            wrong.push(format!("{text:?}: got {:?}, expected {expected:?}", got.join(" ")));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

// REC-10
#[test]
fn english_words_count_from_the_reference() {
    check(&[
        ("today", "2023-06-07"),
        ("What did I do yesterday?", "2023-06-06"),
        ("the day before yesterday", "2023-06-05"),
        ("tomorrow", "2023-06-08"),
        ("last week", "2023-05-29..2023-06-04"),
        ("this week", "2023-06-05..2023-06-11"),
        ("next week", "2023-06-12..2023-06-18"),
        ("last month", "2023-05-01..2023-05-31"),
        ("last year", "2022-01-01..2022-12-31"),
        ("next year", "2024-01-01..2024-12-31"),
        ("last weekend", "2023-06-03..2023-06-04"),
        ("two weekends ago", "2023-05-27..2023-05-28"),
        ("last Monday", "2023-06-05"),
        ("last Friday", "2023-06-02"),
        ("this Friday", "2023-06-09"),
        ("next Friday", "2023-06-09"),
        ("on Monday", "2023-06-05"),
        ("We met on Friday morning", "2023-06-02"),
        ("three days ago", "2023-06-04"),
        ("a week ago", "2023-05-28..2023-06-03"),
        ("2 months ago", "2023-04-01..2023-04-30"),
        ("10 years ago", "2013-01-01..2013-12-31"),
        ("a few days ago", "2023-06-02..2023-06-05"),
        ("a couple of years ago", "2021-01-01..2021-12-31"),
        ("the last 3 days", "2023-06-04..2023-06-07"),
        ("over the past year", "2022-06-07..2023-06-07"),
        ("this morning", "2023-06-07"),
        ("last summer", "2022-06-01..2022-08-31"),
        ("last winter", "2022-12-01..2023-02-28"),
        ("the year before last", "2021-01-01..2021-12-31"),
        ("the week after next", "2023-06-19..2023-06-25"),
        ("I will be there in two weeks", "2023-06-18..2023-06-24"),
        ("10 days from now", "2023-06-17"),
        ("two Fridays ago", "2023-05-26"),
        ("the Friday before last", "2023-05-26"),
        ("half a year ago", "2022-12-01..2022-12-31"),
        ("twenty-five years ago", "1998-01-01..1998-12-31"),
        ("by the end of the year", "2023-09-01..2023-12-31"),
        ("in May last year", "2022-05-01..2022-05-31"),
        ("last year in May", "2022-05-01..2022-05-31"),
        ("May of this year", "2023-05-01..2023-05-31"),
        ("this past weekend", "2023-06-03..2023-06-04"),
        ("over the weekend", "2023-06-03..2023-06-04"),
        ("from Monday to Wednesday", "2023-05-29..2023-05-31"),
        ("the other day", "2023-05-31..2023-06-06"),
    ]);
}

// REC-10
#[test]
fn english_dates() {
    check(&[
        ("in May", "2023-05-01..2023-05-31"),
        ("in may", "2023-05-01..2023-05-31"),
        ("Which spot did we visit in July?", "2022-07-01..2022-07-31"),
        ("in May 2023", "2023-05-01..2023-05-31"),
        ("May 2023", "2023-05-01..2023-05-31"),
        ("May, 2023", "2023-05-01..2023-05-31"),
        ("8 May 2023", "2023-05-08"),
        ("8 May, 2023", "2023-05-08"),
        ("May 8th, 2023", "2023-05-08"),
        ("the 8th of May 2023", "2023-05-08"),
        ("Monday, May 8, 2023", "2023-05-08"),
        ("Sept. 5, 2022", "2022-09-05"),
        ("1:56 pm on 8 May, 2023", "2023-05-08"),
        ("May 8", "2023-05-08"),
        ("the 25October, 2022 meeting", "2022-10-25"),
        ("on the 5th", "2023-06-05"),
        ("on the 8th we left", "2023-05-08"),
        ("2023-05-08", "2023-05-08"),
        ("2023-05-08T13:56:00Z.", "2023-05-08"),
        ("2023/05/08", "2023-05-08"),
        ("25/12/2022", "2022-12-25"),
        ("12/25/2022", "2022-12-25"),
        ("05/05/2023", "2023-05-05"),
        ("in 2022", "2022-01-01..2022-12-31"),
        ("summer of 2021", "2021-06-01..2021-08-31"),
        ("early May", "2023-05-01..2023-05-11"),
        ("late 2022", "2022-09-01..2022-12-31"),
        ("end of last month", "2023-05-21..2023-05-31"),
        ("mid-May 2023", "2023-05-11..2023-05-21"),
        ("since March", "2023-03-01..2023-06-07"),
        ("between March and May", "2023-03-01..2023-05-31"),
        ("from March to May 2022", "2022-03-01..2022-05-31"),
        ("June-August 2022", "2022-06-01..2022-08-31"),
        ("the second of May 2023", "2023-05-02"),
        ("3-5 May 2023", "2023-05-03..2023-05-05"),
        ("May 3 to 5, 2023", "2023-05-03..2023-05-05"),
        ("the week before 9 June 2023", "2023-06-02..2023-06-08"),
        ("The weekend before 20 October 2022", "2022-10-15..2022-10-16"),
        ("the Sunday before 25 May 2023", "2023-05-21"),
        ("two days after 8 May 2023", "2023-05-10"),
        ("the week of 23 August 2022", "2022-08-22..2022-08-28"),
        ("the week of April 3rd to 9th", "2023-04-03..2023-04-09"),
        ("first weekend of August 2022", "2022-08-06..2022-08-07"),
        ("the last Monday of May 2023", "2023-05-29"),
        ("the 8th of last month", "2023-05-08"),
        ("in the 1990s", "1990-01-01..1999-12-31"),
        ("Q2 2022", "2022-04-01..2022-06-30"),
        ("May '22", "2022-05-01..2022-05-31"),
        ("before May 2023 and yesterday", "0001-01-01..2023-04-30 2023-06-06"),
    ]);
}

// REC-10
#[test]
fn ordinary_words_are_no_dates() {
    check(&[
        ("I may go", ""),
        ("may I ask", ""),
        ("you may 5 times", ""),
        ("this may be wrong", ""),
        ("a march for peace", ""),
        ("the second dog", ""),
        ("I have a second march", ""),
        ("mon ami sat in the sun", ""),
        ("April said hello to June", ""),
        ("mars is a planet", ""),
        ("a trip to Rio de Janeiro", ""),
        ("I fall often in the spring", "2023-03-01..2023-05-31"),
        ("hier wohne ich", ""),
        ("non sono mai stato a Roma", ""),
        ("05/08/2023", ""),
        ("call 555-2023-05-08-1", ""),
        ("version 1.2.2023.4", ""),
        ("pay 2022 euros", ""),
        ("it took 3 days", ""),
        ("1.5 years ago", ""),
        ("30 February 2023", "2023-02-01..2023-02-28"),
        ("on Mondays I swim", ""),
        ("the 8th floor", ""),
        ("half past 3", ""),
        ("fine today", "2023-06-07"),
        ("", ""),
    ]);
}

// REC-10
#[test]
fn european_languages() {
    check(&[
        ("gestern war ich im Kino", "2023-06-06"),
        ("vorgestern", "2023-06-05"),
        ("Morgen fahre ich los", "2023-06-08"),
        ("Guten Morgen", ""),
        ("heute Morgen", "2023-06-07"),
        ("letzte Woche", "2023-05-29..2023-06-04"),
        ("im letzten Jahr", "2022-01-01..2022-12-31"),
        ("vor zwei Tagen", "2023-06-05"),
        ("vor einem Jahr", "2022-01-01..2022-12-31"),
        ("am 8. Mai 2023", "2023-05-08"),
        ("08.05.2023", "2023-05-08"),
        ("im Mai", "2023-05-01..2023-05-31"),
        ("im Jahr 2022", "2022-01-01..2022-12-31"),
        ("Anfang Mai", "2023-05-01..2023-05-11"),
        ("seit März", "2023-03-01..2023-06-07"),
        ("am Montag", "2023-06-05"),
        ("ayer fui al cine", "2023-06-06"),
        ("anteayer", "2023-06-05"),
        ("la semana pasada", "2023-05-29..2023-06-04"),
        ("el mes pasado", "2023-05-01..2023-05-31"),
        ("el año que viene", "2024-01-01..2024-12-31"),
        ("hace tres días", "2023-06-04"),
        ("hace un año", "2022-01-01..2022-12-31"),
        ("el 8 de mayo de 2023", "2023-05-08"),
        ("en mayo de 2023", "2023-05-01..2023-05-31"),
        ("en mayo", "2023-05-01..2023-05-31"),
        ("por la mañana", ""),
        ("mañana", "2023-06-08"),
        ("el fin de semana pasado", "2023-06-03..2023-06-04"),
        ("hier j'ai mangé", "2023-06-06"),
        ("ces trois derniers jours", "2023-06-04..2023-06-07"),
        ("au mois de mai", "2023-05-01..2023-05-31"),
        ("los últimos tres días", "2023-06-04..2023-06-07"),
        ("am Wochenende", "2023-06-03..2023-06-04"),
        ("faz dois dias", "2023-06-05"),
        ("l'estate scorsa", "2022-06-01..2022-08-31"),
        ("avant-hier", "2023-06-05"),
        ("aujourd'hui", "2023-06-07"),
        ("la semaine dernière", "2023-05-29..2023-06-04"),
        ("l'année dernière", "2022-01-01..2022-12-31"),
        ("le mois prochain", "2023-07-01..2023-07-31"),
        ("il y a trois jours", "2023-06-04"),
        ("le 1er mai 2023", "2023-05-01"),
        ("en mai 2023", "2023-05-01..2023-05-31"),
        ("dans deux jours", "2023-06-09"),
        ("lundi dernier", "2023-06-05"),
        ("ontem", "2023-06-06"),
        ("a semana passada", "2023-05-29..2023-06-04"),
        ("no mês passado", "2023-05-01..2023-05-31"),
        ("na semana que vem", "2023-06-12..2023-06-18"),
        ("há dois dias", "2023-06-05"),
        ("8 de maio de 2023", "2023-05-08"),
        ("em março de 2023", "2023-03-01..2023-03-31"),
        ("na segunda-feira", "2023-06-05"),
        ("ieri", "2023-06-06"),
        ("l'altro ieri", "2023-06-05"),
        ("la settimana scorsa", "2023-05-29..2023-06-04"),
        ("l'anno scorso", "2022-01-01..2022-12-31"),
        ("il mese prossimo", "2023-07-01..2023-07-31"),
        ("due giorni fa", "2023-06-05"),
        ("l'8 maggio 2023", "2023-05-08"),
        ("a maggio 2023", "2023-05-01..2023-05-31"),
        ("вчера", "2023-06-06"),
        ("позавчера", "2023-06-05"),
        ("на прошлой неделе", "2023-05-29..2023-06-04"),
        ("в прошлом году", "2022-01-01..2022-12-31"),
        ("три дня назад", "2023-06-04"),
        ("год назад", "2022-01-01..2022-12-31"),
        ("8 мая 2023 года", "2023-05-08"),
        ("в мае", "2023-05-01..2023-05-31"),
        ("в 2022 году", "2022-01-01..2022-12-31"),
        ("через неделю", "2023-06-11..2023-06-17"),
        ("в понедельник", "2023-06-05"),
    ]);
}

// REC-10
#[test]
fn chinese_japanese_korean() {
    check(&[
        ("我昨天去了商店", "2023-06-06"),
        ("前天", "2023-06-05"),
        ("上周", "2023-05-29..2023-06-04"),
        ("上周三我们见面", "2023-05-31"),
        ("上个月", "2023-05-01..2023-05-31"),
        ("去年", "2022-01-01..2022-12-31"),
        ("去年5月", "2022-05-01..2022-05-31"),
        ("三天前", "2023-06-04"),
        ("两个月前", "2023-04-01..2023-04-30"),
        ("2023年5月8日", "2023-05-08"),
        ("二〇二三年五月八日", "2023-05-08"),
        ("5月", "2023-05-01..2023-05-31"),
        ("2022年", "2022-01-01..2022-12-31"),
        ("明年", "2024-01-01..2024-12-31"),
        ("昨日は雨だった", "2023-06-06"),
        ("一昨日", "2023-06-05"),
        ("先週の月曜日", "2023-05-29"),
        ("来月", "2023-07-01..2023-07-31"),
        ("3日前", "2023-06-04"),
        ("二週間前", "2023-05-21..2023-05-27"),
        ("2023年5月", "2023-05-01..2023-05-31"),
        ("어제는 비가 왔다", "2023-06-06"),
        ("지난주에 만났다", "2023-05-29..2023-06-04"),
        ("다음 달", "2023-07-01..2023-07-31"),
        ("3일 전", "2023-06-04"),
        ("한 달 전에", "2023-05-01..2023-05-31"),
        ("2023년 5월 8일", "2023-05-08"),
        ("几天前", "2023-06-02..2023-06-05"),
        ("半年前", "2022-12-01..2022-12-31"),
        ("去年の夏", "2022-06-01..2022-08-31"),
        ("去年夏天", "2022-06-01..2022-08-31"),
        ("작년 여름", "2022-06-01..2022-08-31"),
        ("며칠 전", "2023-06-02..2023-06-05"),
        ("작년", "2022-01-01..2022-12-31"),
        ("３日前", "2023-06-04"),
    ]);
}

// REC-10: case 8 of the known failures
#[test]
fn yesterday_is_a_day_of_the_users_zone() {
    let zone = TimeZone::fixed(jiff::tz::offset(9));
    let said = date(2023, 5, 7).at(8, 0, 0, 0).to_zoned_datetime(zone).unwrap();
    let found = find("Yesterday I went to the store", &said);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].span.start.to_string(), "2023-05-05T15:00:00Z");
    assert_eq!(found[0].span.end.to_string(), "2023-05-06T15:00:00Z");
    assert_eq!(found[0].range, 0..9);
}

// REC-10
#[test]
fn a_day_that_begins_in_a_clock_change_has_its_bounds() {
    let Ok(zone) = TimeZone::get("America/Sao_Paulo") else { return };
    // On 4 November 2018 there was no midnight in São Paulo.
    let said = date(2018, 11, 5).at(12, 0, 0, 0).to_zoned_datetime(zone).unwrap();
    let found = find("yesterday", &said);
    assert_eq!(found[0].span.start.to_string(), "2018-11-04T03:00:00Z");
    assert_eq!(found[0].span.end.to_string(), "2018-11-05T02:00:00Z");
}

// REC-10
#[test]
fn an_unspoken_direction_follows_the_text() {
    assert_eq!(days_at("I am going to Rome in August", &june()), [(date(2023, 8, 1), date(2023, 8, 31))]);
    assert_eq!(days_at("I went to Rome in August", &june()), [(date(2022, 8, 1), date(2022, 8, 31))]);
}

proptest! {
    // REC-10: any text, any time, any zone
    #[test]
    fn never_panics_and_ranges_are_in_order(text in "\\PC{0,60}", second in -377_705_116_799i64..=253_402_207_200, hours in -14i8..=14) {
        let zone = TimeZone::fixed(jiff::tz::offset(hours));
        let at = Timestamp::from_second(second).unwrap().to_zoned_datetime(zone);
        let found = find(&text, &at);
        let mut end = 0;
        for hit in &found {
            prop_assert!(hit.range.start >= end && hit.range.end <= text.len());
            prop_assert!(text.is_char_boundary(hit.range.start) && text.is_char_boundary(hit.range.end));
            prop_assert!(hit.span.start < hit.span.end);
            end = hit.range.end;
        }
    }

    // REC-10: the words of the grammar in any order, at the edges of the calendar
    #[test]
    fn words_of_time_in_any_order_never_panic(
        words in prop::collection::vec(prop::sample::select(vec![
            "last", "week", "before", "9", "June", "2023", "ago", "9999", "years", "between", "and", "the", "first", "of",
            "May", "-", "31", "early", "since", "Monday", "yesterday", "next", "decade", "12", "in", "2 weeks ago", "三", "年前",
            "월", "日", "0001-01-01", "9999-12-31", "weekend", "after", "night", "to", "until", ",", "'", "s", "1990", "q", "4",
        ]), 0..12),
        edge in 0usize..4,
    ) {
        let day = [date(1, 1, 1), date(9999, 12, 30), date(2024, 2, 29), date(2023, 1, 31)][edge];
        let at = day.at(12, 0, 0, 0).to_zoned_datetime(TimeZone::UTC).unwrap();
        let _ = find(&words.join(" "), &at);
        let _ = find(&words.concat(), &at);
    }
}

// REC-10: linear time
#[test]
fn long_hostile_texts_stay_linear() {
    for piece in ["the week before ", "last ", "8-", "since ", "between ", "三", "9年", "early ", "8 "] {
        let text = piece.repeat(200_000 / piece.len());
        let start = std::time::Instant::now();
        let _ = find(&text, &june());
        assert!(start.elapsed().as_secs() < 5, "{piece:?} took {:?}", start.elapsed());
    }
}
