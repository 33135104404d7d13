//! The memory files that the index changes: a repository and a revision come in, texts to judge go out.

use crate::app::options::BaseChoice;
use crate::app::{Session, Target};
use crate::check::Selection;
use crate::io::IoError;
use crate::io::discover::NAMES;
use crate::io::git::{Base, Repository, StagedChange, StagedKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The index in the place of the work tree.
pub(crate) struct IndexView {
    pub(crate) repository: Arc<Repository>,
    /// The memory files that it changes.
    pub(crate) targets: Vec<Target>,
    /// What they are compared with.
    pub(crate) base: BaseChoice,
}

/// The memory files that the index changes.
#[derive(Default)]
pub(super) struct Staged {
    /// Their texts in the index; a file that is gone has none.
    pub(super) targets: Vec<Target>,
    /// Of each whether the commit takes the file away.
    pub(super) gone: Vec<bool>,
    /// Files that cannot be judged.
    pub(super) errors: Vec<IoError>,
}

impl Session {
    /// The memory files that the index of `repository` has otherwise than one of `revs`, by name.
    pub(super) fn staged(&self, repository: &Repository, revs: &[&str]) -> Result<Staged, IoError> {
        let mut changes: Vec<StagedChange> = Vec::new();
        for rev in revs {
            let more = repository.staged_changes(rev)?;
            let new = more.into_iter().filter(|change| changes.iter().all(|known| known.path != change.path));
            changes.extend(new.collect::<Vec<_>>());
        }
        // A link that becomes another link, or that is new, has no text of its own.
        changes.retain(|change| change.was_file || change.old.is_some() || matches!(change.kind, StagedKind::File | StagedKind::Conflict));
        changes.retain(|change| self.is_memory_file(&change.path) || change.old.as_ref().is_some_and(|old| self.is_memory_file(old)));
        changes.sort_by(|a, b| a.path.cmp(&b.path));
        let sources = changes.iter().map(|change| match change.kind {
            StagedKind::Link => repository.staged_link(&change.path).map(|target| target.unwrap_or_else(|| change.path.clone())),
            _ => Ok(change.path.clone()),
        });
        let sources: Vec<PathBuf> = sources.collect::<Result<_, _>>()?;
        let texts = repository.staged(&sources)?;
        let mut staged = Staged::default();
        for (change, base) in changes.into_iter().zip(texts) {
            let text = match (base, change.kind) {
                (_, StagedKind::Conflict) => {
                    staged.errors.push(trouble(repository, &change.path, "not merged yet; resolve the conflict and `git add` the file"));
                    continue;
                }
                (Base::Text(text), _) => text.to_string(),
                (Base::NotUtf8, _) => {
                    staged.errors.push(trouble(repository, &change.path, "the staged text is not UTF-8; convert the file"));
                    continue;
                }
                (Base::Missing | Base::Same, StagedKind::File) => {
                    staged.errors.push(trouble(repository, &change.path, "the staged text is not in this clone; fetch it"));
                    continue;
                }
                (Base::Missing | Base::Same, _) => String::new(),
            };
            match Target::new(self, &change.path, change.path.clone(), text, false, &Selection::default()) {
                Ok(target) => {
                    staged.targets.push(target);
                    staged.gone.push(change.kind == StagedKind::Gone);
                }
                Err(error) => staged.errors.push(error),
            }
        }
        Ok(staged)
    }

    /// True for a file that `check` without paths would take.
    fn is_memory_file(&self, path: &Path) -> bool {
        if path.file_name().is_some_and(|name| NAMES.iter().any(|known| name == *known)) {
            return true;
        }
        let found = path.parent().and_then(|folder| self.configs.of(folder).ok());
        found.is_some_and(|found| {
            path.strip_prefix(&found.folder).is_ok_and(|inside| found.config.manages_file(&crate::app::target::slashed(inside)))
        })
    }
}

/// A file that cannot be judged, and why.
fn trouble(repository: &Repository, path: &Path, why: &str) -> IoError {
    let stderr = format!("{}: {why}", path.display());
    IoError::Git { root: repository.root().to_owned(), command: "git cat-file".to_owned(), stderr }
}

/// True where the work tree has the staged text, line endings aside. What git makes of a file beyond that (filters, another
/// encoding) is another text than the one that was judged, and is not touched.
pub(super) fn is_fully_staged(target: &Target) -> bool {
    let is_itself = std::fs::canonicalize(&target.real).is_ok_and(|real| real == target.real);
    let lines = |text: &str| text.replace("\r\n", "\n");
    is_itself && crate::io::load(&target.real).is_ok_and(|loaded| loaded.text == target.text || lines(&loaded.text) == lines(&target.text))
}
