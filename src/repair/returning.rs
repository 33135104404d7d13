//! Steps that bring lost records back: where each comes to stand, and what it says there.

use super::blocks::{insert_block, insert_first};
use super::lost::{self, Back};
use super::moves::Moves;
use super::step::{Need, Step};
use super::steps::Builder;
use super::values::shown;
use super::words::Mark;
use crate::baseline::{Fate, Stood};
use crate::facts::{Arrangement, Facts, Verdict, Version};
use crate::syntax::{Bullet, Record};
use crate::text::{TextEdit, TextRange};
use std::sync::Arc;
use thin_vec::ThinVec;

impl<'a> Builder<'a, '_> {
    /// The step that brings a lost record back.
    pub(super) fn lost_step(
        &self,
        group: &Arrangement<'a>,
        idx: Option<usize>,
        version: &Version<'a>,
        lost: u32,
        moves: &Moves,
    ) -> Step<'a> {
        let entry = &self.comparison.lost[lost as usize];
        let facts = self.revisions[entry.revision as usize].facts;
        let next = idx.and_then(|idx| group.successor[idx]);
        let successor = next.map(|next| &group.chain[next]);
        let need = match entry.fate {
            Fate::Overwritten => Need::Overwritten,
            Fate::Deleted => Need::Deleted,
            Fate::History | Fate::Altered(_) => Need::History,
            Fate::Reworded(_) => Need::Reworded,
        };
        let today = self.day.today.format("%Y-%m-%d").to_string();
        // A commit between replaced it, and what came then is gone as well.
        let between = successor.filter(|next| next.in_file().is_none() && next.came != version.came);
        let mark = match entry.fate {
            Fate::Overwritten => successor.map(|successor| self.replaced_by(successor, version)),
            Fate::Deleted if version.record.tag.is_none() && between.is_some() => between.map(|next| self.replaced_by(next, version)),
            Fate::Deleted if version.record.tag.is_none() && !self.day.restoring => Some(Mark::Removed(Some(today.as_str().into()))),
            _ => None,
        };
        let back = match &mark {
            _ if entry.secret => Back::Redacted(&today),
            Some(mark) => Back::Tagged(mark),
            None => Back::AsItWas,
        };
        let place = self.lost_place(group, idx, entry.stood, moves);
        let blocked = group.verdict != Verdict::Ordered && entry.fate == Fate::Overwritten && !entry.secret;
        let (edits, late) = match entry.fate {
            Fate::Altered(record) => (self.unaltered(record, version), true),
            _ if blocked => (None, true),
            _ => self.brought_back(facts, version.record, place, &back),
        };
        Step {
            need,
            range: self.lost_range(entry.stood, place, entry.fate, next.map(|next| &group.chain[next])),
            key: Some(facts.name(entry.record)),
            value: shown(version.raw_value()).filter(|_| !entry.secret),
            successor: successor.and_then(|version| shown(version.raw_value())),
            successor_range: None,
            edits: edits.map(Arc::from),
            lost: Some(lost),
            rank: (late, (lost + 1, 0)),
            ranks: ThinVec::new(),
        }
    }

    /// Where a lost record comes back: where it stood, or directly above its successor where that is nearer to the rules.
    fn lost_place(&self, group: &Arrangement, idx: Option<usize>, stood: Stood, moves: &Moves) -> Stood {
        let records = &self.facts.document.records;
        let start = |record: u32| records[record as usize].block.start();
        let offset = match stood {
            Stood::Behind(record) | Stood::Under(record) => records[record as usize].block.end(),
            Stood::Before(record) => start(record),
            // No neighbour is left: beside its successor, if it has one.
            Stood::First(_) => usize::MAX,
            Stood::Nowhere => return stood,
        };
        let behind = idx.unwrap_or(0);
        let mut later = group.chain[behind..].iter().filter_map(Version::in_file).filter(|record| !moves.targets.contains_key(record));
        let current =
            group.chain[group.last.min(group.chain.len())..].iter().filter(|version| version.life.is_open()).find_map(Version::in_file);
        let Some(next) = (if idx.is_some() { later.next() } else { current }) else { return stood };
        let fits = |record: u32| !matches!(records[record as usize].bullet, Bullet::Number);
        if !fits(next) {
            return stood;
        }
        // A record that the baseline knows stands between the old place and the successor: the old place is the smaller change.
        let known = |record: usize| self.comparison.came.get(record).is_some_and(|&came| came == 0);
        if offset == usize::MAX {
            return Stood::Before(next);
        }
        let from = records.partition_point(|record| record.block.start() < offset);
        let between = records[from..].iter().take_while(|record| record.block.start() < start(next)).count();
        let apart = (from..from + between).any(known);
        if offset <= start(next) && apart { stood } else { Stood::Before(next) }
    }

    /// The finding's place: the successor where there is one, else the record beside the place.
    pub(super) fn lost_range(&self, stood: Stood, place: Stood, fate: Fate, next: Option<&Version>) -> TextRange {
        let head = |record: u32| self.facts.document.records[record as usize].head;
        if let Fate::Altered(record) | Fate::Reworded(record) = fate {
            return head(record);
        }
        if let Some(record) = next.and_then(Version::in_file) {
            return head(record);
        }
        let text = self.facts.document.text;
        match (place, stood) {
            (Stood::Behind(record) | Stood::Under(record), _) => {
                let end = self.facts.document.records[record as usize].block.end();
                let before = end.saturating_sub(1);
                TextRange::empty(if end == text.len() { crate::text::trim_end_blanks(text, 0, before.max(end)) } else { end })
            }
            (Stood::Before(record), _) => TextRange::empty(self.facts.document.records[record as usize].block.start()),
            (Stood::First(offset), _) => TextRange::empty(offset),
            (Stood::Nowhere, _) => TextRange::empty(0),
        }
    }

    pub(super) fn brought_back(
        &self,
        facts: &'a Facts<'a, 'a>,
        record: &Record,
        place: Stood,
        back: &Back,
    ) -> (Option<Vec<TextEdit>>, bool) {
        let document = self.facts.document;
        if record.bullet == Bullet::Number {
            return (None, false);
        }
        let neighbour = match place {
            Stood::Behind(idx) | Stood::Before(idx) | Stood::Under(idx) => Some(&document.records[idx as usize]),
            _ => None,
        };
        let is_label = matches!(place, Stood::Under(_));
        let row = record.bullet == Bullet::Row;
        let fits = neighbour.map_or(!row, |neighbour| neighbour.bullet != Bullet::Number && (neighbour.bullet == Bullet::Row) == row);
        if !fits {
            return (None, false);
        }
        let block =
            lost::block(facts.document, record, self.target, neighbour.map(|neighbour| (neighbour, is_label)), back, self.facts.config);
        let edit = |offset: usize| insert_block(document.text, offset, &block);
        match place {
            Stood::Behind(idx) | Stood::Under(idx) => (Some(vec![edit(document.records[idx as usize].block.end())]), false),
            Stood::Before(idx) => (Some(vec![edit(document.records[idx as usize].block.start())]), true),
            Stood::First(offset) => (Some(vec![insert_first(document.text, offset, &block)]), false),
            Stood::Nowhere => (None, false),
        }
    }

    /// The own text of an altered record as it was.
    fn unaltered(&self, record: u32, before: &Version) -> Option<Vec<TextEdit>> {
        let now = &self.facts.document.records[record as usize];
        (now.shape == before.record.shape).then(|| vec![TextEdit::replace(now.head, before.record.head.of(before.text))])
    }
}
