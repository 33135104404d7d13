//! Dates in digits: `2026-03-02`, `12.02.2026`, `03/04/2026`, `2026年3月2日`, and the time of day behind a date.

use super::cursor::{Cursor, Number};
use super::{Date, Place, Read, Reading, Written};
use crate::config::DateOrder;
use chrono::NaiveDate;

/// A date that begins with `number`; `after` is the place behind it.
pub(super) fn read(number: Number, after: Cursor<'_>, reading: Reading) -> Option<Read<'_>> {
    match number.digits {
        4 => marked_year(number, after, reading).or_else(|| year_first(number, after, reading)),
        1 | 2 => marked_month(number, after, None).or_else(|| day_first(number, after, reading)),
        _ => None,
    }
}

/// `2026` alone, where a date must stand. What is far from today is a count, not a year.
pub(super) fn bare_year(number: Number, after: Cursor<'_>, reading: Reading) -> Option<Read<'_>> {
    let year = near_year(number).filter(|_| reading.place != Place::Inside && after.closes())?;
    Some((Written::Date(Date::year(year)?), after))
}

/// A year of four digits.
pub(super) fn year(number: Number) -> Option<i32> {
    let year = i32::try_from(number.value).ok()?;
    (number.digits == 4 && year >= 1000).then_some(year)
}

/// A year of this time; what a lone number may mean.
pub(super) fn near_year(number: Number) -> Option<i32> {
    year(number).filter(|year| (1900..=2199).contains(year))
}

/// The year beside a month and no day: among words, `Mar 4411` is no month.
pub(super) fn year_of_month(number: Number, reading: Reading) -> Option<i32> {
    if reading.place == Place::Inside { near_year(number) } else { year(number) }
}

/// The day, or that it cannot be.
pub(super) fn day(year: i32, month: u32, day: u32) -> Written {
    NaiveDate::from_ymd_opt(year, month, day).map_or(Written::Invalid, |day| Written::Date(Date::day(day)))
}

/// A day without a year; it can be if it is one in a leap year.
pub(super) fn yearless(month: u32, day: u32) -> Written {
    const LEAP: i32 = 2000;
    NaiveDate::from_ymd_opt(LEAP, month, day).map_or(Written::Invalid, |_| Written::Yearless)
}

/// `written`, a day that ends at `end`, with the time of day behind it.
pub(super) fn with_time(written: Written, end: Cursor<'_>) -> Option<Read<'_>> {
    let (can_be, end) = past_time(end)?;
    Some((if can_be { written } else { Written::Invalid }, end))
}

/// The end of a day that is written up to `end`: behind the time of day, if one follows, and whether that can be.
pub(super) fn past_time(end: Cursor<'_>) -> Option<(bool, Cursor<'_>)> {
    time(end).or_else(|| end.closes().then_some((true, end)))
}

/// `2026-03-02`, `2026/03/02`, `2026.03.02` and `2026-03`.
fn year_first(number: Number, after: Cursor<'_>, reading: Reading) -> Option<Read<'_>> {
    let year_written = year(number)?;
    let (mark, at) = after.separator()?;
    let (month, month_end) = field(at)?;
    let tail = month_end.separator().filter(|&(other, _)| other == mark).and_then(|(_, at)| field(at));
    if let Some((day_number, end)) = tail {
        // `2026.3.2` is a version; a date with dots has two digits in each field.
        let full = month.digits == 2 && day_number.digits == 2;
        return if mark != '.' || full { with_time(day(year_written, month.value, day_number.value), end) } else { None };
    }
    // `2026/03` is a path, `2026.03` a version, `2026-3` a number of some list.
    let year = year_of_month(number, reading).filter(|_| mark == '-' && month.digits == 2 && month_end.closes())?;
    match Date::month(year, month.value) {
        Some(date) => Some((Written::Date(date), month_end)),
        // Among words, `2026-27` is a season.
        None => (reading.place == Place::Whole).then_some((Written::Invalid, month_end)),
    }
}

/// `12.02.2026`, `2. 3. 2026`, `12.02`, `03/04/2026` and `03-04-2026`.
fn day_first(first: Number, after: Cursor<'_>, reading: Reading) -> Option<Read<'_>> {
    let (mark, at) = after.separator()?;
    let (second, second_end) = field(past_space(at, mark))?;
    let tail = second_end.separator().filter(|&(other, _)| other == mark).and_then(|(_, at)| {
        let (number, end) = past_space(at, mark).number()?;
        Some((year(number)?, end))
    });
    if let Some((year, end)) = tail {
        return with_time(in_order(first.value, second.value, year, mark, reading.order), end);
    }
    // `12.02` may be an amount; only what can be a day of the year is read as one.
    let short = mark == '.' && first.digits == 2 && second.digits == 2 && past_space(at, mark).at() == at.at();
    let can_be = short && yearless(second.value, first.value) == Written::Yearless;
    (can_be && second_end.closes()).then_some((Written::Yearless, second_end))
}

/// Two fields and a year: with dots the day comes first, else the order is known or one field is too great for a month.
fn in_order(first: u32, second: u32, year: i32, mark: char, order: Option<DateOrder>) -> Written {
    let day_first = match (first > 12, second > 12, order) {
        _ if mark == '.' => true,
        (true, _, _) => true,
        (_, true, _) => false,
        (_, _, Some(order)) => order == DateOrder::Dmy,
        // The fourth of April is itself in both orders.
        _ if first == second => true,
        // Whatever the order is, there is no such day.
        _ if first == 0 || second == 0 => return Written::Invalid,
        _ => return Written::Ambiguous,
    };
    if day_first { day(year, second, first) } else { day(year, first, second) }
}

/// `2026年3月2日`, `2026年3月`, `2026년 3월 2일`; `2026年` where a date must stand.
fn marked_year(number: Number, after: Cursor<'_>, reading: Reading) -> Option<Read<'_>> {
    let year = year(number)?;
    let end = after.blanks().eat(|c| matches!(c, '年' | '년'))?;
    if let Some((month, after)) = field(end.blanks()) {
        return marked_month(month, after, Some(year));
    }
    let alone = reading.place != Place::Inside && end.closes();
    if alone { Some((Written::Date(Date::year(year)?), end)) } else { None }
}

/// `3月2日`, with a year before it also `3月`.
fn marked_month(month: Number, after: Cursor<'_>, year: Option<i32>) -> Option<Read<'_>> {
    let month_end = after.blanks().eat(|c| matches!(c, '月' | '월'))?;
    match (year, marked_day(month_end.blanks())) {
        (Some(year), Some((number, end))) => with_time(day(year, month.value, number.value), end),
        (None, Some((number, end))) => end.closes().then_some((yearless(month.value, number.value), end)),
        (Some(year), None) => {
            let written = Date::month(year, month.value).map_or(Written::Invalid, Written::Date);
            month_end.closes().then_some((written, month_end))
        }
        (None, None) => None,
    }
}

/// `2日`
fn marked_day(at: Cursor<'_>) -> Option<(Number, Cursor<'_>)> {
    let (number, after) = field(at)?;
    Some((number, after.blanks().eat(|c| matches!(c, '日' | '号' | '號' | '일'))?))
}

/// Behind a dot, one space may stand.
fn past_space(at: Cursor<'_>, mark: char) -> Cursor<'_> {
    at.eat(|c| c == ' ' && mark == '.').unwrap_or(at)
}

/// A month or a day in digits.
fn field(at: Cursor<'_>) -> Option<(Number, Cursor<'_>)> {
    at.number().filter(|(number, _)| number.digits <= 2)
}

/// `T10:00`, ` 10:00:00.5 +02:00`, `, 10:00 UTC`: whether it can be, and its end. Behind a `T` a time must stand.
fn time(at: Cursor<'_>) -> Option<(bool, Cursor<'_>)> {
    let joined = at.eat(|c| matches!(c, 'T' | 't'));
    let start = match joined {
        Some(start) => start,
        None => at.eat(|c| c == ',').unwrap_or(at).eat(char::is_whitespace)?,
    };
    let (hour, after) = field(start)?;
    let (minute, mut end) = field(after.eat(|c| c == ':')?).filter(|(minute, _)| minute.digits == 2)?;
    let mut can_be = hour.value < 24 && minute.value < 60 || hour.value == 24 && minute.value == 0;
    let second = end.eat(|c| c == ':').and_then(field).filter(|(second, _)| second.digits == 2);
    if let Some((second, after)) = second {
        can_be &= second.value <= 60; // a leap second
        let fraction = after.eat(|c| matches!(c, '.' | ',')).and_then(Cursor::number);
        end = fraction.map_or(after, |(_, after)| after);
    }
    end = zone(end).unwrap_or(end);
    // Behind a blank, `99:99` is no time of this date, so the date ends before it.
    (end.closes() && (can_be || joined.is_some())).then_some((can_be, end))
}

/// `Z`, `+02:00`, `-0530`, ` UTC`, ` pm`.
fn zone(at: Cursor<'_>) -> Option<Cursor<'_>> {
    let start = at.eat(|c| c == ' ').unwrap_or(at);
    if let Some((word, end)) = start.word() {
        return ["z", "utc", "gmt", "am", "pm"].iter().any(|known| word.eq_ignore_ascii_case(known)).then_some(end);
    }
    let (offset, end) = start.eat(|c| matches!(c, '+' | '-'))?.number()?;
    match offset.digits {
        2 => Some(end.eat(|c| c == ':').and_then(field).map_or(end, |(_, end)| end)),
        4 => Some(end),
        _ => None,
    }
}
