//! Conservation: what a fix must not do is looked for before its result is used (SPEC 9).
//!
//! In: the text before and after, and the edits between. Out: nothing, or the [`Loss`]. It reads both texts anew and believes
//! neither the planner nor the edits.

use crate::check::{Subject, content, content_hash};
use crate::command::Name;
use crate::config::Config;
use crate::diagnostic::RuleInfo;
use crate::facts::Facts;
use crate::syntax::{Reading, Record, parse};
use crate::text::{Patch, line_end, next_line};
use rustc_hash::FxHashMap;

/// What a fix would have lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loss {
    /// A record of the text before stands less often in the text after.
    Record(String),
    /// A line that no edit touches is gone, changed, or out of order.
    Line(String),
}

impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Record(key) => write!(f, "lose a record of {key}"),
            Self::Line(line) => write!(f, "change the line {line:?}"),
        }
    }
}

/// Shows that every record and every untouched line of `before` is still there, untouched ones in order. `rules` are the rules
/// whose fixes made the patch: two of them take records out by their nature.
///
/// # Errors
/// The first loss.
pub fn conserved(before: &str, after: &str, patch: &Patch, subject: &Subject, rules: &[&RuleInfo]) -> Result<(), Loss> {
    lines(before, after, patch)?;
    let takes_out = rules.iter().filter(|rule| matches!(rule.name, "draft" | "history-edited")).count();
    if rules.iter().any(|rule| rule.name == "hidden-characters") {
        // Taking them out changes keys and values by their very nature: both texts are read as if they had none.
        let bare = |text: &str| -> String { text.chars().filter(|&c| !crate::text::is_hidden(c)).collect() };
        return records(&bare(before), &bare(after), subject, takes_out);
    }
    records(before, after, subject, takes_out)
}

fn lines(before: &str, after: &str, patch: &Patch) -> Result<(), Loss> {
    let mut edits = patch.edits().peekable();
    let mut rest = after;
    let mut at = 0;
    while at < before.len() {
        let (end, next) = (line_end(before, at), next_line(before, at));
        // An insertion at the line's start stands before it; one at its end, or any other edit that meets it, touches it.
        while edits.peek().is_some_and(|edit| edit.range.end() <= at) {
            edits.next();
        }
        let touched = edits.peek().is_some_and(|edit| edit.range.start() <= end);
        let line = &before[at..end];
        if !touched && !line.trim().is_empty() {
            let Some(found) = find_line(rest, line) else { return Err(Loss::Line(line.to_owned())) };
            rest = &rest[found + line.len()..];
        }
        at = next;
    }
    Ok(())
}

/// Where `line` stands as a whole line in `text`. The next lines are looked at first: most lines stay where they are.
fn find_line(text: &str, line: &str) -> Option<usize> {
    let mut at = 0;
    while at <= text.len() {
        let end = line_end(text, at);
        if &text[at..end] == line {
            return Some(at);
        }
        let next = next_line(text, at);
        if next == at {
            return None;
        }
        at = next;
    }
    None
}

fn records(before: &str, after: &str, subject: &Subject, takes_out: usize) -> Result<(), Loss> {
    let reading = Reading { config: subject.config, whole_file: subject.whole_file, also: None };
    let managed = parse(before, reading).managed();
    // A key without a value is the label of what comes back under it; its line is looked for like all others.
    let says = |record: &Record| !record.value.is_empty() || record.tag.is_some();
    lost(before, after, Reading { also: Some(&managed), ..reading }, &says, takes_out)
}

/// Shows that of the records that `counts` takes no more than `takes_out` stand less often in `after` than in `before`.
fn lost(before: &str, after: &str, reading: Reading, counts: &dyn Fn(&Record) -> bool, takes_out: usize) -> Result<(), Loss> {
    let hashes = |text: &str| {
        let document = parse(text, reading);
        let counted = document.records.iter().filter(|record| counts(record));
        let mut hashes: Vec<u64> = counted.map(|record| content_hash(&document, record, reading.config)).collect();
        hashes.sort_unstable();
        hashes
    };
    let missing = more_often(&hashes(before), &hashes(after));
    if missing.len() <= takes_out {
        return Ok(());
    }
    let document = parse(before, reading);
    let is_missing = |record: &&Record| counts(record) && missing.binary_search(&content_hash(&document, record, reading.config)).is_ok();
    let first = document.records.iter().find(is_missing);
    Err(Loss::Record(first.map_or_else(String::new, |record| content(&document, record, reading.config).0)))
}

/// What stands more often in `was` than in `is`, as often as that; all sorted.
fn more_often(was: &[u64], is: &[u64]) -> Vec<u64> {
    let mut is = is.iter().peekable();
    let is_gone = |hash: &&u64| {
        while is.next_if(|other| *other < *hash).is_some() {}
        is.next_if_eq(hash).is_none()
    };
    was.iter().filter(is_gone).copied().collect()
}

/// Shows that a command changed only the facts `touched`: every record of any other is there as often as before.
///
/// # Errors
/// The first record that is lost, or more often there.
pub fn others(before: &str, after: &str, config: &Config, whole_file: bool, touched: &[Name]) -> Result<(), Loss> {
    let count = |text: &str, sign: isize, counts: &mut FxHashMap<(String, String, String), isize>| {
        let document = parse(text, Reading { config, whole_file, also: None });
        let facts = Facts::new(&document, config);
        for (idx, record) in document.records.iter().enumerate() {
            let space = &facts.spaces[facts.space_of(idx) as usize].key;
            let (parameter, _) = content(&document, record, config);
            let is_touched = touched.iter().any(|name| name.space == *space && name.parameter == parameter);
            if !is_touched {
                *counts.entry((space.clone(), parameter, record.head.of(text).to_owned())).or_default() += sign;
            }
        }
    };
    let mut counts = FxHashMap::default();
    count(before, 1, &mut counts);
    count(after, -1, &mut counts);
    match counts.into_iter().find(|(_, number)| *number != 0) {
        Some(((_, key, _), _)) => Err(Loss::Record(key)),
        None => Ok(()),
    }
}

/// Shows that nothing of `before` is missing in `after`: every record is there at least as often.
///
/// # Errors
/// The first record that is lost.
pub fn grown(before: &str, after: &str, config: &Config, whole_file: bool) -> Result<(), Loss> {
    lost(before, after, Reading { config, whole_file, also: None }, &|_| true, 0)
}

/// Shows that a file and its archive have together what they had: each record as it was written.
///
/// # Errors
/// The first record that is lost, or more often there.
pub fn moved(before: (&str, &str), after: (&str, &str), config: &Config, whole_file: bool) -> Result<(), Loss> {
    let mut counts: FxHashMap<String, isize> = FxHashMap::default();
    let mut count = |text: &str, whole_file: bool, sign: isize| {
        let document = parse(text, Reading { config, whole_file, also: None });
        for record in &document.records {
            *counts.entry(record.head.of(text).to_owned()).or_default() += sign;
        }
    };
    count(before.0, whole_file, 1);
    count(before.1, true, 1);
    count(after.0, whole_file, -1);
    count(after.1, true, -1);
    match counts.into_iter().find(|(_, number)| *number != 0) {
        Some((head, _)) => Err(Loss::Record(head)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_more_often_is_told_as_often() {
        assert_eq!(more_often(&[1, 1, 1, 2, 4, 7, 7], &[0, 1, 3, 4, 4, 7]), [1, 1, 2, 7]);
        assert_eq!(more_often(&[1, 2], &[]), [1, 2]);
        assert!(more_often(&[], &[1]).is_empty() && more_often(&[3, 3], &[2, 3, 3, 3]).is_empty());
    }

    #[test]
    fn a_list_that_speaks_no_more_has_lost_nothing() {
        let before = "# Notes\n\n- Port: 8080 [historical] replaced by: 9090 as of 2026-01-02\n- Base: a\n";
        let after = "# Notes\n\n- Port: 8080\n- Base: a\n";
        let (config, selection) = (Config::default(), crate::check::Selection::default());
        let subject = Subject::new(&config, &selection, chrono::NaiveDate::MIN);
        let conserved = |after: &str| conserved(before, after, &crate::fix::between(before, after), &subject, &[]);
        assert_eq!(conserved(after), Ok(()));
        assert_eq!(conserved(&after.replace("8080", "9090")), Err(Loss::Record("port".into())));
    }

    #[test]
    fn a_loss_names_the_first_record_that_is_gone() {
        let config = Config::default();
        let text = |lines: &[&str]| format!("## Memory\n\n{}\n", lines.join("\n"));
        let before = text(&["- Port: 1", "- Base: a", "- Base: a", "- Host: x"]);
        let grown = |after: &[&str]| super::grown(&before, &text(after), &config, true);
        assert_eq!(grown(&["- Host: x", "- Base: a", "- Port: 1", "- Base: a", "- Port: 2"]), Ok(()));
        assert_eq!(grown(&["- Port: 1", "- Base: a", "- Port: 2"]), Err(Loss::Record("base".into())));
        assert_eq!(grown(&["- Base: a", "- Base: a", "- Host: x", "- Host: x"]), Err(Loss::Record("port".into())));
    }
}
