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
    let some = write_between(out, files, "[\n", ",\n")?;
    out.write_all(if some { b"\n]\n" } else { b"[]\n" })
}

/// Writes one object a line.
pub(super) fn write_lines(out: &mut dyn Write, files: &[FileReport]) -> io::Result<()> {
    let some = write_between(out, files, "", "\n")?;
    out.write_all(if some { b"\n" } else { b"" })
}

/// Writes all findings, `before` the first and `between` them; false where there are none.
fn write_between(out: &mut dyn Write, files: &[FileReport], before: &str, between: &str) -> io::Result<bool> {
    let (mut before, mut some) = (before, false);
    let mut buffer = Vec::new();
    for file in files {
        let mut places = Places::new(file);
        for diagnostic in file.diagnostics {
            buffer.clear();
            buffer.extend_from_slice(before.as_bytes());
            serde_json::to_writer(&mut buffer, &Finding::new(file.name, diagnostic, &mut places))?;
            visible::write_json(out, &buffer)?;
            (before, some) = (between, true);
        }
    }
    Ok(some)
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
