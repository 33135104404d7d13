//! The last part of every operation: the planner that `fix` uses mends the tags and places of the group, and of nothing else.

use super::view::{subject_of, with_fact};
use super::{Draft, Name, Plan, Refusal, World};
use crate::baseline::Accepted;
use crate::check::{Commit, Selection, Subject, analyse};
use crate::facts::{Facts, Verdict};
use crate::repair::Analysis;
use crate::syntax::{Reading, parse};
use crate::text::{Patch, fold_key, fold_value};
use rustc_hash::FxHashSet;

/// Most rounds of mending.
const ROUNDS: usize = 16;

/// Applies a draft to `text`, mends the group, and shows that the result says what it should.
pub(super) fn finish(text: &str, world: &World, draft: Draft) -> Result<Plan, Refusal> {
    let drafted = draft.apply(text)?;
    let name = reads_back(text, &drafted, world, &draft)?;
    // What the command takes away is not lost.
    let meant = Accepted { declared: draft.declared.clone(), trailers: Vec::new() };
    let after = match &name {
        Some(name) => settle(text, drafted, world, name, &meant)?,
        None => drafted,
    };
    let after = (after != text).then_some(after);
    let touched = draft.name.into_iter().chain(name).collect();
    Ok(Plan { after, said: draft.said, key: draft.key, declared: draft.declared, touched })
}

/// The text with the fact's older values tagged, if one of them carries no tag yet: beside a value that the command tags it would
/// look newer.
///
/// # Errors
/// No such fact.
pub(super) fn mended(text: &str, world: &World, key: &str, subject: Option<&str>) -> Result<Option<String>, Refusal> {
    let name = with_fact(text, world, key, subject, |view| Ok(view.untagged_behind()))?;
    Ok(name.and_then(|name| settle(text, text.to_owned(), world, &name, &Accepted::default()).ok()))
}

/// What was written reads as what was given; the name of its group.
fn reads_back(text: &str, drafted: &str, world: &World, draft: &Draft) -> Result<Option<Name>, Refusal> {
    let reading = Reading { config: world.config, whole_file: world.whole_file, also: None };
    let (before, after) = (parse(text, reading), parse(drafted, reading));
    let odd = || Refusal::Usage(format!("`{}` cannot be written so that it reads as given; nothing is written", draft.key));
    if before.records.len() as isize + draft.grown != after.records.len() as isize {
        return Err(odd());
    }
    let Some((parameter, value)) = &draft.added else { return Ok(draft.name.clone()) };
    let facts = Facts::new(&after, world.config);
    let old = Facts::new(&before, world.config);
    let known: FxHashSet<Name> = (0..old.groups.len()).map(|number| name_of(&old, number)).collect();
    let folded = world.config.canonical_value(fold_value(value));
    let is_it = |number: &usize| {
        let group = &facts.groups[*number];
        let fits = match &draft.name {
            Some(name) => facts.spaces[group.space() as usize].key == name.space && group.parameter == name.parameter,
            None => group.parameter == world.config.canonical_parameter(fold_key(parameter)) && !known.contains(&name_of(&facts, *number)),
        };
        fits && group.records().iter().any(|&record| facts.value_key(record) == folded)
    };
    let number = (0..facts.groups.len()).find(is_it).ok_or_else(odd)?;
    Ok(Some(name_of(&facts, number)))
}

pub(super) fn name_of(facts: &Facts, number: usize) -> Name {
    let group = &facts.groups[number];
    Name { space: facts.spaces[group.space() as usize].key.clone(), parameter: group.parameter.to_string() }
}

/// Mends the group `name` of `draft`. The text before the command counts as the newest revision: what the command wrote came
/// last.
fn settle(before: &str, draft: String, world: &World, name: &Name, meant: &Accepted) -> Result<String, Refusal> {
    let mut revisions: Vec<Commit> = vec![(None, before.into())];
    let mut asked = false;
    let mut now = draft;
    for _ in 0..ROUNDS {
        let selection = Selection::default();
        let step = |subject: &Subject, now: &str| analyse(now, subject, |analysis, _| steps(analysis, name));
        match step(&subject_of(world, &revisions, meant, &selection), &now) {
            Ok(patch) if patch.is_empty() => return Ok(now),
            Ok(patch) => now = patch.apply(&now),
            Err(()) if asked => {
                return Err(Refusal::No(format!("the versions of `{}` cannot be put in order; nothing is written", name.parameter)));
            }
            Err(()) => {
                asked = true;
                let mut older = (world.revisions)();
                older.retain(|(_, text)| **text != *before);
                // What the working tree has and no commit is of today.
                revisions = older.into_iter().chain([(Some(world.today), before.into())]).collect();
            }
        }
    }
    Err(Refusal::No("the tags of this fact do not come to rest; nothing is written. This is a fault of memfile".to_owned()))
}

/// The edits that the group needs; an error where its versions are in no order.
fn steps(analysis: &Analysis, name: &Name) -> Result<Patch, ()> {
    let mut patch = Patch::default();
    for grouped in &analysis.groups {
        let fits = |number: u32| name_of(analysis.facts, number as usize) == *name;
        if !grouped.group.is_some_and(fits) {
            continue;
        }
        if !matches!(grouped.arrangement.verdict, Verdict::Ordered | Verdict::CurrentTagged(_)) {
            return Err(());
        }
        for step in grouped.steps.iter().filter(|step| step.lost.is_none()) {
            if let Some(edits) = &step.edits {
                patch.try_add(edits);
            }
        }
    }
    Ok(patch)
}
