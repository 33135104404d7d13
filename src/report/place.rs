//! Places: bytes come in, lines and columns for people go out.

use crate::text::{LineCounter, Position, TextRange, line_start};
use serde::Serialize;

/// A range as people count: from 1, the end is behind the last character.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Span {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) end_line: usize,
    pub(super) end_column: usize,
}

/// Finds the places of one text.
pub(super) struct Places<'a> {
    pub(super) text: &'a str,
    lines: LineCounter<'a>,
    /// Offset and place of the last start asked for. A column is counted on from there where it can be:
    /// counting from the start of the line each time is quadratic in lines with many findings.
    last: (usize, Position),
}

impl<'a> Places<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, lines: LineCounter::new(text), last: (0, Position { line: 1, column: 1 }) }
    }

    /// The place of `range`; what does not fit the text is pulled into it.
    pub(super) fn span(&mut self, range: TextRange) -> Span {
        let range = fit(self.text, range);
        let start = self.start(range);
        let end = self.position(range.end());
        Span { line: start.line, column: start.column, end_line: end.line, end_column: end.column }
    }

    /// The place at which `range` starts, for those who do not need its end.
    pub(super) fn start(&mut self, range: TextRange) -> Position {
        let offset = self.text.floor_char_boundary(range.start());
        self.last = (offset, self.position(offset));
        self.last.1
    }

    /// The line that holds `offset`, from 1.
    pub(super) fn line(&mut self, offset: usize) -> usize {
        self.lines.line(offset)
    }

    fn position(&mut self, offset: usize) -> Position {
        let (line, (seen, place)) = (self.lines.line(offset), self.last);
        let counted = seen <= offset && place.line == line;
        let (from, before) = if counted { (seen, place.column) } else { (line_start(self.text, offset), 1) };
        Position { line, column: before + TextRange::new(from, offset).of(self.text).chars().count() }
    }
}

/// `range` with both ends inside `text` and on character boundaries.
pub(super) fn fit(text: &str, range: TextRange) -> TextRange {
    TextRange::new(text.floor_char_boundary(range.start()), text.floor_char_boundary(range.end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_do_not_depend_on_the_order_of_questions() {
        let text = "né | 漢字 | x\r\nsecond\rthird\n";
        let offsets: Vec<_> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let index = crate::text::LineIndex::new(text);
        let mut places = Places::new(text);
        for &start in offsets.iter().chain(offsets.iter().rev()) {
            for &end in offsets.iter().filter(|&&end| end >= start) {
                let (from, to) = (index.position(text, start), index.position(text, end));
                let span = Span { line: from.line, column: from.column, end_line: to.line, end_column: to.column };
                assert_eq!(places.span(TextRange::new(start, end)), span);
            }
        }
        assert_eq!(places.span(TextRange::new(2, 999)), Span { line: 1, column: 2, end_line: 4, end_column: 1 });
    }
}
