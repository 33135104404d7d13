//! A placeholder stands where an agent left text out.

use super::context::{Context, Look};
use crate::baseline::elided;
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "elided",
    severity: Severity::Error,
    fixable: Fixable::No,
    needs: Needs::File,
    stops_writing: true,
    summary: "a placeholder like `rest unchanged` stands for text that was left out",
    page: include_str!("pages/elided.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Text(check)];

fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    let document = context.document;
    let managed = document.is_managed() || context.base.is_some_and(|base| base.is_managed());
    if !managed {
        return;
    }
    if let Some(range) = elided(document.text, context.base.map(|base| base.text)) {
        let found = Diagnostic::new(&INFO, range, "a placeholder for text that was left out: nothing is written");
        out.push(found.with_help("write the text out, or take the line out; `memfile restore` brings lost records back"));
    }
}
