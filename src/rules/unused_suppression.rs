//! A comment that suppresses nothing hides the next real finding.

use super::context::{Context, Look};
use crate::diagnostic::{Applicability, Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::text::TextEdit;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "unused-suppression",
    severity: Severity::Warning,
    fixable: Fixable::Safe,
    needs: Needs::Findings,
    stops_writing: false,
    summary: "a suppression comment suppresses nothing",
    page: include_str!("pages/unused-suppression.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Text(check)];

fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    for unused in &context.unused {
        let suppression = &context.document.suppressions[unused.suppression];
        let known = super::registry::find(&unused.name).is_some();
        let message = if known {
            format!("`{}` is suppressed here and was not found", unused.name)
        } else {
            format!("there is no rule `{}`", unused.name)
        };
        let range = suppression.range.trimmed(context.document.text);
        let found = Diagnostic::new(&INFO, range, message);
        let alone = suppression.names.len() == 1;
        out.push(if alone { found.with_fix(Applicability::Safe, vec![TextEdit::delete(suppression.range)]) } else { found });
    }
}
