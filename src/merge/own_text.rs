//! What a record says after the merge: its words, its tag and the lines below it, each from the side that changed it.
//!
//! In: the record in each version. Out: [`Said`]. A tag that both sides changed is left for the order of versions to decide.

use super::entries::{Entries, without_tag};
use super::three::{Side, Three};
use crate::facts::Facts;
use crate::repair::{copy_tag, take_tag};
use crate::syntax::{Form, Record, Status, Tag};
use crate::text::{Patch, TextEdit, TextRange};

/// The block of a record after the merge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Said {
    /// One text.
    Text(String),
    /// Two texts that differ in their tags, ours and theirs: the order of versions tells which is right.
    Either(String, String),
    /// Both sides changed it, and nothing tells which is meant.
    Clash,
}

/// What a record says in one version.
struct Parts<'a> {
    text: &'a str,
    record: &'a Record,
    /// The lines of its own, without the tag.
    words: String,
    /// The lines below.
    below: &'a str,
    /// The tag as written.
    tag: String,
}

impl<'a> Parts<'a> {
    fn new(facts: &'a Facts<'a, 'a>, number: u32) -> Self {
        let (text, record) = (facts.document.text, &facts.document.records[number as usize]);
        let own = TextRange::new(record.block.start(), record.children().start());
        let tag = record.tag.as_deref();
        let written = |range: Option<TextRange>| range.map_or("", |range| range.of(text));
        Self {
            text,
            record,
            words: without_tag(text, record, own),
            below: TextRange::new(record.children().start(), record.block.end()).of(text),
            tag: format!("{}{}", written(tag.and_then(|tag| tag.opening)), written(tag.map(|tag| tag.range))),
        }
    }

    /// The lines of its own with the tag of `other`.
    fn tagged_as(&self, other: &Self) -> Option<String> {
        let lines = |part: &Self| TextRange::new(part.record.block.start(), part.record.children().start());
        let own = lines(self);
        if self.tag == other.tag {
            return Some(own.of(self.text).to_owned());
        }
        if self.words == other.words {
            return Some(lines(other).of(other.text).to_owned());
        }
        // Such tags are no piece of their own that could be put on other words.
        let is_apart = |tag: &Tag| tag.opening.is_none() && !tag.range.is_empty() && matches!(tag.form, Form::Bracket | Form::Inside);
        if [self, other].into_iter().any(|part| part.record.tag.as_deref().is_some_and(|tag| !is_apart(tag))) {
            return None;
        }
        let edits = match other.record.tag {
            Some(_) => copy_tag(self.text, self.record, other.text, other.record)?,
            None => take_tag(self.text, self.record).into_vec(),
        };
        let shift = |edit: &TextEdit| {
            let (start, end) = (edit.range.start() - own.start(), edit.range.end() - own.start());
            TextEdit::replace(TextRange::new(start, end), edit.text.clone())
        };
        let shifted: Vec<TextEdit> = edits.iter().filter(|edit| own.covers(edit.range)).map(shift).collect();
        let mut patch = Patch::default();
        (shifted.len() == edits.len() && patch.try_add(&shifted)).then(|| patch.apply(own.of(self.text)))
    }
}

/// What entry `number` says, where at least one side has it.
pub(super) fn said(entries: &Entries, number: u32) -> Said {
    let entry = entries.list[number as usize];
    let (ours, theirs) = match (entry.ours, entry.theirs) {
        (Some(ours), Some(theirs)) => (ours, theirs),
        _ => {
            let block = entries.block(number, Side::Ours).or(entries.block(number, Side::Theirs));
            return Said::Text(block.unwrap_or_default().to_owned());
        }
    };
    let blocks =
        Three { base: entries.base_block(number), ours: entries.block(number, Side::Ours), theirs: entries.block(number, Side::Theirs) };
    if let Some(Some(block)) = blocks.settled() {
        return Said::Text(block.to_owned());
    }
    let facts = entries.facts;
    let base = entry.base.map(|record| Parts::new(facts.base, record));
    both(base.as_ref(), &Parts::new(facts.ours, ours), &Parts::new(facts.theirs, theirs)).unwrap_or(Said::Clash)
}

fn both(base: Option<&Parts>, ours: &Parts, theirs: &Parts) -> Option<Said> {
    let below = below(base, ours, theirs)?;
    let words = words(base, ours, theirs)?;
    let whole = |own: String| format!("{own}{below}");
    let tag = |part: &Parts| part.tag.clone();
    // A record that both sides added carried no tag before.
    let tags = Three { base: base.map_or(String::new(), tag), ours: tag(ours), theirs: tag(theirs) };
    let tagged = |by: &Parts| words.tagged_as(by).map(whole);
    match tags.clone().settled() {
        Some(tag) => Some(Said::Text(tagged(if tag == tags.ours { ours } else { theirs })?)),
        None => match stronger(ours.record.tag.as_deref(), theirs.record.tag.as_deref()) {
            Stronger::Ours => Some(Said::Text(tagged(ours)?)),
            Stronger::Theirs => Some(Said::Text(tagged(theirs)?)),
            Stronger::Either => Some(Said::Either(tagged(ours)?, tagged(theirs)?)),
            Stronger::Neither => None,
        },
    }
}

/// The side whose words hold.
fn words<'p, 'a>(base: Option<&Parts>, ours: &'p Parts<'a>, theirs: &'p Parts<'a>) -> Option<&'p Parts<'a>> {
    if ours.words == theirs.words {
        return Some(ours);
    }
    let Some(base) = base else {
        // Of two that were added apart the one that says where it is from.
        return Some(if ours.words.len() >= theirs.words.len() { ours } else { theirs });
    };
    if base.words == ours.words {
        Some(theirs)
    } else if base.words == theirs.words {
        Some(ours)
    } else {
        None
    }
}

fn below(base: Option<&Parts>, ours: &Parts, theirs: &Parts) -> Option<String> {
    let texts = Three { base: base.map_or("", |base| base.below), ours: ours.below, theirs: theirs.below };
    match texts.settled() {
        Some(text) => Some(text.to_owned()),
        None => super::lines::clean(texts),
    }
}

/// Which of two tags holds.
enum Stronger {
    Ours,
    Theirs,
    Either,
    Neither,
}

fn stronger(ours: Option<&Tag>, theirs: Option<&Tag>) -> Stronger {
    let (Some(ours), Some(theirs)) = (ours, theirs) else { return Stronger::Neither };
    // What was erased or never true is so whatever else is said; what was put back, or will hold, gives way to what is known.
    let weight = |tag: &Tag| match tag.status {
        Status::Redacted => 4,
        Status::Retracted => 3,
        Status::Historical | Status::Ended => 2,
        Status::Removed => 1,
        Status::Scheduled => 0,
    };
    match weight(ours).cmp(&weight(theirs)) {
        std::cmp::Ordering::Greater => Stronger::Ours,
        std::cmp::Ordering::Less => Stronger::Theirs,
        std::cmp::Ordering::Equal => match (ours.status, theirs.status) {
            (Status::Historical, Status::Historical) => match (&ours.named, &theirs.named) {
                (Some(_), None) => Stronger::Ours,
                (None, Some(_)) => Stronger::Theirs,
                _ => Stronger::Either,
            },
            // Erased, never true or put back on two days: it is so on both.
            (Status::Redacted, _) | (Status::Retracted, _) | (Status::Removed, _) => Stronger::Ours,
            // Ended, and replaced as well.
            _ => Stronger::Neither,
        },
    }
}
