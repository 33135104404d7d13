//! Half of the facts are gone: no edit of a fact, an accident.

use super::context::{Context, Look};
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::text::TextRange;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "mass-loss",
    severity: Severity::Error,
    fixable: Fixable::No,
    needs: Needs::Baseline,
    stops_writing: true,
    summary: "most of the facts of the baseline are gone",
    page: include_str!("pages/mass-loss.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Text(check)];

fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    let Some((lost, total)) = context.comparison.mass_loss else { return };
    let message = format!("{lost} of {total} facts of the baseline are gone: nothing is written");
    let found = Diagnostic::new(&INFO, TextRange::empty(0), message);
    let found = found.with_help("`memfile restore` brings the lost records back as they were");
    out.push(found.with_help("meant? `memfile accept FILE`"));
}
