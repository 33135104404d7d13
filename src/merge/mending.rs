//! Tags and places of the facts that both sides changed, by the planner that `fix` uses.
//!
//! In: the composed text and the facts to mend. Out: the text after, and where ranges of the text before stand in it. The same
//! records stand in it, once each.

use super::Terms;
use super::entries::stable;
use super::groups::{Fact, arrival};
use crate::facts::Facts;
use crate::repair::{Analysis, Day};
use crate::syntax::{Managed, Reading, parse};
use crate::text::{Patch, TextRange};
use rustc_hash::FxHashMap;

/// Most rounds; each one makes progress.
const ROUNDS: usize = 16;

/// What a record says, whatever its tag: its space, parameter and value.
pub(super) type Content = (String, String, String);

pub(super) fn content(facts: &Facts, record: u32) -> Content {
    let parameter = facts.group_of(record as usize).map_or(String::new(), |group| facts.groups[group as usize].parameter.to_string());
    (stable(&facts.spaces[facts.space_of(record as usize) as usize].key), parameter, facts.value_key(record))
}

/// The contents of all records, sorted.
pub(super) fn contents(facts: &Facts) -> Vec<Content> {
    let mut contents: Vec<Content> = (0..facts.document.records.len() as u32).map(|record| content(facts, record)).collect();
    contents.sort_unstable();
    contents
}

/// Mends `mixed` in `text`, in which `from_base` tells for each record whether the base has it. `ranges` are moved along. `None`
/// where the result would not hold the same records.
pub(super) fn mend(
    text: String,
    mixed: &[Fact],
    from_base: &[bool],
    managed: &Managed,
    terms: &Terms,
    ranges: &mut [TextRange],
) -> Option<String> {
    let reading = Reading { config: terms.config, whole_file: terms.whole_file, also: Some(managed) };
    let mut came: FxHashMap<Content, Vec<bool>> = FxHashMap::default();
    let mut before = Vec::new();
    let mut now = text;
    for round in 0..ROUNDS {
        let document = parse(&now, reading);
        let facts = Facts::new(&document, terms.config);
        let own: Vec<Content> = (0..document.records.len() as u32).map(|record| content(&facts, record)).collect();
        if round == 0 {
            for (content, &from_base) in own.iter().zip(from_base) {
                came.entry(content.clone()).or_default().push(from_base);
            }
            before = contents(&facts);
        } else if contents(&facts) != before {
            return None;
        }
        // Of records that say the same the first are the first.
        let mut seen: FxHashMap<&Content, usize> = FxHashMap::default();
        let known: Vec<bool> = own
            .iter()
            .map(|content| {
                let at = seen.entry(content).or_default();
                *at += 1;
                came.get(content).and_then(|came| came.get(*at - 1)).copied().unwrap_or(false)
            })
            .collect();
        let comparison = arrival(&facts, |record| known[record as usize].then_some(record));
        let patch = steps(&Analysis::new(&facts, &comparison, &[], &Day::new(terms.today)), mixed);
        if patch.is_empty() {
            return Some(now);
        }
        ranges.iter_mut().for_each(|range| *range = moved(*range, &patch));
        let next = patch.apply(&now);
        drop(document);
        now = next;
    }
    None
}

/// The edits that the facts need.
fn steps(analysis: &Analysis, mixed: &[Fact]) -> Patch {
    let mut patch = Patch::default();
    let facts = analysis.facts;
    for grouped in &analysis.groups {
        let is_mixed = |number: u32| {
            let group = &facts.groups[number as usize];
            let space = &facts.spaces[group.space() as usize].key;
            mixed.iter().any(|fact| fact.parameter == group.parameter && fact.space == *space)
        };
        if !grouped.group.is_some_and(is_mixed) {
            continue;
        }
        for step in grouped.steps.iter().filter(|step| step.lost.is_none()) {
            if let Some(edits) = &step.edits {
                patch.try_add(edits);
            }
        }
    }
    patch
}

/// Where a range stands after a patch that changes none of its bytes: what is inserted at its ends stays outside.
fn moved(range: TextRange, patch: &Patch) -> TextRange {
    let mut by = 0_isize;
    for edit in patch.edits() {
        if edit.range.end() > range.start() {
            break;
        }
        by += edit.text.len() as isize - edit.range.len() as isize;
    }
    let start = range.start().saturating_add_signed(by);
    TextRange::new(start, start + range.len())
}
