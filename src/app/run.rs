//! A run over files: check each, compare them with each other, fix, save.

use super::archiving::ArchiveWrite;
use super::bases::{Commits, FileBase};
use super::options::{Mode, Options};
use super::session::Session;
use super::target::Target;
use super::threads::{into_parallel, parallel};
use crate::check::{self, Baseline, Checked, Current, Currents, Subject};
use crate::diagnostic::{Diagnostic, Needs, RuleInfo, Severity};
use crate::fix::{FixError, Fixed, fix_checked};
use crate::io::{IoError, discover::Place};
use crate::rules::CrossFile;
use crate::text::{LineIndex, Patch, fold_value};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::collections::hash_map::Entry;
use std::hash::BuildHasher;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One file after a run.
#[derive(Debug)]
pub struct Outcome {
    /// Its name in reports.
    pub name: String,
    /// The file behind all links.
    pub real: PathBuf,
    /// Its text before the run.
    pub before: String,
    /// Its text after the run, where fixes change it.
    pub after: Option<String>,
    /// The edits between.
    pub patch: Patch,
    /// What was found (check), or what remains (fix); ranges are those of the text after.
    pub diagnostics: Vec<Diagnostic>,
    /// The rule of each fix.
    pub applied: Vec<&'static RuleInfo>,
    /// What it was compared with, in words.
    pub base: Option<String>,
    /// It has the bytes of its baseline.
    pub identical: bool,
    /// What was counted.
    pub checked: Checked,
    /// Why it could not be fixed or saved.
    pub failure: Option<Failure>,
    /// The least severity that fails the run for this file.
    pub fail_on: Severity,
    /// Its baseline is the journal: what a clean fix leaves is accepted there.
    pub(super) is_untracked: bool,
    /// What goes to the archive beside the file.
    pub(super) archive: Option<ArchiveWrite>,
}

/// Why a file was left as it was.
#[derive(Debug)]
pub enum Failure {
    /// memfile would not trust its own result.
    Fix(FixError),
    /// The world.
    Io(IoError),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fix(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl Outcome {
    /// The text that the diagnostics speak of.
    pub fn text(&self) -> &str {
        self.after.as_deref().unwrap_or(&self.before)
    }

    /// True where a finding is severe enough to fail the run.
    pub fn fails(&self) -> bool {
        check::worst(&self.diagnostics).is_some_and(|worst| worst >= self.fail_on)
    }
}

/// A run: the files that were handled, and what stood in the way of others.
#[derive(Debug, Default)]
pub struct Ran {
    /// The files, by name.
    pub outcomes: Vec<Outcome>,
    /// Paths that could not be handled.
    pub errors: Vec<IoError>,
}

impl Session {
    /// Runs over the files that `options` name. `tick` is told after each file.
    pub fn run(&self, options: &Options, tick: &(dyn Fn(usize, usize) + Sync)) -> Ran {
        self.run_found(self.find(&options.paths), options, tick)
    }

    /// Runs over what [`Session::find`] found.
    pub(super) fn run_found(
        &self,
        (files, mut errors): (Vec<Place>, Vec<IoError>),
        options: &Options,
        tick: &(dyn Fn(usize, usize) + Sync),
    ) -> Ran {
        let (targets, unread) = self.load(&files, options.whole_file, &options.selection);
        errors.extend(unread);
        let mut ran = self.run_targets(targets, options, tick);
        errors.append(&mut ran.errors);
        Ran { outcomes: ran.outcomes, errors }
    }

    /// Runs over texts that were read already.
    pub fn run_targets(&self, targets: Vec<Target>, options: &Options, tick: &(dyn Fn(usize, usize) + Sync)) -> Ran {
        let bases = match self.bases(&targets, &options.base) {
            Ok(bases) => bases,
            Err(error) => return Ran { outcomes: Vec::new(), errors: vec![error] },
        };
        let files: Vec<(Target, FileBase)> = targets.into_iter().zip(bases).collect();
        // What is fixed is judged on the way. Several files are judged before, as they may contradict each other, and so is one with a
        // baseline: what a person declared is asked for only where a finding stands.
        let several = files.len() > 1;
        let is_judged = |base: &FileBase| several || options.mode == Mode::Check || !base.revisions.is_empty();
        let wanted = if several { Currents::All } else { Currents::None };
        let done = AtomicUsize::new(0);
        let first = parallel(&files, |(target, base)| {
            let checked = is_judged(base).then(|| self.judge(target, base, options, &[], wanted));
            tick(done.fetch_add(1, Ordering::Relaxed) + 1, files.len());
            checked
        });
        let cross = conflicts(&files, &first.iter().map(currents).collect::<Vec<_>>());
        let jobs: Vec<_> =
            files.into_iter().zip(first).enumerate().map(|(idx, (file, checked))| (file, checked, cross.get(&idx))).collect();
        let outcome = |((target, base), checked, cross): (_, _, Option<&Vec<CrossFile>>)| {
            self.outcome(target, base, checked, cross.map_or(&[][..], Vec::as_slice), options)
        };
        let has_work = options.mode != Mode::Check || !cross.is_empty();
        let mut outcomes = if has_work { into_parallel(jobs, outcome) } else { jobs.into_iter().map(outcome).collect() };
        if options.mode == Mode::Fix {
            self.save(&mut outcomes, options);
        }
        Ran { outcomes, errors: Vec::new() }
    }

    /// Checks one file. What a person declared is asked for only where a finding against the baseline stands.
    pub(super) fn judge(
        &self,
        target: &Target,
        base: &FileBase,
        options: &Options,
        cross: &[CrossFile],
        currents: Currents,
    ) -> Result<Checked, IoError> {
        let check = |subject: &Subject| check::check(&target.text, &Subject { currents, ..subject.clone() });
        let checked = self.with_subject(target, base, options, cross, check);
        // The order of versions may hang on what was declared as well.
        let against = |diagnostic: &Diagnostic| match diagnostic.rule.needs {
            Needs::Baseline => diagnostic.rule.severity > Severity::Hint,
            _ => diagnostic.rule.severity == Severity::Error && !base.revisions.is_empty(),
        };
        if !base.accepted.declared.is_empty() || !checked.diagnostics.iter().any(against) {
            return Ok(checked);
        }
        let declared = self.declared(&target.real)?;
        if declared.is_empty() {
            return Ok(checked);
        }
        let mut base = base.clone();
        base.accepted.declared = declared;
        Ok(self.with_subject(target, &base, options, cross, check))
    }

    /// Hands `use_it` all that decides about a file.
    pub(super) fn with_subject<R>(
        &self,
        target: &Target,
        base: &FileBase,
        options: &Options,
        cross: &[CrossFile],
        use_it: impl FnOnce(&Subject) -> R,
    ) -> R {
        let commits = base.repository.as_deref().map(|repository| Commits::new(repository, &target.real));
        let get = |number: usize| commits.as_ref().and_then(|commits| commits.get(number));
        let elsewhere = || {
            let others = base.repository.as_deref().map(|repository| self.elsewhere(repository.root(), &target.real));
            let archived = self.archived(target, &options.base);
            others.into_iter().flatten().chain(archived).chain(base.archived.iter().cloned()).collect()
        };
        let baseline = base.label.as_ref().map(|_| Baseline {
            revisions: &base.revisions,
            accepted: &base.accepted,
            commits: commits.is_some().then_some(&get),
            elsewhere: Some(&elsewhere),
        });
        use_it(&Subject {
            name: &target.name,
            config: &target.found.config,
            selection: &target.selection,
            whole_file: target.whole_file,
            today: options.today,
            prefer_last: options.prefer_last,
            baseline,
            cross,
            currents: Currents::None,
            restoring: false,
        })
    }

    pub(super) fn outcome(
        &self,
        target: Target,
        mut base: FileBase,
        checked: Option<Result<Checked, IoError>>,
        cross: &[CrossFile],
        options: &Options,
    ) -> Outcome {
        let fail_on = options.fail_on.or(target.found.config.fail_on).unwrap_or(Severity::Warning);
        let mut outcome = Outcome {
            name: target.name.clone(),
            real: target.real.clone(),
            before: String::new(),
            after: None,
            patch: Patch::default(),
            diagnostics: Vec::new(),
            applied: Vec::new(),
            base: base.label.clone(),
            identical: base.identical,
            checked: Checked::default(),
            failure: None,
            fail_on,
            is_untracked: base.is_untracked,
            archive: None,
        };
        // What a fix knows before it begins; none where there is nothing to fix.
        let mut known = None;
        match checked {
            None => known = Some(None),
            Some(Err(error)) => outcome.failure = Some(Failure::Io(error)),
            Some(Ok(mut checked)) => {
                if !cross.is_empty() {
                    match self.judge(&target, &base, options, cross, Currents::None) {
                        Ok(again) => checked = again,
                        Err(error) => outcome.failure = Some(Failure::Io(error)),
                    }
                }
                let fixes = |found: &Diagnostic| found.fix.as_ref().is_some_and(|fix| fix.applicability >= options.least);
                if options.mode != Mode::Check && outcome.failure.is_none() && checked.diagnostics.iter().any(fixes) {
                    known = Some(Some(checked));
                } else {
                    outcome.found(checked);
                }
            }
        }
        if let Some(known) = known {
            match self.plan(&target, &mut base, options, cross, known) {
                Ok(fixed) => outcome.take(fixed, &target.text),
                Err(failure) => {
                    outcome.failure = Some(failure);
                    // What stands in the file is told all the same.
                    if let Ok(checked) = self.judge(&target, &base, options, cross, Currents::None) {
                        outcome.found(checked);
                    }
                }
            }
        }
        if options.mode != Mode::Check && outcome.failure.is_none() {
            self.archive_after(&mut outcome, &target, &mut base, options);
        }
        outcome.before = target.text;
        outcome
    }

    /// Fixes one text; nothing is written. `known` is what a check of it found, where there was one.
    pub(super) fn plan(
        &self,
        target: &Target,
        base: &mut FileBase,
        options: &Options,
        cross: &[CrossFile],
        known: Option<Checked>,
    ) -> Result<Fixed, Failure> {
        if base.accepted.declared.is_empty() && base.label.is_some() && !base.identical {
            base.accepted.declared = self.declared(&target.real).map_err(Failure::Io)?;
        }
        let fixed = self.with_subject(target, base, options, cross, |subject| fix_checked(&target.text, subject, options.least, known));
        fixed.map_err(Failure::Fix)
    }
}

impl Outcome {
    /// Gives up its text and its findings.
    pub(super) fn forget(&mut self) {
        (self.before, self.diagnostics) = (String::new(), Vec::new());
        (self.checked.changes, self.checked.currents) = (Vec::new(), Vec::new());
    }

    /// Takes over what a check found.
    fn found(&mut self, mut checked: Checked) {
        self.diagnostics = std::mem::take(&mut checked.diagnostics);
        self.checked = checked;
    }

    /// Takes over what a fix made of the text.
    pub(super) fn take(&mut self, fixed: Fixed, before: &str) {
        self.after = (fixed.text != before).then_some(fixed.text);
        self.patch = fixed.patch;
        self.diagnostics = fixed.remaining;
        self.applied = fixed.applied;
        self.checked = fixed.checked;
    }
}

/// The values that hold by a check, if there was one.
fn currents(checked: &Option<Result<Checked, IoError>>) -> &[Current] {
    match checked {
        Some(Ok(checked)) => &checked.currents,
        _ => &[],
    }
}

/// For each file the facts that another file of its folder, or any file under an explicit subject, gives another value.
fn conflicts(files: &[(Target, FileBase)], currents: &[&[Current]]) -> FxHashMap<usize, Vec<CrossFile>> {
    let mut folders: FxHashMap<Option<&std::path::Path>, u64> = FxHashMap::default();
    // Few facts are in more than one file: only of those the values are looked at.
    let mut first: FxHashMap<u64, (u32, u32)> = FxHashMap::default();
    first.reserve(currents.iter().map(|own| own.len()).sum());
    let mut shared: FxHashMap<u64, Vec<(usize, Current)>> = FxHashMap::default();
    for (idx, own) in currents.iter().enumerate() {
        let number = folders.len() as u64 + 1;
        let folder = *folders.entry(files[idx].0.real.parent()).or_insert(number);
        for (at, current) in own.iter().enumerate() {
            let place = FxBuildHasher.hash_one((current.key, if current.explicit { 0 } else { folder }));
            match first.entry(place) {
                Entry::Vacant(free) => drop(free.insert((idx as u32, at as u32))),
                Entry::Occupied(known) => {
                    let (file, at) = *known.get();
                    let known = (file as usize, currents[file as usize][at as usize]);
                    shared.entry(place).or_insert_with(|| vec![known]).push((idx, *current));
                }
            }
        }
    }
    let mut conflicts: FxHashMap<usize, Vec<CrossFile>> = FxHashMap::default();
    for mut members in shared.into_values() {
        members.sort_unstable_by_key(|(idx, current)| (*idx, current.at));
        let value = |(idx, current): &(usize, Current)| {
            let target = &files[*idx].0;
            target.found.config.canonical_value(fold_value(current.value.of(&target.text)))
        };
        let values: Vec<String> = members.iter().map(value).collect();
        for ((idx, current), own) in members.iter().zip(&values) {
            let other = members.iter().zip(&values).find(|((other, _), value)| other != idx && *value != own);
            if let Some(((other, there), _)) = other {
                let target = &files[*other].0;
                let line = LineIndex::new(&target.text).line(&target.text, there.at);
                let conflict = CrossFile { record: current.record, other: target.name.clone(), line, value: None };
                conflicts.entry(*idx).or_default().push(conflict);
            }
        }
    }
    conflicts.values_mut().for_each(|found| found.sort_by_key(|conflict| conflict.record));
    conflicts
}
