//! An older version carries no tag, so a reader takes it for true.

use super::context::{Look, key_of, of_step};
use crate::diagnostic::{Applicability, Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::repair::{Need, Step};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "untagged-historical",
    severity: Severity::Error,
    fixable: Fixable::Safe,
    needs: Needs::File,
    stops_writing: false,
    summary: "an older version carries no tag",
    page: include_str!("pages/untagged-historical.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Step(Need::Untagged, said)];

fn said(step: &Step) -> Diagnostic {
    let message = match (&step.value, &step.successor) {
        (Some(value), Some(successor)) => ["`", value, "` is an older value of ", key_of(step), ": `", successor, "` replaced it"].concat(),
        (Some(value), None) => format!("`{value}` has run out as the value of {}", key_of(step)),
        _ => format!("an older value of {} carries no tag", key_of(step)),
    };
    of_step(&INFO, step, message, Applicability::Safe)
}
