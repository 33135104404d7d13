//! Rules and findings for the tests of this folder.

use super::{FileReport, Format, Style, write};
use crate::diagnostic::{Applicability, Diagnostic, Fixable, RuleInfo, Severity};
use crate::text::{TextEdit, TextRange};

const fn rule(name: &'static str, severity: Severity, fixable: Fixable) -> RuleInfo {
    RuleInfo {
        name,
        severity,
        fixable,
        needs: crate::diagnostic::Needs::File,
        stops_writing: false,
        summary: "half a line",
        page: "## What it does\nA page.\n",
    }
}

/// An error with a safe fix.
pub(super) static UNTAGGED: RuleInfo = rule("untagged-historical", Severity::Error, Fixable::Safe);
/// A warning.
pub(super) static REPEAT: RuleInfo = rule("repeat", Severity::Warning, Fixable::No);
/// A hint.
pub(super) static LARGE: RuleInfo = rule("over-budget", Severity::Hint, Fixable::Unsafe);
/// A warning whose text is never shown.
pub(super) static SECRET: RuleInfo = rule("possible-secret", Severity::Warning, Fixable::No);

/// No colour, a wide terminal.
pub(super) const WIDE: Style = Style { color: false, width: 140 };

/// A finding with a safe fix behind `range`.
pub(super) fn untagged(range: TextRange) -> Diagnostic {
    let edits = vec![TextEdit::insert(range.end(), " [historical]")];
    Diagnostic::new(&UNTAGGED, range, "an older version of `database` carries no tag").with_fix(Applicability::Safe, edits)
}

/// The report on one file.
pub(super) fn render(format: Format, text: &str, diagnostics: &[Diagnostic]) -> String {
    let mut out = Vec::new();
    let files = [FileReport { name: "docs/AGENTS.md", text, diagnostics }];
    write(&mut out, format, &files, WIDE).expect("a Vec takes all");
    String::from_utf8(out).expect("reports are UTF-8")
}
