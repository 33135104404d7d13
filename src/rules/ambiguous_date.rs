//! `03/04/2026` is March or April.

use super::context::{Context, Look};
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::syntax::date::Written;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "ambiguous-date",
    severity: Severity::Warning,
    fixable: Fixable::No,
    needs: Needs::File,
    stops_writing: false,
    summary: "a date can be read in two ways",
    page: include_str!("pages/ambiguous-date.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Text(check)];

fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    for (range, record) in super::page::dates(context, Written::Ambiguous) {
        let written = range.of(context.document.text);
        let found = Diagnostic::new(&INFO, range, format!("`{}` can be read as two days", written)).about(context.facts.name(record));
        out.push(found.with_help("write it as 2026-03-04, or set `date-order` in memfile.toml"));
    }
}
