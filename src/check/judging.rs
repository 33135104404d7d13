//! Every rule asked: of the text as a whole, then of each group as it comes.
//!
//! In: a [`Context`], groups in order. Out: findings in text order, without those that are suppressed. They can go out in pieces before the
//! last group has come: of a text that lost nothing, what a group has to say stands at its first record or below, and groups come in the
//! order of their first records.

use super::Selection;
use crate::diagnostic::{Diagnostic, Needs, RuleInfo};
use crate::repair::{Grouped, Need, Step};
use crate::rules::{Context, Look, RULES, Rule, Unused, find};
use smallvec::SmallVec;

/// Who takes findings in pieces, in text order. The first piece has every finding that hides something (see [`RuleInfo::hides`]).
pub type Take<'t> = &'t mut dyn FnMut(Vec<Diagnostic>);

/// How many findings are worth a piece.
const PIECE: usize = 1024;

type OfStep = fn(&Step) -> Diagnostic;
type OfGroup = fn(&Context, &Grouped, &mut Vec<Diagnostic>);

/// The rules at work on one text.
pub(super) struct Judging<'a, 't> {
    context: Context<'a>,
    selection: &'a Selection,
    of_steps: SmallVec<[(Need, OfStep); 12]>,
    of_groups: SmallVec<[OfGroup; 8]>,
    found: Vec<Diagnostic>,
    /// Who takes pieces before the end; nobody where none may go out.
    take: Option<Take<'t>>,
    /// At how many findings the next piece is looked for.
    full: usize,
}

impl<'a, 't> Judging<'a, 't> {
    /// Looks at the text as a whole.
    pub(super) fn new(context: Context<'a>, selection: &'a Selection, take: Option<Take<'t>>) -> Self {
        let (of_steps, of_groups, found) = (SmallVec::new(), SmallVec::new(), Vec::new());
        let mut this = Self { context, selection, of_steps, of_groups, found, take: None, full: PIECE };
        this.texts(|rule| rule.stops_writing);
        if !this.found.is_empty() {
            // What else is wrong is a consequence.
            return this;
        }
        this.texts(|rule| !rule.stops_writing && rule.needs != Needs::Findings);
        for look in RULES.iter().filter(|rule| selection.has(rule.info)).flat_map(|rule| rule.looks) {
            match look {
                Look::Step(need, look) => this.of_steps.push((*need, *look)),
                Look::Group(look) => this.of_groups.push(*look),
                Look::Text(_) => {}
            }
        }
        let all_in_order = this.context.base.is_none() && this.context.document.suppressions.is_empty();
        this.take = take.filter(|_| all_in_order && !this.found.iter().any(|found| found.rule.hides()));
        this
    }

    /// Asks those of the wanted rules about the text that are meant.
    fn texts(&mut self, is_meant: fn(&RuleInfo) -> bool) {
        let wanted = |rule: &&Rule| self.selection.has(rule.info) && is_meant(rule.info);
        for look in RULES.iter().filter(wanted).flat_map(|rule| rule.looks) {
            if let Look::Text(look) = look {
                look(&self.context, &mut self.found);
            }
        }
    }

    /// Looks at the next group and its steps.
    pub(super) fn group(&mut self, grouped: &Grouped) {
        if self.found.len() >= self.full && self.take.is_some() {
            self.piece(grouped);
        }
        self.of_groups.iter().for_each(|look| look(&self.context, grouped, &mut self.found));
        self.steps(&grouped.steps);
    }

    /// Looks at steps.
    pub(super) fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            let look = self.of_steps.iter().find(|(need, _)| *need == step.need);
            self.found.extend(look.map(|(_, look)| look(step)));
        }
    }

    /// Hands out what stands above all that `next` and those behind it can say.
    fn piece(&mut self, next: &Grouped) {
        let (Some(take), Some(group)) = (&mut self.take, next.group) else { return };
        let first = self.context.facts.groups[group as usize].records()[0];
        let start = self.context.head(first).start();
        sort(&mut self.found);
        let above = self.found.partition_point(|found| found.range.start() < start);
        if above > 0 {
            let rest = self.found.split_off(above);
            take(std::mem::replace(&mut self.found, rest));
        }
        // What waits is sorted anew each time.
        self.full = PIECE.max(self.found.len() * 2);
    }

    /// Asks the rules about findings; all findings that are still here.
    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        if self.found.iter().any(|found| found.rule.stops_writing) {
            return self.found;
        }
        self.suppress();
        self.texts(|rule| rule.needs == Needs::Findings);
        sort(&mut self.found);
        self.found
    }

    fn suppress(&mut self) {
        let document = self.context.document;
        for (idx, suppression) in document.suppressions.iter().enumerate() {
            let record = &document.records[suppression.record as usize];
            for name in &suppression.names {
                let before = self.found.len();
                let covers = |at: usize| record.block.start() <= at && at < record.block.end().max(record.head.end() + 1);
                self.found.retain(|diagnostic| diagnostic.rule.name != name || !covers(diagnostic.range.start()));
                let judged = find(name).is_none_or(|rule| rule.info.needs == Needs::File && self.selection.has(rule.info));
                if self.found.len() == before && judged {
                    self.context.unused.push(Unused { suppression: idx, name: name.clone() });
                }
            }
        }
    }
}

/// Puts findings in text order; those of one place in the order of their rules.
fn sort(found: &mut [Diagnostic]) {
    // The keys are sorted, and the findings moved where they are: of many there is no second copy.
    let place = |found: &Diagnostic| (found.range.start(), RULES.iter().position(|rule| std::ptr::eq(rule.info, found.rule)));
    if found.len() > 1 {
        found.sort_by_cached_key(place);
    }
}
