//! What a process knows of the world: folders, repositories, configurations, state.

use super::target::{Target, slashed};
use crate::baseline::Declared;
use crate::check::Selection;
use crate::io::config::Configs;
use crate::io::discover::{Discovered, Place, discover};
use crate::io::git::Repositories;
use crate::io::{IoError, State};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Names by which a folder has a configuration or a repository of its own.
const MARKS: [&str; 4] = [".config", ".git", ".memfile.toml", "memfile.toml"];

/// What was declared about a file, as the journal was seen then.
pub(super) type KnownDeclared = (crate::io::journal::Seen, PathBuf, Vec<Declared>);

/// The one path from files to findings and back. It holds what is asked of the world once and used for many files.
pub struct Session {
    pub(super) cwd: PathBuf,
    pub(super) state: State,
    pub(super) configs: Configs,
    pub(super) repositories: Repositories,
    pub(super) others: super::others::Others,
    /// What commits that a merge or a rebase brings in say was meant, beside what the commits of a run say.
    pub(super) meant: Vec<String>,
    /// The index stands for the work tree: all that lies beside a judged text is read from there.
    pub(super) index: Option<super::hook::IndexView>,
    /// The folder that files must lie in, links followed; none: anywhere.
    fence: Option<PathBuf>,
    /// What was declared about the file that was asked for last, and the journal then.
    pub(super) known_declared: Mutex<Option<KnownDeclared>>,
}

impl Session {
    /// A session in the folder `cwd`, with the state that the environment names.
    pub fn new(cwd: PathBuf) -> Self {
        Self {
            cwd,
            state: State::from_env(),
            configs: Configs::default(),
            repositories: Repositories::from_env(),
            others: super::others::Others::default(),
            meant: Vec::new(),
            index: None,
            fence: None,
            known_declared: Mutex::default(),
        }
    }

    /// The same session in a repository that the environment names, with what its commits under way say was meant.
    #[must_use]
    pub(super) fn in_repository(self, repository: std::sync::Arc<crate::io::git::Repository>, meant: Vec<String>) -> Self {
        Self { repositories: self.repositories.with(repository), meant, ..self }
    }

    /// The session, kept to the files below its folder: what lies outside, links followed, is neither read nor written.
    #[must_use]
    pub fn fenced(mut self) -> Self {
        self.fence = Some(std::fs::canonicalize(&self.cwd).unwrap_or_else(|_| self.cwd.clone()));
        self
    }

    /// Says no to a path outside the fence. What does not exist is judged by the nearest folder above it that does, so that a
    /// refusal does not tell what there is outside.
    pub(super) fn allow(&self, path: &Path) -> Result<(), IoError> {
        let Some(fence) = &self.fence else { return Ok(()) };
        let whole = self.absolute(path);
        let outside = || IoError::Outside { path: path.to_owned(), root: fence.clone() };
        for above in whole.ancestors() {
            match std::fs::canonicalize(above) {
                Ok(real) => {
                    // `..` behind a folder that is not there could lead anywhere.
                    let rest = whole.strip_prefix(above).unwrap_or(&whole);
                    let climbs = rest.components().any(|part| matches!(part, std::path::Component::ParentDir));
                    return if real.starts_with(fence) && !climbs { Ok(()) } else { Err(outside()) };
                }
                // A link that leads nowhere leads outside, as far as can be told.
                Err(_) if std::fs::symlink_metadata(above).is_ok() => return Err(outside()),
                Err(_) => {}
            }
        }
        Err(outside())
    }

    /// The name of a path in reports: relative to the current folder where it stands below it, with `/`.
    pub fn name(&self, path: &Path) -> String {
        let inside = if path.is_absolute() { path.strip_prefix(&self.cwd).unwrap_or(path) } else { path };
        let parts: PathBuf = inside.components().filter(|part| !matches!(part, std::path::Component::CurDir)).collect();
        slashed(if parts.as_os_str().is_empty() { inside } else { &parts })
    }

    /// `path` from the root of the file system.
    pub fn absolute(&self, path: &Path) -> PathBuf {
        self.cwd.join(path)
    }

    /// The name of a file in a patch. `git apply` takes names relative to the current folder, links followed: a patch of a link
    /// is a patch of its target.
    pub(super) fn patch_name(&self, outcome: &super::run::Outcome) -> String {
        let here = std::fs::canonicalize(&self.cwd).unwrap_or_else(|_| self.cwd.clone());
        outcome.real.strip_prefix(&here).map_or_else(|_| outcome.name.clone(), slashed)
    }

    /// The files that `paths` mean: files as they are, folders searched; the current folder where there are none. Given twice,
    /// or by a link, a file is taken once.
    pub fn find(&self, paths: &[PathBuf]) -> (Vec<Place>, Vec<IoError>) {
        let here = [PathBuf::from(".")];
        let roots = if paths.is_empty() { &here } else { paths };
        let Discovered { mut files, folders, plain, errors } = discover(roots, &MARKS, &|path| self.manages(path));
        // Where a folder has nothing of its own is seen when it is searched: it need not be asked.
        let known = folders.first().is_some_and(|first| self.configs.of(first).is_ok());
        if known && plain.len() > 1 {
            folders.first().into_iter().for_each(|first| drop(self.repositories.of(first)));
            plain.iter().for_each(|folder| (self.configs.inherit(folder), self.repositories.inherit(folder)).1);
        }
        files.retain(|file| self.allow(&file.path).is_ok());
        (files, errors)
    }

    /// True where the configuration makes the file with the real path `path` a memory file.
    pub(super) fn manages(&self, path: &Path) -> bool {
        let found = path.parent().and_then(|folder| self.configs.of(folder).ok());
        found.is_some_and(|found| path.strip_prefix(&found.folder).is_ok_and(|inside| found.config.manages_file(&slashed(inside))))
    }

    /// Reads files, on as many threads as there are processors; errors beside.
    pub(super) fn load(&self, files: &[Place], whole_file: bool, selection: &Selection) -> (Vec<Target>, Vec<IoError>) {
        let loaded = super::threads::parallel(files, |file| Target::load_found(self, file, whole_file, selection));
        let mut targets = Vec::with_capacity(loaded.len());
        let mut errors = Vec::new();
        for result in loaded {
            match result {
                Ok(target) => targets.push(target),
                Err(error) => errors.push(error),
            }
        }
        (targets, errors)
    }
}

#[cfg(test)]
mod tests {
    use super::MARKS;
    use crate::config::FILE_NAMES;

    #[test]
    fn each_configuration_has_its_mark() {
        for name in FILE_NAMES {
            assert!(name.split('/').next().is_some_and(|first| MARKS.contains(&first)), "{name}");
        }
    }
}
