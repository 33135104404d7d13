//! The same value stands twice.

use super::context::Context;
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "repeat",
    severity: Severity::Warning,
    fixable: Fixable::No,
    needs: Needs::File,
    stops_writing: false,
    summary: "a value stands twice",
    page: include_str!("pages/repeat.md"),
};

pub(super) fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    for group in &context.analysis.groups {
        let chain = &group.arrangement.chain;
        let open: Vec<_> = chain[group.arrangement.last.min(chain.len())..].iter().filter(|version| version.life.is_open()).collect();
        for pair in open.windows(2) {
            let (Some(a), Some(b)) = (pair[0].in_file(), pair[1].in_file()) else { continue };
            let (first, second) = (a.min(b), a.max(b));
            let key = context.analysis.facts.name(second);
            let found = Diagnostic::new(&INFO, context.head(second), format!("this value of {key} stands twice")).about(&key);
            let found = found.with_related(context.head(first), "it stands here as well");
            out.push(found.with_help(format!("take one out: `memfile drop {key:?} --value VALUE --yes`")));
        }
    }
}
