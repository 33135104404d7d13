//! What queries tell of facts: versions with their standing on the day of the run, and the chain of them that a fact is.

use crate::config::Cardinality;
use crate::syntax::date::{Date, Written};
use chrono::NaiveDate;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Where a version stands on the day of the run (SPEC 5): derived, so that a file that was not fixed yet answers like a fixed one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Holds now.
    Current,
    /// Was true; another value replaced it.
    Historical,
    /// Was true; nothing replaced it.
    Ended,
    /// Was deleted from the file.
    Removed,
    /// Was never true.
    Retracted,
    /// Will hold.
    Scheduled,
    /// Its value was erased on purpose.
    Redacted,
}

impl Standing {
    /// The word for it, in JSON and tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Historical => "historical",
            Self::Ended => "ended",
            Self::Removed => "removed",
            Self::Retracted => "retracted",
            Self::Scheduled => "scheduled",
            Self::Redacted => "redacted",
        }
    }

    /// Was true once, and is not now.
    pub fn is_past(self) -> bool {
        matches!(self, Self::Historical | Self::Ended | Self::Removed)
    }
}

/// What a version says, for finding it in other texts of its file.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Content {
    /// The key of its space (see [`crate::facts::Space`]).
    pub space: String,
    /// The parameter, folded; empty for a statement.
    pub parameter: String,
    /// The value, folded.
    pub value: String,
    /// It is the n-th version of its fact with that value, from 1: a value that comes back is another version.
    pub nth: usize,
    /// It is tagged: history that came back, so it may be missing from the newest texts.
    pub is_tagged: bool,
}

/// One version of a fact.
#[derive(Clone, Debug)]
pub struct Version {
    /// The name of the file in reports.
    pub file: Arc<str>,
    /// Its line, from 1; `None` for a record that the baseline has and the file lost.
    pub line: Option<usize>,
    /// The explicit subject, else the headings below the region's own, joined by ` / `.
    pub subject: Option<String>,
    /// The parameter as written, without markup; `None` for a statement.
    pub parameter: Option<String>,
    /// The value as written, on one line; `None` where it was erased.
    pub value: Option<String>,
    /// Where it stands.
    pub standing: Standing,
    /// Who or when it was said, as written.
    pub source: Option<String>,
    /// The recorded clock: the date in the source, else that of the commit or step that brought it in, once it was traced.
    pub recorded: Option<Date>,
    /// The source says when; `recorded` needs no look at history.
    pub said: Option<Written>,
    /// The effective clock: `since`.
    pub effective: Option<Date>,
    /// The last day on which it holds.
    pub until: Option<Date>,
    /// When it stopped to hold (historical, ended, removed, retracted), or will begin (scheduled).
    pub as_of: Option<Date>,
    /// The same in words, where they have no ISO form.
    pub as_of_text: Option<String>,
    /// The successor's value.
    pub replaced_by: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// The tag as written, on one line; `None` where there is none in words.
    pub tag: Option<String>,
    /// What it says, folded.
    pub content: Content,
    /// It is in the file and in no commit yet: the memory learned it today.
    pub is_new: bool,
}

/// A fact: all versions of one parameter of one subject.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The subject, if there is one.
    pub subject: Option<String>,
    /// The subject is explicit, no heading path.
    pub is_explicit: bool,
    /// The parameter, folded, aliases resolved; empty for a statement.
    pub parameter: String,
    /// How many values hold at a time.
    pub cardinality: Cardinality,
    /// Oldest first, in the order of the group; retracted ones where they stood, scheduled ones last.
    pub versions: Vec<Version>,
    /// Versions of which nothing says which one holds (numbers in `versions`); empty where that is clear.
    pub unsettled: Vec<usize>,
}

impl Chain {
    /// The versions that hold now: one, none, or of `many` several. None where it is unsettled.
    pub fn current(&self) -> impl Iterator<Item = &Version> {
        let is_current = |version: &&Version| version.standing == Standing::Current && self.unsettled.is_empty();
        self.versions.iter().filter(is_current)
    }

    /// The version that speaks for the fact: the current one, else the last that is neither retracted nor scheduled, else the last.
    pub fn head(&self) -> Option<&Version> {
        let told = |version: &&Version| !matches!(version.standing, Standing::Retracted | Standing::Scheduled | Standing::Redacted);
        let current = self.versions.iter().rev().find(|version| version.standing == Standing::Current);
        current.or_else(|| self.versions.iter().rev().find(told)).or(self.versions.last())
    }

    /// The fact's name for people: `subject/parameter`, or the parameter where there is no subject.
    pub fn name(&self) -> String {
        let parameter = self.versions.first().and_then(|version| version.parameter.as_deref()).unwrap_or(&self.parameter);
        self.subject.as_ref().map_or_else(|| parameter.to_owned(), |subject| format!("{subject}/{parameter}"))
    }

    /// Numbers the versions that have one value, from the oldest on, among those of one file; what the file lost counts apart.
    pub(super) fn number_values(&mut self) {
        let mut counts: FxHashMap<(Arc<str>, bool, String), usize> = FxHashMap::default();
        for version in &mut self.versions {
            let place = (Arc::clone(&version.file), version.line.is_some(), version.content.value.clone());
            let count = counts.entry(place).or_default();
            *count += 1;
            version.content.nth = *count;
        }
    }

    /// The contents whose coming must be looked up in history, and the numbers of their versions.
    pub fn undated(&self) -> impl Iterator<Item = (usize, &Content)> {
        let versions = self.versions.iter().enumerate();
        versions.filter(|(_, version)| version.recorded.is_none()).map(|(idx, version)| (idx, &version.content))
    }

    /// Once the versions are dated: an untagged older version stopped to hold when its successor came.
    pub fn date_successions(&mut self, today: NaiveDate) {
        for idx in 0..self.versions.len() {
            let version = &self.versions[idx];
            if version.standing != Standing::Historical || version.as_of.is_some() || version.as_of_text.is_some() || version.tag.is_some()
            {
                continue;
            }
            let is_next = |other: &&Version| {
                (other.standing.is_past() || other.standing == Standing::Current) && other.content.value != version.content.value
            };
            let next = self.versions[idx + 1..].iter().find(is_next);
            let came = next.and_then(|next| next.recorded.or(next.is_new.then(|| Date::day(today))));
            self.versions[idx].as_of = came;
        }
    }
}
