//! The read stage of queries: one file and its archive in, chains of versions and freshness out. Nothing is written.

use super::bases::FileBase;
use super::options::{BaseChoice, Mode, Options};
use super::session::Session;
use super::target::Target;
use crate::check::{Checked, Selection, Subject, analyse, check_for_one, check_with};
use crate::diagnostic::{Diagnostic, Needs, Severity};
use crate::io::IoError;
use crate::io::config::Found;
use crate::io::git::{Parents, Repository};
use crate::query::{Chain, KeyError, Teller, resolve, resolve_chain, with_archive};
use crate::repair::Analysis;
use crate::syntax::Managed;
use chrono::NaiveDate;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How far the text that was read can be trusted.
#[derive(Clone, Debug)]
pub struct Freshness {
    /// The file's name in reports.
    pub file: String,
    /// The text that was read.
    pub text: String,
    /// What it was compared with, in words.
    pub base: Option<String>,
    /// Error findings that nobody fixed yet.
    pub pending: usize,
}

/// What a query asks of a file.
#[derive(Clone, Debug)]
pub struct Wanted<'a> {
    /// The file; the one memory file where there is none.
    pub file: Option<&'a Path>,
    /// One fact; all of them where there is none.
    pub key: Option<&'a str>,
    /// Values that only the git history of the file has, too.
    pub git: bool,
    /// Statements, too.
    pub statements: bool,
    /// The day.
    pub today: NaiveDate,
}

/// A file that was read.
#[derive(Debug)]
pub struct Read {
    /// Its facts in file order, or the one that was asked for; after them the statements, if they were wanted.
    pub chains: Vec<Chain>,
    /// How far it can be trusted.
    pub freshness: Freshness,
    /// The file has managed text at all.
    pub is_managed: bool,
    /// The configuration that holds for it.
    pub found: Arc<Found>,
    /// The day.
    pub today: NaiveDate,
    pub(super) real: PathBuf,
    pub(super) whole_file: bool,
    pub(super) managed: Managed,
    pub(super) repository: Option<Arc<Repository>>,
    pub(super) is_tracked: bool,
}

/// Why a query has no answer.
#[derive(Debug)]
pub enum ReadError {
    /// The key means no fact, or several.
    Key(KeyError),
    /// The file cannot be read.
    Io(IoError),
    /// Which file is meant cannot be told.
    File(super::TheFile),
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Key(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
            Self::File(error) => error.fmt(f),
        }
    }
}

impl From<IoError> for ReadError {
    fn from(error: IoError) -> Self {
        Self::Io(error)
    }
}

/// What is taken from one analysis.
struct Taken {
    chains: Result<Vec<Chain>, KeyError>,
    is_managed: bool,
    managed: Managed,
}

impl Session {
    /// Reads the facts of a file, those of its archive before them.
    ///
    /// # Errors
    /// [`ReadError`]: the key, the file, git.
    pub fn read(&self, wanted: &Wanted) -> Result<Read, ReadError> {
        let file = match wanted.file {
            Some(file) => self.absolute(file),
            None => self.the_memory_file().map_err(ReadError::File)?,
        };
        let target = Target::load(self, &file, false, &Selection::default())?;
        let mut base = self.bases(std::slice::from_ref(&target), &BaseChoice::Default)?.into_iter().next().unwrap_or_default();
        let options = Options::new(Mode::Check, wanted.today);
        let archive = self.archive(&target, &options);
        let (checked, mut taken) = self.checked(&target, &mut base, &options, archive.as_deref(), wanted)?;
        if wanted.git {
            let all = self.history_base(&target, &base)?;
            taken = self.with_subject(&target, &all, &options, &[], |subject| {
                analyse(&target.text, subject, |analysis, revisions| {
                    take(&Teller::new(&target.name, analysis, revisions), analysis, archive.as_deref(), wanted)
                })
            });
        }
        let pending = checked.diagnostics.iter().filter(|diagnostic| diagnostic.rule.severity == Severity::Error).count();
        Ok(Read {
            chains: taken.chains.map_err(ReadError::Key)?,
            freshness: Freshness { file: target.name, text: target.text, base: base.label, pending },
            is_managed: taken.is_managed,
            found: target.found,
            today: wanted.today,
            real: target.real,
            whole_file: target.whole_file,
            managed: taken.managed,
            is_tracked: !base.is_untracked,
            repository: base.repository,
        })
    }

    /// Checks the file and takes its facts, in one reading; in two where a person declared something.
    fn checked(
        &self,
        target: &Target,
        base: &mut FileBase,
        options: &Options,
        archive: Option<&[Chain]>,
        wanted: &Wanted,
    ) -> Result<(Checked, Taken), IoError> {
        let run = |base: &FileBase| {
            self.with_subject(target, base, options, &[], |subject| {
                if let Some(key) = wanted.key
                    && let (checked, Some(taken)) = check_for_one(&target.text, subject, |analysis, revisions| {
                        take_one(&Teller::new(&target.name, analysis, revisions), analysis, archive, key)
                    })
                {
                    return (checked, taken);
                }
                check_with(&target.text, subject, |analysis, revisions| {
                    take(&Teller::new(&target.name, analysis, revisions), analysis, archive, wanted)
                })
            })
        };
        let first = run(base);
        let against = |diagnostic: &Diagnostic| diagnostic.rule.needs == Needs::Baseline && diagnostic.rule.severity > Severity::Hint;
        if !first.0.diagnostics.iter().any(against) {
            return Ok(first);
        }
        base.accepted.declared = self.declared(&target.real)?;
        Ok(if base.accepted.declared.is_empty() { first } else { run(base) })
    }

    /// The facts of `NAME.history.md` beside the file, if it is there.
    pub(super) fn archive(&self, target: &Target, options: &Options) -> Option<Vec<Chain>> {
        let path = target.real.with_extension("history.md");
        self.allow(&path).ok()?;
        let text = crate::io::load(&path).ok()?.text;
        let name = self.name(&Path::new(&target.name).with_extension("history.md"));
        let config = &target.found.config;
        let subject = Subject { whole_file: true, ..Subject::new(config, &target.selection, options.today) };
        Some(analyse(&text, &subject, |analysis, revisions| Teller::new(&name, analysis, revisions).all()))
    }

    /// All texts that the file had in git, the oldest first.
    fn history_base(&self, target: &Target, base: &FileBase) -> Result<FileBase, IoError> {
        let Some(repository) = base.repository.clone() else { return Ok(base.clone()) };
        let mut revisions = Vec::new();
        for revision in repository.history(&target.real, Parents::First) {
            let revision = revision?;
            let date = revision.has_known_date.then_some(revision.date);
            revisions.extend(revision.text.map(|text| (date, text)));
        }
        revisions.reverse();
        Ok(FileBase { revisions, identical: false, ..base.clone() })
    }
}

/// The fact that `key` means, of an analysis that keeps no more than findings need. `None` where the others must be known for that: it
/// may be gone from the file, or stand only in the archive.
fn take_one(teller: &Teller, analysis: &Analysis, archive: Option<&[Chain]>, key: &str) -> Option<Taken> {
    let chains = match resolve(analysis.facts, key) {
        Ok(number) => {
            let mut chains = vec![teller.chain_alone(number)];
            with_archive(&mut chains, archive.unwrap_or_default().to_vec());
            chains.truncate(1);
            Ok(chains)
        }
        Err(error) if archive.is_none() && analysis.comparison.lost.is_empty() => Err(error),
        Err(_) => return None,
    };
    Some(taken(chains, analysis))
}

fn take(teller: &Teller, analysis: &Analysis, archive: Option<&[Chain]>, wanted: &Wanted) -> Taken {
    let Some(key) = wanted.key else { return taken(Ok(everything(teller, archive, wanted.statements)), analysis) };
    take_one(teller, analysis, archive, key).unwrap_or_else(|| {
        let mut all = everything(teller, archive, false);
        taken(resolve_chain(&all, analysis.config, key).map(|idx| vec![all.swap_remove(idx)]), analysis)
    })
}

fn taken(chains: Result<Vec<Chain>, KeyError>, analysis: &Analysis) -> Taken {
    let document = analysis.facts.document;
    Taken { chains, is_managed: document.is_managed(), managed: document.managed() }
}

fn everything(teller: &Teller, archive: Option<&[Chain]>, statements: bool) -> Vec<Chain> {
    let mut chains = teller.all();
    if let Some(archive) = archive {
        with_archive(&mut chains, archive.to_vec());
    }
    if statements {
        chains.extend(teller.statements());
    }
    chains
}
