//! Names of months and weekdays. English and Russian ones are written here; all others come from chrono's locales, by way of
//! the list in `months`.

use super::cursor::Cursor;
use super::months;
use std::borrow::Cow;
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// A name found in the table.
#[derive(Clone, Copy)]
pub(super) struct Found {
    /// From 1 to 12.
    pub(super) month: u32,
    /// True where the name is a word of other meaning too: `set`, `pro`. Beside a day and a year it is a month nevertheless.
    pub(super) is_common_word: bool,
}

/// Names that are words of other meaning in texts of larger languages.
const COMMON_WORDS: [&str; 29] = [
    "ago", "aka", "avg", "bal", "des", "dis", "dub", "elba", "elo", "est", "gen", "here", "impala", "jenner", "led", "lug", "lui", "mac",
    "mag", "mas", "mata", "out", "pro", "sen", "set", "sie", "there", "tra", "ага",
];

/// The month whose name stands at `start`, where that is known without the table, and the place behind it.
/// Vietnamese counts its months: `tháng 3`.
pub(super) fn known(start: Cursor<'_>) -> Option<(u32, Cursor<'_>)> {
    let (word, end) = start.word()?;
    if let Some(month) = english(word) {
        return Some((month, end));
    }
    if word.is_ascii() && !word.eq_ignore_ascii_case("thg") {
        return None;
    }
    let lower = word.to_lowercase();
    if matches!(lower.as_str(), "tháng" | "thg") {
        let (number, end) = end.gap()?.1.number()?;
        return (number.digits <= 2 && (1..=12).contains(&number.value)).then_some((number.value, end));
    }
    russian(&lower).map(|month| (month, end))
}

/// The month of an English name, in any case.
pub(super) fn english(word: &str) -> Option<u32> {
    const NAMES: [&str; 12] =
        ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"];
    if !(3..=9).contains(&word.len()) {
        return None;
    }
    let same = |name: &str| word.eq_ignore_ascii_case(name) || word.eq_ignore_ascii_case(&name[..3]);
    let idx = NAMES.iter().position(|name| same(name)).or_else(|| word.eq_ignore_ascii_case("sept").then_some(8))?;
    u32::try_from(idx + 1).ok()
}

/// The month of a Russian name in lower case: `март`, `марта`, `марте`, `мар`.
pub(super) fn russian(lower: &str) -> Option<u32> {
    let month = match lower {
        "январь" | "января" | "январе" | "янв" => 1,
        "февраль" | "февраля" | "феврале" | "фев" | "февр" => 2,
        "март" | "марта" | "марте" | "мар" => 3,
        "апрель" | "апреля" | "апреле" | "апр" => 4,
        "май" | "мая" | "мае" => 5,
        "июнь" | "июня" | "июне" | "июн" => 6,
        "июль" | "июля" | "июле" | "июл" => 7,
        "август" | "августа" | "августе" | "авг" => 8,
        "сентябрь" | "сентября" | "сентябре" | "сен" | "сент" => 9,
        "октябрь" | "октября" | "октябре" | "окт" => 10,
        "ноябрь" | "ноября" | "ноябре" | "ноя" | "нояб" => 11,
        "декабрь" | "декабря" | "декабре" | "дек" => 12,
        _ => return None,
    };
    Some(month)
}

/// True for an English or Russian weekday, in full or abbreviated.
pub(super) fn is_weekday(word: &str) -> bool {
    let lower = word.to_lowercase();
    is_english_weekday(&lower) || is_russian_weekday(&lower) || matches!(lower.as_str(), "пн" | "вт" | "ср" | "чт" | "пт" | "сб" | "вс")
}

/// True for an English weekday in lower case, in full or abbreviated.
pub(super) fn is_english_weekday(lower: &str) -> bool {
    let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    names.iter().any(|name| *name == lower || name[..3] == *lower) || matches!(lower, "tues" | "thur" | "thurs")
}

/// True for a Russian weekday in lower case.
pub(super) fn is_russian_weekday(lower: &str) -> bool {
    let names = ["понедельник", "вторник", "среда", "среду", "четверг", "пятница", "пятницу", "суббота", "субботу", "воскресенье"];
    names.contains(&lower)
}

/// The month of a name of one or more words in any language but English and Russian.
pub(super) fn look_up(name: &str) -> Option<Found> {
    let name = fold(name);
    let month = months::month_of(&name)?;
    let is_common_word = COMMON_WORDS.contains(&&*name);
    Some(Found { month, is_common_word })
}

/// A name for comparison: composed, in lower case, without dots, one space between words. Upper case loses the Turkish dot
/// on the `i`, so the table does without it.
pub(super) fn fold(name: &str) -> Cow<'_, str> {
    if name.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Cow::Borrowed(name);
    }
    let lower = name.trim().to_lowercase();
    let composed: Cow<'_, str> =
        if lower.is_ascii() || is_nfc(&lower) { Cow::Borrowed(&lower) } else { lower.nfc().collect::<String>().into() };
    let mut out = String::with_capacity(composed.len());
    for c in composed.chars() {
        match c {
            '.' | '॰' | '་' | '\u{307}' | '\u{200c}' | '\u{200d}' => {}
            'ı' => out.push('i'),
            '’' | 'ʼ' | 'ʻ' => out.push('\''),
            c if c.is_whitespace() => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}
