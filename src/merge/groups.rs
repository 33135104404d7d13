//! Facts that both sides changed: is there an order of their versions, and if not, what is the conflict.
//!
//! In: the composed text with its entries. Out: a [`Judgement`]. A version that only one side has comes before or after one that only
//! the other has by their written dates or not at all.

use super::Terms;
use super::entries::{Entries, Key};
use super::own_text::Said;
use super::three::Side;
use crate::baseline::Comparison;
use crate::config::Cardinality;
use crate::facts::{Facts, Version};
use crate::repair::{Analysis, Day, arrange_group};
use rustc_hash::FxHashSet;

/// A fact by the names of the composed text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fact {
    pub(super) space: String,
    pub(super) parameter: String,
}

/// What is to be done about facts that both sides changed.
#[derive(Default, Debug)]
pub(super) struct Judgement {
    /// Facts that a person must decide.
    pub(super) conflicts: FxHashSet<Key>,
    /// Entries that carry the tag of the other side.
    pub(super) flipped: Vec<u32>,
    /// Entries that a later value of a fact without history replaces.
    pub(super) gone: Vec<u32>,
    /// Facts of which both sides changed something, in text order, each with its entries.
    pub(super) mixed: Vec<(Fact, Vec<u32>)>,
}

/// Judges the facts of a composed text. `order`: for each record of `facts` its entry.
pub(super) fn judge<'a>(facts: &'a Facts<'a, 'a>, order: &[u32], entries: &Entries, said: &[Option<Said>], terms: &Terms) -> Judgement {
    let comparison = arrival(facts, |record| entries.list[order[record as usize] as usize].base);
    let analysis = Analysis::new(facts, &comparison, &[], &Day::new(terms.today));
    let mut out = Judgement::default();
    for (number, group) in facts.groups.iter().enumerate() {
        let own: Vec<u32> = group.records.iter().map(|&record| order[record as usize]).collect();
        if Side::BOTH.into_iter().any(|side| is_as(entries, &own, said, side)) {
            continue;
        }
        let fact = Fact { space: facts.spaces[group.space as usize].key.clone(), parameter: group.parameter.clone() };
        let entry = |version: &Version| version.in_file().map(|record| order[record as usize]);
        match group.cardinality {
            Cardinality::Many => {}
            Cardinality::Volatile => match replaced(facts, &group.records, order, entries) {
                Some(gone) => out.gone.extend(gone),
                None => out.conflicts.extend(own.iter().map(|&entry| entries.key(entry))),
            },
            Cardinality::One if terms.is_archive => {}
            Cardinality::One => {
                for arrangement in arrange_group(&analysis, &[], number as u32) {
                    let chain = &arrangement.chain;
                    let apart = chain.windows(2).any(|pair| !is_told(&pair[0], &pair[1], &entry, entries));
                    if apart {
                        out.conflicts.extend(own.iter().map(|&entry| entries.key(entry)));
                    }
                    for (idx, version) in chain.iter().enumerate() {
                        let Some(entry) = entry(version).filter(|&entry| matches!(said[entry as usize], Some(Said::Either(..)))) else {
                            continue;
                        };
                        let value = |at: Option<usize>| at.map(|at| chain[at].value.as_str());
                        if value(arrangement.names[idx]) != value(arrangement.successor[idx]) {
                            out.flipped.push(entry);
                        }
                    }
                }
            }
        }
        out.mixed.push((fact, own));
    }
    out
}

/// When the records of a text came: those of the base first. `base`: for a record of `facts` that of the base.
pub(super) fn arrival(facts: &Facts, base: impl Fn(u32) -> Option<u32>) -> Comparison {
    let records = &facts.document.records;
    let came = |idx: usize| u32::from(base(idx as u32).is_none());
    Comparison {
        came: (0..records.len()).map(came).collect(),
        position: records.iter().map(|record| record.block.start()).collect(),
        ..Comparison::default()
    }
}

/// True where the records of a fact are those of one side, as that side has them.
fn is_as(entries: &Entries, own: &[u32], said: &[Option<Said>], side: Side) -> bool {
    let facts = entries.facts.of(side);
    let mut groups: Vec<u32> = Vec::new();
    for &entry in own {
        let Some(record) = entries.list[entry as usize].of(side) else { return false };
        let same = matches!(&said[entry as usize], Some(Said::Text(text)) if Some(text.as_str()) == entries.block(entry, side));
        let Some(group) = facts.group_of[record as usize].filter(|_| same) else { return false };
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    groups.iter().map(|&group| facts.groups[group as usize].records.len()).sum::<usize>() == own.len()
}

/// The side that alone has an entry which the base has not.
fn added_by(entries: &Entries, entry: u32) -> Option<Side> {
    let found = entries.list[entry as usize];
    match (found.base, found.ours, found.theirs) {
        (None, Some(_), None) => Some(Side::Ours),
        (None, None, Some(_)) => Some(Side::Theirs),
        _ => None,
    }
}

/// True where it is known that `before` is the older of two neighbours in the order of versions.
fn is_told(before: &Version, after: &Version, entry: &dyn Fn(&Version) -> Option<u32>, entries: &Entries) -> bool {
    let side = |version: &Version| entry(version).and_then(|entry| added_by(entries, entry));
    let apart = matches!((side(before), side(after)), (Some(a), Some(b)) if a != b);
    if !apart || before.value == after.value {
        return true;
    }
    matches!((before.dates.ordering(), after.dates.ordering()), (Some(before), Some(after)) if after.is_later_than(before))
}

/// Of a fact without history the values that the later ones replace; `None` where nothing tells which are later.
fn replaced(facts: &Facts, records: &[u32], order: &[u32], entries: &Entries) -> Option<Vec<u32>> {
    let of = |side: Side| -> Vec<u32> {
        records.iter().copied().filter(|&record| added_by(entries, order[record as usize]) == Some(side)).collect()
    };
    let (ours, theirs) = (of(Side::Ours), of(Side::Theirs));
    let later = |a: &[u32], b: &[u32]| {
        let date = |record: &u32| facts.dates[*record as usize].ordering();
        a.iter().all(|a| b.iter().all(|b| matches!((date(a), date(b)), (Some(a), Some(b)) if a.is_later_than(b))))
    };
    let entries_of = |records: &[u32]| records.iter().map(|&record| order[record as usize]).collect::<Vec<u32>>();
    if ours.is_empty() || theirs.is_empty() {
        Some(Vec::new())
    } else if later(&ours, &theirs) {
        Some(entries_of(&theirs))
    } else if later(&theirs, &ours) {
        Some(entries_of(&ours))
    } else {
        None
    }
}
