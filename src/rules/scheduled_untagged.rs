//! A value that will hold from a later day must not read as the one that holds.

use super::context::{Context, key_of};
use crate::diagnostic::{Applicability, Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::repair::Need;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "scheduled-untagged",
    severity: Severity::Error,
    fixable: Fixable::Safe,
    needs: Needs::File,
    stops_writing: false,
    summary: "a value that begins after today carries no tag",
    page: include_str!("pages/scheduled-untagged.md"),
};

pub(super) fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    for step in context.steps(Need::ScheduledTag) {
        let message = format!("this value of {} begins after today and does not say so", key_of(step));
        out.push(context.of_step(&INFO, step, message, Applicability::Safe));
    }
}
