//! What stands behind the loader's window is never read.

use super::context::{Context, Look};
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::text::TextRange;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "over-budget",
    severity: Severity::Warning,
    fixable: Fixable::Unsafe,
    needs: Needs::File,
    stops_writing: false,
    summary: "the file is larger than its loader reads",
    page: include_str!("pages/over-budget.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Text(check)];

fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    let document = context.document;
    if !context.budget.is_own || !document.is_managed() {
        return;
    }
    let Some(end) = context.read_to else { return };
    let mut end = end;
    while !document.text.is_char_boundary(end) {
        end -= 1;
    }
    let window = match context.budget.lines {
        Some(lines) => format!("{lines} lines or {} bytes", context.budget.bytes),
        None => format!("{} bytes", context.budget.bytes),
    };
    let found = Diagnostic::new(&INFO, TextRange::empty(end), format!("the file is larger than its loader reads ({window})"));
    out.push(found.with_help("move old history out: `memfile archive --keep 3`; what falls outside: `memfile budget`"));
}
