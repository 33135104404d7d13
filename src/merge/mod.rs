//! A three-way merge by records (SPEC 9): both sides' versions of each fact are kept and put in order, all other text is merged
//! line by line.
//!
//! In: three texts of one file and the [`Terms`]. Out: [`Merged`], the text, perhaps with git's conflict markers around what a
//! person must decide. Pure: nothing is read or written here, so that a merge is a function of strings.
//!
//! In reading order: `three` (one thing of each version), `endings` (how texts begin and end), `hunks` and `lines` (as git
//! merges), `entries` (which record is which), `fate` (which records stay), `own_text` (what each of them says), `compose`
//! (where they stand among the other lines), `groups`, `known` and `mending` (the order of versions, and the conflicts), `records` (the whole
//! road), `marked` and `markers`.
//!
//! Only written dates order a version of one side and a version of the other: neither position nor commits know of both.

mod compose;
mod endings;
mod entries;
mod fate;
mod groups;
mod hunks;
mod known;
mod lines;
mod marked;
mod markers;
mod mending;
mod own_text;
mod records;
mod three;

use crate::baseline::Accepted;
use crate::config::Config;
use chrono::NaiveDate;
use three::Three;

/// What git shows of a conflict (`merge.conflictStyle`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// Both sides.
    #[default]
    Merge,
    /// The base as well.
    Diff3,
    /// The base as well, and both sides without what they have alike at their ends.
    Zdiff3,
}

/// The three versions of a file.
#[derive(Clone, Copy, Debug)]
pub struct Versions<'a> {
    /// What both sides began with; empty where they added the file each for itself.
    pub base: &'a str,
    /// Our version.
    pub ours: &'a str,
    /// Their version.
    pub theirs: &'a str,
}

/// The words behind git's markers.
#[derive(Clone, Copy, Debug)]
pub struct Labels<'a> {
    /// Behind `|||||||`.
    pub base: &'a str,
    /// Behind `<<<<<<<`.
    pub ours: &'a str,
    /// Behind `>>>>>>>`.
    pub theirs: &'a str,
}

impl Default for Labels<'_> {
    fn default() -> Self {
        Self { base: "base", ours: "ours", theirs: "theirs" }
    }
}

/// All that decides about a merge beside the texts.
#[derive(Clone, Copy)]
pub struct Terms<'a> {
    /// The configuration of the file.
    pub config: &'a Config,
    /// All of the text is managed.
    pub whole_file: bool,
    /// The file holds older versions that were moved out of another one: it is in no order of its own.
    pub is_archive: bool,
    /// The day.
    pub today: NaiveDate,
    /// How conflicts are shown.
    pub style: Style,
    /// How many characters a marker has.
    pub marker_size: usize,
    /// The words behind the markers.
    pub labels: Labels<'a>,
    /// What a person declared that our side does to the base.
    pub meant_by_us: &'a Accepted,
    /// What a person declared that their side does to the base.
    pub meant_by_them: &'a Accepted,
    /// Their side takes a commit back: what it lacks is meant to be gone.
    pub reverting: bool,
}

/// What a person must decide.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Conflict {
    /// Two values of this fact that nothing orders, or two wordings of one record.
    Fact(String),
    /// Text that is no record.
    Text,
}

/// A text after a merge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Merged {
    /// The text, with markers around each conflict.
    pub text: String,
    /// The conflicts, in no order.
    pub conflicts: Vec<Conflict>,
    /// Why the text was merged line by line although it has records: a person should look at it, conflicts or not.
    pub by_lines: Option<String>,
}

impl Merged {
    /// Nothing is left to decide.
    pub fn is_clean(&self) -> bool {
        self.conflicts.is_empty() && self.by_lines.is_none()
    }

    fn clean(text: &str) -> Self {
        Self { text: text.to_owned(), conflicts: Vec::new(), by_lines: None }
    }
}

/// Merges three versions of a file line by line, for the reason `why`.
pub fn by_lines(versions: &Versions, terms: &Terms, why: String) -> Merged {
    let Versions { base, ours, theirs } = *versions;
    let (texts, endings) = endings::take(Three { base, ours, theirs });
    let merged = lines::merge(texts.each().map(AsRef::as_ref), terms);
    let marker = (!merged.conflicts.is_empty()).then_some(terms.marker_size);
    Merged { text: endings.put_back(merged.text, merged.closed, marker), conflicts: merged.conflicts, by_lines: Some(why) }
}

/// Merges three versions of a file. A version that the other side did not change comes out byte for byte.
pub fn merge(versions: &Versions, terms: &Terms) -> Merged {
    let Versions { base, ours, theirs } = *versions;
    if ours == theirs || theirs == base {
        return Merged::clean(ours);
    }
    if ours == base {
        return Merged::clean(theirs);
    }
    let (texts, endings) = endings::take(Three { base, ours, theirs });
    let texts = texts.each().map(AsRef::as_ref);
    let (merged, by_lines) = match records::merge(texts, terms) {
        Ok(merged) => (merged, None),
        Err(records::Stop::Unmanaged) => (lines::merge(texts, terms), None),
        Err(records::Stop::Untrusted(why)) => (lines::merge(texts, terms), Some(why)),
    };
    let marker = (!merged.conflicts.is_empty()).then_some(terms.marker_size);
    Merged { text: endings.put_back(merged.text, merged.closed, marker), conflicts: merged.conflicts, by_lines }
}
