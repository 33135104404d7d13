//! One range of bytes in one text.

use std::ops::Range;

/// A half-open range of bytes, 0-based: `start..end`.
///
/// Invariant: `start <= end`. A text is at most 4 GiB (the loader refuses larger ones), so offsets fit 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct TextRange {
    start: u32,
    end: u32,
}

impl TextRange {
    /// The range `start..end`; an end before the start gives the empty range at `start`.
    pub fn new(start: usize, end: usize) -> Self {
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        let end = u32::try_from(end).unwrap_or(u32::MAX);
        Self { start, end: end.max(start) }
    }

    /// The empty range at `offset`.
    pub fn empty(offset: usize) -> Self {
        Self::new(offset, offset)
    }

    /// First byte.
    pub fn start(self) -> usize {
        self.start as usize
    }

    /// One past the last byte.
    pub fn end(self) -> usize {
        self.end as usize
    }

    /// Number of bytes.
    pub fn len(self) -> usize {
        self.end() - self.start()
    }

    /// True where the range holds no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// True where `offset` is one of the range's bytes.
    pub fn contains(self, offset: usize) -> bool {
        self.start() <= offset && offset < self.end()
    }

    /// True where all bytes of `other` are in this range.
    pub fn covers(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// True where the two share a byte; ranges that only touch do not overlap.
    pub fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The bytes of `text` in this range; empty where the range does not fit the text.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start()..self.end()).unwrap_or("")
    }

    /// The same range, `by` bytes further on.
    pub(crate) fn shifted(self, by: usize) -> Self {
        Self::new(self.start() + by, self.end() + by)
    }

    /// This range without the blanks at its two ends.
    pub(crate) fn trimmed(self, text: &str) -> Self {
        // Nearly all have one space there, or none.
        let byte = |at: u32| text.as_bytes().get(at as usize).copied().unwrap_or(0);
        let start = self.start + u32::from(byte(self.start) == b' ');
        let last = self.end.wrapping_sub(1);
        let end = if byte(last) == b' ' { last } else { self.end };
        if start < end && byte(start).is_ascii_graphic() && byte(end - 1).is_ascii_graphic() {
            return Self { start, end };
        }
        self.trimmed_by_byte(text)
    }

    fn trimmed_by_byte(self, text: &str) -> Self {
        let inner = self.of(text);
        let mut rest = inner.as_bytes();
        let mut start = self.start;
        while let [b' ' | b'\t' | b'\n' | b'\r', behind @ ..] = rest {
            (rest, start) = (behind, start + 1);
        }
        while let [before @ .., b' ' | b'\t' | b'\n' | b'\r'] = rest {
            rest = before;
        }
        match rest {
            // There are other blanks, of which some are no ASCII.
            [first, .., last] if !first.is_ascii_graphic() || !last.is_ascii_graphic() => self.trimmed_of_all(inner),
            [only] if !only.is_ascii_graphic() => self.trimmed_of_all(inner),
            _ => Self { start, end: start + rest.len() as u32 },
        }
    }

    #[cold]
    fn trimmed_of_all(self, inner: &str) -> Self {
        let start = self.start() + (inner.len() - inner.trim_start().len());
        Self::new(start, start + inner.trim().len())
    }
}

impl std::fmt::Debug for TextRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

impl From<TextRange> for Range<usize> {
    fn from(range: TextRange) -> Self {
        range.start()..range.end()
    }
}

impl From<Range<usize>> for TextRange {
    fn from(range: Range<usize>) -> Self {
        Self::new(range.start, range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_blanks_at_the_ends_are_taken_off() {
        let text = " \ta \t\u{2003}b\u{a0}c \n\r.\u{b};  d\u{3000}";
        let places: Vec<usize> = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).collect();
        for (number, &start) in places.iter().enumerate() {
            for &end in &places[number..] {
                let range = TextRange::new(start, end);
                let trimmed = range.trimmed(text);
                assert_eq!(trimmed.of(text), range.of(text).trim(), "{range:?}");
                assert!(range.covers(trimmed), "{range:?} {trimmed:?}");
            }
        }
    }

    #[test]
    fn ranges_that_touch_share_nothing() {
        let [a, b, c] = [TextRange::new(0, 2), TextRange::new(2, 4), TextRange::new(1, 3)];
        assert_eq!([a.overlaps(b), b.overlaps(a), a.overlaps(c), c.overlaps(b)], [false, false, true, true]);
        assert_eq!([a.contains(0), a.contains(2), a.covers(a), a.covers(c)], [true, false, true, false]);
        assert_eq!((Range::from(c), TextRange::from(1..3)), (1..3, c));
    }
}
