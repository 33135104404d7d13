//! The report for people: each finding with the lines it speaks of, drawn by annotate-snippets.

use super::concise::is_fixable;
use super::place::{Places, fit};
use super::window::{Veil, Window};
use super::{FileReport, Style, visible};
use crate::diagnostic::{Applicability, Diagnostic, Related, Severity};
use crate::text::TextRange;
use annotate_snippets::renderer::DEFAULT_TERM_WIDTH;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Padding, Renderer, Snippet, Title};
use std::io::{self, Write};
use std::ops::Range;

/// Lines between a finding and a related place that is still drawn into the same picture.
const NEAR: usize = 8;
/// Lines of a finding that are drawn as one; of a longer one, the first is shown.
const TALL: usize = 12;
/// Related places that are shown of one finding.
const RELATED: usize = 8;
/// Columns below which no line is cut: the pieces would say nothing.
const NARROW: usize = 40;

/// Writes all findings, and how to fix those that can be fixed.
pub(super) fn write(out: &mut dyn Write, files: &[FileReport], style: Style) -> io::Result<()> {
    let renderer = if style.color { Renderer::styled() } else { Renderer::plain() };
    // The windows are cut to the width already. annotate-snippets gives up on what it cannot cut and prints whole lines.
    let renderer = renderer.term_width(usize::from(u16::MAX));
    let width = if style.width == 0 { DEFAULT_TERM_WIDTH } else { style.width.max(NARROW) };
    for file in files {
        let name = visible::name(file.name);
        let veil = Veil::new(file);
        let mut places = Places::new(file);
        for finding in file.diagnostics {
            let picture = Picture { name: &name, veil: &veil, width, finding };
            writeln!(out, "{}\n", picture.draw(&renderer, &mut places))?;
        }
    }
    match help(files) {
        Some(help) => writeln!(out, "{}", renderer.render(&[Group::with_title(Level::HELP.secondary_title(help))])),
        None => Ok(()),
    }
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

/// One finding, about to be drawn.
struct Picture<'a> {
    name: &'a str,
    veil: &'a Veil,
    width: usize,
    finding: &'a Diagnostic,
}

/// Lines of the text, and what is to be marked in them.
struct Marked {
    source: String,
    first: usize,
    primary: Range<usize>,
    note: Option<String>,
    secondary: Vec<(Range<usize>, String)>,
}

impl Picture<'_> {
    fn draw(&self, renderer: &Renderer, places: &mut Places) -> String {
        let finding = self.finding;
        let level = match finding.rule.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Hint => Level::NOTE.with_name("hint"),
        };
        let near: Vec<_> = finding.related.iter().take(RELATED).collect();
        let (marked, far) = self.mark(places, finding.range, &near);
        let mut groups = vec![self.origin(
            level.clone().primary_title(visible::one_line(&finding.message)).id(finding.rule.name),
            places,
            finding.range,
        )];
        let mut body = Group::with_level(level).element(marked.into_snippet());
        let mut help: Vec<_> = finding.help.iter().map(|help| Level::HELP.message(visible::one_line(help))).collect();
        if let Some(more @ 1..) = finding.related.len().checked_sub(RELATED) {
            help.push(Level::NOTE.message(format!("and {more} more places")));
        }
        if !help.is_empty() || !far.is_empty() {
            body = body.element(Padding);
        }
        groups.push(body.elements(help));
        for related in far {
            let title = Level::NOTE.secondary_title(visible::one_line(&related.label));
            groups.push(self.origin(title, places, related.range));
            groups.push(Group::with_level(Level::NOTE).element(self.mark(places, related.range, &[]).0.into_snippet()));
        }
        without_third_line(renderer.render(&groups))
    }

    /// The title and the `-->` line. annotate-snippets would count the column in the window; it is counted in the text.
    fn origin<'b>(&'b self, title: Title<'b>, places: &mut Places, range: TextRange) -> Group<'b> {
        let span = places.span(range);
        title.element(Origin::path(self.name).line(span.line).char_column(span.column))
    }

    /// Chooses the lines that show `range`, and which of `related` are shown with it; the others come back.
    fn mark<'b>(&self, places: &Places, range: TextRange, related: &[&'b Related]) -> (Marked, Vec<&'b Related>) {
        let (text, index) = (places.text, &places.index);
        let mut primary = drawn(text, range);
        let (first, last) = (index.line(primary.start()), index.line(primary.end()));
        let note = (last - first >= TALL).then(|| format!("up to line {last}"));
        if note.is_some() {
            let second = index.start_of(first + 1).unwrap_or(text.len());
            primary = drawn(text, TextRange::new(primary.start(), second));
        }
        let mut lines = first..index.line(primary.end()) + 1;
        let mut anchors = vec![primary.start()];
        let mut ranges = Vec::new();
        for related in related {
            let range = drawn(text, related.range);
            let numbers = index.line(range.start())..index.line(range.end()) + 1;
            let near = first.saturating_sub(NEAR) <= numbers.start && numbers.end <= first + TALL + NEAR;
            if near {
                lines = lines.start.min(numbers.start)..lines.end.max(numbers.end);
                anchors.push(range.start());
            }
            ranges.push((*related, near.then_some(range)));
        }
        // The end of a range of several lines is worth seeing where nothing begins in its line.
        anchors.push(primary.end());
        let gutter = last.max(lines.end).to_string().len() + " |   ".len();
        let window = Window::new(places, self.veil, lines, self.width.saturating_sub(gutter), &anchors);
        let mut far = Vec::new();
        let mut secondary = Vec::new();
        for (related, range) in ranges {
            match range.and_then(|range| window.place(range)) {
                Some(place) => secondary.push((place, visible::one_line(&related.label).into_owned())),
                None => far.push(related),
            }
        }
        let primary = window.place(primary).unwrap_or(0..0);
        (Marked { source: window.source, first: window.first, primary, note, secondary }, far)
    }
}

impl Marked {
    fn into_snippet(self) -> Snippet<'static, Annotation<'static>> {
        let primary = AnnotationKind::Primary.span(self.primary).label(self.note);
        let secondary = self.secondary.into_iter().map(|(place, label)| AnnotationKind::Context.span(place).label(label));
        Snippet::source(self.source).line_start(self.first).annotation(primary).annotations(secondary)
    }
}

/// The part of `range` that is drawn: a line ending at its end would drag the next line into the picture.
fn drawn(text: &str, range: TextRange) -> TextRange {
    let range = fit(text, range);
    TextRange::new(range.start(), range.start() + range.of(text).trim_end_matches(['\r', '\n']).len())
}

/// Takes the third line out. annotate-snippets draws an empty line both below the `-->` and above the snippet,
/// because the two stand in groups of their own: in one group, it would count the column itself.
fn without_third_line(picture: String) -> String {
    let mut ends = picture.match_indices('\n').skip(1).map(|(at, _)| at);
    match (ends.next(), ends.next()) {
        (Some(second), Some(third)) => format!("{}{}", &picture[..second], &picture[third..]),
        _ => picture,
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
    fn a_far_place_has_a_picture_of_its_own() {
        let text = format!("- a | 1\n{}- a | 2\n", "filler\n".repeat(100));
        let expected = "
hint[over-budget]: odd
   --> docs/AGENTS.md:1:3
    |
  1 | - a | 1
    |   ^^^^^
    |
note: replaced it
   --> docs/AGENTS.md:102:3
    |
102 | - a | 2
    |   ^^^^^
";
        check(&text, note(at(&text, "a | 1")).with_related(at(&text, "a | 2"), "replaced it"), expected);
        let mut finding = note(at(&text, "a | 1"));
        for _ in 0..RELATED + 4 {
            finding = finding.with_related(at(&text, "a | 2"), "replaced it");
        }
        let report = sample::render(Format::Full, &text, &[finding]);
        assert_eq!(report.matches("note: replaced it").count(), RELATED);
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
1 | ...abc abc abc end | value value value va...
  |                ^^^

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
3 | / - Database | MySQL
4 | | - Port | 80
  | |___________^
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
    }
}
