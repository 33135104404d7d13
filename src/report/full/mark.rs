//! A place of a finding in the line that is shown.
//!
//! In: a range of the text. Out: [`Mark`], the part of it in its first line.

use super::super::place::{Places, fit};
use super::super::window::line_at;
use crate::text::TextRange;

/// A place in one line that is underlined.
pub(super) struct Mark<'a> {
    pub(super) line: usize,
    /// The line, without its ending.
    pub(super) whole: TextRange,
    /// Bytes of the text, all in the line.
    pub(super) range: TextRange,
    /// The last line, where the place goes on behind this one.
    pub(super) until: Option<usize>,
    pub(super) label: &'a str,
    pub(super) primary: bool,
    /// The columns of the picture under which it is drawn, from 0; known when the line is.
    pub(super) from: usize,
    pub(super) to: usize,
}

impl<'a> Mark<'a> {
    pub(super) fn new(places: &mut Places, range: TextRange, label: &'a str, primary: bool) -> Self {
        let range = fit(places.text, range);
        // A line ending at the end would drag the next line into the picture.
        let end = range.start() + range.of(places.text).trim_end_matches(['\r', '\n']).len();
        let number = places.line(range.start());
        let line = line_at(places.text, range.start());
        let until = if end > line.end() { Some(places.line(end)).filter(|&last| last > number) } else { None };
        let range = TextRange::new(range.start().clamp(line.start(), line.end()), end.min(line.end()));
        Self { line: number, whole: line, range, until, label, primary, from: 0, to: 0 }
    }

    pub(super) fn is_labelled(&self) -> bool {
        !self.label.is_empty() || self.until.is_some()
    }
}
