//! A check of files of which each is told where it was judged: while its text and its findings are at hand, by the thread that has
//! them. What was told is written as soon as no other file can contradict it, and only counts are kept; a thousand files need no more
//! memory than a few, nor do a million findings.
//!
//! In: options, and who tells and writes. Out: what was told, in order, and [`Told`].

mod waiting;

use self::waiting::{File, Held, Waiting, held};
use super::bases::FileBase;
use super::options::{BaseChoice, Mode, Options};
use super::run::Outcome;
use super::session::Session;
use super::target::Target;
use super::threads::{hand_over, threads_for};
use crate::check::{Currents, Subject, check_in_pieces};
use crate::diagnostic::{Diagnostic, Tally};
use crate::io::{IoError, discover::Place};
use crate::report::Pieces;
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

/// Gives for a name and a text who puts the findings of that file into words.
pub(super) type Begin<'t> = dyn for<'f> Fn(&'f str, &'f str) -> Pieces<'f> + Sync + 't;

/// Who is asked for what is told of a file and its findings, and who takes it.
pub(super) struct Teller<'t> {
    /// Asked for each file, from several threads; where another file contradicts one, once more.
    pub begin: &'t Begin<'t>,
    /// Takes what was told of each file, in order.
    pub write: &'t mut (dyn FnMut(Vec<u8>) + Send),
}

impl Session {
    /// Checks `places`, as [`Session::run`] does; `None` where git is asked for all of them at once, which needs their texts.
    pub(super) fn check_each(
        &self,
        places: &[Place],
        options: &Options,
        tick: &(dyn Fn(usize, usize) + Sync),
        teller: Teller,
    ) -> Option<Told> {
        let Teller { begin, write } = teller;
        let own_base = |target: &Target| Ok(self.bases(std::slice::from_ref(target), &options.base)?.pop().unwrap_or_default());
        if let [place] = places {
            // No other file can contradict it: what is told of it need not wait.
            let judged = self.judge_alone(place, &own_base, Currents::None, options, (begin, write));
            tick(1, 1);
            let (entries, errors) = judged.map_or_else(|error| (Vec::new(), vec![error]), |(entry, _)| (vec![entry], Vec::new()));
            return Some(Told { entries, errors });
        }
        if self.asks_of_all(places, options) {
            return None;
        }
        let untracked = match options.base {
            BaseChoice::None => None,
            _ => match self.untracked() {
                Ok(untracked) => Some(untracked),
                Err(error) => return Some(Told { entries: Vec::new(), errors: vec![error] }),
            },
        };
        let base = |target: &Target| match &untracked {
            // A link may lead into a repository.
            Some(_) if self.repository(&target.real).is_some() => own_base(target),
            Some(untracked) => untracked.base(target),
            None => Ok(FileBase::default()),
        };
        let mut waiting = Waiting::new(places);
        let alone = waiting.alone(places);
        let done = AtomicUsize::new(0);
        let judge = |(place, is_alone)| {
            let currents = if is_alone { Currents::Explicit } else { Currents::All };
            let mut told = Vec::new();
            let judged = self.judge_alone(place, &base, currents, options, (begin, &mut |piece| told.extend(piece)));
            tick(done.fetch_add(1, Ordering::Relaxed) + 1, places.len());
            (place, judged.map(|(entry, held)| (entry, held, told)))
        };
        let (mut entries, mut errors) = (Vec::with_capacity(places.len()), Vec::new());
        hand_over(places.iter().zip(alone).collect(), threads_for(places.len()), judge, |(place, judged)| {
            match judged {
                Ok((entry, held, told)) => {
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
            errors.extend(self.judge_again((&mut waiting.files, &mut entries), differing, options, begin));
        }
        waiting.write(write);
        Some(Told { entries, errors })
    }

    /// Judges those files together that differ in a fact.
    fn judge_again(
        &self,
        (files, entries): (&mut [File<'_, Vec<u8>>], &mut [Entry]),
        differing: BTreeSet<usize>,
        options: &Options,
        begin: &Begin,
    ) -> Vec<IoError> {
        let places = differing.iter().map(|&idx| files[idx].place.clone()).collect();
        let ran = self.run_found((places, Vec::new()), options, &|_, _| ());
        let numbers: FxHashMap<PathBuf, usize> = differing.into_iter().map(|idx| (entries[idx].outcome.real.clone(), idx)).collect();
        for mut outcome in ran.outcomes {
            if let Some(&idx) = numbers.get(&outcome.real) {
                let mut told = Vec::new();
                let tally = tell(&mut begin(&outcome.name, outcome.text()), &outcome.diagnostics, &mut |piece| told.extend(piece));
                outcome.forget();
                (entries[idx], files[idx].told) = (Entry { outcome, tally }, Some(told));
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

    /// Judges a file that git is not asked for with others, and tells its findings as they come.
    fn judge_alone(
        &self,
        place: &Place,
        base: &dyn Fn(&Target) -> Result<FileBase, IoError>,
        currents: Currents,
        options: &Options,
        (begin, take): (&Begin, &mut dyn FnMut(Vec<u8>)),
    ) -> Result<(Entry, Vec<Held>), IoError> {
        debug_assert_eq!(options.mode, Mode::Check);
        let target = Target::load_found(self, place, options.whole_file, &options.selection)?;
        let base = base(&target)?;
        let mut tally = Tally::default();
        let mut pieces = begin(&target.name, &target.text);
        let mut found = |found: &[Diagnostic]| tally = [tally, tell(&mut pieces, found, take)].into_iter().sum();
        let checked = if base.revisions.is_empty() {
            // What a person declared is about a baseline.
            Ok(self.with_subject(&target, &base, options, &[], |subject| {
                check_in_pieces(&target.text, &Subject { currents, ..subject.clone() }, &mut |piece| found(&piece))
            }))
        } else {
            let mut checked = self.judge(&target, &base, options, &[], currents);
            checked.iter_mut().for_each(|checked| found(&std::mem::take(&mut checked.diagnostics)));
            checked
        };
        drop(pieces);
        let held = checked.as_ref().map_or(Vec::new(), |checked| held(checked, &target.text));
        let mut outcome = self.outcome(target, base, Some(checked), &[], options);
        outcome.forget();
        Ok((Entry { outcome, tally }, held))
    }
}

/// Tells findings, and counts them.
fn tell(pieces: &mut Pieces, found: &[Diagnostic], take: &mut dyn FnMut(Vec<u8>)) -> Tally {
    let mut told = Vec::new();
    // Writing to memory cannot fail.
    let _ = pieces(&mut told, found);
    take(told);
    Tally::of(found)
}
