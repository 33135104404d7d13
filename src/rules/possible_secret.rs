//! A secret in a memory file is read by every model that reads the file.

use super::context::{Context, Look};
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::facts::is_secret;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "possible-secret",
    severity: Severity::Warning,
    fixable: Fixable::No,
    needs: Needs::File,
    stops_writing: false,
    summary: "a value looks like a secret",
    page: include_str!("pages/possible-secret.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Text(check)];

fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    let document = context.document;
    for (idx, record) in document.records.iter().enumerate() {
        if is_secret(record.value.of(document.text)) {
            let key = context.facts.name(idx as u32);
            let name = if record.parameter.is_empty() { "this record" } else { &key };
            let mut found = Diagnostic::new(&INFO, record.value, format!("the value of {name} looks like a secret"));
            found.key = (!record.parameter.is_empty()).then(|| key.as_ref().into());
            out.push(found.with_help("say where it is kept instead, and erase it: `memfile forget KEY --yes`"));
        }
    }
}
