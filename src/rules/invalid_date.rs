//! There is no 30 February.

use super::context::{Context, Look};
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::syntax::date::Written;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "invalid-date",
    severity: Severity::Warning,
    fixable: Fixable::No,
    needs: Needs::File,
    stops_writing: false,
    summary: "a date that cannot be",
    page: include_str!("pages/invalid-date.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Text(check)];

fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    for (range, record) in super::page::dates(context, Written::Invalid) {
        let written = range.of(context.document.text);
        let found = Diagnostic::new(&INFO, range, format!("`{}` is no day of the calendar", written)).about(context.facts.name(record));
        out.push(found.with_help("correct the date"));
    }
}
