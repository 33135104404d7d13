//! Commands that write one file: load, plan, show that nothing else changed, save, journal.

use super::options::{BaseChoice, Mode, Options};
use super::saving::secrets_hidden;
use super::session::Session;
use super::target::Target;
use crate::check::{Commit, Selection};
use crate::command::{Plan, Refusal, World, restore};
use crate::conserve;
use crate::io::git::Parents;
use crate::io::journal::{self, DeclaredKind, Journal, StepFile, file_key};
use crate::io::{IoError, Lock, clock};
use chrono::NaiveDate;
use std::path::Path;

/// How often a file is planned anew when others write it all the time.
const TRIES: usize = 5;

/// Why a command wrote nothing.
#[derive(Debug)]
pub enum Unwritten {
    /// The operation was refused.
    Refused(Refusal),
    /// The result could not be trusted.
    Loss(conserve::Loss),
    /// The world.
    Io(IoError),
}

impl From<IoError> for Unwritten {
    fn from(error: IoError) -> Self {
        Self::Io(error)
    }
}

impl From<Refusal> for Unwritten {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// What a command did.
#[derive(Debug)]
pub struct Written {
    /// The file's name for people.
    pub name: String,
    /// What was done, in a sentence.
    pub said: String,
    /// True where bytes changed.
    pub changed: bool,
}

impl Session {
    /// Plans an operation on the file at `path`, and writes what it says. `kind` is what the plan's declarations are.
    ///
    /// # Errors
    /// [`Unwritten`]; then no byte has changed.
    pub fn command(
        &self,
        path: &Path,
        today: NaiveDate,
        command: &str,
        kind: DeclaredKind,
        plan: &dyn Fn(&str, &World) -> Result<Plan, Refusal>,
    ) -> Result<Written, Unwritten> {
        self.write_planned(path, command, kind, &|target| self.planned(target, today, plan))
    }

    /// Plans an operation on a text, and shows that nothing else changes; nothing is written.
    pub(super) fn planned(
        &self,
        target: &Target,
        today: NaiveDate,
        plan: &dyn Fn(&str, &World) -> Result<Plan, Refusal>,
    ) -> Result<Plan, Unwritten> {
        let plan = self.in_world(target, today, &|world| plan(&target.text, world))?;
        if let Some(after) = &plan.after {
            conserve::others(&target.text, after, &target.found.config, target.whole_file, &plan.touched).map_err(Unwritten::Loss)?;
        }
        Ok(plan)
    }

    /// Plans on the file at `path` under its lock, and writes what the plan says. The plan has shown that it loses nothing.
    pub(super) fn write_planned(
        &self,
        path: &Path,
        command: &str,
        kind: DeclaredKind,
        plan: &dyn Fn(&Target) -> Result<Plan, Unwritten>,
    ) -> Result<Written, Unwritten> {
        let mut target = Target::load(self, path, false, &Selection::default())?;
        let lock = Lock::acquire(&self.state, &target.real)?;
        for _ in 0..TRIES {
            let now = lock.read()?;
            if now != target.text {
                target = Target::new(self, path, target.real.clone(), now, false, &Selection::default())?;
            }
            let plan = plan(&target)?;
            let Some(after) = &plan.after else {
                return Ok(Written { name: target.name, said: plan.said, changed: false });
            };
            match lock.save(&target.text, after) {
                Err(IoError::Changed { .. }) => continue,
                result => result?,
            }
            self.remember(&target, after, command, kind, &plan)?;
            return Ok(Written { name: target.name, said: plan.said, changed: true });
        }
        Err(Unwritten::Io(IoError::Changed { path: target.real }))
    }

    /// Brings back what the file lost against its baseline; a file that is gone as a whole, too.
    ///
    /// # Errors
    /// [`Unwritten`]; then no byte has changed.
    pub fn restore(
        &self,
        path: &Path,
        today: NaiveDate,
        command: &str,
        base: &BaseChoice,
        key: Option<&str>,
    ) -> Result<Written, Unwritten> {
        if !self.absolute(path).exists() {
            return self.restore_file(path, command, base);
        }
        let options = Options { base: base.clone(), ..Options::new(Mode::Check, today) };
        self.write_planned(path, command, DeclaredKind::Accept, &|target| {
            let mut base = self.bases(std::slice::from_ref(target), base)?.into_iter().next().unwrap_or_default();
            // Named, a fact comes back even where its loss was accepted.
            if key.is_none() && base.label.is_some() && !base.identical {
                base.accepted.declared = self.declared(&target.real)?;
            }
            let plan = self.with_subject(target, &base, &options, &[], |subject| restore(&target.text, subject, key))?;
            if let Some(after) = &plan.after {
                conserve::grown(&target.text, after, &target.found.config, target.whole_file).map_err(Unwritten::Loss)?;
            }
            Ok(plan)
        })
    }

    /// Makes a file that is gone as the baseline had it.
    fn restore_file(&self, path: &Path, command: &str, choice: &BaseChoice) -> Result<Written, Unwritten> {
        let real = self.real_of(path);
        let target = Target::new(self, path, real.clone(), String::new(), false, &Selection::default())?;
        let base = self.bases(std::slice::from_ref(&target), choice)?.into_iter().next().unwrap_or_default();
        let Some((_, text)) = base.revisions.first() else { return Err(Unwritten::Io(IoError::NotFound { path: real })) };
        Lock::acquire(&self.state, &real)?.create(text)?;
        self.tell_step(&real, None, text, command)?;
        Ok(Written { name: target.name, said: "is back as it was".to_owned(), changed: true })
    }

    /// Hands `use_it` what is known of a file beside its text; git and the journal are asked only when it asks.
    pub(super) fn in_world<R>(&self, target: &Target, today: NaiveDate, use_it: &dyn Fn(&World) -> R) -> R {
        let revisions = || self.revisions_of(target);
        let repository = self.repository(&target.real);
        let commits = repository.as_deref().map(|repository| super::bases::Commits::new(repository, &target.real));
        let get = |number: usize| commits.as_ref().and_then(|commits| commits.get(number));
        use_it(&World {
            config: &target.found.config,
            whole_file: target.whole_file,
            today,
            revisions: &revisions,
            commits: commits.is_some().then_some(&get),
        })
    }

    /// The baseline of a file. One that cannot be read is none: the text alone must then be clear.
    fn revisions_of(&self, target: &Target) -> Vec<Commit> {
        let bases = self.bases(std::slice::from_ref(target), &BaseChoice::Default).unwrap_or_default();
        bases.into_iter().next().map(|base| base.revisions).unwrap_or_default()
    }

    /// Tells the journal of a step, what it declares, and, outside git, that its result is accepted where the text before was.
    fn remember(&self, target: &Target, after: &str, command: &str, kind: DeclaredKind, plan: &Plan) -> Result<(), IoError> {
        let file = file_key(&target.real);
        let mut journal = Journal::open(&self.state)?;
        let time = clock::now()?;
        let part = StepFile { file: file.clone(), old: Some(secrets_hidden(&target.text)), new: Some(secrets_hidden(after)) };
        let step = journal.add_step(time, &super::saving::actor(), command, &[part])?;
        let declared: Vec<journal::Declared> = plan
            .declared
            .iter()
            .map(|pair| journal::Declared {
                key: plan.key.clone(),
                kind,
                old: Some(pair.old.clone()),
                new: (!pair.new.is_empty()).then(|| pair.new.clone()),
                time,
            })
            .collect();
        if !declared.is_empty() {
            journal.declare_in(&file, &declared, Some(step))?;
        }
        if journal.accepted(&file)?.is_some_and(|text| text == secrets_hidden(&target.text)) {
            journal.set_accepted(&[(file, secrets_hidden(after))], time)?;
        }
        Ok(())
    }

    /// All commits of a file along first parents, oldest first.
    pub(super) fn history_of(&self, target: &Target) -> Result<Vec<crate::io::git::Revision>, IoError> {
        let Some(repository) = self.repository(&target.real) else { return Ok(Vec::new()) };
        let mut revisions = repository.history(&target.real, Parents::First).collect::<Result<Vec<_>, _>>()?;
        revisions.reverse();
        Ok(revisions)
    }
}
