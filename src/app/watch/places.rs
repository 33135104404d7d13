//! Where to look: paths come in; the memory files they mean, there or to come, and the folders in which those can change go out.
//!
//! The folder is watched and not the file: an editor that saves by a rename, a file that is deleted and made again, a file that does not
//! exist yet are all events of the folder. For a link the folders of the link, of each link behind it and of the real file count.

use crate::app::Session;
use crate::io::IoError;
use crate::io::discover::discover;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// More links behind each other than this lead nowhere.
const MAX_LINKS: usize = 40;

/// What a survey of the paths found.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// The memory files by their real path, with the path to name them by. They need not exist.
    pub(super) files: BTreeMap<PathBuf, PathBuf>,
    /// The folders to watch.
    pub(super) folders: BTreeSet<PathBuf>,
    /// Those of them in which every memory file counts.
    pub(super) searched: BTreeSet<PathBuf>,
    /// Links on the way to a file: where one changes, the survey is out of date.
    pub(super) links: BTreeSet<PathBuf>,
    /// Paths that cannot be looked at.
    pub(super) problems: Vec<IoError>,
}

impl Places {
    /// Surveys `paths`; the current folder where there are none.
    pub(super) fn survey(session: &Session, paths: &[PathBuf]) -> Self {
        let mut places = Self::default();
        let here = [PathBuf::from(".")];
        for path in if paths.is_empty() { &here } else { paths } {
            let whole = session.absolute(path);
            if whole.is_dir() {
                places.folder(session, &whole);
            } else {
                places.file(&whole, &whole);
            }
        }
        places
    }

    fn folder(&mut self, session: &Session, root: &Path) {
        let found = discover(&[root.to_owned()], &[], &|path| session.manages(path));
        self.searched.extend(found.folders.iter().cloned());
        self.folders.extend(found.folders);
        found.files.iter().for_each(|file| self.file(&file.path, &file.path));
        for error in found.errors {
            match error {
                // A link whose target may come.
                IoError::DanglingLink { path, .. } => self.file(&path, &path),
                error => self.problems.push(error),
            }
        }
    }

    /// Follows `path` to the real file, or to where that would be.
    fn file(&mut self, path: &Path, name: &Path) {
        let mut at = path.to_owned();
        for _ in 0..MAX_LINKS {
            let (folder, rest) = nearest_folder(&at);
            self.folders.insert(folder.clone());
            let here = folder.join(&rest);
            // Of a file in a folder that is not there yet, the folder is waited for.
            let is_link = rest.components().count() == 1 && here.is_symlink();
            let Some(target) = is_link.then(|| std::fs::read_link(&here).ok()).flatten() else {
                self.files.entry(here).or_insert_with(|| name.to_owned());
                return;
            };
            at = folder.join(target);
            self.links.insert(here);
        }
        let error = std::io::Error::other("the links lead in a circle");
        self.problems.push(IoError::read(path, error));
    }

    /// True where something at `path` makes this survey out of date.
    pub(super) fn depends_on(&self, path: &Path) -> bool {
        let rules = ["memfile.toml", ".memfile.toml", ".gitignore", ".ignore"];
        self.links.contains(path) || path.file_name().is_some_and(|name| rules.iter().any(|rule| name == *rule))
    }

    /// True where `path` stands in a searched folder and has the name of a memory file, or is one by configuration.
    pub(super) fn is_wanted(&self, session: &Session, path: &Path) -> bool {
        let is_known = |name: &OsStr| crate::io::discover::NAMES.iter().any(|known| name == *known);
        path.parent().is_some_and(|folder| self.searched.contains(folder))
            && (path.file_name().is_some_and(is_known) || session.manages(path))
    }
}

/// The nearest folder above `path` that exists, without links, and what follows it.
fn nearest_folder(path: &Path) -> (PathBuf, PathBuf) {
    for folder in path.ancestors().skip(1) {
        let real = std::fs::canonicalize(folder).ok().filter(|real| real.is_dir());
        if let (Some(real), Ok(rest)) = (real, path.strip_prefix(folder)) {
            return (real, rest.to_owned());
        }
    }
    (PathBuf::from("/"), path.to_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_and_what_is_not_there_yet() {
        let folder = tempfile::tempdir().expect("temp");
        let root = folder.path().canonicalize().expect("there");
        for name in ["docs", "tree/sub"] {
            std::fs::create_dir_all(root.join(name)).expect("made");
        }
        std::fs::write(root.join("docs/real.md"), "x").expect("written");
        std::fs::write(root.join("tree/sub/AGENTS.md"), "x").expect("written");
        symlink("../docs/real.md", root.join("tree/CLAUDE.md")).expect("linked");
        symlink("later.md", root.join("tree/sub/GEMINI.md")).expect("linked");
        let session = Session::new(root.clone());
        let names = |places: &Places| places.files.keys().map(|file| session.name(file)).collect::<Vec<_>>();

        let places = Places::survey(&session, &["tree".into()]);
        assert_eq!(names(&places), ["docs/real.md", "tree/sub/AGENTS.md", "tree/sub/later.md"]);
        assert!(places.folders.contains(&root.join("docs")) && !places.searched.contains(&root.join("docs")));
        assert!(places.depends_on(&root.join("tree/CLAUDE.md")) && places.depends_on(&root.join("x/.gitignore")));
        assert!(places.is_wanted(&session, &root.join("tree/AGENTS.md")) && !places.is_wanted(&session, &root.join("docs/AGENTS.md")));

        let places = Places::survey(&session, &["none/yet/AGENTS.md".into()]);
        assert_eq!((names(&places), places.folders), (vec!["none/yet/AGENTS.md".to_owned()], BTreeSet::from([root.clone()])));
    }
}
