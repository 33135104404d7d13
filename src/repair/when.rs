//! WHEN: the date that a tag gives (SPEC 5).

use super::analysis::Day;
use crate::config::Config;
use crate::facts::{Origin, Version, tag_value};
use crate::syntax::date::{self, Written};
use crate::syntax::{Named, Status};
use crate::text::{TextRange, fold_value, is_same_key};
use std::borrow::Cow;

/// The date of `successor` for the tag of `before`: its effective date as written, else the date in its source as written (not
/// if the source is the old one's, unchanged), else the day of the commit that brought it in, else today.
pub(super) fn when<'a>(successor: &Version<'a>, before: &Version, config: &Config, day: &Day) -> Option<Cow<'a, str>> {
    written(successor, before, config).map(|(text, _)| text).or_else(|| brought_in(successor, day).map(Cow::Owned))
}

/// What the tag said that `before` had in the baseline, where it names `successor`: it comes back as it was.
pub(super) fn lost_words(before: &Version, successor: &Version, config: &Config) -> Option<Named> {
    let is_it = |text: &str| {
        let value = config.canonical_value(fold_value(text));
        value == successor.value || value == fold_value(&tag_value(successor.raw_value(), false))
    };
    before.lost_tag?.split(&is_it).filter(|named| is_it(&named.value))
}

/// The date that is written in `successor`, as text and as read.
pub(crate) fn written<'a>(successor: &Version<'a>, before: &Version, config: &Config) -> Option<(Cow<'a, str>, Written)> {
    let attributes = &successor.record.attributes;
    if let Some(found) = in_attribute(successor.text, attributes.since(), config) {
        return Some(found);
    }
    // The day that a scheduled record's tag gives is the one on which it becomes true, and goes with the tag.
    let scheduled = successor.tag().filter(|tag| tag.status == Status::Scheduled);
    if let Some(found) = scheduled.and_then(|tag| in_text(tag.when.as_deref()?, config)) {
        return Some(found);
    }
    let source = |version: &Version<'_>| version.record.attributes.source();
    let is_same = || is_same_key(source(successor).of(successor.text), source(before).of(before.text));
    if attributes.source().is_empty() || is_same() {
        return None;
    }
    in_attribute(successor.text, attributes.source(), config)
}

/// The date in an attribute, as written and as read.
pub(super) fn in_attribute<'t>(text: &'t str, range: TextRange, config: &Config) -> Option<(Cow<'t, str>, Written)> {
    in_text(range.of(text), config)
}

/// The date in the text of an attribute, as written and as read.
pub(crate) fn in_text<'t>(body: &'t str, config: &Config) -> Option<(Cow<'t, str>, Written)> {
    if body.is_empty() {
        return None;
    }
    // A bare year is a date only where it is all.
    let part = date::find(body, config.date_order).map(|found| (crate::text::fold_blanks(found.range.of(body)), found.written));
    let found = part.or_else(|| date::read_whole(body, config.date_order).map(|written| (crate::text::fold_blanks(body), written)))?;
    (!matches!(found.1, Written::Relative | Written::Invalid)).then_some(found)
}

/// The day on which the version came into the file.
fn brought_in(version: &Version, day: &Day) -> Option<String> {
    let iso = |date: chrono::NaiveDate| date.format("%Y-%m-%d").to_string();
    if day.revisions.is_empty() {
        return None;
    }
    match (version.came as usize, version.origin) {
        (came, _) if came >= day.revisions.len() => Some(iso(day.today)),
        (0, Origin::File(record)) => day.commit_of.and_then(|commit_of| commit_of(record)).map(iso),
        (came, _) => day.revisions[came].map(iso),
    }
}
