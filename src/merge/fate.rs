//! Which records stay: those that either side has, except what a side took out on purpose.
//!
//! A record that both sides have, or that one of them added, stays. One that both took out is gone. One that the base has and one side
//! lacks is gone where that side put another value or wording in its place, erased it, moved it (to the archive, to another text),
//! or said that it is meant; where it was just deleted, it stays: nothing is lost by a merge. What the other side changed stays as well,
//! unless it was erased on purpose; and so does all of a fact whose former value is current again.

use super::Terms;
use super::entries::{Entries, Entry, Key};
use super::three::Side;
use crate::baseline::{Accepted, Comparison, Fate, Revision, Stood, compare};
use crate::facts::Facts;
use crate::syntax::Status;
use rustc_hash::{FxHashMap, FxHashSet};

/// What the comparison of one side with the base says.
struct Judged {
    /// What became of records of the base that the side lacks.
    lost: FxHashMap<u32, (Fate, Stood)>,
    /// Facts of which the side erased a value.
    redacted: FxHashSet<Key>,
    /// Facts of which a former value is current again.
    returned: FxHashSet<Key>,
    /// The side says that older versions stand in an archive.
    archives: bool,
}

impl Judged {
    fn new(entries: &Entries, side: Side, accepted: &Accepted) -> Self {
        let facts = *entries.facts.of(side);
        let base = [Revision { facts: entries.facts.base, date: None }];
        let Comparison { lost, .. } = compare(&base, facts, accepted, &FxHashSet::default());
        let is_redacted = |idx: &usize| {
            let tag = facts.document.records[*idx].tag.as_deref();
            tag.is_some_and(|tag| tag.status == Status::Redacted)
        };
        let numbers = entries.number.of(side);
        let base = entries.facts.base;
        let tagged = |record: u32| base.document.records[record as usize].tag.is_some();
        let former: FxHashSet<(Key, String)> = lost
            .iter()
            .filter(|lost| tagged(lost.record))
            .map(|lost| (entries.key(lost.record).clone(), base.value_key(lost.record)))
            .collect();
        let is_back = |idx: &usize| {
            let added = entries.list[numbers[*idx] as usize].base.is_none() && facts.document.records[*idx].tag.is_none();
            added && former.contains(&(entries.key(numbers[*idx]).clone(), facts.value_key(*idx as u32)))
        };
        let records = 0..facts.document.records.len();
        Self {
            returned: records.clone().filter(is_back).map(|idx| entries.key(numbers[idx]).clone()).collect(),
            lost: lost.into_iter().map(|lost| (lost.record, (lost.fate, lost.stood))).collect(),
            redacted: records.filter(is_redacted).map(|idx| entries.key(numbers[idx]).clone()).collect(),
            archives: has_archive(facts),
        }
    }
}

/// A pointer comment stands in the text.
fn has_archive(facts: &Facts) -> bool {
    let pointer = |line: &str| line.trim_start().starts_with("<!-- memfile: history in ");
    facts.document.text.lines().any(pointer)
}

/// What becomes of all entries.
pub(super) struct Fates {
    /// For each entry whether it stays.
    pub(super) stays: Vec<bool>,
    /// For entries of the base that we replaced what we put in their place.
    pub(super) ours: FxHashMap<u32, u32>,
    /// And what they put there.
    pub(super) theirs: FxHashMap<u32, u32>,
}

impl Fates {
    /// Entries of the base of which each side made another statement, or another piece of history: all three of each.
    pub(super) fn reworded_apart<'a>(&'a self, entries: &'a Entries) -> impl Iterator<Item = [u32; 3]> + 'a {
        let both = self.ours.iter().filter_map(|(&entry, &ours)| Some([entry, ours, *self.theirs.get(&entry)?]));
        both.filter(|[entry, ours, theirs]| ours != theirs && !entries.key(*entry).is_fact())
    }
}

/// Tells for each entry what becomes of it.
pub(super) fn staying(entries: &Entries, terms: &Terms) -> Fates {
    let ours = Judged::new(entries, Side::Ours, terms.meant_by_us);
    let theirs = Judged::new(entries, Side::Theirs, terms.meant_by_them);
    let stays = |number: u32| match entries.list[number as usize] {
        Entry { base: Some(_), ours: None, theirs: None } => false,
        Entry { base: Some(record), ours: Some(_), theirs: None } => kept(entries, number, record, Side::Ours, &theirs, terms.reverting),
        Entry { base: Some(record), ours: None, theirs: Some(_) } => kept(entries, number, record, Side::Theirs, &ours, false),
        _ => true,
    };
    let mut stays: Vec<bool> = (0..entries.list.len() as u32).map(stays).collect();
    keep_what_both_say(entries, &mut stays);
    Fates { stays, ours: heirs(entries, Side::Ours, &ours), theirs: heirs(entries, Side::Theirs, &theirs) }
}

/// A value that stood twice, of which each side took out another copy: both sides still say it.
fn keep_what_both_say(entries: &Entries, stays: &mut [bool]) {
    let content = |entry: u32| entries.list[entry as usize].value(entries).map(|value| (entries.key(entry), value));
    let one_sided = |entry: &u32| {
        let found = entries.list[*entry as usize];
        found.base.is_some() && (found.ours.is_some() != found.theirs.is_some())
    };
    let gone: Vec<u32> = (0..stays.len() as u32).filter(|entry| !stays[*entry as usize] && one_sided(entry)).collect();
    for &entry in &gone {
        let own = content(entry);
        let alike = |other: &u32| content(*other) == own;
        let has = |side: Side| gone.iter().any(|other| entries.list[*other as usize].of(side).is_some() && alike(other));
        let said = (0..stays.len() as u32).any(|other| stays[other as usize] && alike(&other));
        if !said && Side::BOTH.into_iter().all(has) {
            stays[entry as usize] = true;
        }
    }
}

fn heirs(entries: &Entries, side: Side, judged: &Judged) -> FxHashMap<u32, u32> {
    let facts = entries.facts.of(side);
    let numbers = entries.number.of(side);
    let heir = |record: u32, fate: Fate| match fate {
        Fate::Reworded(own) | Fate::Altered(own) => Some(numbers[own as usize]),
        Fate::Overwritten => {
            let key = entries.key(record);
            let is_new = |idx: &usize| {
                let entry = numbers[*idx];
                entries.list[entry as usize].base.is_none() && facts.document.records[*idx].tag.is_none() && entries.key(entry) == key
            };
            (0..numbers.len()).find(is_new).map(|idx| numbers[idx])
        }
        Fate::Deleted | Fate::History => None,
    };
    judged.lost.iter().filter_map(|(&record, &(fate, _))| Some((record, heir(record, fate)?))).collect()
}

/// A record that only `side` still has; `other` is what the other side did.
fn kept(entries: &Entries, number: u32, record: u32, side: Side, other: &Judged, meant: bool) -> bool {
    let changed = entries.is_changed(number, side);
    if other.redacted.contains(entries.key(number)) {
        return false;
    }
    if other.returned.contains(entries.key(number)) {
        // A, B, A: what held in between is history.
        return true;
    }
    let tagged = entries.facts.base.document.records[record as usize].tag.is_some();
    match other.lost.get(&record) {
        _ if changed => true,
        // Accepted, moved elsewhere, volatile.
        None => false,
        Some((Fate::Overwritten | Fate::Reworded(_) | Fate::Altered(_), _)) => false,
        // A whole section that is gone is no slip of one line.
        Some((_, Stood::Nowhere)) => false,
        Some((Fate::History, _)) if other.archives && tagged => false,
        Some((Fate::Deleted | Fate::History, _)) => !meant,
    }
}
