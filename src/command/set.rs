//! `set` and `add`: a new version, a new value, a new fact.

use super::place::{Site, into_region, site};
use super::settle::{finish, mended};
use super::shape::{Model, New, line, tagged};
use super::view::{View, find, shown, with_fact};
use super::{Draft, Plan, Refusal, World, given_date, iso, one_line};
use crate::config::Cardinality;
use crate::facts::{Facts, Life, Version, tag_value};
use crate::repair::{Mark, in_text, insert_block, put_tag};
use crate::syntax::date::Written;
use crate::syntax::{Bullet, Reading, Record, Shape, parse};
use crate::text::{TextEdit, fold_key};
use std::borrow::Cow;

/// What `set` and `add` are given.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fact<'a> {
    /// The parameter, or `subject/parameter`.
    pub key: &'a str,
    /// The value.
    pub value: &'a str,
    /// The explicit subject, or the heading of a section.
    pub subject: Option<&'a str>,
    /// Who or when it was said.
    pub source: Option<&'a str>,
    /// When it became true.
    pub since: Option<&'a str>,
    /// Why it changed.
    pub reason: Option<&'a str>,
}

/// The texts of a fact, checked, and its dates.
struct Asked<'a> {
    fact: Fact<'a>,
    effective: Option<Written>,
    recorded: Option<Written>,
}

impl<'a> Asked<'a> {
    fn new(fact: &Fact<'a>, world: &World) -> Result<Self, Refusal> {
        let optional = |what: &str, text: Option<&'a str>| text.map(|text| one_line(what, text)).transpose();
        let since = fact.since.map(|since| given_date("--since", since, world.config)).transpose()?;
        let fact = Fact {
            key: one_line("KEY", fact.key)?,
            value: one_line("VALUE", fact.value)?,
            subject: optional("--subject", fact.subject)?,
            source: optional("--source", fact.source)?,
            since: since.map(|(text, _)| text),
            reason: optional("--reason", fact.reason)?,
        };
        let recorded = fact.source.and_then(|source| in_text(source, world.config)).map(|(_, written)| written);
        Ok(Self { fact, effective: since.map(|(_, written)| written), recorded })
    }

    fn ordering(&self) -> Option<Written> {
        self.effective.or(self.recorded).filter(|written| written.orders())
    }

    /// WHEN for the tag of the version that it replaces.
    fn when(&self, before: Option<&Version>, world: &World) -> String {
        let source_before = before.map(|version| fold_key(version.record.attributes.source().of(version.text)));
        let source = self.fact.source.filter(|source| source_before.as_deref() != Some(fold_key(source).as_str()));
        let written = [self.fact.since, source].into_iter().flatten().find_map(|text| in_text(text, world.config));
        written.map_or_else(|| iso(world.today), |(text, _)| text.into_owned())
    }

    fn new_record(&self, reason: bool) -> New<'a> {
        let fact = &self.fact;
        let reason = fact.reason.filter(|_| reason);
        New { subject: None, parameter: "", value: fact.value, source: fact.source, since: fact.since, reason }
    }
}

/// `set KEY VALUE`; `only`: all other values of a `many` parameter end.
///
/// # Errors
/// [`Refusal`].
pub fn set(text: &str, world: &World, fact: &Fact, only: bool) -> Result<Plan, Refusal> {
    let asked = Asked::new(fact, world)?;
    let mended = mended(text, world, asked.fact.key, asked.fact.subject)?;
    let text = mended.as_deref().unwrap_or(text);
    let draft = with_fact(text, world, asked.fact.key, asked.fact.subject, |view| match view.cardinality() {
        Cardinality::Many if !only => Err(Refusal::No(format!(
            "several values of `{0}` hold at once: `memfile add` adds one, `memfile end` ends one, `memfile set --only` ends all others",
            view.key()
        ))),
        Cardinality::Many => the_only(view, world, &asked),
        Cardinality::Volatile => in_place(view, world, &asked),
        Cardinality::One => version(view, world, &asked),
    })?;
    match draft {
        Ok(draft) => finish(text, world, draft),
        Err(said) => Ok(Plan::nothing(said)),
    }
}

/// `add KEY VALUE`: one more value of a `many` parameter, or a new parameter.
///
/// # Errors
/// [`Refusal`].
pub fn add(text: &str, world: &World, fact: &Fact) -> Result<Plan, Refusal> {
    let asked = Asked::new(fact, world)?;
    let document = parse(text, Reading { config: world.config, whole_file: world.whole_file, also: None });
    let facts = Facts::new(&document, world.config);
    let exact = exists(&facts, &asked.fact);
    if !exact {
        return finish(text, world, fresh(&facts, world, &asked)?);
    }
    let draft = with_fact(text, world, asked.fact.key, asked.fact.subject, |view| {
        let folded = view.fold(asked.fact.value);
        if let Some(equal) = view.open().into_iter().find(|version| version.value == folded) {
            return Ok(Err(format!("`{}` has the value `{}` already; nothing changed", view.key(), shown(equal))));
        }
        match view.cardinality() {
            Cardinality::Many => one_more(view, world, &asked).map(Ok),
            _ => Err(Refusal::No(format!(
                "`{0}` has one value at a time; `memfile set` gives it a new one (or name it under `many` in the configuration)",
                view.key()
            ))),
        }
    })?;
    match draft {
        Ok(draft) => finish(text, world, draft),
        Err(said) => Ok(Plan::nothing(said)),
    }
}

/// True where `add` means a fact that is there; a near miss is a new one.
fn exists(facts: &Facts, fact: &Fact) -> bool {
    if let Some(subject) = fact.subject {
        return find(facts, fact.key, Some(subject)).is_ok();
    }
    !matches!(crate::query::resolve(facts, fact.key), Err(crate::query::KeyError::Unknown { .. }))
}

/// A record of a fact that is not there yet.
fn fresh(facts: &Facts, world: &World, asked: &Asked) -> Result<Draft, Refusal> {
    let document = facts.document;
    let fact = &asked.fact;
    // `Staging/Port`, where Staging is known: a subject, or the heading of a section.
    let known = |name: &str| facts.spaces.iter().any(|space| space.subject.as_deref().is_some_and(|own| fold_key(own) == fold_key(name)));
    let cut = fact.key.match_indices('/').map(|(at, _)| (&fact.key[..at], &fact.key[at + 1..])).find(|(subject, _)| known(subject));
    let (subject, parameter) = match (fact.subject, cut) {
        (None, Some((subject, parameter))) => (Some(subject.trim()), parameter.trim()),
        (subject, _) => (subject, fact.key),
    };
    let (site, given) = site(facts, subject)?;
    let mut new = asked.new_record(true);
    new.parameter = parameter;
    new.subject = subject.filter(|_| !given);
    let (line, edit) = match &site {
        Site::Behind(record) => {
            let line = line(document, world.config, Model::Neighbour(record), &new)?;
            let edit = insert_block(document.text, record.block.end(), &line);
            (line, edit)
        }
        Site::Into(region) => {
            let line = line(document, world.config, Model::None, &new)?;
            let edit = into_region(document, region, &line);
            (line, edit)
        }
    };
    let key = subject.map_or(parameter.to_owned(), |subject| format!("{subject}/{parameter}"));
    let said = format!("added: {}", line.trim());
    let added = Some((parameter.to_owned(), fact.value.to_owned()));
    Ok(Draft { edits: vec![edit], name: None, key, said, declared: Vec::new(), added, grown: 1 })
}

/// What the edits of one group begin with.
fn draft(view: &View, asked: &Asked, edits: Vec<TextEdit>, said: String) -> Draft {
    let key = view.key();
    let parameter = key.clone();
    let added = Some((parameter, asked.fact.value.to_owned()));
    Draft { edits, name: Some(view.name()), key, said, declared: Vec::new(), added, grown: 1 }
}

/// The record of the group to model a new one on.
pub(super) fn model<'v>(view: &View<'v>, wanted: u32) -> Result<&'v Record, Refusal> {
    let record = view.record(wanted);
    if record.bullet == Bullet::Number {
        let key = view.key();
        return Err(Refusal::No(format!("`{key}` stands in a numbered list, into which memfile puts nothing; write the new line by hand")));
    }
    Ok(record)
}

/// A new version of a fact of which one value holds. The inner error says why nothing changes.
fn version(view: &View, world: &World, asked: &Asked) -> Result<Result<Draft, String>, Refusal> {
    let chain = view.chain();
    let folded = view.fold(asked.fact.value);
    let date = asked.ordering();
    let equal = |version: &Version| format!("`{}` is `{}` already; nothing changed", view.key(), shown(version));
    let future = matches!(asked.effective, Some(Written::Date(date)) if date.first() > world.today);
    let current = chain.chain.last().filter(|version| version.life.is_open());
    let waiting = chain.aside.iter().find(|version| version.life == Life::Scheduled && version.value == folded);
    match (current, waiting) {
        (_, Some(waiting)) if future => return Ok(Err(equal(waiting))),
        (Some(current), _) if current.value == folded => return Ok(Err(equal(current))),
        _ => {}
    }
    if future {
        return scheduled(view, world, asked).map(Ok);
    }
    let later = |version: &&Version| matches!((version.dates.ordering(), date), (Some(other), Some(date)) if other.is_later_than(date));
    match chain.chain.iter().position(|version| later(&version)) {
        Some(next) => late(view, world, asked, next),
        None => latest(view, world, asked).map(Ok),
    }
}

/// The last one in the order: it holds, and what held is tagged.
fn latest(view: &View, world: &World, asked: &Asked) -> Result<Draft, Refusal> {
    let chain = view.chain();
    let record = model(view, view.lowest())?;
    let open: Vec<(usize, u32)> = (chain.last..chain.chain.len())
        .filter(|&idx| chain.chain[idx].life.is_open())
        .filter_map(|idx| chain.chain[idx].in_file().map(|record| (idx, record)))
        .collect();
    let pattern = open.last().map_or(record, |(_, record)| view.record(*record));
    let pattern = if pattern.bullet == Bullet::Number { record } else { pattern };
    let mut edits = Vec::new();
    for (idx, record) in &open {
        let before = &chain.chain[*idx];
        let cells = matches!(before.record.shape, Shape::Pipe | Shape::Row);
        let mark = Mark::Replaced { value: tag_value(asked.fact.value, cells), when: Some(asked.when(Some(before), world).into()) };
        edits.extend(put_tag(view.record(*record), &mark, asked.fact.reason, world.config));
    }
    // One whose day has come replaces what stood before it; the tags of other older ones are the planner's.
    for (idx, before) in chain.chain[..chain.last.min(chain.chain.len())].iter().enumerate() {
        let next = chain.successor[idx].map(|next| &chain.chain[next]).filter(|next| next.life == Life::Due);
        let (Some(next), Some(record), true) = (next, before.in_file(), before.life.is_open()) else { continue };
        let cells = matches!(before.record.shape, Shape::Pipe | Shape::Row);
        let source = before.record.attributes.source().of(before.text);
        let mark = Mark::Replaced { value: tag_value(next.raw_value(), cells), when: when_of(next, Some(source), world).map(Cow::Owned) };
        edits.extend(put_tag(view.record(record), &mark, None, world.config));
    }
    let new = asked.new_record(open.is_empty());
    let line = line(view.document(), world.config, Model::Same(pattern), &new)?;
    edits.push(insert_block(view.text(), record.block.end(), &line));
    let said = match open.last() {
        Some((idx, _)) => format!("{}: `{}` replaces `{}`", view.key(), tag_value(asked.fact.value, false), shown(&chain.chain[*idx])),
        None => format!("{}: `{}`", view.key(), tag_value(asked.fact.value, false)),
    };
    Ok(draft(view, asked, edits, said))
}

/// A value that held before version `next` of the chain did: history from the start.
fn late(view: &View, world: &World, asked: &Asked, next: usize) -> Result<Result<Draft, String>, Refusal> {
    let chain = &view.chain().chain;
    let folded = view.fold(asked.fact.value);
    let before = next.checked_sub(1);
    let equals = |version: &&Version| version.value == folded && version.life != Life::Closed;
    if let Some(equal) = before.map(|idx| &chain[idx]).filter(equals).or(Some(&chain[next]).filter(equals)) {
        return Ok(Err(format!("`{}` was `{}` then already; nothing changed", view.key(), shown(equal))));
    }
    let successor = &chain[next];
    let place = chain[next..].iter().find_map(Version::in_file).unwrap_or_else(|| view.lowest());
    let record = model(view, place)?;
    let mut edits = Vec::new();
    // The one before it names it now.
    let run = before.map(|idx| chain[idx].value.clone());
    let older = chain[..next].iter().rev().take_while(|version| Some(&version.value) == run.as_ref());
    let mut named = false;
    for version in older.filter(|version| version.life == Life::Old || version.life.is_open()) {
        let Some(found) = version.in_file() else { continue };
        let cells = matches!(version.record.shape, Shape::Pipe | Shape::Row);
        let mark = Mark::Replaced { value: tag_value(asked.fact.value, cells), when: Some(asked.when(Some(version), world).into()) };
        edits.extend(put_tag(view.record(found), &mark, asked.fact.reason, world.config));
        named = true;
    }
    let line = line(view.document(), world.config, Model::Same(record), &asked.new_record(!named))?;
    let cells = matches!(record.shape, Shape::Pipe | Shape::Row);
    let mark = Mark::Replaced {
        value: tag_value(successor.raw_value(), cells),
        when: when_of(successor, asked.fact.source, world).map(Cow::Owned),
    };
    let line = tagged(view.document(), world.config, Some(record), &line, &mark);
    edits.push(insert_block(view.text(), record.block.start(), &line));
    let said = format!("{}: `{}` held before `{}`: history", view.key(), tag_value(asked.fact.value, false), shown(successor));
    Ok(Ok(draft(view, asked, edits, said)))
}

/// The date written on `successor`, for the tag of a version with the source `source`.
pub(super) fn when_of(successor: &Version, source: Option<&str>, world: &World) -> Option<String> {
    let attributes = &successor.record.attributes;
    let own = attributes.source().of(successor.text);
    let own = if source.is_some_and(|source| fold_key(source) == fold_key(own)) { "" } else { own };
    [attributes.since().of(successor.text), own].into_iter().find_map(|text| in_text(text, world.config)).map(|(text, _)| text.into_owned())
}

/// A value to come stands above the one that holds.
fn scheduled(view: &View, world: &World, asked: &Asked) -> Result<Draft, Refusal> {
    let chain = view.chain();
    let current = chain.chain[chain.last.min(chain.chain.len())..].iter().filter(|version| version.life.is_open());
    let top = current.filter_map(Version::in_file).min();
    let record = model(view, top.unwrap_or_else(|| view.lowest()))?;
    let offset = if top.is_some() { record.block.start() } else { record.block.end() };
    let line = line(view.document(), world.config, Model::Same(record), &asked.new_record(true))?;
    let mark = Mark::Scheduled(asked.fact.since.map(Cow::Borrowed));
    let line = tagged(view.document(), world.config, Some(record), &line, &mark);
    let edits = vec![insert_block(view.text(), offset, &line)];
    let since = asked.fact.since.unwrap_or_default();
    let said = format!("{}: `{}` is scheduled from {since}", view.key(), tag_value(asked.fact.value, false));
    Ok(draft(view, asked, edits, said))
}

/// One more value of a `many` parameter.
fn one_more(view: &View, world: &World, asked: &Asked) -> Result<Draft, Refusal> {
    let record = model(view, view.lowest())?;
    let line = line(view.document(), world.config, Model::Same(record), &asked.new_record(true))?;
    let edits = vec![insert_block(view.text(), record.block.end(), &line)];
    let said = format!("{}: `{}` holds as well", view.key(), tag_value(asked.fact.value, false));
    Ok(draft(view, asked, edits, said))
}

/// One value of a `many` parameter holds, all others have ended.
fn the_only(view: &View, world: &World, asked: &Asked) -> Result<Result<Draft, String>, Refusal> {
    let folded = view.fold(asked.fact.value);
    let open = view.open();
    let known = open.iter().any(|version| version.value == folded);
    let mut edits = Vec::new();
    for version in open.iter().filter(|version| version.value != folded) {
        let Some(record) = version.in_file() else { continue };
        let mark = Mark::Ended(Some(asked.when(Some(version), world).into()));
        edits.extend(put_tag(view.record(record), &mark, asked.fact.reason, world.config));
    }
    if known && edits.is_empty() {
        return Ok(Err(format!("`{}` has only the value `{}` already; nothing changed", view.key(), asked.fact.value)));
    }
    if !known {
        let record = model(view, view.lowest())?;
        let line = line(view.document(), world.config, Model::Same(record), &asked.new_record(open.is_empty()))?;
        edits.push(insert_block(view.text(), record.block.end(), &line));
    }
    let said = format!("{}: only `{}` holds now", view.key(), tag_value(asked.fact.value, false));
    let mut draft = draft(view, asked, edits, said);
    draft.grown = isize::from(!known);
    Ok(Ok(draft))
}

/// The history of a `volatile` parameter is not kept: the new value takes the old one's line.
fn in_place(view: &View, world: &World, asked: &Asked) -> Result<Result<Draft, String>, Refusal> {
    let open = view.open();
    let Some(version) = open.last() else { return one_more(view, world, asked).map(Ok) };
    if version.value == view.fold(asked.fact.value) && asked.fact.since.is_none() && asked.fact.source.is_none() {
        return Ok(Err(format!("`{}` is `{}` already; nothing changed", view.key(), shown(version))));
    }
    let record = version.record;
    let text = view.text();
    let new = asked.new_record(true);
    let edit = if new.source.is_none() && new.since.is_none() || record.bullet == Bullet::Number {
        TextEdit::replace(
            record.value,
            if record.shape == Shape::KeyValue { new.value.to_owned() } else { crate::facts::escape_bars(new.value) },
        )
    } else {
        let line = line(view.document(), world.config, Model::Same(record), &new)?;
        let own = crate::text::TextRange::new(record.block.start(), record.head.end());
        debug_assert!(!own.of(text).is_empty());
        TextEdit::replace(own, line)
    };
    let said = format!("{}: `{}` (its history is not kept)", view.key(), tag_value(asked.fact.value, false));
    let mut draft = draft(view, asked, vec![edit], said);
    draft.grown = 0;
    Ok(Ok(draft))
}
