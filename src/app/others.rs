//! Other memory files of a repository: records that they have won against their own baselines moved there, and are not lost.

use super::options::BaseChoice;
use super::session::Session;
use crate::check::{Elsewhere, Selection};
use crate::facts::Facts;
use crate::syntax::{Reading, parse};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

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
        let known = self.others.known.lock().ok().and_then(|known| known.get(root).cloned());
        let files = known.unwrap_or_else(|| {
            let files = Arc::new(self.gains(root));
            if let Ok(mut known) = self.others.known.lock() {
                known.insert(root.to_owned(), files.clone());
            }
            files
        });
        files.iter().filter(|(path, _)| path != real).flat_map(|(_, gained)| gained.iter().cloned()).collect()
    }

    fn gains(&self, root: &Path) -> Gains {
        let (paths, _) = self.find(&[root.to_owned()]);
        let (targets, _) = self.load(&paths, false, &Selection::default());
        let Ok(bases) = self.bases(&targets, &BaseChoice::Default) else { return Vec::new() };
        let changed = targets.into_iter().zip(bases).filter(|(_, base)| !base.identical);
        let gained = changed.map(|(target, base)| {
            let read = |text: &str| -> Elsewhere {
                let config = &target.found.config;
                let document = parse(text, Reading { config, whole_file: target.whole_file, also: None });
                let facts = Facts::new(&document, config);
                (0..document.records.len()).map(|idx| crate::check::content(&facts, idx)).collect()
            };
            let before = base.revisions.first().map_or(Elsewhere::default(), |(_, text)| read(text));
            let now = read(&target.text);
            (target.real, now.into_iter().filter(|content| !before.contains(content)).collect())
        });
        gained.collect()
    }
}
