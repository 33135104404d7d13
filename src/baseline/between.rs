//! Several commits at once: values that came and went between the baseline and the file (SPEC 6).
//!
//! Of the revisions between, only values of groups that stand in the baseline or the file count.

use super::accepted::Accepted;
use super::compare::{Comparer, Fate, Lost, Revision};
use super::pairing::{contents, pair};
use super::place::{Places, Stood};
use crate::config::Cardinality;
use crate::facts::{Facts, Group, is_secret};
use crate::syntax::Status;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

impl<'a> Comparer<'a> {
    /// Finds the values between, and when the file's new records came.
    pub(super) fn between(&mut self, revisions: &[Revision], accepted: &Accepted, elsewhere: &FxHashSet<(String, String)>) {
        if revisions.len() < 2 {
            return;
        }
        self.arrivals(revisions);
        let file_groups = by_name(self.file);
        let gone_groups = self.gone_groups();
        let base_values: FxHashSet<_> = self.base_contents.iter().collect();
        let mut seen: FxHashSet<(&str, &str, SmolStr)> = FxHashSet::default();
        for (number, revision) in revisions.iter().enumerate().skip(1) {
            let facts = revision.facts;
            let revision_contents = contents(facts);
            let mut found: Vec<(usize, Option<u32>)> = Vec::new();
            for (idx, content) in revision_contents.iter().enumerate() {
                let Some(group) = facts.group_of(idx).map(|group| &facts.groups[group as usize]) else { continue };
                let plain = facts.document.records[idx].tag.is_none() && group.cardinality() == Cardinality::One;
                if !plain || content.value.is_empty() || base_values.contains(content) {
                    continue;
                }
                let name = (facts.spaces[group.space() as usize].key.as_str(), group.parameter.as_str());
                let file_group = file_groups.get(&name).copied();
                if file_group.is_none() && !gone_groups.contains(&name) {
                    continue;
                }
                let members = file_group.map_or(&[][..], |group| self.file.groups[group as usize].records());
                let there = members.iter().any(|&record| self.file_contents[record as usize].value == content.value);
                // An erased value is not read back, and an archived one is not lost.
                let erased = members.iter().any(|&record| {
                    self.file.document.records[record as usize].tag.as_ref().is_some_and(|tag| tag.status == Status::Redacted)
                });
                let archived = elsewhere.contains(&(content.parameter.to_string(), content.value.to_string()));
                let meant = || {
                    let now: Vec<String> = members.iter().map(|&record| self.file.own_words(record)).collect();
                    accepted.says(&facts.own_words(idx as u32), &now)
                };
                if erased || archived || (!accepted.declared.is_empty() && meant()) {
                    continue;
                }
                if !there && seen.insert((name.0, name.1, content.value.clone())) {
                    found.push((idx, file_group));
                }
            }
            if found.is_empty() {
                continue;
            }
            let pairing = pair(facts, &revision_contents, self.file, self.file_contents, &[]);
            let places = Places::new(facts, self.file, &pairing, &|_| None);
            for (idx, group) in found {
                let content = &revision_contents[idx];
                let subject = facts.spaces[facts.space_of(idx) as usize].subject.as_deref();
                if accepted.names(subject, &content.parameter, self.gone_behind(content, number as u32)) {
                    continue;
                }
                let secret = is_secret(facts.document.records[idx].value.of(facts.document.text));
                let current = group.and_then(|group| {
                    self.unpair_return(group);
                    self.newcomer(group)
                });
                let stood = current.map_or_else(|| places.of(idx), |record| Stood::Before(record as u32));
                let fate = if group.is_some() { Fate::Overwritten } else { Fate::Deleted };
                self.out.lost.push(Lost { revision: number as u32, record: idx as u32, fate, stood, group, secret });
            }
        }
    }

    /// The groups of the baseline of which the file has nothing left, under no other name either.
    fn gone_groups(&self) -> FxHashSet<(&'a str, &'a str)> {
        let groups = self.groups_by_key();
        let is_gone = |group: &&Group| {
            let mut records = group.records().iter().map(|&idx| idx as usize);
            records.all(|idx| self.pairing.to_file[idx].is_none() && self.file_group(idx, &groups).is_none())
        };
        let gone = self.base.groups.iter().filter(is_gone);
        gone.map(|group| (self.base.spaces[group.space() as usize].key.as_str(), group.parameter.as_str())).collect()
    }

    /// When each record that the baseline lacks came, and where it stood then.
    fn arrivals(&mut self, revisions: &[Revision]) {
        for idx in 0..self.file_contents.len() {
            if self.pairing.to_base[idx].is_some() {
                continue;
            }
            let first = self.later.iter().position(|contents| contents.contains_key(&self.file_contents[idx]));
            if let Some(at) = first {
                let record = self.later[at][&self.file_contents[idx]];
                self.out.came[idx] = at as u32 + 1;
                self.out.position[idx] = revisions[at + 1].facts.document.records[record as usize].block.start();
            }
        }
    }

    /// The value that the baseline had came back after another one: A, B, A. The file's record is a new version.
    fn unpair_return(&mut self, group: u32) {
        let newest = self.later.len() as u32 + 1;
        for &record in self.file.groups[group as usize].records() {
            let idx = record as usize;
            let Some(base) = self.pairing.to_base[idx] else { continue };
            let open = |facts: &Facts, record: u32| facts.document.records[record as usize].tag.is_none();
            if open(self.file, record) && open(self.base, base) {
                self.pairing.to_base[idx] = None;
                self.pairing.to_file[base as usize] = None;
                self.out.came[idx] = newest;
                self.out.position[idx] = self.file.document.records[idx].block.start();
            }
        }
    }
}

/// The groups of one version of a file by the names that compare over versions.
fn by_name<'f>(facts: &'f Facts) -> FxHashMap<(&'f str, &'f str), u32> {
    let groups = facts.groups.iter().enumerate();
    groups.map(|(idx, group)| ((facts.spaces[group.space() as usize].key.as_str(), group.parameter.as_str()), idx as u32)).collect()
}
