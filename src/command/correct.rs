//! `correct` and `reopen`: what was never true, and what is true again.

use super::set::{model, when_of};
use super::settle::finish;
use super::shape::{Model, New, line, tagged};
use super::view::{View, shown, with_fact};
use super::{Draft, Plan, Refusal, World, as_of, iso, one_line};
use crate::baseline::Declared;
use crate::config::Cardinality;
use crate::facts::{Life, Version, tag_value};
use crate::repair::{Edits, Mark, delete_block, indent, insert_block, put_tag, take_tag};
use crate::syntax::{Bullet, Record, Shape};
use crate::text::{Patch, TextEdit, TextRange};
use std::borrow::Cow;

/// `correct KEY [NEW] [--value V] [--as-of D]`
///
/// # Errors
/// [`Refusal`].
pub fn correct(text: &str, world: &World, key: &str, new: Option<&str>, value: Option<&str>, day: Option<&str>) -> Result<Plan, Refusal> {
    let when = as_of(day, world)?;
    let new = new.map(|new| one_line("NEW", new)).transpose()?;
    let draft = with_fact(text, world, key, None, |view| {
        let versions = match value {
            Some(value) => view.with_value(value)?,
            None => meant(view)?,
        };
        // Of several versions with the value the one that holds is meant, else the latest.
        let wrong: Vec<&Version> = versions.iter().copied().filter(|version| version.life != Life::Retracted).collect();
        let open: Vec<&Version> = wrong.iter().copied().filter(|version| version.life.is_open()).collect();
        let wrong = if open.is_empty() { wrong.last().copied().into_iter().collect() } else { open };
        let Some(first) = wrong.first() else {
            return Ok(Err(format!("`{}` of `{}` is retracted already; nothing changed", shown(versions[0]), view.key())));
        };
        if new.is_some_and(|new| view.fold(new) == first.value) {
            return Err(Refusal::No(format!(
                "`{}` is the value that is to be corrected; other words for it: `memfile reword`",
                shown(first)
            )));
        }
        retract(view, world, &wrong, new, &when).map(Ok)
    })?;
    match draft {
        Ok(draft) => finish(text, world, draft),
        Err(said) => Ok(Plan::nothing(said)),
    }
}

/// The versions meant without a value: those that hold, else the only one.
fn meant<'v>(view: &View<'v>) -> Result<Vec<&'v Version<'v>>, Refusal> {
    let open = view.open();
    if view.cardinality() != Cardinality::One {
        return match open.as_slice() {
            [] => Err(view.several(view.versions())),
            [first, rest @ ..] if rest.iter().all(|version| version.value == first.value) && view.cardinality() != Cardinality::Many => {
                Ok(open)
            }
            _ => Err(view.several(open.into_iter())),
        };
    }
    let chain = view.chain();
    let last: Vec<_> = chain.chain[chain.last.min(chain.chain.len())..].iter().filter(|version| version.in_file().is_some()).collect();
    let holds: Vec<_> = last.iter().copied().filter(|version| version.life.is_open()).collect();
    let only = view.versions().filter(|version| version.life != Life::Retracted).count() == 1;
    match (holds.is_empty(), only, last.is_empty()) {
        (false, ..) => Ok(holds),
        (true, true, false) => Ok(last),
        _ => Err(Refusal::No(format!("nothing of `{}` holds; name the version with --value", view.key()))),
    }
}

/// The versions before the run of `wrong` in the chain, as far as they have one value; and where the chain goes on behind it.
pub(super) struct Hole<'v> {
    pub(super) before: Vec<&'v Version<'v>>,
    pub(super) next: Option<&'v Version<'v>>,
}

impl<'v> Hole<'v> {
    /// What stands around the records `wrong` in their chain.
    pub(super) fn new(view: &View<'v>, wrong: &[u32]) -> Self {
        let none = Self { before: Vec::new(), next: None };
        if view.cardinality() != Cardinality::One {
            return none;
        }
        let chain = &view.chain().chain;
        let is_wrong = |version: &Version| version.in_file().is_some_and(|record| wrong.contains(&record));
        let Some(last) = chain.iter().rposition(is_wrong) else { return none };
        let first = chain.iter().position(is_wrong).unwrap_or(last);
        let next = chain[last + 1..].iter().find(|version| !is_wrong(version));
        let run = first.checked_sub(1).map(|idx| &chain[idx].value);
        let before = chain[..first].iter().rev().take_while(|version| Some(&version.value) == run).collect();
        Self { before, next }
    }

    /// The tag that names the one behind the hole, for those before it; `fallback` is what `wrong` said of that day.
    pub(super) fn close(&self, view: &View, world: &World, fallback: Option<&str>) -> Vec<TextEdit> {
        let Some(next) = self.next else { return Vec::new() };
        let mut edits = Vec::new();
        for version in self.before.iter().filter(|version| version.life == Life::Old || version.life.is_open()) {
            let Some(record) = version.in_file() else { continue };
            if version.value == next.value {
                // A, B, A without its B: the second A says what the first one said.
                continue;
            }
            let cells = matches!(version.record.shape, Shape::Pipe | Shape::Row);
            let source = version.record.attributes.source().of(version.text);
            let when = when_of(next, Some(source), world).or_else(|| fallback.map(str::to_owned)).unwrap_or_else(|| iso(world.today));
            let mark = Mark::Replaced { value: tag_value(next.raw_value(), cells), when: Some(when.into()) };
            edits.extend(put_tag(view.record(record), &mark, reason_of(view, version).as_deref(), world.config));
        }
        edits
    }

    /// The one before the hole holds again, where nothing is behind it.
    pub(super) fn restored(&self) -> Option<&'v Version<'v>> {
        self.before.iter().copied().find(|version| version.in_file().is_some()).filter(|_| self.next.is_none())
    }
}

/// What a version's tag gives as reason.
fn reason_of(view: &View, version: &Version) -> Option<String> {
    let chain = view.chain();
    let idx = chain.chain.iter().position(|other| other.origin == version.origin)?;
    let named = chain.named(idx).and_then(|named| named.reason.clone());
    named.or_else(|| version.tag()?.reason.as_deref().map(str::to_owned))
}

/// When the tag of `version` says that it was replaced.
pub(super) fn replaced_when(view: &View, version: &Version) -> Option<String> {
    let chain = view.chains.iter().find(|chain| chain.chain.iter().any(|other| other.origin == version.origin))?;
    let idx = chain.chain.iter().position(|other| other.origin == version.origin)?;
    chain.named(idx).and_then(|named| named.when.clone()).or_else(|| version.tag()?.when.as_deref().map(str::to_owned))
}

fn retract(view: &View, world: &World, wrong: &[&Version], new: Option<&str>, when: &str) -> Result<Draft, Refusal> {
    let config = world.config;
    let records: Vec<u32> = wrong.iter().filter_map(|version| version.in_file()).collect();
    let hole = Hole::new(view, &records);
    let mark = Mark::Retracted(Some(when.into()));
    let tags = |record: u32| put_tag(view.record(record), &mark, None, config);
    let key = view.key();
    let mut said = format!("{key}: `{}` was never true", shown(wrong[0]));
    let mut edits: Vec<TextEdit> = Vec::new();
    let mut grown = 0;
    if let Some(new) = new {
        let new_value = tag_value(new, false);
        let inherits = hole.next.map(|_| wrong[0].record.attributes.since().of(wrong[0].text)).filter(|since| !since.is_empty());
        let record = New { value: new, since: inherits, ..New::default() };
        let place = if hole.next.is_some() { records[records.len() - 1] } else { view.lowest() };
        let beside = model(view, place)?;
        let pattern = model(view, records[0])?;
        let mut block = line(view.document(), config, Model::Same(pattern), &record)?;
        if let Some(next) = hole.next {
            let cells = matches!(pattern.shape, Shape::Pipe | Shape::Row);
            let when = when_of(next, None, world).or_else(|| replaced_when(view, wrong[0]));
            let mark = Mark::Replaced { value: tag_value(next.raw_value(), cells), when: when.map(Cow::Owned) };
            block = tagged(view.document(), config, Some(pattern), &block, &mark);
        }
        for version in hole.before.iter().filter(|version| version.life == Life::Old || version.life.is_open()) {
            let Some(found) = version.in_file() else { continue };
            let cells = matches!(version.record.shape, Shape::Pipe | Shape::Row);
            let old = hole.next.and_then(|_| replaced_when(view, version));
            let day = inherits.map(str::to_owned).or(old).unwrap_or_else(|| iso(world.today));
            let mark = Mark::Replaced { value: tag_value(new, cells), when: Some(day.into()) };
            edits.extend(put_tag(view.record(found), &mark, reason_of(view, version).as_deref(), config));
        }
        records.iter().for_each(|&record| edits.extend(tags(record)));
        edits.push(insert_block(view.text(), beside.block.end(), &block));
        said.push_str(&format!("; it is `{new_value}`"));
        grown = 1;
    } else if let Some(restored) = hole.restored() {
        edits.extend(restore(view, restored, &records, &tags));
        match restored.life {
            Life::Closed => said.push_str(&format!("; `{}` stays ended", shown(restored))),
            _ => said.push_str(&format!("; `{}` holds again", shown(restored))),
        }
    } else {
        let fallback = wrong.last().and_then(|version| replaced_when(view, version));
        edits.extend(hole.close(view, world, fallback.as_deref()));
        let current = view.chains.iter().find_map(|chain| chain.chain.last()).filter(|version| version.life.is_open());
        let below = |record: &u32| {
            let top = current.and_then(Version::in_file);
            top.is_some_and(|top| !records.contains(&top) && view.record(*record).block.start() > view.record(top).block.start())
        };
        for &record in &records {
            match current.and_then(Version::in_file).filter(|_| view.cardinality() == Cardinality::One && below(&record)) {
                Some(top) if fits(view, record, top) => {
                    edits.extend(moved(view.text(), view.record(record), &tags(record), view.record(top).block.start()));
                }
                _ => edits.extend(tags(record)),
            }
        }
    }
    let restored = hole.restored().filter(|restored| new.is_none() && restored.life == Life::Old);
    let declared = restored.map_or(Vec::new(), |restored| declare(view, restored));
    let added = new.map(|new| (key.clone(), new.to_owned()));
    Ok(Draft { edits, name: Some(view.name()), key, said, declared, added, grown })
}

/// Makes `version` current again and last of its group; `gone` are the records behind it that get `tags`.
fn restore(view: &View, version: &Version, gone: &[u32], tags: &dyn Fn(u32) -> Edits) -> Vec<TextEdit> {
    let Some(own) = version.in_file() else { return gone.iter().flat_map(|&record| tags(record)).collect() };
    let text = view.text();
    let record = view.record(own);
    let take = if version.life == Life::Old { take_tag(text, record) } else { Edits::new() };
    let start = |record: u32| view.record(record).block.start();
    let below: Vec<u32> = view.records().iter().copied().filter(|&other| start(other) > start(own)).collect();
    let mut edits = Vec::new();
    let only_gone = below.iter().all(|record| gone.contains(record)) && below.iter().all(|&record| fits(view, record, own));
    if below.is_empty() || version.life == Life::Closed {
        edits.extend(take);
        gone.iter().for_each(|&record| edits.extend(tags(record)));
    } else if only_gone {
        edits.extend(take);
        for &record in gone {
            let moves = below.contains(&record);
            edits.extend(if moves {
                moved(text, view.record(record), &tags(record), record_start(view, own))
            } else {
                tags(record).into_vec()
            });
        }
    } else {
        let lowest = view.lowest();
        let goes = fits(view, own, lowest);
        edits.extend(if goes { moved(text, record, &take, view.record(lowest).block.end()) } else { take.into_vec() });
        gone.iter().for_each(|&record| edits.extend(tags(record)));
    }
    edits
}

fn record_start(view: &View, record: u32) -> usize {
    view.record(record).block.start()
}

/// True where `record` can stand beside `other`.
fn fits(view: &View, record: u32, other: u32) -> bool {
    let (a, b) = (view.record(record), view.record(other));
    match (a.bullet, b.bullet) {
        (Bullet::Row, Bullet::Row) => a.container == b.container,
        (Bullet::Mark(mark), Bullet::Mark(other)) => mark == other && indent(view.text(), a) == indent(view.text(), b),
        _ => false,
    }
}

/// The edits that put a block, changed by `edits`, at `offset`.
pub(super) fn moved(text: &str, record: &Record, edits: &[TextEdit], offset: usize) -> Vec<TextEdit> {
    let mut patch = Patch::default();
    let base = record.block.start();
    let shift = |range: TextRange| TextRange::new(range.start() - base, range.end() - base);
    let local: Vec<TextEdit> = edits.iter().map(|edit| TextEdit::replace(shift(edit.range), edit.text.clone())).collect();
    patch.try_add(&local);
    let block = patch.apply(record.block.of(text));
    vec![delete_block(text, record.block), insert_block(text, offset, &block)]
}

/// `reopen KEY [--value V] [--as-of D]`: takes back an end, or a wrong supersession.
///
/// # Errors
/// [`Refusal`].
pub fn reopen(text: &str, world: &World, key: &str, value: Option<&str>, day: Option<&str>) -> Result<Plan, Refusal> {
    let when = as_of(day, world)?;
    let draft = with_fact(text, world, key, None, |view| {
        let picked = value.map(|value| view.with_value(value)).transpose()?;
        let is_picked = |version: &Version| picked.as_ref().is_none_or(|picked| picked.iter().any(|other| other.origin == version.origin));
        if view.cardinality() != Cardinality::One {
            let closed: Vec<_> = view.versions().filter(|version| version.life == Life::Closed && is_picked(version)).collect();
            return match closed.as_slice() {
                [] => Ok(Err(format!("nothing of `{}` has ended; nothing changed", view.key()))),
                [only] => Ok(Ok(unclosed(view, only))),
                [.., last] if picked.is_some() => Ok(Ok(unclosed(view, last))),
                several => Err(view.several(several.iter().copied())),
            };
        }
        let chain = &view.chain().chain;
        let last = chain.iter().rev().find(|version| version.in_file().is_some());
        let Some(last) = last else { return Err(Refusal::No(format!("`{}` has no version that could hold again", view.key()))) };
        if last.life == Life::Closed && is_picked(last) {
            return Ok(Ok(unclosed(view, last)));
        }
        if last.life.is_open() && picked.is_some() && is_picked(last) {
            return Ok(Err(format!("`{}` of `{}` holds; nothing changed", shown(last), view.key())));
        }
        let run: Vec<u32> =
            chain[view.chain().last..].iter().filter(|version| version.life.is_open()).filter_map(Version::in_file).collect();
        let hole = Hole::new(view, &run);
        let Some(restored) = hole.restored().filter(|_| !run.is_empty()) else {
            return Err(Refusal::No(format!("`{}` has nothing to take back: no end, and no version before the present one", view.key())));
        };
        if !is_picked(restored) {
            let message = format!(
                "only the latest version before the present one can hold again, `{}`; the later ones were never true? `memfile correct`",
                shown(restored)
            );
            return Err(Refusal::No(message));
        }
        let mark = Mark::Retracted(Some(when.as_str().into()));
        let tags = |record: u32| put_tag(view.record(record), &mark, None, world.config);
        let mut edits = restore(view, restored, &run, &tags);
        let mut declared = Vec::new();
        if restored.life == Life::Closed {
            edits.extend(restored.in_file().into_iter().flat_map(|record| take_tag(view.text(), view.record(record))));
        }
        declared.extend(declare(view, restored));
        let said = format!("{}: `{}` holds again, `{}` was never true", view.key(), shown(restored), shown(last));
        Ok(Ok(Draft { edits, name: Some(view.name()), key: view.key(), said, declared, added: None, grown: 0 }))
    })?;
    match draft {
        Ok(draft) => finish(text, world, draft),
        Err(said) => Ok(Plan::nothing(said)),
    }
}

/// An end taken back.
fn unclosed(view: &View, version: &Version) -> Draft {
    let edits = version.in_file().map_or(Edits::new(), |record| take_tag(view.text(), view.record(record)));
    let declared = declare(view, version);
    let said = format!("{}: `{}` holds again", view.key(), shown(version));
    Draft { edits: edits.into_vec(), name: Some(view.name()), key: view.key(), said, declared, added: None, grown: 0 }
}

/// That a version lost its tag is meant.
fn declare(view: &View, version: &Version) -> Vec<Declared> {
    let Some(record) = version.in_file().map(|record| view.record(record)) else { return Vec::new() };
    Declared::of(view.text(), record, Some(&take_tag(view.text(), record)))
}
