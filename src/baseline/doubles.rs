//! Doubles: two untagged records that say the same are one version (SPEC 3), and the one that goes is no loss while the other stands.

use super::pairing::{Content, Pairing};
use crate::facts::Facts;
use crate::syntax::Shape;
use rustc_hash::{FxHashMap, FxHashSet};

/// How far a double may stand from its twin in a group; a hostile one may hold thousands of them.
const REACH: usize = 64;

/// The records of the baseline, to look for doubles among.
pub(super) struct Doubles<'a> {
    base: &'a Facts<'a, 'a>,
    contents: &'a [Content],
    pairing: &'a Pairing,
    /// The untagged statements that the file has, by section.
    kept: FxHashSet<(u32, &'a Content)>,
    /// The last ones of those that it lacks, by section, as they are written.
    last: FxHashMap<(u32, &'a str), usize>,
}

impl<'a> Doubles<'a> {
    pub(super) fn new(base: &'a Facts<'a, 'a>, contents: &'a [Content], pairing: &'a Pairing) -> Self {
        let mut this = Self { base, contents, pairing, kept: FxHashSet::default(), last: FxHashMap::default() };
        for (idx, content) in contents.iter().enumerate() {
            if base.group_of(idx).is_some() || !this.is_untagged(idx) {
                continue;
            }
            let space = base.space_of(idx);
            if pairing.to_file[idx].is_some() {
                this.kept.insert((space, content));
            } else {
                this.last.insert((space, this.head(idx)), idx);
            }
        }
        this
    }

    /// True where record `idx`, which the file lacks, said the same as an untagged neighbour in its group (for a statement: in its
    /// section) that the file still has, or that went with it and comes back for both. With another value between them they are
    /// two versions: A, B, A.
    pub(super) fn has(&self, idx: usize) -> bool {
        if !self.is_untagged(idx) {
            return false;
        }
        let Some(group) = self.base.group_of(idx) else {
            let space = self.base.space_of(idx);
            let comes_back = || self.last.get(&(space, self.head(idx))).is_some_and(|&last| last > idx);
            return self.kept.contains(&(space, &self.contents[idx])) || comes_back();
        };
        let members = self.base.groups[group as usize].records();
        let Ok(at) = members.binary_search(&(idx as u32)) else { return false };
        let follows = |&other: &usize| self.contents[other] == self.contents[idx] || self.stands_elsewhere(other);
        let below = members[at..].iter().map(|&member| member as usize).take(REACH).take_while(follows);
        let above = members[..at].iter().rev().map(|&member| member as usize).take(REACH).take_while(follows);
        below.chain(above).any(|other| self.stands(other, idx))
    }

    fn head(&self, idx: usize) -> &'a str {
        self.base.document.records[idx].head.of(self.base.document.text)
    }

    fn is_untagged(&self, idx: usize) -> bool {
        self.base.document.records[idx].tag.is_none()
    }

    /// The tag of a key-value record tells its place in the order, wherever it stands.
    fn stands_elsewhere(&self, idx: usize) -> bool {
        !self.is_untagged(idx) && self.base.document.records[idx].shape == Shape::KeyValue
    }

    fn stands(&self, other: usize, idx: usize) -> bool {
        // Where all of them go, the last one stands for those that are written like it.
        let last = || self.pairing.to_file[other].is_none() && other > idx && self.head(other) == self.head(idx);
        self.is_untagged(other) && self.contents[other] == self.contents[idx] && (self.pairing.to_file[other].is_some() || last())
    }
}
