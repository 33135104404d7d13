//! Checked options: what a run is asked to do.

use crate::check::Selection;
use crate::diagnostic::{Applicability, Severity};
use chrono::NaiveDate;
use std::path::PathBuf;
use std::sync::Arc;

/// What the files are compared with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum BaseChoice {
    /// `HEAD` for a tracked file, else the journal's last accepted text, else nothing.
    #[default]
    Default,
    /// Nothing.
    None,
    /// A revision, or the path of a file.
    Named(String),
    /// A text that stood in the file before: what a watch saw settle, what a hook saw before an edit.
    Settled(Arc<str>),
    /// The default one, and what an agent's session saw of the file besides.
    Seen {
        /// The text at the start of the session: the baseline of a file that no commit has.
        start: Option<Arc<str>>,
        /// The text before the last edit: a revision behind the baseline, as it may hold values that no commit has.
        before: Option<Arc<str>>,
        /// The day on which that text stood there: what it brought is not committed yet.
        today: NaiveDate,
    },
}

/// What becomes of fixes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Findings only.
    Check,
    /// Written to the files.
    Fix,
    /// Not written: the run tells whether there would be any.
    Preview,
}

/// What a run is asked to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// What becomes of fixes.
    pub mode: Mode,
    /// Files and folders; empty is the current folder.
    pub paths: Vec<PathBuf>,
    /// What the files are compared with.
    pub base: BaseChoice,
    /// The least applicability of the fixes that are applied.
    pub least: Applicability,
    /// All text of the named files is managed.
    pub whole_file: bool,
    /// Position orders key-value records where nothing else does.
    pub prefer_last: bool,
    /// Findings wanted on the command line; the configuration adds its own.
    pub selection: Selection,
    /// The least severity that fails the run; `None`: the configuration's, else warning.
    pub fail_on: Option<Severity>,
    /// Only the texts that were read are fixed: a file that changed since, other than by lines behind its end, is left as it is, with
    /// [`IoError::Changed`](crate::io::IoError).
    pub as_read: bool,
    /// The day.
    pub today: NaiveDate,
    /// The command, for the journal.
    pub command: String,
}

impl Options {
    /// A check of the current folder on one day.
    pub fn new(mode: Mode, today: NaiveDate) -> Self {
        Self {
            mode,
            paths: Vec::new(),
            base: BaseChoice::Default,
            least: Applicability::Safe,
            whole_file: false,
            prefer_last: false,
            selection: Selection::default(),
            fail_on: None,
            as_read: false,
            today,
            command: String::new(),
        }
    }
}
