//! Facts that both sides changed: is there an order of their versions, and if not, what is the conflict.
//!
//! In: the composed text with its entries. Out: a [`Judgement`]. A version that only one side has comes before or after one that only
//! the other has by their written dates or not at all.

use super::Terms;
use super::entries::{Entries, Key};
use super::known::{added_by, known_order};
use super::own_text::Said;
use super::three::Side;
use crate::baseline::Comparison;
use crate::config::Cardinality;
use crate::facts::{Arrangement, Facts, Version};
use crate::repair::{Analysis, Day, arrange_group, indent};
use crate::syntax::Bullet;
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
    /// Entries that stand in the place of others, so that the versions of a fact stand oldest first: the one that gives the place, and
    /// the one that takes it.
    pub(super) exchanged: Vec<(u32, u32)>,
    /// Facts of which both sides changed something, in text order, each with its entries.
    pub(super) mixed: Vec<(Fact, Vec<u32>)>,
}

/// Judges the facts of a composed text. `order`: for each record of `facts` its entry.
pub(super) fn judge<'a>(facts: &'a Facts<'a, 'a>, order: &[u32], entries: &Entries, said: &[Option<Said>], terms: &Terms) -> Judgement {
    let comparison = arrival(facts, |record| entries.list[order[record as usize] as usize].base);
    let analysis = Analysis::new(facts, &comparison, &[], &Day::new(terms.today));
    let mut out = Judgement::default();
    for (number, group) in facts.groups.iter().enumerate() {
        let own: Vec<u32> = group.records().iter().map(|&record| order[record as usize]).collect();
        if Side::BOTH.into_iter().any(|side| is_as(entries, &own, said, side)) {
            continue;
        }
        let fact = Fact { space: facts.spaces[group.space() as usize].key.clone(), parameter: group.parameter.to_string() };
        let entry = |version: &Version| version.in_file().map(|record| order[record as usize]);
        match group.cardinality() {
            Cardinality::Many => {}
            Cardinality::Volatile => match replaced(facts, group.records(), order, entries) {
                Some(gone) => out.gone.extend(gone),
                None => out.conflicts.extend(own.iter().map(|&entry| entries.key(entry).clone())),
            },
            Cardinality::One if terms.is_archive => {}
            Cardinality::One => {
                let arrangements = arrange_group(&analysis, &[], number as u32);
                for standing in &arrangements {
                    let Some(arrangement) = known_order(standing, order, entries, terms.config) else {
                        out.conflicts.extend(own.iter().map(|&entry| entries.key(entry).clone()));
                        continue;
                    };
                    let chained: Vec<u32> = arrangement.chain.iter().filter_map(entry).collect();
                    if can_move(facts, group.records()) && is_out_of_order(entries, &own, &chained) {
                        let places = own.iter().copied().filter(|entry| chained.contains(entry));
                        out.exchanged.extend(places.zip(chained.iter().copied()).filter(|(place, entry)| place != entry));
                    }
                    let either = |entry: &u32| matches!(said[*entry as usize], Some(Said::Either(..)));
                    out.flipped.extend(wrong(&arrangement).filter_map(entry).filter(either));
                }
            }
        }
        out.mixed.push((fact, own));
    }
    out
}

/// Versions whose tags name another value than the next.
fn wrong<'v, 'a>(arrangement: &'v Arrangement<'a>) -> impl Iterator<Item = &'v Version<'a>> {
    let value = |at: Option<usize>| at.map(|at| arrangement.chain[at].value.as_str());
    let numbers = 0..arrangement.chain.len();
    numbers.filter(move |&idx| value(arrangement.names[idx]) != value(arrangement.successor[idx])).map(|idx| &arrangement.chain[idx])
}

/// Records of one kind, at one depth, without numbers: each can stand where any other stands.
fn can_move(facts: &Facts, records: &[u32]) -> bool {
    let document = facts.document;
    let kind = |record: u32| {
        let record = &document.records[record as usize];
        (record.bullet, indent(document.text, record))
    };
    let first = records.first().map(|&record| kind(record));
    first.is_some_and(|first| first.0 != Bullet::Number && records.iter().all(|&record| kind(record) == first))
}

/// True where two records stand the wrong way round, and not because they do so on one side.
fn is_out_of_order(entries: &Entries, own: &[u32], chained: &[u32]) -> bool {
    let standing: Vec<u32> = own.iter().copied().filter(|entry| chained.contains(entry)).collect();
    let place = |entry: u32| chained.iter().position(|&other| other == entry);
    standing.iter().enumerate().any(|(idx, &above)| {
        standing[idx + 1..].iter().any(|&below| {
            let (a, b) = (entries.list[above as usize], entries.list[below as usize]);
            let is_so = |side: Side| matches!((a.of(side), b.of(side)), (Some(a), Some(b)) if a < b);
            place(below) < place(above) && !Side::BOTH.into_iter().any(is_so)
        })
    })
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
    let mut before = None;
    for &entry in own {
        let Some(record) = entries.list[entry as usize].of(side).filter(|&record| before < Some(record)) else { return false };
        before = Some(record);
        let same = matches!(&said[entry as usize], Some(Said::Text(text)) if Some(text.as_str()) == entries.block(entry, side));
        let Some(group) = facts.group_of(record as usize).filter(|_| same) else { return false };
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    groups.iter().map(|&group| facts.groups[group as usize].records().len()).sum::<usize>() == own.len()
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
