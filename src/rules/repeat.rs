//! The same value stands twice.

use super::context::{Context, Look};
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::repair::Grouped;
use smallvec::SmallVec;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "repeat",
    severity: Severity::Warning,
    fixable: Fixable::No,
    needs: Needs::File,
    stops_writing: false,
    summary: "a value stands twice",
    page: include_str!("pages/repeat.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Group(check)];

fn check(context: &Context, group: &Grouped, out: &mut Vec<Diagnostic>) {
    let chain = &group.arrangement.chain;
    let open = chain[group.arrangement.last.min(chain.len())..].iter().filter(|version| version.life.is_open());
    // As they stand in the text, whatever orders them.
    let mut open: SmallVec<[u32; 4]> = open.filter_map(|version| version.in_file()).collect();
    open.sort_unstable();
    for pair in open.windows(2) {
        let [first, second] = [pair[0], pair[1]];
        let key = context.facts.name(second);
        let found = Diagnostic::new(&INFO, context.head(second), format!("this value of {key} stands twice")).about(&key);
        let found = found.with_related(context.head(first), "it stands here as well");
        out.push(found.with_help(format!("take one out: `memfile drop {key:?} --value VALUE --yes`")));
    }
}
