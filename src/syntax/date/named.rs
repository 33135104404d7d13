//! Dates with words: names of months (`2 March 2026`, `March 2`, `март 2026`), weekdays before a date, sessions.

use super::cursor::{Cursor, Number};
use super::numeric::{day, near_year, past_time, year, year_of_month, yearless};
use super::{Date, Place, Read, Reading, Written, month};

/// The most words that a name of a month has (`sánzá ya zómi na mɔ̌kɔ́`).
const MOST_WORDS: usize = 5;

/// `March 2, 2026`, `March 2026`, `March 2`.
pub(super) fn word_first(start: Cursor<'_>, reading: Reading) -> Option<Read<'_>> {
    let (name, name_end) = Name::before_number(start)?;
    let (mark, at) = name_end.gap()?;
    let (number, after) = past_link(at).number()?;
    if number.digits <= 2 && mark != ',' {
        let day_end = past_ordinal(after);
        if let Some((year, end)) = year_after(day_end, mark) {
            return Some((day(name.year(year), name.month(true, end, reading)?, number.value), end));
        }
        return if day_end.closes() { short(number, || name.month(false, day_end, reading), day_end) } else { None };
    }
    let end = past_year_word(after);
    let year = year_of_month(number, reading).filter(|_| end.closes())?;
    Some((Written::Date(Date::month(name.year(year), name.month(false, end, reading)?)?), end))
}

/// `2 March 2026`, `2. März`, and with a year as the number `2026 March 2`, `2026. március`.
pub(super) fn number_first(number: Number, after: Cursor<'_>, reading: Reading) -> Option<Read<'_>> {
    match number.digits {
        1 | 2 => day_first(number, after, reading),
        4 => year_first(near_year(number)?, after, reading),
        _ => None,
    }
}

fn day_first(number: Number, after: Cursor<'_>, reading: Reading) -> Option<Read<'_>> {
    let (mark, at) = past_ordinal(after).gap().filter(|&(mark, _)| mark != ',')?;
    let at = past_link(at);
    if let Some((name, name_end)) = Name::before_number(at)
        && let Some((year, end)) = year_after(name_end, mark)
        && let Some(month) = name.month(true, end, reading)
    {
        return Some((day(name.year(year), month, number.value), end));
    }
    let (month, end) = month_alone(at, reading)?;
    short(number, || Some(month), end)
}

fn year_first(year: i32, after: Cursor<'_>, reading: Reading) -> Option<Read<'_>> {
    // `PR 2026, Oct 3` is no year before a month.
    let (mark, at) = after.gap().filter(|&(mark, _)| matches!(mark, ' ' | '-'))?;
    if let Some((name, name_end)) = Name::before_number(at)
        && let Some((_, at)) = name_end.gap().filter(|&(other, _)| other == mark)
        && let Some((number, after)) = at.number().filter(|(number, _)| number.digits <= 2)
        && let Some((true, end)) = past_time(past_ordinal(after))
        && let Some(month) = name.month(true, end, reading)
    {
        return Some((day(year, month, number.value), end));
    }
    let (month, end) = month_alone(at, reading)?;
    Some((Written::Date(Date::month(year, month)?), end))
}

/// A day of a month without a year. What no month has is no day: `March 45`.
fn short<'a>(number: Number, month: impl FnOnce() -> Option<u32>, end: Cursor<'a>) -> Option<Read<'a>> {
    let month = if (1..=31).contains(&number.value) { month()? } else { return None };
    Some((yearless(month, number.value), end))
}

/// A name of a month, as yet not looked up where that costs.
enum Name<'a> {
    /// English, Russian, or with a number in it.
    Known(u32),
    /// Perhaps a name in some other language.
    Word(&'a str),
}

impl<'a> Name<'a> {
    /// The name at `start`, or the words there up to the next number, and the place behind it.
    fn before_number(start: Cursor<'a>) -> Option<(Self, Cursor<'a>)> {
        if let Some((month, end)) = month::known(start) {
            return Some((Self::Known(month), end));
        }
        let mut end = start;
        let mut at = start;
        for idx in 0..MOST_WORDS {
            let (word, after) = at.word()?;
            // The words before a known name are no part of it: `call Oct 3` needs no look-up.
            if idx > 0 && month::known(at).is_some() {
                return None;
            }
            if idx == 0 || !is_link(word) {
                end = after;
            }
            let (mark, next) = after.gap()?;
            if next.number().is_some() {
                return Some((Self::Word(start.text_to(end)), end));
            }
            at = if mark == ' ' { next } else { return None };
        }
        None
    }

    /// The month, in a date that ends at `end`. `full` says that a day and a year stand beside it.
    fn month(&self, full: bool, end: Cursor<'_>, reading: Reading) -> Option<u32> {
        match self {
            Self::Known(month) => Some(*month),
            Self::Word(word) => look_up(word, full, end, reading),
        }
    }

    /// The year in our count. Beside Thai names stands the Buddhist year, 543 ahead.
    fn year(&self, year: i32) -> i32 {
        match self {
            Self::Word(word) if year >= 2400 && word.starts_with(|c| matches!(c, '\u{e00}'..='\u{e7f}')) => year - 543,
            _ => year,
        }
    }
}

/// The month that `word` names, in a date that ends at `end`, where the place allows to ask for it.
fn look_up(word: &str, full: bool, end: Cursor<'_>, reading: Reading) -> Option<u32> {
    let asks = match reading.place {
        Place::Whole => end.ends_text(),
        Place::Prefix => true,
        Place::Inside => full || reading.every_name,
    };
    let found = if asks { month::look_up(word)? } else { return None };
    (full || !found.is_common_word).then_some(found.month)
}

/// The longest name of a month at `start` behind which a date may end.
fn month_alone(start: Cursor<'_>, reading: Reading) -> Option<(u32, Cursor<'_>)> {
    if let Some((month, end)) = month::known(start) {
        return end.closes().then_some((month, end));
    }
    let mut ends = Vec::new();
    let mut at = start;
    while let Some((_, end)) = at.word().filter(|_| ends.len() < MOST_WORDS) {
        ends.push(end);
        at = end.blanks();
    }
    ends.retain(|end| end.closes());
    ends.into_iter().rev().find_map(|end| Some((look_up(start.text_to(end), false, end, reading)?, end)))
}

/// ` 2026`, `, 2026`, ` de 2026`, ` 2026 г.`, ` 2026 10:00`; a hyphen or slash must be the `mark` that stands between day and month.
fn year_after(at: Cursor<'_>, mark: char) -> Option<(i32, Cursor<'_>)> {
    let (_, next) = at.gap().filter(|&(other, _)| other == mark || (mark, other) == (' ', ','))?;
    let (number, after) = past_link(next).number()?;
    let (can_be, end) = past_time(past_year_word(after))?;
    Some((year(number).filter(|_| can_be)?, end))
}

/// Words that stand between day, month and year.
fn is_link(word: &str) -> bool {
    let links = ["of", "de", "del", "di", "da", "do", "den", "dhen", "mis", "the"];
    links.iter().any(|link| word.eq_ignore_ascii_case(link)) || word == "năm"
}

fn past_link(at: Cursor<'_>) -> Cursor<'_> {
    match at.word() {
        Some((word, end)) if is_link(word) => end.blanks(),
        _ => at,
    }
}

/// Behind a day: `2nd`, `1er`, `1º`, `12-го`.
fn past_ordinal(at: Cursor<'_>) -> Cursor<'_> {
    let endings = ["st", "nd", "rd", "th", "er", "re", "e", "º", "ª", "го", "ого", "е", "ое"];
    match at.eat(|c| c == '-').unwrap_or(at).word() {
        Some((word, end)) if endings.iter().any(|ending| word.eq_ignore_ascii_case(ending)) => end,
        _ => at.eat(|c| c == '°').unwrap_or(at),
    }
}

/// Behind a year: `2026 г.`, `2026 року`.
fn past_year_word(at: Cursor<'_>) -> Cursor<'_> {
    match at.blanks().word() {
        Some(("г" | "р" | "r", end)) => end.eat(|c| c == '.').unwrap_or(end),
        Some(("год" | "года" | "году" | "року" | "roku", end)) => end,
        _ => at,
    }
}

/// The date behind a weekday: `Mon, 2 March 2026`.
pub(super) fn past_weekday(at: Cursor<'_>) -> Option<Cursor<'_>> {
    let (word, end) = at.word()?;
    let next = end.gap().filter(|&(mark, _)| matches!(mark, ' ' | ',')).map(|(_, next)| next)?;
    month::is_weekday(word).then_some(next)
}

/// `session 3`, `Session #3`, `сессия №3`.
pub(super) fn session(at: Cursor<'_>) -> Option<Read<'_>> {
    let (word, end) = at.word()?;
    let known = word.eq_ignore_ascii_case("session") || matches!(word.to_lowercase().as_str(), "сессия" | "сессии" | "сессию" | "сессией");
    let next = end.blanks();
    let marked = next.eat(|c| matches!(c, '#' | '№')).map(Cursor::blanks);
    let spaced = if next.at() > end.at() { Some(next) } else { None };
    let (number, end) = marked.or(spaced).filter(|_| known)?.number()?;
    (number.digits <= 9 && end.closes()).then_some((Written::Session(number.value), end))
}
