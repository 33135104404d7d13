//! Dates as people write them: free words in, a written date with its precision out (SPEC 4).
//!
//! A date is read where it stands alone as a token, in many forms and languages, and never guessed: a day without a year,
//! `03/04/2026` without a known order and `yesterday` are seen, and take no part in ordering.
//! Reading never fails and never panics; it looks at a bounded stretch behind each token, so it is linear in the text.
//!
//! `cursor` knows tokens and their borders, `numeric`, `named` and `relative` know forms, `month` knows names.

mod cursor;
mod month;
mod months;
mod named;
mod numeric;
mod quick;
mod relative;
#[cfg(test)]
mod tests;

use crate::config::DateOrder;
use crate::text::TextRange;
use chrono::{Datelike, NaiveDate};
use cursor::{Cursor, Number};
use rustc_hash::FxHashMap;

/// How much of a date is written; the coarsest first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Precision {
    /// `2026`
    Year,
    /// `2026-03`
    Month,
    /// `2026-03-02`
    Day,
}

/// A written calendar date with its precision. It stands for the half-open interval `first()..past()`.
///
/// Invariant: `first` is the first day of the year or month where the precision is one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Date {
    first: NaiveDate,
    precision: Precision,
}

impl Date {
    /// The date that is one day.
    pub fn day(day: NaiveDate) -> Self {
        Self { first: day, precision: Precision::Day }
    }

    /// The date that is one month, from 1 to 12.
    pub fn month(year: i32, month: u32) -> Option<Self> {
        NaiveDate::from_ymd_opt(year, month, 1).map(|first| Self { first, precision: Precision::Month })
    }

    /// The date that is one year.
    pub fn year(year: i32) -> Option<Self> {
        NaiveDate::from_ymd_opt(year, 1, 1).map(|first| Self { first, precision: Precision::Year })
    }

    /// Its first day.
    pub fn first(self) -> NaiveDate {
        self.first
    }

    /// The first day after it.
    pub fn past(self) -> NaiveDate {
        let (year, month) = (self.first.year(), self.first.month());
        let past = match self.precision {
            Precision::Year => NaiveDate::from_ymd_opt(year + 1, 1, 1),
            Precision::Month if month == 12 => NaiveDate::from_ymd_opt(year + 1, 1, 1),
            Precision::Month => NaiveDate::from_ymd_opt(year, month + 1, 1),
            Precision::Day => self.first.succ_opt(),
        };
        past.unwrap_or(NaiveDate::MAX)
    }

    /// How much of it is written.
    pub fn precision(self) -> Precision {
        self.precision
    }

    /// The ISO form with the same precision: `2026`, `2026-03`, `2026-03-02`.
    pub fn iso(self) -> String {
        let (year, month) = (self.first.year(), self.first.month());
        match self.precision {
            Precision::Year => format!("{year:04}"),
            Precision::Month => format!("{year:04}-{month:02}"),
            Precision::Day => self.first.to_string(),
        }
    }
}

/// What a writer wrote where a date belongs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Written {
    /// A date with a year.
    Date(Date),
    /// `session 3`, an ordinal.
    Session(u32),
    /// `Feb 12`, `12.02`: it never gets a year.
    Yearless,
    /// `03/04/2026` while nothing says which field is the day.
    Ambiguous,
    /// `yesterday`, `last week`: no one knows when that was said.
    Relative,
    /// `2026-02-30`: the form of a date that cannot be.
    Invalid,
}

impl Written {
    /// Provably later: a date whose interval begins at or after the end of the other's, or a greater session.
    /// Everything else, a session against a date too, is false.
    pub fn is_later_than(self, other: Self) -> bool {
        match (self, other) {
            (Self::Date(this), Self::Date(other)) => this.first() >= other.past(),
            (Self::Session(this), Self::Session(other)) => this > other,
            _ => false,
        }
    }

    /// Both are known points and equal: the same interval, the same session.
    pub fn is_same_as(self, other: Self) -> bool {
        self.orders() && self == other
    }

    /// True where it can be before or after another: a date or a session.
    pub fn orders(self) -> bool {
        matches!(self, Self::Date(_) | Self::Session(_))
    }

    /// What counts first where several stand in one text: 0 is the best.
    fn rank(self) -> u8 {
        match self {
            Self::Date(date) if date.precision == Precision::Day => 0,
            Self::Session(_) => 1,
            Self::Date(_) => 2,
            Self::Yearless => 3,
            Self::Ambiguous | Self::Invalid => 4,
            Self::Relative => 5,
        }
    }
}

/// A date and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// Bytes of the text that was searched; a time of day behind the date belongs to it.
    pub range: TextRange,
    /// What stands there.
    pub written: Written,
}

/// What may be read in a place.
#[derive(Clone, Copy)]
struct Reading {
    order: Option<DateOrder>,
    place: Place,
    /// Among words: whether names of months are looked up in the languages of the world also where no day or no year stands
    /// beside them. English and Russian names need no look-up.
    every_name: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The text is the date.
    Whole,
    /// The text begins with the date.
    Prefix,
    /// The date stands among words; a bare number is no year there.
    Inside,
}

/// What was read, and the place behind it.
type Read<'a> = (Written, Cursor<'a>);

/// Longer texts are no date; it keeps `read_whole` from looking at them.
const LONGEST: usize = 200;

/// The date that `text` is, blanks and a closing full stop aside. `None` where it is anything else or more than one date.
///
/// ```
/// use memfile::syntax::date::{Written, read_whole};
/// let Some(Written::Date(date)) = read_whole("2 de marzo de 2026", None) else { panic!() };
/// assert_eq!(date.iso(), "2026-03-02");
/// assert_eq!(read_whole("Feb 12", None), Some(Written::Yearless));
/// assert_eq!(read_whole("supersedes rabbitmq", None), None);
/// ```
pub fn read_whole(text: &str, order: Option<DateOrder>) -> Option<Written> {
    let text = text.trim();
    if let Some(answer) = quick::whole(text) {
        return answer;
    }
    if text.len() > LONGEST {
        return None;
    }
    let (written, end) = read(Cursor::new(text), Reading { order, place: Place::Whole, every_name: true })?;
    end.ends_text().then_some(written)
}

/// The date among free words, as in `call Oct 3`: the first day with its year, else session, else month with its year,
/// else day without a year, else what is ambiguous or cannot be, else what is relative. Code spans and addresses are not searched.
///
/// ```
/// use memfile::syntax::date::{Written, find};
/// let found = find("ADR 7, 2026-01-15", None).expect("a date");
/// assert_eq!(found.range.of("ADR 7, 2026-01-15"), "2026-01-15");
/// assert_eq!(find("PR 4411", None), None);
/// ```
pub fn find(text: &str, order: Option<DateOrder>) -> Option<Found> {
    if let Some(answer) = quick::find(text) {
        return answer;
    }
    find_slowly(text, order)
}

fn find_slowly(text: &str, order: Option<DateOrder>) -> Option<Found> {
    let narrow = scan(text, Reading { order, place: Place::Inside, every_name: false });
    match narrow {
        Some(found) if found.written.rank() <= 1 => narrow,
        // Only what ranks lower can still be bettered by a name that was not looked up.
        _ if text.bytes().any(|byte| byte.is_ascii_digit() || byte >= 0x80) => {
            scan(text, Reading { order, place: Place::Inside, every_name: true })
        }
        _ => narrow,
    }
}

/// The date that `text` begins with, the longest there is; for the tail behind ` as of `.
///
/// ```
/// use memfile::syntax::date::read_prefix;
/// let found = read_prefix("Oct 3, 2026: too dear", None).expect("a date");
/// assert_eq!(found.range.len(), "Oct 3, 2026".len());
/// ```
pub fn read_prefix(text: &str, order: Option<DateOrder>) -> Option<Found> {
    let start = Cursor::new(text);
    let (written, end) = read(start, Reading { order, place: Place::Prefix, every_name: true })?;
    Some(Found { range: start.to(end), written })
}

/// The longest date that starts at `at`, perhaps with its weekday; it looks at a bounded stretch of the text.
fn read(at: Cursor<'_>, reading: Reading) -> Option<Read<'_>> {
    if let Some((number, after)) = at.number() {
        return number_first(number, after, reading);
    }
    if !at.is_near_number() || at.word().is_none() {
        return relative::read(at);
    }
    let weekday = || {
        let at = named::past_weekday(at)?;
        let day = at.number().and_then(|(number, after)| number_first(number, after, reading)).or_else(|| named::word_first(at, reading));
        // `Mon 2026` and `Mon 2 days ago` are no dates with a weekday.
        day.filter(|(written, _)| matches!(written.rank(), 0 | 3 | 4))
    };
    named::word_first(at, reading).or_else(|| named::session(at)).or_else(|| relative::read(at)).or_else(weekday)
}

fn number_first<'a>(number: Number, after: Cursor<'a>, reading: Reading) -> Option<Read<'a>> {
    numeric::read(number, after, reading)
        .or_else(|| named::number_first(number, after, reading))
        .or_else(|| relative::ago(after))
        .or_else(|| numeric::bare_year(number, after, reading))
}

/// One walk over all tokens of `text`.
fn scan(text: &str, reading: Reading) -> Option<Found> {
    let mut best: Option<Found> = None;
    let mut code = CodeSpans { text, last: None };
    let mut at = Cursor::new(text);
    while let Some(next) = at.peek() {
        if next == '`' {
            at = code.skip(at);
        } else if next == '\\' {
            at = at.next();
            at = at.eat(|escaped| escaped == '`').unwrap_or(at);
        } else if at.rest().starts_with("://") {
            at = at.past_address();
        } else if !next.is_alphanumeric() {
            at = at.next();
        } else if let Some((written, end)) = at.opens().then(|| read(at, reading)).flatten() {
            let found = Found { range: at.to(end), written };
            if best.is_none_or(|best| written.rank() < best.written.rank()) {
                best = Some(found);
            }
            if written.rank() == 0 {
                return best;
            }
            // In `session 3 March 2026` the number is the day: it gets its own chance.
            at = if matches!(written, Written::Session(_)) { at.past_token() } else { end };
        } else {
            at = at.past_token();
        }
    }
    best
}

/// The code spans of one text: between a run of backticks and the next one of the same length.
struct CodeSpans<'a> {
    text: &'a str,
    /// The start of the last run of each length; a run without a partner is then known without a search,
    /// which keeps many of them linear.
    last: Option<FxHashMap<usize, usize>>,
}

impl<'a> CodeSpans<'a> {
    /// The place behind the span that opens at `at`, or behind its backticks where nothing closes it.
    fn skip(&mut self, at: Cursor<'a>) -> Cursor<'a> {
        let text = self.text;
        let last = self.last.get_or_insert_with(|| runs(text, 0).map(|run| (run.len(), run.start())).collect());
        let Some(open) = runs(text, at.at()).next() else { return at.next() };
        let closed = last.get(&open.len()).is_some_and(|&start| start > open.start());
        let close = if closed { runs(text, open.end()).find(|run| run.len() == open.len()) } else { None };
        Cursor::at_offset(text, close.unwrap_or(open).end())
    }
}

/// The runs of backticks at or behind `from`.
fn runs(text: &str, from: usize) -> impl Iterator<Item = TextRange> {
    let mut at = from;
    std::iter::from_fn(move || {
        let bytes = text.as_bytes();
        let start = at + memchr::memchr(b'`', bytes.get(at..)?)?;
        at = start + bytes[start..].iter().take_while(|&&byte| byte == b'`').count();
        Some(TextRange::new(start, at))
    })
}
