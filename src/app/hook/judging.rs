//! The index judged: findings of staged texts come out, with what was done about each file and what is left to a person.

use super::staged::{IndexView, Staged, is_fully_staged};
use crate::app::options::{BaseChoice, Mode};
use crate::app::{Options, Outcome, Session, Target};
use crate::check::Change;
use crate::diagnostic::Severity;
use crate::io::IoError;
use crate::io::git::Repository;
use chrono::NaiveDate;
use std::path::Path;
use std::sync::Arc;

/// What a hook is asked to do.
pub(crate) struct HookOptions {
    /// What the index is compared with; `None` is `HEAD`.
    pub(crate) base: Option<String>,
    /// The least severity that stops the commit; `None`: the configuration's, else error.
    pub(crate) fail_on: Option<Severity>,
    /// Files that are staged whole are fixed in the work tree.
    pub(crate) fixes: bool,
    /// The day.
    pub(crate) today: NaiveDate,
    /// The command, for the journal.
    pub(crate) command: String,
}

/// What became of one file.
pub(crate) enum Work {
    /// Nothing stops the commit.
    Fine,
    /// The commit takes the file away, and facts with it.
    Deleted,
    /// The work tree holds something else than the index: judged, not rewritten.
    Partly,
    /// Fixes were not wanted.
    Left,
    /// It was staged whole, and fixed in the work tree as far as it can be.
    Fixed(Box<Outcome>),
}

/// One staged file.
pub(crate) struct Judged {
    /// The staged text with its findings, and the fix of it where one was planned and not written.
    pub(crate) outcome: Outcome,
    /// What became of it.
    pub(crate) work: Work,
    /// What a merge brought in and the index lacks.
    pub(crate) brought: Vec<Change>,
}

impl Judged {
    /// True where the commit must not go on.
    pub(crate) fn stops(&self) -> bool {
        !matches!(self.work, Work::Fine) || !self.brought.is_empty()
    }
}

impl Session {
    /// Judges the memory files of the index, and fixes those that may be fixed.
    ///
    /// # Errors
    /// No repository, a base that is not there, git that fails.
    pub(crate) fn judge_index(&self, options: &HookOptions) -> Result<(Vec<Judged>, Vec<IoError>), IoError> {
        let index = self.of_index(options.base.as_deref())?;
        let Some(view) = &index.session.index else { return Ok((Vec::new(), index.staged.errors)) };
        let repository = view.repository.clone();
        let run = Options { fail_on: options.fail_on, base: index.base.clone(), ..Options::new(Mode::Check, options.today) };
        let ran = index.session.run_targets(index.staged.targets.clone(), &run, &|_, _| ());
        let mut errors = index.staged.errors;
        errors.extend(ran.errors);
        let mut judged = Vec::new();
        for ((mut outcome, target), gone) in ran.outcomes.into_iter().zip(&index.staged.targets).zip(index.staged.gone) {
            outcome.fail_on = line(options, target);
            if outcome.identical {
                // Only another side of a merge has it otherwise: what is wrong with it is no matter of this commit.
                outcome.diagnostics.clear();
            }
            let mut brought = Vec::new();
            for head in &index.heads {
                match index.session.lost_of_merge(target, &repository, head, &run) {
                    Ok(changes) => brought.extend(changes),
                    Err(error) => errors.push(error),
                }
            }
            // What `HEAD` lacks as well is said once.
            brought.retain(|change| !outcome.checked.changes.contains(change));
            judged.push(Judged { outcome, work: if gone { Work::Deleted } else { Work::Fine }, brought });
        }
        for (judged, target) in judged.iter_mut().zip(&index.staged.targets) {
            match judged.work {
                // A file without facts may go.
                Work::Deleted if judged.outcome.checked.changes.is_empty() => judged.work = Work::Fine,
                Work::Fine if judged.outcome.fails() => {
                    judged.work = self.repair(&mut judged.outcome, target, &index.session, &run, &repository, options);
                }
                _ => {}
            }
        }
        Ok((judged, errors))
    }

    /// Fixes the file in the work tree, or plans the fix of the staged text.
    fn repair(
        &self,
        outcome: &mut Outcome,
        target: &Target,
        index: &Self,
        run: &Options,
        repository: &Arc<Repository>,
        options: &HookOptions,
    ) -> Work {
        let whole = is_fully_staged(target);
        if whole && options.fixes {
            let here = Self::new(self.cwd.clone()).in_repository(repository.clone(), index.meant.clone());
            let fix = Options { mode: Mode::Fix, paths: vec![target.real.clone()], command: options.command.clone(), ..run.clone() };
            if let Some(mut fixed) = here.run(&fix, &|_, _| ()).outcomes.into_iter().next() {
                fixed.fail_on = line(options, target);
                return Work::Fixed(Box::new(fixed));
            }
        }
        let preview = Options { mode: Mode::Preview, ..run.clone() };
        if let Some(planned) = index.run_targets(vec![target.clone()], &preview, &|_, _| ()).outcomes.into_iter().next() {
            (outcome.after, outcome.patch) = (planned.after, planned.patch);
            outcome.failure = planned.failure;
        }
        if whole { Work::Left } else { Work::Partly }
    }

    /// A session over the index of the repository here, and the memory files that the commit changes.
    pub(super) fn of_index(&self, base: Option<&str>) -> Result<OfIndex, IoError> {
        let repository = Repository::of_hook(&self.cwd).ok_or_else(|| no_repository(&self.cwd))?;
        let repository = Arc::new(repository);
        let (rev, choice) = match base {
            None => ("HEAD".to_owned(), BaseChoice::Default),
            Some(rev) => (repository.merge_base(rev)?, BaseChoice::Named(rev.to_owned())),
        };
        let heads = if base.is_none() { repository.merge_heads() } else { Vec::new() };
        let revs: Vec<&str> = std::iter::once(rev.as_str()).chain(heads.iter().map(String::as_str)).collect();
        let staged = self.staged(&repository, &revs)?;
        let meant = if staged.targets.is_empty() { Vec::new() } else { meant(&repository, &heads)? };
        let mut session = Self::new(self.cwd.clone()).in_repository(repository.clone(), meant);
        session.index = Some(IndexView { repository, targets: staged.targets.clone(), base: choice.clone() });
        Ok(OfIndex { session, staged, base: choice, heads })
    }
}

/// The least severity that stops the commit of a file.
fn line(options: &HookOptions, target: &Target) -> Severity {
    options.fail_on.or(target.found.config.fail_on).unwrap_or(Severity::Error)
}

/// The index as something to judge.
pub(super) struct OfIndex {
    pub(super) session: Session,
    pub(super) staged: Staged,
    pub(super) base: BaseChoice,
    /// The commits that a merge under way brings in.
    pub(super) heads: Vec<String>,
}

/// What the commits that are merged, or made anew, say was meant.
fn meant(repository: &Repository, heads: &[String]) -> Result<Vec<String>, IoError> {
    let mut keys = Vec::new();
    for head in heads {
        keys.extend(repository.accepts("HEAD", head)?.into_iter().map(|(_, key)| key));
    }
    for commit in repository.picked() {
        // One that is gone by now is none.
        keys.extend(repository.accepts_of(&commit).unwrap_or_default());
    }
    Ok(keys)
}

pub(super) fn no_repository(folder: &Path) -> IoError {
    let stderr = "no repository holds this folder; run it inside one (`git init` makes one)".to_owned();
    IoError::Git { root: folder.to_owned(), command: "git rev-parse".to_owned(), stderr }
}
