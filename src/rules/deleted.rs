//! A fact was deleted, and nobody can say why.

use super::context::{Look, accept_help, key_of, of_step};
use crate::diagnostic::{Applicability, Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::repair::{Need, Step};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "deleted",
    severity: Severity::Error,
    fixable: Fixable::Safe,
    needs: Needs::Baseline,
    stops_writing: false,
    summary: "a record of the baseline was deleted",
    page: include_str!("pages/deleted.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Step(Need::Deleted, said)];

fn said(step: &Step) -> Diagnostic {
    let message = match (&step.key, &step.value) {
        (Some(key), Some(value)) => format!("{key} was `{value}` in the baseline, and its record is gone"),
        (None, Some(value)) => format!("the baseline says \"{value}\", and the record is gone"),
        (Some(_), None) => format!("a record of {} is gone", key_of(step)),
        (None, None) => "a statement with what looks like a secret is gone".to_owned(),
    };
    let found = of_step(&INFO, step, message, Applicability::Safe);
    let found = if found.fix.is_none() { found.with_help("`memfile restore` brings it back as it was") } else { found };
    found.with_help(accept_help(step))
}
