//! Places as editors count them: line and character from 0, the character in code units of an encoding that both sides agreed on.
//!
//! In: an offset in bytes, or a place. Out: the other. A place that the text does not have is pulled into it, so that no message of
//! an editor can lead outside (Language Server Protocol 3.17, section "Position").

use super::{LineIndex, TextRange, line_end};

/// The code units in which an editor counts characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// What every editor speaks.
    #[default]
    Utf16,
}

impl Encoding {
    fn width(self, c: char) -> usize {
        match self {
            Self::Utf8 => c.len_utf8(),
            Self::Utf16 => c.len_utf16(),
        }
    }
}

/// A place in a text as editors count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Place {
    /// Line, from 0.
    pub line: u32,
    /// Code units before it in its line.
    pub character: u32,
}

impl LineIndex {
    /// Where `offset` (a byte of `text`, the text this index was made from) is for an editor. Inside a character its start is meant,
    /// inside a line ending the end of the line's text.
    pub fn place(&self, text: &str, offset: usize, encoding: Encoding) -> Place {
        let offset = text.floor_char_boundary(offset);
        let number = self.line(text, offset);
        let start = self.start_of(text, number).unwrap_or(0);
        let part = TextRange::new(start, offset.min(line_end(text, start))).of(text);
        let units = match encoding {
            Encoding::Utf8 => part.len(),
            Encoding::Utf16 => part.chars().map(char::len_utf16).sum(),
        };
        let whole = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Place { line: whole(number - 1), character: whole(units) }
    }

    /// The byte of `text` that an editor means by `place`: behind the last line the end of the text, behind a line's text its end, inside
    /// a character its start.
    pub fn offset(&self, text: &str, place: Place, encoding: Encoding) -> usize {
        let Some(start) = self.start_of(text, (place.line as usize).saturating_add(1)) else { return text.len() };
        let line = TextRange::new(start, line_end(text, start)).of(text);
        let mut left = place.character as usize;
        for (at, c) in line.char_indices() {
            match left.checked_sub(encoding.width(c)) {
                Some(rest) => left = rest,
                None => return start + at,
            }
        }
        start + line.len()
    }

    /// The bytes between two places, in whichever order they are given.
    pub fn range(&self, text: &str, from: Place, to: Place, encoding: Encoding) -> TextRange {
        let (from, to) = (self.offset(text, from, encoding), self.offset(text, to, encoding));
        TextRange::new(from.min(to), from.max(to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXT: &str = "a😀b\r\nпорт\ré\n";

    #[test]
    fn places_count_in_both_encodings() {
        let index = LineIndex::new(TEXT);
        let at = |offset, encoding| {
            let place = index.place(TEXT, offset, encoding);
            (place.line, place.character)
        };
        assert_eq!((at(5, Encoding::Utf8), at(5, Encoding::Utf16)), ((0, 5), (0, 3)));
        assert_eq!((at(12, Encoding::Utf8), at(12, Encoding::Utf16)), ((1, 4), (1, 2)));
        // Inside the emoji, and between CR and LF.
        assert_eq!((at(3, Encoding::Utf16), at(7, Encoding::Utf16)), ((0, 1), (0, 4)));
        assert_eq!(at(TEXT.len(), Encoding::Utf16), (3, 0));
    }

    #[test]
    fn places_outside_are_pulled_in() {
        let index = LineIndex::new(TEXT);
        let at = |line, character| index.offset(TEXT, Place { line, character }, Encoding::Utf16);
        assert_eq!((at(0, 2), at(0, 3), at(0, 99)), (1, 5, 6));
        assert_eq!((at(1, u32::MAX), at(3, 1), at(u32::MAX, 0)), (16, TEXT.len(), TEXT.len()));
        let (from, to) = (Place { line: 1, character: 1 }, Place { line: 0, character: 1 });
        assert_eq!(index.range(TEXT, from, to, Encoding::Utf16), TextRange::new(1, 10));
    }

    proptest! {
        #[test]
        fn a_place_leads_back(text in "[a😀é\r\n]{0,12}") {
            let index = LineIndex::new(&text);
            for encoding in [Encoding::Utf8, Encoding::Utf16] {
                for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
                    let inside = text[..offset].ends_with('\r') && text[offset..].starts_with('\n');
                    let back = index.offset(&text, index.place(&text, offset, encoding), encoding);
                    prop_assert_eq!(back, if inside { offset - 1 } else { offset });
                }
            }
        }
    }
}
