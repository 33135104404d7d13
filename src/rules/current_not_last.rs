//! The value that holds must be the last one that a reader meets.

use super::context::{Look, key_of, of_step};
use crate::diagnostic::{Applicability, Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::repair::{Need, Step};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "current-not-last",
    severity: Severity::Error,
    fixable: Fixable::Safe,
    needs: Needs::File,
    stops_writing: false,
    summary: "the current record is not the last one of its group",
    page: include_str!("pages/current-not-last.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Step(Need::Place, said)];

fn said(step: &Step) -> Diagnostic {
    let message = format!("the current value of {} stands above older ones", key_of(step));
    let found = of_step(&INFO, step, message, Applicability::Safe);
    let stuck = found.fix.is_none();
    if stuck { found.with_help("memfile does not move numbered items, or records between lists: put it last by hand") } else { found }
}
