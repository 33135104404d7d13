//! Many forms in many languages, and what only looks like a date.

use super::*;
use proptest::prelude::*;

/// The written date in few chars: its ISO form, `s3` for a session, else the name of what it is.
fn short(written: Option<Written>) -> String {
    match written {
        Some(Written::Date(date)) => date.iso(),
        Some(Written::Session(number)) => format!("s{number}"),
        Some(other) => format!("{other:?}"),
        None => "-".to_owned(),
    }
}

#[track_caller]
fn whole(text: &str, expected: &str) {
    assert_eq!(short(read_whole(text, None)), expected, "read_whole {text:?}");
}

#[track_caller]
fn inside(text: &str, expected: &str, quoted: &str) {
    let found = find(text, None);
    assert_eq!(short(found.map(|found| found.written)), expected, "find {text:?}");
    assert_eq!(found.map_or("", |found| found.range.of(text)), quoted, "find {text:?}");
}

#[track_caller]
fn nothing(text: &str) {
    inside(text, "-", "");
}

#[test]
fn digits() {
    for (text, expected) in [
        ("2026", "2026"),
        ("2026-03", "2026-03"),
        ("2026-03-02", "2026-03-02"),
        (" 2026-03-02. ", "2026-03-02"),
        ("2026-3-2", "2026-03-02"),
        ("2026\u{2011}03\u{2011}02", "2026-03-02"),
        ("2026-03-02T10:00", "2026-03-02"),
        ("2026-03-02t10:00:59.123Z", "2026-03-02"),
        ("2026-03-02 10:00", "2026-03-02"),
        ("2026-03-02 10:00:00+02:00", "2026-03-02"),
        ("2026-03-02 10:00 UTC", "2026-03-02"),
        ("2026/03/02", "2026-03-02"),
        ("2026/3/2", "2026-03-02"),
        ("2026.03.02", "2026-03-02"),
        ("12.02.2026", "2026-02-12"),
        ("1.2.2026", "2026-02-01"),
        ("2. 3. 2026", "2026-03-02"),
        ("12.02.2026, 10:00", "2026-02-12"),
        ("12.02", "Yearless"),
        ("13/04/2026", "2026-04-13"),
        ("04/13/2026", "2026-04-13"),
        ("13-04-2026", "2026-04-13"),
        ("04/04/2026", "2026-04-04"),
        ("03/04/2026", "Ambiguous"),
        ("03-04-2026", "Ambiguous"),
        ("2026年3月2日", "2026-03-02"),
        ("２０２６年３月２日", "2026-03-02"),
        ("2026年 3月", "2026-03"),
        ("2026年", "2026"),
        ("3月2日", "Yearless"),
        ("2026년 3월 2일", "2026-03-02"),
        ("2026-02-30", "Invalid"),
        ("2026-13-01", "Invalid"),
        ("2026-13", "Invalid"),
        ("31.02.2026", "Invalid"),
        ("31/02/2026", "Invalid"),
        ("00/04/2026", "Invalid"),
        ("2026年2月30日", "Invalid"),
        ("2026-03-02T25:00", "Invalid"),
        ("1850-01-01", "1850-01-01"),
    ] {
        whole(text, expected);
    }
}

#[test]
fn english() {
    for (text, expected) in [
        ("2 March 2026", "2026-03-02"),
        ("2nd March 2026", "2026-03-02"),
        ("2nd of March, 2026", "2026-03-02"),
        ("Mar 2, 2026", "2026-03-02"),
        ("Mar. 2, 2026", "2026-03-02"),
        ("March 2 2026", "2026-03-02"),
        ("MARCH 2ND, 2026", "2026-03-02"),
        ("March 2nd, 2026", "2026-03-02"),
        ("Sept 30, 2026 10:00 pm", "2026-09-30"),
        ("02-Mar-2026", "2026-03-02"),
        ("2026 March 2", "2026-03-02"),
        ("2026-Mar-02", "2026-03-02"),
        ("Mon, 2 March 2026", "2026-03-02"),
        ("Mon 2026", "-"),
        ("March 2026", "2026-03"),
        ("March, 2026", "2026-03"),
        ("2026 March", "2026-03"),
        ("June 1215", "1215-06"),
        ("Feb 12", "Yearless"),
        ("12 Feb", "Yearless"),
        ("14 June", "Yearless"),
        ("Feb 29", "Yearless"),
        ("Feb 30", "Invalid"),
        ("30 February 2026", "Invalid"),
        ("29 Feb 2026", "Invalid"),
        ("session 3", "s3"),
        ("Session #3", "s3"),
    ] {
        whole(text, expected);
    }
}

#[test]
fn languages() {
    for (text, expected) in [
        ("2. März 2026", "2026-03-02"),
        ("2.März 2026", "2026-03-02"),
        ("2. MÄRZ 2026", "2026-03-02"),
        ("2. Ma\u{308}rz 2026", "2026-03-02"),
        ("2. Jänner 2026", "2026-01-02"),
        ("März 2026", "2026-03"),
        ("2 de marzo de 2026", "2026-03-02"),
        ("marzo de 2026", "2026-03"),
        ("1er mars 2026", "2026-03-01"),
        ("5 févr. 2026", "2026-02-05"),
        ("8 août", "Yearless"),
        ("1º de dezembro de 2026", "2026-12-01"),
        ("2 d’abril de 2026", "2026-04-02"),
        ("2 marzo 2026", "2026-03-02"),
        ("2 set 2026", "2026-09-02"),
        ("2 maart 2026", "2026-03-02"),
        ("5 maj 2026", "2026-05-05"),
        ("5 lut 2026", "2026-02-05"),
        ("5 marca 2026 r.", "2026-03-05"),
        ("marzec 2026", "2026-03"),
        ("2. března 2026", "2026-03-02"),
        ("květen 2026", "2026-05"),
        ("2. maaliskuuta 2026", "2026-03-02"),
        ("2026. március 2.", "2026-03-02"),
        ("2 EKİM 2026", "2026-10-02"),
        ("2 KASIM 2026", "2026-11-02"),
        ("2 Μαρτίου 2026", "2026-03-02"),
        ("2 tháng 3 năm 2026", "2026-03-02"),
        ("tháng 3 2026", "2026-03"),
        ("2 มีนาคม 2569", "2026-03-02"),
        ("2 ม.ค. 2026", "2026-01-02"),
        ("2 मार्च 2026", "2026-03-02"),
        ("2 जन॰ 2026", "2026-01-02"),
        ("2 مارس 2026", "2026-03-02"),
        ("2 كانون الثاني 2026", "2026-01-02"),
        ("2 במרץ 2026", "-"),
        ("2 מרץ 2026", "2026-03-02"),
        ("5 березня 2026", "2026-03-05"),
        ("березень 2026 року", "2026-03"),
        ("5 февраля 2026", "2026-02-05"),
        ("5 февраля 2026 г.", "2026-02-05"),
        ("5-го ФЕВРАЛЯ 2026 года", "2026-02-05"),
        ("февраль 2026", "2026-02"),
        ("фев 2026", "2026-02"),
        ("5 фев.", "Yearless"),
        ("1 сентября", "Yearless"),
        ("31 апреля 2026", "Invalid"),
        ("сессия 3", "s3"),
        ("сессии №3", "s3"),
        // Ten in Croatia, eleven in Poland.
        ("5 listopada 2026", "-"),
        ("listopad 2026", "-"),
        // Words of other meaning are months in full dates only.
        ("set 2026", "-"),
        ("Pro 14", "-"),
    ] {
        whole(text, expected);
    }
}

#[test]
fn relative() {
    for text in
        "yesterday|Today|tomorrow|last week|this month|next year|last quarter|last night|last Tuesday|next Fri|last March|3 days ago|\
        a week ago|two months ago|1 year ago|the day before yesterday|day after tomorrow|вчера|Позавчера|сегодня|завтра|на прошлой неделе|\
        на этой неделе|в следующем месяце|в прошлом году|в прошлую среду|3 дня назад|неделю назад|昨天|今天|明天|上周|昨日|今日"
            .split('|')
    {
        whole(text, "Relative");
        let words = format!("mail {text}, Ann");
        inside(&words, "Relative", text);
    }
    inside("yesterday's call", "Relative", "yesterday's");
    for text in ["last resort", "the day", "this may break", "yesterdays", "USA-today", "a week", "days ago we", "this is", "на неделе"]
    {
        nothing(text);
    }
}

#[test]
fn among_words() {
    for (text, expected, quoted) in [
        ("call Oct 3", "Yearless", "Oct 3"),
        ("Ann 2026-05-01", "2026-05-01", "2026-05-01"),
        ("ADR 7, 2026-01-15", "2026-01-15", "2026-01-15"),
        ("mail yesterday", "Relative", "yesterday"),
        ("звонок 5 февраля 2026", "2026-02-05", "5 февраля 2026"),
        ("session 3", "s3", "session 3"),
        ("mail 14 June 2025", "2025-06-14", "14 June 2025"),
        ("会议 2026-09-09", "2026-09-09", "2026-09-09"),
        ("会议2026年9月9日下午", "2026-09-09", "2026年9月9日"),
        ("회의 2026년 3월 2일에", "2026-03-02", "2026년 3월 2일"),
        ("visit 03/04/2026", "Ambiguous", "03/04/2026"),
        ("Jan 2026-05-01", "2026-05-01", "2026-05-01"),
        ("`2026-01-01` then 2026-03-02", "2026-03-02", "2026-03-02"),
        ("`` a ` 2026-01-01 `` b ` 2026-03-02", "2026-03-02", "2026-03-02"),
        (r"\`2026-03-02\`", "2026-03-02", "2026-03-02"),
        ("**2026-03-02**, (2026-03-03)", "2026-03-02", "2026-03-02"),
        ("from 2026-03-02 10:00Z on", "2026-03-02", "2026-03-02 10:00Z"),
        ("2026-03-02: see", "2026-03-02", "2026-03-02"),
        ("yesterday, session 4, Feb 3, March 2026", "s4", "session 4"),
        ("session 3 March 2026", "2026-03-03", "3 March 2026"),
        ("session 4, 2 März 2026", "2026-03-02", "2 März 2026"),
        ("last week, Feb 3 and март 2026", "2026-03", "март 2026"),
        ("März 2026, Feb 3", "2026-03", "März 2026"),
        ("yesterday or 12.02", "Yearless", "12.02"),
        ("2–5 March 2026", "2026-03", "March 2026"),
        ("due 31 February 2026", "Invalid", "31 February 2026"),
        ("Mon 2 March 2026 Ann", "2026-03-02", "Mon 2 March 2026"),
        ("dell'8 marzo 2026", "2026-03-08", "8 marzo 2026"),
        ("[2026-03-02](https://x.y/2026-01-01)", "2026-03-02", "2026-03-02"),
        ("https://x.y/(2026-01-01 2026-03-02", "2026-03-02", "2026-03-02"),
        ("3 May 4 people", "Yearless", "3 May"),
    ] {
        inside(text, expected, quoted);
    }
}

#[test]
fn no_dates() {
    for text in "five people|formerly make|supersedes rabbitmq|3 people|v2|5432|PR 4411|PR 2026|2026|Mar 4411|OPS-2026-03|\
        backup-2026-03-02.tar|v2026.03.02|20.11.12|555-12-2026|1.2.2026.4|12.02.1|12.02%|12.020|2026.3.2|2026-03-02.tar|2026-03-02_x|\
        2026-03-02/x|/var/2026-03-02|x/2026/03/02|2026-03-02T|a2026-03-02|2026-03-021|12026-03-02|\u{2116}2026-27|2026-3|2026/03|\
        03/04|3/4/26|12.55|Oct 3-5, 2026x|Oct 33|March|in June|`2026-03-02`|`` 2026-03-02 ``|re-Mar 3|Mar3|3Mar|session|sessions 3|\
        session 3.2|session3|Win 10|lab 2024|API 2026|Sat 3 2026|€12.02|1,12.02|#2026-03|2.3|https://x.y/(2026-03-02)"
        .split('|')
    {
        nothing(text);
    }
    for text in
        ["5432", "five people", "3 people", "v2", "", " ", ".", "2026-03-02 2026-03-03", "since 2026", "1899", "2200", "12.02.1", "２"]
    {
        whole(text, "-");
    }
    whole(&"9".repeat(100_000), "-");
}

#[test]
fn known_order() {
    for (text, dmy, mdy) in [("03/04/2026", "2026-04-03", "2026-03-04"), ("13/04/2026", "2026-04-13", "2026-04-13")] {
        assert_eq!(short(read_whole(text, Some(DateOrder::Dmy))), dmy);
        assert_eq!(short(read_whole(text, Some(DateOrder::Mdy))), mdy);
    }
}

#[test]
fn prefixes() {
    for (text, expected, quoted) in [
        ("2026-04-02: ops cost", "2026-04-02", "2026-04-02"),
        ("2023", "2023", "2023"),
        ("2023: moved", "2023", "2023"),
        ("2026-03 <!-- x -->", "2026-03", "2026-03"),
        ("Oct 3, 2026]", "2026-10-03", "Oct 3, 2026"),
        ("Jun 20 [historical]", "Yearless", "Jun 20"),
        ("session 12: x", "s12", "session 12"),
        ("5 марта 2026 г.: цена", "2026-03-05", "5 марта 2026 г."),
        ("last week, then", "Relative", "last week"),
        ("then 2026", "-", ""),
        ("4411 x", "-", ""),
    ] {
        let found = read_prefix(text, None);
        assert_eq!(short(found.map(|found| found.written)), expected, "{text}");
        assert_eq!(found.map_or("", |found| found.range.of(text)), quoted, "{text}");
    }
}

#[test]
fn order_of_dates() {
    let of = |text| read_whole(text, None).expect(text);
    for (late, early) in [("2026-03-03", "2026-03-02"), ("2026-04", "2026-03-31"), ("2027", "2026-12"), ("session 10", "session 9")] {
        assert!(of(late).is_later_than(of(early)) && !of(early).is_later_than(of(late)), "{late} {early}");
    }
    for (a, b) in [("2026-03", "2026-03-02"), ("2026", "2026-12"), ("session 3", "2020"), ("Feb 12", "Feb 11"), ("yesterday", "today")] {
        assert!(!of(a).is_later_than(of(b)) && !of(b).is_later_than(of(a)) && !of(a).is_same_as(of(b)), "{a} {b}");
    }
    assert!(of("2 March 2026").is_same_as(of("2026-03-02")) && of("session 3").is_same_as(of("Session #3")));
    assert!(!of("Feb 12").is_same_as(of("Feb 12")) && !of("Feb 12").orders() && of("2026").orders());
}

/// A quadratic reader would take minutes here.
#[test]
fn long_texts_are_linear() {
    let pieces = "1|a|я|年|昨| |1 |a |a 1 |1.|a.|-|`|` ``|\\|://|Mar |1 a b c d |session 1 |12.02.|Mon |Mon 1 |Mar 1 ";
    for piece in pieces.split('|') {
        let text = piece.repeat(60_000 / piece.len());
        find(&text, None);
        read_prefix(&text, None);
        read_whole(&text, None);
    }
    find(&(1..700).map(|len| "`".repeat(len) + " ").collect::<String>(), None);
}

fn any_text() -> impl Strategy<Value = String> {
    let tokens = "2026|03|3|31|-|/|.|,|:| |  |T|10:00|Z|+02:00|March|mar|März|de|марта|г.|年|月|日|昨天|session|#|last|week|ago|`|\\|://|\
        ม.ค.|जन॰|i\u{307}|é|_|２|tháng|Mon|listopad|the day before|2nd|\u{200d}|'";
    let token = prop::sample::select(tokens.split('|').collect::<Vec<_>>());
    prop_oneof![any::<String>(), prop::collection::vec(token, 0..14).prop_map(|tokens| tokens.concat())]
}

proptest! {
    #[test]
    fn any_text_is_read(text in any_text()) {
        for order in [None, Some(DateOrder::Dmy), Some(DateOrder::Mdy)] {
            let _ = read_whole(&text, order);
            for found in [find(&text, order), read_prefix(&text, order)].into_iter().flatten() {
                let range: std::ops::Range<usize> = found.range.into();
                prop_assert!(text.get(range).is_some_and(|quoted| !quoted.is_empty()));
                // What is found alone is the same as what is found among words.
                prop_assert_eq!(read_whole(found.range.of(&text), order), Some(found.written));
            }
        }
    }

    #[test]
    fn iso_reads_back(year in 1000..=9999, month in 1..=12_u32, day in 1..=28_u32) {
        let date = NaiveDate::from_ymd_opt(year, month, day).map(Date::day).expect("a day");
        prop_assert_eq!(read_whole(&date.iso(), None), Some(Written::Date(date)));
        prop_assert!(date.first() < date.past());
        let date = Date::month(year, month).expect("a month");
        prop_assert_eq!(read_whole(&date.iso(), None), Some(Written::Date(date)));
        prop_assert!(date.first() < date.past());
        let date = Date::year(1900 + year % 300).expect("a year");
        prop_assert_eq!(read_whole(&date.iso(), None), Some(Written::Date(date)));
        prop_assert!(date.first() < date.past());
    }
}
