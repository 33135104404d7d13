//! The state of a whole file: each group in order, with its steps.

use super::lost::Target;
use super::step::Step;
use super::steps::Builder;
use crate::baseline::{Comparison, Fate, Revision};
use crate::config::{Cardinality, Config};
use crate::facts::{Arrangement, Dates, Facts, Life, Origin, Version, arrange, life, value_key, value_key_into};
use crate::syntax::{Record, Shape, Tag};
use chrono::NaiveDate;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

/// The day of the run, and what git knows of days.
pub struct Day<'a> {
    /// Today.
    pub today: NaiveDate,
    /// Position orders key-value records where nothing else does.
    pub prefer_last: bool,
    /// The day of each revision, the baseline first; empty without a baseline.
    pub revisions: Vec<Option<NaiveDate>>,
    /// The day of the commit that brought a record of the file in, where git knows. Asked only when a tag needs it.
    pub commit_of: Option<&'a dyn Fn(u32) -> Option<NaiveDate>>,
    /// What was deleted comes back as it was, not as removed.
    pub restoring: bool,
}

impl Day<'_> {
    /// A day without a baseline.
    pub fn new(today: NaiveDate) -> Self {
        Self { today, prefer_last: false, revisions: Vec::new(), commit_of: None, restoring: false }
    }
}

/// One group in order, or one record of a group in which all values hold.
pub struct Grouped<'a> {
    /// The group's number in `Facts::groups`; `None` where the file lost all of it.
    pub group: Option<u32>,
    /// Its versions in order.
    pub arrangement: Arrangement<'a>,
    /// What there is to do.
    pub steps: Vec<Step<'a>>,
    /// Older versions (numbers in the chain) whose successor speaks of only a part of what they claim.
    pub partial: Vec<usize>,
}

/// Arranges the groups of `facts` that need a thought, one after another: in text order, those that are gone last. Gives what there is to
/// do outside groups. `revisions` are those that `comparison` was made from.
pub fn arrange_each<'a>(
    facts: &'a Facts<'a, 'a>,
    comparison: &'a Comparison,
    revisions: &'a [Revision<'a>],
    day: &Day,
    each: &mut dyn FnMut(Grouped<'a>),
) -> Vec<Step<'a>> {
    let gatherer = Gatherer { restoring: day.restoring, ..Gatherer::new(facts, comparison, revisions, day.today) };
    let target = Target::new(facts.document);
    let builder = Builder { facts, comparison, revisions, day, target: &target };
    let mut arranged = |group: Option<u32>, versions: Vec<Version<'a>>| {
        let arrangement = arrange(versions, facts.config, day.prefer_last);
        let mut steps = Vec::new();
        let partial = builder.steps(&arrangement, &mut steps);
        each(Grouped { group, arrangement, steps, partial });
    };
    let mut folded = String::new();
    for number in 0..facts.groups.len() as u32 {
        if !gatherer.needs_thought(number) {
            continue;
        }
        let versions = gatherer.versions(number, &mut folded);
        match facts.groups[number as usize].cardinality() {
            Cardinality::Volatile => {}
            Cardinality::One => arranged(Some(number), versions),
            Cardinality::Many => versions.into_iter().for_each(|version| arranged(Some(number), vec![version])),
        }
    }
    for versions in gatherer.gone_groups() {
        arranged(None, versions);
    }
    let mut loose = Vec::new();
    builder.loose(&mut loose);
    loose
}

/// All groups of a file that need a thought, and what else was lost.
pub struct Analysis<'a> {
    /// The facts of the file.
    pub facts: &'a Facts<'a, 'a>,
    /// The configuration.
    pub config: &'a Config,
    /// The comparison with the baseline; empty without one.
    pub comparison: &'a Comparison,
    /// The groups, in text order, those that are gone last; none where they were judged one by one and not kept.
    pub groups: Vec<Grouped<'a>>,
    /// What there is to do outside groups: statements and drafts.
    pub loose: Vec<Step<'a>>,
    /// Today.
    pub today: NaiveDate,
}

impl<'a> Analysis<'a> {
    /// Arranges the groups of `facts` and keeps them. `revisions` are those that `comparison` was made from.
    pub fn new(facts: &'a Facts<'a, 'a>, comparison: &'a Comparison, revisions: &'a [Revision<'a>], day: &Day) -> Self {
        let mut groups = Vec::new();
        let loose = arrange_each(facts, comparison, revisions, day, &mut |grouped| groups.push(grouped));
        Self { facts, config: facts.config, comparison, groups, loose, today: day.today }
    }

    /// All that there is to do, group after group; then statements and drafts.
    pub fn steps(&self) -> impl Iterator<Item = &Step<'a>> {
        self.groups.iter().flat_map(|grouped| &grouped.steps).chain(&self.loose)
    }
}

/// The versions of group `number` in order, whether or not there is anything to do: one arrangement for a group of which one
/// value holds, one for each record of any other.
pub(crate) fn arrange_group<'a>(analysis: &Analysis<'a>, revisions: &'a [Revision<'a>], number: u32) -> Vec<Arrangement<'a>> {
    let facts = analysis.facts;
    let versions = Gatherer::new(facts, analysis.comparison, revisions, analysis.today).versions(number, &mut String::new());
    let one = facts.groups[number as usize].cardinality() == Cardinality::One;
    let parts = if one { vec![versions] } else { versions.into_iter().map(|version| vec![version]).collect() };
    parts.into_iter().map(|versions| arrange(versions, facts.config, false)).collect()
}

/// The arrangements that an analysis that keeps its groups has of group `number`.
pub(crate) fn arranged_group<'a>(analysis: &Analysis<'a>, revisions: &'a [Revision<'a>], number: u32) -> Vec<Arrangement<'a>> {
    let is_volatile = analysis.facts.groups[number as usize].cardinality() == Cardinality::Volatile;
    let gatherer = || Gatherer::new(analysis.facts, analysis.comparison, revisions, analysis.today);
    if is_volatile || !gatherer().needs_thought(number) { Vec::new() } else { arrange_group(analysis, revisions, number) }
}

/// Gathers the versions of groups: the file's records and those that were lost.
struct Gatherer<'a> {
    facts: &'a Facts<'a, 'a>,
    comparison: &'a Comparison,
    revisions: &'a [Revision<'a>],
    today: NaiveDate,
    lost: FxHashMap<u32, Vec<u32>>,
    /// Records that take no part: drafts, and what was made of altered history.
    aside: FxHashSet<u32>,
    /// Deleted records come back as they were.
    restoring: bool,
}

impl<'a> Gatherer<'a> {
    fn new(facts: &'a Facts<'a, 'a>, comparison: &'a Comparison, revisions: &'a [Revision<'a>], today: NaiveDate) -> Self {
        let mut lost: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        let mut aside: FxHashSet<u32> = comparison.drafts.iter().copied().collect();
        for (idx, entry) in comparison.lost.iter().enumerate() {
            if let Some(group) = entry.group {
                lost.entry(group).or_default().push(idx as u32);
            }
            if let Fate::Altered(record) = entry.fate {
                aside.insert(record);
            }
        }
        Self { facts, comparison, revisions, today, lost, aside, restoring: false }
    }

    /// Most groups are one untagged record with nothing to say about it.
    fn needs_thought(&self, number: u32) -> bool {
        let group = &self.facts.groups[number as usize];
        let [only] = group.records()[..] else { return true };
        let record = &self.facts.document.records[only as usize];
        let dates = self.facts.dates[only as usize];
        record.tag.is_some()
            || self.lost.contains_key(&number)
            || (dates != Dates::default() && life(record, dates, self.today) != Life::Live)
    }

    /// The versions of group `number`; what `folded` holds is lost.
    fn versions(&self, number: u32, folded: &mut String) -> Vec<Version<'a>> {
        let facts = self.facts;
        let group = &facts.groups[number as usize];
        let mut versions: Vec<Version> = Vec::with_capacity(group.records().len());
        for &idx in group.records().iter().filter(|idx| !self.aside.contains(idx)) {
            let record = &facts.document.records[idx as usize];
            if record.value.is_empty() && record.tag.is_none() {
                continue;
            }
            let start = record.block.start();
            value_key_into(facts.document, record, facts.config, folded);
            versions.push(Version {
                origin: Origin::File(idx),
                record,
                text: facts.document.text,
                life: life(self.reopened(idx).unwrap_or(record), facts.dates[idx as usize], self.today),
                dates: facts.dates[idx as usize],
                value: SmolStr::new(&*folded),
                came: self.comparison.came.get(idx as usize).copied().unwrap_or(0),
                position: self.comparison.position.get(idx as usize).copied().unwrap_or(start),
                place: (start, 0),
                lost_tag: self.lost_tag(idx),
            });
        }
        // Below a value that holds, an old value without its tag may as well have come back: nobody can tell.
        let holds = |version: &&Version| version.stands_open() && version.came == 0;
        let first = versions.iter().filter(holds).map(|version| version.place).min();
        versions.iter_mut().filter(|version| first.is_some_and(|first| first < version.place)).for_each(|version| version.lost_tag = None);
        let lost = self.lost.get(&number).map_or(&[][..], |lost| lost.as_slice());
        let known = versions.len();
        versions.extend(lost.iter().map(|&idx| self.lost_version(idx)));
        // A lost record stood before what came later, whatever neighbours are left to tell its place.
        let (known, lost) = versions.split_at_mut(known);
        for (number, version) in lost.iter_mut().enumerate() {
            let earlier = known.iter().filter(|other| other.came <= version.came && version.position > other.position);
            let after = earlier.map(|other| other.place).max();
            let later = known.iter().filter(|other| other.came > version.came && after.is_none_or(|after| after < other.place));
            if let Some(next) = later.map(|other| other.place).min().filter(|next| *next < version.place) {
                version.place = (next.0, i32::MIN / 2 + number as i32);
            }
        }
        versions
    }

    fn lost_version(&self, idx: u32) -> Version<'a> {
        let lost = &self.comparison.lost[idx as usize];
        let facts = self.revisions[lost.revision as usize].facts;
        let record = &facts.document.records[lost.record as usize];
        let dates = facts.dates[lost.record as usize];
        let own = life(record, dates, self.today);
        let life = match lost.fate {
            _ if lost.secret => Life::Redacted,
            // It comes back as removed, whatever its dates say.
            Fate::Deleted if own != Life::Scheduled && !self.restoring => Life::Closed,
            _ => own,
        };
        Version {
            origin: Origin::Lost(idx),
            record,
            text: facts.document.text,
            life,
            dates,
            value: value_key(facts.document, record, facts.config).into(),
            came: lost.revision,
            position: record.block.start(),
            place: self.place(idx),
            lost_tag: None,
        }
    }

    /// The tag of history that a record of the file had in the baseline, and has not now.
    fn lost_tag(&self, idx: u32) -> Option<&'a Tag> {
        self.before(&self.comparison.untagged, idx)?.tag.as_deref()
    }

    /// The baseline's record of one that the file has without its end: its tag goes back, and no other is put beside it.
    fn reopened(&self, idx: u32) -> Option<&'a Record> {
        self.before(&self.comparison.reopened, idx)
    }

    /// The baseline's record in `pairs` (of a record of the file and one of the baseline, in order of the first) of record `idx`.
    fn before(&self, pairs: &[(u32, u32)], idx: u32) -> Option<&'a Record> {
        let (_, base) = pairs[pairs.binary_search_by_key(&idx, |(record, _)| *record).ok()?];
        Some(&self.revisions.first()?.facts.document.records[base as usize])
    }

    /// The place in the file to which a lost record would come back: beside the record at which it stood, and in any case above
    /// the value that overwrote it.
    fn place(&self, idx: u32) -> (usize, i32) {
        use crate::baseline::Stood;
        let lost = &self.comparison.lost[idx as usize];
        let start = |record: u32| self.facts.document.records[record as usize].block.start();
        let rank = i32::try_from(idx).unwrap_or(i32::MAX);
        let before = |record: u32| (start(record), (i32::MIN / 2).saturating_add(rank));
        let place = match lost.stood {
            Stood::Behind(record) | Stood::Under(record) => (start(record), rank.saturating_add(1)),
            Stood::Before(record) => before(record),
            Stood::First(offset) => (offset, i32::MIN.saturating_add(rank)),
            Stood::Nowhere => (0, rank),
        };
        let Some(group) = lost.group.filter(|_| lost.fate == Fate::Overwritten) else { return place };
        let is_newer = |&&record: &&u32| {
            let came = self.comparison.came.get(record as usize).copied().unwrap_or(0);
            came > lost.revision && self.facts.document.records[record as usize].tag.is_none()
        };
        let newer = self.facts.groups[group as usize].records().iter().find(is_newer);
        newer.map_or(place, |&record| place.min(before(record)))
    }

    /// Groups of which the file has no record at all.
    fn gone_groups(&self) -> Vec<Vec<Version<'a>>> {
        let mut numbers: FxHashMap<(&str, &str), usize> = FxHashMap::default();
        let mut groups: Vec<Vec<Version>> = Vec::new();
        for (idx, lost) in self.comparison.lost.iter().enumerate().filter(|(_, lost)| lost.group.is_none()) {
            let facts = self.revisions[lost.revision as usize].facts;
            let record = &facts.document.records[lost.record as usize];
            let Some(group) = facts.group_of(lost.record as usize) else { continue };
            debug_assert!(record.shape != Shape::Statement);
            let group = &facts.groups[group as usize];
            let version = self.lost_version(idx as u32);
            if group.cardinality() == Cardinality::Many {
                groups.push(vec![version]);
                continue;
            }
            let name = (facts.spaces[group.space() as usize].key.as_str(), group.parameter.as_str());
            let number = *numbers.entry(name).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[number].push(version);
        }
        groups
    }
}
