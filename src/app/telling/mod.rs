//! A check of many files of which each is told where it was judged: while its text and its findings are at hand, by the thread that
//! has them. What was told is written as soon as no other file can contradict it, and only counts are kept; a thousand files need no
//! more memory than a few.
//!
//! In: options, and who tells and writes. Out: what was told, in order, and [`Told`].

mod waiting;

use self::waiting::{File, Held, Waiting, held};
use super::bases::{FileBase, Untracked};
use super::options::{BaseChoice, Mode, Options};
use super::run::Outcome;
use super::session::Session;
use super::target::Target;
use super::threads::{hand_over, threads_for};
use crate::check::Currents;
use crate::diagnostic::Tally;
use crate::io::{IoError, discover::Place};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is kept of a file that was told.
pub(super) struct Entry {
    /// Its outcome, without its text and its findings.
    pub outcome: Outcome,
    /// What was found.
    pub tally: Tally,
}

/// A check that was told.
pub(super) struct Told {
    /// The files, by name.
    pub entries: Vec<Entry>,
    /// Paths that could not be handled.
    pub errors: Vec<IoError>,
}

/// Who is asked for what is told of a file and its findings, and who takes it.
pub(super) struct Teller<'t, T> {
    /// Asked once for each file, from several threads, in no order; where another file contradicts one, once more.
    pub tell: &'t (dyn Fn(&Outcome) -> T + Sync),
    /// Takes what was told of each file, in order.
    pub write: &'t mut (dyn FnMut(T) + Send),
}

impl Session {
    /// Checks `places`, as [`Session::run`] does; `None` where git is asked for all of them at once, which needs their texts.
    pub(super) fn check_each<'p, T: Send>(
        &self,
        places: &'p [Place],
        options: &Options,
        tick: &(dyn Fn(usize, usize) + Sync),
        teller: Teller<T>,
    ) -> Option<Told> {
        if self.asks_of_all(places, options) {
            return None;
        }
        let Teller { tell, write } = teller;
        let untracked = match options.base {
            BaseChoice::None => None,
            _ => match self.untracked() {
                Ok(untracked) => Some(untracked),
                Err(error) => return Some(Told { entries: Vec::new(), errors: vec![error] }),
            },
        };
        let mut waiting = Waiting::new(places);
        let alone = waiting.alone(places);
        let done = AtomicUsize::new(0);
        let judge = |(place, is_alone): (&'p Place, bool)| {
            let currents = if is_alone { Currents::Explicit } else { Currents::All };
            let judged = self.judge_alone(place, untracked.as_ref(), currents, options);
            tick(done.fetch_add(1, Ordering::Relaxed) + 1, places.len());
            (place, judged.map(|(outcome, held)| (told(outcome, tell), held)))
        };
        let (mut entries, mut errors) = (Vec::with_capacity(places.len()), Vec::new());
        hand_over(places.iter().zip(alone).collect(), threads_for(places.len()), judge, |(place, judged)| {
            match judged {
                Ok(((entry, told), held)) => {
                    waiting.add(File { place, held, told: Some(told), waits: true });
                    entries.push(entry);
                }
                Err(error) => {
                    waiting.skip(place);
                    errors.push(error);
                }
            }
            waiting.write(write);
        });
        let differing = waiting.settle();
        if !differing.is_empty() {
            errors.extend(self.judge_again((&mut waiting.files, &mut entries), differing, options, tell));
        }
        waiting.write(write);
        Some(Told { entries, errors })
    }

    /// Judges those files together that differ in a fact.
    fn judge_again<T>(
        &self,
        (files, entries): (&mut [File<'_, T>], &mut [Entry]),
        differing: BTreeSet<usize>,
        options: &Options,
        tell: &(dyn Fn(&Outcome) -> T + Sync),
    ) -> Vec<IoError> {
        let places = differing.iter().map(|&idx| files[idx].place.clone()).collect();
        let ran = self.run_found((places, Vec::new()), options, &|_, _| ());
        let numbers: FxHashMap<PathBuf, usize> = differing.into_iter().map(|idx| (entries[idx].outcome.real.clone(), idx)).collect();
        for outcome in ran.outcomes {
            if let Some(&idx) = numbers.get(&outcome.real) {
                let (entry, told) = told(outcome, tell);
                (entries[idx], files[idx].told) = (entry, Some(told));
            }
        }
        ran.errors
    }

    /// True where git is asked for all files at once.
    fn asks_of_all(&self, places: &[Place], options: &Options) -> bool {
        match options.base {
            BaseChoice::None => false,
            BaseChoice::Default => {
                let mut folders: Vec<&Path> = places.iter().filter_map(|place| place.real.parent()).collect();
                folders.dedup();
                folders.iter().any(|folder| self.repositories.of(folder).is_some())
            }
            _ => true,
        }
    }

    /// Judges a file that git is not asked for with others. `untracked` is what the journal has; none for no baseline at all.
    fn judge_alone(
        &self,
        place: &Place,
        untracked: Option<&Untracked>,
        currents: Currents,
        options: &Options,
    ) -> Result<(Outcome, Vec<Held>), IoError> {
        debug_assert_eq!(options.mode, Mode::Check);
        let target = Target::load_found(self, place, options.whole_file, &options.selection)?;
        // A link may lead into a repository.
        let base = match untracked {
            Some(_) if self.repository(&target.real).is_some() => {
                self.bases(std::slice::from_ref(&target), &options.base)?.into_iter().next().unwrap_or_default()
            }
            Some(untracked) => untracked.base(&target)?,
            None => FileBase::default(),
        };
        let checked = self.judge(&target, &base, options, &[], currents);
        let held = checked.as_ref().map_or(Vec::new(), |checked| held(checked, &target.text));
        Ok((self.outcome(target, base, checked, &[], options), held))
    }
}

fn told<T>(mut outcome: Outcome, tell: &(dyn Fn(&Outcome) -> T + Sync)) -> (Entry, T) {
    let (tally, told) = (Tally::of(&outcome.diagnostics), tell(&outcome));
    outcome.forget();
    (Entry { outcome, tally }, told)
}
