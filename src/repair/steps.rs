//! From a group in order to its steps.

use super::analysis::Day;
use super::blocks::{delete_block, insert_block};
use super::lost;
use super::moves::{self, Moves, Target};
use super::step::{Need, Step};
use super::tagging::{Edits, keep_day, put_tag, take_tag};
use super::values::{claims, shown};
use super::when::{in_attribute, lost_words, when, written};
use super::words::Mark;
use crate::baseline::{Comparison, Revision};
use crate::facts::{Arrangement, Facts, Life, Origin, Verdict, Version, has_separator, tag_value};
use crate::syntax::date::{self, Written};
use crate::syntax::{Form, Named, Record, Shape};
use crate::text::{Patch, TextEdit, fold_value};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::sync::Arc;
use thin_vec::ThinVec;

pub(super) struct Builder<'a, 'b> {
    pub(super) facts: &'a Facts<'a, 'a>,
    pub(super) comparison: &'a Comparison,
    pub(super) revisions: &'a [Revision<'a>],
    pub(super) day: &'b Day<'b>,
    pub(super) target: &'b lost::Target<'a, 'a>,
}

/// What a record of the file should carry instead of what it carries.
enum Change<'a> {
    Put(Mark<'a>, Option<String>),
    Take,
}

/// Why a record changes, how, and by which version of the chain.
type Changed<'a> = (Need, Change<'a>, Option<usize>);

/// The records of a group that change, sorted by their numbers.
struct Changes<'a>(Vec<(u32, Changed<'a>)>);

impl<'a> Changes<'a> {
    fn of(&self, record: u32) -> Option<&Changed<'a>> {
        self.0.binary_search_by_key(&record, |(record, _)| *record).ok().map(|at| &self.0[at].1)
    }

    fn has(&self, record: u32) -> bool {
        self.of(record).is_some()
    }
}

impl<'a> Builder<'a, '_> {
    /// Adds the steps of a group, oldest version first; gives the versions whose successor speaks of only a part of them.
    pub(super) fn steps(&self, group: &Arrangement<'a>, steps: &mut Vec<Step<'a>>) -> Vec<usize> {
        let mut partial = Vec::new();
        let ordered = group.verdict == Verdict::Ordered;
        let mut changes = Changes(Vec::new());
        if ordered {
            for idx in 0..group.chain.len() {
                if self.is_partial(group, idx) {
                    partial.push(idx);
                } else if let (Some(record), Some(change)) = (group.chain[idx].in_file(), self.change(group, idx)) {
                    changes.0.push((record, change));
                }
            }
            for version in group.aside.iter().filter(|version| version.life == Life::Scheduled && version.tag().is_none()) {
                if let Some(record) = version.in_file() {
                    let when = in_attribute(version.text, version.record.attributes.since(), self.facts.config).map(|(text, _)| text);
                    changes.0.push((record, (Need::ScheduledTag, Change::Put(Mark::Scheduled(when), None), None)));
                }
            }
        }
        changes.0.sort_unstable_by_key(|(record, _)| *record);
        let staying: FxHashSet<u32> = partial.iter().filter_map(|&idx| group.chain[idx].in_file()).collect();
        let moves =
            if ordered { moves::plan(self.facts.document, group, &|record| changes.has(record), &staying) } else { Moves::default() };
        let ranks = ranks(group);
        for (idx, version) in group.chain.iter().enumerate() {
            let step = match version.origin {
                Origin::Lost(lost) => Some(self.lost_step(group, Some(idx), version, lost, &moves)),
                Origin::File(record) => self.file_step(group, record, changes.of(record), &moves),
            };
            // A tag in its place stands before all that is put behind its record.
            let is_tag = |step: &Step| step.lost.is_none() && !step.rank.0;
            steps.extend(step.map(|step| Step { rank: if is_tag(&step) { step.rank } else { (step.rank.0, ranks[idx]) }, ..step }));
        }
        for version in &group.aside {
            match version.origin {
                Origin::Lost(lost) => steps.push(self.lost_step(group, None, version, lost, &moves)),
                Origin::File(record) => steps.extend(self.file_step(group, record, changes.of(record), &moves)),
            }
        }
        steps.extend(self.place_step(group, &changes, &moves, &ranks));
        partial
    }

    /// The tag that version `idx` of the chain should get, if its own is not right.
    fn change(&self, group: &Arrangement<'a>, idx: usize) -> Option<(Need, Change<'a>, Option<usize>)> {
        let version = &group.chain[idx];
        let next = group.successor[idx];
        let named = group.named(idx);
        let replaced = |next: usize| self.replaced_by(&group.chain[next], version);
        let reason = || named.and_then(|named| named.reason.clone()).or_else(|| version.tag()?.reason.as_deref().map(str::to_owned));
        match (version.life, next) {
            (Life::Live | Life::Expired, Some(next)) => {
                let lost = lost_words(version, &group.chain[next], self.facts.config).and_then(|named| named.reason);
                Some((Need::Untagged, Change::Put(replaced(next), lost), Some(next)))
            }
            (Life::Due, Some(next)) => Some((Need::Due, Change::Put(replaced(next), None), Some(next))),
            (Life::Due, None) => Some((Need::Due, Change::Take, None)),
            (Life::Expired, None) => {
                let until = in_attribute(version.text, version.record.attributes.until(), self.facts.config).map(|(text, _)| text);
                Some((Need::Untagged, Change::Put(Mark::Ended(until), None), None))
            }
            (Life::Old, Some(next)) => {
                let tag = version.tag()?;
                let Some(named) = named else {
                    let bare = tag.form == Form::Bracket;
                    return bare.then(|| (Need::Successor, Change::Put(replaced(next), reason()), Some(next)));
                };
                if group.names[idx].is_none() && group.aside.iter().any(|version| version.life == Life::Redacted) {
                    // It names the value that was erased: that was its successor, and the chain does not know it any more.
                    return None;
                }
                let successor = &group.chain[next];
                let right = match group.names[idx] {
                    Some(target) => group.chain[target].value == successor.value,
                    None => !self.names_untruth(group, named),
                };
                if right && !self.contradicts(named, successor, version) {
                    return None;
                }
                Some((Need::RightSuccessor, Change::Put(replaced(next), reason()), Some(next)))
            }
            _ => None,
        }
    }

    /// What a tag names was never true, so it replaced nothing.
    fn names_untruth(&self, group: &Arrangement, named: &Named) -> bool {
        let value = self.facts.config.canonical_value(fold_value(&named.value));
        group.aside.iter().any(|version| version.life == Life::Retracted && version.value == value)
    }

    pub(super) fn replaced_by(&self, successor: &Version<'a>, before: &Version) -> Mark<'a> {
        let value = successor.raw_value();
        let cells = match before.record.shape {
            Shape::Row => true,
            // In a list only a bar with a blank beside it separates; one in an address stays as it is written.
            Shape::Pipe => has_separator(value),
            _ => false,
        };
        let value = tag_value(value, cells);
        let lost = lost_words(before, successor, self.facts.config).filter(|named| !self.contradicts(named, successor, before));
        let when = lost.and_then(|named| named.when).map(Cow::Owned).or_else(|| when(successor, before, self.facts.config, self.day));
        Mark::Replaced { value, when }
    }

    /// A date in a tag is wrong only if a date written in the successor contradicts it.
    fn contradicts(&self, named: &Named, successor: &Version, before: &Version) -> bool {
        let (Some(when), Some((text, written))) = (&named.when, written(successor, before, self.facts.config)) else { return false };
        let Some(given) = date::read_whole(when, self.facts.config.date_order) else { return false };
        match (given, written) {
            (Written::Date(_), Written::Date(_)) | (Written::Session(_), Written::Session(_)) => {
                given.is_later_than(written) || written.is_later_than(given)
            }
            (Written::Invalid, _) => true,
            (Written::Yearless, Written::Yearless) => crate::text::fold_key(when) != crate::text::fold_key(&text),
            _ => false,
        }
    }

    /// The successor speaks of fewer claims than this untagged record makes: the rest may still hold.
    fn is_partial(&self, group: &Arrangement, idx: usize) -> bool {
        let version = &group.chain[idx];
        let (Life::Live, Origin::File(_), Some(next)) = (version.life, version.origin, group.successor[idx]) else { return false };
        let successor = &group.chain[next];
        let claims = claims(&version.written_value(), version.record.parameter.of(version.text));
        claims > 1 && self::claims(&successor.written_value(), version.record.parameter.of(version.text)) < claims
    }

    pub(super) fn step(&self, need: Need, record: u32, group: &Arrangement<'a>, next: Option<usize>) -> Step<'a> {
        let found = &self.facts.document.records[record as usize];
        let successor = next.map(|next| &group.chain[next]);
        Step {
            need,
            range: found.head,
            key: (!found.parameter.is_empty()).then(|| self.facts.name(record)),
            value: shown(found.value.of(self.facts.document.text)),
            successor: successor.and_then(|version| shown(version.raw_value())),
            successor_range: successor.and_then(Version::in_file).map(|record| self.facts.document.records[record as usize].head),
            edits: None,
            lost: None,
            rank: (false, (0, 0)),
            ranks: ThinVec::new(),
        }
    }

    /// The step of a record of the file: another tag, and with it another place.
    fn file_step(&self, group: &Arrangement<'a>, record: u32, change: Option<&Changed<'a>>, moves: &Moves) -> Option<Step<'a>> {
        let (need, change, next) = change?;
        let found = &self.facts.document.records[record as usize];
        let text = self.facts.document.text;
        let mut edits = match change {
            Change::Put(mark, reason) => put_tag(found, mark, reason.as_deref(), self.facts.config),
            Change::Take => take_tag(text, found),
        };
        if *need == Need::Due {
            edits.extend(keep_day(text, found, self.facts.config));
        }
        let target = moves.targets.get(&record);
        let edits = match target {
            Some(&target) => self.moved(found, &edits, target).into(),
            None => shared(edits),
        };
        Some(Step { edits: Some(edits), rank: (target.is_some(), (0, 0)), ..self.step(*need, record, group, *next) })
    }

    /// The edits that put a block, changed by `edits`, elsewhere.
    fn moved(&self, record: &Record, edits: &[TextEdit], target: Target) -> Vec<TextEdit> {
        let text = self.facts.document.text;
        let mut patch = Patch::default();
        patch.try_add(edits);
        let block = patch.apply_within(text, record.block);
        vec![delete_block(text, record.block), insert_block(text, self.offset(target), &block)]
    }

    fn offset(&self, target: Target) -> usize {
        let block = |record: u32| self.facts.document.records[record as usize].block;
        match target {
            Target::Before(record) => block(record).start(),
            Target::Behind(record) => block(record).end(),
        }
    }

    /// Moves that no other step makes: the current record is not the last one.
    fn place_step(&self, group: &Arrangement<'a>, changes: &Changes, moves: &Moves, ranks_of_chain: &[(u32, u32)]) -> Option<Step<'a>> {
        let mut left: Vec<u32> = moves.targets.keys().copied().filter(|&record| !changes.has(record)).collect();
        if left.is_empty() && !moves.stuck {
            return None;
        }
        let place = |record: &u32| group.chain.iter().position(|version| version.in_file() == Some(*record));
        left.sort_by_key(place);
        let current = group.chain.iter().rev().find(|version| version.life.is_open()).and_then(Version::in_file)?;
        let mut edits = Vec::new();
        let mut ranks = ThinVec::new();
        for record in &left {
            edits.extend(self.moved(&self.facts.document.records[*record as usize], &[], moves.targets[record]));
            // A scheduled record is no version: it stands above the one that holds.
            ranks.resize(edits.len(), place(record).map_or((u32::MAX, 0), |idx| ranks_of_chain[idx]));
        }
        let edits = (!edits.is_empty()).then(|| edits.into());
        if edits.is_none() && changes.0.iter().any(|(record, _)| !moves.targets.contains_key(record)) {
            // The tags come first; what is left to report is reported when they stand.
            return None;
        }
        // Where not all can go in at once, the older goes first: the others still find their place behind it.
        let first = ranks.first().copied().unwrap_or((0, 0));
        Some(Step { edits, rank: (true, first), ranks, ..self.step(Need::Place, current, group, None) })
    }
}

/// Edits that a step and its finding have together. Mostly it is one, which then needs no other memory.
fn shared(edits: Edits) -> Arc<[TextEdit]> {
    match edits.into_inner() {
        Ok(one) => Arc::new(one),
        Err(several) => several.into_vec().into(),
    }
}

/// For each version of a chain its rank among what is inserted at one place: as lost records stood in the baseline, and inside the
/// group oldest first.
fn ranks(group: &Arrangement) -> SmallVec<[(u32, u32); 8]> {
    let mut last = 0;
    let chain = group.chain.iter().enumerate();
    chain
        .map(|(idx, version)| {
            if let Origin::Lost(lost) = version.origin {
                last = last.max(lost + 1);
            }
            (last, idx as u32)
        })
        .collect()
}
