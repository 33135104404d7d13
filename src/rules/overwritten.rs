//! A value was replaced without a trace.

use super::context::{Look, accept_help, key_of, of_step};
use crate::diagnostic::{Applicability, Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::repair::{Need, Step};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "overwritten",
    severity: Severity::Error,
    fixable: Fixable::Safe,
    needs: Needs::Baseline,
    stops_writing: false,
    summary: "a value of the baseline was overwritten",
    page: include_str!("pages/overwritten.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Step(Need::Overwritten, said)];

fn said(step: &Step) -> Diagnostic {
    let message = match (&step.value, &step.successor) {
        (Some(value), Some(successor)) => format!("{} was `{value}` in the baseline, and `{successor}` overwrote it", key_of(step)),
        (Some(value), None) => format!("{} was `{value}` in the baseline, and it was overwritten", key_of(step)),
        _ => format!("the baseline's value of {} was overwritten", key_of(step)),
    };
    of_step(&INFO, step, message, Applicability::Safe).with_help(accept_help(step))
}
