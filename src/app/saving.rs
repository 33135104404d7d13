//! The save stage: lock, read again, plan again where the bytes changed, write, journal.

use super::archiving::ArchiveWrite;
use super::options::Options;
use super::run::{Failure, Outcome};
use super::session::Session;
use super::target::Target;
use super::threads::spread;
use crate::check::Selection;
use crate::facts::is_secret;
use crate::io::journal::{Journal, StepFile, file_key};
use crate::io::{self, IoError, Lock, clock};
use std::borrow::Cow;

/// Threads that wait for the disk; more of them than processors pay.
const WRITERS: usize = 8;
/// How often a file is planned anew when others write it all the time.
const TRIES: usize = 5;

impl Session {
    /// Writes what fixes changed, and tells the journal.
    pub(super) fn save(&self, outcomes: &mut Vec<Outcome>, options: &Options) {
        let work = |mut outcome: Outcome| {
            // What a killed run left may be a file half written: it is put right first, and then judged again.
            let left = io::has_leftovers(&self.state, &outcome.real);
            if (outcome.after.is_some() || left) && outcome.failure.is_none() {
                if let Err(failure) = self.save_one(&mut outcome, options) {
                    (outcome.after, outcome.applied) = (None, Vec::new());
                    outcome.failure = Some(failure);
                }
            } else if left {
                outcome.failure = outcome.failure.or(self.put_right(&outcome.real).err().map(Failure::Io));
            }
            outcome
        };
        let writes = outcomes.iter().filter(|outcome| outcome.after.is_some()).count();
        let threads = if writes > 1 { WRITERS.min(outcomes.len()) } else { 1 };
        *outcomes = spread(std::mem::take(outcomes), threads, work);
        if let Err(error) = self.tell(outcomes, options)
            && let Some(outcome) = outcomes.iter_mut().find(|outcome| outcome.after.is_some() || outcome.is_untracked)
        {
            outcome.failure = outcome.failure.take().or(Some(Failure::Io(error)));
        }
    }

    /// Clears what a killed run left of a file, where there is nothing to write.
    ///
    /// # Errors
    /// Those of the lock.
    pub(super) fn put_right(&self, real: &std::path::Path) -> Result<(), IoError> {
        if io::has_leftovers(&self.state, real) {
            Lock::acquire(&self.state, real)?;
        }
        Ok(())
    }

    fn save_one(&self, outcome: &mut Outcome, options: &Options) -> Result<(), Failure> {
        let lock = Lock::acquire(&self.state, &outcome.real).map_err(Failure::Io)?;
        for _ in 0..TRIES {
            let now = lock.read().map_err(Failure::Io)?;
            if now == outcome.before {
                // As large as the text, and of no more use.
                drop(now);
            } else if options.as_read {
                // Lines behind what was read stay behind what is written.
                if !io::is_appended(outcome.before.as_bytes(), now.as_bytes()) {
                    break;
                }
            } else {
                self.plan_again(outcome, now, options)?;
            }
            let Some(after) = &outcome.after else { return Ok(()) };
            match self.save_both(&lock, &outcome.before, after, outcome.archive.as_ref()) {
                Err(IoError::Changed { path }) if path == outcome.real => {}
                result => return result.map_err(Failure::Io),
            }
        }
        Err(Failure::Io(IoError::Changed { path: outcome.real.clone() }))
    }

    /// Someone wrote the file since it was read: what they wrote is what is fixed.
    fn plan_again(&self, outcome: &mut Outcome, now: String, options: &Options) -> Result<(), Failure> {
        let selection: &Selection = &options.selection;
        let path = self.cwd.join(&outcome.name);
        let target = Target::new(self, &path, outcome.real.clone(), now, options.whole_file, selection).map_err(Failure::Io)?;
        let bases = self.bases(std::slice::from_ref(&target), &options.base).map_err(Failure::Io)?;
        let mut base = bases.into_iter().next().unwrap_or_default();
        let fixed = self.plan(&target, &mut base, options, &[], None)?;
        outcome.take(fixed, &target.text);
        self.archive_after(outcome, &target, &mut base, options);
        outcome.before = target.text;
        Ok(())
    }

    /// Journals the steps, and accepts what clean fixes left of files outside git.
    fn tell(&self, outcomes: &[Outcome], options: &Options) -> Result<(), IoError> {
        let clean =
            |outcome: &&Outcome| outcome.is_untracked && outcome.failure.is_none() && outcome.checked.records > 0 && !outcome.fails();
        // Borrowed, as a text may be large.
        let accepted: Vec<(String, Cow<str>)> = outcomes
            .iter()
            .filter(clean)
            .filter(|outcome| outcome.after.is_some() || !outcome.identical)
            .map(|outcome| (file_key(&outcome.real), secrets_hidden(outcome.text())))
            .collect();
        let written = outcomes.iter().filter(|outcome| outcome.failure.is_none());
        let steps: Vec<StepFile<Cow<str>>> = written
            .flat_map(|outcome| {
                let own = outcome.after.as_deref().map(|new| StepFile {
                    file: file_key(&outcome.real),
                    old: Some(secrets_hidden(&outcome.before)),
                    new: Some(secrets_hidden(new)),
                });
                let archive = outcome.archive.as_ref().filter(|_| own.is_some()).map(ArchiveWrite::step);
                own.into_iter().chain(archive)
            })
            .collect();
        if accepted.is_empty() && steps.is_empty() {
            return Ok(());
        }
        let mut journal = Journal::open(&self.state)?;
        let time = clock::now()?;
        if steps.is_empty() {
            return journal.set_accepted(&accepted, time);
        }
        journal.add_accepted_step(time, &actor(), &options.command, &steps, &accepted).map(drop)
    }
}

/// Who runs memfile.
pub(super) fn actor() -> String {
    ["USER", "LOGNAME", "USERNAME"].iter().find_map(|name| std::env::var(name).ok()).unwrap_or_else(|| "unknown".to_owned())
}

/// A text for the journal: what looks like a secret is never kept.
pub(super) fn without_secrets(text: &str) -> String {
    secrets_hidden(text).into_owned()
}

/// As [`without_secrets`], the text itself where it has none.
pub(super) fn secrets_hidden(text: &str) -> Cow<'_, str> {
    if !text.lines().any(is_secret) {
        return text.into();
    }
    let hide = |word: &str| if is_secret(word) { "[redacted]".to_owned() } else { word.to_owned() };
    text.split_inclusive(char::is_whitespace)
        .map(|part| {
            let word = part.trim_end_matches(char::is_whitespace);
            format!("{}{}", hide(word), &part[word.len()..])
        })
        .collect()
}

impl Session {
    /// Puts `after` in the place of a file's text, by the same road as a fix: lock, compare, write, journal.
    ///
    /// # Errors
    /// [`IoError::Changed`] where the file changed since it was read, and those of writing.
    pub fn write(&self, target: &Target, after: &str, command: &str) -> Result<(), IoError> {
        let lock = Lock::acquire(&self.state, &target.real)?;
        lock.save(&target.text, after)?;
        self.tell_step(&target.real, Some(&target.text), after, command)
    }

    /// Makes a file that is not there yet.
    ///
    /// # Errors
    /// [`IoError::Changed`] where it exists by now, and those of writing.
    pub fn create(&self, path: &std::path::Path, text: &str) -> Result<(), IoError> {
        let folder = path.parent().unwrap_or(path);
        let real = std::fs::canonicalize(folder).map_err(|_| IoError::NotFound { path: folder.to_owned() })?;
        let real = path.file_name().map_or_else(|| real.clone(), |name| real.join(name));
        Lock::acquire(&self.state, &real)?.create(text)?;
        self.tell_step(&real, None, text, "init")
    }

    pub(super) fn tell_step(&self, real: &std::path::Path, old: Option<&str>, new: &str, command: &str) -> Result<(), IoError> {
        let step = StepFile { file: file_key(real), old: old.map(secrets_hidden), new: Some(secrets_hidden(new)) };
        Journal::open(&self.state)?.add_step(clock::now()?, &actor(), command, &[step]).map(|_| ())
    }

    /// The one memory file with managed text below the current folder.
    ///
    /// # Errors
    /// [`IoError::NotFound`] where there is none; an error that lists them where there are several.
    pub fn the_memory_file(&self) -> Result<std::path::PathBuf, TheFile> {
        let (files, _) = self.find(&[]);
        let (targets, mut errors) = self.load(&files, false, &Selection::default());
        let managed = targets.into_iter().filter(|target| {
            let reading = crate::syntax::Reading { config: &target.found.config, whole_file: target.whole_file, also: None };
            crate::syntax::parse(&target.text, reading).is_managed()
        });
        let mut names: Vec<Target> = managed.collect();
        match (names.len(), names.pop()) {
            (1, Some(target)) => Ok(target.real),
            (_, None) => {
                // What cannot be read may be the one that is meant; a broken configuration may name another.
                let here = std::fs::canonicalize(&self.cwd).ok().and_then(|here| self.configs.of(&here).err());
                let trouble = if errors.is_empty() { here } else { Some(errors.swap_remove(0)) };
                Err(TheFile { names: Vec::new(), trouble: trouble.map(|error| error.to_string()) })
            }
            (_, Some(last)) => Err(TheFile { names: names.into_iter().chain([last]).map(|target| target.name).collect(), trouble: None }),
        }
    }

    /// The names of the facts in a text.
    ///
    /// # Errors
    /// Those of the configuration.
    pub fn fact_names(&self, real: &std::path::Path, text: &str) -> Result<Vec<String>, IoError> {
        let target = Target::new(self, real, real.to_owned(), text.to_owned(), false, &Selection::default())?;
        let config = &target.found.config;
        let document = crate::syntax::parse(text, crate::syntax::Reading { config, whole_file: target.whole_file, also: None });
        let facts = crate::facts::Facts::new(&document, config);
        Ok(facts.groups.iter().map(|group| facts.name(group.records()[0]).into_owned()).collect())
    }
}

/// Which file is meant cannot be told: the files that could be.
#[derive(Debug)]
pub struct TheFile {
    pub(super) names: Vec<String>,
    /// What stood in the way of finding one.
    pub(super) trouble: Option<String>,
}

impl std::fmt::Display for TheFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.names.as_slice(), &self.trouble) {
            ([], Some(trouble)) => f.write_str(trouble),
            ([], None) => {
                write!(f, "no memory file with managed text below the current folder; name one with -f, or start one with `memfile init`")
            }
            (names, _) => write!(f, "several memory files have managed text; name one with -f: {}", names.join(", ")),
        }
    }
}
