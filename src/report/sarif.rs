//! SARIF 2.1.0 (OASIS, errata 01): one run that holds the findings of all files.
//!
//! The document is built with `json!` rather than from structs: its shape is the standard's, and so it reads like it.

use super::place::{Places, Span};
use super::{FileReport, visible};
use crate::diagnostic::{Applicability, Diagnostic, Fix, Fixable, RuleInfo, Severity};
use crate::text::TextEdit;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Writes the document, in one line.
pub(super) fn write(out: &mut dyn Write, files: &[FileReport]) -> io::Result<()> {
    // The rules that found something, by name: their order, and so `ruleIndex`, depends on nothing else.
    let found = files.iter().flat_map(|file| file.diagnostics).map(|finding| finding.rule);
    let mut rules: BTreeMap<&str, (usize, &RuleInfo)> = found.map(|rule| (rule.name, (0, rule))).collect();
    for (idx, (place, _)) in rules.values_mut().enumerate() {
        *place = idx;
    }
    let mut results = Vec::new();
    for file in files {
        let artifact = json!({ "uri": uri(file.name) });
        let mut places = Places::new(file.text);
        for finding in file.diagnostics {
            let index = rules.get(finding.rule.name).map(|&(idx, _)| idx);
            results.push(result(finding, index, &artifact, &mut places));
        }
    }
    let rules: Vec<_> = rules.values().map(|&(_, rule)| descriptor(rule)).collect();
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "memfile", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "newlineSequences": ["\r\n", "\n", "\r"],
            "results": results,
        }],
    });
    writeln!(out, "{}", visible::json(serde_json::to_string(&document)?))
}

/// A rule (`reportingDescriptor`, 3.49).
fn descriptor(rule: &RuleInfo) -> Value {
    json!({
        "id": rule.name,
        "shortDescription": { "text": rule.summary },
        "fullDescription": { "text": rule.summary, "markdown": rule.page },
        "help": { "text": rule.page, "markdown": rule.page },
        "defaultConfiguration": { "level": level(rule.severity) },
        "properties": { "fixable": match rule.fixable {
            Fixable::No => "no",
            Fixable::Unsafe => "unsafe",
            Fixable::Safe => "safe",
        } },
    })
}

/// A finding (`result`, 3.27).
fn result(finding: &Diagnostic, index: Option<usize>, artifact: &Value, places: &mut Places) -> Value {
    let mut result = json!({
        "ruleId": finding.rule.name,
        "ruleIndex": index,
        "level": level(finding.rule.severity),
        "message": { "text": finding.message },
        "locations": [{ "physicalLocation": { "artifactLocation": artifact, "region": region(places.span(finding.range)) } }],
    });
    if !finding.related.is_empty() {
        let related = finding.related.iter().map(|related| {
            json!({
                "message": { "text": related.label.as_str() },
                "physicalLocation": { "artifactLocation": artifact, "region": region(places.span(related.range)) },
            })
        });
        result["relatedLocations"] = related.collect();
    }
    // An artifactChange without replacements is not valid.
    if let Some(fix) = finding.fix.as_ref().filter(|fix| !fix.edits.is_empty()) {
        let replacements: Vec<_> = fix.edits.iter().map(|edit| replacement(edit, places)).collect();
        result["fixes"] = json!([{
            "description": { "text": description(finding, fix) },
            "artifactChanges": [{ "artifactLocation": artifact, "replacements": replacements }],
            "properties": { "applicability": fix.applicability.as_str() },
        }]);
    }
    result["properties"] = json!({ "key": finding.key.as_deref(), "help": finding.help[..] });
    result
}

/// An edit (`replacement`, 3.57): lines and columns for those who edit text, bytes for those who patch files.
fn replacement(edit: &TextEdit, places: &mut Places) -> Value {
    let mut deleted = region(places.span(edit.range));
    deleted["byteOffset"] = edit.range.start().into();
    deleted["byteLength"] = edit.range.len().into();
    json!({ "deletedRegion": deleted, "insertedContent": { "text": edit.text } })
}

fn description(finding: &Diagnostic, fix: &Fix) -> String {
    match fix.applicability {
        Applicability::Safe => format!("Fix {}", finding.rule.name),
        Applicability::Unsafe => format!("Fix {} (unsafe: look at it before you keep it)", finding.rule.name),
    }
}

fn region(span: Span) -> Value {
    json!({ "startLine": span.line, "startColumn": span.column, "endLine": span.end_line, "endColumn": span.end_column })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "note",
    }
}

/// A relative URI reference (RFC 3986): all but unreserved characters and `/` is percent-encoded. So a colon in a
/// name is never taken for the end of a scheme.
fn uri(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;
    use crate::text::TextRange;

    const TEXT: &str = "# é\n- Database | MySQL\n- Database | Postgres\n";

    fn document(files: &[FileReport]) -> Value {
        let mut out = Vec::new();
        write(&mut out, files).expect("a Vec takes all");
        serde_json::from_slice(&out).expect("JSON")
    }

    #[test]
    fn several_files_share_one_run_and_its_rules() {
        let old = [sample::untagged(TextRange::new(7, 23)).about("database").with_related(TextRange::new(26, 45), "current")];
        let others = [
            Diagnostic::new(&sample::REPEAT, TextRange::new(2, 4), "twice"),
            Diagnostic::new(&sample::LARGE, TextRange::empty(0), "big").with_fix(Applicability::Unsafe, vec![TextEdit::insert(0, "x")]),
        ];
        let document = document(&[
            FileReport { name: "docs/a b:é.md", text: TEXT, diagnostics: &old },
            FileReport { name: "b.md", text: TEXT, diagnostics: &others },
        ]);
        assert_eq!((&document["$schema"], &document["version"]), (&json!(SCHEMA), &json!("2.1.0")));
        let run = &document["runs"][0];
        assert_eq!(run["columnKind"], "unicodeCodePoints");
        let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
        assert_eq!(rules.iter().map(|rule| &rule["id"]).collect::<Vec<_>>(), ["over-budget", "repeat", "untagged-historical"]);
        assert_eq!(rules[2]["properties"]["fixable"], "safe");
        assert_eq!(rules[0]["defaultConfiguration"]["level"], "note");
        let results = run["results"].as_array().expect("results");
        for result in results {
            let index = result["ruleIndex"].as_u64().expect("an index") as usize;
            assert_eq!(rules[index]["id"], result["ruleId"]);
            assert_eq!(rules[index]["defaultConfiguration"]["level"], result["level"]);
        }
        assert_eq!(
            results[0],
            json!({
                "ruleId": "untagged-historical",
                "ruleIndex": 2,
                "level": "error",
                "message": { "text": "an older version of `database` carries no tag" },
                "locations": [{ "physicalLocation": {
                    "artifactLocation": { "uri": "docs/a%20b%3A%C3%A9.md" },
                    "region": { "startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 19 },
                } }],
                "relatedLocations": [{
                    "message": { "text": "current" },
                    "physicalLocation": {
                        "artifactLocation": { "uri": "docs/a%20b%3A%C3%A9.md" },
                        "region": { "startLine": 3, "startColumn": 3, "endLine": 3, "endColumn": 22 },
                    },
                }],
                "fixes": [{
                    "description": { "text": "Fix untagged-historical" },
                    "artifactChanges": [{
                        "artifactLocation": { "uri": "docs/a%20b%3A%C3%A9.md" },
                        "replacements": [{
                            "deletedRegion": {
                                "startLine": 2, "startColumn": 19, "endLine": 2, "endColumn": 19, "byteOffset": 23, "byteLength": 0,
                            },
                            "insertedContent": { "text": " [historical]" },
                        }],
                    }],
                    "properties": { "applicability": "safe" },
                }],
                "properties": { "key": "database", "help": [] },
            })
        );
        assert_eq!(results[2]["fixes"][0]["properties"]["applicability"], "unsafe");
    }
}
