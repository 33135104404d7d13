//! The tags of a group contradict each other, its dates, or the values that are there.

use super::context::{Context, Look};
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::facts::{Break, Verdict};
use crate::repair::Grouped;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "broken-chain",
    severity: Severity::Error,
    fixable: Fixable::No,
    needs: Needs::File,
    stops_writing: false,
    summary: "the tags of a group contradict each other, its dates or its values",
    page: include_str!("pages/broken-chain.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Group(check)];

fn check(context: &Context, group: &Grouped, out: &mut Vec<Diagnostic>) {
    let Verdict::BrokenChain(at, why) = group.arrangement.verdict else { return };
    let chain = &group.arrangement.chain;
    let Some(record) = chain[at].in_file().or_else(|| chain.iter().find_map(|version| version.in_file())) else { return };
    let key = context.facts.name(record);
    let message = match why {
        Break::Dangling => format!("the tag names a value that no record of {key} has"),
        Break::Cycle => format!("the tags of {key} lead in a circle"),
        Break::Fork => format!("two values of {key} name the same successor, and nothing else orders them"),
        Break::DatesAgainstTags => format!("by the written dates this tagged value of {key} is the last one"),
    };
    let found = Diagnostic::new(&INFO, context.head(record), message).about(&key);
    out.push(found.with_help("memfile leaves this group alone: mend the tag or the date by hand"));
}
