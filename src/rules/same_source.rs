//! One source cannot give two values: one is wrong, or both hold.

use super::context::{Context, Look};
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::facts::Verdict;
use crate::repair::Grouped;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "same-source",
    severity: Severity::Error,
    fixable: Fixable::No,
    needs: Needs::File,
    stops_writing: false,
    summary: "two values come from one source",
    page: include_str!("pages/same-source.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Group(check)];

fn check(context: &Context, group: &Grouped, out: &mut Vec<Diagnostic>) {
    let Verdict::SameSource(a, b) = group.arrangement.verdict else { return };
    let chain = &group.arrangement.chain;
    let Some(record) = chain[b].in_file().or_else(|| chain[a].in_file()) else { return };
    let key = context.facts.name(record);
    let message = format!("two values of {key} come from one source");
    let mut found = Diagnostic::new(&INFO, context.head(record), message).about(&key);
    if let Some(other) = chain[a].in_file().filter(|other| *other != record) {
        found = found.with_related(context.head(other), "the other value of this source");
    }
    let found = found.with_help("both hold? mark them `<!-- memfile: many -->`");
    out.push(found.with_help(format!("one is wrong? `memfile correct {key:?} --value VALUE`")));
}
