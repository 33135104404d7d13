//! Fixes that may go into a text, and which of them go together. There may be a million: of each only what putting it in takes is kept.
//!
//! In: findings. Out: a [`Patch`], and the rules whose fixes are in it.

use crate::diagnostic::{Applicability, Diagnostic, Fix, Rank, RuleInfo};
use crate::text::{Patch, TextEdit, TextRange};
use smallvec::SmallVec;
use smol_str::SmolStr;
use std::ops::Range;

/// The fix of one finding.
struct Proposal {
    rule: &'static RuleInfo,
    /// Where its edits begin, its insertions first of all.
    place: usize,
    rank: Rank,
    /// Its edits in `Proposals::edits`.
    edits: Range<u32>,
    /// Its name in `Proposals::names`.
    name: u32,
}

/// One of its edits.
struct Part {
    range: TextRange,
    rank: Rank,
    /// What comes, in `Proposals::texts`.
    text: Range<usize>,
}

/// The fixes of a text that may be applied.
pub(super) struct Proposals {
    least: Applicability,
    fixes: Vec<Proposal>,
    edits: Vec<Part>,
    texts: String,
    names: Vec<SmolStr>,
}

impl Proposals {
    /// None yet, of at least `least` applicability.
    pub(super) fn new(least: Applicability) -> Self {
        Self { least, fixes: Vec::new(), edits: Vec::new(), texts: String::new(), names: Vec::new() }
    }

    /// Those of `found`.
    pub(super) fn of<'d>(found: impl IntoIterator<Item = &'d Diagnostic>, least: Applicability) -> Self {
        let mut this = Self::new(least);
        for found in found {
            this.take(found);
        }
        this
    }

    /// Notes the fix of a finding. False where it has none that can be applied.
    pub(super) fn take(&mut self, found: &Diagnostic) -> bool {
        let can_apply = |fix: &&Fix| fix.applicability >= self.least && !fix.edits.is_empty() && Patch::default().try_add(&fix.edits);
        let Some(fix) = found.fix.as_ref().filter(can_apply) else { return false };
        let starts = |edits: &mut dyn Iterator<Item = &TextEdit>| edits.map(|edit| edit.range.start()).min();
        let inserts = starts(&mut fix.edits.iter().filter(|edit| edit.range.is_empty()));
        let place = inserts.or_else(|| starts(&mut fix.edits.iter())).unwrap_or(0);
        let first = self.edits.len() as u32;
        let (below, rank) = found.rank;
        for (idx, edit) in fix.edits.iter().enumerate() {
            let start = self.texts.len();
            self.texts.push_str(&edit.text);
            let rank = (below, found.ranks.get(idx).copied().unwrap_or(rank));
            self.edits.push(Part { range: edit.range, rank, text: start..self.texts.len() });
        }
        let name = name_of(found);
        if self.names.last() != Some(&name) {
            self.names.push(name);
        }
        let (edits, name) = (first..self.edits.len() as u32, self.names.len() as u32 - 1);
        self.fixes.push(Proposal { rule: found.rule, place, rank: found.rank, edits, name });
        true
    }

    /// What they write: of each edit the name of the finding, and the text.
    pub(super) fn written(&self) -> impl Iterator<Item = (&SmolStr, &str)> {
        let edits = |fix: &Proposal| fix.edits.clone().map(|number| &self.edits[number as usize]);
        self.fixes.iter().flat_map(move |fix| edits(fix).map(|edit| (&self.names[fix.name as usize], &self.texts[edit.text.clone()])))
    }

    /// The names of their findings.
    pub(super) fn into_names(self) -> Vec<SmolStr> {
        self.names
    }

    /// Those that can be applied together, in the order of their places; none only where there are none.
    pub(super) fn choose(&self) -> (Patch, Vec<&'static RuleInfo>) {
        let mut chosen: Vec<u32> = (0..self.fixes.len() as u32).collect();
        chosen.sort_by_key(|&number| (self.fixes[number as usize].place, self.fixes[number as usize].rank));
        // Their places alone: which go together is looked for first.
        let mut places = Patch::default();
        let edits = |number: u32| self.fixes[number as usize].edits.clone();
        chosen.retain(|&number| {
            let ranges = edits(number).map(|edit| TextEdit::delete(self.edits[edit as usize].range));
            places.try_add(&ranges.collect::<SmallVec<[TextEdit; 2]>>())
        });
        drop(places);
        let rules = chosen.iter().map(|&number| self.fixes[number as usize].rule).collect();
        let mut parts: Vec<u32> = chosen.into_iter().flat_map(edits).collect();
        // Now each in its turn.
        parts.sort_by_key(|&part| (self.edits[part as usize].range.start(), self.edits[part as usize].rank));
        let mut patch = Patch::default();
        for part in parts {
            let Part { range, text, .. } = &self.edits[part as usize];
            patch.try_add(&[TextEdit::replace(*range, &self.texts[text.clone()])]);
        }
        (patch, rules)
    }
}

/// What a finding is withheld by: its fact, or what it says where it has none.
pub(super) fn name_of(found: &Diagnostic) -> SmolStr {
    found.key.clone().unwrap_or_else(|| SmolStr::new(&found.message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Fixable;
    use crate::rules::RULES;

    fn found(place: usize, edits: &[TextEdit]) -> Diagnostic {
        let found = Diagnostic::new(RULES[0].info, TextRange::empty(place), "m").about(format!("Fact {place}"));
        found.with_fix(Applicability::Safe, edits.to_vec())
    }

    #[test]
    fn where_nothing_may_be_written_nothing_is_proposed() {
        assert!(RULES.iter().all(|rule| !rule.info.stops_writing || rule.info.fixable == Fixable::No));
    }

    #[test]
    fn what_can_be_applied_is_taken_and_all_else_is_left() {
        let mut proposals = Proposals::new(Applicability::Safe);
        let edit = TextEdit::insert(4, "x");
        let risky = Diagnostic { fix: Some(Fix { applicability: Applicability::Unsafe, edits: [edit.clone()].into() }), ..found(4, &[]) };
        let itself = [TextEdit::delete(TextRange::new(2, 6)), edit.clone()];
        for left in [risky, found(4, &[]), found(2, &itself), Diagnostic::new(RULES[0].info, TextRange::empty(0), "m")] {
            assert!(!proposals.take(&left), "{left:?}");
        }
        assert!(proposals.choose().0.is_empty());
        assert!(proposals.take(&found(4, &[edit])));
        assert_eq!(proposals.choose().0.apply("abcdef"), "abcdxef");
    }

    #[test]
    fn one_goes_in_where_two_disturb_each_other_and_insertions_stand_in_their_ranks() {
        let ranked = |rank, text: &str| Diagnostic { rank: (false, (rank, 0)), ..found(2, &[TextEdit::insert(2, text)]) };
        let wide = found(0, &[TextEdit::replace(TextRange::new(0, 4), "wide")]);
        let all = [ranked(2, "b"), ranked(1, "a"), wide.clone(), found(5, &[TextEdit::delete(TextRange::new(5, 6))])];
        let (patch, rules) = Proposals::of(&all, Applicability::Safe).choose();
        // Those that begin first go in first.
        assert_eq!((patch.apply("012345"), rules.len()), ("wide4".to_owned(), 2));
        let (patch, rules) = Proposals::of([&all[0], &all[1], &all[3]], Applicability::Safe).choose();
        assert_eq!((patch.apply("012345"), rules.len()), ("01ab234".to_owned(), 3));
        let written: Vec<_> = Proposals::of(&all, Applicability::Safe).written().map(|(name, text)| format!("{name}{text}")).collect();
        assert_eq!(written, ["Fact 2b", "Fact 2a", "Fact 0wide", "Fact 5"]);
        assert_eq!(Proposals::of(&all, Applicability::Safe).into_names(), ["Fact 2", "Fact 0", "Fact 5"]);
    }
}
