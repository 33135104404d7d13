//! What models and people are told: texts of a file come in, sentences go out.
//!
//! What stands in a file gets into the context of a model here. It is quoted, cut and said to be data; control characters are
//! spelled out, and what looks like a secret is left out.

use crate::app::saving::without_secrets;
use crate::diagnostic::{Diagnostic, Severity};
use crate::report::visible;
use crate::text::LineIndex;
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// How many lines or findings are listed.
const LISTED: usize = 12;
/// How many characters of a line or message are shown.
const SHOWN: usize = 200;

/// One line of a file in quotes, or the words of a finding.
pub(super) fn quoted(text: &str) -> String {
    let text = without_secrets(text.trim());
    let cut: String = text.chars().take(SHOWN).collect();
    let dots = if cut.len() < text.len() { "…" } else { "" };
    format!("\"{}{dots}\"", visible(&cut).replace(['\n', '\t'], " "))
}

/// A sentence of memfile's own, which may hold values.
pub(super) fn sentence(text: &str) -> String {
    let quoted = quoted(text);
    quoted[1..quoted.len() - 1].to_owned()
}

/// `items` as a list, at most a dozen; how many more there are is said.
pub(super) fn list(items: &[String]) -> String {
    let mut out = String::new();
    for item in items.iter().take(LISTED) {
        let _ = writeln!(out, "  {item}");
    }
    if items.len() > LISTED {
        let _ = writeln!(out, "  … and {} more", items.len() - LISTED);
    }
    out
}

/// The lines of `after` that `before` lacks, each with its number.
pub(super) fn new_lines(before: &str, after: &str) -> Vec<String> {
    let mut known: FxHashMap<&str, usize> = FxHashMap::default();
    before.lines().for_each(|line| *known.entry(line).or_default() += 1);
    let mut found = Vec::new();
    for (idx, line) in after.lines().enumerate() {
        match known.get_mut(line).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None if line.trim().is_empty() => {}
            None => found.push(format!("line {}: {}", idx + 1, quoted(line))),
        }
    }
    found
}

/// Findings as `line N: MESSAGE (RULE)`, those that no run would fail on left out.
pub(super) fn findings(text: &str, found: &[&Diagnostic]) -> Vec<String> {
    let lines = LineIndex::new(text);
    let one = |diagnostic: &&Diagnostic| {
        format!("line {}: {} ({})", lines.line(text, diagnostic.range.start()), sentence(&diagnostic.message), diagnostic.rule.name)
    };
    found.iter().filter(|diagnostic| diagnostic.rule.severity > Severity::Hint).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_quoted_cut_and_harmless() {
        assert_eq!(quoted("- a: \u{1b}[31mred\r"), "\"- a: \\u{1b}[31mred\"");
        assert!(quoted(&"x".repeat(500)).ends_with("x…\""));
        assert!(!quoted("- key: AKIAIOSFODNN7EXAMPLQ").contains("AKIA"));
        assert_eq!(sentence("as it is"), "as it is");
    }

    #[test]
    fn only_new_lines_are_told() {
        assert_eq!(new_lines("a\nb\nb\n", "b\na\nc\n\nb\nb\n"), ["line 3: \"c\"", "line 6: \"b\""]);
        assert_eq!(list(&vec!["x".to_owned(); 14]).lines().count(), 13);
    }
}
