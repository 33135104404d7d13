//! The value that holds must be the last one that a reader meets.

use super::context::{Context, key_of};
use crate::diagnostic::{Applicability, Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::repair::Need;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "current-not-last",
    severity: Severity::Error,
    fixable: Fixable::Safe,
    needs: Needs::File,
    stops_writing: false,
    summary: "the current record is not the last one of its group",
    page: include_str!("pages/current-not-last.md"),
};

pub(super) fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    for step in context.steps(Need::Place) {
        let message = format!("the current value of {} stands above older ones", key_of(step));
        let found = context.of_step(&INFO, step, message, Applicability::Safe);
        let stuck = found.fix.is_none();
        out.push(if stuck {
            found.with_help("memfile does not move numbered items, or records between lists: put it last by hand")
        } else {
            found
        });
    }
}
