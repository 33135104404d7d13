//! What a check counts beside its findings: what was done to the baseline's records, which values hold, what observed text has.

use super::content;
use crate::baseline::{Comparison, Declared, Fate, Revision};
use crate::config::Cardinality;
use crate::facts::{Facts, Life, Space, Verdict, is_secret};
use crate::repair::{Grouped, Step};
use crate::syntax::Document;
use crate::text::{TextRange, fold_key};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

/// What was done to one record of the baseline, for `accept`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The fact's name; `None` for a statement.
    pub key: Option<String>,
    /// The folded names by which the fact can be meant: parameter, and with its subject.
    pub names: Vec<String>,
    /// Where its finding stands, an offset of the text.
    pub at: usize,
    /// The own text that the baseline had, blanks folded.
    pub old: String,
    /// The own text that stands there now, blanks folded; empty where the record is gone.
    pub new: String,
}

/// Which values that hold are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Currents {
    /// None.
    #[default]
    None,
    /// Those under an explicit subject, of which any other file may speak.
    Explicit,
    /// All.
    All,
}

impl Currents {
    /// True where `facts` may have such a value.
    fn are_in(self, facts: &Facts) -> bool {
        match self {
            Self::None => false,
            Self::Explicit => facts.spaces.iter().any(|space| space.explicit),
            Self::All => true,
        }
    }
}

/// A value that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Current {
    /// Hash of space and parameter.
    pub key: u64,
    /// The value as written: bytes of the text.
    pub value: TextRange,
    /// The subject is explicit: the fact reaches over all files, not only those of one folder.
    pub explicit: bool,
    /// The record in `Document::records`.
    pub record: u32,
    /// Where it stands, an offset of the text.
    pub at: usize,
}

/// Where the findings of lost records stand: their numbers in `Comparison::lost`, with offsets of the text.
#[derive(Default)]
pub(super) struct Places(FxHashMap<u32, usize>);

impl Places {
    /// Notes those that `steps` bring back.
    pub(super) fn add(&mut self, steps: &[Step]) {
        self.0.extend(steps.iter().filter_map(|step| Some((step.lost?, step.range.start()))));
    }
}

/// What was done to the records of the baseline. `file` are the facts of the text.
pub(super) fn changes(comparison: &Comparison, revisions: &[Revision], file: &Facts, places: &Places) -> Vec<Change> {
    let change = |facts: &Facts, record: u32, at: usize, new: String| {
        let parameter = content(facts.document, &facts.document.records[record as usize], facts.config).0;
        let subject = facts.spaces[facts.space_of(record as usize) as usize].subject.as_deref();
        let mut names = Vec::new();
        if !parameter.is_empty() {
            names.extend(subject.map(|subject| format!("{}/{parameter}", fold_key(subject))));
            names.push(parameter);
        }
        let old =
            Declared::text_of(&facts.own_words(record), is_secret(facts.document.records[record as usize].value.of(facts.document.text)));
        Change { key: (!names.is_empty()).then(|| facts.name(record).into_owned()), names, at, old, new }
    };
    let mut changes = Vec::new();
    for (idx, lost) in comparison.lost.iter().enumerate() {
        let facts = revisions[lost.revision as usize].facts;
        let new = match lost.fate {
            Fate::Altered(record) | Fate::Reworded(record) => file.own_words(record),
            Fate::Overwritten => {
                let members = lost.group.map_or(&[][..], |group| file.groups[group as usize].records());
                let came = |record: &u32| comparison.came[*record as usize];
                let open = members.iter().filter(|&&record| file.document.records[record as usize].tag.is_none());
                open.max_by_key(|record| came(record)).map_or(String::new(), |&record| file.own_words(record))
            }
            Fate::Deleted | Fate::History => String::new(),
        };
        let at = places.0.get(&(idx as u32)).copied().unwrap_or(0);
        changes.push(change(facts, lost.record, at, new));
    }
    for &(record, base) in &comparison.reopened {
        let at = file.document.records[record as usize].head.start();
        changes.push(change(revisions[0].facts, base, at, file.own_words(record)));
    }
    changes
}

/// Gathers those of the values that hold that are wanted: one for each group in which nothing is doubtful.
pub(super) struct Gathering<'a> {
    facts: &'a Facts<'a, 'a>,
    wanted: Currents,
    /// For each space a hash of its name between files.
    names: Vec<u64>,
    /// For each group whether it was put in order; then only its last version counts.
    arranged: Vec<bool>,
    found: Vec<Current>,
}

impl<'a> Gathering<'a> {
    pub(super) fn new(facts: &'a Facts<'a, 'a>, wanted: Currents) -> Self {
        if !wanted.are_in(facts) {
            return Self { facts, wanted: Currents::None, names: Vec::new(), arranged: Vec::new(), found: Vec::new() };
        }
        // The number of a region and its own heading do not count between files: the headings below it do.
        let name = |space: &Space| {
            FxBuildHasher.hash_one(if space.explicit { space.key.as_str() } else { space.subject.as_deref().unwrap_or("") })
        };
        let found = Vec::with_capacity(if wanted == Currents::All { facts.groups.len() } else { 0 });
        Self { facts, wanted, names: facts.spaces.iter().map(name).collect(), arranged: vec![false; facts.groups.len()], found }
    }

    /// Takes the value of a group in order.
    pub(super) fn add(&mut self, grouped: &Grouped) {
        let (Some(number), true) = (grouped.group, self.wanted != Currents::None) else { return };
        self.arranged[number as usize] = true;
        let chain = &grouped.arrangement.chain;
        let last = chain.last().filter(|version| version.life == Life::Live && grouped.arrangement.verdict == Verdict::Ordered);
        if let Some(record) = last.and_then(|version| version.in_file()) {
            self.hold(number, record);
        }
    }

    fn hold(&mut self, number: u32, record: u32) {
        let group = &self.facts.groups[number as usize];
        let explicit = self.facts.spaces[group.space() as usize].explicit;
        if group.cardinality() != Cardinality::One || (self.wanted == Currents::Explicit && !explicit) {
            return;
        }
        let found = &self.facts.document.records[record as usize];
        let key = FxBuildHasher.hash_one((self.names[group.space() as usize], group.parameter.as_str()));
        self.found.push(Current { key, value: found.value, explicit, record, at: found.head.start() });
    }

    /// All of them, with those of groups that need no order.
    pub(super) fn finish(mut self) -> Vec<Current> {
        for number in 0..self.arranged.len() {
            if let ([only], false) = (self.facts.groups[number].records(), self.arranged[number]) {
                let record = &self.facts.document.records[*only as usize];
                if record.tag.is_none() && !record.value.is_empty() {
                    self.hold(number as u32, *only);
                }
            }
        }
        self.found
    }
}

/// How many lines of observed text look like facts, and the heading above most of them; nothing where text is managed.
pub(super) fn observed(document: &Document) -> (usize, Option<String>) {
    if document.is_managed() {
        return (0, None);
    }
    let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
    let keyed = document.observed.iter().filter(|record| !record.parameter.is_empty());
    let mut total = 0;
    for record in keyed {
        total += 1;
        *counts.entry(record.scope).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|&(scope, count)| (count, std::cmp::Reverse(scope)));
    (total, most.and_then(|(scope, _)| document.scopes[scope as usize].nearest().map(str::to_owned)))
}
