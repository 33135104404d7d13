//! `forget`: a value is erased, wherever a text of the file has it.
//!
//! The same [`Erasure`] goes over the file, its archive and every text that the journal keeps: records of the fact lose the
//! value, tags that quote it too, and what is long enough to be no common word goes from all other text as well.

use super::view::{at_line, find};
use super::{Name, Plan, Refusal, World, iso};
use crate::config::Config;
use crate::facts::{Facts, is_secret, value_key};
use crate::repair::{delete_block, redaction};
use crate::syntax::{HEADINGS, Reading, Record, Shape, Status, parse};
use crate::text::{Patch, TextEdit, TextRange, count, fold_key, fold_value};
use chrono::NaiveDate;

/// What stands where a value was.
const ERASED: &str = "[redacted]";

/// A value of fewer characters is a common word: outside its own records it may mean anything.
const RARE: usize = 8;

/// What `forget` is to erase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erasure {
    /// The fact, for people.
    pub key: String,
    name: Name,
    /// The explicit subject, folded.
    subject: Option<String>,
    /// The headings above the records that count, folded.
    path: String,
    /// Only this value, folded; all values of the fact where there is none.
    only: Option<String>,
    /// The values as they are written.
    pub values: Vec<String>,
}

/// What is meant by KEY.
#[derive(Clone, Copy, Debug)]
pub enum Which<'a> {
    /// A fact, and perhaps one of its values.
    Fact(&'a str, Option<&'a str>),
    /// The record at a line, from 1.
    Line(usize),
}

/// Finds what is to be erased from the file's text.
///
/// # Errors
/// [`Refusal`].
pub fn erasure(text: &str, world: &World, which: Which) -> Result<Erasure, Refusal> {
    let document = parse(text, Reading { config: world.config, whole_file: world.whole_file, also: None });
    let facts = Facts::new(&document, world.config);
    let (number, only) = match which {
        Which::Fact(key, value) => (find(&facts, key, None)?, value.map(|value| world.config.canonical_value(fold_value(value)))),
        Which::Line(line) => {
            let record = at_line(&document, line)?;
            let statement =
                || Refusal::No(format!("line {line} is a statement and has no key; take it out by hand, then `memfile accept`"));
            (facts.group_of(record as usize).ok_or_else(statement)?, Some(facts.value_key(record)))
        }
    };
    let group = &facts.groups[number as usize];
    let space = &facts.spaces[group.space() as usize];
    let records = group.records().iter().map(|&record| &document.records[record as usize]);
    let meant = |record: &&Record| only.as_ref().is_none_or(|only| value_key(&document, record, world.config) == *only);
    let values: Vec<String> = records.filter(meant).map(|record| record.value.of(text).to_owned()).collect();
    let key = facts.name(group.records()[0]).into_owned();
    if values.is_empty() {
        return Err(Refusal::No(format!("`{key}` has no such value")));
    }
    let scope = space.scope.map(|scope| document.scopes[scope as usize].key.clone());
    Ok(Erasure {
        key,
        name: Name { space: space.key.clone(), parameter: group.parameter.to_string() },
        subject: space.subject.as_deref().filter(|_| space.explicit).map(fold_key),
        path: scope.unwrap_or_default(),
        only,
        values: values.into_iter().filter(|value| !value.is_empty()).collect(),
    })
}

/// `forget KEY`: the file's own text.
///
/// # Errors
/// [`Refusal`].
pub fn forget(text: &str, world: &World, which: Which) -> Result<(Plan, Erasure), Refusal> {
    let erasure = erasure(text, world, which)?;
    if erasure.values.is_empty() {
        let said = format!("`{}` is erased already; nothing changed", erasure.key);
        return Ok((Plan::nothing(said), erasure));
    }
    let after = erasure.erase(text, world.config, world.whole_file, Some(world.today));
    let said = format!("{}: {} erased", erasure.key, count(erasure.values.len(), "value"));
    let name = erasure.name.clone();
    let plan = Plan { after, said, key: erasure.key.clone(), declared: Vec::new(), touched: vec![name] };
    Ok((plan, erasure))
}

impl Erasure {
    /// `text` without the values; `None` where it has none of them. One record of the fact stays as erased on `today`; none in
    /// the archive, for which there is no day.
    pub fn erase(&self, text: &str, config: &Config, whole_file: bool, today: Option<NaiveDate>) -> Option<String> {
        let document = parse(text, Reading { config, whole_file: whole_file || today.is_none(), also: None });
        let facts = Facts::new(&document, config);
        let mut patch = Patch::default();
        let mut values = self.values.clone();
        for (number, group) in facts.groups.iter().enumerate() {
            if !self.means(&facts, number) {
                continue;
            }
            let records: Vec<&Record> = group.records().iter().map(|&record| &document.records[record as usize]).collect();
            let erased = |record: &Record| record.tag.as_ref().is_some_and(|tag| tag.status == Status::Redacted);
            let gone: Vec<&Record> =
                records.iter().copied().filter(|record| !erased(record) && self.has(&document, record, config)).collect();
            values.extend(gone.iter().map(|record| record.value.of(text).to_owned()).filter(|value| !value.is_empty()));
            let keeps = self.only.is_some() || !records.iter().any(|record| erased(record));
            let open = gone.iter().rposition(|record| record.tag.is_none());
            let stays = open.or(gone.len().checked_sub(1)).filter(|_| keeps && today.is_some());
            for (idx, record) in gone.iter().enumerate() {
                let edits = match today {
                    Some(today) if Some(idx) == stays => redacted(text, record, &iso(today), config),
                    _ => vec![delete_block(text, record.block)],
                };
                patch.try_add(&edits);
            }
            // Tags of versions that stay name what is gone.
            for record in records.iter().filter(|record| !gone.iter().any(|other| other.block == record.block)) {
                let Some(tag) = record.tag.as_deref() else { continue };
                let named = tag.split(&|words| self.is_value(words, config)).filter(|named| self.is_value(&named.value, config));
                let at = named.and_then(|named| tag.range.of(text).find(&named.value).map(|at| (at, named.value.len())));
                if let Some((at, len)) = at {
                    let start = tag.range.start() + at;
                    patch.try_add(&[TextEdit::replace(TextRange::new(start, start + len), ERASED)]);
                }
            }
        }
        let erased = without(&patch.apply(text), &values, false);
        (erased != text).then_some(erased)
    }

    /// Learns the values that the fact had in another text.
    pub fn learn(&mut self, text: &str, config: &Config, whole_file: bool) {
        let document = parse(text, Reading { config, whole_file, also: None });
        let facts = Facts::new(&document, config);
        let meant: Vec<usize> = (0..facts.groups.len()).filter(|&number| self.means(&facts, number)).collect();
        for number in meant {
            for record in facts.groups[number].records().iter().map(|&record| &document.records[record as usize]) {
                let value = record.value.of(text);
                if !value.is_empty() && self.has(&document, record, config) && !self.values.iter().any(|known| known == value) {
                    self.values.push(value.to_owned());
                }
            }
        }
    }

    /// A command line or a single record without the values.
    pub fn erase_words(&self, text: &str) -> Option<String> {
        let erased = without(text, &self.values, true);
        (erased != text).then_some(erased)
    }

    /// True where a text has one of the values, as a word of its own.
    pub fn is_in(&self, text: &str) -> bool {
        self.values.iter().any(|value| !places(text, value).is_empty())
    }

    fn means(&self, facts: &Facts, number: usize) -> bool {
        let group = &facts.groups[number];
        let space = &facts.spaces[group.space() as usize];
        if group.parameter != self.name.parameter {
            return false;
        }
        match (&self.subject, space.explicit) {
            (Some(subject), true) => space.subject.as_deref().map(fold_key).as_ref() == Some(subject),
            (None, false) => {
                // The archive and older texts may stand under other headings above the region.
                let scope = space.scope.map(|scope| facts.document.scopes[scope as usize].key.as_str()).unwrap_or_default();
                space.key == self.name.space
                    || scope == self.path
                    || scope.strip_suffix(self.path.as_str()).is_some_and(|above| above.ends_with(HEADINGS))
                    || self.path.is_empty()
            }
            _ => false,
        }
    }

    fn has(&self, document: &crate::syntax::Document, record: &Record, config: &Config) -> bool {
        self.only.as_ref().is_none_or(|only| value_key(document, record, config) == *only)
    }

    fn is_value(&self, words: &str, config: &Config) -> bool {
        let folded = config.canonical_value(fold_value(words));
        let cut = |value: &String| config.canonical_value(fold_value(&crate::facts::tag_value(value, false)));
        self.values.iter().any(|value| config.canonical_value(fold_value(value)) == folded || cut(value) == folded)
    }
}

/// The record with its value erased, and without its children: they spoke of the value.
fn redacted(text: &str, record: &Record, today: &str, config: &Config) -> Vec<TextEdit> {
    let mut edits = redaction(text, record, today, config);
    if !record.children().is_empty() {
        edits.push(TextEdit::delete(record.children()));
    }
    if let Some(opening) = record.tag.as_deref().and_then(|tag| tag.opening) {
        let behind = &text[opening.end()..record.head.end()];
        let blanks = behind.len() - behind.trim_start().len();
        edits.push(TextEdit::delete(TextRange::new(opening.start(), opening.end() + blanks)));
    }
    if record.shape == Shape::KeyValue {
        let before = TextRange::new(record.head.start(), record.value.start()).of(text);
        if before.ends_with("~~") {
            edits.push(TextEdit::delete(TextRange::new(record.value.start() - 2, record.value.start())));
        }
    }
    edits
}

/// Erases values wherever they stand as words of their own: those that are no common words, or all of them.
fn without(text: &str, values: &[String], all: bool) -> String {
    let mut out = text.to_owned();
    let mut sorted: Vec<&String> = values.iter().filter(|value| all || is_rare(value)).collect();
    sorted.sort_by_key(|value| std::cmp::Reverse(value.len()));
    for value in sorted {
        for at in places(&out, value).into_iter().rev() {
            out.replace_range(at..at + value.len(), ERASED);
        }
    }
    out
}

/// Long enough, and no plain words: a value like this is not written by chance.
fn is_rare(value: &str) -> bool {
    let chars = value.chars().count();
    is_secret(value) || (chars >= RARE && value.chars().any(|c| !c.is_alphabetic() && !c.is_whitespace())) || chars >= 3 * RARE
}

/// Where `value` stands in `text`, not within a longer word.
fn places(text: &str, value: &str) -> Vec<usize> {
    if value.is_empty() {
        return Vec::new();
    }
    let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let free = |at: &usize| {
        let (before, behind) = (&text[..*at], &text[at + value.len()..]);
        let starts = !(word(before.chars().next_back()) && word(value.chars().next()));
        starts && !(word(behind.chars().next()) && word(value.chars().next_back()))
    };
    text.match_indices(value).map(|(at, _)| at).filter(free).collect()
}
