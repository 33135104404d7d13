//! Completion in managed text: at the start of a list item the parameters that the file has, in their shape; behind `[` the tags that a
//! record can carry, in the language and at the place that the configuration says.
//!
//! The buffer is read by itself, without its baseline: this must be quick.

use super::client::Client;
use super::documents::{Document, place};
use crate::app::Session;
use crate::config::TagPosition;
use crate::facts::{Facts, is_secret, tag_value};
use crate::io::clock;
use crate::repair::{Mark, tag_words};
use crate::report::visible;
use crate::syntax::{Bullet, Reading, Record, Shape, parse};
use crate::text::{Patch, Place, TextEdit as Edit, TextRange, fold_blanks, line_end, line_start, strip_markup};
use lsp_types::{CompletionItem, CompletionItemKind, CompletionTextEdit, InsertTextFormat, Position, Range, TextEdit};
use std::borrow::Cow;

/// What is asked for.
pub(super) struct Asked<'a> {
    pub(super) session: &'a Session,
    pub(super) client: &'a Client,
    pub(super) document: &'a Document,
    pub(super) at: usize,
    /// The character that was typed, if that is why.
    pub(super) trigger: Option<&'a str>,
}

/// What stands before the cursor in its line.
enum Start {
    /// The start of a list item, with the letters typed so far.
    Item(TextRange),
    /// A bracket that was opened: from there to the cursor.
    Bracket(TextRange),
}

/// What could stand at the cursor.
pub(super) fn items(asked: &Asked) -> Vec<CompletionItem> {
    let text = &asked.document.text;
    let Some(start) = start(text, asked.at, asked.trigger) else { return Vec::new() };
    let Ok(target) = asked.document.target(asked.session) else { return Vec::new() };
    let reading = Reading { config: &target.found.config, whole_file: target.whole_file, also: None };
    match start {
        Start::Item(typed) => parameters(asked, reading, typed),
        Start::Bracket(typed) => tags(asked, reading, typed),
    }
}

fn start(text: &str, at: usize, trigger: Option<&str>) -> Option<Start> {
    let line = TextRange::new(line_start(text, at), at).of(text);
    let rest = behind_mark(line.trim_start_matches([' ', '\t']))?;
    // Right behind the mark nobody knows yet whether it is one.
    let word = rest.strip_prefix([' ', '\t'])?.trim_start();
    let begins = at - word.len();
    if let Some(open) = word.rfind('[').filter(|&open| !word[open..].contains([']', '('])) {
        return Some(Start::Bracket(TextRange::new(begins + open, at)));
    }
    // A blank between words is no question.
    let is_asked = trigger.is_none() || word.is_empty();
    (is_asked && !word.contains([':', '|', '=', '<', '`'])).then(|| Start::Item(TextRange::new(begins, at)))
}

/// What stands behind the mark of a list item.
fn behind_mark(line: &str) -> Option<&str> {
    line.strip_prefix(['-', '*', '+']).or_else(|| {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.strip_prefix(['.', ')']).filter(|_| rest.len() < line.len())
    })
}

fn parameters(asked: &Asked, reading: Reading, typed: TextRange) -> Vec<CompletionItem> {
    let text = &asked.document.text;
    let document = parse(text, reading);
    let line = line_start(text, asked.at);
    // A list that is managed for what stands in it ends before an item that is still empty.
    let above = line_start(text, line.saturating_sub(1));
    if ![asked.at, line, above].iter().any(|&at| document.manages(at)) {
        return Vec::new();
    }
    let facts = Facts::new(&document, reading.config);
    // The fact's last untagged record shows how it is written; what is being typed shows nothing.
    let is_model = |record: &Record| {
        let is_here = record.head.start() <= asked.at && asked.at <= record.head.end();
        record.bullet != Bullet::Row && !record.value.is_empty() && !is_here
    };
    let model = |records: &[u32]| {
        let listed = || records.iter().rev().map(|&idx| &document.records[idx as usize]).filter(|record| is_model(record));
        listed().find(|record| record.tag.is_none()).or_else(|| listed().next())
    };
    // Facts of the same subject come first.
    let near = document.records.iter().rposition(|record| record.head.end() <= typed.start()).map(|record| facts.space_of(record));
    let mut items = Vec::new();
    for group in &facts.groups {
        let Some(record) = model(group.records()) else { continue };
        let Some((plain, snippet)) = shape(text, record) else { continue };
        let name = visible(&fold_blanks(&strip_markup(record.parameter.of(text)))).into_owned();
        let value = tag_value(record.value.of(text), false);
        let far = if near == Some(group.space()) { 0 } else { 1 };
        let new_text = if asked.client.has_snippets { snippet } else { plain };
        items.push(CompletionItem {
            label: name.clone(),
            kind: Some(CompletionItemKind::PROPERTY),
            detail: Some(visible(&value).into_owned()),
            sort_text: Some(format!("{far}{name}")),
            filter_text: Some(name),
            insert_text_format: asked.client.has_snippets.then_some(InsertTextFormat::SNIPPET),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit { range: range(asked, typed), new_text })),
            ..CompletionItem::default()
        });
    }
    items
}

/// What a record has before its value, as text and as a snippet that goes on to its source; `None` where that is more than one line.
fn shape(text: &str, record: &Record) -> Option<(String, String)> {
    let opening = record.tag.as_deref().and_then(|tag| tag.opening).map_or(record.head.start(), |opening| opening.end());
    let before = TextRange::new(opening, record.value.start()).of(text).trim_start();
    let source = record.attributes.source();
    let label = TextRange::new(record.value.end(), source.start()).of(text);
    let follows =
        record.shape == Shape::Pipe && !source.is_empty() && source.start() > record.value.end() && label.matches('|').count() == 1;
    if before.contains(['\n', '\r']) || label.contains(['\n', '\r']) {
        return None;
    }
    let escape = |text: &str| text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}");
    let snippet = if follows { format!("{}$1{}$0", escape(before), escape(label)) } else { format!("{}$0", escape(before)) };
    Some((before.to_owned(), snippet))
}

fn tags(asked: &Asked, reading: Reading, typed: TextRange) -> Vec<CompletionItem> {
    let text = &asked.document.text;
    // What the editor closed by itself goes with what was typed. The record is read without both, so that it is the one it will be.
    let closed = usize::from(text[typed.end()..].starts_with(']'));
    let whole = TextRange::new(typed.start(), typed.end() + closed);
    let mut patch = Patch::default();
    patch.try_add(&[Edit::delete(whole)]);
    let bare = patch.apply(text);
    let document = parse(&bare, reading);
    let facts = Facts::new(&document, reading.config);
    let at = typed.start();
    let own = |record: &Record| record.block.start() <= at && at <= line_end(&bare, record.head.end());
    let Some(record) = document.records.iter().position(own) else { return Vec::new() };
    let (own, config) = (&document.records[record], reading.config);
    let at_start = config.tag_position == TagPosition::Start && own.bullet != Bullet::Row;
    let is_open = bare[line_start(&bare, at)..at].trim_start().trim_start_matches(['-', '*', '+']).trim().is_empty();
    let Ok(today) = clock::today(None) else { return Vec::new() };
    if is_open != at_start || own.tag.is_some() {
        return Vec::new();
    }
    let today = Some(Cow::Owned(today.format("%Y-%m-%d").to_string()));
    let replaced =
        successor(&facts, record).map(|(value, when)| Mark::Replaced { value: value.into(), when: when.map(Cow::Owned).or(today.clone()) });
    let others = [Mark::Ended, Mark::Removed, Mark::Retracted, Mark::Scheduled, Mark::Redacted].map(|mark| mark(today.clone()));
    let marks: Vec<Mark> = replaced.into_iter().chain(others).collect();
    let tail = own.head.start() + own.head.of(&bare).trim_end().len();
    let tail = TextRange::empty(if tail > at { tail + whole.len() } else { tail });
    let whole = range(asked, whole);
    let item = |(number, mark): (usize, &Mark)| {
        let (status, rest) = tag_words(mark, None, config.tag_language);
        let label = format!("{status}{rest}");
        let (new_text, added) = match at_start {
            true => (format!("{status} "), (!rest.is_empty()).then(|| vec![TextEdit { range: range(asked, tail), new_text: rest }])),
            false => (label.clone(), None),
        };
        CompletionItem {
            label: visible(&label).into_owned(),
            kind: Some(CompletionItemKind::ENUM_MEMBER),
            sort_text: Some(number.to_string()),
            filter_text: Some(label),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit { range: whole, new_text })),
            additional_text_edits: added,
            ..CompletionItem::default()
        }
    };
    marks.iter().enumerate().map(item).collect()
}

/// The value that holds beside the record, ready for its tag, and the date from which it holds, as written.
fn successor(facts: &Facts, record: usize) -> Option<(String, Option<String>)> {
    let text = facts.document.text;
    let group = &facts.groups[facts.group_of(record)? as usize];
    let is_open = |&&idx: &&u32| idx as usize != record && facts.document.records[idx as usize].tag.is_none();
    let next = &facts.document.records[*group.records().iter().rev().find(is_open)? as usize];
    let cells = matches!(facts.document.records[record].shape, Shape::Pipe | Shape::Row);
    let value = fold_blanks(next.value.of(text));
    let since = next.attributes.since().of(text);
    let value = tag_value(&value, cells && !is_secret(&value)).into_owned();
    Some((value, (!since.is_empty()).then(|| fold_blanks(since).into_owned())))
}

fn range(asked: &Asked, range: TextRange) -> Range {
    let document = asked.document;
    let position = |offset: usize| {
        let Place { line, character } = document.lines.place(&document.text, offset, asked.client.encoding);
        Position { line, character }
    };
    Range { start: position(range.start()), end: position(range.end()) }
}

impl Asked<'_> {
    /// The byte that the editor means.
    pub(super) fn offset(document: &Document, client: &Client, position: Position) -> usize {
        document.lines.offset(&document.text, place(position), client.encoding)
    }
}
