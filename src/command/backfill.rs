//! `backfill`: versions that were overwritten before memfile came, read from the texts that the file had.

use super::settle::name_of;
use super::{Name, Plan, Refusal};
use crate::baseline::Fate;
use crate::check::{Subject, analyse};
use crate::facts::tag_value;
use crate::repair::Need;
use crate::text::{Patch, count};
use rustc_hash::FxHashSet;

/// Most rounds.
const ROUNDS: usize = 64;

/// A value that is gone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The fact.
    pub key: String,
    /// Its value.
    pub value: String,
    /// The text that has it, in the subject's revisions.
    pub revision: usize,
}

/// Brings back what was overwritten between the subject's revisions, as history; and tells what that is.
///
/// # Errors
/// [`Refusal`], where the result does not come to rest.
pub fn backfill(text: &str, subject: &Subject) -> Result<(Plan, Vec<Found>), Refusal> {
    let (found, names) = analyse(text, subject, |analysis, revisions| {
        let lost = analysis.comparison.lost.iter().filter(|lost| lost.fate == Fate::Overwritten && !lost.secret);
        let names: FxHashSet<Name> =
            lost.clone().filter_map(|lost| lost.group).map(|group| name_of(analysis.facts, group as usize)).collect();
        let mut found: Vec<Found> = lost
            .map(|lost| {
                let facts = revisions[lost.revision as usize].facts;
                let record = &facts.document.records[lost.record as usize];
                let value = tag_value(record.value.of(facts.document.text), false).into_owned();
                Found { key: facts.name(lost.record).into_owned(), value, revision: lost.revision as usize }
            })
            .collect();
        found.sort_by_key(|found| found.revision);
        (found, names)
    });
    let mut now = text.to_owned();
    for _ in 0..ROUNDS {
        let patch = step(&now, subject, &names);
        if patch.is_empty() {
            let after = (now != text).then_some(now);
            let said = match (&after, found.len()) {
                (Some(_), 1) => "1 version is back as history".to_owned(),
                (Some(_), found) => format!("{found} versions are back as history"),
                (None, 0) => "git knows no version that is not here; nothing changed".to_owned(),
                (None, found) => format!("{}: no order or no place; nothing changed", count(found, "version")),
            };
            return Ok((Plan { after, said, ..Plan::default() }, found));
        }
        now = patch.apply(&now);
    }
    Err(Refusal::No("the versions do not come to rest; nothing is written. This is a fault of memfile".to_owned()))
}

/// The records that come back, and the tags that their groups then need.
fn step(text: &str, subject: &Subject, names: &FxHashSet<Name>) -> Patch {
    analyse(text, subject, |analysis, _| {
        let lost = &analysis.comparison.lost;
        let is_back = |number: u32| lost[number as usize].fate == Fate::Overwritten && !lost[number as usize].secret;
        let mends = |need: Need| matches!(need, Need::Untagged | Need::Successor | Need::RightSuccessor | Need::Place);
        let groups = analysis
            .groups
            .iter()
            .filter(|grouped| grouped.group.is_some_and(|number| names.contains(&name_of(analysis.facts, number as usize))));
        let steps = groups.flat_map(|grouped| &grouped.steps);
        let wanted = steps.filter(|step| step.edits.is_some() && step.lost.map_or(mends(step.need), is_back));
        let mut steps: Vec<_> = wanted.collect();
        steps.sort_by_key(|step| {
            let edits = step.edits.as_deref().into_iter().flatten();
            (edits.map(|edit| edit.range.start()).min().unwrap_or(0), step.rank)
        });
        let mut patch = Patch::default();
        steps.into_iter().filter_map(|step| step.edits.as_ref()).for_each(|edits| {
            patch.try_add(edits);
        });
        patch
    })
}
