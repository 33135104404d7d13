//! A place in a text that reads forward: the tokens of which dates are made, and the borders at which a date may stand.

use crate::text::TextRange;
use unicode_normalization::char::is_combining_mark;

/// A place in a text. Reading gives a new place and leaves this one as it is.
///
/// Invariant: `at` is a char boundary of `text`.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

/// A run of digits.
#[derive(Clone, Copy)]
pub(super) struct Number {
    /// Its value; meaningless where there are more than 9 digits.
    pub(super) value: u32,
    /// How many digits, counted up to 10.
    pub(super) digits: usize,
}

/// No date has longer tokens; what is longer is not read to its end, which keeps reading linear.
const LONGEST_BLANKS: usize = 8;
const LONGEST_WORD: usize = 40;
const LONGEST_UNSPACED: usize = 20;
const LONGEST_NAME: usize = 64;
const LONGEST_NUMBER: usize = 10;

impl<'a> Cursor<'a> {
    /// The start of `text`.
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The byte `at` of `text`, or its end where that is no char boundary.
    pub(super) fn at_offset(text: &'a str, at: usize) -> Self {
        Self { text, at: if text.is_char_boundary(at) { at } else { text.len() } }
    }

    /// The offset in bytes.
    pub(super) fn at(self) -> usize {
        self.at
    }

    /// What is still to be read.
    pub(super) fn rest(self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// True where nothing follows but a full stop.
    pub(super) fn ends_text(self) -> bool {
        matches!(self.rest(), "" | "." | "。")
    }

    /// The bytes from here to `end`.
    pub(super) fn to(self, end: Self) -> TextRange {
        TextRange::new(self.at, end.at)
    }

    /// The text from here to `end`.
    pub(super) fn text_to(self, end: Self) -> &'a str {
        self.to(end).of(self.text)
    }

    /// The next char.
    pub(super) fn peek(self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The chars before this place, the nearest first.
    fn before(self) -> impl Iterator<Item = char> {
        self.text.get(..self.at).unwrap_or("").chars().rev()
    }

    /// The place behind the next char.
    pub(super) fn next(self) -> Self {
        Self { at: self.at + self.peek().map_or(0, char::len_utf8), ..self }
    }

    /// The place behind the next char, if it is `wanted`.
    pub(super) fn eat(self, wanted: impl Fn(char) -> bool) -> Option<Self> {
        self.peek().is_some_and(wanted).then(|| self.next())
    }

    /// The place behind the blanks here, if there are any.
    pub(super) fn blanks(self) -> Self {
        let blanks = self.rest().chars().take(LONGEST_BLANKS).take_while(|c| c.is_whitespace());
        Self { at: self.at + blanks.map(char::len_utf8).sum::<usize>(), ..self }
    }

    /// The digits here, ASCII or full width, as Chinese and Japanese texts have them.
    pub(super) fn number(self) -> Option<(Number, Self)> {
        let mut number = Number { value: 0, digits: 0 };
        let mut at = self;
        while let Some(digit) = at.peek().and_then(digit).filter(|_| number.digits < LONGEST_NUMBER) {
            number.value = number.value.wrapping_mul(10).wrapping_add(digit);
            number.digits += 1;
            at = at.next();
        }
        (number.digits > 0).then_some((number, at))
    }

    /// The word here: letters, and inside it dots, hyphens and apostrophes, as in `ม.ค.`, `d'abril` and `co-op`.
    /// A word that goes on with digits is none.
    pub(super) fn word(self) -> Option<(&'a str, Self)> {
        let first = self.peek().filter(|first| first.is_alphabetic())?;
        let longest = if is_unspaced(first) { LONGEST_UNSPACED } else { LONGEST_WORD };
        let mut end = self;
        let mut letters = 0;
        loop {
            let next = end.eat(is_letter).or_else(|| end.eat(is_joiner)?.eat(is_letter));
            let Some(next) = next else { break };
            letters += 1;
            if letters > longest {
                return None;
            }
            end = next;
        }
        let last = end.before().next().unwrap_or(' ');
        let goes_on = end.peek().is_some_and(|c| c == '_' || c.is_numeric()) && !is_unspaced(last);
        (!goes_on).then_some((self.text_to(end), end))
    }

    /// False where no number follows so soon that the words before it can be a name of a month.
    pub(super) fn is_near_number(self) -> bool {
        self.rest().chars().take(LONGEST_NAME).any(|c| digit(c).is_some())
    }

    /// What parts the words and numbers of a date: blanks, with a dot or comma before them, or one hyphen or slash.
    /// The char says which: ` `, `,`, `-` or `/`.
    pub(super) fn gap(self) -> Option<(char, Self)> {
        let dotted = self.eat(|c| matches!(c, '.' | '॰' | '་')).unwrap_or(self);
        if let Some(parted) = dotted.eat(|c| matches!(c, ',' | '،')) {
            return Some((',', parted.blanks()));
        }
        let blank = dotted.blanks();
        if blank.at > self.at {
            return Some((' ', blank));
        }
        self.separator().filter(|&(mark, _)| mark != '.')
    }

    /// The mark between the fields of a date in digits. A hyphen may be one that does not break.
    pub(super) fn separator(self) -> Option<(char, Self)> {
        let mark = match self.peek()? {
            '-' | '\u{2010}' | '\u{2011}' => '-',
            mark @ ('.' | '/') => mark,
            _ => return None,
        };
        Some((mark, self.next()))
    }

    /// True where a date may start here: what stands before is no part of a word, number, path, version or ticket.
    pub(super) fn opens(self) -> bool {
        let mut before = self.before();
        let Some(last) = before.next() else { return true };
        let after_digit = before.next().is_some_and(char::is_numeric);
        match last {
            '_' | '-' | '\u{2010}' | '\u{2011}' | '/' | '.' | '\\' | '@' | '#' | '&' | '=' | '%' | '+' | '~' | '^' => false,
            '$' | '€' | '£' | '¥' | '₽' => false,
            // `1,200`, `10:30`, `2–5 March`: the number goes on.
            ',' | ':' | '–' => !after_digit,
            _ => !is_letter(last) && !last.is_numeric() || is_unspaced(last),
        }
    }

    /// True where a date may end here: it does not go on as a word, number, path, version or amount.
    pub(super) fn closes(self) -> bool {
        let Some(next) = self.peek() else { return true };
        let after = self.next().peek();
        let before_word = after.is_some_and(|c| c.is_alphanumeric() || c == '_');
        match next {
            '_' | '%' | '°' | '$' | '€' | '£' | '¥' | '₽' => false,
            '-' | '\u{2010}' | '\u{2011}' | '/' | '.' | '\\' | '@' | '#' | '&' | '=' | '+' | '\'' | '’' => !before_word,
            ',' | ':' => !after.is_some_and(char::is_numeric),
            _ => !is_letter(next) && !next.is_numeric() || is_unspaced(next),
        }
    }

    /// The place behind the word or number here. In a script without spaces, behind one char: a word may start anywhere.
    pub(super) fn past_token(self) -> Self {
        let mut at = self.next();
        if self.peek().is_some_and(is_unspaced) {
            return at;
        }
        while let Some(next) = at.eat(|c| (is_letter(c) || c.is_numeric() || c == '_') && !is_unspaced(c)) {
            at = next;
        }
        at
    }

    /// The place where a web address ends: at a blank or the mark that closes a link.
    pub(super) fn past_address(self) -> Self {
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, ')' | '>' | ']' | '"' | '|' | '`' | '，' | '。' | '）'));
        Self { at: self.at + end.unwrap_or(rest.len()), ..self }
    }
}

fn digit(c: char) -> Option<u32> {
    match c {
        '０'..='９' => Some(u32::from(c) - u32::from('０')),
        _ => c.to_digit(10),
    }
}

/// A letter or a mark on one: the vowels of Indian scripts are marks, and chars without width shape their letters.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || !c.is_ascii() && (c.is_alphabetic() || is_combining_mark(c) || matches!(c, '\u{200c}' | '\u{200d}'))
}

/// What may stand between two letters of one word.
fn is_joiner(c: char) -> bool {
    matches!(c, '.' | '-' | '\'' | '’' | '་')
}

/// A letter of a script that is written without spaces between words: Thai, Lao, Burmese, Khmer, kana, Chinese; Korean
/// too, which hangs its particles on the date.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c), 0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3005..=0x3007 | 0x3040..=0x30FF | 0x31F0..=0x31FF
        | 0x3400..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x2_0000..=0x3_FFFF)
}
