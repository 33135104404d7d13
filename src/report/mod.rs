//! Reports: findings come in, text goes out, in the formats of `--output-format` (SPEC 8).
//!
//! Nothing here decides anything: the findings are printed in the order in which they come, and everything goes to the
//! writer that the caller hands in. Bytes become lines and columns here and nowhere before.
//! What a file holds is hostile until shown otherwise: no format for people prints a control character of it (see the function [`visible()`]).

mod concise;
mod diff;
mod full;
mod github;
mod json;
mod place;
pub mod queries;
#[cfg(test)]
mod sample;
mod sarif;
mod visible;
mod window;

pub use concise::Statistics;
pub use diff::diff;
pub use visible::{for_terminal, json_line, name, talk, visible};

use crate::diagnostic::{Diagnostic, Tally};
use std::io::{self, Write};

/// The findings of one file.
#[derive(Clone, Copy, Debug)]
pub struct FileReport<'a> {
    /// The file, relative to the current folder, with `/`.
    pub name: &'a str,
    /// The text that the ranges of `diagnostics` are bytes of.
    pub text: &'a str,
    /// What was found, in the order in which it is to be printed.
    pub diagnostics: &'a [Diagnostic],
}

/// A form of the report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Format {
    /// Findings with their lines, for people
    #[default]
    Full,
    /// One line a finding: FILE:LINE:COLUMN: SEVERITY RULE MESSAGE
    Concise,
    /// One JSON array
    Json,
    /// One JSON object a line
    Jsonl,
    /// Workflow commands that GitHub turns into annotations
    Github,
    /// SARIF 2.1.0
    Sarif,
}

/// How a report for people looks; the formats for machines take no notice of it.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// True where the output may hold escape sequences that colour it.
    pub color: bool,
    /// Columns of the terminal; longer lines of a file are cut around what is found in them.
    pub width: usize,
}

/// Writes the findings of `files` to `out`.
///
/// # Errors
/// Only those of `out`.
pub fn write(out: &mut dyn Write, format: Format, files: &[FileReport], style: Style) -> io::Result<()> {
    match format {
        Format::Full => full::write(out, files, style),
        Format::Json => json::write_array(out, files),
        Format::Sarif => sarif::write(out, files),
        Format::Concise | Format::Jsonl | Format::Github => {
            files.iter().try_for_each(|file| pieces(format, file.name, file.text, style)(out, file.diagnostics))
        }
    }
}

/// True where the report of a run is that of its files one by one, by [`pieces`], with [`write_end`] behind. A document that is one whole is
/// not, nor what a terminal gets, which is only the first findings.
pub fn is_told_by_file(format: Format, style: Style) -> bool {
    match format {
        Format::Full => style.width == 0,
        Format::Concise | Format::Jsonl | Format::Github => true,
        Format::Json | Format::Sarif => false,
    }
}

/// Writes findings of a file, a piece after another; its errors are those of the writer.
pub type Pieces<'a> = Box<dyn FnMut(&mut dyn Write, &[Diagnostic]) -> io::Result<()> + 'a>;

/// Who writes the findings of the file `name` in pieces, in text order. The first piece must have every finding that hides something.
pub fn pieces<'a>(format: Format, name: &'a str, text: &'a str, style: Style) -> Pieces<'a> {
    match format {
        Format::Full => Box::new(full::pieces(name, text, style)),
        Format::Concise => Box::new(concise::pieces(name, text)),
        Format::Jsonl => Box::new(json::pieces(name, text)),
        Format::Github => Box::new(github::pieces(name, text)),
        // Each piece is a document.
        Format::Json | Format::Sarif => {
            Box::new(move |out, diagnostics| write(out, format, &[FileReport { name, text, diagnostics }], style))
        }
    }
}

/// Writes what stands behind the findings of all files, of which `tally` are the counts.
///
/// # Errors
/// Only those of `out`.
pub fn write_end(out: &mut dyn Write, format: Format, tally: Tally, style: Style) -> io::Result<()> {
    match format {
        Format::Full => full::write_end(out, tally, style),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::sample::{self, WIDE};
    use super::*;
    use crate::text::TextRange;
    use proptest::prelude::*;

    const FORMATS: [Format; 6] = [Format::Full, Format::Concise, Format::Json, Format::Jsonl, Format::Github, Format::Sarif];

    #[test]
    fn nothing_found_is_nothing_written_but_for_whole_documents() {
        for format in FORMATS {
            let report = sample::render(format, "text\n", &[]);
            match format {
                Format::Json => assert_eq!(report, "[]\n"),
                Format::Sarif => assert!(report.contains("\"results\":[]")),
                _ => assert_eq!(report, ""),
            }
        }
    }

    #[test]
    fn control_characters_never_reach_the_output() {
        let evil = "a\u{1b}[31m\u{7}b\u{9b}31mc\u{202e}d\u{200b}e\u{7f}f\u{feff}g\u{2028}h\u{e0041}i\rj\u{0}k";
        let text = format!("- {evil}\n- x | {evil}\n");
        let finding = Diagnostic::new(&sample::UNTAGGED, TextRange::new(2, text.len()), evil)
            .about(evil)
            .with_related(TextRange::new(0, 3), evil)
            .with_related(TextRange::new(text.len() - 8, text.len()), evil)
            .with_help(evil);
        let files = [FileReport { name: evil, text: &text, diagnostics: &[finding] }];
        for format in FORMATS {
            let mut out = Vec::new();
            write(&mut out, format, &files, WIDE).expect("a Vec takes all");
            let report = String::from_utf8(out).expect("UTF-8");
            let raw = report.chars().find(|&c| visible::is_hidden(c) && c != '\n');
            assert_eq!(raw, None, "{format:?}: {report}");
        }
        let (mut statistics, mut out) = (Statistics::default(), Vec::new());
        statistics.add(files[0].diagnostics);
        statistics.write(&mut out).expect("a Vec takes all");
        assert_eq!(String::from_utf8_lossy(&out), "  1  error  untagged-historical\n");
    }

    proptest! {
        /// Any text, any ranges, even such as do not fit the text: no panic, and nothing raw.
        #[test]
        fn odd_ranges_are_reported_too(
            text in "([a-z0-9é漢👍|\\- \t\u{200d}\u{1b}]{0,40}(\n|\r\n|\r)?){0,6}",
            ranges in prop::collection::vec((0_usize..300, 0_usize..80), 1..6),
            width in prop_oneof![Just(0), 1_usize..120],
            color: bool,
        ) {
            let ranges: Vec<_> = ranges.iter().map(|&(start, len)| TextRange::new(start, start + len)).collect();
            let mut finding = Diagnostic::new(&sample::REPEAT, ranges[0], "odd");
            for &range in &ranges[1..] {
                finding = finding.with_related(range, "related");
            }
            let safe = sample::untagged(ranges[0]);
            let files = [FileReport { name: "a.md", text: &text, diagnostics: &[finding, safe.clone(), safe.clone()] }, FileReport { name: "b.md", text: &text, diagnostics: &[safe] }];
            for format in FORMATS {
                let mut out = Vec::new();
                write(&mut out, format, &files, Style { color, width }).expect("a Vec takes all");
                if is_told_by_file(format, Style { color, width }) {
                    let mut parts = Vec::new();
                    let style = Style { color, width };
                    for file in &files {
                        let mut tell = pieces(format, file.name, file.text, style);
                        file.diagnostics.chunks(2).for_each(|some| tell(&mut parts, some).expect("a Vec takes all"));
                    }
                    let tally = files.iter().map(|file| Tally::of(file.diagnostics)).sum();
                    write_end(&mut parts, format, tally, style).expect("a Vec takes all");
                    prop_assert_eq!(&parts, &out);
                }
                let report = String::from_utf8(out).expect("UTF-8");
                prop_assert!(color || !report.chars().any(|c| visible::is_hidden(c) && c != '\n'), "{format:?}: {report}");
            }
        }
    }
}
