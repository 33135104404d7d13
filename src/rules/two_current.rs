//! Two values stand side by side, and nothing says which one holds.

use super::context::{Context, Look};
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::facts::Verdict;
use crate::repair::Grouped;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "two-current",
    severity: Severity::Error,
    fixable: Fixable::No,
    needs: Needs::File,
    stops_writing: false,
    summary: "two values of one fact, and nothing orders them",
    page: include_str!("pages/two-current.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Group(check)];

fn check(context: &Context, group: &Grouped, out: &mut Vec<Diagnostic>) {
    let Verdict::TwoCurrent(a, b) = group.arrangement.verdict else { return };
    let chain = &group.arrangement.chain;
    let in_file = |idx: usize| chain[idx].in_file();
    let mut open = chain.iter().filter(|version| version.life.is_open()).filter_map(|version| version.in_file());
    let Some(record) = in_file(b).or_else(|| in_file(a)).or_else(|| open.next_back()) else { return };
    let key = context.facts.name(record);
    let message = format!("two values of {key}, and neither dates nor tags nor the baseline order them");
    let mut found = Diagnostic::new(&INFO, context.head(record), message).about(&key);
    if let Some(other) = in_file(a).filter(|other| *other != record) {
        found = found.with_related(context.head(other), "the other value");
    }
    let found = found.with_help("both hold? mark them `<!-- memfile: many -->`, or list the parameter under `many` in memfile.toml");
    out.push(found.with_help("the last one holds? `memfile fix --prefer last`; or write `(since DATE)` behind the values"));
}
