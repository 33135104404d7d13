//! A check of many files of which each is told where it was judged: while its text and its findings are at hand, by the thread that
//! has them. What is kept of it then is what was told, and counts; a thousand files need no more memory than a few.
//!
//! In: options, and who tells. Out: [`Told`], file by file.

use super::bases::{FileBase, Untracked};
use super::options::{BaseChoice, Mode, Options};
use super::run::Outcome;
use super::session::Session;
use super::target::Target;
use super::threads::parallel;
use crate::check::{Checked, Current};
use crate::diagnostic::Tally;
use crate::io::{IoError, Loader};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::collections::BTreeSet;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A file that was told.
pub(super) struct Entry<T> {
    /// Its outcome, without its text and its findings.
    pub outcome: Outcome,
    /// What was found.
    pub tally: Tally,
    /// What was told.
    pub told: T,
}

/// A check that was told.
pub(super) struct Told<T> {
    /// The files, by name.
    pub entries: Vec<Entry<T>>,
    /// Paths that could not be handled.
    pub errors: Vec<IoError>,
}

/// A file that was judged by itself.
struct File<'p, T> {
    path: &'p Path,
    held: Vec<Held>,
    entry: Entry<T>,
}

/// A value that holds, as far as other files are concerned.
struct Held {
    /// The fact.
    key: u64,
    explicit: bool,
    /// Its value as written, hashed.
    value: u64,
}

impl Session {
    /// Checks the files `paths`, as [`Session::run`] does; `None` where git is asked for all of them at once, which needs their texts.
    /// `tell` is asked once for each file and its findings, from several threads, in no order; where another file contradicts one,
    /// once more.
    pub(super) fn check_each<T: Send>(
        &self,
        paths: &[PathBuf],
        options: &Options,
        tick: &(dyn Fn(usize, usize) + Sync),
        tell: &(dyn Fn(&Outcome) -> T + Sync),
    ) -> Option<Told<T>> {
        if self.asks_of_all(paths, options) {
            return None;
        }
        let untracked = match options.base {
            BaseChoice::None => None,
            _ => match self.untracked() {
                Ok(untracked) => Some(untracked),
                Err(error) => return Some(Told { entries: Vec::new(), errors: vec![error] }),
            },
        };
        let (done, loader) = (AtomicUsize::new(0), Loader::default());
        let judged = parallel(paths, |path| {
            let found = self.judge_alone(&loader, path, untracked.as_ref(), options);
            tick(done.fetch_add(1, Ordering::Relaxed) + 1, paths.len());
            found.map(|(outcome, held)| (entry(outcome, tell), held))
        });
        let (mut files, mut errors) = (Vec::with_capacity(paths.len()), Vec::new());
        for (path, result) in paths.iter().zip(judged) {
            match result {
                Ok((entry, held)) => files.push(File { path, held, entry }),
                Err(error) => errors.push(error),
            }
        }
        let again: Vec<PathBuf> = differing(&files).into_iter().map(|idx| files[idx].path.to_owned()).collect();
        let mut entries: Vec<Entry<T>> = files.into_iter().map(|file| file.entry).collect();
        if !again.is_empty() {
            let ran = self.run_found((again, Vec::new()), options, &|_, _| ());
            errors.extend(ran.errors);
            let places: FxHashMap<PathBuf, usize> =
                entries.iter().enumerate().map(|(idx, entry)| (entry.outcome.real.clone(), idx)).collect();
            for outcome in ran.outcomes {
                if let Some(&idx) = places.get(&outcome.real) {
                    entries[idx] = entry(outcome, tell);
                }
            }
        }
        Some(Told { entries, errors })
    }

    /// True where git is asked for all files at once.
    fn asks_of_all(&self, paths: &[PathBuf], options: &Options) -> bool {
        match options.base {
            BaseChoice::None => false,
            BaseChoice::Default => {
                let mut folders: Vec<&Path> = paths.iter().filter_map(|path| path.parent()).collect();
                folders.dedup();
                folders.iter().any(|folder| self.repositories.of(&self.absolute(folder)).is_some())
            }
            _ => true,
        }
    }

    /// Judges a file that git is not asked for with others. `untracked` is what the journal has; none for no baseline at all.
    fn judge_alone(
        &self,
        loader: &Loader,
        path: &Path,
        untracked: Option<&Untracked>,
        options: &Options,
    ) -> Result<(Outcome, Vec<Held>), IoError> {
        debug_assert_eq!(options.mode, Mode::Check);
        let target = Target::load_by(loader, self, path, options.whole_file, &options.selection)?;
        // A link may lead into a repository.
        let base = match untracked {
            Some(_) if self.repository(&target.real).is_some() => {
                self.bases(std::slice::from_ref(&target), &options.base)?.into_iter().next().unwrap_or_default()
            }
            Some(untracked) => untracked.base(&target)?,
            None => FileBase::default(),
        };
        let checked = self.judge(&target, &base, options, &[], true);
        let held = checked.as_ref().map_or(Vec::new(), |checked| held(checked, &target.text));
        Ok((self.outcome(target, base, checked, &[], options), held))
    }
}

fn entry<T>(mut outcome: Outcome, tell: &(dyn Fn(&Outcome) -> T + Sync)) -> Entry<T> {
    let (tally, told) = (Tally::of(&outcome.diagnostics), tell(&outcome));
    outcome.forget();
    Entry { outcome, tally, told }
}

fn held(checked: &Checked, text: &str) -> Vec<Held> {
    let of =
        |current: &Current| Held { key: current.key, explicit: current.explicit, value: FxBuildHasher.hash_one(current.value.of(text)) };
    checked.currents.iter().map(of).collect()
}

/// The files that hold a fact for which another file of their folder, or any file under an explicit subject, has a value that is
/// written otherwise: whether it is another value is found out with the texts at hand.
fn differing<T>(files: &[File<'_, T>]) -> BTreeSet<usize> {
    let mut folders: FxHashMap<&Path, Vec<usize>> = FxHashMap::default();
    for (idx, file) in files.iter().enumerate() {
        folders.entry(file.entry.outcome.real.parent().unwrap_or(file.path)).or_default().push(idx);
    }
    let mut found = BTreeSet::new();
    let mut seen: FxHashMap<u64, Seen> = FxHashMap::default();
    let mut among = |members: &[usize], explicit: bool| {
        let held = |&idx: &usize| files[idx].held.iter().filter(move |held| held.explicit == explicit).map(move |held| (idx, held));
        seen.clear();
        let mut any = false;
        for (idx, held) in members.iter().flat_map(held) {
            let seen = seen.entry(held.key).or_insert(Seen { file: idx, value: held.value, files: false, values: false });
            seen.files |= seen.file != idx;
            seen.values |= seen.value != held.value;
            any |= seen.files && seen.values;
        }
        if !any {
            return;
        }
        let differs = |held: &Held| seen.get(&held.key).is_some_and(|seen| seen.files && seen.values);
        found.extend(members.iter().flat_map(held).filter(|(_, held)| differs(held)).map(|(idx, _)| idx));
    };
    folders.values().filter(|members| members.len() > 1).for_each(|members| among(members, false));
    let explicit = |file: &File<'_, T>| file.held.iter().any(|held| held.explicit);
    among(&(0..files.len()).filter(|&idx| explicit(&files[idx])).collect::<Vec<_>>(), true);
    found
}

/// Where a fact was seen: first, and whether in several files and with several values since.
struct Seen {
    file: usize,
    value: u64,
    files: bool,
    values: bool,
}
