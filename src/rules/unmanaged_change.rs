//! A value changed in text that memfile does not manage.

use super::context::{Context, Look};
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::facts::is_secret;
use crate::syntax::{Document, Record, Shape};
use crate::text::{fold_key, fold_value, strip_markup};
use std::collections::BTreeMap;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "unmanaged-change",
    severity: Severity::Hint,
    fixable: Fixable::No,
    needs: Needs::Baseline,
    stops_writing: false,
    summary: "a value changed in text that memfile does not manage",
    page: include_str!("pages/unmanaged-change.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Text(check)];

fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    let Some(base) = context.base else { return };
    let document = context.document;
    if base.text == document.text || document.observed.is_empty() {
        return;
    }
    let before = unique(base);
    for ((scope, key), record) in unique(document) {
        let Some(old) = before.get(&(scope, key.clone())) else { continue };
        let (was, now) = (old.value.of(base.text), record.value.of(document.text));
        if !is_change(was, now) {
            continue;
        }
        let parameter = strip_markup(record.parameter.of(document.text)).into_owned();
        let shown = if is_secret(was) { String::new() } else { format!(" from `{was}`") };
        let found = Diagnostic::new(&INFO, record.head, format!("{parameter} changed{shown}; this text is not managed")).about(parameter);
        let heading = document.scopes[record.scope as usize].nearest();
        out.push(match heading {
            Some(heading) => found.with_help(format!("keep its history? `memfile adopt FILE --heading {heading:?}`")),
            None => found.with_help("keep its history? `memfile adopt FILE --heading HEADING`"),
        });
    }
}

/// Key-value records and rows whose parameter stands once under its headings.
fn unique<'a>(document: &'a Document) -> BTreeMap<(&'a str, String), &'a Record> {
    let mut found: BTreeMap<(&str, String), Option<&Record>> = BTreeMap::new();
    for record in document.observed.iter().filter(|record| record.shape != Shape::Statement) {
        let key = (document.scopes[record.scope as usize].key.as_str(), fold_key(record.parameter.of(document.text)));
        found.entry(key).and_modify(|other| *other = None).or_insert(Some(record));
    }
    found.into_iter().filter_map(|(key, record)| Some((key, record?))).collect()
}

/// Both short, neither part of the other, more than digits, and no status.
fn is_change(was: &str, now: &str) -> bool {
    let short = |value: &str| value.chars().count() <= 40;
    let (a, b) = (fold_value(was), fold_value(now));
    let letters = |value: &str| value.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    short(was)
        && short(now)
        && !a.is_empty()
        && !b.is_empty()
        && !a.contains(&b)
        && !b.contains(&a)
        && letters(&a) != letters(&b)
        && !is_status(&a)
        && !is_status(&b)
}

/// Words for how far a thing is, which change all the time.
fn is_status(value: &str) -> bool {
    const WORDS: [&str; 52] = [
        "todo",
        "to do",
        "done",
        "in progress",
        "not started",
        "started",
        "pending",
        "complete",
        "completed",
        "open",
        "closed",
        "active",
        "inactive",
        "wip",
        "blocked",
        "draft",
        "review",
        "in review",
        "planned",
        "cancelled",
        "canceled",
        "passing",
        "failing",
        "passed",
        "failed",
        "ok",
        "yes",
        "no",
        "true",
        "false",
        "on",
        "off",
        "enabled",
        "disabled",
        "ready",
        "none",
        "n/a",
        "tbd",
        "released",
        "shipped",
        "paused",
        "queued",
        "running",
        "готово",
        "сделано",
        "в работе",
        "не начато",
        "начато",
        "завершено",
        "отложено",
        "да",
        "нет",
    ];
    let bare = value.trim_matches(|c: char| !c.is_alphanumeric() && c != '/');
    bare.is_empty() || WORDS.contains(&bare)
}
