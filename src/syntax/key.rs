//! Whether a text is the key of a record: short, no sentence, no address, no date (SPEC 3).
//!
//! In: the text before a separator. Out: [`Key`].

use super::date;
use crate::config::Config;
use crate::text::{TextRange, strip_markup};

/// Longest key, in characters and in words.
pub(super) const KEY_CHARS: usize = 60;
const KEY_WORDS: usize = 8;

/// What a text before a separator is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    /// A parameter: short, no sentence punctuation, no URL, no date.
    Parameter,
    /// A date: the line is an entry of a log.
    Date,
    /// Anything else.
    None,
}

pub(super) fn key_kind(text: &str, range: TextRange, config: &Config) -> Key {
    let raw = range.of(text);
    if raw.is_empty() || raw.len() > 12 * KEY_CHARS {
        return Key::None;
    }
    let glance = Glance::of(raw.as_bytes());
    if !glance.has(MARK) {
        return glance.kind(raw, config);
    }
    let key = strip_markup(raw);
    Glance::of(key.as_bytes()).kind(&key, config)
}

/// What one look at the bytes of a key tells.
struct Glance {
    /// The classes of its bytes, see [`class`].
    classes: u8,
    blanks: usize,
}

const LETTER: u8 = 1;
const DIGIT: u8 = 1 << 1;
const BLANK: u8 = 1 << 2;
/// Punctuation of a sentence, wherever it stands.
const STOP: u8 = 1 << 3;
/// Punctuation of a sentence where nothing or a blank follows.
const DOT: u8 = 1 << 4;
/// Marks of emphasis or code.
const MARK: u8 = 1 << 5;
const NOT_ASCII: u8 = 1 << 6;

const fn class(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' => LETTER,
        b'0'..=b'9' => DIGIT,
        b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' => BLANK,
        b'!' | b'?' | b';' => STOP,
        b'.' | b',' | b':' => DOT,
        b'*' | b'_' | b'`' | b'~' | b'\\' => MARK,
        0x80.. => NOT_ASCII,
        _ => 0,
    }
}

static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < classes.len() {
        classes[byte] = class(byte as u8);
        byte += 1;
    }
    classes
};

impl Glance {
    fn of(key: &[u8]) -> Self {
        let mut glance = Self { classes: 0, blanks: 0 };
        for &byte in key {
            let class = CLASSES[usize::from(byte)];
            glance.classes |= class;
            glance.blanks += usize::from(class / BLANK % 2);
        }
        glance
    }

    fn has(&self, classes: u8) -> bool {
        self.classes & classes != 0
    }

    fn kind(&self, key: &str, config: &Config) -> Key {
        if self.has(DIGIT)
            && let Some(kind) = dated(key, config)
        {
            return kind;
        }
        let bytes = key.as_bytes();
        let ends = |at: usize| class(bytes[at]) == DOT && bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace);
        let is_sentence = || (0..bytes.len()).any(ends) || key.contains("://") || key.contains("www.");
        if self.has(STOP) || (self.has(DOT) && is_sentence()) {
            return Key::None;
        }
        let (chars, letters) = if !self.has(NOT_ASCII) {
            (key.len(), self.has(LETTER | DIGIT))
        } else {
            if key.contains(['。', '！', '？', '；', '，']) {
                return Key::None;
            }
            (key.chars().count(), key.chars().any(char::is_alphanumeric))
        };
        let words = if self.blanks < KEY_WORDS { self.blanks + 1 } else { key.split_whitespace().count() };
        if letters && chars <= KEY_CHARS && words <= KEY_WORDS { Key::Parameter } else { Key::None }
    }
}

/// What a key with digits is where a date is in it.
fn dated(key: &str, config: &Config) -> Option<Key> {
    let bare_year = key.bytes().all(|byte| byte.is_ascii_digit());
    if !bare_year && date::find(key, config.date_order).is_none() {
        return None;
    }
    match date::read_whole(key, config.date_order) {
        Some(_) => Some(Key::Date),
        None if bare_year => None,
        None => Some(Key::None),
    }
}
