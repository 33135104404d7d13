//! Random facts for the model, and how they are written in a file: list records with pipes, key and value, rows of a table.
//!
//! A value is a word; the same word is spelled in another way in each record (values compare without case), so that a record can
//! be found again wherever it went.

use super::meaning::{Line, Mark, Shape, When};
use proptest::prelude::*;

pub(super) const WORDS: [&str; 4] = ["maplewood", "sandstone", "riverside", "tangerine"];
/// A word that no record of the fact has.
pub(super) const NOWHERE: usize = 4;
const TELLERS: [&str; 2] = ["call", "mail"];
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The word with its n-th letter as a capital: the value of the n-th record.
pub(super) fn spelled(word: usize, number: usize) -> String {
    let Some(word) = WORDS.get(word) else { return "cinnamon".to_owned() };
    word.char_indices().map(|(at, c)| if at == number { c.to_ascii_uppercase() } else { c }).collect()
}

/// The words of a date.
pub(super) fn date_text(when: When) -> String {
    match when {
        // One form for every third day: all are read the same.
        When::Day(year, month, day) if day % 3 == 0 => format!("{} {day}, {year}", MONTHS[month as usize - 1]),
        When::Day(year, month, day) if day % 3 == 1 => format!("{day:02}.{month:02}.{year}"),
        When::Day(year, month, day) => format!("{year}-{month:02}-{day:02}"),
        When::Month(year, month) if month % 2 == 0 => format!("{} {year}", MONTHS[month as usize - 1]),
        When::Month(year, month) => format!("{year}-{month:02}"),
        When::Year(year) => year.to_string(),
        When::Session(number) => format!("session {number}"),
        When::NoYear(day) => format!("Feb {day}"),
        When::Ambiguous(year) => format!("03/04/{year}"),
    }
}

fn source_text(line: &Line) -> Option<String> {
    // A year among other words may be anything; it is a date where it stands alone.
    line.source
        .map(|when| if matches!(when, When::Year(_)) { date_text(when) } else { format!("{} {}", TELLERS[line.teller], date_text(when)) })
}

fn tag_text(mark: Mark) -> String {
    match mark {
        Mark::None => String::new(),
        Mark::Bare => "[historical]".to_owned(),
        Mark::Replaced(word, when) => {
            let when = when.map_or(String::new(), |when| format!(" as of {}", date_text(when)));
            format!("[historical] replaced by: {}{when}", spelled(word, usize::MAX))
        }
        Mark::Ended => "[historical] ended as of 2025-05-05".to_owned(),
        Mark::Removed => "[historical] removed as of 2025-05-05".to_owned(),
        Mark::Retracted => "[retracted] as of 2025-05-05".to_owned(),
        Mark::Scheduled => "[scheduled]".to_owned(),
    }
}

/// One record as a line of a file; `number` is its number in the fact.
pub(super) fn written(shape: Shape, parameter: &str, number: usize, line: &Line) -> String {
    let (value, tag) = (spelled(line.word, number), tag_text(line.mark));
    let cell = |label: &str, when: Option<When>| when.map(|when| format!("{label}: {}", date_text(when)));
    let attributes: Vec<String> =
        [source_text(line).map(|source| format!("source: {source}")), cell("since", line.since), cell("until", line.until)]
            .into_iter()
            .flatten()
            .collect();
    let mut text = match shape {
        Shape::Pipe => format!("- {parameter} | {value}{}", attributes.iter().map(|cell| format!(" | {cell}")).collect::<String>()),
        Shape::KeyValue if attributes.is_empty() => format!("- {parameter}: {value}"),
        Shape::KeyValue => format!("- {parameter}: {value} ({})", attributes.join("; ")),
        Shape::Row => {
            let source = source_text(line).unwrap_or_default();
            return format!("| {parameter} | {value} | {} | {source} | {tag} |\n", line.since.map_or(String::new(), date_text));
        }
    };
    if !tag.is_empty() {
        text.push(' ');
        text.push_str(&tag);
    }
    text + "\n"
}

/// What stands above the records.
pub(super) fn head(shape: Shape) -> &'static str {
    match shape {
        Shape::Row => "## Project memory\n\n| Parameter | Value | Since | Source | Status |\n|---|---|---|---|---|\n",
        _ => "## Project memory\n\n",
    }
}

fn when() -> impl Strategy<Value = When> {
    prop_oneof![
        6 => (2025..2027_i32, 1..4_u32, 1..5_u32).prop_map(|(year, month, day)| When::Day(year, month, day)),
        3 => (2025..2027_i32, 1..4_u32).prop_map(|(year, month)| When::Month(year, month)),
        2 => (2024..2027_i32).prop_map(When::Year),
        2 => (1..4_u32).prop_map(When::Session),
        1 => (1..28_u32).prop_map(When::NoYear),
        1 => (2025..2027_i32).prop_map(When::Ambiguous),
    ]
}

/// Since when a record may be true: no sessions, and now and then the future.
fn since() -> impl Strategy<Value = When> {
    prop_oneof![
        8 => when().prop_filter("a session begins nothing", |when| !matches!(when, When::Session(_))),
        1 => (2027..2029_i32, 1..4_u32, 1..5_u32).prop_map(|(year, month, day)| When::Day(year, month, day)),
    ]
}

fn mark() -> impl Strategy<Value = Mark> {
    prop_oneof![
        10 => Just(Mark::None),
        2 => Just(Mark::Bare),
        5 => (0..=NOWHERE, prop::option::of(when())).prop_map(|(word, when)| Mark::Replaced(word, when)),
        1 => Just(Mark::Ended),
        1 => Just(Mark::Removed),
        1 => Just(Mark::Retracted),
        1 => Just(Mark::Scheduled),
    ]
}

fn line(dated: u32, tagged: u32) -> impl Strategy<Value = Line> {
    let rarely = |of: u32| move |keep: u32| keep < of;
    let dates = (prop::option::of(since()), prop::option::of(when()), 0..10_u32);
    (0..WORDS.len(), dates, 0..TELLERS.len(), mark(), 0..10_u32, 0..12_u32).prop_map(
        move |(word, (since, source, keep_date), teller, mark, keep_mark, ends)| {
            let is_dated = rarely(dated)(keep_date);
            let mark = if rarely(tagged)(keep_mark) { mark } else { Mark::None };
            let since = since.filter(|_| is_dated);
            // What has a past has begun.
            let is_future = |when: &When| matches!(when, When::Day(2027.., ..));
            let since = since.filter(|when| matches!(mark, Mark::None | Mark::Scheduled) || !is_future(when));
            // Only what begins can be scheduled.
            let begins = matches!(since, Some(When::Day(..)));
            let mark = if mark == Mark::Scheduled && !begins { Mark::None } else { mark };
            // A date that orders nothing does not stand before one that does.
            let source = source.filter(|_| is_dated && !matches!(since, Some(When::NoYear(_) | When::Ambiguous(_))));
            // What has not begun has no end that is past.
            let has_begun = !since.as_ref().is_some_and(is_future);
            let until = (ends == 0 && mark == Mark::None && has_begun).then_some(When::Day(2026, 6, 5));
            Line { word, since, source, teller, until, mark }
        },
    )
}

/// A shape, and facts of up to five records each whose dates and tags are many or few.
pub(super) fn facts() -> impl Strategy<Value = (Shape, Vec<Vec<Line>>)> {
    let shape = prop_oneof![2 => Just(Shape::Pipe), 2 => Just(Shape::KeyValue), 1 => Just(Shape::Row)];
    let fact = prop_oneof![Just((0, 4)), Just((10, 0)), Just((10, 5)), Just((5, 5)), Just((0, 9))]
        .prop_flat_map(|(dated, tagged)| prop::collection::vec(line(dated, tagged), 1..6));
    (shape, prop::collection::vec(fact, 1..3)).prop_map(|(shape, mut facts)| {
        for fact in &mut facts {
            for idx in 0..fact.len() {
                let stands_twice = fact.iter().filter(|line| line.word == fact[idx].word).count() > 1;
                let line = &mut fact[idx];
                // Rows have no cell for it, and of one value that ended and did not end nothing is said.
                line.until = line.until.filter(|_| shape != Shape::Row && !stands_twice);
                line.teller = if matches!(line.source, Some(When::Year(_))) { 0 } else { line.teller };
            }
        }
        (shape, facts)
    })
}
