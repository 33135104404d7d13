//! One version of a fact: a record with its two dates and its state on the day of the run.

use crate::config::Config;
use crate::syntax::date::{self, Written};
use crate::syntax::{Document, Record, Shape, Status, Tag};
use crate::text::TextRange;
use chrono::NaiveDate;
use smol_str::SmolStr;
use std::borrow::Cow;

/// The dates written on a record.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Dates {
    /// `since`: when it became true.
    pub effective: Option<Written>,
    /// The date in `source`: when it was said.
    pub recorded: Option<Written>,
    /// `until`: the last day on which it holds.
    pub until: Option<Written>,
}

impl Dates {
    /// Reads the attributes of `record`.
    pub fn of(document: &Document, record: &Record, config: &Config) -> Self {
        let read = |range: TextRange| {
            let text = range.of(document.text);
            if text.is_empty() {
                return None;
            }
            // Most sources are words with a date among them; a bare year is a date only where it is all.
            let found = date::find(text, config.date_order).map(|found| found.written);
            found.filter(|written| written.orders()).or_else(|| date::read_whole(text, config.date_order)).or(found)
        };
        // A scheduled record may say in its tag alone from when it will hold.
        let scheduled = || {
            let tag = record.tag.as_deref().filter(|tag| tag.status == Status::Scheduled)?;
            tag.when.as_deref().and_then(|when| date::read_whole(when, config.date_order))
        };
        Self {
            effective: read(record.attributes.since()).or_else(scheduled),
            recorded: read(record.attributes.source()),
            until: read(record.attributes.until()),
        }
    }

    /// The date that orders: the effective one, else the recorded one. A date that cannot order hides the one behind it.
    pub fn ordering(self) -> Option<Written> {
        self.effective.or(self.recorded).filter(|written| written.orders())
    }

    /// A date is written that cannot order.
    pub(crate) fn is_doubtful(self) -> bool {
        [self.effective, self.recorded, self.until].iter().flatten().any(|written| !written.orders())
    }

    /// No date is written at all, not even one that cannot be read with certainty.
    pub fn is_undated(self) -> bool {
        self.effective.is_none() && self.recorded.is_none()
    }
}

/// Where a version comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// A record of the file: its number in `Document::records`.
    File(u32),
    /// A record that the baseline had and the file lost: its number in the list of lost records.
    Lost(u32),
}

/// The state of a version on the day of the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    /// Carries no tag, and its dates say nothing against it.
    Live,
    /// Carries no tag, but its `until` is past.
    Expired,
    /// Tagged: replaced by another.
    Old,
    /// Tagged: ended or removed, without a successor.
    Closed,
    /// Tagged: never true.
    Retracted,
    /// Tagged: erased.
    Redacted,
    /// Will hold; tagged so or not.
    Scheduled,
    /// Tagged as scheduled, and its day has come.
    Due,
}

impl Life {
    /// Carries no tag that closes it: it is current, or should be told that it is not.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Live | Self::Expired | Self::Due)
    }

    /// Takes part in the chain of versions.
    pub fn is_version(self) -> bool {
        !matches!(self, Self::Retracted | Self::Redacted | Self::Scheduled)
    }
}

/// A record as a version of its fact.
#[derive(Clone, Debug)]
pub struct Version<'a> {
    /// Where the record is.
    pub origin: Origin,
    /// The record.
    pub record: &'a Record,
    /// The text that its ranges speak of.
    pub text: &'a str,
    /// Its state.
    pub life: Life,
    /// Its written dates.
    pub dates: Dates,
    /// Its value, folded, aliases resolved.
    pub value: SmolStr,
    /// When it came: 0 with the baseline, then the revisions after it, last the file.
    pub came: u32,
    /// Its place among those that came together.
    pub position: usize,
    /// Its place in the file; for a lost record the place to which it would come back.
    pub place: (usize, i32),
    /// The tag of history that it had in the baseline, and stands without now: it keeps its place in the order.
    pub lost_tag: Option<&'a Tag>,
}

impl<'a> Version<'a> {
    /// The value as written, on one line.
    pub fn written_value(&self) -> Cow<'a, str> {
        super::value::line_of(self.text, self.record.value)
    }

    /// The value as written, perhaps over several lines.
    pub(crate) fn raw_value(&self) -> &'a str {
        self.record.value.of(self.text)
    }

    /// The tag, if it carries one.
    pub fn tag(&self) -> Option<&'a Tag> {
        self.record.tag.as_deref()
    }

    /// It is current, or should be told that it is not, and was so in the baseline.
    pub fn stands_open(&self) -> bool {
        self.life.is_open() && self.lost_tag.is_none()
    }

    /// Pipe records and rows stand oldest to newest by their form.
    pub fn is_positional(&self) -> bool {
        matches!(self.record.shape, Shape::Pipe | Shape::Row)
    }

    /// The number of the file's record, if it is one.
    pub fn in_file(&self) -> Option<u32> {
        match self.origin {
            Origin::File(record) => Some(record),
            Origin::Lost(_) => None,
        }
    }
}

/// The state of `record` on `today`, seen alone.
pub(crate) fn life(record: &Record, dates: Dates, today: NaiveDate) -> Life {
    let Some(tag) = &record.tag else {
        if matches!(dates.effective, Some(Written::Date(date)) if date.first() > today) {
            return Life::Scheduled;
        }
        let past = matches!(dates.until, Some(Written::Date(date)) if date.past() <= today);
        return if past { Life::Expired } else { Life::Live };
    };
    match tag.status {
        Status::Historical => Life::Old,
        Status::Ended | Status::Removed => Life::Closed,
        Status::Retracted => Life::Retracted,
        Status::Redacted => Life::Redacted,
        Status::Scheduled => {
            let from = dates.effective.or_else(|| tag.when.as_deref().and_then(|when| date::read_whole(when, None)));
            let due = matches!(from, Some(Written::Date(date)) if date.first() <= today);
            if due { Life::Due } else { Life::Scheduled }
        }
    }
}
