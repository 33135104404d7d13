//! All versions are tagged, and the last one is not ended: nothing holds, and nothing says why.

use super::context::Context;
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::facts::Verdict;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "current-tagged",
    severity: Severity::Error,
    fixable: Fixable::No,
    needs: Needs::File,
    stops_writing: false,
    summary: "a whole group is tagged, and its last record is not ended",
    page: include_str!("pages/current-tagged.md"),
};

pub(super) fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    for group in &context.analysis.groups {
        let Verdict::CurrentTagged(at) = group.arrangement.verdict else { continue };
        let Some(record) = group.arrangement.chain[at].in_file() else { continue };
        let key = context.analysis.facts.name(record);
        let message = format!("all values of {key} are tagged, and the last one names no successor that is there");
        let found = Diagnostic::new(&INFO, context.head(record), message).about(&key);
        out.push(found.with_help(format!("add the current value, or say that it ended: `memfile end {key:?}`")));
    }
}
