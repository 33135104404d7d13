//! Git's markers around what a person must decide: the records of a fact in which the sides differ, or lines of other text.
//!
//! In: the mended text and where those records and lines stand in it. Out: the text with the conflicts.

use super::entries::{Entries, Key, block};
use super::lines::Lines;
use super::markers::{conflict, end};
use super::three::{Side, Three};
use super::{Conflict, Terms};
use crate::text::{Patch, TextEdit, TextRange};
use std::borrow::Cow;

/// One conflict of records.
pub(super) struct Disputed {
    /// The fact; none for a statement.
    pub(super) key: Option<Key>,
    /// All entries of the fact, present or not.
    pub(super) entries: Vec<u32>,
}

/// Puts the markers in. `places`: the entries of disputed facts with their bytes, in text order of the composed text. `None` where two
/// conflicts stand in each other's way.
pub(super) fn marked(
    text: &str,
    entries: &Entries,
    terms: &Terms,
    disputed: &[Disputed],
    places: &[(u32, TextRange)],
    prose: &[(TextRange, Three<String>)],
) -> Option<Lines> {
    let eol = end(entries.facts.ours.document.text);
    let mut patch = Patch::default();
    let mut conflicts = Vec::new();
    for fact in disputed {
        let own: Vec<(u32, TextRange)> = places.iter().copied().filter(|(entry, _)| fact.entries.contains(entry)).collect();
        let differs = |entry: u32| entries.block(entry, Side::Ours) != entries.block(entry, Side::Theirs);
        let clashes = fact.key.is_none();
        let first = own.iter().position(|(entry, _)| clashes || differs(*entry))?;
        let last = own.iter().rposition(|(entry, _)| clashes || differs(*entry))?;
        let inside = &own[first..=last];
        let outside = |entry: u32| own.iter().any(|(other, _)| *other == entry) && !inside.iter().any(|(other, _)| *other == entry);
        let shown: Vec<u32> = fact.entries.iter().copied().filter(|&entry| !outside(entry)).collect();
        let edits: Vec<TextEdit> = inside
            .iter()
            .enumerate()
            .map(|(number, (_, range))| match number {
                0 => TextEdit::replace(*range, conflict(terms, eol, blocks(entries, &shown).each().map(String::as_str))),
                _ => TextEdit::delete(*range),
            })
            .collect();
        if !patch.try_add(&edits) {
            return None;
        }
        conflicts.push(name(entries, &shown).map_or(Conflict::Text, Conflict::Fact));
    }
    for (range, lines) in prose {
        if !patch.try_add(&[TextEdit::replace(*range, conflict(terms, eol, lines.each().map(String::as_str)))]) {
            return None;
        }
        conflicts.push(Conflict::Text);
    }
    let text = patch.apply(text);
    let marker = ">".repeat(terms.marker_size);
    let closed = !conflicts.is_empty() && text.lines().next_back().is_some_and(|line| line.starts_with(&marker));
    Some(Lines { text, conflicts, closed })
}

/// What each version has of some entries, in its own order.
fn blocks(entries: &Entries, shown: &[u32]) -> Three<String> {
    let numbers = |of: &dyn Fn(u32) -> Option<u32>| {
        let mut numbers: Vec<u32> = shown.iter().filter_map(|&entry| of(entry)).collect();
        numbers.sort_unstable();
        numbers
    };
    let found = |entry: u32| entries.list[entry as usize];
    let join = |facts, numbers: Vec<u32>| numbers.into_iter().map(|record| block(facts, record)).collect::<String>();
    Three {
        base: join(entries.facts.base, numbers(&|entry| found(entry).base)),
        ours: join(entries.facts.ours, numbers(&|entry| found(entry).ours)),
        theirs: join(entries.facts.theirs, numbers(&|entry| found(entry).theirs)),
    }
}

/// The name of the fact, as either side writes it.
fn name(entries: &Entries, shown: &[u32]) -> Option<String> {
    let names = shown.iter().filter_map(|&entry| {
        let found = entries.list[entry as usize];
        let ours = found.ours.map(|record| entries.facts.ours.name(record));
        ours.or_else(|| found.theirs.map(|record| entries.facts.theirs.name(record)))
    });
    names.into_iter().find(|name| !name.is_empty()).map(Cow::into_owned)
}
