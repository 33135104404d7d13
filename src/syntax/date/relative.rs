//! Times that hang on the day of writing: `yesterday`, `last week`, `3 days ago`, `на прошлой неделе`, `昨天`.

use super::cursor::{Cursor, is_unspaced};
use super::{Read, Written, month};

/// A relative time that begins with a word.
pub(super) fn read(start: Cursor<'_>) -> Option<Read<'_>> {
    let end = unspaced(start).or_else(|| words(start))?;
    end.closes().then_some((Written::Relative, end))
}

/// The rest of `3 days ago` and `3 дня назад`; `after` is the place behind the number.
pub(super) fn ago(after: Cursor<'_>) -> Option<Read<'_>> {
    let end = past_span(next_word(after)?)?;
    end.closes().then_some((Written::Relative, end))
}

/// A word in lower case and the place behind it.
type Word<'a> = (String, Cursor<'a>);

fn words(start: Cursor<'_>) -> Option<Cursor<'_>> {
    let first = word(start)?;
    let end = first.1;
    match first.0.as_str() {
        "yesterday" | "today" | "tomorrow" | "tonight" | "вчера" | "позавчера" | "сегодня" | "завтра" | "послезавтра" => {
            Some(end)
        }
        "the" => past_day_beyond(next_word(end)?),
        "day" => past_day_beyond(first),
        "last" | "this" | "next" => {
            let (unit, unit_end) = next_word(end)?;
            // `this may break` speaks of no month.
            let names_month = end.blanks().peek().is_some_and(char::is_uppercase) && month::english(&unit).is_some();
            (names_month || is_unit(&unit)).then_some(unit_end)
        }
        "a" | "an" | "one" | "two" | "three" | "four" | "five" | "six" | "seven" | "eight" | "nine" | "ten" | "few" | "several"
        | "один" | "одну" | "два" | "две" | "три" | "четыре" | "пять" | "пару" | "несколько" => {
            past_span(next_word(end)?)
        }
        "в" | "во" | "на" => past_russian(next_word(end)?),
        // `неделю назад` needs no number, `week ago` does.
        _ => past_russian(first.clone()).or_else(|| if first.0.is_ascii() { None } else { past_span(first) }),
    }
}

/// `day before yesterday`, `day after tomorrow`, from `day` on.
fn past_day_beyond((day, end): Word<'_>) -> Option<Cursor<'_>> {
    let (side, end) = next_word(end).filter(|_| day == "day")?;
    let (anchor, end) = next_word(end)?;
    matches!((side.as_str(), anchor.as_str()), ("before", "yesterday") | ("after", "tomorrow")).then_some(end)
}

/// `week ago`, `недель назад`, from the unit on.
fn past_span((unit, end): Word<'_>) -> Option<Cursor<'_>> {
    let back = match unit.as_str() {
        "minute" | "minutes" | "hour" | "hours" | "day" | "days" | "week" | "weeks" | "month" | "months" | "year" | "years" => "ago",
        "минуту" | "минуты" | "минут" | "час" | "часа" | "часов" | "день" | "дня" | "дней" | "неделю" | "недели" | "недель" | "месяц"
        | "месяца" | "месяцев" | "год" | "года" | "лет" => "назад",
        _ => return None,
    };
    next_word(end).filter(|(word, _)| word == back).map(|(_, end)| end)
}

/// What `last`, `this` and `next` stand before.
fn is_unit(word: &str) -> bool {
    let units = ["week", "month", "quarter", "year", "night", "morning", "afternoon", "evening", "weekend"];
    units.contains(&word) || month::is_english_weekday(word)
}

/// `прошлой неделе`, `этом месяце`, `следующую среду`, from the adjective on.
fn past_russian((adjective, end): Word<'_>) -> Option<Cursor<'_>> {
    let known = matches!(
        adjective.as_str(),
        "прошлой"
            | "прошлом"
            | "прошлый"
            | "прошлую"
            | "прошлая"
            | "прошлое"
            | "этой"
            | "этом"
            | "эту"
            | "этот"
            | "это"
            | "следующей"
            | "следующем"
            | "следующий"
            | "следующую"
            | "следующее"
    );
    let (unit, end) = next_word(end).filter(|_| known)?;
    let units = ["неделе", "неделю", "неделя", "месяце", "месяц", "квартале", "квартал", "году", "год"];
    (units.contains(&unit.as_str()) || month::is_russian_weekday(&unit)).then_some(end)
}

/// Chinese and Japanese words, which need no spaces around them.
fn unspaced(start: Cursor<'_>) -> Option<Cursor<'_>> {
    const WORDS: [&str; 31] = [
        "昨天",
        "今天",
        "明天",
        "前天",
        "后天",
        "後天",
        "昨日",
        "今日",
        "明日",
        "上周",
        "上週",
        "本周",
        "本週",
        "这周",
        "這週",
        "下周",
        "下週",
        "上个月",
        "上個月",
        "上月",
        "本月",
        "下个月",
        "下個月",
        "先週",
        "今週",
        "来週",
        "先月",
        "今月",
        "来月",
        "去年",
        "今年",
    ];
    start.peek().filter(|first| is_unspaced(*first))?;
    let found = WORDS.iter().find(|word| start.rest().starts_with(**word))?;
    Some(found.chars().fold(start, |at, _| at.next()))
}

fn word(at: Cursor<'_>) -> Option<Word<'_>> {
    let (word, end) = at.word()?;
    let lower = word.to_lowercase();
    // `yesterday's call`
    let bare = lower.strip_suffix("'s").or_else(|| lower.strip_suffix("’s"));
    Some((bare.map(str::to_owned).unwrap_or(lower), end))
}

/// The next word behind blanks.
fn next_word(at: Cursor<'_>) -> Option<Word<'_>> {
    let next = at.blanks();
    if next.at() > at.at() { word(next) } else { None }
}
