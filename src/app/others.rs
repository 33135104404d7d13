//! Other memory files of a repository: records that they have won against their own baselines moved there, and are not lost.

use super::options::BaseChoice;
use super::session::Session;
use super::target::Target;
use crate::check::{Elsewhere, Selection};
use crate::config::Config;
use crate::syntax::{Reading, parse};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// What each memory file has won.
type Gains = Vec<(PathBuf, Elsewhere)>;

/// For each repository what each of its memory files has won; read when the first record is missing.
#[derive(Default)]
pub(super) struct Others {
    known: Mutex<FxHashMap<PathBuf, Arc<Gains>>>,
}

impl Session {
    /// What the memory files of the repository at `root` have won, but for `real` itself. What cannot be read is no proof of a
    /// move, so errors are passed over.
    pub(super) fn elsewhere(&self, root: &Path, real: &Path) -> Elsewhere {
        let files = {
            // Who asks while another thread reads them waits for it: all files of a repository are not read twice.
            let mut known = self.others.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.entry(root.to_owned()).or_insert_with(|| Arc::new(self.gains(root))).clone()
        };
        files.iter().filter(|(path, _)| path != real).flat_map(|(_, gained)| gained.iter().cloned()).collect()
    }

    /// What the archive of a file has that it had not when the file had its baseline.
    pub(super) fn archived(&self, target: &Target, choice: &BaseChoice) -> Elsewhere {
        let path = super::forgetting::archive_of(&target.real);
        let Some((real, text)) = self.beside(&path) else { return Elsewhere::default() };
        let Ok(archive) = Target::new(self, &path, real, text, true, &Selection::default()) else {
            return Elsewhere::default();
        };
        // A baseline that is a path or nothing says nothing of the archive.
        let choice = if self.is_path(choice) { &BaseChoice::None } else { choice };
        let base = self.bases(std::slice::from_ref(&archive), choice).ok().and_then(|bases| bases.into_iter().next()).unwrap_or_default();
        let now = contents(&archive.text, &target.found.config, true);
        let before = match base.revisions.first() {
            _ if base.identical => return Elsewhere::default(),
            Some((_, text)) => contents(text, &target.found.config, true),
            None => Elsewhere::default(),
        };
        now.into_iter().filter(|content| !before.contains(content)).collect()
    }

    /// The real path and the text of a file that belongs to a judged one.
    fn beside(&self, path: &Path) -> Option<(PathBuf, String)> {
        let Some(view) = &self.index else { return crate::io::load(path).ok().map(|loaded| (loaded.real, loaded.text)) };
        let staged = view.repository.staged(&[path.to_owned()]).ok()?.into_iter().next()?;
        staged.into_text().map(|text| (path.to_owned(), text.to_string()))
    }

    fn is_path(&self, choice: &BaseChoice) -> bool {
        matches!(choice, BaseChoice::Named(name) if self.cwd.join(name).is_file())
    }

    fn gains(&self, root: &Path) -> Gains {
        let (targets, choice) = match &self.index {
            Some(view) => (view.targets.clone(), &view.base),
            None => {
                let (files, _) = self.find(&[root.to_owned()]);
                (self.load(&files, false, &Selection::default()).0, &BaseChoice::Default)
            }
        };
        let Ok(bases) = self.bases(&targets, choice) else { return Vec::new() };
        let changed = targets.into_iter().zip(bases).filter(|(_, base)| !base.identical);
        let gained = changed.map(|(target, base)| {
            let read = |text: &str| contents(text, &target.found.config, target.whole_file);
            let before = base.revisions.first().map_or(Elsewhere::default(), |(_, text)| read(text));
            let now = read(&target.text);
            (target.real, now.into_iter().filter(|content| !before.contains(content)).collect())
        });
        gained.collect()
    }
}

/// The folded parameter and value of each record.
pub(super) fn contents(text: &str, config: &Config, whole_file: bool) -> Elsewhere {
    let document = parse(text, Reading { config, whole_file, also: None });
    document.records.iter().map(|record| crate::check::content(&document, record, config)).collect()
}
