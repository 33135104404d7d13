//! From groups in order to chains of versions, each with its standing on the day of the run.
//!
//! Lost records of the baseline are told too, without a line: what `fix` would put back is no less a part of history before it.

use super::version::{Chain, Standing, Version};
use super::view::{Page, view, when_of};
use crate::baseline::Revision;
use crate::config::Cardinality;
use crate::facts::{self, Arrangement, Facts, Group, Life, Origin, Verdict, life};
use crate::repair::{Analysis, arranged_group, written_when};
use crate::syntax::date::Date;
use crate::syntax::{Shape, Status};
use crate::text::LineIndex;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Tells the chains of one file.
pub struct Teller<'a> {
    analysis: &'a Analysis<'a>,
    revisions: &'a [Revision<'a>],
    page: Page<'a>,
    /// For each group of the file where it is arranged.
    arranged: FxHashMap<u32, Vec<usize>>,
}

impl<'a> Teller<'a> {
    /// `file` is the name in reports.
    pub fn new(file: &str, analysis: &'a Analysis<'a>, revisions: &'a [Revision<'a>]) -> Self {
        let lines = LineIndex::new(analysis.facts.document.text);
        let page = Page { file: Arc::from(file), lines, facts: analysis.facts };
        let mut arranged: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (idx, grouped) in analysis.groups.iter().enumerate() {
            if let Some(number) = grouped.group {
                arranged.entry(number).or_default().push(idx);
            }
        }
        Self { analysis, revisions, page, arranged }
    }

    /// All facts, in text order; those that the file lost last.
    pub fn all(&self) -> Vec<Chain> {
        let groups = 0..self.page.facts.groups.len() as u32;
        let mut chains: Vec<Chain> = groups.map(|number| self.chain(number)).filter(|chain| !chain.versions.is_empty()).collect();
        chains.extend(self.gone());
        chains
    }

    /// The statements, each a chain of its own, with the line it stands in.
    pub fn statements(&self) -> Vec<Chain> {
        let facts = self.page.facts;
        let records = facts.document.records.iter().enumerate().filter(|(_, record)| record.shape == Shape::Statement);
        let chain = |(idx, _): (usize, &crate::syntax::Record)| {
            let version = self.alone(facts, idx as u32, life(&facts.document.records[idx], facts.dates[idx], self.analysis.today));
            Chain {
                subject: version.subject.clone(),
                is_explicit: facts.spaces[facts.space_of(idx) as usize].explicit,
                parameter: String::new(),
                cardinality: Cardinality::Many,
                versions: vec![version],
                unsettled: Vec::new(),
            }
        };
        records.map(chain).collect()
    }

    /// The fact with number `number` in `Facts::groups`.
    pub fn chain(&self, number: u32) -> Chain {
        let places = self.arranged.get(&number).map_or(&[][..], Vec::as_slice);
        self.of_group(number, places.iter().map(|&place| &self.analysis.groups[place].arrangement).collect())
    }

    /// As [`Teller::chain`], of an analysis that may have kept nothing of the group.
    pub fn chain_alone(&self, number: u32) -> Chain {
        self.of_group(number, arranged_group(self.analysis, self.revisions, number).iter().collect())
    }

    fn of_group(&self, number: u32, arrangements: Vec<&Arrangement>) -> Chain {
        let facts = self.page.facts;
        let group = &facts.groups[number as usize];
        let (versions, unsettled) = match (group.cardinality(), &arrangements[..]) {
            (Cardinality::One, [only]) => self.one(only),
            (Cardinality::Many, [_, ..]) => (self.many(arrangements), Vec::new()),
            _ => (self.plain(group), Vec::new()),
        };
        self.finish(facts, group, versions, unsettled)
    }

    fn finish(&self, facts: &Facts, group: &Group, mut versions: Vec<Version>, unsettled: Vec<usize>) -> Chain {
        // The date of a tag that is out of date: the scheduled value has begun.
        versions.iter_mut().filter(|version| version.standing == Standing::Current).for_each(|version| version.as_of = None);
        let space = &facts.spaces[group.space() as usize];
        let mut chain = Chain {
            subject: space.subject.as_deref().map(str::to_owned),
            is_explicit: space.explicit,
            parameter: group.parameter.to_string(),
            cardinality: group.cardinality(),
            versions,
            unsettled,
        };
        chain.number_values();
        chain
    }

    /// Facts of which the file has no record at all; nothing where it lost so much that nothing is put back.
    pub fn gone(&self) -> Vec<Chain> {
        let mut known: FxHashMap<(String, String), usize> = FxHashMap::default();
        let mut members: Vec<(&Facts, u32, Vec<&Arrangement>)> = Vec::new();
        let gone = self.analysis.groups.iter().filter(|grouped| grouped.group.is_none() && !self.is_emptied());
        for grouped in gone {
            let arrangement = &grouped.arrangement;
            let Some(first) = arrangement.chain.iter().chain(&arrangement.aside).next() else { continue };
            let (facts, record) = self.place(first.origin);
            let Some(group) = facts.group_of(record as usize) else { continue };
            let name = &facts.groups[group as usize];
            let key = (facts.spaces[name.space() as usize].key.clone(), name.parameter.to_string());
            let number = *known.entry(key).or_insert_with(|| {
                members.push((facts, group, Vec::new()));
                members.len() - 1
            });
            members[number].2.push(arrangement);
        }
        let tell = |(facts, group, arrangements): (&Facts, u32, Vec<&Arrangement>)| {
            let group = &facts.groups[group as usize];
            let (versions, unsettled) = match (group.cardinality(), &arrangements[..]) {
                (Cardinality::One, [only]) => self.one(only),
                _ => (self.many(arrangements), Vec::new()),
            };
            self.finish(facts, group, versions, unsettled)
        };
        members.into_iter().map(tell).collect()
    }

    fn is_emptied(&self) -> bool {
        self.analysis.comparison.mass_loss.is_some()
    }

    /// Records that nothing was thought about, and those of `volatile` parameters, of which the last untagged one holds.
    fn plain(&self, group: &Group) -> Vec<Version> {
        let facts = self.page.facts;
        let filled = |&&idx: &&u32| {
            let record = &facts.document.records[idx as usize];
            !record.value.is_empty() || record.tag.is_some()
        };
        let state = |idx: u32| life(&facts.document.records[idx as usize], facts.dates[idx as usize], self.analysis.today);
        let records: Vec<u32> = group.records().iter().filter(filled).copied().collect();
        let mut versions: Vec<Version> = records.iter().map(|&idx| self.alone(facts, idx, state(idx))).collect();
        if group.cardinality() != Cardinality::Many {
            let last = versions.iter().rposition(|version| version.standing == Standing::Current);
            let older = versions.iter_mut().enumerate().filter(|(idx, _)| Some(*idx) < last);
            older
                .filter(|(_, version)| version.standing == Standing::Current)
                .for_each(|(_, version)| version.standing = Standing::Historical);
        }
        versions
    }

    /// Values that hold beside each other.
    fn many(&self, mut arrangements: Vec<&Arrangement>) -> Vec<Version> {
        arrangements.sort_by_key(|single| single.chain.iter().chain(&single.aside).next().map(|version| version.place));
        let mut versions: Vec<Version> = Vec::new();
        for arrangement in arrangements {
            let Some(version) = arrangement.chain.iter().chain(&arrangement.aside).next().filter(|version| self.is_told(version)) else {
                continue;
            };
            let (facts, record) = self.place(version.origin);
            let mut told = self.told(version, facts, record);
            told.standing = standing(version);
            if let Some(named) = arrangement.named(0) {
                let when = named.when.as_deref().map_or((None, None), |when| when_of(when, facts.config));
                (told.as_of, told.as_of_text) = when;
                told.replaced_by = Some(named.value.clone());
                told.reason = named.reason.clone().or(told.reason);
            }
            let is_repeat = |other: &Version| other.standing == Standing::Current && other.content.value == told.content.value;
            if told.standing != Standing::Current || !versions.iter().any(is_repeat) {
                versions.push(told);
            }
        }
        versions
    }

    /// A group of which one value holds at a time.
    fn one(&self, arrangement: &Arrangement) -> (Vec<Version>, Vec<usize>) {
        let chain = &arrangement.chain;
        let open = |idx: &usize| matches!(chain[*idx].life, Life::Live | Life::Due);
        // From here on untagged records hold, or could.
        let from = match arrangement.verdict {
            Verdict::TwoCurrent(first, _) | Verdict::SameSource(first, _) => first,
            _ => {
                let is_open = |idx: &usize| chain[*idx].life.is_open();
                let last = (0..chain.len()).rev().find(is_open).unwrap_or(chain.len());
                (0..last).rev().take_while(|idx| is_open(idx) && chain[*idx].value == chain[last].value).last().unwrap_or(last)
            }
        };
        let mut told: Vec<Version> = Vec::with_capacity(chain.len());
        let mut unsettled: Vec<usize> = Vec::new();
        let mut places: Vec<(usize, &facts::Version)> = Vec::new();
        for (idx, version) in chain.iter().enumerate().filter(|(_, version)| self.is_told(version)) {
            let (facts, record) = self.place(version.origin);
            let mut view = self.told(version, facts, record);
            let follower = arrangement.successor[idx];
            let is_open = version.life.is_open();
            view.standing = match version.life {
                _ if is_open && idx < from => Standing::Historical,
                Life::Expired if follower.is_some() => Standing::Historical,
                _ => standing(version),
            };
            if view.standing == Standing::Historical {
                view.as_of = view.as_of.filter(|_| version.tag().is_some());
                self.name_successor(&mut view, arrangement, idx, facts);
            }
            let repeats = |other: &(usize, &facts::Version)| {
                is_open && other.1.life.is_open() && other.1.value == version.value && told[other.0].standing == view.standing
            };
            if let Some((before, _)) = places.last().filter(|other| repeats(other)) {
                // Two lines with one value are one version: the first says when it came, the other what the first does not.
                let first = &mut told[*before];
                first.effective = first.effective.or(view.effective);
                first.source = first.source.take().or(view.source);
                (first.recorded, first.said) = (first.recorded.or(view.recorded), first.said.or(view.said));
                continue;
            }
            if open(&idx) && idx >= from {
                unsettled.push(told.len());
            }
            places.push((told.len(), version));
            told.push(view);
        }
        if unsettled.len() < 2 {
            unsettled.clear();
        }
        self.add_aside(told, unsettled, &places, arrangement)
    }

    /// Puts retracted and redacted records where they stood among the versions, and scheduled ones behind them.
    fn add_aside(
        &self,
        told: Vec<Version>,
        mut unsettled: Vec<usize>,
        places: &[(usize, &facts::Version)],
        arrangement: &Arrangement,
    ) -> (Vec<Version>, Vec<usize>) {
        let mut all: Vec<(usize, u8, Version)> = told.into_iter().enumerate().map(|(idx, version)| (idx, 1, version)).collect();
        let mut aside: Vec<&facts::Version> = arrangement.aside.iter().filter(|version| self.is_told(version)).collect();
        aside.sort_by_key(|version| version.place);
        for version in aside {
            let (facts, record) = self.place(version.origin);
            let mut view = self.told(version, facts, record);
            view.standing = standing(version);
            let written = version.dates.ordering();
            let later = |other: &facts::Version| matches!((other.dates.ordering(), written), (Some(a), Some(b)) if a.is_later_than(b));
            let at = match version.life {
                Life::Scheduled => usize::MAX,
                _ => {
                    let below = |other: &facts::Version| other.place > version.place;
                    places.iter().find(|(_, other)| later(other) || below(other)).map_or(usize::MAX - 1, |(idx, _)| *idx)
                }
            };
            all.push((at, 0, view));
        }
        let begin = |version: &Version| version.effective.or(version.as_of).map(Date::first);
        all.sort_by(|a, b| {
            let scheduled = || if a.0 == usize::MAX { begin(&a.2).cmp(&begin(&b.2)) } else { std::cmp::Ordering::Equal };
            (a.0, a.1).cmp(&(b.0, b.1)).then_with(scheduled)
        });
        for number in &mut unsettled {
            *number = all.iter().position(|(idx, rank, _)| idx == number && *rank == 1).unwrap_or(*number);
        }
        (all.into_iter().map(|(_, _, version)| version).collect(), unsettled)
    }

    /// What replaced version `idx`, when and why: as its tag says, else as the tag that `fix` writes would.
    fn name_successor(&self, view: &mut Version, arrangement: &Arrangement, idx: usize, facts: &Facts) {
        let chain = &arrangement.chain;
        let named = arrangement.named(idx);
        let follower = arrangement.successor[idx];
        let by_order = follower.filter(|_| arrangement.verdict == Verdict::Ordered);
        let target = by_order.or(arrangement.names[idx]).or(follower.filter(|_| named.is_none()));
        view.replaced_by = match target {
            Some(target) => {
                let (facts, record) = self.place(chain[target].origin);
                self.told(&chain[target], facts, record).value
            }
            None => named.map(|named| named.value.clone()),
        };
        if let Some(named) = named {
            view.reason = named.reason.clone().or(view.reason.take());
            if let Some(when) = &named.when {
                (view.as_of, view.as_of_text) = when_of(when, facts.config);
            }
        }
        if view.as_of.is_none()
            && view.as_of_text.is_none()
            && let Some(target) = target
            && let Some((when, _)) = written_when(&chain[target], &chain[idx], facts.config)
        {
            (view.as_of, view.as_of_text) = when_of(&when, facts.config);
        }
    }

    /// Where nothing is put back, only what the file has is told.
    fn is_told(&self, version: &facts::Version) -> bool {
        matches!(version.origin, Origin::File(_)) || !self.is_emptied()
    }

    fn place(&self, origin: Origin) -> (&'a Facts<'a, 'a>, u32) {
        match origin {
            Origin::File(record) => (self.page.facts, record),
            Origin::Lost(idx) => {
                let lost = &self.analysis.comparison.lost[idx as usize];
                (self.revisions[lost.revision as usize].facts, lost.record)
            }
        }
    }

    fn told(&self, version: &facts::Version, facts: &Facts, record: u32) -> Version {
        let is_file = matches!(version.origin, Origin::File(_));
        let mut told = view(&self.page.file, is_file.then_some(&self.page.lines), facts, record);
        if version.life == Life::Redacted {
            told.value = None;
        }
        if let Origin::Lost(idx) = version.origin {
            // A commit between brought it in; for the baseline's own records history is asked.
            let day = self.revisions[self.analysis.comparison.lost[idx as usize].revision as usize].date;
            told.recorded = told.recorded.or(day.filter(|_| told.said.is_none()).map(Date::day));
            told.content.is_tagged = true;
            if told.as_of.is_none() && version.life == Life::Closed && version.tag().is_none() {
                told.as_of = Some(Date::day(self.analysis.today));
            }
        } else {
            told.is_new = !self.revisions.is_empty() && version.came as usize >= self.revisions.len();
        }
        if version.life == Life::Expired {
            told.as_of = told.until;
        }
        told
    }

    fn alone(&self, facts: &Facts, record: u32, life: Life) -> Version {
        let mut told = view(&self.page.file, Some(&self.page.lines), facts, record);
        let tag = facts.document.records[record as usize].tag.as_deref();
        told.standing = of_life(life, tag.map(|tag| tag.status));
        if life == Life::Expired {
            told.as_of = told.until;
        }
        told
    }
}

fn standing(version: &facts::Version) -> Standing {
    of_life(version.life, version.tag().map(|tag| tag.status))
}

fn of_life(life: Life, status: Option<Status>) -> Standing {
    match life {
        Life::Live | Life::Due => Standing::Current,
        Life::Old => Standing::Historical,
        Life::Closed if status == Some(Status::Ended) => Standing::Ended,
        Life::Closed => Standing::Removed,
        Life::Expired => Standing::Ended,
        Life::Retracted => Standing::Retracted,
        Life::Redacted => Standing::Redacted,
        Life::Scheduled => Standing::Scheduled,
    }
}
