//! The report for people: each finding with the lines it speaks of, in the look of rustc.

use super::concise::is_fixable;
use super::place::{Places, fit};
use super::window::{CUT, Veil, cut, line};
use super::{FileReport, Style, visible};
use crate::diagnostic::{Applicability, Diagnostic, Severity};
use crate::text::TextRange;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Related places that are shown of one finding.
const RELATED: usize = 8;
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
    let width = if style.width == 0 { WIDTH } else { style.width.max(NARROW) };
    let mut page = Page { out: String::new(), row: Vec::new(), color: style.color, width, digits: 1, level: RED };
    let mut marks = Vec::new();
    for file in files {
        let name = visible::name(file.name);
        let veil = Veil::new(file);
        let mut places = Places::new(file);
        for finding in file.diagnostics {
            page.finding(&name, &veil, &mut places, &mut marks, finding);
            out.write_all(page.out.as_bytes())?;
            page.out.clear();
        }
    }
    if let Some(help) = help(files) {
        page.paint(CYAN, &["help"]);
        page.paint(BOLD, &[": ", &help]);
        page.out.push('\n');
    }
    out.write_all(page.out.as_bytes())
}

/// What `memfile fix` would do about the findings: said once, not for each.
fn help(files: &[FileReport]) -> Option<String> {
    let findings = || files.iter().flat_map(|file| file.diagnostics);
    let safe = findings().filter(|finding| is_fixable(finding)).count();
    let risky = |finding: &&Diagnostic| finding.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Unsafe);
    match (safe, findings().filter(risky).count()) {
        (0, 0) => None,
        (safe, 0) => Some(format!("{safe} fixable with `memfile fix`")),
        (0, risky) => Some(format!("{risky} fixable with `memfile fix --unsafe-fixes`")),
        (safe, risky) => Some(format!("{safe} fixable with `memfile fix`, {risky} more with `--unsafe-fixes`")),
    }
}

/// The digits of `number`, which is not 0.
fn digits(number: usize) -> usize {
    number.ilog10() as usize + 1
}

/// A place in one line that is underlined.
struct Mark<'a> {
    line: usize,
    /// Bytes of the text, all in the line.
    range: TextRange,
    /// The last line, where the place goes on behind this one.
    until: Option<usize>,
    label: &'a str,
    primary: bool,
    /// The columns of the picture under which it is drawn, from 0; known when the line is.
    from: usize,
    to: usize,
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

impl<'a> Mark<'a> {
    fn new(places: &Places, range: TextRange, label: &'a str, primary: bool) -> Self {
        let range = fit(places.text, range);
        // A line ending at the end would drag the next line into the picture.
        let end = range.start() + range.of(places.text).trim_end_matches(['\r', '\n']).len();
        let number = places.index.line(range.start());
        let line = line(places, number);
        let until = if end > line.end() { Some(places.index.line(end)).filter(|&last| last > number) } else { None };
        let range = TextRange::new(range.start().clamp(line.start(), line.end()), end.min(line.end()));
        Self { line: number, range, until, label, primary, from: 0, to: 0 }
    }

    fn is_labelled(&self) -> bool {
        !self.label.is_empty() || self.until.is_some()
    }
}

impl Page {
    fn finding<'a>(&mut self, name: &str, veil: &Veil, places: &mut Places, marks: &mut Vec<Mark<'a>>, finding: &'a Diagnostic) {
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
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(self.out, " {name}:{}:{}", start.line, start.column);
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
            let (number, anchor) = (first.line, first.range.start());
            match above.map(|above| number - above) {
                None | Some(0 | 1) => {}
                Some(2) => drop(self.line(veil, places, number - 1, None, room)),
                Some(_) => self.out.push_str("...\n"),
            }
            let (seen, indent) = self.line(veil, places, number, Some(anchor), room);
            // What is cut off has a piece of the line of its own.
            let fits = |mark: &&Mark| mark.line == number && mark.range.end() <= seen.end();
            let count = marks.iter().take_while(fits).count().max(1);
            let (here, rest) = marks.split_at_mut(count);
            let end = self.out.len();
            for mark in &mut *here {
                let shown = TextRange::new(mark.range.start(), mark.range.end().min(seen.end()));
                mark.from = indent + veil.push(&mut self.out, places.text, TextRange::new(seen.start(), shown.start()));
                mark.to = mark.from + veil.push(&mut self.out, places.text, shown).max(1);
                self.out.truncate(end);
            }
            self.marks(here);
            marks = rest;
            above = Some(number);
        }
    }

    /// The line `number`, cut around `anchor`: the bytes that are shown, and the column at which they begin.
    fn line(&mut self, veil: &Veil, places: &Places, number: usize, anchor: Option<usize>, room: usize) -> (TextRange, usize) {
        let whole = line(places, number);
        let anchor = anchor.map_or(0, |anchor| anchor - whole.start());
        let seen = TextRange::from(cut(whole.of(places.text), anchor, room)).shifted(whole.start());
        self.gutter(Some(number));
        if !whole.is_empty() {
            self.out.push(' ');
        }
        let indent = if seen.start() > whole.start() { CUT } else { "" };
        self.out.push_str(indent);
        veil.push(&mut self.out, places.text, seen);
        self.out.push_str(if seen.end() < whole.end() { CUT } else { "" });
        self.out.push('\n');
        (seen, indent.len())
    }

    /// The rows below a line: what is marked in it, then the labels that did not fit there, the last first.
    fn marks(&mut self, marks: &mut [Mark]) {
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

    /// The strings on which labels hang, as far as they begin before the column `end`; the column behind them.
    fn strings<'m>(&mut self, marks: impl Iterator<Item = &'m Mark<'m>>, end: usize) -> usize {
        self.gutter(None);
        self.out.push(' ');
        let mut column = 0;
        for mark in marks.filter(|mark| mark.from < end) {
            // Those that hang at one place have one string.
            if mark.from >= column {
                self.spaces(mark.from - column);
                self.paint(if mark.primary { self.level } else { BLUE }, &["|"]);
                column = mark.from + 1;
            }
        }
        column
    }

    fn label(&mut self, mark: &Mark) {
        let color = if mark.primary { self.level } else { BLUE };
        let label = visible::one_line(mark.label);
        match mark.until {
            None => self.paint(color, &[&label]),
            Some(line) if label.is_empty() => self.paint(color, &["up to line ", &line.to_string()]),
            Some(line) => self.paint(color, &[&label, " (up to line ", &line.to_string(), ")"]),
        }
    }

    /// The start of a row, with the number of the line or without one.
    fn gutter(&mut self, number: Option<usize>) {
        self.spaces(self.digits - number.map_or(0, digits));
        self.out.push_str(if self.color { BLUE } else { "" });
        if let Some(number) = number {
            let _ = write!(self.out, "{number}");
        }
        self.out.push_str(" |");
        self.out.push_str(if self.color { RESET } else { "" });
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

    fn spaces(&mut self, mut count: usize) {
        const SPACES: &str = "                                ";
        while count > 0 {
            let some = count.min(SPACES.len());
            self.out.push_str(&SPACES[..some]);
            count -= some;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Format, sample};
    use super::*;

    const TEXT: &str = "# Facts\n\n- Database | MySQL\n- Port | 80\n- Database | Postgres\n";

    fn at(text: &str, needle: &str) -> TextRange {
        let start = text.find(needle).expect("the needle is in the text");
        TextRange::new(start, start + needle.len())
    }

    fn check(text: &str, finding: Diagnostic, expected: &str) {
        assert_eq!(sample::render(Format::Full, text, &[finding]), format!("{}\n\n", expected.trim_matches('\n')));
    }

    fn note(range: TextRange) -> Diagnostic {
        Diagnostic::new(&sample::LARGE, range, "odd")
    }

    #[test]
    fn the_finding_its_successor_and_its_help() {
        let old =
            sample::untagged(at(TEXT, "Database | MySQL")).with_related(at(TEXT, "Database | Postgres"), "replaced it").with_help("tag it");
        let repeat = Diagnostic::new(&sample::REPEAT, at(TEXT, "80"), "equal value twice");
        let expected = "\
error[untagged-historical]: an older version of `database` carries no tag
 --> docs/AGENTS.md:3:3
  |
3 | - Database | MySQL
  |   ^^^^^^^^^^^^^^^^
4 | - Port | 80
5 | - Database | Postgres
  |   ------------------- replaced it
  |
  = help: tag it

warning[repeat]: equal value twice
 --> docs/AGENTS.md:4:10
  |
4 | - Port | 80
  |          ^^

help: 1 fixable with `memfile fix`
";
        assert_eq!(sample::render(Format::Full, TEXT, &[old, repeat]), expected);
    }

    #[test]
    fn a_far_place_stands_in_the_same_picture() {
        let text = format!("- a | 1\n{}- a | 2\n", "filler\n".repeat(100));
        let expected = "
hint[over-budget]: odd
   --> docs/AGENTS.md:1:3
    |
  1 | - a | 1
    |   ^^^^^
...
102 | - a | 2
    |   ----- replaced it
";
        check(&text, note(at(&text, "a | 1")).with_related(at(&text, "a | 2"), "replaced it"), expected);
        let mut finding = note(at(&text, "a | 1"));
        for _ in 0..RELATED + 4 {
            finding = finding.with_related(at(&text, "a | 2"), "replaced it");
        }
        let report = sample::render(Format::Full, &text, &[finding]);
        assert_eq!(report.matches(" replaced it\n").count(), RELATED);
        assert!(report.contains("= note: and 4 more places"), "{report}");
    }

    #[test]
    fn long_lines_are_cut_and_tabs_are_wide() {
        let text = format!("-\t{}end | {}\n", "abc ".repeat(1500), "value ".repeat(1000));
        let finding = note(at(&text, "end"));
        let files = [FileReport { name: "a.md", text: &text, diagnostics: &[finding] }];
        let mut out = Vec::new();
        write(&mut out, &files, Style { color: false, width: 50 }).expect("a Vec takes all");
        let expected = "\
hint[over-budget]: odd
 --> a.md:1:6003
  |
1 | ... abc abc abc end | value value value val...
  |                 ^^^

";
        assert_eq!(String::from_utf8_lossy(&out), expected);
        let expected = "
hint[over-budget]: odd
 --> docs/AGENTS.md:1:3
  |
1 | -    a    b
  |      ^^^^^^
";
        check("-\ta\tb\r\n", note(TextRange::new(2, 5)), expected);
    }

    #[test]
    fn ranges_over_several_lines_and_at_the_end() {
        let several = "
hint[over-budget]: odd
 --> docs/AGENTS.md:3:1
  |
3 | - Database | MySQL
  | ^^^^^^^^^^^^^^^^^^ up to line 4
";
        check(&TEXT.replace('\n', "\r\n"), note(TextRange::new(11, 44)), several);
        check(&TEXT.replace('\n', "\r"), note(TextRange::new(9, 40)), several);
        let end = "
hint[over-budget]: odd
 --> docs/AGENTS.md:6:1
  |
6 |
  | ^
";
        check(TEXT, note(TextRange::empty(TEXT.len())), end);
        check(TEXT, note(TextRange::new(TEXT.len() + 7, TEXT.len() + 9)), end);
        let tall = "
hint[over-budget]: odd
 --> docs/AGENTS.md:1:1
  |
1 | # Facts
  | ^^^^^^^ up to line 101
";
        let text = format!("# Facts{}", "\nx".repeat(100));
        check(&text, note(TextRange::new(0, text.len())), tall);
    }

    #[test]
    fn several_labels_in_one_line() {
        let text = "- left | middle | right\n- next\n- third\n- fourth | x\n";
        let finding = note(at(text, "middle"))
            .with_related(at(text, "right"), "the last")
            .with_related(at(text, "fourth | x\n"), "behind a line")
            .with_related(at(text, "left"), "the first")
            .with_related(at(text, "left | middle"), "both")
            .with_related(at(text, "next\n- third"), "two lines");
        let expected = "
hint[over-budget]: odd
 --> docs/AGENTS.md:1:10
  |
1 | - left | middle | right
  |   -------^^^^^^   ----- the last
  |   |
  |   the first
  |   both
2 | - next
  |   ---- two lines (up to line 3)
3 | - third
4 | - fourth | x
  |   ---------- behind a line
";
        check(text, finding, expected);
        let finding = note(at(text, "right")).with_related(at(text, "middle"), "hangs").with_related(at(text, "left"), "too");
        let expected = "
hint[over-budget]: odd
 --> docs/AGENTS.md:1:19
  |
1 | - left | middle | right
  |   ----   ------   ^^^^^
  |   |      |
  |   |      hangs
  |   too
";
        check(text, finding, expected);
    }

    #[test]
    fn places_far_apart_in_one_line_have_a_piece_each() {
        let text = format!("first {}second\n", "abc ".repeat(3000));
        let report = sample::render(Format::Full, &text, &[note(at(&text, "second")).with_related(at(&text, "first"), "here")]);
        let lines: Vec<_> = report.lines().collect();
        assert_eq!(lines[1], " --> docs/AGENTS.md:1:12007");
        assert!(lines[3].starts_with("1 | first abc") && lines[3].ends_with("...") && lines[3].len() <= 140, "{report}");
        assert_eq!(lines[4], "  | ----- here");
        assert!(lines[5].starts_with("1 | ...") && lines[5].ends_with(" second") && lines[5].len() <= 140, "{report}");
        assert_eq!(lines[5].find("second"), lines[6].find("^^^^^^"));
    }

    #[test]
    fn marks_stand_under_wide_and_hidden_characters() {
        let text = "\u{feff}- 数据库 | 👍 e\u{301} x\u{202e} | ende\n";
        let finding = note(at(text, "数据库")).with_related(at(text, "👍"), "thumb").with_related(at(text, "ende"), "end");
        let expected = "
hint[over-budget]: odd
 --> docs/AGENTS.md:1:4
  |
1 | - 数据库 | 👍 e\u{301} x\\u{202e} | ende
  |   ^^^^^^   --               ---- end
  |            |
  |            thumb
";
        check(text, finding, expected);
    }

    /// A report on a file with many findings in one line of 2 MB takes no time for the parts that nobody sees.
    #[test]
    fn a_huge_line_is_not_read_for_each_finding() {
        let text = "é | value ".repeat(200_000);
        let findings: Vec<_> = (0..2000).map(|idx| note(TextRange::new(idx * 1100, idx * 1100 + 500))).collect();
        let report = sample::render(Format::Full, &text, &findings);
        assert_eq!(report.matches("hint[over-budget]").count(), 2000);
        assert!(report.lines().all(|line| line.chars().count() <= 140));
    }

    #[test]
    fn a_secret_is_in_no_picture() {
        let text = "- Key | sk-123\n- Key | sk-456\n";
        let secret = Diagnostic::new(&sample::SECRET, at(text, "sk-123"), "looks like a secret");
        let repeat = Diagnostic::new(&sample::REPEAT, at(text, "Key"), "equal value twice");
        let report = sample::render(Format::Full, text, &[repeat.with_related(secret.range, "here"), secret]);
        assert_eq!(report.matches("1 | - Key | ******\n").count(), 2, "{report}");
        assert!(!report.contains("123"), "{report}");
    }

    #[test]
    fn colours_only_on_demand() {
        let files = [FileReport { name: "a.md", text: "evil \u{1b}[2J\n", diagnostics: &[note(TextRange::new(0, 9))] }];
        let render = |color| {
            let mut out = Vec::new();
            write(&mut out, &files, Style { color, width: 80 }).expect("a Vec takes all");
            String::from_utf8(out).expect("UTF-8")
        };
        assert!(!render(false).contains('\u{1b}'));
        assert!(render(true).contains("\u{1b}[") && !render(true).contains("\u{1b}[2J"));
        assert!(render(true).contains("evil \\u{1b}[2J"));
        assert!(
            render(true).starts_with("\u{1b}[1;96mhint[over-budget]\u{1b}[0m\u{1b}[1m: odd\u{1b}[0m\n \u{1b}[1;94m-->\u{1b}[0m a.md:1:1\n")
        );
        let plain = [RED, YELLOW, CYAN, BLUE, BOLD, RESET].iter().fold(render(true), |text, code| text.replace(code, ""));
        assert_eq!(plain, render(false));
    }
}
