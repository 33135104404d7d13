//! The value changed, and its source still names the call that gave the old one.

use super::context::{Context, Look};
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "stale-source",
    severity: Severity::Warning,
    fixable: Fixable::No,
    needs: Needs::Baseline,
    stops_writing: false,
    summary: "a value changed, its dated source did not",
    page: include_str!("pages/stale-source.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Text(check)];

fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    for &record in &context.comparison.stale {
        let key = context.facts.name(record);
        let range = context.document.records[record as usize].attributes.source();
        let found = Diagnostic::new(&INFO, range, format!("the value of {key} changed, its source did not")).about(&key);
        out.push(found.with_help("name the source of the new value"));
    }
}
