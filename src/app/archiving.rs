//! `archive`, `backfill` and `budget`: what stands in the file, beside it and behind it.

use super::bases::FileBase;
use super::forgetting::archive_of;
use super::options::Options;
use super::others::contents;
use super::run::Outcome;
use super::saving::secrets_hidden;
use super::session::Session;
use super::target::{Target, slashed};
use super::writing::{Unwritten, Written};
use crate::baseline::Accepted;
use crate::check::{Baseline, Commit, Selection, Subject};
use crate::command::{Archived, Found, Plan, archive, backfill, most};
use crate::conserve;
use crate::diagnostic::Applicability;
use crate::fix::between;
use crate::io::journal::{DeclaredKind, Journal, StepFile, file_key};
use crate::io::{self, IoError, Lock, clock};
use crate::rules::Budget;
use crate::text::count;
use chrono::NaiveDate;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// What is written to an archive.
#[derive(Debug)]
pub(super) struct ArchiveWrite {
    real: PathBuf,
    /// Its name in reports.
    pub(super) name: String,
    /// Its text before, if it is there.
    pub(super) before: Option<String>,
    /// Its text after.
    pub(super) after: String,
}

impl ArchiveWrite {
    /// For the journal.
    pub(super) fn step(&self) -> StepFile<Cow<'_, str>> {
        let before = self.before.as_deref().map(secrets_hidden);
        StepFile { file: file_key(&self.real), old: before, new: Some(secrets_hidden(&self.after)) }
    }
}

/// A version that git knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Backfilled {
    /// The fact and its value.
    pub found: Found,
    /// The day of the commit that has it, where it is known.
    pub date: Option<NaiveDate>,
    /// The commit.
    pub commit: String,
    /// Its author.
    pub author: String,
}

impl Session {
    /// Moves all but the `keep` latest historical versions of each fact to the archive.
    ///
    /// # Errors
    /// [`Unwritten`]; then no byte has changed.
    pub fn move_out(&self, path: &Path, today: NaiveDate, command: &str, keep: Option<usize>) -> Result<Written, Unwritten> {
        let target = Target::load(self, path, false, &Selection::default())?;
        let lock = Lock::acquire(&self.state, &target.real)?;
        self.put_right(&archive_of(&target.real))?;
        let target = Target::new(self, path, target.real.clone(), lock.read()?, false, &Selection::default())?;
        let keep = keep.or(target.found.config.keep).unwrap_or(0);
        let selection = Selection::default();
        let subject = Subject { whole_file: target.whole_file, ..Subject::new(&target.found.config, &selection, today) };
        let Some((archived, write)) = self.moved(&target, &target.text, &subject, keep)? else {
            return Ok(Written { name: target.name, said: "nothing to move; nothing changed".to_owned(), changed: false });
        };
        self.save_both(&lock, &target.text, &archived.text, Some(&write))?;
        let file = file_key(&target.real);
        let own = StepFile { file: file.clone(), old: Some(secrets_hidden(&target.text)), new: Some(secrets_hidden(&archived.text)) };
        let mut journal = Journal::open(&self.state)?;
        let time = clock::now()?;
        journal.add_step(time, &super::saving::actor(), command, &[own, write.step()])?;
        if journal.accepted(&file)?.is_some_and(|text| text == secrets_hidden(&target.text)) {
            journal.set_accepted(&[(file, secrets_hidden(&archived.text))], time)?;
        }
        let said = format!("{} moved to {}", count(archived.moved, "version"), write.name);
        Ok(Written { name: target.name, said, changed: true })
    }

    /// Both texts after a move; nothing of either is lost.
    fn moved(&self, target: &Target, text: &str, subject: &Subject, keep: usize) -> Result<Option<(Archived, ArchiveWrite)>, Unwritten> {
        let real = archive_of(&target.real);
        let before = match io::load(&real) {
            Ok(loaded) => Some(loaded.text),
            Err(IoError::NotFound { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        let base = |path: &Path| path.file_name().map(|name| slashed(Path::new(name))).unwrap_or_default();
        let names = (base(&target.real), base(&real));
        let Some(archived) = archive(text, subject, before.as_deref(), (&names.0, &names.1), keep) else { return Ok(None) };
        let (config, whole) = (&target.found.config, target.whole_file);
        conserve::moved((text, before.as_deref().unwrap_or("")), (&archived.text, &archived.archive), config, whole)
            .map_err(Unwritten::Loss)?;
        let write = ArchiveWrite { name: self.name(&real), real, before, after: archived.archive.clone() };
        Ok(Some((archived, write)))
    }

    /// What a fix moves out as well: history beyond `keep`, and with unsafe fixes so much that the file fits its loader.
    pub(super) fn archive_after(&self, outcome: &mut Outcome, target: &Target, base: &mut FileBase, options: &Options) {
        outcome.archive = None;
        let config = &target.found.config;
        let selection = &target.selection;
        let text = outcome.after.clone().unwrap_or_else(|| target.text.clone());
        let stops = outcome.diagnostics.iter().any(|diagnostic| diagnostic.rule.stops_writing);
        if stops || options.selection.select.is_some() {
            return;
        }
        let subject = Subject { name: &target.name, whole_file: target.whole_file, ..Subject::new(config, selection, options.today) };
        let large = outcome.diagnostics.iter().any(|found| matches!(found.rule.name, "over-budget" | "current-outside-window"));
        let wanted = match (config.keep, large && options.least <= Applicability::Unsafe) {
            (keep, true) => {
                let window = Budget::of(&target.name, config);
                let most = most(&text, &subject).min(keep.unwrap_or(usize::MAX));
                let fits = |keep: &usize| {
                    let moved = self.moved(target, &text, &subject, *keep).ok().flatten();
                    window.end_in(moved.as_ref().map_or(text.as_str(), |(archived, _)| &archived.text)).is_none()
                };
                Some((0..=most).rev().find(fits).unwrap_or(0))
            }
            (keep, false) => keep,
        };
        let Some(keep) = wanted else { return };
        match self.moved(target, &text, &subject, keep) {
            Ok(None) => {}
            Err(Unwritten::Io(error)) => outcome.failure = Some(super::run::Failure::Io(error)),
            Err(Unwritten::Loss(loss)) => outcome.failure = Some(super::run::Failure::Fix(crate::fix::FixError::Loss(loss))),
            Err(Unwritten::Refused(_)) => {}
            Ok(Some((archived, write))) => {
                let there = contents(&write.after, config, true);
                let known = write.before.as_deref().map(|text| contents(text, config, true)).unwrap_or_default();
                base.archived = there.into_iter().filter(|content| !known.contains(content)).collect();
                if base.identical {
                    // The text is that of the baseline no more.
                    base.identical = false;
                    base.revisions = vec![(None, target.text.as_str().into())];
                }
                let moved = Target { text: archived.text.clone(), ..target.clone() };
                let mut checked = self.with_subject(&moved, base, options, &[], |subject| crate::check::check(&moved.text, subject));
                outcome.diagnostics = std::mem::take(&mut checked.diagnostics);
                outcome.checked = checked;
                outcome.patch = between(&target.text, &archived.text);
                outcome.after = Some(archived.text);
                outcome.archive = Some(write);
            }
        }
    }

    /// Writes the archive, then the file. Where the file cannot be written the archive is put back.
    pub(super) fn save_both(&self, lock: &Lock, before: &str, after: &str, archive: Option<&ArchiveWrite>) -> Result<(), IoError> {
        let Some(archive) = archive else { return lock.save(before, after) };
        io::not_a_link(&archive.real)?;
        let beside = Lock::acquire(&self.state, &archive.real)?;
        let _note = lock.together(before, &io::Beside { path: &archive.real, old: archive.before.as_deref(), new: &archive.after })?;
        match &archive.before {
            Some(before) => beside.save(before, &archive.after)?,
            None => beside.create(&archive.after)?,
        }
        let saved = lock.save(before, after);
        if saved.is_err() {
            match &archive.before {
                Some(before) => beside.save(&archive.after, before)?,
                None => beside.remove(&archive.after)?,
            }
        }
        saved
    }

    /// Brings back what was overwritten before memfile came, or tells only what that is.
    ///
    /// # Errors
    /// [`Unwritten`]; then no byte has changed.
    pub fn backfill(&self, path: &Path, today: NaiveDate, command: &str, dry_run: bool) -> Result<(Written, Vec<Backfilled>), Unwritten> {
        let found = std::cell::RefCell::new(Vec::new());
        let plan = |target: &Target| -> Result<Plan, Unwritten> {
            let history = self.history_of(target)?;
            let mut told = Vec::new();
            let mut revisions: Vec<Commit> = Vec::new();
            for revision in &history {
                let Some(text) = &revision.text else { continue };
                revisions.push((revision.has_known_date.then_some(revision.date), text.clone()));
                told.push(revision);
            }
            if revisions.is_empty() {
                return Ok(Plan { said: "no commit has this file; nothing changed".to_owned(), ..Plan::default() });
            }
            let accepted = Accepted { declared: self.declared(&target.real)?, trailers: Vec::new() };
            let repository = self.repository(&target.real);
            let commits = repository.as_deref().map(|repository| super::bases::Commits::new(repository, &target.real));
            let get = |number: usize| commits.as_ref().and_then(|commits| commits.get(number));
            // What the archive has is there, whenever it came.
            let elsewhere =
                || io::load(&archive_of(&target.real)).map(|loaded| contents(&loaded.text, &target.found.config, true)).unwrap_or_default();
            let baseline = Baseline { revisions: &revisions, accepted: &accepted, commits: Some(&get), elsewhere: Some(&elsewhere) };
            let selection = Selection::default();
            let subject = Subject {
                whole_file: target.whole_file,
                baseline: Some(baseline),
                ..Subject::new(&target.found.config, &selection, today)
            };
            let (mut plan, versions) = backfill(&target.text, &subject)?;
            let line = |version: Found| {
                let revision = told[version.revision];
                let date = revision.has_known_date.then_some(revision.date);
                Backfilled { found: version, date, commit: revision.commit.clone(), author: revision.author.clone() }
            };
            *found.borrow_mut() = versions.into_iter().map(line).collect();
            if dry_run {
                plan.after = None;
            } else if let Some(after) = &plan.after {
                conserve::grown(&target.text, after, &target.found.config, target.whole_file).map_err(Unwritten::Loss)?;
            }
            Ok(plan)
        };
        if dry_run {
            let target = Target::load(self, path, false, &Selection::default())?;
            let plan = plan(&target)?;
            return Ok((Written { name: target.name, said: plan.said, changed: false }, found.into_inner()));
        }
        let written = self.write_planned(path, command, DeclaredKind::Accept, &plan)?;
        Ok((written, found.into_inner()))
    }
}
