//! Two files say different things about one fact.

use super::context::{Context, Look};
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "cross-file-conflict",
    severity: Severity::Warning,
    fixable: Fixable::No,
    needs: Needs::Others,
    stops_writing: false,
    summary: "another file gives another current value",
    page: include_str!("pages/cross-file-conflict.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Text(check)];

fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    for conflict in context.cross {
        let key = context.facts.name(conflict.record);
        let place = format!("{}:{}", conflict.other, conflict.line);
        let message = match &conflict.value {
            Some(value) => format!("{place} says that {key} is `{value}`"),
            None => format!("{place} gives another value of {key}"),
        };
        let found = Diagnostic::new(&INFO, context.head(conflict.record), message).about(&key);
        out.push(found.with_help("keep the fact in one file, or give each a subject of its own"));
    }
}

#[cfg(test)]
mod tests {
    use crate::check::{Selection, Subject, check};
    use crate::config::Config;
    use crate::rules::CrossFile;

    #[test]
    fn the_other_file_is_named_and_a_secret_is_not() {
        let cross =
            [Some("8080"), None].map(|value| CrossFile { record: 0, other: "docs/a.md".into(), line: 7, value: value.map(str::to_owned) });
        let (config, selection) = (Config::default(), Selection::default());
        let today = chrono::NaiveDate::from_ymd_opt(2026, 11, 29).expect("a day");
        let subject = Subject { cross: &cross, ..Subject::new(&config, &selection, today) };
        let found = check("## Project memory\n\n- Port: 9090\n", &subject).diagnostics;
        let said: Vec<_> = found.iter().map(|found| (found.rule.name, found.message.as_str(), found.key.as_deref())).collect();
        let rule = "cross-file-conflict";
        let says = "docs/a.md:7 says that Port is `8080`";
        assert_eq!(said, [(rule, says, Some("Port")), (rule, "docs/a.md:7 gives another value of Port", Some("Port"))]);
    }
}
