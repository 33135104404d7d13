//! The report for people: each finding with the lines it speaks of, in the look of rustc.

mod mark;
mod sheet;

use self::mark::Mark;
use self::sheet::Sheet;
use super::place::Places;
use super::window::{CUT, Veil, cut, line_before};
use super::{FileReport, Style, visible};
use crate::diagnostic::{Diagnostic, Severity, Tally};
use crate::text::TextRange;
use std::io::{self, Write};

/// Related places that are shown of one finding.
const RELATED: usize = 8;
/// Findings that a terminal gets of one run. A person reads the first ones, and mends what they have in common; a pipe gets all.
const SHOWN: usize = 1000;
/// About how many bytes are written at once.
const PIECE: usize = 32 << 10;
/// About how many bytes a finding takes.
const FINDING: usize = 500;
/// Columns of a terminal that does not tell them.
const WIDTH: usize = 140;
/// Columns below which no line is cut: the pieces would say nothing.
const NARROW: usize = 40;

/// Escape sequences, as rustc uses them.
const BOLD: &str = "\u{1b}[1m";
const RED: &str = "\u{1b}[1;91m";
const YELLOW: &str = "\u{1b}[1;33m";
const CYAN: &str = "\u{1b}[1;96m";
const BLUE: &str = "\u{1b}[1;94m";
const RESET: &str = "\u{1b}[0m";

/// Writes all findings, and how to fix those that can be fixed.
pub(super) fn write(out: &mut dyn Write, files: &[FileReport], style: Style) -> io::Result<()> {
    let mut page = Page::new(style);
    let most = if style.width == 0 { usize::MAX } else { SHOWN };
    let mut left = most;
    for file in files {
        let some = &file.diagnostics[..left.min(file.diagnostics.len())];
        let mut sheet = Sheet::new(file.name, file.text);
        // What is hidden is hidden even if it is found where nothing is shown any more.
        sheet.hide(file.diagnostics);
        page.findings(out, &mut sheet, some)?;
        left -= some.len();
    }
    let tally: Tally = files.iter().map(|file| Tally::of(file.diagnostics)).sum();
    if tally.all() > most {
        let more =
            format!("{} more findings: `--statistics` counts them, `--output-format concise` has a line for each", tally.all() - most);
        page.last(out, "note", &more)?;
    }
    page.help(out, tally)
}

/// Writes the findings of one file, all of them.
pub(super) fn pieces<'a>(name: &'a str, text: &'a str, style: Style) -> impl FnMut(&mut dyn Write, &[Diagnostic]) -> io::Result<()> + 'a {
    let (mut page, mut sheet) = (Page::new(style), Sheet::new(name, text));
    move |out, found| {
        sheet.hide(found);
        page.findings(out, &mut sheet, found)
    }
}

/// Writes how to fix those of all findings that can be fixed.
pub(super) fn write_end(out: &mut dyn Write, tally: Tally, style: Style) -> io::Result<()> {
    Page::new(style).help(out, tally)
}

/// The digits of `number`, which is not 0.
fn digits(number: usize) -> usize {
    number.ilog10() as usize + 1
}

/// What has been drawn of the report and not yet written, and how to go on.
struct Page {
    out: String,
    /// The row under a line: blanks, `-` and `^`.
    row: Vec<u8>,
    color: bool,
    width: usize,
    /// Digits of the greatest line number in the picture.
    digits: usize,
    /// The colour of the finding.
    level: &'static str,
}

impl Page {
    fn new(style: Style) -> Self {
        let width = if style.width == 0 { WIDTH } else { style.width.max(NARROW) };
        Self { out: String::new(), row: Vec::new(), color: style.color, width, digits: 1, level: RED }
    }

    /// Findings of a file.
    fn findings(&mut self, out: &mut dyn Write, sheet: &mut Sheet, findings: &[Diagnostic]) -> io::Result<()> {
        let mut marks = Vec::new();
        self.out.reserve(PIECE.min(findings.len() * FINDING));
        for finding in findings {
            self.finding(sheet, &mut marks, finding);
            if self.out.len() > PIECE {
                self.written(out)?;
            }
        }
        self.written(out)
    }

    /// What `memfile fix` would do about the findings: said once, not for each.
    fn help(&mut self, out: &mut dyn Write, tally: Tally) -> io::Result<()> {
        let help = match (tally.safe, tally.risky) {
            (0, 0) => return Ok(()),
            (safe, 0) => format!("{safe} fixable with `memfile fix`"),
            (0, risky) => format!("{risky} fixable with `memfile fix --unsafe-fixes`"),
            (safe, risky) => format!("{safe} fixable with `memfile fix`, {risky} more with `--unsafe-fixes`"),
        };
        self.last(out, "help", &help)
    }

    /// A line behind all findings.
    fn last(&mut self, out: &mut dyn Write, word: &str, text: &str) -> io::Result<()> {
        self.paint(CYAN, &[word]);
        self.paint(BOLD, &[": ", text]);
        self.out.push('\n');
        self.written(out)
    }

    fn written(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.out.as_bytes())?;
        self.out.clear();
        Ok(())
    }

    fn finding<'a>(&mut self, sheet: &mut Sheet, marks: &mut Vec<Mark<'a>>, finding: &'a Diagnostic) {
        let Sheet { name, veil, places } = sheet;
        let start = places.start(finding.range);
        marks.clear();
        marks.push(Mark::new(places, finding.range, "", true));
        marks.extend(finding.related.iter().take(RELATED).map(|related| Mark::new(places, related.range, &related.label, false)));
        // The sort is stable: the finding itself stays before what stands at the same place.
        marks.sort_by_key(|mark| mark.range.start());
        self.digits = marks.last().map_or(1, |mark| digits(mark.line));
        let severity = finding.rule.severity;
        self.level = match severity {
            Severity::Error => RED,
            Severity::Warning => YELLOW,
            Severity::Hint => CYAN,
        };
        self.paint(self.level, &[severity.as_str(), "[", finding.rule.name, "]"]);
        self.paint(BOLD, &[": ", &visible::one_line(&finding.message)]);
        self.out.push('\n');
        self.spaces(self.digits);
        self.paint(BLUE, &["-->"]);
        self.paint("", &[" ", name, ":"]);
        self.number(start.line);
        self.out.push(':');
        self.number(start.column);
        self.out.push('\n');
        self.gutter(None);
        self.out.push('\n');
        self.picture(veil, places, marks);
        let more = finding.related.len().saturating_sub(RELATED);
        if more > 0 || !finding.help.is_empty() {
            self.gutter(None);
            self.out.push('\n');
        }
        for help in &finding.help {
            self.footer("help", &visible::one_line(help));
        }
        if more > 0 {
            self.footer("note", &format!("and {more} more places"));
        }
        self.out.push('\n');
    }

    /// The lines of `marks`, which are sorted, with the marks under them.
    fn picture(&mut self, veil: &Veil, places: &Places, mut marks: &mut [Mark]) {
        let room = self.width.saturating_sub(self.digits + " | ".len());
        let mut above = None;
        while let Some(first) = marks.first() {
            let (number, whole, anchor) = (first.line, first.whole, first.range.start());
            match above.map(|above| number - above) {
                None | Some(0 | 1) => {}
                Some(2) => {
                    let before = line_before(places.text, whole.start());
                    self.line(veil, places.text, number - 1, before, None, room);
                }
                Some(_) => self.out.push_str("...\n"),
            }
            let (seen, indent, is_plain) = self.line(veil, places.text, number, whole, Some(anchor), room);
            // What is cut off has a piece of the line of its own.
            let fits = |mark: &&Mark| mark.line == number && mark.range.end() <= seen.end();
            let count = marks.iter().take_while(fits).count().max(1);
            let (here, rest) = marks.split_at_mut(count);
            for mark in &mut *here {
                let shown = TextRange::new(mark.range.start(), mark.range.end().min(seen.end()));
                let before = TextRange::new(seen.start(), shown.start());
                let mut columns = |range: TextRange| if is_plain { range.len() } else { self.columns(veil, places.text, range) };
                mark.from = indent + columns(before);
                mark.to = mark.from + columns(shown).max(1);
            }
            self.marks(here);
            marks = rest;
            above = Some(number);
        }
    }

    /// The columns that the bytes `range` of a line take.
    fn columns(&mut self, veil: &Veil, text: &str, range: TextRange) -> usize {
        let end = self.out.len();
        let columns = veil.push(&mut self.out, text, range);
        self.out.truncate(end);
        columns
    }

    /// The line `whole` with its number, cut around `anchor`: the bytes that are shown, the column at which they begin, and whether
    /// each takes one.
    fn line(
        &mut self,
        veil: &Veil,
        text: &str,
        number: usize,
        whole: TextRange,
        anchor: Option<usize>,
        room: usize,
    ) -> (TextRange, usize, bool) {
        if whole.len() <= room && !whole.is_empty() && veil.shows_plainly(text, whole) {
            self.gutter(Some(number));
            self.out.push(' ');
            self.out.push_str(whole.of(text));
            self.out.push('\n');
            return (whole, 0, true);
        }
        let anchor = anchor.map_or(0, |anchor| anchor - whole.start());
        let seen = TextRange::from(cut(whole.of(text), anchor, room)).shifted(whole.start());
        self.gutter(Some(number));
        if !whole.is_empty() {
            self.out.push(' ');
        }
        let indent = if seen.start() > whole.start() { CUT } else { "" };
        self.out.push_str(indent);
        veil.push(&mut self.out, text, seen);
        self.out.push_str(if seen.end() < whole.end() { CUT } else { "" });
        self.out.push('\n');
        (seen, indent.len(), veil.shows_plainly(text, seen))
    }

    /// The rows below a line: what is marked in it, then the labels that did not fit there, the last first.
    fn marks(&mut self, marks: &mut [Mark]) {
        if let [only] = marks {
            return self.mark(only);
        }
        let end = marks.iter().map(|mark| mark.to).max().unwrap_or(0);
        self.row.clear();
        self.row.resize(end, b' ');
        // The shorter of two lies above; the finding above its equals.
        marks.sort_by_key(|mark| (std::cmp::Reverse(mark.to - mark.from), mark.primary));
        for mark in &*marks {
            self.row[mark.from..mark.to].fill(if mark.primary { b'^' } else { b'-' });
        }
        marks.sort_by_key(|mark| mark.from);
        let last = marks.last().map_or(0, |mark| mark.from);
        let beside = marks.iter().rposition(|mark| mark.is_labelled() && mark.from == last && mark.to == end);
        self.gutter(None);
        self.out.push(' ');
        let row = std::mem::take(&mut self.row);
        for run in row.chunk_by(|left, right| left == right) {
            let color = match run[0] {
                b' ' => "",
                b'^' => self.level,
                _ => BLUE,
            };
            self.paint(color, &[str::from_utf8(run).unwrap_or_default()]);
        }
        self.row = row;
        if let Some(beside) = beside {
            self.out.push(' ');
            self.label(&marks[beside]);
        }
        self.out.push('\n');
        let below = |&(idx, mark): &(usize, &Mark)| mark.is_labelled() && Some(idx) != beside;
        let hanging = || marks.iter().enumerate().filter(below).map(|(_, mark)| mark);
        if hanging().next().is_some() {
            self.strings(hanging(), usize::MAX);
            self.out.push('\n');
        }
        for mark in hanging().rev() {
            let column = self.strings(hanging(), mark.from);
            self.spaces(mark.from - column);
            self.label(mark);
            self.out.push('\n');
        }
    }

    /// The row below a line in which only `mark` is marked: as [`Page::marks`] draws it, without a sort.
    fn mark(&mut self, mark: &Mark) {
        self.gutter(None);
        self.out.push(' ');
        self.spaces(mark.from);
        self.out.push_str(if self.color { self.color_of(mark) } else { "" });
        self.signs(if mark.primary { "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^" } else { "--------------------------------" }, mark.to - mark.from);
        self.out.push_str(if self.color { RESET } else { "" });
        if mark.is_labelled() {
            self.out.push(' ');
            self.label(mark);
        }
        self.out.push('\n');
    }

    fn color_of(&self, mark: &Mark) -> &'static str {
        if mark.primary { self.level } else { BLUE }
    }

    /// The strings on which labels hang, as far as they begin before the column `end`; the column behind them.
    fn strings<'m>(&mut self, marks: impl Iterator<Item = &'m Mark<'m>>, end: usize) -> usize {
        self.gutter(None);
        self.out.push(' ');
        let mut column = 0;
        for mark in marks.filter(|mark| mark.from < end) {
            // Those that hang at one place have one string.
            if mark.from >= column {
                self.spaces(mark.from - column);
                self.paint(self.color_of(mark), &["|"]);
                column = mark.from + 1;
            }
        }
        column
    }

    fn label(&mut self, mark: &Mark) {
        let color = self.color_of(mark);
        let label = visible::one_line(mark.label);
        match mark.until {
            None => self.paint(color, &[&label]),
            Some(line) if label.is_empty() => self.paint(color, &["up to line ", &line.to_string()]),
            Some(line) => self.paint(color, &[&label, " (up to line ", &line.to_string(), ")"]),
        }
    }

    /// The start of a row, with the number of the line or without one.
    fn gutter(&mut self, number: Option<usize>) {
        let mut buffer = itoa::Buffer::new();
        let number = number.map_or("", |number| buffer.format(number));
        self.spaces(self.digits - number.len());
        self.out.push_str(if self.color { BLUE } else { "" });
        self.out.push_str(number);
        self.out.push_str(if self.color { concat!(" |", "\u{1b}[0m") } else { " |" });
    }

    fn number(&mut self, number: usize) {
        self.out.push_str(itoa::Buffer::new().format(number));
    }

    fn footer(&mut self, word: &str, text: &str) {
        self.spaces(self.digits);
        self.paint(BLUE, &[" = "]);
        self.paint(BOLD, &[word]);
        self.paint("", &[": ", text, "\n"]);
    }

    fn paint(&mut self, color: &str, parts: &[&str]) {
        let colored = self.color && !color.is_empty();
        self.out.push_str(if colored { color } else { "" });
        for part in parts {
            self.out.push_str(part);
        }
        self.out.push_str(if colored { RESET } else { "" });
    }

    fn spaces(&mut self, count: usize) {
        self.signs("                                ", count);
    }

    /// `count` signs, of which `some` are one sort.
    fn signs(&mut self, some: &str, count: usize) {
        let mut left = count;
        while left > 0 {
            let len = left.min(some.len());
            self.out.push_str(&some[..len]);
            left -= len;
        }
    }
}

#[cfg(test)]
mod tests;
