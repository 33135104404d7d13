//! Which folders and files are watched: found at the start, and anew when folders, links or configurations changed; and the sweep over
//! the files that backs up missed events.

use super::Told;
use super::act::File;
use super::places::Places;
use super::settle::{Millis, Settle, Touch};
use super::turn::Watch;
use crate::app::Session;
use crate::io::Stamp;
use notify::{RecursiveMode, Watcher};
use std::path::{Path, PathBuf};
use std::time::Instant;

impl Watch<'_> {
    /// A file is there, or will be.
    pub(super) fn come(&mut self, now: Millis, real: &Path, path: PathBuf) {
        let mut file = File::new(path, Settle::new(self.quiet(), now, self.is_begun));
        let begun = file.begin(&self.session, real);
        self.files.insert(real.to_owned(), file);
        if let Some(repository) = self.session.repository(real) {
            self.gits.add(&repository, real);
            self.watch_folder(repository.git_dir());
        }
        if let Err(error) = begun {
            self.tell(&Told::Problem { message: error.to_string() });
        }
    }

    pub(super) fn watch_folder(&mut self, folder: &Path) {
        let Some(watcher) = &mut self.watcher else { return };
        if self.folders.contains(folder) {
            return;
        }
        match watcher.watch(folder, RecursiveMode::NonRecursive) {
            Ok(()) => {
                self.folders.insert(folder.to_owned());
            }
            // It went away again; its parent tells.
            Err(notify::Error { kind: notify::ErrorKind::PathNotFound, .. }) => {}
            Err(error) => self.poll_instead(&error),
        }
    }

    pub(super) fn forget_folder(&mut self, folder: &Path) {
        let below: Vec<PathBuf> = self.folders.range(folder.to_owned()..).take_while(|path| path.starts_with(folder)).cloned().collect();
        for path in below {
            self.folders.remove(&path);
            if let Some(watcher) = &mut self.watcher {
                // The system has let go of a folder that is gone.
                let _ = watcher.unwatch(&path);
            }
        }
    }

    /// Finds files and folders anew.
    pub(super) fn survey(&mut self) {
        let started = Instant::now();
        self.survey_at = None;
        self.session = Session::new(self.cwd.clone());
        let places = Places::survey(&self.session, &self.watching.paths);
        let new: Vec<PathBuf> = places.folders.difference(&self.folders).cloned().collect();
        new.iter().for_each(|folder| self.watch_folder(folder));
        // What was made between the search and the watch is found by a second search.
        let places = if new.is_empty() || self.watcher.is_none() { places } else { Places::survey(&self.session, &self.watching.paths) };
        self.sweeps.surveyed(started.elapsed(), self.now());
        let now = self.now();
        for (real, path) in &places.files {
            if !self.files.contains_key(real) {
                self.come(now, real, path.clone());
            }
        }
        // A file that is gone may come back; one that no path means any more is let go.
        self.files.retain(|real, _| places.files.contains_key(real) || !real.exists());
        let old: Vec<PathBuf> = self.places.folders.difference(&places.folders).cloned().collect();
        old.iter().for_each(|folder| self.forget_folder(folder));
        let problems: Vec<String> = places.problems.iter().map(ToString::to_string).collect();
        let known: Vec<String> = self.places.problems.iter().map(ToString::to_string).collect();
        self.places = places;
        for message in problems.into_iter().filter(|message| !known.contains(message)) {
            self.tell(&Told::Problem { message });
        }
    }

    /// Looks at all files without reading them: events can be missed.
    pub(super) fn sweep(&mut self) {
        let now = self.now();
        if self.polling {
            // Nothing tells of what git does, either.
            self.gits.roots().iter().for_each(|root| drop(self.refresh(root)));
        }
        for (real, file) in &mut self.files {
            if file.settle.due().is_none() && Stamp::of(real) != file.stamp {
                file.settle.touch(now, Touch::Done);
            }
        }
        if self.sweeps.swept(now, self.files.len(), self.polling) {
            self.survey_at = Some(now);
        }
    }
}
