//! `drop`: a slip or a double goes as if never written.

use super::correct::{Hole, replaced_when};
use super::settle::finish;
use super::view::{View, shown, with_fact};
use super::{Draft, Name, Plan, Refusal, World};
use crate::baseline::Declared;
use crate::config::Cardinality;
use crate::facts::{Facts, Life, Version, is_secret};
use crate::repair::{delete_block, take_tag};
use crate::syntax::{Reading, Record, parse};
use crate::text::{LineIndex, Patch, fold_blanks};

/// `drop KEY [--value V]`
///
/// # Errors
/// [`Refusal`].
pub fn drop(text: &str, world: &World, key: &str, value: Option<&str>) -> Result<Plan, Refusal> {
    let draft = with_fact(text, world, key, None, |view| {
        let versions = match value {
            Some(value) => view.with_value(value)?,
            None => meant(view)?,
        };
        let version = one(view, &versions)?;
        let Some(number) = version.in_file() else { return Err(Refusal::No(format!("`{}` is not in the file", shown(version)))) };
        let record = view.record(number);
        let doubled = versions.iter().filter(|other| other.value == version.value && other.life == version.life).count() > 1;
        let hole = Hole::new(view, &[number]);
        let mut edits = vec![delete_block(view.text(), record.block)];
        let mut said = format!("{}: `{}` is gone as if never written", view.key(), shown(version));
        match hole.restored() {
            _ if doubled => {}
            Some(restored) if restored.life == Life::Old => {
                edits.extend(restored.in_file().into_iter().flat_map(|record| take_tag(view.text(), view.record(record))));
                said.push_str(&format!("; `{}` holds again", shown(restored)));
            }
            _ => edits.extend(hole.close(view, world, replaced_when(view, version).as_deref())),
        }
        let own = fold_blanks(record.head.of(view.text()));
        let declared = vec![Declared { old: Declared::text_of(&own, is_secret(record.value.of(view.text()))), new: String::new() }];
        Ok(Draft { edits, name: Some(view.name()), key: view.key(), said, declared, added: None, grown: -1 })
    })?;
    finish(text, world, draft)
}

/// The versions meant without a value: those that hold, else the only one.
fn meant<'v>(view: &View<'v>) -> Result<Vec<&'v Version<'v>>, Refusal> {
    let open = view.open();
    if view.cardinality() == Cardinality::One && !open.is_empty() {
        let chain = view.chain();
        return Ok(chain.chain[chain.last..].iter().filter(|version| version.life.is_open()).collect());
    }
    if open.is_empty() { Ok(view.versions().filter(|version| version.in_file().is_some()).collect()) } else { Ok(open) }
}

/// The one record that goes: of doubles the lower one.
fn one<'v>(view: &View<'v>, versions: &[&'v Version<'v>]) -> Result<&'v Version<'v>, Refusal> {
    let open: Vec<&Version> = versions.iter().copied().filter(|version| version.life.is_open()).collect();
    let equal = |versions: &[&Version]| versions.iter().all(|version| version.value == versions[0].value);
    match (versions, open.as_slice()) {
        ([only], _) => Ok(only),
        (_, [.., last]) if equal(&open) && open.len() == versions.len() => Ok(last),
        ([], _) => Err(Refusal::No(format!("`{}` has no version to drop", view.key()))),
        _ if equal(versions) => Err(Refusal::No(format!(
            "`{}` stands {} times in `{}`; name the line: `memfile drop FILE:LINE --yes`",
            shown(versions[0]),
            versions.len(),
            view.key()
        ))),
        _ => Err(view.several(versions.iter().copied())),
    }
}

/// `drop FILE:LINE`: the record at a line, of a fact or a statement.
///
/// # Errors
/// [`Refusal`].
pub fn drop_line(text: &str, world: &World, number: usize) -> Result<Plan, Refusal> {
    let document = parse(text, Reading { config: world.config, whole_file: world.whole_file, also: None });
    let index = LineIndex::new(text);
    let is_at = |record: &&Record| {
        let (first, last) = (index.line(record.head.start()), index.line(record.head.end()));
        (first..=last).contains(&number)
    };
    let record = document.records.iter().find(is_at).ok_or_else(|| Refusal::No(format!("no record stands at line {number}")))?;
    let facts = Facts::new(&document, world.config);
    let idx = document.records.iter().position(|other| other.block == record.block).unwrap_or_default();
    let own = fold_blanks(record.head.of(text));
    let declared = vec![Declared { old: Declared::text_of(&own, is_secret(record.value.of(text))), new: String::new() }];
    let edits = vec![delete_block(text, record.block)];
    let said = format!("line {number} is gone as if never written");
    let Some(group) = facts.group_of[idx] else {
        let mut patch = Patch::default();
        patch.try_add(&edits);
        let statement = Name { space: facts.spaces[facts.space_of[idx] as usize].key.clone(), parameter: String::new() };
        return Ok(Plan { after: Some(patch.apply(text)), said, key: String::new(), declared, touched: vec![statement] });
    };
    let group = &facts.groups[group as usize];
    let name = Name { space: facts.spaces[group.space as usize].key.clone(), parameter: group.parameter.clone() };
    let key = facts.name(idx as u32);
    finish(text, world, Draft { edits, name: Some(name), key, said, declared, added: None, grown: -1 })
}
