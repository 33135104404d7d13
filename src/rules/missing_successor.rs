//! A tag says that a value is old and not what replaced it.

use super::context::{Context, key_of};
use crate::diagnostic::{Applicability, Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::repair::Need;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "missing-successor",
    severity: Severity::Error,
    fixable: Fixable::Safe,
    needs: Needs::File,
    stops_writing: false,
    summary: "a tag does not say what replaced the value",
    page: include_str!("pages/missing-successor.md"),
};

pub(super) fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    for step in context.steps(Need::Successor) {
        let message = match &step.successor {
            Some(successor) => format!("the tag does not say that `{successor}` replaced this value of {}", key_of(step)),
            None => format!("the tag does not say what replaced this value of {}", key_of(step)),
        };
        out.push(context.of_step(&INFO, step, message, Applicability::Safe));
    }
}
