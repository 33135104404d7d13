//! `end`: was true, and nothing replaces it.

use super::settle::{finish, mended};
use super::view::{View, shown, with_fact};
use super::{Draft, Plan, Refusal, World, as_of, one_line};
use crate::config::Cardinality;
use crate::facts::{Life, Version};
use crate::repair::{Mark, put_tag};

/// `end KEY [--value V] [--as-of D] [--reason R]`
///
/// # Errors
/// [`Refusal`].
pub fn end(text: &str, world: &World, key: &str, value: Option<&str>, day: Option<&str>, reason: Option<&str>) -> Result<Plan, Refusal> {
    let when = as_of(day, world)?;
    let reason = reason.map(|reason| one_line("--reason", reason)).transpose()?;
    let mended = mended(text, world, key, None)?;
    let text = mended.as_deref().unwrap_or(text);
    let draft = with_fact(text, world, key, None, |view| {
        let versions = match value {
            Some(value) => view.with_value(value)?,
            None => unnamed(view)?,
        };
        let open: Vec<&Version> = versions.iter().copied().filter(|version| version.life.is_open()).collect();
        let Some(first) = open.first() else { return closed(view, &versions) };
        let mark = Mark::Ended(Some(when.as_str().into()));
        let records = open.iter().filter_map(|version| version.in_file());
        let edits = records.flat_map(|record| put_tag(view.record(record), &mark, reason, world.config)).collect();
        let said = format!("{}: `{}` ended as of {when}", view.key(), shown(first));
        Ok(Ok(Draft { edits, name: Some(view.name()), key: view.key(), said, declared: Vec::new(), added: None, grown: 0 }))
    })?;
    match draft {
        Ok(draft) => finish(text, world, draft),
        Err(said) => Ok(Plan::nothing(said)),
    }
}

/// The versions meant without a value: those that hold.
fn unnamed<'v>(view: &View<'v>) -> Result<Vec<&'v Version<'v>>, Refusal> {
    let open = view.open();
    if view.cardinality() == Cardinality::Many && !open.is_empty() {
        return Err(view.several(open.into_iter()));
    }
    if view.cardinality() != Cardinality::One {
        return Ok(if open.is_empty() { view.versions().collect() } else { open });
    }
    let chain = view.chain();
    let last = chain.chain[chain.last.min(chain.chain.len())..].iter();
    Ok(if open.is_empty() { last.collect() } else { last.filter(|version| version.life.is_open()).collect() })
}

/// Nothing of what is meant holds.
fn closed(view: &View, versions: &[&Version]) -> Result<Result<Draft, String>, Refusal> {
    let key = view.key();
    match versions.last().map(|version| version.life) {
        Some(Life::Scheduled) => {
            Err(Refusal::No(format!("`{key}` is only scheduled; `memfile correct {key} --value V` takes a plan back")))
        }
        Some(Life::Old) => Err(Refusal::No(format!("`{}` of `{key}` was replaced already; nothing is left to end", shown(versions[0])))),
        _ => Ok(Err(format!("nothing of `{key}` holds; nothing changed"))),
    }
}
