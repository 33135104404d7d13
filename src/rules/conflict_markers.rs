//! Conflict markers of git stand in the file: nothing in it can be trusted yet.

use super::context::{Context, Look};
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "conflict-markers",
    severity: Severity::Error,
    fixable: Fixable::No,
    needs: Needs::File,
    stops_writing: true,
    summary: "git conflict markers stand in the file",
    page: include_str!("pages/conflict-markers.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Text(check)];

fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    let managed = context.document.is_managed() || context.base.is_some_and(|base| base.is_managed());
    if let Some(range) = context.document.conflict.filter(|_| managed) {
        let found = Diagnostic::new(&INFO, range, "git conflict markers: nothing is checked or written until they are gone");
        out.push(found.with_help("settle the conflict, then run memfile again"));
    }
}
