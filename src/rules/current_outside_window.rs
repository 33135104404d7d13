//! The loader reads the old value and not the one that holds.

use super::context::{Context, Look};
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::repair::Grouped;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "current-outside-window",
    severity: Severity::Warning,
    fixable: Fixable::Unsafe,
    needs: Needs::File,
    stops_writing: false,
    summary: "an old value is loaded, its current one is not",
    page: include_str!("pages/current-outside-window.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Group(check)];

fn check(context: &Context, group: &Grouped, out: &mut Vec<Diagnostic>) {
    let document = context.document;
    let Some(end) = context.read_to else { return };
    let chain = &group.arrangement.chain;
    let inside = chain.iter().filter_map(|version| version.in_file()).find(|&record| document.records[record as usize].head.end() <= end);
    let current = chain.iter().rev().filter(|version| version.life.is_open()).find_map(|version| version.in_file());
    let (Some(old), Some(current)) = (inside, current) else { return };
    if document.records[current as usize].head.start() >= end {
        let key = context.facts.name(current);
        let message = format!("the current value of {key} stands behind what the loader reads, an old one before it");
        let found = Diagnostic::new(&INFO, context.head(current), message).about(&key);
        let found = found.with_related(context.head(old), "this one is read");
        out.push(found.with_help("move old history out: `memfile archive --keep 3`"));
    }
}
