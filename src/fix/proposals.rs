//! Fixes that may go into a text, and which of them go together. There may be a million: of each only what putting it in takes is kept.
//!
//! In: findings. Out: a [`Patch`], and the rules whose fixes are in it.

use crate::diagnostic::{Applicability, Diagnostic, Rank, RuleInfo};
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
    /// Something was found where nothing may be written.
    stopped: bool,
}

impl Proposals {
    /// None yet, of at least `least` applicability.
    pub(super) fn new(least: Applicability) -> Self {
        Self { least, fixes: Vec::new(), edits: Vec::new(), texts: String::new(), names: Vec::new(), stopped: false }
    }

    /// Those of `found`.
    pub(super) fn of<'d>(found: impl IntoIterator<Item = &'d Diagnostic>, least: Applicability) -> Self {
        let mut this = Self::new(least);
        for found in found {
            this.take(found);
        }
        this
    }

    /// Notes the fix of a finding. False where it has none that may be applied.
    pub(super) fn take(&mut self, found: &Diagnostic) -> bool {
        self.stopped |= found.rule.stops_writing;
        let Some(fix) = found.fix.as_ref().filter(|fix| fix.applicability >= self.least && !fix.edits.is_empty()) else { return false };
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

    /// True where there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.fixes.is_empty()
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

    /// Those that can be applied together, in the order of their places.
    pub(super) fn choose(&self) -> (Patch, Vec<&'static RuleInfo>) {
        if self.stopped {
            return (Patch::default(), Vec::new());
        }
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
