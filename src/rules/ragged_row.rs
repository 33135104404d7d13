//! A row with more or fewer cells than its header cannot be read with certainty.

use super::context::{Context, Look};
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "ragged-row",
    severity: Severity::Warning,
    fixable: Fixable::No,
    needs: Needs::File,
    stops_writing: false,
    summary: "a table row has another number of cells than its header",
    page: include_str!("pages/ragged-row.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Text(check)];

fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    for &range in &context.document.ragged {
        let found = Diagnostic::new(
            &INFO,
            range.trimmed(context.document.text),
            "this row has another number of cells than its header: it is left alone",
        );
        out.push(found.with_help("a bar inside a cell is written `\\|`"));
    }
}
