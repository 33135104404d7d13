//! Two files say different things about one fact.

use super::context::Context;
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "cross-file-conflict",
    severity: Severity::Warning,
    fixable: Fixable::No,
    needs: Needs::Others,
    stops_writing: false,
    summary: "another file gives another current value",
    page: include_str!("pages/cross-file-conflict.md"),
};

pub(super) fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    for conflict in context.cross {
        let key = context.analysis.facts.name(conflict.record);
        let place = format!("{}:{}", conflict.other, conflict.line);
        let message = match &conflict.value {
            Some(value) => format!("{place} says that {key} is `{value}`"),
            None => format!("{place} gives another value of {key}"),
        };
        let found = Diagnostic::new(&INFO, context.head(conflict.record), message).about(&key);
        out.push(found.with_help("keep the fact in one file, or give each a subject of its own"));
    }
}
