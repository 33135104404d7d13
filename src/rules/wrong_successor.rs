//! A tag names another value, or another date, than its direct successor has.

use super::context::{Context, key_of};
use crate::diagnostic::{Applicability, Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::repair::Need;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "wrong-successor",
    severity: Severity::Error,
    fixable: Fixable::Safe,
    needs: Needs::File,
    stops_writing: false,
    summary: "a tag names another value or date than the direct successor has",
    page: include_str!("pages/wrong-successor.md"),
};

pub(super) fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    for step in context.steps(Need::RightSuccessor) {
        let message = match &step.successor {
            Some(successor) => format!("the tag names another value or date than the direct successor of {}, `{successor}`", key_of(step)),
            None => format!("the tag names another value or date than the direct successor of {}", key_of(step)),
        };
        out.push(context.of_step(&INFO, step, message, Applicability::Safe));
    }
}
