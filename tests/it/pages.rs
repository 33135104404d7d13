//! The page of each rule has its sections, and its example is true: the rule fires on it, and the fix gives what the page shows.

use crate::case::{Case, report};
use memfile::diagnostic::{Applicability, Fixable};
use memfile::rules::{RULES, example};

/// Pages whose example needs more than one text.
const NOT_PLAYED: [(&str, &str); 1] = [("cross-file-conflict", "it compares two files; the example shows both, and the CLI tests play it")];

#[test]
fn pages_have_their_sections() {
    for rule in RULES {
        let (name, page) = (rule.info.name, rule.info.page);
        assert!(page.starts_with(&format!("# {name}\n")), "{name}: the page begins with its name");
        let sections: Vec<&str> = page.lines().filter(|line| line.starts_with("## ")).filter(|line| *line != "## Project memory").collect();
        let mut rest = sections.iter();
        for section in ["## What it does", "## Why", "## Example"] {
            assert!(rest.any(|found| *found == section), "{name}: no {section:?} in its place");
        }
        if rule.info.fixable == Fixable::No {
            assert!(page.contains("\n## What to do\n"), "{name}: nothing is fixed, and the page does not say what to do");
        }
        for seen in page.split("\n## See also\n").nth(1).unwrap_or("").lines().filter_map(|line| line.strip_prefix("- `")) {
            let other = seen.split('`').next().unwrap_or("");
            assert!(RULES.iter().any(|rule| rule.info.name == other && other != name), "{name}: see also {other:?}?");
        }
    }
}

#[test]
fn examples_are_true() {
    let mut wrong = Vec::new();
    for rule in RULES {
        let name = rule.info.name;
        let example = example(rule.info.page);
        if NOT_PLAYED.iter().any(|(skipped, _)| *skipped == name) {
            assert!(example.before.is_empty(), "{name}: an example that could be played is not");
            continue;
        }
        let case = Case::new(example.base.as_deref(), &example.config, example.today.as_deref().unwrap_or(""));
        let found = case.check(&example.before).diagnostics;
        if !found.iter().any(|found| found.rule.name == name) {
            wrong.push(format!("{name}: not found in its example, but\n{}", report(&example.before, &found)));
            continue;
        }
        // An example shows one thing; of the others only what cannot be told apart from it.
        let others = found.iter().filter(|other| other.rule.name != name).filter(|other| !goes_with(name, other.rule.name));
        others.for_each(|other| wrong.push(format!("{name}: its example also has {}: {}", other.rule.name, other.message)));
        if rule.info.fixable == Fixable::Safe {
            assert!(example.after.is_some(), "{name}: the fix is safe, and the page does not show it");
        }
        let least = if rule.info.fixable == Fixable::Unsafe { Applicability::Unsafe } else { Applicability::Safe };
        let fixed = case.fix(&example.before, least).unwrap_or_else(|error| panic!("{name}: {error}"));
        let Some(after) = &example.after else {
            assert!(rule.info.fixable != Fixable::Safe, "{name}: no `after`");
            continue;
        };
        if fixed.text != *after {
            wrong.push(format!("{name}: the fix gives\n{}\nand the page shows\n{after}", fixed.text));
        }
        if fixed.remaining.iter().any(|found| found.rule.name == name) {
            wrong.push(format!("{name}: still found after the fix:\n{}", report(&fixed.text, &fixed.remaining)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Findings that come along by their nature: a new value under an old source overwrote the old value, and so on.
fn goes_with(rule: &str, other: &str) -> bool {
    matches!(
        (rule, other),
        ("stale-source", "overwritten")
            | ("scheduled-due", "untagged-historical")
            | ("current-outside-window", "over-budget")
            | ("elided", "mass-loss")
    )
}
