//! A tag on a heading tags nothing below it.

use super::context::{Context, Look};
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "tag-on-heading",
    severity: Severity::Warning,
    fixable: Fixable::No,
    needs: Needs::File,
    stops_writing: false,
    summary: "a tag on a heading tags nothing below it",
    page: include_str!("pages/tag-on-heading.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Text(check)];

fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    let document = context.document;
    const TAGS: [&str; 4] = ["[historical", "[retracted", "[scheduled", "[redacted"];
    for heading in &document.headings {
        let text = heading.text.of(document.text);
        if !text.contains('[') || !document.manages(heading.range.start()) {
            continue;
        }
        let lower = text.to_lowercase();
        if TAGS.iter().any(|tag| lower.contains(tag)) {
            let found = Diagnostic::new(&INFO, heading.text, "a tag on a heading tags nothing below it");
            out.push(found.with_help("tag the records themselves"));
        }
    }
}
