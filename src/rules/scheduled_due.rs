//! The day of a scheduled value has come.

use super::context::{Look, key_of, of_step};
use crate::diagnostic::{Applicability, Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::repair::{Need, Step};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "scheduled-due",
    severity: Severity::Error,
    fixable: Fixable::Safe,
    needs: Needs::File,
    stops_writing: false,
    summary: "the day of a scheduled value has come",
    page: include_str!("pages/scheduled-due.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Step(Need::Due, said)];

fn said(step: &Step) -> Diagnostic {
    let message = format!("the day of this value of {} has come, and it is still tagged as scheduled", key_of(step));
    of_step(&INFO, step, message, Applicability::Safe)
}
