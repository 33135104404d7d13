//! A leftover of an edit that was taken back.

use super::context::{Context, key_of};
use crate::diagnostic::{Applicability, Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::repair::Need;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "draft",
    severity: Severity::Warning,
    fixable: Fixable::Safe,
    needs: Needs::Baseline,
    stops_writing: false,
    summary: "a leftover of an edit that was taken back",
    page: include_str!("pages/draft.md"),
};

pub(super) fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    for step in context.steps(Need::Draft) {
        let message = format!("a draft: the value that replaced it is gone, and {} is again what it was", key_of(step));
        out.push(context.of_step(&INFO, step, message, Applicability::Safe));
    }
}
