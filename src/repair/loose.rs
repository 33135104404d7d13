//! Steps outside groups: tags that were lost, drafts, and statements.

use super::blocks::delete_block;
use super::lost::Back;
use super::step::{Need, Step};
use super::steps::Builder;
use super::tagging::copy_tag;
use super::values::shown;
use super::words::Mark;
use crate::baseline::{Fate, Stood};
use crate::facts::{Arrangement, Facts, tag_value};
use crate::text::{Patch, TextEdit, TextRange};
use std::sync::Arc;
use thin_vec::ThinVec;

impl<'a> Builder<'a, '_> {
    /// Adds the steps outside groups: lost tags, drafts, statements.
    pub(super) fn loose(&self, steps: &mut Vec<Step<'a>>) {
        let document = self.facts.document;
        let none = Arrangement::default();
        for &(record, base) in &self.comparison.reopened {
            let before = self.revisions[0].facts.document;
            let now = &document.records[record as usize];
            let edits = copy_tag(document.text, now, before.text, &before.records[base as usize]);
            let edits = edits.map(|edits| Arc::from(whole(document.text, now.head, edits)));
            steps.push(Step { edits, ..self.step(Need::History, record, &none, None) });
        }
        for &record in &self.comparison.drafts {
            let edits = vec![delete_block(document.text, document.records[record as usize].block)];
            steps.push(Step { edits: Some(edits.into()), ..self.step(Need::Draft, record, &none, None) });
        }
        for (idx, lost) in self.comparison.lost.iter().enumerate() {
            let facts = self.revisions[lost.revision as usize].facts;
            if facts.group_of(lost.record as usize).is_some() {
                continue;
            }
            steps.push(self.statement(idx, facts));
        }
    }

    fn statement(&self, idx: usize, facts: &'a Facts<'a, 'a>) -> Step<'a> {
        let lost = &self.comparison.lost[idx];
        let record = &facts.document.records[lost.record as usize];
        let today = self.day.today.format("%Y-%m-%d").to_string();
        let removed = Mark::Removed(Some(today.as_str().into()));
        let mut replaced = None;
        let mut place = lost.stood;
        let need = match lost.fate {
            Fate::Reworded(now) => {
                let text = self.facts.document.text;
                let value = tag_value(self.facts.document.records[now as usize].value.of(text), false);
                replaced = Some((Mark::Replaced { value, when: Some(today.as_str().into()) }, now));
                place = Stood::Before(now);
                Need::Reworded
            }
            Fate::History | Fate::Altered(_) => Need::History,
            Fate::Overwritten | Fate::Deleted => Need::Deleted,
        };
        let back = match (&replaced, &record.tag) {
            _ if lost.secret => Back::Redacted(&today),
            (Some((mark, _)), _) => Back::Tagged(mark),
            (None, None) if self.day.restoring => Back::AsItWas,
            (None, None) => Back::Tagged(&removed),
            (None, Some(_)) => Back::AsItWas,
        };
        let (edits, late) = self.brought_back(facts, record, place, &back);
        Step {
            need,
            range: self.lost_range(lost.stood, place, lost.fate, None),
            key: None,
            value: shown(record.value.of(facts.document.text)).filter(|_| !lost.secret),
            successor: None,
            successor_range: None,
            edits: edits.map(Arc::from),
            lost: Some(idx as u32),
            rank: (late, (idx as u32 + 1, 0)),
            ranks: ThinVec::new(),
        }
    }
}

/// Edits of the own text `head` of a record, one of them an insertion, as a change of all of it, so that no other step moves the record in the
/// same breath: at the end of a text without a last line ending what is inserted would stay where it was, behind another record.
fn whole(text: &str, head: TextRange, edits: Vec<TextEdit>) -> Vec<TextEdit> {
    if edits.iter().all(|edit| !edit.range.is_empty()) {
        return edits;
    }
    let mut patch = Patch::default();
    patch.try_add(&edits);
    vec![TextEdit::replace(head, patch.apply_within(text, head))]
}
