//! The baseline of each file of a run (SPEC 6): `HEAD`, a revision with the commits behind it, a path, the journal, or none.

use super::options::BaseChoice;
#[cfg(feature = "watch")]
use super::session::KnownDeclared;
use super::session::Session;
use super::target::Target;
use crate::baseline::{Accepted, Declared};
use crate::check::Commit;
use crate::io::git::{Base, History, Parents, Repository};
use crate::io::journal::{Journal, Seen, file_key};
use crate::io::{self, IoError};
use chrono::NaiveDate;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// What one file is compared with.
#[derive(Debug, Clone, Default)]
pub(super) struct FileBase {
    /// In words, for people: `HEAD`, `the journal`; `None` for nothing.
    pub(super) label: Option<String>,
    /// The bytes are those of the baseline.
    pub(super) identical: bool,
    /// The baseline and the revisions behind it; empty where identical.
    pub(super) revisions: Vec<Commit>,
    /// Trailers, and what the journal declares once it was asked.
    pub(super) accepted: Accepted,
    /// The repository that tracks the file.
    pub(super) repository: Option<Arc<Repository>>,
    /// The file stands in no commit of the baseline: what a fix leaves is accepted in the journal.
    pub(super) is_untracked: bool,
    /// Records that this run moves to the archive.
    pub(super) archived: crate::check::Elsewhere,
}

impl FileBase {
    fn none() -> Self {
        Self::default()
    }

    fn of_text(label: &str, base: Base, text: &str, repository: Option<Arc<Repository>>) -> Option<Self> {
        let label = Some(label.to_owned());
        match base {
            Base::Same => Some(Self { label, identical: true, repository, ..Self::default() }),
            Base::Text(base) if *base == *text => Some(Self { label, identical: true, repository, ..Self::default() }),
            Base::Text(base) => Some(Self { label, revisions: vec![(None, base)], repository, ..Self::default() }),
            Base::Missing | Base::NotUtf8 => None,
        }
    }
}

impl Session {
    /// The baselines of `targets`, in their order.
    ///
    /// # Errors
    /// A revision that is not there, git that fails, a path that cannot be read.
    pub(super) fn bases(&self, targets: &[Target], choice: &BaseChoice) -> Result<Vec<FileBase>, IoError> {
        match choice {
            BaseChoice::None => Ok(targets.iter().map(|_| FileBase::none()).collect()),
            BaseChoice::Default => self.heads(targets),
            BaseChoice::Seen { start, before, today } => self.seen_bases(targets, start.as_deref(), before.as_ref(), *today),
            BaseChoice::Settled(text) => Ok(targets.iter().map(|target| self.settled_base(target, text)).collect()),
            BaseChoice::Named(name) => match self.base_path(name, targets) {
                Some(path) => self.path_bases(&path, name, targets),
                None => self.revision_bases(targets, name),
            },
        }
    }

    /// A name is a revision where git knows it, else a path.
    fn base_path(&self, name: &str, targets: &[Target]) -> Option<PathBuf> {
        let path = self.cwd.join(name);
        if !path.is_file() {
            return None;
        }
        let repository = targets.first().and_then(|target| self.repository(&target.real));
        let known = repository.and_then(|repository| repository.resolve(name).ok().flatten());
        known.is_none().then_some(path)
    }

    pub(super) fn repository(&self, real: &Path) -> Option<Arc<Repository>> {
        self.repositories.of(real.parent()?)
    }

    fn path_bases(&self, path: &Path, name: &str, targets: &[Target]) -> Result<Vec<FileBase>, IoError> {
        let text: Arc<str> = io::load(path)?.text.into();
        let base = |target: &Target| FileBase::of_text(name, Base::Text(text.clone()), &target.text, None).unwrap_or_default();
        Ok(targets.iter().map(base).collect())
    }

    /// A text from before, in the repository of the file, so that commits still date what it holds.
    fn settled_base(&self, target: &Target, text: &str) -> FileBase {
        let repository = self.repository(&target.real);
        let is_untracked = repository.is_none();
        let base = FileBase::of_text("the text before", Base::Text(text.into()), &target.text, repository);
        FileBase { is_untracked, ..base.unwrap_or_default() }
    }

    /// The default baselines; behind each the text before, whose values may have stood in no commit. Where git has the file as it
    /// is now, nothing is missing.
    fn seen_bases(
        &self,
        targets: &[Target],
        start: Option<&str>,
        before: Option<&Arc<str>>,
        today: NaiveDate,
    ) -> Result<Vec<FileBase>, IoError> {
        let mut bases = self.heads(targets)?;
        for (target, base) in targets.iter().zip(&mut bases) {
            let is_untracked = base.is_untracked;
            let of_text = |label, text: &str| {
                let base = FileBase::of_text(label, Base::Text(text.into()), &target.text, None);
                FileBase { is_untracked, ..base.unwrap_or_default() }
            };
            if let Some(start) = start.filter(|_| is_untracked) {
                *base = of_text("the text at the start of the session", start);
            }
            let Some(before) = before.filter(|before| ***before != *target.text) else { continue };
            if base.label.is_none() {
                *base = FileBase { repository: base.repository.clone(), ..of_text("the text before", before) };
            } else if base.revisions.last().is_some_and(|(_, last)| last != before) {
                base.revisions.push((Some(today), before.clone()));
            }
        }
        Ok(bases)
    }

    /// `HEAD` for tracked files, one batch a repository; the journal for the others.
    fn heads(&self, targets: &[Target]) -> Result<Vec<FileBase>, IoError> {
        let mut bases: Vec<Option<FileBase>> = targets.iter().map(|_| None).collect();
        let mut repositories: BTreeMap<PathBuf, (Arc<Repository>, Vec<usize>)> = BTreeMap::new();
        for (idx, target) in targets.iter().enumerate() {
            if let Some(repository) = self.repository(&target.real) {
                let entry = repositories.entry(repository.root().to_owned()).or_insert_with(|| (repository, Vec::new()));
                entry.1.push(idx);
            }
        }
        for (repository, members) in repositories.into_values() {
            let files: Vec<(PathBuf, &str)> = members.iter().map(|&idx| (targets[idx].real.clone(), targets[idx].text.as_str())).collect();
            let blobs = repository.changed_blobs("HEAD", &files)?;
            let missing = blobs.iter().filter(|base| matches!(base, Base::Missing)).count();
            for (idx, base) in members.into_iter().zip(blobs) {
                // A renamed file is rare, and looking for it costs a process.
                let base = match base {
                    Base::Missing if missing <= 2 => self.renamed(&repository, &targets[idx].real)?,
                    base => base,
                };
                let mut base = FileBase::of_text("HEAD", base, &targets[idx].text, Some(repository.clone()));
                if let Some(base) = &mut base {
                    base.accepted.trailers.extend(self.meant.iter().map(|key| (key.clone(), u32::MAX)));
                }
                bases[idx] = base;
            }
        }
        if bases.iter().all(Option::is_some) {
            return Ok(bases.into_iter().flatten().collect());
        }
        let untracked = self.untracked()?;
        bases.into_iter().zip(targets).map(|(base, target)| base.map_or_else(|| untracked.base(target), Ok)).collect()
    }

    /// What the journal has of files that no repository tracks.
    pub(super) fn untracked(&self) -> Result<Untracked, IoError> {
        let journal = Journal::open_for_read(&self.state)?;
        let known = match &journal {
            Some(journal) => journal.accepted_files()?,
            None => Vec::new(),
        };
        Ok(Untracked { journal: Mutex::new(journal), known })
    }

    fn renamed(&self, repository: &Repository, real: &Path) -> Result<Base, IoError> {
        let Some(old) = repository.renamed_from("HEAD", real)? else { return Ok(Base::Missing) };
        Ok(repository.blobs("HEAD", &[old])?.into_iter().next().unwrap_or(Base::Missing))
    }

    /// The merge base of a revision and `HEAD`, and for each file the commits behind it that touched it. Of many files few were
    /// touched: the others are what `HEAD` has, in one batch a repository.
    fn revision_bases(&self, targets: &[Target], rev: &str) -> Result<Vec<FileBase>, IoError> {
        let mut bases: Vec<FileBase> = targets.iter().map(|_| FileBase::none()).collect();
        let mut repositories: BTreeMap<PathBuf, (Arc<Repository>, Vec<usize>)> = BTreeMap::new();
        for (idx, target) in targets.iter().enumerate() {
            let repository = self.repository(&target.real).ok_or_else(|| IoError::NotFound { path: self.cwd.join(rev) })?;
            repositories.entry(repository.root().to_owned()).or_insert_with(|| (repository, Vec::new())).1.push(idx);
        }
        for (repository, members) in repositories.into_values() {
            let from = repository.merge_base(rev)?;
            let range = Range { rev, accepts: repository.accepts(&from, "HEAD")?, from, repository };
            let paths: Vec<PathBuf> = members.iter().map(|&idx| targets[idx].real.clone()).collect();
            let touched = range.repository.touched(&range.from, "HEAD", &paths)?;
            let still: Vec<PathBuf> = paths.into_iter().zip(&touched).filter(|(_, touched)| !**touched).map(|(path, _)| path).collect();
            let mut heads = range.repository.blobs("HEAD", &still)?.into_iter();
            for (&idx, touched) in members.iter().zip(&touched) {
                let head = if *touched { None } else { heads.next() };
                bases[idx] = range.base(&targets[idx], head)?;
            }
        }
        Ok(bases)
    }

    /// What the journal says was meant for a file. Asked for the same file again, it is opened only if it was written since.
    pub(super) fn declared(&self, real: &Path) -> Result<Vec<Declared>, IoError> {
        let Some(seen) = Seen::now(&self.state) else { return Ok(Vec::new()) };
        if let Ok(known) = self.known_declared.lock()
            && let Some((when, file, declared)) = known.as_ref()
            && (*when == seen && file == real)
        {
            return Ok(declared.clone());
        }
        let Some(journal) = Journal::open_for_read(&self.state)? else { return Ok(Vec::new()) };
        let declared = journal.declared(&file_key(real))?.into_iter();
        let declared: Vec<Declared> =
            declared.map(|pair| Declared { old: pair.old.unwrap_or_default(), new: pair.new.unwrap_or_default() }).collect();
        if let Ok(mut known) = self.known_declared.lock() {
            *known = Some((seen, real.to_owned(), declared.clone()));
        }
        Ok(declared)
    }
}

/// The texts that were accepted of files that no repository tracks.
pub(super) struct Untracked {
    journal: Mutex<Option<Journal>>,
    /// Of many files few were ever accepted: one look tells which. Sorted.
    known: Vec<String>,
}

impl Untracked {
    /// What such a file is compared with.
    pub(super) fn base(&self, target: &Target) -> Result<FileBase, IoError> {
        let key = file_key(&target.real);
        let accepted = match self.journal.lock() {
            Ok(journal) if self.known.binary_search(&key).is_ok() => journal.as_ref().map(|journal| journal.accepted(&key)).transpose()?,
            _ => None,
        };
        let base = accepted.flatten().map_or(Base::Missing, |text| Base::Text(text.into()));
        let found = FileBase::of_text("the text that the last fix accepted", base, &target.text, None);
        Ok(FileBase { is_untracked: true, ..found.unwrap_or_default() })
    }
}

#[cfg(feature = "watch")]
impl Session {
    /// Knows from the start what a session before this one was told of a file. It holds while the journal is as it was.
    pub(super) fn keep_declared(&self, known: Option<KnownDeclared>) {
        if let Ok(mut own) = self.known_declared.lock() {
            *own = known;
        }
    }

    /// Gives away what it knows of the file that was asked for last.
    pub(super) fn take_declared(&self) -> Option<KnownDeclared> {
        self.known_declared.lock().ok().and_then(|mut known| known.take())
    }
}

/// The commits since the merge base of a revision and `HEAD`.
struct Range<'r> {
    rev: &'r str,
    from: String,
    repository: Arc<Repository>,
    /// Their trailers: commit and value.
    accepts: Vec<(String, String)>,
}

impl Range<'_> {
    /// What `target` is compared with. `head` is what `HEAD` has of it, where no commit touched it.
    fn base(&self, target: &Target, head: Option<Base>) -> Result<FileBase, IoError> {
        let steps = match head {
            Some(_) => Vec::new(),
            None => self.repository.revisions(&self.from, "HEAD", &target.real)?,
        };
        let before = match steps.first() {
            Some(first) => first.before.clone(),
            None => {
                let ask = || Ok(self.repository.blobs("HEAD", std::slice::from_ref(&target.real))?.into_iter().next());
                match head.map_or_else(ask, |head| Ok(Some(head)))? {
                    Some(Base::Text(text)) => Some(text),
                    _ => None,
                }
            }
        };
        let repository = Some(self.repository.clone());
        let Some(before) = before else { return Ok(FileBase { repository, ..FileBase::none() }) };
        let mut revisions: Vec<Commit> = vec![(None, before)];
        let mut numbers = BTreeMap::new();
        for step in steps {
            let date = step.has_known_date.then_some(step.date);
            revisions.push((date, step.text.unwrap_or_else(|| "".into())));
            numbers.insert(step.commit, revisions.len() as u32 - 1);
        }
        // A commit that did not touch the file speaks of all that was done to it before.
        let last = revisions.len() as u32 - 1;
        let trailers = self.accepts.iter().map(|(commit, key)| (key.clone(), numbers.get(commit).copied().unwrap_or(last)));
        let accepted = Accepted { declared: Vec::new(), trailers: trailers.collect() };
        let identical = revisions.iter().all(|(_, text)| **text == *target.text);
        if identical {
            revisions.clear();
        }
        Ok(FileBase { label: Some(self.rev.to_owned()), identical, revisions, accepted, repository, ..FileBase::none() })
    }
}

/// The commits of a file, read as they are asked for.
pub(super) struct Commits<'r> {
    history: RefCell<History<'r>>,
    read: RefCell<Vec<Commit>>,
}

impl<'r> Commits<'r> {
    pub(super) fn new(repository: &'r Repository, real: &Path) -> Self {
        Self { history: RefCell::new(repository.history(real, Parents::First)), read: RefCell::default() }
    }

    /// Commit `number`, the newest first. A history that cannot be read ends.
    pub(super) fn get(&self, number: usize) -> Option<Commit> {
        let mut read = self.read.borrow_mut();
        while read.len() <= number {
            let revision = self.history.borrow_mut().next()?.ok()?;
            let date = revision.has_known_date.then_some(revision.date);
            read.push((date, revision.text.unwrap_or_else(|| "".into())));
        }
        read.get(number).cloned()
    }
}
