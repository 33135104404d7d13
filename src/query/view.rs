//! From a record to a version: what it says, read where it stands.

use super::version::{Content, Standing, Version};
use crate::config::Config;
use crate::facts::{Facts, one_line, value_key};
use crate::syntax::date::{self, Date, Written};
use crate::syntax::{Record, Shape, Tag};
use crate::text::{LineIndex, TextRange, fold_blanks, strip_markup};
use std::sync::Arc;

/// A text with its name and its lines.
pub(super) struct Page<'a> {
    pub(super) file: Arc<str>,
    pub(super) lines: LineIndex,
    pub(super) facts: &'a Facts<'a, 'a>,
}

/// The version that record `idx` of `facts` is; the standing, the tag's words and the order are the caller's. `lines`: of the
/// file, where the record is in it.
pub(super) fn view(file: &Arc<str>, lines: Option<&LineIndex>, facts: &Facts, idx: u32) -> Version {
    let (document, config) = (facts.document, facts.config);
    let record = &document.records[idx as usize];
    let text = document.text;
    let dates = facts.dates[idx as usize];
    let space = &facts.spaces[facts.space_of(idx as usize) as usize];
    let is_erased = record.value.is_empty() && record.tag.is_some();
    let parameter = (record.shape != Shape::Statement).then(|| strip_markup(&line(text, record.parameter)).into_owned());
    let folded = facts.group_of(idx as usize).map(|group| facts.groups[group as usize].parameter.to_string());
    let tag = record.tag.as_deref();
    let (as_of, as_of_text) = tag.and_then(|tag| tag.when.as_deref()).map_or((None, None), |when| when_of(when, config));
    Version {
        file: Arc::clone(file),
        line: lines.map(|lines| lines.line(text, record.head.start())),
        subject: space.subject.as_deref().map(str::to_owned),
        parameter,
        value: (!is_erased).then(|| value(text, record)),
        standing: Standing::Current,
        source: filled(text, record, record.attributes.source()),
        recorded: day(dates.recorded),
        said: dates.recorded,
        effective: day(dates.effective),
        until: day(dates.until),
        as_of,
        as_of_text,
        replaced_by: None,
        reason: tag.and_then(|tag| tag.reason.as_deref().map(str::to_owned)).or_else(|| filled(text, record, record.attributes.reason())),
        tag: tag.and_then(|tag| words(text, tag)),
        content: Content {
            space: space.key.clone(),
            parameter: folded.unwrap_or_default(),
            value: value_key(document, record, config),
            nth: 1,
            is_tagged: tag.is_some(),
        },
        is_new: false,
    }
}

/// A calendar date, if one was written.
pub(super) fn day(written: Option<Written>) -> Option<Date> {
    match written {
        Some(Written::Date(date)) => Some(date),
        _ => None,
    }
}

/// WHEN as a date, else its words.
pub(super) fn when_of(when: &str, config: &Config) -> (Option<Date>, Option<String>) {
    let read = date::read_whole(when, config.date_order);
    match read.or_else(|| date::find(when, config.date_order).map(|found| found.written)) {
        Some(Written::Date(date)) => (Some(date), None),
        _ => (None, Some(fold_blanks(when).into_owned())),
    }
}

/// The value as written, on one line; a statement without the date that opens it.
fn value(text: &str, record: &Record) -> String {
    let since = record.attributes.since();
    let opens = record.shape == Shape::Statement && !since.is_empty() && since.start() == record.value.start() + 1;
    let range = if opens { TextRange::new(since.end() + 1, record.value.end()).trimmed(text) } else { record.value };
    unescaped(record, line(text, range))
}

fn line(text: &str, range: TextRange) -> String {
    one_line(range.of(text)).into_owned()
}

fn filled(text: &str, record: &Record, range: TextRange) -> Option<String> {
    (!range.is_empty()).then(|| unescaped(record, line(text, range)))
}

/// In cells a bar is written `\|`.
fn unescaped(record: &Record, written: String) -> String {
    let cells = matches!(record.shape, Shape::Pipe | Shape::Row);
    if cells && written.contains("\\|") { written.replace("\\|", "|") } else { written }
}

/// The tag in words: its status word first, wherever that stands.
fn words(text: &str, tag: &Tag) -> Option<String> {
    let opening = tag.opening.map_or("", |range| range.of(text));
    let words = format!("{opening} {}", tag.range.of(text));
    let words = fold_blanks(&words);
    words.starts_with('[').then(|| words.into_owned())
}
