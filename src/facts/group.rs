//! Groups: subject and parameter inside one scope.
//!
//! In: a document. Out: for each record its group, and the groups in text order.

use super::dating::Dating;
use super::version::Dates;
use crate::config::{Cardinality, Config};
use crate::syntax::{Document, Record, RegionKind, Shape};
use crate::text::{fold_blanks, fold_key, fold_key_into, fold_value_into};
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;
use smol_str::SmolStr;
use std::borrow::Cow;
use std::hash::BuildHasher;

/// What groups share beside the parameter: an explicit subject, or a scope of the text.
#[derive(Debug)]
pub struct Space {
    /// Compares over versions of a file: explicit subjects by name, scopes by headings.
    pub key: String,
    /// Explicit subjects reach over the whole file.
    pub explicit: bool,
    /// The subject for people, if there is one.
    pub subject: Option<SmolStr>,
    /// A scope in `Document::scopes` where the space is a scope.
    pub scope: Option<u32>,
}

/// The records that say what one parameter of one subject is. Nearly every group has one record, and a text may have a million
/// groups: 40 bytes is what such a one takes.
#[derive(Debug)]
pub struct Group {
    /// The parameter, folded, aliases resolved.
    pub parameter: SmolStr,
    /// All its records, where it has several.
    // Boxed, so that a group with one record is the smaller.
    several: Option<Box<Several>>,
    /// Its first record.
    first: u32,
    /// Its space, and how many values hold, in the two highest bits.
    kind: u32,
}

/// How far to the left of a space the cardinality stands. There are fewer spaces than that: each takes more than four bytes of text.
const CARDINALITY: u32 = 30;

/// Records of one group: most that have several have few.
type Several = SmallVec<[u32; 4]>;

impl Group {
    fn new(space: u32, parameter: &str, first: u32) -> Self {
        Self { parameter: parameter.into(), several: None, first, kind: space }
    }

    /// Its space in `Facts::spaces`.
    pub fn space(&self) -> u32 {
        self.kind & ((1 << CARDINALITY) - 1)
    }

    /// Its records, in text order: numbers in `Document::records`.
    pub fn records(&self) -> &[u32] {
        self.several.as_ref().map_or(std::slice::from_ref(&self.first), |several| several.as_slice())
    }

    /// How many values hold at a time.
    pub fn cardinality(&self) -> Cardinality {
        match self.kind >> CARDINALITY {
            0 => Cardinality::One,
            1 => Cardinality::Many,
            _ => Cardinality::Volatile,
        }
    }

    fn set_cardinality(&mut self, cardinality: Cardinality) {
        let number = match cardinality {
            Cardinality::One => 0,
            Cardinality::Many => 1,
            Cardinality::Volatile => 2,
        };
        self.kind = self.space() | number << CARDINALITY;
    }

    fn push(&mut self, record: u32) {
        self.several.get_or_insert_with(|| Box::new(Several::from_elem(self.first, 1))).push(record);
    }
}

/// The facts of one document.
pub struct Facts<'d, 't> {
    /// The document.
    pub document: &'d Document<'t>,
    /// The configuration.
    pub config: &'d Config,
    /// All spaces.
    pub spaces: Vec<Space>,
    /// All groups, in the order of their first records.
    pub groups: Vec<Group>,
    /// For each record its group; for a statement, which has none, its space with [`STATEMENT`].
    group_of: Vec<u32>,
    /// For each record its written dates.
    pub dates: Dating,
    /// The records with a date that cannot order.
    pub doubtful: Vec<u32>,
}

/// What follows is a space. There are fewer groups and spaces than this: each takes two bytes of text at the least.
const STATEMENT: u32 = 1 << 31;

impl<'d, 't> Facts<'d, 't> {
    /// Groups the records of `document`.
    pub fn new(document: &'d Document<'t>, config: &'d Config) -> Self {
        let mut spaces = Spaces::new(document);
        let count = document.records.len();
        let mut groups: Vec<Group> = Vec::with_capacity(count);
        let mut group_of = Vec::with_capacity(count);
        let mut folded = String::new();
        let mut known: HashTable<u32> = HashTable::with_capacity(count);
        let hash = |space: u32, parameter: &str| FxBuildHasher.hash_one((space, parameter));
        for (idx, record) in document.records.iter().enumerate() {
            let space = spaces.of(record);
            if record.shape == Shape::Statement {
                group_of.push(space | STATEMENT);
                continue;
            }
            fold_key_into(record.parameter.of(document.text), &mut folded);
            let parameter = config.canonical_parameter_of(&folded);
            let hash_of = hash(space, parameter);
            let same = |&group: &u32| groups[group as usize].space() == space && groups[group as usize].parameter == parameter;
            let known_group = known.find(hash_of, same).copied();
            let group = known_group.unwrap_or(groups.len() as u32);
            match known_group {
                Some(group) => groups[group as usize].push(idx as u32),
                None => {
                    let rehash = |&group: &u32| hash(groups[group as usize].space(), &groups[group as usize].parameter);
                    known.insert_unique(hash_of, group, rehash);
                    groups.push(Group::new(space, parameter, idx as u32));
                    groups[group as usize].set_cardinality(config.cardinality(parameter));
                }
            }
            if let Some(own) = record.cardinality {
                groups[group as usize].set_cardinality(own);
            }
            group_of.push(group);
        }
        drop(known);
        let dates = Dating::new(count, document.records.iter().map(|record| Dates::of(document, record, config)));
        let doubtful = dates.doubtful();
        Self { document, config, spaces: spaces.spaces, groups, group_of, dates, doubtful }
    }

    /// The group of a record; statements have none.
    pub fn group_of(&self, record: usize) -> Option<u32> {
        Some(self.group_of[record]).filter(|&group| group < STATEMENT)
    }

    /// The space of a record.
    pub fn space_of(&self, record: usize) -> u32 {
        self.group_of(record).map_or(self.group_of[record] & !STATEMENT, |group| self.groups[group as usize].space())
    }

    /// The folded value of a record, aliases resolved; a statement's whole text without its tag.
    pub fn value_key(&self, record: u32) -> String {
        value_key(self.document, &self.document.records[record as usize], self.config)
    }

    /// A record's own text, blanks folded.
    pub(crate) fn own_words(&self, record: u32) -> String {
        fold_blanks(self.document.records[record as usize].head.of(self.document.text)).into_owned()
    }

    /// The fact's name for people: `parameter`, or `subject/parameter` under an explicit subject.
    pub fn name(&self, record: u32) -> Cow<'t, str> {
        let found = &self.document.records[record as usize];
        let parameter = match super::value::line_of(self.document.text, found.parameter) {
            Cow::Borrowed(line) => crate::text::strip_markup(line),
            Cow::Owned(line) => crate::text::strip_markup(&line).into_owned().into(),
        };
        let space = &self.spaces[self.space_of(record as usize) as usize];
        match &space.subject {
            Some(subject) if space.explicit => [subject, "/", &parameter].concat().into(),
            _ => parameter,
        }
    }
}

/// See [`Facts::value_key`].
pub(crate) fn value_key(document: &Document, record: &Record, config: &Config) -> String {
    let mut out = String::new();
    value_key_into(document, record, config, &mut out);
    out
}

/// As [`value_key`], in the place of what `out` held.
pub(crate) fn value_key_into(document: &Document, record: &Record, config: &Config, out: &mut String) {
    fold_value_into(record.value.of(document.text), out);
    *out = config.canonical_value(std::mem::take(out));
}

/// Gives each record its space.
struct Spaces<'d, 't> {
    document: &'d Document<'t>,
    spaces: Vec<Space>,
    by_scope: Vec<Option<u32>>,
    /// Numbers of spaces by their keys.
    by_key: HashTable<u32>,
    regions: Vec<String>,
}

impl<'d, 't> Spaces<'d, 't> {
    fn new(document: &'d Document<'t>) -> Self {
        // Regions of one kind under one heading path are told apart by their number.
        let mut seen: FxHashMap<(u8, &str), usize> = FxHashMap::default();
        let regions = document.regions.iter().map(|region| {
            let kind = match region.kind {
                RegionKind::Memory => 0,
                RegionKind::Block => 1,
                RegionKind::Section | RegionKind::File => 2,
                RegionKind::List => 3,
            };
            let count = seen.entry((kind, region.key.as_str())).or_default();
            *count += 1;
            format!("{kind}\u{1e}{}\u{1e}{count}", region.key)
        });
        let regions = regions.collect();
        let by_scope = vec![None; document.scopes.len()];
        let scopes = document.scopes.len();
        Self { document, spaces: Vec::with_capacity(scopes), by_scope, by_key: HashTable::with_capacity(scopes), regions }
    }

    fn of(&mut self, record: &Record) -> u32 {
        if !record.subject.is_empty() {
            let subject = record.subject.of(self.document.text);
            return self.explicit(subject, "");
        }
        if let Some(space) = self.by_scope[record.scope as usize] {
            return space;
        }
        let scope = &self.document.scopes[record.scope as usize];
        let space = match &scope.subject {
            Some(subject) => self.explicit(subject, &scope.key),
            None => {
                let region = scope.region.map_or("", |number| self.regions[number as usize].as_str());
                let key = [region, "\u{1e}", &scope.key].concat();
                self.add(key, false, (scope.depth > 0).then(|| scope.title.clone()), Some(record.scope))
            }
        };
        self.by_scope[record.scope as usize] = Some(space);
        space
    }

    fn explicit(&mut self, subject: &str, path: &str) -> u32 {
        let subject = SmolStr::new(super::value::one_line(&crate::text::strip_markup(subject)));
        let key = ["subject\u{1e}", &fold_key(&subject), "\u{1e}", path].concat();
        self.add(key, true, Some(subject), None)
    }

    fn add(&mut self, key: String, explicit: bool, subject: Option<SmolStr>, scope: Option<u32>) -> u32 {
        let hash = FxBuildHasher.hash_one(&key);
        if let Some(&space) = self.by_key.find(hash, |&space| self.spaces[space as usize].key == key) {
            return space;
        }
        let space = self.spaces.len() as u32;
        self.by_key.insert_unique(hash, space, |&space| FxBuildHasher.hash_one(&self.spaces[space as usize].key));
        self.spaces.push(Space { key, explicit, subject, scope });
        space
    }
}
