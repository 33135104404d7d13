//! A value that will hold from a later day must not read as the one that holds.

use super::context::{Look, key_of, of_step};
use crate::diagnostic::{Applicability, Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::repair::{Need, Step};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "scheduled-untagged",
    severity: Severity::Error,
    fixable: Fixable::Safe,
    needs: Needs::File,
    stops_writing: false,
    summary: "a value that begins after today carries no tag",
    page: include_str!("pages/scheduled-untagged.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Step(Need::ScheduledTag, said)];

fn said(step: &Step) -> Diagnostic {
    let message = format!("this value of {} begins after today and does not say so", key_of(step));
    of_step(&INFO, step, message, Applicability::Safe)
}
