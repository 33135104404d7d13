//! The piece of a text that a finding is shown with: a few lines, each cut to the width of the terminal.
//!
//! annotate-snippets reads the whole source it is given, for each finding again, and places labels by what stands in it.
//! So it gets only what will be seen: a bullet of 12 KB is a hundred characters around the label before it gets there,
//! and control characters are spelled out.

use super::place::Places;
use super::{FileReport, visible};
use crate::text::{LineIndex, TextRange};
use std::ops::Range;

/// What stands where a line was cut.
const CUT: &str = "...";
/// The rule whose findings are never shown (SPEC 7): not in its own report, and not where another finding shows the line.
const SECRET: &str = "possible-secret";

/// The parts of a text that are shown as stars.
pub(super) struct Veil {
    /// Invariant: sorted and disjoint.
    ranges: Vec<TextRange>,
}

/// Some neighbouring lines of a text, as they are shown.
pub(super) struct Window<'a> {
    text: &'a str,
    index: &'a LineIndex,
    veil: &'a Veil,
    /// The lines as they are shown, each ended by `\n`.
    pub(super) source: String,
    /// Number of the first line, from 1.
    pub(super) first: usize,
    lines: Vec<Shown>,
}

/// One line of a window.
struct Shown {
    /// The bytes of the text that are shown.
    bytes: TextRange,
    /// The offset in `source` at which they are.
    at: usize,
}

impl Veil {
    /// Hides what looks like a secret in `file`.
    pub(super) fn new(file: &FileReport) -> Self {
        let secrets = file.diagnostics.iter().filter(|finding| finding.rule.name == SECRET);
        let mut found: Vec<_> = secrets.map(|finding| finding.range).collect();
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

    /// Adds the bytes `range` of `text` to `out` as they are shown.
    fn push(&self, out: &mut String, text: &str, range: TextRange) {
        for (at, c) in range.of(text).char_indices() {
            let offset = range.start() + at;
            let next = self.ranges.partition_point(|secret| secret.end() <= offset);
            if self.ranges.get(next).is_some_and(|secret| secret.contains(offset)) {
                out.push('*');
            } else {
                visible::push(out, c);
            }
        }
    }
}

impl<'a> Window<'a> {
    /// The lines with the numbers `numbers`, each at most `room` columns wide, cut around the first of `anchors` in it.
    pub(super) fn new(places: &'a Places, veil: &'a Veil, numbers: Range<usize>, room: usize, anchors: &[usize]) -> Self {
        let (text, index) = (places.text, &places.index);
        let mut window = Self { text, index, veil, source: String::new(), first: numbers.start, lines: Vec::new() };
        for number in numbers {
            let bytes = line(text, index, number);
            let anchor = anchors.iter().find(|&&anchor| bytes.start() <= anchor && anchor <= bytes.end());
            let seen = cut(bytes.of(text), anchor.map_or(0, |anchor| anchor - bytes.start()), room);
            window.push(bytes, TextRange::from(seen).shifted(bytes.start()));
        }
        window
    }

    fn push(&mut self, whole: TextRange, seen: TextRange) {
        // A byte order mark at the start of a file belongs to no line that people see.
        let mark = if seen.start() == 0 && self.text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let bytes = TextRange::new(seen.start() + mark, seen.end());
        if seen.start() > whole.start() {
            self.source.push_str(CUT);
        }
        self.lines.push(Shown { bytes, at: self.source.len() });
        self.veil.push(&mut self.source, self.text, bytes);
        if seen.end() < whole.end() {
            self.source.push_str(CUT);
        }
        self.source.push('\n');
    }

    /// The place of `range` in `source`, clipped to what is shown; `None` where nothing of it is.
    pub(super) fn place(&self, range: TextRange) -> Option<Range<usize>> {
        let shown = |offset| self.index.line(offset).checked_sub(self.first).and_then(|idx| self.lines.get(idx));
        let (first, last) = (shown(range.start())?, shown(range.end())?);
        let touches = range.start() <= first.bytes.end() && first.bytes.start() <= range.end();
        if std::ptr::eq(first, last) && !(touches && range.is_empty() || first.bytes.overlaps(range)) {
            return None;
        }
        let start = self.offset_in(first, range.start());
        Some(start..self.offset_in(last, range.end()).max(start))
    }

    /// The offset in the source of the text's byte at `offset`, or of the nearest one that `line` shows.
    fn offset_in(&self, line: &Shown, offset: usize) -> usize {
        let start = line.bytes.start();
        let mut before = String::new();
        self.veil.push(&mut before, self.text, TextRange::new(start, offset.min(line.bytes.end())));
        line.at + before.len()
    }
}

/// The line with the number `number`, without its ending.
fn line(text: &str, index: &LineIndex, number: usize) -> TextRange {
    let start = index.start_of(number).unwrap_or(text.len());
    let end = index.start_of(number + 1).unwrap_or(text.len());
    let line = TextRange::new(start, end).of(text);
    let ending = line.len() - line.trim_end_matches(['\r', '\n']).len();
    TextRange::new(start, end - ending)
}

/// The part of `line` around `anchor` that fits into `room` columns.
fn cut(line: &str, anchor: usize, room: usize) -> Range<usize> {
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
    let rest = line.get(from..).unwrap_or("");
    from + rest.len() - fill(rest.char_indices().map(|(at, c)| (rest.len() - at, c)), room)
}

/// The offset that is `room` columns before `to`, or the start.
fn backward(line: &str, to: usize, room: usize) -> usize {
    let rest = line.get(..to).unwrap_or("");
    fill(rest.char_indices().rev().map(|(at, c)| (at + c.len_utf8(), c)), room)
}

/// The number that comes with the first of `chars` that does not fit into `room` columns; 0 where all fit.
fn fill(chars: impl Iterator<Item = (usize, char)>, room: usize) -> usize {
    let mut used = 0;
    for (left, c) in chars {
        used += columns(c);
        if used > room {
            return left;
        }
    }
    0
}

/// The columns that `c` takes at most: as annotate-snippets shows tabs, as [`visible`] spells, and two for what may be wide.
fn columns(c: char) -> usize {
    match c {
        '\t' => 4,
        _ if visible::is_hidden(c) => c.escape_unicode().count(),
        '\0'..'\u{1100}' => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(text: &str, room: usize, range: TextRange) -> (String, Option<Range<usize>>) {
        let file = FileReport { name: "a.md", text, diagnostics: &[] };
        let (places, veil) = (Places::new(&file), Veil::new(&file));
        let lines = places.index.line(range.start())..places.index.line(range.end()) + 1;
        let window = Window::new(&places, &veil, lines, room, &[range.start()]);
        let place = window.place(range);
        (window.source, place)
    }

    fn labelled(text: &str, room: usize, range: TextRange) -> (String, String) {
        let (source, place) = window(text, room, range);
        let label = place.and_then(|place| source.get(place)).unwrap_or("?").to_owned();
        (source, label)
    }

    #[test]
    fn long_lines_are_cut_around_the_label() {
        let text = format!("{}needle{}\n", "a".repeat(6000), "b".repeat(6000));
        let (source, label) = labelled(&text, 30, TextRange::new(6000, 6006));
        assert_eq!((source.as_str(), label.as_str()), ("...aaaaaaaaneedlebbbbbbbbbb...\n", "needle"));
        let (source, label) = labelled(&text, 30, TextRange::new(0, 12006));
        assert_eq!((source.as_str(), label.as_str()), ("aaaaaaaaaaaaaaaaaaaaaaaa...\n", "aaaaaaaaaaaaaaaaaaaaaaaa"));
        let (source, label) = labelled(&text, 30, TextRange::new(12004, 12006));
        assert_eq!((source.as_str(), label.as_str()), ("...bbbbbbbbbbbbbbbbbbbbbbbb\n", "bb"));
    }

    #[test]
    fn hidden_characters_move_the_label() {
        let (source, label) = labelled("\u{feff}a\u{202e}b漢\n", 80, TextRange::new(3, 11));
        assert_eq!((source.as_str(), label.as_str()), ("a\\u{202e}b漢\n", "a\\u{202e}b漢"));
        let (source, label) = labelled("漢漢漢漢漢漢漢漢漢漢\n", 16, TextRange::new(15, 18));
        assert_eq!((source.as_str(), label.as_str()), ("...漢漢漢漢漢...\n", "漢"));
    }

    #[test]
    fn the_ends_of_texts_and_lines_are_places() {
        assert_eq!(window("a\n", 80, TextRange::empty(2)), ("\n".into(), Some(0..0)));
        assert_eq!(window("", 80, TextRange::empty(0)), ("\n".into(), Some(0..0)));
        assert_eq!(window("a\r\nb", 80, TextRange::new(1, 4)), ("a\nb\n".into(), Some(1..3)));
        assert_eq!(window("a\rb", 80, TextRange::empty(3)), ("b\n".into(), Some(1..1)));
    }
}
