//! Writing by command (SPEC 11): one operation on one fact, as the smallest change of the text.
//!
//! In: the text, a [`World`] that tells the day and what the text was, and the operation. Out: a [`Plan`] with the new text and a
//! sentence of what was done, or a [`Refusal`]. Nothing is read or written here, so that each operation can be tested on strings.
//!
//! In reading order: `view` (which fact is meant, and its versions in order), `shape` and `place` (how a new record is
//! written, and where), `settle` (the group's other tags, by the planner that `fix` uses), then the operations.

mod archive;
mod backfill;
mod correct;
mod drop;
mod end;
mod forget;
mod place;
mod restore;
mod reword;
mod set;
mod settle;
mod shape;
mod view;

pub(crate) use archive::most;
pub use archive::{Archived, archive};
pub use backfill::{Found, backfill};
pub use correct::{correct, reopen};
pub use drop::{drop, drop_line};
pub use end::end;
pub use forget::{Erasure, Which, erasure, forget};
pub use restore::restore;
pub use reword::{rename, rename_at, reword, reword_at};
pub use set::{Fact, add, set};

use crate::baseline::Declared;
use crate::check::Commit;
use crate::config::Config;
use crate::syntax::date::{self, Written};
use crate::text::{Patch, TextEdit};
use chrono::NaiveDate;

/// All that an operation may know beside the text.
#[derive(Clone, Copy)]
pub struct World<'a> {
    /// The configuration.
    pub config: &'a Config,
    /// All of the text is managed.
    pub whole_file: bool,
    /// The day.
    pub today: NaiveDate,
    /// The baseline and the revisions behind it, oldest first; asked only where the text alone does not order a fact.
    pub revisions: &'a dyn Fn() -> Vec<Commit>,
    /// The commits of the file, newest first; none outside git.
    pub commits: Option<&'a dyn Fn(usize) -> Option<Commit>>,
}

/// Why nothing was done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The operation cannot be asked for like that.
    Usage(String),
    /// The text does not allow it: the fact is not there, not unique, or not in order.
    No(String),
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Usage(message) | Self::No(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Refusal {}

/// The name of a group that holds over versions of a text.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Name {
    /// The key of its space.
    pub space: String,
    /// The parameter, folded, aliases resolved.
    pub parameter: String,
}

/// What an operation does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Plan {
    /// The text after; `None` where nothing changes.
    pub after: Option<String>,
    /// What was done, in a sentence.
    pub said: String,
    /// The fact, for the journal.
    pub key: String,
    /// What is meant to differ from the baseline.
    pub declared: Vec<Declared>,
    /// The facts that were touched; all others have the records they had.
    pub touched: Vec<Name>,
}

impl Plan {
    /// Nothing is to be done, for the reason `said`.
    fn nothing(said: impl Into<String>) -> Self {
        Self { said: said.into(), ..Self::default() }
    }
}

/// What an operation does to a text before the tags around it are mended.
struct Draft {
    edits: Vec<TextEdit>,
    /// The group that the edits belong to; a new one where it is not there yet.
    name: Option<Name>,
    key: String,
    said: String,
    declared: Vec<Declared>,
    /// Parameter and value of the record that the edits put in, as given.
    added: Option<(String, String)>,
    /// How many records the edits put in or (negative) take out.
    grown: isize,
}

impl Draft {
    /// The text after the edits.
    fn apply(&self, text: &str) -> Result<String, Refusal> {
        let mut patch = Patch::default();
        if patch.try_add(&self.edits) {
            return Ok(patch.apply(text));
        }
        Err(Refusal::No("the edits of this command disturb each other; nothing is written. This is a fault of memfile".to_owned()))
    }
}

/// A value, a name or a reason is one line and not empty.
fn one_line<'t>(what: &str, text: &'t str) -> Result<&'t str, Refusal> {
    if text.contains(['\n', '\r']) {
        return Err(Refusal::Usage(format!("{what} must stand on one line")));
    }
    let text = text.trim();
    if text.is_empty() { Err(Refusal::Usage(format!("{what} is empty"))) } else { Ok(text) }
}

/// Reads a date that was given on the command line.
fn given_date<'t>(option: &str, text: &'t str, config: &Config) -> Result<(&'t str, Written), Refusal> {
    let text = one_line(option, text)?;
    match date::read_whole(text, config.date_order) {
        Some(Written::Ambiguous) => Err(Refusal::Usage(format!("{option} {text}: which field is the day? write YYYY-MM-DD"))),
        Some(Written::Invalid | Written::Relative) | None => Err(Refusal::Usage(format!("{option} {text}: no date; write YYYY-MM-DD"))),
        Some(written) => Ok((text, written)),
    }
}

/// A day for `--as-of`: as it was given, else today. A day to come is refused: a tag speaks of what has been.
fn as_of(given: Option<&str>, world: &World) -> Result<String, Refusal> {
    let Some(given) = given else { return Ok(iso(world.today)) };
    let (text, written) = given_date("--as-of", given, world.config)?;
    match written {
        Written::Date(date) if date.first() > world.today => {
            Err(Refusal::Usage(format!("--as-of {text} is still to come; write `until: {text}` on the record instead")))
        }
        _ => Ok(text.to_owned()),
    }
}

fn iso(day: NaiveDate) -> String {
    day.format("%Y-%m-%d").to_string()
}

#[cfg(test)]
mod tests;
