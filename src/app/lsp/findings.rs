//! Findings of a buffer as the editor shows them.

use super::edits::View;
use crate::diagnostic::{Diagnostic, Severity};
use crate::io::IoError;
use crate::report::visible;
use lsp_types::{Diagnostic as Shown, DiagnosticRelatedInformation, DiagnosticSeverity, NumberOrString, Range};
use serde_json::json;

/// The name under which editors list the findings.
const SOURCE: &str = "memfile";

/// All findings, in text order.
pub(super) fn all(view: &View) -> Vec<Shown> {
    view.look.checked.diagnostics.iter().map(|found| shown(view, found)).collect()
}

/// One finding.
pub(super) fn shown(view: &View, found: &Diagnostic) -> Shown {
    let mut message = visible(&found.message).into_owned();
    for help in &found.help {
        message.push_str("\nhelp: ");
        message.push_str(&visible(help));
    }
    let related = |related: &crate::diagnostic::Related| DiagnosticRelatedInformation {
        location: view.location(related.range),
        message: visible(&related.label).into_owned(),
    };
    let places = found.related.iter().filter(|_| view.client.has_related).map(related);
    let related: Vec<_> = places.collect();
    Shown {
        range: view.range(found.range),
        severity: Some(match found.rule.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Hint => DiagnosticSeverity::HINT,
        }),
        code: Some(NumberOrString::String(found.rule.name.to_owned())),
        source: Some(SOURCE.to_owned()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        data: Some(json!({
            "rule": found.rule.name,
            "key": found.key.as_deref(),
            "fix": found.fix.as_ref().map(|fix| fix.applicability.as_str()),
        })),
        ..Shown::default()
    }
}

/// Why a buffer could not be judged, where people look for findings.
pub(super) fn failure(error: &IoError) -> Shown {
    Shown {
        range: Range::default(),
        severity: Some(DiagnosticSeverity::WARNING),
        source: Some(SOURCE.to_owned()),
        message: format!("memfile cannot check this file: {}", visible(&error.to_string())),
        ..Shown::default()
    }
}
