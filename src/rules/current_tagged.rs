//! All versions are tagged, and the last one is not ended: nothing holds, and nothing says why.

use super::context::{Context, Look};
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::facts::Verdict;
use crate::repair::Grouped;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "current-tagged",
    severity: Severity::Error,
    fixable: Fixable::No,
    needs: Needs::File,
    stops_writing: false,
    summary: "a whole group is tagged, and its last record is not ended",
    page: include_str!("pages/current-tagged.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Group(check)];

fn check(context: &Context, group: &Grouped, out: &mut Vec<Diagnostic>) {
    let Verdict::CurrentTagged(at) = group.arrangement.verdict else { return };
    let Some(record) = group.arrangement.chain[at].in_file() else { return };
    let key = context.facts.name(record);
    let message = format!("all values of {key} are tagged, and the last one names no successor that is there");
    let found = Diagnostic::new(&INFO, context.head(record), message).about(&key);
    out.push(found.with_help(format!("add the current value, or say that it ended: `memfile end {key:?}`")));
}
