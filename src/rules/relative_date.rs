//! A date like `yesterday` says nothing a week later.

use super::context::{Context, Look};
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::syntax::date::Written;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "relative-date",
    severity: Severity::Warning,
    fixable: Fixable::No,
    needs: Needs::File,
    stops_writing: false,
    summary: "a date like `yesterday` means nothing later",
    page: include_str!("pages/relative-date.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Text(check)];

fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    for (range, record) in super::page::dates(context, Written::Relative) {
        let written = range.of(context.document.text);
        let found = Diagnostic::new(&INFO, range, format!("`{}` means nothing later", written)).about(context.facts.name(record));
        out.push(found.with_help("write the day out"));
    }
}
