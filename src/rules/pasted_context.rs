//! Output of `present` is a copy: facts in it would stand twice.

use super::context::{Context, Look};
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "pasted-context",
    severity: Severity::Warning,
    fixable: Fixable::No,
    needs: Needs::File,
    stops_writing: false,
    summary: "output of `memfile present` was pasted back",
    page: include_str!("pages/pasted-context.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Text(check)];

fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    for &range in &context.document.pasted {
        let found = Diagnostic::new(&INFO, range, "output of `memfile present` was pasted into the file: nothing in it is taken as a fact");
        out.push(found.with_help("take the block out"));
    }
}
