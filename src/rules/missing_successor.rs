//! A tag says that a value is old and not what replaced it.

use super::context::{Look, key_of, of_step};
use crate::diagnostic::{Applicability, Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::repair::{Need, Step};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "missing-successor",
    severity: Severity::Error,
    fixable: Fixable::Safe,
    needs: Needs::File,
    stops_writing: false,
    summary: "a tag does not say what replaced the value",
    page: include_str!("pages/missing-successor.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Step(Need::Successor, said)];

fn said(step: &Step) -> Diagnostic {
    let message = match &step.successor {
        Some(successor) => format!("the tag does not say that `{successor}` replaced this value of {}", key_of(step)),
        None => format!("the tag does not say what replaced this value of {}", key_of(step)),
    };
    of_step(&INFO, step, message, Applicability::Safe)
}
