//! `drop`: a slip or a double goes as if never written.

use super::correct::{Hole, replaced_when};
use super::settle::finish;
use super::view::{View, at_line, shown, with_fact, with_group};
use super::{Draft, Name, Plan, Refusal, World};
use crate::baseline::Declared;
use crate::config::Cardinality;
use crate::facts::{Facts, Life, Version};
use crate::repair::{delete_block, take_tag};
use crate::syntax::{Reading, parse};
use crate::text::Patch;

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
        let doubled = versions.iter().filter(|other| other.value == version.value && other.life == version.life).count() > 1;
        without(view, world, version, doubled)
    })?;
    finish(text, world, draft)
}

/// `drop FILE:LINE`: the record at a line, of a fact or a statement.
///
/// # Errors
/// [`Refusal`].
pub fn drop_line(text: &str, world: &World, line: usize) -> Result<Plan, Refusal> {
    let document = parse(text, Reading { config: world.config, whole_file: world.whole_file, also: None });
    let number = at_line(&document, line)?;
    let facts = Facts::new(&document, world.config);
    let Some(group) = facts.group_of(number as usize) else {
        let record = &document.records[number as usize];
        let mut patch = Patch::default();
        patch.try_add(&[delete_block(text, record.block)]);
        let statement = Name { space: facts.spaces[facts.space_of(number as usize) as usize].key.clone(), parameter: String::new() };
        let said = format!("line {line} is gone as if never written");
        let declared = Declared::of(text, record, None);
        return Ok(Plan { after: Some(patch.apply(text)), said, declared, touched: vec![statement], ..Plan::default() });
    };
    let draft = with_group(text, world, &|_| Ok(group), |view| {
        let version = view.versions().find(|version| version.in_file() == Some(number));
        let version = version.ok_or_else(|| Refusal::No(format!("the record at line {line} says nothing")))?;
        let doubled = view.versions().filter(|other| other.value == version.value && other.life == version.life).count() > 1;
        without(view, world, version, doubled && version.life.is_open())
    })?;
    finish(text, world, draft)
}

/// The group without `version`. Of a double nothing else changes.
fn without(view: &View, world: &World, version: &Version, doubled: bool) -> Result<Draft, Refusal> {
    let Some(number) = version.in_file() else { return Err(Refusal::No(format!("`{}` is not in the file", shown(version)))) };
    let record = view.record(number);
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
    let mut declared = Declared::of(view.text(), record, None);
    // With the current record gone, one that lost its tag would pass for a value that returned.
    let restored = hole.restored().filter(|restored| !doubled && restored.life == Life::Old).and_then(Version::in_file);
    if let Some(record) = restored.map(|restored| view.record(restored)) {
        declared.extend(Declared::of(view.text(), record, Some(&take_tag(view.text(), record))));
    }
    Ok(Draft { edits, name: Some(view.name()), key: view.key(), said, declared, added: None, grown: -1 })
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
