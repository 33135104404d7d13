//! What must hold for any bytes: a target's name and an input come in, and a property that fails panics.
//!
//! The fuzzer calls this, and `tests/it/crashers.rs` for every input that once broke it. An input of `baseline` is two texts with
//! [`BETWEEN`] between them, the baseline first; one of `merge` is three.

mod merging;

use memfile::baseline::Accepted;
use memfile::check::{Baseline, Commit, Selection, Subject, check};
use memfile::config::{Config, DateOrder};
use memfile::diagnostic::{Applicability, Diagnostic};
use memfile::fix::fix;
use memfile::syntax::date::{Written, find, read_prefix, read_whole};
use memfile::syntax::{Reading, parse, tiles};
use memfile::text::{fold_key, fold_value};
use std::collections::BTreeMap;

/// The line between the texts of one input.
pub(crate) const BETWEEN: &str = "\n%%%%\n";

/// Holds `data` against the property of one target.
pub(crate) fn hold(target: &str, data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match target {
        "parse" => parses(text),
        "fix" => fixes(text),
        "baseline" => compares(text),
        "merge" => merging::merges(text),
        "dates" => dates(text),
        "tags" => tags(text),
        "config" => settings(text),
        other => panic!("there is no target {other}"),
    }
}

fn today() -> chrono::NaiveDate {
    chrono::NaiveDate::from_ymd_opt(2026, 11, 29).expect("a day")
}

/// The tiles of any text are the text; what a record says of itself lies in it.
fn parses(text: &str) {
    let config = Config::default();
    for whole_file in [false, true] {
        let document = parse(text, Reading { whole_file, ..Reading::new(&config) });
        let mut at = 0;
        for tile in tiles(&document) {
            assert_eq!(tile.range.start(), at, "a gap or an overlap");
            assert!(!tile.range.is_empty() && text.is_char_boundary(tile.range.end()));
            at = tile.range.end();
        }
        assert_eq!(at, text.len(), "the end is missing");
        for record in &document.records {
            for range in [record.block, record.head, record.parameter, record.value, record.subject] {
                assert!(text.get(range.start()..range.end()).is_some(), "a range outside the text, or inside a character");
            }
            assert!(record.block.covers(record.head), "a record's head is outside its block");
        }
    }
}

fn fixes(text: &str) {
    let config = Config::default();
    let selection = Selection::default();
    for whole_file in [false, true] {
        fixed_point(text, &Subject { whole_file, ..Subject::new(&config, &selection, today()) });
    }
}

/// A fix can be trusted, loses nothing, leaves nothing that it could fix, and has nothing to do a second time.
fn fixed_point(text: &str, subject: &Subject) {
    let found = check(text, subject).diagnostics;
    let fixed = fix(text, subject, Applicability::Safe).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(fixed.patch.apply(text), fixed.text, "the patch gives another text");
    if !found.iter().any(is_safe) || found.iter().any(|found| found.rule.stops_writing) {
        assert_eq!(fixed.text, text, "nothing to fix, and something was written");
    }
    assert!(
        fixed.remaining.iter().any(|found| found.rule.stops_writing) || !fixed.remaining.iter().any(is_safe),
        "something fixable is left"
    );
    let again = fix(&fixed.text, subject, Applicability::Safe).unwrap_or_else(|error| panic!("the second fix: {error}"));
    assert_eq!(again.text, fixed.text, "the second fix changes the text again");
    let drafts = fixed.applied.iter().filter(|rule| matches!(rule.name, "draft" | "history-edited")).count();
    assert!(missing(text, &fixed.text, subject) <= drafts, "a record is lost");
    // Fixes that a person looks at are held to the same.
    fix(text, subject, Applicability::Unsafe).unwrap_or_else(|error| panic!("unsafe: {error}"));
}

fn is_safe(found: &Diagnostic) -> bool {
    found.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe)
}

/// How many records of `before` stand less often in `after`.
fn missing(before: &str, after: &str, subject: &Subject) -> usize {
    let own = Reading { config: subject.config, whole_file: subject.whole_file, also: None };
    let managed = parse(before, own).managed();
    let count = |text: &str| {
        let document = parse(text, Reading { also: Some(&managed), ..own });
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        // A key without a value may be the label of what comes back under it.
        for record in document.records.iter().filter(|record| !record.value.is_empty() || record.tag.is_some()) {
            *counts.entry((fold_key(record.parameter.of(text)), fold_value(record.value.of(text)))).or_default() += 1;
        }
        counts
    };
    let is = count(after);
    count(before).iter().map(|(key, number)| number.saturating_sub(is.get(key).copied().unwrap_or(0))).sum()
}

/// What a text lost against any other comes back once, or is told.
fn compares(input: &str) {
    let (base, text) = input.split_once(BETWEEN).unwrap_or((input, ""));
    let config = Config::default();
    let selection = Selection::default();
    let accepted = Accepted::default();
    let revisions: [Commit; 1] = [(None, base.into())];
    for whole_file in [false, true] {
        let baseline = Baseline { revisions: &revisions, accepted: &accepted, commits: None, elsewhere: None };
        fixed_point(text, &Subject { whole_file, baseline: Some(baseline), ..Subject::new(&config, &selection, today()) });
    }
}

/// A date that is read is read again from its ISO form, and orders like it.
fn dates(text: &str) {
    for order in [None, Some(DateOrder::Dmy), Some(DateOrder::Mdy)] {
        let found = find(text, order);
        let first = read_prefix(text, order);
        for found in [found, first].into_iter().flatten() {
            assert!(text.get(found.range.start()..found.range.end()).is_some(), "a range outside the text, or inside a character");
        }
        if let Some(Written::Date(date)) = read_whole(text, order) {
            assert!(date.first() < date.past(), "an empty interval");
            assert_eq!(read_whole(&date.iso(), None), Some(Written::Date(date)), "the ISO form is another date");
        }
    }
}

/// A value comes back from the tag that names it.
fn tags(input: &str) {
    let value = input.trim();
    if value.contains(['\n', '\r']) || value.is_empty() {
        return;
    }
    let text = format!("## Project memory\n\n- Law | old one | source: call 2025-01-01\n- Law | {value} | source: call 2026-01-01\n");
    let config = Config::default();
    let document = parse(&text, Reading::new(&config));
    // Only what is read as this very value is of interest.
    let [_, new] = document.records.as_slice() else { return };
    let folded = fold_value(value);
    if new.value.of(&text) != value || new.tag.is_some() || memfile::facts::is_secret(value) || folded == "old one" || folded.is_empty() {
        return;
    }
    let selection = Selection::default();
    let subject = Subject::new(&config, &selection, today());
    if check(&text, &subject).diagnostics.iter().any(|found| found.rule.stops_writing) {
        return;
    }
    let fixed = fix(&text, &subject, Applicability::Safe).unwrap_or_else(|error| panic!("{error}"));
    // A tag that would be read in another way, because code that the value opens swallows it, is told and not written.
    if fixed.text == text && value.contains('`') {
        assert!(fixed.remaining.iter().any(|found| found.rule.name == "untagged-historical"), "no tag, and not a word");
        return;
    }
    let after = parse(&fixed.text, Reading::new(&config));
    let tag = after.records[0].tag.as_ref().unwrap_or_else(|| panic!("no tag\n{}", fixed.text));
    // Bars are escaped only where one of them would separate.
    let [escaped, plain] = [true, false].map(|cells| fold_value(&memfile::facts::tag_value(value, cells)));
    let is_it = |text: &str| [&escaped, &plain, &folded].contains(&&fold_value(text));
    let named = tag.split(&is_it).unwrap_or_default();
    assert!(is_it(&named.value), "{named:?}\n{}", fixed.text);
    assert_eq!(named.when.as_deref(), Some("2026-01-01"), "{}", fixed.text);
}

/// Settings are read or refused with a sentence; under themselves they say the same.
fn settings(text: &str) {
    match Config::parse(text) {
        Err(message) => assert!(!message.is_empty(), "refused without a word"),
        Ok(config) => {
            let twice = Config::parse_over(text, text).unwrap_or_else(|error| panic!("over itself: {error}"));
            assert_eq!(format!("{config:?}"), format!("{twice:?}"), "over itself it says something else");
        }
    }
}
