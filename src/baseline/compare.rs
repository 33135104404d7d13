//! What the file lost against its baseline.
//!
//! In: the facts of the baseline, of the revisions between it and the file, and of the file. Out: the lost records, each with its
//! fate, and what else was done to records that are still there.

use super::accepted::{Accepted, bare_head};
use super::doubles::Doubles;
use super::erased::Erased;
use super::pairing::{Content, Pairing, contents, contents_by_place, pair};
use super::place::{Gaps, Places, Stood};
use crate::config::Cardinality;
use crate::facts::{Facts, is_secret};
use crate::syntax::{Record, Shape, Status};
use crate::text::strip_markup;
use chrono::NaiveDate;
use rustc_hash::{FxHashMap, FxHashSet};

/// The baseline, or a revision between it and the file.
pub struct Revision<'a> {
    /// Its facts.
    pub facts: &'a Facts<'a, 'a>,
    /// The day of the commit, for revisions behind the baseline.
    pub date: Option<NaiveDate>,
}

/// What became of a lost record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// Another value stands in its place.
    Overwritten,
    /// Gone, and nothing replaced it.
    Deleted,
    /// It was history, and is gone.
    History,
    /// It was history, and this record of the file is what was made of it.
    Altered(u32),
    /// It was a statement, and this record of the file shares most of its words.
    Reworded(u32),
}

/// A record that the baseline had and the file lacks.
#[derive(Clone, Debug)]
pub struct Lost {
    /// The revision that had it: 0 is the baseline.
    pub revision: u32,
    /// Its number there.
    pub record: u32,
    /// What became of it.
    pub fate: Fate,
    /// Where it stood.
    pub stood: Stood,
    /// The group of the file that it belongs to, if the file has one.
    pub group: Option<u32>,
    /// Its value looks like a secret: it is never written again.
    pub secret: bool,
}

/// What the comparison found.
#[derive(Default, Debug)]
pub struct Comparison {
    /// Lost records, in the order in which they stood.
    pub lost: Vec<Lost>,
    /// Records of the file that stand untagged or with another tag, though the baseline had them ended, removed or retracted:
    /// the record of the file and of the baseline.
    pub reopened: Vec<(u32, u32)>,
    /// Records of the file that stand untagged, though the baseline had them replaced: the record of the file and of the baseline.
    pub untagged: Vec<(u32, u32)>,
    /// Tagged records of the file that are leftovers of an edit taken back.
    pub drafts: Vec<u32>,
    /// Records of the file with a new value under the baseline's dated source.
    pub stale: Vec<u32>,
    /// For each record of the file when it came: 0 with the baseline, then the revisions, last the file itself.
    pub came: Vec<u32>,
    /// For each record of the file its place among those that came together.
    pub position: Vec<usize>,
    /// Groups of the baseline that are gone, and how many it had, where that is a mass loss.
    pub mass_loss: Option<(usize, usize)>,
}

/// Compares the file with its baseline `revisions[0]` and the revisions behind it. `elsewhere` knows the records (folded
/// parameter, folded value) that other memory files have won against their own baselines.
pub fn compare(revisions: &[Revision], file: &Facts, accepted: &Accepted, elsewhere: &FxHashSet<(String, String)>) -> Comparison {
    let Some(first) = revisions.first() else { return Comparison::default() };
    let base = first.facts;
    let (base_contents, file_contents) = (contents(base), contents(file));
    let pairing = pair(base, &base_contents, file, &file_contents, &accepted.meant(base, file));
    let newest = revisions.len() as u32;
    let mut this = Comparer {
        base,
        file,
        base_contents: &base_contents,
        file_contents: &file_contents,
        pairing,
        later: revisions[1..].iter().map(|revision| contents_by_place(revision.facts)).collect(),
        out: Comparison::default(),
    };
    this.out.came = this.pairing.to_base.iter().map(|base| if base.is_some() { 0 } else { newest }).collect();
    let start = |facts: &Facts, idx: u32| facts.document.records[idx as usize].block.start();
    this.out.position = (0..file_contents.len())
        .map(|idx| this.pairing.to_base[idx].map_or_else(|| start(file, idx as u32), |base_idx| start(base, base_idx)))
        .collect();
    this.between(revisions, accepted, elsewhere);
    this.lost(accepted, elsewhere);
    this.statuses(accepted);
    this.drafts();
    this.mass_loss();
    this.out
}

pub(super) struct Comparer<'a> {
    pub(super) base: &'a Facts<'a, 'a>,
    pub(super) file: &'a Facts<'a, 'a>,
    pub(super) base_contents: &'a [Content],
    pub(super) file_contents: &'a [Content],
    pub(super) pairing: Pairing,
    /// The contents of the revisions behind the baseline.
    pub(super) later: Vec<FxHashMap<Content, u32>>,
    pub(super) out: Comparison,
}

impl<'a> Comparer<'a> {
    fn base_record(&self, idx: usize) -> &'a Record {
        &self.base.document.records[idx]
    }

    /// The group of the file for a record of the baseline.
    pub(super) fn file_group(&self, idx: usize, groups: &FxHashMap<(u32, &str), u32>) -> Option<u32> {
        let space = self.pairing.spaces[self.base.space_of(idx) as usize]?;
        groups.get(&(space, self.base_contents[idx].parameter.as_str())).copied()
    }

    pub(super) fn groups_by_key(&self) -> FxHashMap<(u32, &'a str), u32> {
        let groups = self.file.groups.iter().enumerate();
        groups.map(|(idx, group)| ((group.space(), group.parameter.as_str()), idx as u32)).collect()
    }

    fn lost(&mut self, accepted: &Accepted, elsewhere: &FxHashSet<(String, String)>) {
        let missing: Vec<usize> = (0..self.base_contents.len()).filter(|&idx| self.pairing.to_file[idx].is_none()).collect();
        if missing.is_empty() {
            return;
        }
        let groups = self.groups_by_key();
        let observed = self.observed();
        let gaps = Gaps::new(self.base, self.file, &self.pairing);
        let heir = |idx: usize| self.heir(idx, &groups);
        let places = Places::new(self.base, self.file, &self.pairing, &heir);
        let doubles = Doubles::new(self.base, self.base_contents, &self.pairing);
        let mut erased = Erased::new(self.file, self.file_contents, &self.pairing);
        let new: Vec<usize> = (0..self.file_contents.len()).filter(|&idx| self.pairing.to_base[idx].is_none()).collect();
        let mut used: FxHashSet<usize> = FxHashSet::default();
        let mut lost = Vec::new();
        let mut stale = Vec::new();
        for idx in missing {
            let record = self.base_record(idx);
            let content = &self.base_contents[idx];
            let key = (content.parameter.to_string(), content.value.to_string());
            if doubles.has(idx)
                || erased.take(self.base, self.base_contents, idx)
                || self.is_released(idx, &groups)
                || observed.contains(content)
                || elsewhere.contains(&key)
            {
                continue;
            }
            let group = self.file_group(idx, &groups);
            let fate = self.fate(idx, group, &gaps, &new, &mut used);
            let secret = is_secret(record.value.of(self.base.document.text));
            if let Fate::Overwritten = fate
                && let Some(successor) = group.and_then(|group| self.newcomer(group))
                && self.same_dated_source(idx, successor)
            {
                stale.push(successor as u32);
            }
            if self.is_accepted(idx, group, fate, accepted) {
                continue;
            }
            lost.push(Lost { revision: 0, record: idx as u32, fate, stood: places.of(idx), group, secret });
        }
        self.out.lost.extend(lost);
        self.out.lost.sort_by_key(|lost| (lost.revision, lost.record));
        self.out.stale = stale;
    }

    /// What became of record `idx` of the baseline.
    fn fate(&self, idx: usize, group: Option<u32>, gaps: &Gaps, new: &[usize], used: &mut FxHashSet<usize>) -> Fate {
        let record = self.base_record(idx);
        let in_place = |file_idx: usize| gaps.same(idx, file_idx);
        let tagged = |file_idx: usize| self.file.document.records[file_idx].tag.is_some();
        if record.tag.is_some() {
            let members = group.map_or(&[][..], |group| self.file.groups[group as usize].records());
            let made = members.iter().map(|&file_idx| file_idx as usize).find(|&file_idx| {
                self.pairing.to_base[file_idx].is_none() && tagged(file_idx) && in_place(file_idx) && !used.contains(&file_idx)
            });
            return made.map_or(Fate::History, |file_idx| {
                used.insert(file_idx);
                Fate::Altered(file_idx as u32)
            });
        }
        if record.shape == Shape::Statement {
            let words = words(&self.base_contents[idx].value);
            let made = new.iter().copied().find(|&file_idx| {
                let alike = !used.contains(&file_idx) && in_place(file_idx) && {
                    let head = self.file.document.records[file_idx].head.of(self.file.document.text);
                    let other = self::words(&crate::text::fold_value(head));
                    2 * words.intersection(&other).count() > words.len()
                };
                alike && !tagged(file_idx)
            });
            return made.map_or(Fate::Deleted, |file_idx| {
                used.insert(file_idx);
                Fate::Reworded(file_idx as u32)
            });
        }
        let many = group.is_some_and(|group| self.file.groups[group as usize].cardinality() == Cardinality::Many)
            || self.base_is(idx, Cardinality::Many);
        match group.and_then(|group| self.newcomer(group)) {
            Some(_) if !many => Fate::Overwritten,
            _ => Fate::Deleted,
        }
    }

    /// An untagged record of the group that the baseline did not have.
    pub(super) fn newcomer(&self, group: u32) -> Option<usize> {
        let records = self.file.groups[group as usize].records().iter().map(|&idx| idx as usize);
        records.rev().find(|&idx| self.pairing.to_base[idx].is_none() && self.file.document.records[idx].tag.is_none())
    }

    /// The file's new record that took the place of record `idx` of the baseline.
    fn heir(&self, idx: usize, groups: &FxHashMap<(u32, &str), u32>) -> Option<u32> {
        let single = self.base.group_of(idx).is_some() && self.base_record(idx).tag.is_none() && !self.base_is(idx, Cardinality::Many);
        let group = self.file_group(idx, groups).filter(|_| single)?;
        self.newcomer(group).map(|record| record as u32)
    }

    fn base_is(&self, idx: usize, cardinality: Cardinality) -> bool {
        self.base.group_of(idx).is_some_and(|group| self.base.groups[group as usize].cardinality() == cardinality)
    }

    /// Records that may go: volatile ones, keys without a value, and all of a group in which a value was erased on purpose.
    fn is_released(&self, idx: usize, groups: &FxHashMap<(u32, &str), u32>) -> bool {
        let record = self.base_record(idx);
        let empty = record.value.is_empty() && record.tag.is_none() && record.children().is_empty();
        let redacted = |group: u32| {
            let mut members = self.file.groups[group as usize].records().iter().map(|&idx| &self.file.document.records[idx as usize]);
            members.any(|record| record.tag.as_ref().is_some_and(|tag| tag.status == Status::Redacted))
        };
        let was_redacted = || record.tag.as_ref().is_some_and(|tag| tag.status == Status::Redacted);
        let group = self.file_group(idx, groups);
        let volatile = group.is_some_and(|group| self.file.groups[group as usize].cardinality() == Cardinality::Volatile);
        empty || volatile || self.base_is(idx, Cardinality::Volatile) || (!was_redacted() && group.is_some_and(redacted))
    }

    /// What stands in observed text of the file now and did not before: moved out of managed text, not lost.
    fn observed(&self) -> FxHashSet<Content> {
        let read = |facts: &Facts| -> Vec<Content> {
            let document = facts.document;
            let content = |record: &Record| Content {
                parameter: facts.config.canonical_parameter(crate::text::fold_key(record.parameter.of(document.text))).into(),
                value: crate::facts::value_key(document, record, facts.config).into(),
            };
            document.observed.iter().map(content).collect()
        };
        if self.file.document.observed.is_empty() {
            return FxHashSet::default();
        }
        let before: FxHashSet<Content> = read(self.base).into_iter().collect();
        read(self.file).into_iter().filter(|content| !before.contains(content)).collect()
    }

    fn is_accepted(&self, idx: usize, group: Option<u32>, fate: Fate, accepted: &Accepted) -> bool {
        if accepted.declared.is_empty() && accepted.trailers.is_empty() {
            return false;
        }
        let text = self.base.document.text;
        // A reworded record may have been tagged since.
        let bare = |record: u32| bare_head(self.file.document.text, &self.file.document.records[record as usize]);
        let mut now: Vec<String> = group.map_or(Vec::new(), |group| {
            let records = self.file.groups[group as usize].records().iter();
            records.flat_map(|&record| [Some(self.file.own_words(record)), bare(record)]).flatten().collect()
        });
        if let Fate::Reworded(record) | Fate::Altered(record) = fate {
            now.push(self.file.own_words(record));
        }
        if accepted.says(self.base_record(idx).head.of(text), &now) {
            return true;
        }
        let subject = self.base.spaces[self.base.space_of(idx) as usize].subject.as_deref();
        let content = &self.base_contents[idx];
        accepted.names(subject, &content.parameter, self.gone_behind(content, 0))
    }

    /// The first revision behind `revision` that lacks a record; the file counts as the last one.
    pub(super) fn gone_behind(&self, content: &Content, revision: u32) -> u32 {
        let later = self.later.iter().skip(revision as usize);
        revision + 1 + later.take_while(|contents| contents.contains_key(content)).count() as u32
    }

    fn same_dated_source(&self, idx: usize, successor: usize) -> bool {
        let source = |facts: &Facts, idx: usize| {
            let record = &facts.document.records[idx];
            facts.dates[idx].recorded.map(|_| crate::text::fold_key(record.attributes.source().of(facts.document.text)))
        };
        let before = source(self.base, idx);
        before.is_some() && before == source(self.file, successor)
    }

    /// A lost tag of a record that is still there.
    fn statuses(&mut self, accepted: &Accepted) {
        for (file_idx, base_idx) in self.pairing.to_base.iter().enumerate() {
            let Some(base_idx) = *base_idx else { continue };
            let (before, now) = (self.base_record(base_idx as usize), &self.file.document.records[file_idx]);
            let Some(tag) = &before.tag else { continue };
            let replaced = tag.status == Status::Historical && now.tag.is_none();
            if !replaced && !matches!(tag.status, Status::Ended | Status::Removed | Status::Retracted) {
                continue;
            }
            let bare = bare_head(self.file.document.text, now);
            let texts: Vec<String> = [self.file.own_words(file_idx as u32)].into_iter().chain(bare).collect();
            // What was never true need not be said to have ended.
            let stronger = |status: Status| matches!(status, Status::Redacted | Status::Retracted);
            let same = now.tag.as_ref().is_some_and(|now| now.status == tag.status || stronger(now.status));
            let content = &self.base_contents[base_idx as usize];
            let subject = self.base.spaces[self.base.space_of(base_idx as usize) as usize].subject.as_deref();
            let named = || accepted.names(subject, &content.parameter, 1);
            if !same && !accepted.says(before.head.of(self.base.document.text), &texts) && !named() {
                let list = if replaced { &mut self.out.untagged } else { &mut self.out.reopened };
                list.push((file_idx as u32, base_idx));
            }
        }
    }

    /// A tagged record that the baseline lacks, whose named successor is gone and whose value is current again.
    fn drafts(&mut self) {
        // A value that comes back is not gone.
        let lost = self.out.lost.iter().filter(|lost| lost.revision == 0);
        let returning: FxHashSet<(Option<u32>, &str)> =
            lost.map(|lost| (lost.group, self.base_contents[lost.record as usize].value.as_str())).collect();
        for (number, group) in self.file.groups.iter().enumerate() {
            if group.records().len() < 2 {
                continue;
            }
            for &idx in group.records() {
                let record = &self.file.document.records[idx as usize];
                let Some(tag) = record.tag.as_ref().filter(|tag| tag.status == Status::Historical) else { continue };
                if self.pairing.to_base[idx as usize].is_some() || tag.named.is_none() {
                    continue;
                }
                let value = &self.file_contents[idx as usize].value;
                let others = group.records().iter().filter(|&&other| other != idx);
                let is_there = |text: &str| {
                    let folded = self.file.config.canonical_value(crate::text::fold_value(text));
                    returning.contains(&(Some(number as u32), folded.as_str()))
                        || group.records().iter().any(|&other| self.file_contents[other as usize].value == folded)
                };
                let current_again = others.clone().any(|&other| {
                    let record = &self.file.document.records[other as usize];
                    record.tag.is_none() && self.file_contents[other as usize].value == *value
                });
                let named = tag.split(&is_there);
                if current_again && named.is_some_and(|named| !is_there(&named.value)) {
                    self.out.drafts.push(idx);
                }
            }
        }
    }

    /// At least four groups and half of them gone, or the file reduced to a stub.
    fn mass_loss(&mut self) {
        let gone: FxHashSet<u32> =
            self.out.lost.iter().filter(|lost| lost.revision == 0 && lost.fate == Fate::Deleted).map(|lost| lost.record).collect();
        if gone.is_empty() {
            return;
        }
        let open = |idx: u32| self.base.document.records[idx as usize].tag.is_none();
        let mut total = 0;
        let mut lost = 0;
        for group in self.base.groups.iter().filter(|group| group.cardinality() != Cardinality::Volatile) {
            let current: Vec<u32> = group.records().iter().copied().filter(|&idx| open(idx)).collect();
            total += usize::from(!current.is_empty());
            lost += usize::from(!current.is_empty() && current.iter().all(|idx| gone.contains(idx)));
        }
        let size = |text: &str| text.bytes().filter(|byte| !byte.is_ascii_whitespace()).count();
        let stub = gone.len() > 1 && 4 * size(self.file.document.text) < size(self.base.document.text);
        if (total >= 4 && 2 * lost >= total) || stub {
            self.out.mass_loss = Some((lost.max(usize::from(stub)), total));
        }
    }
}

fn words(folded: &str) -> FxHashSet<String> {
    let plain = strip_markup(folded);
    plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}
