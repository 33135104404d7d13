//! Which record of one version is which record of the others.
//!
//! In: the facts of the three versions. Out: [`Entries`]: for each thing that a record says once, the records that say it.
//! Records pair with the base as they do for `check`; what both sides added pairs by its words.

use super::three::{Side, Three};
use crate::baseline::{Accepted, Declared, pair_records};
use crate::facts::Facts;
use crate::repair::take_tag;
use crate::syntax::{Attributes, Record};
use crate::text::{Patch, TextRange, fold_blanks};
use rustc_hash::{FxHashMap, FxHashSet};

/// One record, in those versions that have it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    pub(super) base: Option<u32>,
    pub(super) ours: Option<u32>,
    pub(super) theirs: Option<u32>,
}

impl Entry {
    /// What it says, in any version that has it.
    pub(super) fn value(&self, entries: &Entries) -> Option<String> {
        let facts = entries.facts;
        let base = self.base.map(|record| facts.base.value_key(record));
        let ours = || self.ours.map(|record| facts.ours.value_key(record));
        base.or_else(ours).or_else(|| self.theirs.map(|record| facts.theirs.value_key(record)))
    }

    pub(super) fn of(&self, side: Side) -> Option<u32> {
        match side {
            Side::Ours => self.ours,
            Side::Theirs => self.theirs,
        }
    }
}

/// A fact's name that holds over the versions: of a section and a parameter that one side renamed the name in the base.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    space: String,
    parameter: String,
}

impl Key {
    /// False for statements, which are no versions of anything.
    pub(super) fn is_fact(&self) -> bool {
        !self.parameter.is_empty()
    }
}

/// The records of all versions.
pub(super) struct Entries<'a> {
    pub(super) facts: Three<&'a Facts<'a, 'a>>,
    pub(super) list: Vec<Entry>,
    /// For each record of a version its entry.
    pub(super) number: Three<Vec<u32>>,
    /// For each space of a version its name in the base, else its own.
    spaces: Three<Vec<String>>,
    /// For each entry the fact that it belongs to.
    keys: Vec<Key>,
}

impl<'a> Entries<'a> {
    /// `meant` is what each side is declared to do.
    pub(super) fn new(facts: Three<&'a Facts<'a, 'a>>, meant: [&Accepted; 2]) -> Self {
        let (ours, theirs) = (pair_records(facts.base, facts.ours, meant[0]), pair_records(facts.base, facts.theirs, meant[1]));
        let count = facts.base.document.records.len();
        let mut list: Vec<Entry> =
            (0..count).map(|idx| Entry { base: Some(idx as u32), ours: ours.to_file[idx], theirs: theirs.to_file[idx] }).collect();
        let mut number = Three {
            base: (0..count as u32).collect(),
            ours: ours.to_base.iter().map(|base| base.unwrap_or(u32::MAX)).collect::<Vec<u32>>(),
            theirs: theirs.to_base.iter().map(|base| base.unwrap_or(u32::MAX)).collect::<Vec<u32>>(),
        };
        let own = |facts: &Facts| facts.spaces.iter().map(|space| stable(&space.key)).collect::<Vec<String>>();
        let mut spaces = facts.map(own);
        for (names, pairs) in [(&mut spaces.ours, &ours.spaces), (&mut spaces.theirs, &theirs.spaces)] {
            for (base, file) in pairs.iter().enumerate().filter_map(|(base, file)| Some((base, (*file)?))) {
                names[file as usize].clone_from(&spaces.base[base]);
            }
        }
        for (idx, entry) in number.ours.iter_mut().enumerate().filter(|(_, entry)| **entry == u32::MAX) {
            *entry = list.len() as u32;
            list.push(Entry { ours: Some(idx as u32), ..Entry::default() });
        }
        let mut this = Self { facts, list, number, spaces, keys: Vec::new() };
        this.theirs_alone();
        this.keys = (0..this.list.len()).map(|entry| this.key_of(this.list[entry])).collect();
        this
    }

    /// What they added: an entry of its own, or that of a record which we added too.
    fn theirs_alone(&mut self) {
        let mut ours: FxHashMap<(Key, String), Vec<u32>> = FxHashMap::default();
        for entry in &self.list {
            if let (None, Some(record)) = (entry.base, entry.ours) {
                ours.entry(self.content(Side::Ours, record)).or_default().push(record);
            }
        }
        for idx in 0..self.number.theirs.len() {
            if self.number.theirs[idx] != u32::MAX {
                continue;
            }
            let record = idx as u32;
            let free = ours.get_mut(&self.content(Side::Theirs, record));
            let twin = free.and_then(|free| {
                let at = free.iter().position(|&own| says_the_same(self.facts.ours, own, self.facts.theirs, record))?;
                Some(free.remove(at))
            });
            let entry = match twin {
                Some(own) => self.number.ours[own as usize],
                None => {
                    self.list.push(Entry::default());
                    self.list.len() as u32 - 1
                }
            };
            self.list[entry as usize].theirs = Some(record);
            self.number.theirs[idx] = entry;
        }
    }

    fn content(&self, side: Side, record: u32) -> (Key, String) {
        let facts = self.facts.of(side);
        (self.key_in(facts, self.spaces.of(side), record), facts.value_key(record))
    }

    fn key_in(&self, facts: &Facts, spaces: &[String], record: u32) -> Key {
        let parameter = facts.group_of(record as usize).map_or(String::new(), |group| facts.groups[group as usize].parameter.to_string());
        Key { space: spaces[facts.space_of(record as usize) as usize].clone(), parameter }
    }

    /// The fact that an entry belongs to; statements of one section share one.
    pub(super) fn key(&self, entry: u32) -> &Key {
        &self.keys[entry as usize]
    }

    fn key_of(&self, entry: Entry) -> Key {
        match (entry.base, entry.ours, entry.theirs) {
            (Some(record), _, _) => self.key_in(self.facts.base, &self.spaces.base, record),
            (_, Some(record), _) => self.key_in(self.facts.ours, &self.spaces.ours, record),
            (_, _, Some(record)) => self.key_in(self.facts.theirs, &self.spaces.theirs, record),
            _ => Key { space: String::new(), parameter: String::new() },
        }
    }

    /// True where a version has a record of the base in another section.
    pub(super) fn changes_section(&self, entry: u32, side: Side) -> bool {
        let found = self.list[entry as usize];
        let (Some(base), Some(own)) = (found.base, found.of(side)) else { return false };
        let name = |facts: &Facts, spaces: &[String], record: u32| spaces[facts.space_of(record as usize) as usize].clone();
        name(self.facts.base, &self.spaces.base, base) != name(self.facts.of(side), self.spaces.of(side), own)
    }

    /// The names of the space in which an entry may stand after the merge.
    pub(super) fn homes(&self, entry: u32) -> Vec<String> {
        let own = |facts: &Facts, record: u32| stable(&facts.spaces[facts.space_of(record as usize) as usize].key);
        let name = &self.key(entry).space;
        // A section that one side renamed has the new name for all.
        let renamed = Side::BOTH.into_iter().flat_map(|side| {
            let facts = self.facts.of(side);
            let names = self.spaces.of(side).iter().zip(&facts.spaces);
            names.filter(|(canonical, _)| *canonical == name).map(|(_, space)| stable(&space.key)).collect::<Vec<_>>()
        });
        let found = self.list[entry as usize];
        let standing = Side::BOTH.into_iter().filter_map(|side| Some(own(self.facts.of(side), found.of(side)?)));
        renamed.chain(standing).collect()
    }

    /// The block of an entry in a version.
    pub(super) fn block(&self, entry: u32, side: Side) -> Option<&'a str> {
        let facts: &'a Facts<'a, 'a> = match side {
            Side::Ours => self.facts.ours,
            Side::Theirs => self.facts.theirs,
        };
        self.list[entry as usize].of(side).map(|record| block(facts, record))
    }

    /// The block of an entry in the base.
    pub(super) fn base_block(&self, entry: u32) -> Option<&'a str> {
        self.list[entry as usize].base.map(|record| block(self.facts.base, record))
    }

    /// True where a version says something else than the base, or has a record that the base has not.
    pub(super) fn is_changed(&self, entry: u32, side: Side) -> bool {
        self.block(entry, side) != self.base_block(entry)
    }
}

/// What of a declaration can be meant of a side: what that side still has it did not take out.
pub(super) fn of_side(accepted: &Accepted, facts: &Facts) -> Accepted {
    let text = facts.document.text;
    let heads = facts.document.records.iter().flat_map(|record| {
        let own = fold_blanks(record.head.of(text));
        let bare = without_tag(text, record, record.head);
        [fold_blanks(&bare).into_owned(), Declared::text_of(&own, true), own.into_owned()]
    });
    let heads: FxHashSet<String> = if accepted.declared.is_empty() { FxHashSet::default() } else { heads.collect() };
    let declared = accepted.declared.iter().filter(|pair| !heads.contains(&pair.old)).cloned().collect();
    Accepted { declared, trailers: accepted.trailers.clone() }
}

pub(super) fn block<'a>(facts: &'a Facts<'a, 'a>, record: u32) -> &'a str {
    facts.document.records[record as usize].block.of(facts.document.text)
}

/// The key of a space without the number that tells regions of one kind apart: other regions may come before it in a merge.
pub(super) fn stable(key: &str) -> String {
    let parts: Vec<&str> = key.split('\u{1e}').collect();
    match parts[..] {
        [kind, region, _, scope] => [kind, region, scope].join("\u{1e}"),
        _ => key.to_owned(),
    }
}

/// Two records of one fact and value that were added apart: the same words, or one says where it is from and the other does not.
fn says_the_same(ours: &Facts, own: u32, theirs: &Facts, other: u32) -> bool {
    let (a, b) = (&ours.document.records[own as usize], &theirs.document.records[other as usize]);
    let words = |facts: &Facts, record: &Record| fold_blanks(&without_tag(facts.document.text, record, record.head)).into_owned();
    let status = |record: &Record| record.tag.as_deref().map(|tag| tag.status);
    let bare = |attributes: &Attributes| {
        [attributes.source(), attributes.since(), attributes.until(), attributes.reason()].into_iter().all(TextRange::is_empty)
    };
    let fuller = bare(&a.attributes) != bare(&b.attributes) && status(a) == status(b);
    a.shape == b.shape && (words(ours, a) == words(theirs, b) || fuller)
}

/// A part of a record, its own text or the lines that hold it, without its tag.
pub(super) fn without_tag(text: &str, record: &Record, part: TextRange) -> String {
    let mut patch = Patch::default();
    let shift = |range: TextRange| TextRange::new(range.start() - part.start(), range.end() - part.start());
    for edit in take_tag(text, record).into_iter().filter(|edit| part.covers(edit.range)) {
        patch.try_add(&[crate::text::TextEdit::replace(shift(edit.range), edit.text)]);
    }
    patch.apply(part.of(text))
}
