//! JSON, as SPEC 8 gives it: fields may be added at the end, never renamed.

use super::place::{Places, Span};
use super::{FileReport, visible};
use crate::diagnostic::{Diagnostic, Fix};
use serde::Serialize;
use std::io::{self, Write};

/// One finding on the wire.
#[derive(Serialize)]
struct Finding<'a> {
    file: &'a str,
    rule: &'static str,
    severity: &'static str,
    message: &'a str,
    #[serde(flatten)]
    span: Span,
    key: Option<&'a str>,
    fix: Option<WireFix<'a>>,
    help: &'a [String],
    related: Vec<WireRelated<'a>>,
}

#[derive(Serialize)]
struct WireFix<'a> {
    applicability: &'static str,
    edits: Vec<WireEdit<'a>>,
}

/// Offsets are bytes, from 0.
#[derive(Serialize)]
struct WireEdit<'a> {
    start: usize,
    end: usize,
    text: &'a str,
}

#[derive(Serialize)]
struct WireRelated<'a> {
    #[serde(flatten)]
    span: Span,
    label: &'a str,
}

/// Writes a bare array, one finding a line.
pub(super) fn write_array(out: &mut dyn Write, files: &[FileReport]) -> io::Result<()> {
    let mut before = "[\n";
    for file in files {
        let mut objects = Objects::new(file.name, file.text);
        for finding in file.diagnostics {
            objects.write(out, before, finding, "")?;
            before = ",\n";
        }
    }
    out.write_all(if files.iter().all(|file| file.diagnostics.is_empty()) { b"[]\n" } else { b"\n]\n" })
}

/// Writes each finding of a file as an object in a line of its own.
pub(super) fn pieces<'a>(name: &'a str, text: &'a str) -> impl FnMut(&mut dyn Write, &[Diagnostic]) -> io::Result<()> + 'a {
    let mut objects = Objects::new(name, text);
    move |out, found| found.iter().try_for_each(|finding| objects.write(out, "", finding, "\n"))
}

/// Writes the findings of one file as objects.
struct Objects<'a> {
    file: &'a str,
    places: Places<'a>,
    buffer: Vec<u8>,
}

impl<'a> Objects<'a> {
    fn new(file: &'a str, text: &'a str) -> Self {
        Self { file, places: Places::new(text), buffer: Vec::new() }
    }

    fn write(&mut self, out: &mut dyn Write, before: &str, finding: &Diagnostic, behind: &str) -> io::Result<()> {
        self.buffer.clear();
        self.buffer.extend_from_slice(before.as_bytes());
        serde_json::to_writer(&mut self.buffer, &Finding::new(self.file, finding, &mut self.places))?;
        self.buffer.extend_from_slice(behind.as_bytes());
        visible::write_json(out, &self.buffer)
    }
}

impl<'a> Finding<'a> {
    fn new(file: &'a str, diagnostic: &'a Diagnostic, places: &mut Places) -> Self {
        Self {
            file,
            rule: diagnostic.rule.name,
            severity: diagnostic.rule.severity.as_str(),
            message: &diagnostic.message,
            span: places.span(diagnostic.range),
            key: diagnostic.key.as_deref(),
            fix: diagnostic.fix.as_ref().map(WireFix::new),
            help: &diagnostic.help,
            related: diagnostic
                .related
                .iter()
                .map(|related| WireRelated { span: places.span(related.range), label: &related.label })
                .collect(),
        }
    }
}

impl<'a> WireFix<'a> {
    fn new(fix: &'a Fix) -> Self {
        let edits = fix.edits.iter().map(|edit| WireEdit { start: edit.range.start(), end: edit.range.end(), text: &edit.text });
        Self { applicability: fix.applicability.as_str(), edits: edits.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Format, sample};
    use super::*;
    use crate::text::TextRange;

    const TEXT: &str = "# Facts\n- Database | MySQL\n- Database | Postgres\n";
    const OLD: &str = concat!(
        r#"{"file":"docs/AGENTS.md","rule":"untagged-historical","severity":"error","message":"an older version of `database` carries no tag","#,
        r#""line":2,"column":3,"end_line":2,"end_column":19,"key":"database","#,
        r#""fix":{"applicability":"safe","edits":[{"start":26,"end":26,"text":" [historical]"}]},"#,
        r#""help":["tag it"],"related":[{"line":3,"column":3,"end_line":3,"end_column":22,"label":"the current version"}]}"#
    );
    const BIG: &str = concat!(
        r#"{"file":"docs/AGENTS.md","rule":"over-budget","severity":"hint","message":"too\nlarge","#,
        r#""line":1,"column":1,"end_line":1,"end_column":1,"key":null,"fix":null,"help":[],"related":[]}"#
    );

    fn findings() -> [Diagnostic; 2] {
        let old = sample::untagged(TextRange::new(10, 26)).about("database").with_help("tag it");
        [
            old.with_related(TextRange::new(29, 48), "the current version"),
            Diagnostic::new(&sample::LARGE, TextRange::empty(0), "too\nlarge"),
        ]
    }

    #[test]
    fn an_array_with_one_finding_a_line() {
        assert_eq!(sample::render(Format::Json, TEXT, &findings()), format!("[\n{OLD},\n{BIG}\n]\n"));
    }

    #[test]
    fn one_object_a_line() {
        assert_eq!(sample::render(Format::Jsonl, TEXT, &findings()), format!("{OLD}\n{BIG}\n"));
    }
}
