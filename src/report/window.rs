//! What is shown of a text: lines without their endings, each cut to the width of the terminal, and no secret of it.

use super::visible;
use crate::diagnostic::Diagnostic;
use crate::text::{TextRange, line_end, line_start};
use std::ops::Range;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What stands where a line was cut.
pub(super) const CUT: &str = "...";

/// The parts of a text that are shown as stars.
#[derive(Default)]
pub(super) struct Veil {
    /// Invariant: sorted and disjoint, on character boundaries.
    ranges: Vec<TextRange>,
}

impl Veil {
    /// Hides what `diagnostics` say looks like a secret in `text`.
    pub(super) fn new(text: &str, diagnostics: &[Diagnostic]) -> Self {
        let secrets = diagnostics.iter().filter(|finding| finding.rule.hides()).map(|finding| finding.range);
        let whole = |at: TextRange| TextRange::new(text.floor_char_boundary(at.start()), text.ceil_char_boundary(at.end()));
        let mut found: Vec<_> = secrets.map(whole).collect();
        found.sort_unstable();
        let mut ranges: Vec<TextRange> = Vec::new();
        for range in found {
            match ranges.last_mut() {
                Some(last) if range.start() <= last.end() => *last = TextRange::new(last.start(), last.end().max(range.end())),
                _ => ranges.push(range),
            }
        }
        Self { ranges }
    }

    /// True where each byte of the piece `range` of a line is shown as it is, in one column.
    pub(super) fn shows_plainly(&self, text: &str, range: TextRange) -> bool {
        self.ranges.is_empty() && visible::is_plain(range.of(text).as_bytes())
    }

    /// Adds the bytes `range` of `text`, a piece of one line, to `out` as they are shown, and tells how many columns they take.
    pub(super) fn push(&self, out: &mut String, text: &str, range: TextRange) -> usize {
        let (mut at, mut columns) = (range.start(), 0);
        let next = self.ranges.partition_point(|secret| secret.end() <= at);
        for secret in self.ranges[next..].iter().take_while(|secret| secret.start() < range.end()) {
            columns += push(out, TextRange::new(at, secret.start().max(at)).of(text));
            let hidden = TextRange::new(secret.start().max(at), secret.end().min(range.end()));
            for _ in hidden.of(text).chars() {
                out.push('*');
                columns += 1;
            }
            at = hidden.end();
        }
        columns + push(out, TextRange::new(at, range.end()).of(text))
    }
}

/// Adds `text` to `out` with tabs four columns wide and hidden characters spelled; the columns it takes.
fn push(out: &mut String, text: &str) -> usize {
    if visible::is_plain(text.as_bytes()) {
        out.push_str(text);
        return text.len();
    }
    let start = out.len();
    for c in text.chars() {
        match c {
            '\t' => out.push_str("    "),
            _ => visible::push(out, c),
        }
    }
    out[start..].width()
}

/// The line that holds `offset`, without its ending and without a byte order mark, which belongs to no line that people see.
pub(super) fn line_at(text: &str, offset: usize) -> TextRange {
    let start = line_start(text, offset);
    let line = TextRange::new(start, line_end(text, start)).of(text);
    let mark = if start == 0 && line.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    TextRange::new(start + mark, start + line.len())
}

/// The line above the one that begins at `start`.
pub(super) fn line_before(text: &str, start: usize) -> TextRange {
    line_at(text, start.saturating_sub(1))
}

/// The part of `line` around `anchor` that fits into `room` columns. Looks at no more of the line than it shows.
pub(super) fn cut(line: &str, anchor: usize, room: usize) -> Range<usize> {
    if forward(line, 0, room) == line.len() {
        return 0..line.len();
    }
    let room = room.saturating_sub(2 * CUT.len());
    // A third of the room for what stands before: a label is read with what follows it.
    let start = backward(line, anchor, room / 3);
    let end = forward(line, start, room);
    if end == line.len() { backward(line, end, room)..end } else { start..end }
}

/// The offset that is `room` columns behind `from`, or the end.
fn forward(line: &str, from: usize, room: usize) -> usize {
    let end = line.len().min(from + room);
    if visible::is_plain(&line.as_bytes()[from..end]) {
        return end;
    }
    let rest = &line[from..];
    from + rest.len() - fill(rest.char_indices().map(|(at, c)| (rest.len() - at, c)), room)
}

/// The offset that is `room` columns before `to`, or the start.
fn backward(line: &str, to: usize, room: usize) -> usize {
    let start = to.saturating_sub(room);
    if visible::is_plain(&line.as_bytes()[start..to]) {
        return start;
    }
    fill(line[..to].char_indices().rev().map(|(at, c)| (at + c.len_utf8(), c)), room)
}

/// The number that comes with the first of `chars` that does not fit into `room` columns; 0 where all fit.
fn fill(chars: impl Iterator<Item = (usize, char)>, room: usize) -> usize {
    let mut used = 0;
    for (left, c) in chars {
        used += match c {
            '\t' => 4,
            _ if visible::is_hidden(c) => c.escape_unicode().count(),
            // What takes no column counts as one: nobody wants to see a thousand accents.
            _ => c.width().unwrap_or(1).max(1),
        };
        if used > room {
            return left;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(line: &str, room: usize, anchor: usize) -> &str {
        &line[cut(line, anchor, room)]
    }

    #[test]
    fn long_lines_are_cut_around_the_anchor() {
        let line = format!("{}needle{}", "a".repeat(6000), "b".repeat(6000));
        assert_eq!(seen(&line, 30, 6000), "aaaaaaaaneedlebbbbbbbbbb");
        assert_eq!(seen(&line, 30, 0), "aaaaaaaaaaaaaaaaaaaaaaaa");
        assert_eq!(seen(&line, 30, 12_004), "bbbbbbbbbbbbbbbbbbbbbbbb");
        assert_eq!(seen("漢漢漢漢漢漢漢漢漢漢", 16, 15), "漢漢漢漢漢");
        assert_eq!(seen(&format!("e{}", "\u{301}".repeat(500)), 16, 0).chars().count(), 10);
        assert_eq!(seen("short", 5, 3), "short");
        assert_eq!(seen("short", 0, 3), "");
    }

    #[test]
    fn what_is_shown_is_counted_in_columns() {
        let shown = |text: &str| {
            let mut out = String::new();
            let columns = Veil::new(text, &[]).push(&mut out, text, TextRange::new(0, text.len()));
            (out, columns)
        };
        assert_eq!(shown("plain"), ("plain".into(), 5));
        assert_eq!(shown("a\u{202e}b漢"), ("a\\u{202e}b漢".into(), 12));
        assert_eq!(shown("\tné e\u{301} 👍"), ("    né e\u{301} 👍".into(), 11));
    }

    #[test]
    fn lines_have_no_ending_and_no_mark() {
        let lines = |text| {
            let index = crate::text::LineIndex::new(text);
            [1, 2, 3].map(|number| index.start_of(text, number).map_or("", |start| line_at(text, start).of(text)))
        };
        assert_eq!(lines("\u{feff}a\r\nb"), ["a", "b", ""]);
        assert_eq!(lines("a\rb\n"), ["a", "b", ""]);
        assert_eq!(lines(""), ["", "", ""]);
    }
}
