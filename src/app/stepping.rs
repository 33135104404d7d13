//! `undo` and `log`: the steps of the journal, taken back and shown.

use super::options::{BaseChoice, Mode, Options};
use super::saving::without_secrets;
use super::session::Session;
use super::target::Target;
use super::writing::Unwritten;
use crate::check::{Change, Selection};
use crate::command::Refusal;
use crate::fix::between;
use crate::io::journal::{Declared, DeclaredKind, Journal, Step, StepFile, file_key};
use crate::io::{IoError, Lock, clock};
use chrono::NaiveDate;
use std::path::{Path, PathBuf};

/// Commands whose undoing says nothing of what is meant: the text is as before, and so are its findings.
const SILENT: [&str; 4] = ["restore", "backfill", "archive", "adopt"];

/// What `undo` did.
#[derive(Debug)]
pub enum Undone {
    /// The step was taken back.
    Step(Step),
    /// A file changed since: the patch that would take the step back.
    Changed {
        /// The file.
        name: String,
        /// The patch.
        patch: Vec<u8>,
    },
}

impl Session {
    /// The steps that wrote the file at `path`, oldest first.
    ///
    /// # Errors
    /// Those of the journal.
    pub fn steps_of(&self, path: &Path) -> Result<Vec<Step>, IoError> {
        let real = self.real_of(path);
        match Journal::open_for_read(&self.state)? {
            Some(journal) => journal.steps(&file_key(&real)),
            None => Ok(Vec::new()),
        }
    }

    /// The real path, also of a file that is not there.
    pub(super) fn real_of(&self, path: &Path) -> PathBuf {
        let whole = self.absolute(path);
        std::fs::canonicalize(&whole).unwrap_or_else(|_| {
            let folder = whole.parent().and_then(|folder| std::fs::canonicalize(folder).ok());
            folder.and_then(|folder| Some(folder.join(whole.file_name()?))).unwrap_or(whole)
        })
    }

    /// Takes back the last step that wrote the file at `path`, byte for byte, in all files that it wrote.
    ///
    /// # Errors
    /// [`Unwritten`]; then no byte has changed.
    pub fn undo(&self, path: &Path, today: NaiveDate) -> Result<Undone, Unwritten> {
        let none = || Unwritten::Refused(Refusal::No("there is no step to undo".to_owned()));
        let step = self.steps_of(path)?.into_iter().rev().find(|step| !step.is_undone).ok_or_else(none)?;
        if step.files.iter().all(|part| part.old.is_none() && part.new.is_none()) {
            return Err(Refusal::No(format!("the last step is `memfile {}`, which is not undone", word(&step))).into());
        }
        let locks: Result<Vec<Lock>, IoError> = step.files.iter().map(|part| Lock::acquire(&self.state, Path::new(&part.file))).collect();
        let locks = locks?;
        for (part, lock) in step.files.iter().zip(&locks) {
            let now = match lock.read() {
                Ok(text) => Some(text),
                Err(IoError::NotFound { .. }) => None,
                Err(error) => return Err(error.into()),
            };
            if now == part.new {
                continue;
            }
            let name = self.name(Path::new(&part.file));
            if now.as_deref().map(without_secrets) == part.new {
                let message = format!("{name}: what looks like a secret was not journaled; this step cannot be undone byte for byte");
                return Err(Refusal::No(message).into());
            }
            let (new, old) = (part.new.as_deref().unwrap_or(""), part.old.as_deref().unwrap_or(""));
            let mut patch = Vec::new();
            let patched = crate::report::diff(&mut patch, &name, new, old, &between(new, old), false);
            debug_assert!(patched.is_ok());
            return Ok(Undone::Changed { name, patch });
        }
        let secret = |part: &StepFile| {
            part.old.as_deref().is_some_and(|old| old.contains("[redacted]") && !part.new.as_deref().unwrap_or("").contains("[redacted]"))
        };
        if step.files.iter().any(secret) {
            return Err(
                Refusal::No("what looks like a secret was not journaled; this step cannot be undone byte for byte".to_owned()).into()
            );
        }
        let declared = if SILENT.contains(&word(&step)) { Vec::new() } else { self.meant_by_undo(&step, today) };
        for (part, lock) in step.files.iter().zip(&locks) {
            match (&part.old, &part.new) {
                (Some(old), Some(new)) => lock.save(new, old)?,
                (Some(old), None) => lock.create(old)?,
                (None, Some(new)) => lock.remove(new)?,
                (None, None) => {}
            }
        }
        let mut journal = Journal::open(&self.state)?;
        journal.mark_undone(step.id)?;
        let time = clock::now()?;
        for (file, pairs) in declared {
            journal.declare(&file, &pairs)?;
        }
        for part in &step.files {
            if let (Some(old), Some(new)) = (&part.old, &part.new)
                && journal.accepted(&part.file)?.as_ref() == Some(new)
            {
                journal.set_accepted(&[(part.file.clone(), old.clone())], time)?;
            }
        }
        Ok(Undone::Step(step))
    }

    /// What the step kept of the baseline, and its undoing lets go again: that is meant.
    fn meant_by_undo(&self, step: &Step, today: NaiveDate) -> Vec<(String, Vec<Declared>)> {
        let time = clock::now().unwrap_or_default();
        let changes = |part: &StepFile, text: &Option<String>| -> Vec<Change> {
            let real = PathBuf::from(&part.file);
            let Some(text) = text else { return Vec::new() };
            let Ok(target) = Target::new(self, &real, real.clone(), text.clone(), false, &Selection::default()) else { return Vec::new() };
            let options = Options { base: BaseChoice::Default, ..Options::new(Mode::Check, today) };
            let ran = self.run_targets(vec![target], &options, &|_, _| ());
            ran.outcomes.into_iter().next().map(|outcome| outcome.checked.changes).unwrap_or_default()
        };
        let mut declared = Vec::new();
        for part in &step.files {
            let kept = changes(part, &part.new);
            let is_new = |change: &Change| !kept.iter().any(|other| other.old == change.old && other.key == change.key);
            let pairs: Vec<Declared> = changes(part, &part.old)
                .into_iter()
                .filter(is_new)
                .map(|change| Declared {
                    key: change.key.unwrap_or_default(),
                    kind: DeclaredKind::Undo,
                    old: Some(change.old),
                    new: (!change.new.is_empty()).then_some(change.new),
                    time,
                })
                .collect();
            if !pairs.is_empty() {
                declared.push((part.file.clone(), pairs));
            }
        }
        declared
    }
}

/// The command's own word.
fn word(step: &Step) -> &str {
    step.command.split_whitespace().next().unwrap_or("")
}
