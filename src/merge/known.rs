//! What is known of the order of versions that two sides wrote apart.
//!
//! In: an arrangement of a fact's versions in the merged text. Out: whether each neighbour is known to be the older one. Dates tell over the
//! sides; position tells only inside one side, and the base stood before what either side added.

use super::entries::Entries;
use super::three::Side;
use crate::config::Config;
use crate::facts::{Arrangement, Facts, Version, arrange};

/// The versions of a fact in the order that is known: the same whether those of our side stand first or those of theirs, as which of them
/// stands first in the merged text is chance. `None` where it is not known. `order`: for each record of the merged text its entry.
pub(super) fn known_order<'a>(standing: &Arrangement<'a>, order: &[u32], entries: &Entries, config: &Config) -> Option<Arrangement<'a>> {
    let entry = |version: &Version| version.in_file().map(|record| order[record as usize]);
    let side = |version: &Version| entry(version).and_then(|entry| added_by(entries, entry));
    let mut versions: Vec<Version> = standing.chain.iter().chain(&standing.aside).cloned().collect();
    versions.sort_by_key(|version| version.place);
    let as_if = |first: Side| {
        let mut sorted = versions.clone();
        // Between two versions that both sides have.
        for run in sorted.chunk_by_mut(|a, b| side(a).is_some() && side(b).is_some()) {
            run.sort_by_key(|version| side(version) != Some(first));
        }
        for (idx, version) in sorted.iter_mut().enumerate() {
            (version.place, version.position) = ((idx, 0), idx);
        }
        let arrangement = arrange(sorted, config, false);
        let is_told = arrangement.chain.windows(2).all(|pair| {
            let (Some(before), Some(after)) = (entry(&pair[0]), entry(&pair[1])) else { return false };
            is_told((&pair[0], before), (&pair[1], after), entries)
        });
        is_told.then_some(arrangement)
    };
    let (ours, theirs) = (as_if(Side::Ours)?, as_if(Side::Theirs)?);
    let values = |arrangement: &Arrangement| arrangement.chain.iter().map(|version| version.value.clone()).collect::<Vec<_>>();
    (values(&ours) == values(&theirs)).then_some(ours)
}

/// True where it is known that `before` is the older of two neighbours in the order of versions, each with its entry.
fn is_told((before, first): (&Version, u32), (after, second): (&Version, u32), entries: &Entries) -> bool {
    if before.value == after.value {
        return true;
    }
    if let (Some(before), Some(after)) = (before.dates.ordering(), after.dates.ordering())
        && after.is_later_than(before)
    {
        return true;
    }
    let (a, b) = (entries.list[first as usize], entries.list[second as usize]);
    let stands_so = |side: Side| matches!((a.of(side), b.of(side)), (Some(a), Some(b)) if a < b);
    let closed = !before.life.is_open() && after.life.is_open();
    match (added_by(entries, first), added_by(entries, second)) {
        (Some(own), Some(other)) => own == other,
        (None, Some(side)) => a.base.is_some() || closed || stands_so(side),
        (Some(side), None) => closed || stands_so(side),
        (None, None) => true,
    }
}

/// The side that alone says that a value holds, or has an entry that the base has not.
pub(super) fn added_by(entries: &Entries, entry: u32) -> Option<Side> {
    let found = entries.list[entry as usize];
    let is_open = |facts: &Facts, record: u32| facts.document.records[record as usize].tag.is_none();
    if found.base.is_some_and(|record| !is_open(entries.facts.base, record)) {
        // History that one side made current again is news of that side.
        let opened = |side: &Side| found.of(*side).is_some_and(|record| is_open(entries.facts.of(*side), record));
        let mut sides = Side::BOTH.into_iter().filter(opened);
        return sides.next().filter(|_| sides.next().is_none());
    }
    match (found.base, found.ours, found.theirs) {
        (None, Some(_), None) => Some(Side::Ours),
        (None, None, Some(_)) => Some(Side::Theirs),
        _ => None,
    }
}
