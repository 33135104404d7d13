//! One file at rest: it is read under its lock together with the journal, so that a command of memfile is seen whole or not at all; then
//! judged, and written by the road that every fix takes.

use super::Purpose;
use super::meant::Moves;
use super::settle::{Against, Judged, Look, Seen, Settle};
use crate::app::options::{BaseChoice, Mode, Options};
use crate::app::run::{Failure, Outcome};
use crate::app::session::KnownDeclared;
use crate::app::{Session, Target};
use crate::check::Selection;
use crate::diagnostic::{Diagnostic, Needs, Severity};
use crate::io::git::Standing;
use crate::io::journal::{self, Journal, Mark, file_key};
use crate::io::{IoError, Lock, Stamp, clock};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One file under watch, with what was seen of it last.
#[derive(Debug)]
pub(super) struct File {
    /// The path to name it by.
    pub(super) path: PathBuf,
    /// When it is due, and what it is compared with.
    pub(super) settle: Settle,
    /// As it was at the last look.
    pub(super) stamp: Option<Stamp>,
    /// How far the journal was read for it, the journal then, and the news that no look has used.
    mark: Mark,
    journal: Option<journal::Seen>,
    /// What was declared about it, as of the last time that the journal was read for that.
    pub(super) declared: Option<KnownDeclared>,
    news: Moves,
    /// What was told of it last, as a hash, so that nothing is told twice.
    pub(super) told: u64,
}

impl File {
    pub(super) fn new(path: PathBuf, settle: Settle) -> Self {
        Self { path, settle, stamp: None, mark: Mark::default(), journal: None, declared: None, news: Moves::default(), told: 0 }
    }

    /// Reads the journal up to now: what was done before the watch began is no news.
    pub(super) fn begin(&mut self, session: &Session, real: &Path) -> Result<(), IoError> {
        self.catch_up(session, real)?;
        self.news = Moves::default();
        Ok(())
    }

    /// Looks at the file. In a watch that only observes, no lock is taken: it makes no file anywhere.
    pub(super) fn look(&mut self, session: &Session, real: &Path, standing: Standing, purpose: Purpose) -> Result<Look, IoError> {
        let _lock = if purpose == Purpose::Fix { Some(Lock::acquire(&session.state, real)?) } else { None };
        let before = Stamp::of(real);
        let seen = if before.is_none() { Seen::Missing } else { read(real, before.as_ref())? };
        self.stamp = before;
        let (is_blob, moves) = match &seen {
            Seen::Text(text) if self.settle.last() != Some(text) => {
                self.catch_up(session, real)?;
                (standing.has(text), std::mem::take(&mut self.news))
            }
            _ => (false, Moves::default()),
        };
        Ok(Look { seen, is_busy: false, standing, is_blob, moves })
    }

    /// Reads what commands did to the file since the last time. After a write of the watch's own there is time for it; the next look
    /// then finds the journal as it was.
    pub(super) fn catch_up(&mut self, session: &Session, real: &Path) -> Result<(), IoError> {
        let seen = journal::Seen::now(&session.state);
        if seen.is_none() || seen == self.journal {
            return Ok(());
        }
        let Some(journal) = Journal::open_for_read(&session.state)? else { return Ok(()) };
        let news = journal.news(&file_key(real), &mut self.mark)?;
        self.journal = seen;
        // A file that is not there has the text that no file under watch can have.
        let text = |text: Option<String>| text.unwrap_or_default();
        self.news.steps.extend(news.moves.into_iter().map(|step| (text(step.from), text(step.to))));
        self.news.has_forgotten |= news.has_forgotten;
        // The next check asks for it, too.
        session.declared(real).map(drop)
    }
}

fn read(real: &Path, before: Option<&Stamp>) -> Result<Seen, IoError> {
    let text = match crate::io::load(real) {
        Ok(loaded) => loaded.text,
        Err(IoError::NotFound { .. }) => return Ok(Seen::Missing),
        Err(error) => return Err(error),
    };
    Ok(if Stamp::of(real).as_ref() != before {
        Seen::Torn
    } else if text.trim().is_empty() {
        Seen::Empty
    } else {
        Seen::Text(text.into())
    })
}

/// Judges `text`, and writes what mends it.
pub(super) fn judge(
    session: &Session,
    file: &File,
    real: &Path,
    text: &Arc<str>,
    against: Against,
    watch: &super::Watching,
) -> (Judged, Result<Outcome, IoError>) {
    let run = || {
        let target = Target::new(session, &file.path, real.to_owned(), text.to_string(), false, &Selection::default())?;
        let mode = if watch.purpose == Purpose::Fix { Mode::Fix } else { Mode::Check };
        let base = match against {
            Against::Default => BaseChoice::Default,
            Against::Settled(text) => BaseChoice::Settled(text),
        };
        let command = watch.command.clone();
        let options = Options { base, as_read: true, command, ..Options::new(mode, clock::today(watch.today)?) };
        let ran = session.run_targets(vec![target], &options, &|_, _| ());
        match (ran.errors.into_iter().next(), ran.outcomes.into_iter().next()) {
            (None, Some(outcome)) => Ok(outcome),
            (Some(error), _) => Err(error),
            (None, None) => Err(IoError::NotFound { path: real.to_owned() }),
        }
    };
    let outcome = match run() {
        Ok(outcome) => outcome,
        Err(error) => return (Judged::Failed, Err(error)),
    };
    let wrote = outcome.after.as_deref().map(Arc::from);
    let judged = match &outcome.failure {
        Some(Failure::Io(IoError::Changed { .. } | IoError::NotFound { .. })) => Judged::Changed,
        // The file may be written and the journal not.
        Some(_) if wrote.is_none() => Judged::Failed,
        _ => Judged::Settled { wrote, is_held: outcome.diagnostics.iter().any(is_loss) && watch.purpose == Purpose::Fix },
    };
    (judged, Ok(outcome))
}

/// A loss that no fix mends: until a person decides, what there was before it stays what the file is compared with.
fn is_loss(diagnostic: &Diagnostic) -> bool {
    let rule = diagnostic.rule;
    rule.severity == Severity::Error && (rule.needs == Needs::Baseline || rule.stops_writing)
}

/// Outside of commits the journal keeps what settled clean; a file that git does not have yet is outside, too.
pub(super) fn accept(session: &Session, real: &Path, text: &str) -> Result<(), IoError> {
    let text = crate::app::saving::without_secrets(text);
    Journal::open(&session.state)?.set_accepted(&[(file_key(real), text)], clock::now()?)
}
