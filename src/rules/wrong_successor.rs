//! A tag names another value, or another date, than its direct successor has.

use super::context::{Look, key_of, of_step};
use crate::diagnostic::{Applicability, Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::repair::{Need, Step};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "wrong-successor",
    severity: Severity::Error,
    fixable: Fixable::Safe,
    needs: Needs::File,
    stops_writing: false,
    summary: "a tag names another value or date than the direct successor has",
    page: include_str!("pages/wrong-successor.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Step(Need::RightSuccessor, said)];

fn said(step: &Step) -> Diagnostic {
    let message = match &step.successor {
        Some(successor) => format!("the tag names another value or date than the direct successor of {}, `{successor}`", key_of(step)),
        None => format!("the tag names another value or date than the direct successor of {}", key_of(step)),
    };
    of_step(&INFO, step, message, Applicability::Safe)
}
