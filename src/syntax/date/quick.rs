//! The answers for the texts that stand in nearly all attributes and keys: a plain ISO day, or plainly no date.
//!
//! It says what the careful reader would say, or nothing; a property holds it to that. Only ASCII is looked at.

use super::months::may_name;
use super::{Date, Found, Written};
use crate::text::TextRange;
use chrono::NaiveDate;

/// For `read_whole`: `Some` where the answer is known.
pub(super) fn whole(text: &str) -> Option<Option<Written>> {
    let bytes = text.as_bytes();
    if let Some(day) = iso_day(bytes).filter(|_| bytes.len() == 10) {
        return Some(Some(Written::Date(day)));
    }
    // A bare number may be a year.
    (!bytes.iter().all(u8::is_ascii_digit) && is_no_date(bytes)).then_some(None)
}

/// For `find`: `Some` where the answer is known.
pub(super) fn find(text: &str) -> Option<Option<Found>> {
    let bytes = text.as_bytes();
    if let Some(at) = bytes.iter().position(u8::is_ascii_digit)
        && let Some(day) = iso_day(&bytes[at..])
    {
        let opens = at == 0 || matches!(bytes[at - 1], b' ' | b'(' | b'[');
        let end = at + 10;
        let closes = match bytes.get(end) {
            None | Some(b')' | b']' | b';') => true,
            // A time may follow.
            Some(b' ' | b',') => !bytes.get(end + 1).is_some_and(|byte| byte.is_ascii_digit() || *byte == b' '),
            _ => false,
        };
        let plain = bytes[..at].iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b' ' | b'.' | b',' | b'(' | b'['));
        if opens && closes && plain {
            return Some(Some(Found { range: TextRange::new(at, end), written: Written::Date(day) }));
        }
    }
    is_no_date(bytes).then_some(None)
}

/// `2026-03-02` at the start of `bytes`.
fn iso_day(bytes: &[u8]) -> Option<Date> {
    let digits = |range: std::ops::Range<usize>| {
        let part = bytes.get(range)?;
        part.iter().all(u8::is_ascii_digit).then(|| part.iter().fold(0, |number, byte| number * 10 + u32::from(byte - b'0')))
    };
    if bytes.get(4) != Some(&b'-') || bytes.get(7) != Some(&b'-') || bytes.get(10).is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let (year, month, day) = (digits(0..4)?, digits(5..7)?, digits(8..10)?);
    if year < 1000 {
        return None;
    }
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day).map(Date::day)
}

/// Plainly no date: it has no word of a relative time, no number that looks like a field, and no name of a month is linked
/// with a number.
fn is_no_date(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    // With nothing between but words that link: a number that stands before here.
    let mut after_number = false;
    // With nothing between but words that link: the last other word.
    let mut word: &[u8] = &[];
    while let [first, ..] = rest {
        let class = CLASSES[usize::from(*first)];
        let len = rest.iter().position(|&byte| CLASSES[usize::from(byte)] != class).unwrap_or(rest.len());
        let (own, behind) = rest.split_at(len);
        rest = behind;
        match class {
            Class::Digit => {
                // A field of a date, or a number that goes on.
                let goes_on = matches!(behind, [b'.' | b'/' | b'-' | b':' | b',' | 0x80.., ..]);
                if goes_on || (!word.is_empty() && may_name(word)) {
                    return false;
                }
                (after_number, word) = (true, &[]);
            }
            Class::Letter => {
                let is_usual = is_usual(own);
                if (!is_usual && is_relative(own)) || (after_number && may_name(own)) {
                    return false;
                }
                // Some words that link are names of months as well.
                let links = !is_usual && is_link(own);
                after_number &= links;
                if !links || may_name(own) {
                    word = own;
                }
            }
            Class::Odd => return false,
            Class::Other => {}
        }
    }
    true
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    /// For the careful reader.
    Odd,
    Other,
}

static CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b'`' | b'\\' | 0x80.. => Class::Odd,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

/// Words that may stand between the name of a month and a number.
const LINKS: [&str; 17] = ["e", "of", "de", "di", "da", "do", "st", "nd", "rd", "th", "er", "re", "del", "den", "mis", "the", "dhen"];

/// Words without one of which no relative time is said.
const RELATIVE: [&str; 8] = ["ago", "last", "next", "this", "today", "tonight", "tomorrow", "yesterday"];

fn is_link(word: &[u8]) -> bool {
    LINKS.iter().any(|link| word.eq_ignore_ascii_case(link.as_bytes()))
}

fn is_relative(word: &[u8]) -> bool {
    RELATIVE.iter().any(|relative| word.eq_ignore_ascii_case(relative.as_bytes()))
}

/// True where no word of the two lists has this first letter and this length, as for most words.
fn is_usual(word: &[u8]) -> bool {
    word.len() >= 16 || LENGTHS[usize::from(word[0] & 31)] & (1 << word.len()) == 0
}

/// For each letter a bit for each length of the words of the two lists that begin with it.
static LENGTHS: [u16; 32] = with_lengths(with_lengths([0; 32], &LINKS), &RELATIVE);

const fn with_lengths(mut lengths: [u16; 32], words: &[&str]) -> [u16; 32] {
    let mut at = 0;
    while at < words.len() {
        let word = words[at].as_bytes();
        lengths[(word[0] & 31) as usize] |= 1 << word.len();
        at += 1;
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::super::{find, find_slowly, read_whole};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]
        #[test]
        fn says_what_the_careful_reader_says(parts in prop::collection::vec(prop_oneof![
            Just("call"), Just("Oct"), Just("3"), Just(" "), Just(" "), Just("2026-03-02"), Just("("), Just(")"), Just(", "), Just("."), Just("session"),
            Just("yesterday"), Just("12"), Just("2026"), Just("editor"), Just("-"), Just("/"), Just("ago"), Just("days"), Just("the"), Just("a"), Just("week"),
            Just("maj"), Just("set"), Just(" of "), Just("rd "), Just(" de "), Just("March"), Just(" the "), Just("10:30"), Just("`"), Just("next"), Just("may"),
        ], 0..7)) {
            let text = parts.concat();
            if let Some(answer) = super::find(&text) {
                prop_assert_eq!(answer, find_slowly(&text, None), "{}", text);
            }
            if let Some(answer) = whole(text.trim()) {
                // What is no date by itself holds none either, or the careful reader would find it.
                let slow = find_slowly(text.trim(), None).filter(|found| found.range.len() == text.trim().len()).map(|found| found.written);
                prop_assert!(answer == slow || answer.is_some(), "{}", text);
            }
        }
    }

    #[test]
    fn plain_texts_are_quick() {
        for text in ["ci 2026-03-04", "2026-03-04", "user", "Primary editor 12", "Port 8 of the 3rd host", "README.md 2026-01-05"] {
            assert!(super::find(text).is_some(), "{text}");
        }
        assert_eq!(find("call Oct 3", None).map(|found| found.written), Some(Written::Yearless));
        assert_eq!(read_whole("yesterday", None), Some(Written::Relative));
    }
}
