//! A leftover of an edit that was taken back.

use super::context::{Look, key_of, of_step};
use crate::diagnostic::{Applicability, Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::repair::{Need, Step};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "draft",
    severity: Severity::Warning,
    fixable: Fixable::Safe,
    needs: Needs::Baseline,
    stops_writing: false,
    summary: "a leftover of an edit that was taken back",
    page: include_str!("pages/draft.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Step(Need::Draft, said)];

fn said(step: &Step) -> Diagnostic {
    let message = format!("a draft: the value that replaced it is gone, and {} is again what it was", key_of(step));
    of_step(&INFO, step, message, Applicability::Safe)
}
