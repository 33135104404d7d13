//! An older version carries no tag, so a reader takes it for true.

use super::context::{Context, key_of};
use crate::diagnostic::{Applicability, Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::repair::Need;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "untagged-historical",
    severity: Severity::Error,
    fixable: Fixable::Safe,
    needs: Needs::File,
    stops_writing: false,
    summary: "an older version carries no tag",
    page: include_str!("pages/untagged-historical.md"),
};

pub(super) fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    for step in context.steps(Need::Untagged) {
        let message = match (&step.value, &step.successor) {
            (Some(value), Some(successor)) => {
                ["`", value, "` is an older value of ", key_of(step), ": `", successor, "` replaced it"].concat()
            }
            (Some(value), None) => format!("`{value}` has run out as the value of {}", key_of(step)),
            _ => format!("an older value of {} carries no tag", key_of(step)),
        };
        out.push(context.of_step(&INFO, step, message, Applicability::Safe));
    }
}
