//! The written dates of all records.
//!
//! In: the dates of each record, one by one. Out: the same by number. A text has few days and many records, so the dates are kept once.

use super::version::Dates;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::ops::Index;

/// For each record its written dates.
pub struct Dating {
    /// Each that occurs; the first is none at all.
    known: Vec<Dates>,
    /// For each record its place in `known`.
    of: Vec<u32>,
}

/// Room for so many different dates is there from the start.
const FEW: usize = 100;

impl Dating {
    /// Takes the dates of `count` records.
    pub(super) fn new(count: usize, dates: impl Iterator<Item = Dates>) -> Self {
        let mut known = vec![Dates::default()];
        let mut places: FxHashMap<Dates, u32> = FxHashMap::with_capacity_and_hasher(count.min(FEW), FxBuildHasher);
        let mut of = Vec::with_capacity(count);
        of.extend(dates.map(|dates| {
            if dates == Dates::default() {
                return 0;
            }
            *places.entry(dates).or_insert_with(|| {
                known.push(dates);
                known.len() as u32 - 1
            })
        }));
        Self { known, of }
    }

    /// The records with a date that cannot order.
    pub(super) fn doubtful(&self) -> Vec<u32> {
        let doubtful: Vec<bool> = self.known.iter().map(|dates| dates.is_doubtful()).collect();
        if !doubtful.contains(&true) {
            return Vec::new();
        }
        (0..self.of.len() as u32).filter(|&record| doubtful[self.of[record as usize] as usize]).collect()
    }
}

impl Index<usize> for Dating {
    type Output = Dates;

    fn index(&self, record: usize) -> &Dates {
        &self.known[self.of[record] as usize]
    }
}
