//! History is what a reader trusts when he asks why: it is never rewritten.

use super::context::{Look, accept_help, of_step};
use crate::diagnostic::{Applicability, Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::repair::{Need, Step};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "history-edited",
    severity: Severity::Error,
    fixable: Fixable::Safe,
    needs: Needs::Baseline,
    stops_writing: false,
    summary: "a historical record of the baseline was altered or is gone",
    page: include_str!("pages/history-edited.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Step(Need::History, said)];

fn said(step: &Step) -> Diagnostic {
    let of = step.key.as_ref().map_or(String::new(), |key| format!(" of {key}"));
    let message = match &step.value {
        Some(value) => format!("the historical record `{value}`{of} was altered or is gone"),
        None => format!("a historical record{of} was altered or is gone"),
    };
    of_step(&INFO, step, message, Applicability::Safe).with_help(accept_help(step))
}
