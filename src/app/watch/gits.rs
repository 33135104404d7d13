//! How git has the files under watch: repositories and files come in, standings go out. Git is asked only when `HEAD` or the index
//! changed since the last time, and then once for all files of the repository.

use crate::io::IoError;
use crate::io::git::{Marks, Repository, Standing};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The repositories of the files under watch, by the top of their work trees.
#[derive(Debug, Default)]
pub(super) struct Gits {
    known: FxHashMap<PathBuf, Git>,
}

#[derive(Debug)]
struct Git {
    repository: Arc<Repository>,
    marks: Option<Marks>,
    standings: FxHashMap<PathBuf, Standing>,
}

impl Gits {
    /// Takes a file of `repository` under its wing.
    pub(super) fn add(&mut self, repository: &Arc<Repository>, real: &Path) {
        let git = self.known.entry(repository.root().to_owned()).or_insert_with(|| Git {
            repository: repository.clone(),
            marks: None,
            standings: FxHashMap::default(),
        });
        if !git.standings.contains_key(real) {
            git.standings.insert(real.to_owned(), Standing::default());
            git.marks = None;
        }
    }

    /// The tops of all work trees.
    pub(super) fn roots(&self) -> Vec<PathBuf> {
        self.known.keys().cloned().collect()
    }

    /// The repository whose own folder is `git_dir`.
    pub(super) fn at(&self, git_dir: &Path) -> Option<Arc<Repository>> {
        self.known.values().find(|git| git.repository.git_dir() == git_dir).map(|git| git.repository.clone())
    }

    /// Asks git anew where `HEAD` or the index changed; true where it did.
    ///
    /// # Errors
    /// [`IoError::Git`].
    pub(super) fn refresh(&mut self, root: &Path) -> Result<bool, IoError> {
        let Some(git) = self.known.get_mut(root) else { return Ok(false) };
        let marks = git.repository.marks();
        if git.marks.as_ref() == Some(&marks) {
            return Ok(false);
        }
        let paths: Vec<PathBuf> = git.standings.keys().cloned().collect();
        let standings = git.repository.standings(&paths)?;
        git.standings = paths.into_iter().zip(standings).collect();
        git.marks = Some(marks);
        Ok(true)
    }

    /// How git has a file, as of the last refresh.
    pub(super) fn standing(&self, root: &Path, real: &Path) -> Standing {
        self.known.get(root).and_then(|git| git.standings.get(real)).cloned().unwrap_or_default()
    }

    /// The files of a repository.
    pub(super) fn files(&self, root: &Path) -> Vec<PathBuf> {
        self.known.get(root).map(|git| git.standings.keys().cloned().collect()).unwrap_or_default()
    }
}
