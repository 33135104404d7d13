//! What a memory file holds: regions of managed text, and the records in them.

use super::attributes::Attributes;
use super::record::Shape;
use super::tag::Tag;
use crate::config::Cardinality;
use crate::text::{TextRange, fold_key};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

/// Stands between the headings of a path.
pub(crate) const HEADINGS: &str = "\u{1f}";

/// Why a piece of text is managed (SPEC 2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RegionKind {
    /// Between `<Memory>` and `</Memory>`.
    Memory,
    /// Between `memfile:begin` and `memfile:end`.
    Block,
    /// The section under a managed heading.
    Section,
    /// The whole file.
    File,
    /// A list or table that speaks the format.
    List,
}

/// A piece of managed text.
#[derive(Debug)]
pub struct Region {
    /// Why it is managed.
    pub kind: RegionKind,
    /// Its bytes; for a section from its heading on.
    pub range: TextRange,
    /// The section's heading in `Document::headings`.
    pub heading: Option<u32>,
    /// What pairs it with the same region of another version of the file: the folded path of headings above it.
    pub key: String,
}

impl Region {
    /// The last heading of its key, folded: that of a section is its own.
    pub(crate) fn nearest(&self) -> &str {
        self.key.rsplit(HEADINGS).next().unwrap_or_default()
    }
}

/// Where records share their subject: a region, a heading path in it, a chain of labels.
#[derive(Debug)]
pub struct Scope {
    /// The region in `Document::regions`; `None` for observed text.
    pub region: Option<u32>,
    /// How many headings below the region's own, and labels, lead to it.
    pub depth: usize,
    /// Their texts without marks, joined by ` / `.
    pub title: SmolStr,
    /// Where the last of them starts in `title`, in bytes.
    pub(super) last: usize,
    /// The same, folded and joined.
    pub key: String,
    /// The subject of the block's `Facts about X` line, as written.
    pub subject: Option<String>,
}

impl Scope {
    /// The text of the nearest label or heading below the region's own.
    pub fn nearest(&self) -> Option<&str> {
        (self.depth > 0).then(|| &self.title[self.last..])
    }
}

/// A heading outside lists and quotes.
#[derive(Debug)]
pub struct Heading {
    /// Whole lines.
    pub range: TextRange,
    /// 1 to 6.
    pub level: u8,
    /// Its text, without marks.
    pub text: TextRange,
    /// The nearest heading of a higher level above it, in the same piece of text.
    pub(super) parent: Option<u32>,
}

/// The mark in front of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bullet {
    /// `-`, `*` or `+`
    Mark(Sign),
    /// A number; such items are tagged in place and never moved, inserted or renumbered.
    Number,
    /// A table row.
    Row,
}

/// The sign of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// `-`
    Dash,
    /// `*`
    Star,
    /// `+`
    Plus,
}

/// How a tag gets to its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// Behind the record's own text, with a blank between.
    Behind,
    /// Into an empty cell, with a blank on both sides.
    Fill,
    /// In the place of a plain word in a status cell.
    Word,
}

/// One record.
#[derive(Debug)]
pub struct Record {
    /// Whole lines: the item with its children, blank lines behind it not included.
    pub block: TextRange,
    /// The own text: the item's paragraph, or the row's line.
    pub head: TextRange,
    /// How it is written.
    pub shape: Shape,
    /// The mark in front of it.
    pub bullet: Bullet,
    /// Where the lines behind the own text start, as an offset.
    pub(super) own_end: u32,
    /// Its scope in `Document::scopes`.
    pub scope: u32,
    /// The list or table it stands in; numbers are unique in the document.
    pub container: u32,
    /// The explicit subject; empty where there is none.
    pub subject: TextRange,
    /// The parameter; empty for a statement.
    pub parameter: TextRange,
    /// The value as written, perhaps over several lines; a statement's whole text.
    pub value: TextRange,
    /// Source, since, until, reason.
    pub attributes: Attributes,
    /// The tag, if it carries one.
    pub tag: Option<Box<Tag>>,
    /// What a written tag replaces (empty: nothing).
    pub slot: TextRange,
    /// How a tag is written there.
    pub slot_kind: Slot,
    /// How many values hold, where `<!-- memfile: many -->` or `<!-- memfile: volatile -->` stands on it.
    pub cardinality: Option<Cardinality>,
}

impl Record {
    /// The lines behind the own text: nested items and other blocks.
    pub fn children(&self) -> TextRange {
        TextRange::new(self.own_end as usize, self.block.end())
    }
}

/// A `<!-- memfile: ignore NAME -- reason -->` comment.
#[derive(Debug)]
pub struct Suppression {
    /// The bytes to take out where the comment goes: with the blanks before it, or the whole line.
    pub range: TextRange,
    /// The rules that it names.
    pub names: Vec<String>,
    /// The record it speaks of, in `Document::records`.
    pub record: u32,
}

/// What was read from one text. Records are in text order; no two blocks overlap.
#[derive(Debug)]
pub struct Document<'t> {
    /// The text itself.
    pub text: &'t str,
    /// Managed regions, in order.
    pub regions: Vec<Region>,
    /// Scopes of records.
    pub scopes: Vec<Scope>,
    /// Headings, in order.
    pub headings: Vec<Heading>,
    /// The records of managed text.
    pub records: Vec<Record>,
    /// Records of observed text, never edited.
    pub observed: Vec<Record>,
    /// Rows of managed tables that have another number of cells than their header.
    pub ragged: Vec<TextRange>,
    /// Opening tags of output of `present`.
    pub pasted: Vec<TextRange>,
    /// The first line of conflict markers.
    pub conflict: Option<TextRange>,
    /// Suppression comments.
    pub suppressions: Vec<Suppression>,
    /// Text in which nothing is a fact: front matter, blocks of other tools, output of `present`.
    pub excluded: Vec<TextRange>,
}

impl Document<'_> {
    /// True where the file has managed text at all.
    pub fn is_managed(&self) -> bool {
        !self.regions.is_empty()
    }

    /// True where `offset` stands in managed text.
    pub fn manages(&self, offset: usize) -> bool {
        self.regions.iter().any(|region| region.range.contains(offset)) && !self.excluded.iter().any(|range| range.contains(offset))
    }

    /// Where the first record of a scope would stand, for a scope that holds no record: behind its heading, marker or lead line.
    /// `kind` and `key` name the region, `path` the folded headings below the region's own. `None` where the region or the
    /// heading is not there.
    pub fn anchor(&self, kind: RegionKind, key: &str, path: &str) -> Option<usize> {
        let region = self.regions.iter().find(|region| region.kind == kind && region.key == key)?;
        // The marker may stand behind blank lines.
        let behind = |end: usize| {
            let mut at = end;
            while at < self.text.len() {
                let line = TextRange::new(at, crate::text::line_end(self.text, at)).of(self.text).trim();
                at = crate::text::next_line(self.text, at);
                match line {
                    "" => {}
                    "<!-- memfile -->" => return at,
                    _ => break,
                }
            }
            end
        };
        if path.is_empty() {
            let own = region.heading.map(|idx| self.headings[idx as usize].range.end());
            return Some(behind(own.unwrap_or(region.range.start())));
        }
        let inside = |idx: &usize| region.range.contains(self.headings[*idx].range.start()) && Some(*idx as u32) != region.heading;
        let path_of = |mut idx: usize| {
            let mut parts = vec![fold_key(self.headings[idx].text.of(self.text))];
            while let Some(parent) = self.headings[idx].parent.map(|parent| parent as usize).filter(inside) {
                parts.push(fold_key(self.headings[parent].text.of(self.text)));
                idx = parent;
            }
            parts.reverse();
            parts.join(HEADINGS)
        };
        let found = (0..self.headings.len()).filter(inside).find(|&idx| path_of(idx) == path)?;
        Some(behind(self.headings[found].range.end()))
    }

    /// What is managed here, for reading another version of the same file.
    pub fn managed(&self) -> Managed {
        let mut managed = Managed::default();
        for region in &self.regions {
            match region.kind {
                RegionKind::Section => {
                    managed.headings.insert(region.key.clone());
                }
                RegionKind::File => managed.whole_file = true,
                RegionKind::List => {
                    let inside = self.records.iter().filter(|record| region.range.covers(record.block));
                    let keys = inside.map(|record| fold_key(record.parameter.of(self.text)));
                    managed.lists.entry(region.key.clone()).or_default().extend(keys.filter(|key| !key.is_empty()));
                }
                RegionKind::Memory | RegionKind::Block => {}
            }
        }
        managed
    }
}

/// What one version of a file manages, by headings: it counts as managed in the other version too (SPEC 2 and 6).
#[derive(Debug, Default, Clone)]
pub struct Managed {
    /// The whole file.
    pub whole_file: bool,
    /// Folded heading paths of managed sections.
    pub headings: FxHashSet<String>,
    /// Folded heading path above a list that speaks the format: its parameters.
    pub lists: FxHashMap<String, FxHashSet<String>>,
}

impl Managed {
    /// True where `other` manages all that this does.
    pub fn is_within(&self, other: &Self) -> bool {
        let has = |(key, parameters): (&String, &FxHashSet<String>)| other.lists.get(key).is_some_and(|other| parameters.is_subset(other));
        (!self.whole_file || other.whole_file) && self.headings.is_subset(&other.headings) && self.lists.iter().all(has)
    }

    /// What either of the two manages.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        self.whole_file |= other.whole_file;
        self.headings.extend(other.headings);
        for (key, parameters) in other.lists {
            self.lists.entry(key).or_default().extend(parameters);
        }
        self
    }
}
