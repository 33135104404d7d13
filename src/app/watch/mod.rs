//! `watch`: keeps memory files true while agents, editors and git write them. Paths come in; fixes go to the files, and [`Told`] to
//! whoever listens.
//!
//! In reading order: `settle` (when a file is at rest, and what it is compared with: no clock, no file), `meant` and `rounds` (what a
//! person did on purpose, and what another program takes back again and again), `places` (which files and folders), `signs` (what the
//! file system says), `gits` (how git has a file), `act` (read, judge, write one file), `sweep` (how often to look without being told), and
//! the loop: `turn` (messages and time), `survey` (files and folders), `look` (a file that is due).

mod act;
mod gits;
mod look;
mod meant;
mod places;
mod rounds;
mod settle;
mod signs;
mod survey;
mod sweep;
mod turn;

#[cfg(test)]
mod tests;

pub(super) use settle::Rest;

use super::run::Outcome;
use chrono::NaiveDate;
use std::path::PathBuf;
use std::time::Duration;

/// What a watch is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// To write what mends a file.
    Fix,
    /// To tell what it finds.
    Report,
}

/// What a watch is asked to do.
#[derive(Clone, Debug)]
pub(super) struct Watching {
    /// Files and folders; empty is the current folder.
    pub(super) paths: Vec<PathBuf>,
    /// How long a file must be left alone.
    pub(super) quiet: Duration,
    /// End when what is there has settled once.
    pub(super) once: bool,
    /// What becomes of fixes.
    pub(super) purpose: Purpose,
    /// Look at the files from time to time instead of listening to the system.
    pub(super) poll: bool,
    /// The day; `None` is that of the clock.
    pub(super) today: Option<NaiveDate>,
    /// The command, for the journal.
    pub(super) command: String,
}

/// What a watch tells.
#[derive(Debug)]
pub(super) enum Told<'a> {
    /// It watches: so many files in so many folders, by looking at them from time to time or not.
    Watches { files: Vec<String>, folders: usize, polling: bool },
    /// A file was judged; what was found is news, or it was so before.
    Judged { outcome: &'a Outcome, is_news: bool },
    /// A file was left alone.
    Rests { name: &'a str, why: Rest },
    /// Something stands in the way.
    Problem { message: String },
    /// It ends.
    Ends,
}

/// Who listens to a watch.
pub(super) trait Listener {
    /// Hears of something; false where nobody reads it any more.
    fn hear(&mut self, told: &Told) -> bool;
}

/// Watches until it is asked to end, or, if it should act only once, until all files have settled. Gives the exit code's reasons.
///
/// # Errors
/// Where nothing can be watched at all.
pub(super) fn watch(cwd: PathBuf, watching: Watching, listener: &mut dyn Listener) -> Result<Worst, String> {
    turn::Watch::new(cwd, watching, listener)?.run()
}

/// The worst that a watch met.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Worst {
    /// Nothing.
    Clean,
    /// Findings remain.
    Found,
    /// Something could not be done.
    Failed,
}
