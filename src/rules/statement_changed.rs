//! A statement was reworded: a better wording, or another fact?

use super::context::{Look, accept_help, of_step};
use crate::diagnostic::{Applicability, Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::repair::{Need, Step};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "statement-changed",
    severity: Severity::Warning,
    fixable: Fixable::Unsafe,
    needs: Needs::Baseline,
    stops_writing: false,
    summary: "a statement was reworded",
    page: include_str!("pages/statement-changed.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Step(Need::Reworded, said)];

fn said(step: &Step) -> Diagnostic {
    let message = match &step.value {
        Some(value) => format!("the baseline says \"{value}\" here"),
        None => "the baseline says something else here".to_owned(),
    };
    of_step(&INFO, step, message, Applicability::Unsafe).with_help(accept_help(step))
}
