//! Which text is managed, and what subject a place in it has.
//!
//! In: what the lines and the blocks say. Out: regions, and on demand the scope of an offset.

use super::document::{HEADINGS, Heading, Managed, Region, RegionKind, Scope};
use super::outline::Outline;
use super::scan::Scan;
use crate::config::Config;
use crate::text::{TextRange, fold_blanks, fold_heading, fold_key_into, line_end, strip_markup};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;
use smol_str::SmolStr;
use std::borrow::Cow;

/// Where a place stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// In the region with this number.
    Managed(u32),
    /// In text of which nothing is managed.
    Observed,
    /// In text that never holds facts.
    Excluded,
}

/// What makes a scope: region, heading, label, and the number of the `Facts about X` line.
type ScopeKey = (Option<u32>, Option<u32>, Option<u32>, usize);

/// The regions of one text, with what is needed to find scopes.
pub(super) struct Regions {
    pub(super) regions: Vec<Region>,
    pub(super) headings: Vec<Heading>,
    /// Headings outside `<Memory>` elements and excluded text.
    outer: Vec<u32>,
    /// Headings in the `<Memory>` element of each region.
    inner: FxHashMap<u32, Vec<u32>>,
    /// Sorted, disjoint.
    pub(super) excluded: Vec<TextRange>,
    /// For each region that was found by its marks: how far it and those before it reach.
    reach: Vec<usize>,
    facts_about: Vec<TextRange>,
    scopes: Vec<Scope>,
    /// The last scope that was asked for, and the offsets between which nothing changes it.
    last: Option<(Option<u32>, usize, usize, u32)>,
    known: FxHashMap<ScopeKey, u32>,
    /// What was made of the last path: as written, folded, and its last part folded. Their memory is used again.
    title: String,
    joined: String,
    folded: String,
}

impl Regions {
    pub(super) fn new(text: &str, scan: &Scan, outline: &Outline, config: &Config, whole: bool, also: &Managed) -> Self {
        let mut excluded: Vec<TextRange> = scan.foreign.clone();
        excluded.extend(scan.memories.iter().filter(|memory| memory.generated).map(|memory| memory.inner));
        excluded.extend(scan.front_matter);
        let excluded = merged(excluded);
        let mut this = Self {
            regions: Vec::new(),
            headings: headings(text, outline),
            outer: Vec::new(),
            inner: FxHashMap::default(),
            excluded,
            reach: Vec::new(),
            facts_about: scan.facts_about.clone(),
            scopes: Vec::with_capacity(outline.headings.len() + 1),
            last: None,
            known: FxHashMap::with_capacity_and_hasher(outline.headings.len() + 1, FxBuildHasher),
            title: String::new(),
            joined: String::new(),
            folded: String::new(),
        };
        this.home(scan);
        let sections = if whole { vec![] } else { this.sections(text, scan, config, also) };
        if whole {
            let range = TextRange::new(0, text.len());
            this.regions.push(Region { kind: RegionKind::File, range, heading: None, key: String::new() });
        }
        this.regions.extend(sections);
        let elements = scan.memories.iter().filter(|memory| !memory.generated).map(|memory| (RegionKind::Memory, memory.inner));
        for (kind, range) in elements.chain(scan.blocks.iter().map(|&range| (RegionKind::Block, range))) {
            if !this.is_excluded(range.start()) {
                let key = this.path_key(text, this.last_outer(range.start()));
                this.regions.push(Region { kind, range, heading: None, key });
            }
        }
        this.regions.sort_by_key(|region| (region.range.start(), std::cmp::Reverse(region.range.end())));
        this.inner_headings();
        let mut reach = 0;
        for region in &this.regions {
            reach = reach.max(region.range.end());
            this.reach.push(reach);
        }
        this
    }

    /// Where `offset` stands; the innermost region counts.
    pub(super) fn place(&self, offset: usize) -> Place {
        if self.is_excluded(offset) {
            return Place::Excluded;
        }
        // Lists are found later and asked for by their number, so only the regions with marks count here.
        let marked = &self.regions[..self.reach.len()];
        let mut at = marked.partition_point(|region| region.range.start() <= offset);
        while at > 0 && self.reach[at - 1] > offset {
            at -= 1;
            if marked[at].range.contains(offset) {
                return Place::Managed(number(at));
            }
        }
        Place::Observed
    }

    /// Adds a list or table that speaks the format; scopes must not have been asked for places in it.
    pub(super) fn add_list(&mut self, text: &str, range: TextRange) -> u32 {
        let key = self.path_key(text, self.last_outer(range.start()));
        self.regions.push(Region { kind: RegionKind::List, range, heading: None, key });
        number(self.regions.len() - 1)
    }

    /// The folded path of the headings above `offset`.
    pub(super) fn key_above(&self, text: &str, offset: usize) -> String {
        self.path_key(text, self.last_outer(offset))
    }

    /// The scope of a record at `offset`, below the labels `labels` (the item they end with, and their texts).
    pub(super) fn scope(&mut self, text: &str, region: Option<u32>, offset: usize, label: Option<(u32, &[String])>) -> u32 {
        if label.is_none() && self.last.is_some_and(|(known, from, to, _)| known == region && from <= offset && offset < to) {
            return self.last.map_or(0, |(_, _, _, scope)| scope);
        }
        let scope = self.scope_anew(text, region, offset, label);
        if label.is_none() {
            let next = |starts: &mut dyn Iterator<Item = usize>| starts.next().unwrap_or(usize::MAX);
            let behind = self.headings.partition_point(|heading| heading.range.start() < offset);
            let heading = next(&mut self.headings[behind..].iter().map(|heading| heading.range.start()));
            let behind = self.facts_about.partition_point(|line| line.start() < offset);
            let facts = next(&mut self.facts_about[behind..].iter().map(|line| line.start()));
            self.last = Some((region, offset, heading.min(facts), scope));
        }
        scope
    }

    fn scope_anew(&mut self, text: &str, region: Option<u32>, offset: usize, label: Option<(u32, &[String])>) -> u32 {
        let heading = self.heading_for(region, offset);
        let facts = region.map_or(0, |region| self.facts_for(region, offset));
        let key = (region, heading, label.map(|(item, _)| item), facts);
        if let Some(&scope) = self.known.get(&key) {
            return scope;
        }
        let own = region.and_then(|region| self.regions[region as usize].heading);
        let above = |idx: Option<u32>| idx.filter(|&idx| Some(idx) != own);
        let parent = |&idx: &u32| above(self.headings[idx as usize].parent.filter(|&parent| self.reaches(region, parent)));
        let headings: SmallVec<[u32; 6]> = std::iter::successors(above(heading), parent).collect();
        let labels = label.map_or(&[][..], |(_, labels)| labels);
        let headings_as_written = headings.iter().rev().map(|&idx| plain(self.headings[idx as usize].text.of(text)));
        let (title, joined, mut last) = (&mut self.title, &mut self.joined, 0);
        title.clear();
        joined.clear();
        for (number, part) in headings_as_written.chain(labels.iter().map(|label| label.as_str().into())).enumerate() {
            title.push_str(if number > 0 { " / " } else { "" });
            last = title.len();
            title.push_str(&part);
            joined.push_str(if number > 0 { HEADINGS } else { "" });
            fold_key_into(&part, &mut self.folded);
            joined.push_str(&self.folded);
        }
        let subject = facts.checked_sub(1).map(|idx| self.facts_about[idx].of(text).trim().to_owned());
        let depth = headings.len() + labels.len();
        self.scopes.push(Scope { region, depth, title: SmolStr::new(title), last, key: joined.clone(), subject });
        let scope = number(self.scopes.len() - 1);
        self.known.insert(key, scope);
        scope
    }

    pub(super) fn take_scopes(&mut self) -> Vec<Scope> {
        std::mem::take(&mut self.scopes)
    }

    fn is_excluded(&self, offset: usize) -> bool {
        let behind = self.excluded.partition_point(|range| range.start() <= offset);
        behind > 0 && self.excluded[behind - 1].contains(offset)
    }

    /// Sorts headings into outer ones and those inside elements, and finds the parents of the outer ones.
    fn home(&mut self, scan: &Scan) {
        let mut path: Vec<u32> = Vec::new();
        for idx in 0..self.headings.len() {
            let start = self.headings[idx].range.start();
            let behind = scan.memories.partition_point(|memory| memory.open.start() <= start);
            let inside = behind.checked_sub(1).is_some_and(|last| scan.memories[last].inner.contains(start));
            if !inside && !self.is_excluded(start) {
                self.outer.push(number(idx));
                nest(&mut self.headings, &mut path, idx);
            }
        }
    }

    fn inner_headings(&mut self) {
        for idx in 0..self.regions.len() {
            let region = &self.regions[idx];
            if region.kind != RegionKind::Memory {
                continue;
            }
            let from = self.headings.partition_point(|heading| heading.range.start() < region.range.start());
            let inside = self.headings[from..].iter().take_while(|heading| heading.range.start() < region.range.end()).count();
            let mut path = Vec::new();
            for heading in from..from + inside {
                nest(&mut self.headings, &mut path, heading);
            }
            if inside > 0 {
                self.inner.insert(number(idx), (from..from + inside).map(number).collect());
            }
        }
    }

    /// Sections under managed headings; a managed heading inside one opens none of its own.
    fn sections(&self, text: &str, scan: &Scan, config: &Config, also: &Managed) -> Vec<Region> {
        let mut sections: Vec<Region> = Vec::new();
        let mut open: Option<(u8, Region)> = None;
        for &idx in &self.outer {
            let heading = &self.headings[idx as usize];
            if let Some((level, section)) = &mut open {
                if heading.level > *level {
                    continue;
                }
                section.range = TextRange::new(section.range.start(), heading.range.start());
                sections.extend(open.take().map(|(_, section)| section));
            }
            let next = scan.heading_markers.partition_point(|marker| marker.start() < heading.range.end());
            let marked = scan.heading_markers.get(next).is_some_and(|marker| {
                TextRange::new(heading.range.end(), marker.start()).of(text).bytes().all(|byte| byte.is_ascii_whitespace())
            });
            let named = || config.managed_headings.contains(&fold_heading(heading.text.of(text)));
            let key = self.path_key(text, Some(idx));
            if marked || named() || also.headings.contains(&key) {
                let range = TextRange::new(heading.range.start(), text.len());
                open = Some((heading.level, Region { kind: RegionKind::Section, range, heading: Some(idx), key }));
            }
        }
        sections.extend(open.map(|(_, section)| section));
        sections
    }

    fn last_outer(&self, offset: usize) -> Option<u32> {
        let behind = self.outer.partition_point(|&idx| self.headings[idx as usize].range.start() < offset);
        behind.checked_sub(1).map(|last| self.outer[last])
    }

    /// The last heading above `offset` that counts in `region`.
    fn heading_for(&self, region: Option<u32>, offset: usize) -> Option<u32> {
        let Some(number) = region else { return self.last_outer(offset) };
        let last = match self.regions[number as usize].kind {
            RegionKind::Memory => {
                let inner = self.inner.get(&number)?;
                let behind = inner.partition_point(|&idx| self.headings[idx as usize].range.start() < offset);
                behind.checked_sub(1).map(|last| inner[last])
            }
            RegionKind::List => None,
            _ => self.last_outer(offset),
        };
        last.filter(|&idx| self.reaches(region, idx))
    }

    /// True where the heading stands in the region.
    fn reaches(&self, region: Option<u32>, heading: u32) -> bool {
        region.is_none_or(|number| self.regions[number as usize].range.contains(self.headings[heading as usize].range.start()))
    }

    /// The number from 1 of the `Facts about X` line that counts at `offset`; 0 for none.
    fn facts_for(&self, region: u32, offset: usize) -> usize {
        let range = self.regions[region as usize].range;
        let behind = self.facts_about.partition_point(|line| line.start() < offset);
        let last = behind.checked_sub(1).map(|last| self.facts_about[last]);
        if last.is_some_and(|line| range.contains(line.start()) && self.place(line.start()) == Place::Managed(region)) { behind } else { 0 }
    }

    fn path_key(&self, text: &str, mut at: Option<u32>) -> String {
        let mut path = Vec::new();
        while let Some(idx) = at {
            path.push(fold_heading(self.headings[idx as usize].text.of(text)));
            at = self.headings[idx as usize].parent;
        }
        path.reverse();
        path.join(HEADINGS)
    }
}

/// Appends heading `idx` to the path of open headings and sets its parent.
fn nest(headings: &mut [Heading], path: &mut Vec<u32>, idx: usize) {
    let level = headings[idx].level;
    while path.last().is_some_and(|&last| headings[last as usize].level >= level) {
        path.pop();
    }
    headings[idx].parent = path.last().copied();
    path.push(number(idx));
}

fn headings(text: &str, outline: &Outline) -> Vec<Heading> {
    let all = outline.headings.iter();
    all.map(|raw| Heading { range: raw.range, level: raw.level, text: heading_text(text, raw.range), parent: None }).collect()
}

/// The text of an ATX or setext heading.
fn heading_text(text: &str, range: TextRange) -> TextRange {
    let first = TextRange::new(range.start(), line_end(text, range.start())).trimmed(text);
    let body = first.of(text);
    let marks = body.bytes().take_while(|&byte| byte == b'#').count();
    let atx = (1..=6).contains(&marks) && (body.len() == marks || body[marks..].starts_with([' ', '\t']));
    if !atx {
        // The underline is the last line.
        let end = crate::text::trim_end_blanks(text, range.start(), range.end());
        return TextRange::new(range.start(), crate::text::line_start(text, end)).trimmed(text);
    }
    let inner = TextRange::new(first.start() + marks, first.end()).trimmed(text);
    let bare = inner.of(text).trim_end_matches('#');
    let closed = bare.len() < inner.len() && (bare.is_empty() || bare.ends_with([' ', '\t']));
    if closed { TextRange::new(inner.start(), inner.start() + bare.len()).trimmed(text) } else { inner }
}

/// Sorted, with ranges that overlap made one.
fn merged(mut ranges: Vec<TextRange>) -> Vec<TextRange> {
    ranges.sort_unstable();
    let mut out: Vec<TextRange> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match out.last_mut() {
            Some(last) if range.start() < last.end() => *last = TextRange::new(last.start(), last.end().max(range.end())),
            _ => out.push(range),
        }
    }
    out
}

/// A heading's text without marks, on one line.
fn plain(text: &str) -> Cow<'_, str> {
    match strip_markup(text) {
        Cow::Borrowed(text) => fold_blanks(text),
        Cow::Owned(text) => fold_blanks(&text).into_owned().into(),
    }
}

fn number(idx: usize) -> u32 {
    u32::try_from(idx).unwrap_or(u32::MAX)
}
