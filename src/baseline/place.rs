//! Where a record stood, told by its neighbours.

use super::pairing::Pairing;
use crate::facts::Facts;
use crate::syntax::{Document, Record, Region, Shape};
use crate::text::fold_key;
use rustc_hash::FxHashMap;

/// For each record of both versions the paired neighbours around it, as numbers of the file's records.
pub(super) struct Gaps {
    base: Vec<Gap>,
    file: Vec<Gap>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Gap {
    before: Option<u32>,
    behind: Option<u32>,
}

impl Gaps {
    pub(super) fn new(base: &Facts, file: &Facts, pairing: &Pairing) -> Self {
        let base_gaps = gaps(base, |idx| pairing.to_file[idx]);
        let own = |idx: usize| pairing.to_base[idx].map(|_| idx as u32);
        Self { base: base_gaps, file: gaps(file, own) }
    }

    /// True where the record of the baseline and the record of the file stand between the same neighbours.
    pub(super) fn same(&self, base: usize, file: usize) -> bool {
        self.base[base] == self.file[file]
    }
}

fn gaps(facts: &Facts, partner: impl Fn(usize) -> Option<u32>) -> Vec<Gap> {
    let records = &facts.document.records;
    let mut gaps = vec![Gap::default(); records.len()];
    let mut last: FxHashMap<u32, u32> = FxHashMap::default();
    for (idx, record) in records.iter().enumerate() {
        gaps[idx].before = last.get(&record.scope).copied();
        if let Some(file) = partner(idx) {
            last.insert(record.scope, file);
        }
    }
    last.clear();
    for (idx, record) in records.iter().enumerate().rev() {
        gaps[idx].behind = last.get(&record.scope).copied();
        if let Some(file) = partner(idx) {
            last.insert(record.scope, file);
        }
    }
    gaps
}

/// Where a lost record would stand again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stood {
    /// Behind this record of the file.
    Behind(u32),
    /// Before this record of the file.
    Before(u32),
    /// Under this record of the file: the label of its scope, of which no record is left.
    Under(u32),
    /// First in its scope, of which no record is left: at this offset of the file, behind a heading or a lead line.
    First(usize),
    /// Its whole region is gone.
    Nowhere,
}

/// Finds the places of lost records of one baseline document.
pub(super) struct Places<'a> {
    base: &'a Facts<'a, 'a>,
    file: &'a Facts<'a, 'a>,
    /// For each record of the file the baseline's record that it is, or took the place of.
    back: Vec<Option<usize>>,
    gaps: Vec<Gap>,
}

impl<'a> Places<'a> {
    /// `heir` gives for a lost record the file's record that took its place, if there is one: it stands for it.
    pub(super) fn new(base: &'a Facts, file: &'a Facts, pairing: &'a Pairing, heir: &dyn Fn(usize) -> Option<u32>) -> Self {
        let partners: Vec<Option<u32>> = pairing.to_file.iter().enumerate().map(|(idx, file)| file.or_else(|| heir(idx))).collect();
        let mut back = vec![None; pairing.to_base.len()];
        for (idx, partner) in partners.iter().enumerate() {
            if let Some(file) = *partner {
                back[file as usize].get_or_insert(idx);
            }
        }
        Self { base, file, back, gaps: gaps(base, |idx| partners[idx]) }
    }

    /// Beside the neighbour that stood right next to it, else beside the one before it, else beside the one behind it.
    pub(super) fn of(&self, idx: usize) -> Stood {
        let gap = self.gaps[idx];
        let records = &self.base.document.records;
        let fits = |file: u32| self.same_kind(idx, file);
        let before = gap.before.filter(|&file| fits(file));
        let behind = gap.behind.filter(|&file| fits(file));
        let partner = |file: u32| self.back[file as usize].unwrap_or(idx);
        let touches = |from: usize, to: usize| from <= to && (from..to).all(|at| records[at].block.end() == records[at + 1].block.start());
        match (before, behind) {
            (Some(before), Some(behind)) => {
                let next_to_before = touches(partner(before), idx);
                if !next_to_before && touches(idx, partner(behind)) { Stood::Before(behind) } else { Stood::Behind(before) }
            }
            (Some(before), None) => Stood::Behind(before),
            (None, Some(behind)) => Stood::Before(behind),
            (None, None) => self.first(idx),
        }
    }

    /// A row goes to rows, an item to items.
    fn same_kind(&self, idx: usize, file: u32) -> bool {
        let base = self.base.document.records[idx].shape == Shape::Row;
        base == (self.file.document.records[file as usize].shape == Shape::Row)
    }

    /// The key that a region of the baseline has in the file: its own, else that of the one that differs in the headings above alone.
    fn key_in_file<'r>(&'r self, region: &'r Region) -> &'r str {
        let only = |document: &'r Document| {
            let mut alike = document.regions.iter().filter(|other| other.kind == region.kind && other.nearest() == region.nearest());
            alike.next().filter(|_| alike.next().is_none())
        };
        let pair = only(self.base.document).zip(only(self.file.document));
        pair.map_or(&region.key, |(_, other)| &other.key)
    }

    /// Above the first record of its section, or behind the section's heading, or under its label, where the file still has that.
    fn first(&self, idx: usize) -> Stood {
        let base = self.base.document;
        let scope = &base.scopes[base.records[idx].scope as usize];
        let Some(region) = scope.region.map(|region| &base.regions[region as usize]) else { return Stood::Nowhere };
        let file = self.file.document;
        let key = self.key_in_file(region);
        let same_scope = |number: u32| {
            let other = &file.scopes[number as usize];
            let own = other.region.map(|region| &file.regions[region as usize]);
            other.key == scope.key && own.is_some_and(|own| own.kind == region.kind && own.key == key)
        };
        let beside = |at: &usize| same_scope(file.records[*at].scope) && self.same_kind(idx, *at as u32);
        if let Some(first) = (0..file.records.len()).find(beside) {
            return Stood::Before(first as u32);
        }
        if let Some(offset) = self.file.document.anchor(region.kind, key, &scope.key) {
            return Stood::First(offset);
        }
        // A label without items is a key without a value.
        let label = scope.nearest().map(fold_key);
        let is_label = |record: &Record| {
            record.value.is_empty() && !record.parameter.is_empty() && Some(fold_key(record.parameter.of(file.text))) == label
        };
        file.records.iter().position(is_label).map_or(Stood::Nowhere, |at| Stood::Under(at as u32))
    }
}
