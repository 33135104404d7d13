//! The day of a scheduled value has come.

use super::context::{Context, key_of};
use crate::diagnostic::{Applicability, Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::repair::Need;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "scheduled-due",
    severity: Severity::Error,
    fixable: Fixable::Safe,
    needs: Needs::File,
    stops_writing: false,
    summary: "the day of a scheduled value has come",
    page: include_str!("pages/scheduled-due.md"),
};

pub(super) fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    for step in context.steps(Need::Due) {
        let message = format!("the day of this value of {} has come, and it is still tagged as scheduled", key_of(step));
        out.push(context.of_step(&INFO, step, message, Applicability::Safe));
    }
}
