//! `reword` and `rename`: the same fact in better words.

use super::settle::finish;
use super::view::{View, shown, with_fact, with_group};
use super::{Draft, Name, Plan, Refusal, World, one_line};
use crate::baseline::Declared;
use crate::config::Cardinality;
use crate::facts::{Facts, Life, Version, escape_bars, tag_value};
use crate::repair::{Edits, Mark, put_tag};
use crate::syntax::{Record, Shape};
use crate::text::{TextEdit, TextRange, count, fold_key};
use std::borrow::Cow;

/// `reword KEY VALUE`: no history.
///
/// # Errors
/// [`Refusal`].
pub fn reword(text: &str, world: &World, key: &str, value: &str, picked: Option<&str>) -> Result<Plan, Refusal> {
    let value = one_line("VALUE", value)?;
    let draft = with_fact(text, world, key, None, |view| {
        let versions = match picked {
            Some(picked) => view.with_value(picked)?,
            None => meant(view)?,
        };
        let open: Vec<&Version> = versions.iter().copied().filter(|version| version.life.is_open()).collect();
        let chosen = if open.is_empty() { &versions } else { &open };
        let version = *chosen.last().ok_or_else(|| Refusal::No(format!("`{}` has no value to reword", view.key())))?;
        reworded(view, version, value, world)
    })?;
    planned(text, world, draft)
}

/// [`reword`] for the record that holds the byte `at` of `text`.
///
/// # Errors
/// [`Refusal`].
pub fn reword_at(text: &str, world: &World, at: usize, value: &str) -> Result<Plan, Refusal> {
    let value = one_line("VALUE", value)?;
    let draft = with_group(text, world, &|facts| group_at(facts, at).map(|(group, _)| group), |view| {
        let (_, record) = group_at(view.facts, at)?;
        let version = view.versions().find(|version| version.in_file() == Some(record));
        reworded(view, version.ok_or_else(|| Refusal::No("this record takes no part in its fact".to_owned()))?, value, world)
    })?;
    planned(text, world, draft)
}

/// The group and the number of the record whose own text holds the byte `at`.
fn group_at(facts: &Facts, at: usize) -> Result<(u32, u32), Refusal> {
    let own = |record: &Record| record.head.contains(at) || record.head.end() == at;
    let found = facts.document.records.iter().position(own);
    let record = found.ok_or_else(|| Refusal::No("no record stands here".to_owned()))?;
    let group = facts.group_of(record).ok_or_else(|| Refusal::No("a statement has no parameter and no value".to_owned()))?;
    Ok((group, record as u32))
}

/// The edits that put `version` in other words, there and in the tags that name it; or why nothing changes.
fn reworded(view: &View, version: &Version, value: &str, world: &World) -> Result<Result<Draft, String>, Refusal> {
    let record = version.in_file().map(|record| view.record(record)).ok_or_else(|| Refusal::No("it is not in the file".to_owned()))?;
    let written = if record.shape == Shape::KeyValue { value.to_owned() } else { escape_bars(value) };
    if record.value.of(view.text()) == written {
        return Ok(Err(format!("`{}` reads `{value}` already; nothing changed", view.key())));
    }
    let taken = view.versions().find(|other| other.value == view.fold(value) && other.value != version.value && other.life.is_open());
    if taken.is_some() {
        return Err(Refusal::No(format!("`{}` has the value `{value}` already; a double goes by `memfile drop`", view.key())));
    }
    let own = vec![TextEdit::replace(record.value, written)];
    let mut declared = Declared::of(view.text(), record, Some(&own));
    let mut edits = own;
    // Tags that name the old words name the new ones.
    for chain in view.chains {
        for (idx, named) in chain.named.iter().enumerate() {
            let Some(named) = named.as_ref().filter(|named| view.fold(&named.value) == version.value) else { continue };
            let names = chain.names[idx].map(|at| &chain.chain[at]);
            let Some(older) = chain.chain[idx].in_file().filter(|_| names.is_some_and(|names| names.origin == version.origin)) else {
                continue;
            };
            let older = view.record(older);
            let cells = matches!(older.shape, Shape::Pipe | Shape::Row);
            let mark = Mark::Replaced { value: tag_value(value, cells), when: named.when.as_deref().map(Cow::Borrowed) };
            let tag = in_tag(view, older, &named.value, &tag_value(value, cells));
            let change = tag.map_or_else(|| put_tag(older, &mark, named.reason.as_deref(), world.config), |edit| Edits::from_iter([edit]));
            declared.extend(Declared::of(view.text(), older, Some(&change)));
            edits.extend(change);
        }
    }
    let said = format!("{}: `{}` reads `{}` now", view.key(), shown(version), tag_value(value, false));
    let added = Some((view.key(), value.to_owned()));
    Ok(Ok(Draft { edits, name: Some(view.name()), key: view.key(), said, declared, added, grown: 0 }))
}

fn planned(text: &str, world: &World, draft: Result<Draft, String>) -> Result<Plan, Refusal> {
    match draft {
        Ok(draft) => finish(text, world, draft),
        Err(said) => Ok(Plan::nothing(said)),
    }
}

/// The words of a value in a tag, where they stand there as they are.
fn in_tag(view: &View, record: &Record, old: &str, new: &str) -> Option<TextEdit> {
    let range = record.tag.as_deref()?.range;
    let at = range.of(view.text()).find(old)?;
    Some(TextEdit::replace(TextRange::new(range.start() + at, range.start() + at + old.len()), new))
}

/// The version meant without a value: the one that holds, else the only one.
fn meant<'v>(view: &View<'v>) -> Result<Vec<&'v Version<'v>>, Refusal> {
    let open = view.open();
    let pick = |versions: Vec<&'v Version<'v>>| match versions.as_slice() {
        [first, rest @ ..] if rest.iter().all(|version| version.value == first.value) => Ok(versions),
        [] => Err(Refusal::No(format!("nothing of `{}` holds; name the version with --value", view.key()))),
        several => Err(view.several(several.iter().copied())),
    };
    if view.cardinality() == Cardinality::One && !open.is_empty() {
        let chain = view.chain();
        return pick(chain.chain[chain.last..].iter().filter(|version| version.life.is_open()).collect());
    }
    if open.is_empty() { pick(view.versions().filter(|version| version.life != Life::Redacted).collect()) } else { pick(open) }
}

/// `rename KEY NEW`: the parameter's name in all versions.
///
/// # Errors
/// [`Refusal`].
pub fn rename(text: &str, world: &World, key: &str, new: &str) -> Result<Plan, Refusal> {
    let new = one_line("NEW", new)?;
    let draft = with_fact(text, world, key, None, |view| renamed(view, new, world))?;
    finished(text, world, draft)
}

/// [`rename`] for the fact of the record that holds the byte `at` of `text`.
///
/// # Errors
/// [`Refusal`].
pub fn rename_at(text: &str, world: &World, at: usize, new: &str) -> Result<Plan, Refusal> {
    let new = one_line("NEW", new)?;
    let find = |facts: &Facts| group_at(facts, at).map(|(group, _)| group);
    let draft = with_group(text, world, &find, |view| renamed(view, new, world))?;
    finished(text, world, draft)
}

/// The edits that give all records of a fact another name, and the name they had; or why nothing changes.
fn renamed(view: &View, new: &str, world: &World) -> Result<Result<(Draft, Name), String>, Refusal> {
    let group = &view.facts.groups[view.number as usize];
    let folded = world.config.canonical_parameter(fold_key(new));
    let mut edits = Vec::new();
    let mut declared = Vec::new();
    for record in view.records().iter().map(|&record| view.record(record)) {
        let own = record.parameter.of(view.text());
        let code = own.starts_with('`') && own.ends_with('`') && own.len() > 1;
        let plain = if record.shape == Shape::KeyValue { new.to_owned() } else { escape_bars(new) };
        let written = if code { format!("`{plain}`") } else { plain };
        if own != written {
            let edit = TextEdit::replace(record.parameter, written);
            declared.extend(Declared::of(view.text(), record, Some(std::slice::from_ref(&edit))));
            edits.push(edit);
        }
    }
    if edits.is_empty() {
        return Ok(Err(format!("it is called `{new}` already; nothing changed")));
    }
    if folded != group.parameter {
        let other = view.facts.groups.iter().any(|other| other.space() == group.space() && other.parameter == folded);
        if other {
            let message =
                format!("there is a fact `{new}` already; two facts do not become one by a rename (`aliases.parameters` does that)");
            return Err(Refusal::No(message));
        }
        let by_name = |parameter: &str| world.config.cardinality(parameter);
        if by_name(&group.parameter) != by_name(&folded) {
            let message = format!("the configuration names `{}` under `many` or `volatile`; name `{new}` there as well first", view.key());
            return Err(Refusal::No(message));
        }
    }
    let mut name = view.name();
    let said = format!("{}: called `{new}` now, {}", view.key(), count(edits.len(), "record"));
    let before = name.clone();
    name.parameter = folded;
    let added = Some((new.to_owned(), view.record(view.records()[0]).value.of(view.text()).to_owned()));
    Ok(Ok((Draft { edits, name: Some(name), key: view.key(), said, declared, added, grown: 0 }, before)))
}

fn finished(text: &str, world: &World, draft: Result<(Draft, Name), String>) -> Result<Plan, Refusal> {
    match draft {
        Ok((draft, before)) => {
            let mut plan = finish(text, world, draft)?;
            plan.touched.push(before);
            Ok(plan)
        }
        Err(said) => Ok(Plan::nothing(said)),
    }
}
