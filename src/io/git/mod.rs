//! What files were: a repository, a revision and paths come in; texts, commits and names go out.
//!
//! memfile calls the `git` program and links no git library: only git itself reads every repository (worktrees, partial
//! clones, new index and object formats). It never calls a command that writes objects, refs, the index or the tree (two settings are
//! written where memfile becomes a merge driver), and no command that a repository's configuration names can run (see `process`).
//!
//! In reading order: `process` (start git), `batch` (many objects through one process), `blobs` (texts at a revision), `heads` (what
//! `HEAD` has, asked once),
//! `log` (its output), `history` (the commits of one file), `staged` (what the index changes), `settings` (what the
//! configuration says), `driver` (merges, and what makes memfile their driver), `standing` (whether git touched a file since).

mod batch;
mod blobs;
mod driver;
mod heads;
mod history;
mod log;
mod process;
mod settings;
mod staged;
mod standing;

pub use blobs::Base;
pub use history::{History, Parents, Revision};
pub use log::accepted;
pub use settings::{Setting, git_version};
pub use staged::{StagedChange, StagedKind};
pub use standing::{Marks, Standing};

use super::IoError;
use super::nearest::Nearest;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A repository with a work tree. Making one starts no process.
#[derive(Clone, Debug)]
pub struct Repository {
    root: PathBuf,
    git_dir: PathBuf,
    common_dir: PathBuf,
    index: Option<PathBuf>,
    /// The environment names it: nothing in the work tree leads to it, so git has to be told.
    is_named: bool,
    heads: Arc<heads::Heads>,
}

impl Repository {
    /// The repository whose work tree holds `folder`. A `.git` file (worktree, submodule) is followed. As with git, the
    /// search does not climb into a folder that `GIT_CEILING_DIRECTORIES` names; other variables of git are not looked at.
    pub fn discover(folder: &Path) -> Option<Self> {
        let folder = fs::canonicalize(folder).ok()?;
        Repositories::from_env().of(&folder).map(|repository| (*repository).clone())
    }

    fn at(root: &Path) -> Option<Self> {
        let entry = root.join(".git");
        let meta = fs::metadata(&entry).ok()?;
        let git_dir = if meta.is_dir() {
            entry
        } else {
            let text = short_text(&entry)?;
            fs::canonicalize(root.join(text.strip_prefix("gitdir:")?.trim())).ok()?
        };
        let common_dir = match short_text(&git_dir.join("commondir")) {
            Some(text) => fs::canonicalize(git_dir.join(text.trim())).ok()?,
            None => git_dir.clone(),
        };
        // What git asks for, too; an empty `.git` is none.
        let is_valid = fs::symlink_metadata(git_dir.join("HEAD")).is_ok() && common_dir.join("objects").is_dir();
        is_valid.then(|| Self { root: root.to_owned(), git_dir, common_dir, index: None, is_named: false, heads: Arc::default() })
    }

    /// The repository of the commit under way, for a process that git started as a hook in `folder`: reads `GIT_DIR`,
    /// `GIT_WORK_TREE` and `GIT_INDEX_FILE`. Where git names none of them, that of [`Repository::discover`].
    pub fn of_hook(folder: &Path) -> Option<Self> {
        let named = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(|value| folder.join(value));
        let found = Self::discover(folder);
        let git_dir = named("GIT_DIR").and_then(|path| fs::canonicalize(path).ok());
        let is_found = |dir: &Path| found.as_ref().and_then(|found| fs::canonicalize(&found.git_dir).ok()).is_some_and(|own| own == dir);
        let repository = match git_dir.filter(|dir| !is_found(dir)) {
            Some(dir) => Self::named(&named("GIT_WORK_TREE").unwrap_or_else(|| folder.to_owned()), dir)?,
            None => found?,
        };
        // Relative to the top of the work tree, as git has it.
        Some(match std::env::var_os("GIT_INDEX_FILE").filter(|value| !value.is_empty()) {
            Some(index) => repository.with_index(Path::new(&index)),
            None => repository,
        })
    }

    /// A repository whose work tree does not lead to it.
    fn named(root: &Path, git_dir: PathBuf) -> Option<Self> {
        let root = fs::canonicalize(root).ok()?;
        let common_dir = match fs::read_to_string(git_dir.join("commondir")) {
            Ok(text) => fs::canonicalize(git_dir.join(text.trim())).ok()?,
            Err(_) => git_dir.clone(),
        };
        Some(Self { root, git_dir, common_dir, index: None, is_named: true, heads: Arc::default() })
    }

    /// The same repository with another index file. In a hook, git names the index of the commit under way in
    /// `GIT_INDEX_FILE`, relative to the top of the work tree; for `git commit FILE` it is not the usual one.
    #[must_use]
    pub fn with_index(mut self, index: &Path) -> Self {
        self.index = Some(self.root.join(index));
        self
    }

    /// The top of the work tree, absolute, without links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of this work tree's own state (`HEAD`, `index`).
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// The folder that all work trees of the repository share (`objects`, `config`, `hooks`).
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    /// The commits that a merge under way brings in; none outside a merge.
    pub fn merge_heads(&self) -> Vec<String> {
        let text = fs::read_to_string(self.git_dir.join("MERGE_HEAD")).unwrap_or_default();
        text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
    }

    /// The commits that a cherry-pick, revert or rebase under way makes anew.
    pub fn picked(&self) -> Vec<String> {
        let is_there = |name: &&str| self.git_dir.join(name).exists();
        // The name of the commit that a rebase works on can stay behind.
        let rebases = ["rebase-merge", "rebase-apply"].iter().any(is_there);
        let names = ["CHERRY_PICK_HEAD", "REBASE_HEAD"].into_iter().filter(is_there);
        names.filter(|name| *name != "REBASE_HEAD" || rebases).map(str::to_owned).collect()
    }

    /// True while git works on this tree or waits in the middle of something: a held index, a merge, rebase, cherry-pick or
    /// revert.
    pub fn is_busy(&self) -> bool {
        let signs =
            ["index.lock", "HEAD.lock", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply", "sequencer"];
        signs.iter().any(|sign| self.git_dir.join(sign).exists())
    }

    /// True where history was cut off when cloning.
    pub fn is_shallow(&self) -> bool {
        fs::metadata(self.common_dir.join("shallow")).is_ok_and(|meta| meta.len() > 0)
    }

    /// The commit that `rev` names, if the repository knows one.
    ///
    /// # Errors
    /// [`IoError::Git`].
    pub fn resolve(&self, rev: &str) -> Result<Option<String>, IoError> {
        if !is_plain(rev) {
            return Ok(None);
        }
        let args = ["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{rev}^{{commit}}")];
        let output = self.try_run(args)?;
        match output.status.code() {
            Some(0) => Ok(Some(first_line(&output.stdout))),
            Some(1) => Ok(None),
            _ => Err(self.failed("git rev-parse", &output.stderr)),
        }
    }

    /// The best merge base of `rev` and `HEAD`.
    ///
    /// # Errors
    /// [`IoError::MissingRevision`] where `rev` (or, before the first commit, `HEAD`) is unknown, [`IoError::NoMergeBase`],
    /// [`IoError::Git`].
    pub fn merge_base(&self, rev: &str) -> Result<String, IoError> {
        if !is_plain(rev) {
            return Err(self.missing(rev));
        }
        let output = self.try_run(["merge-base", "--end-of-options", rev, "HEAD"])?;
        if output.status.success() {
            return Ok(first_line(&output.stdout));
        }
        for rev in [rev, "HEAD"] {
            if self.resolve(rev)?.is_none() {
                return Err(self.missing(rev));
            }
        }
        match output.status.code() {
            Some(1) => Err(IoError::NoMergeBase { root: self.root.clone(), rev: rev.to_owned(), shallow: self.is_shallow() }),
            _ => Err(self.failed("git merge-base", &output.stderr)),
        }
    }

    /// The name that the file with the real path `path` had at `rev`, where the index holds it as renamed since then.
    ///
    /// # Errors
    /// [`IoError::Git`].
    pub fn renamed_from(&self, rev: &str, path: &Path) -> Result<Option<PathBuf>, IoError> {
        let Some(name) = self.name(path).filter(|_| is_plain(rev)) else { return Ok(None) };
        // Against the index, as what git knows of the work tree it knows from there, and no filter has to run.
        let args = ["diff-index", "--cached", "-M", "-z", "--name-status", "--diff-filter=R", "--end-of-options", rev, "--"];
        let output = self.try_run(args)?;
        if !output.status.success() {
            return if self.resolve(rev)?.is_none() { Ok(None) } else { Err(self.failed("git diff-index", &output.stderr)) };
        }
        let fields: Vec<_> = output.stdout.split(|&byte| byte == 0).collect();
        let found = fields.chunks_exact(3).find(|fields| fields[2] == name);
        Ok(found.map(|fields| self.path(fields[1])))
    }

    fn missing(&self, rev: &str) -> IoError {
        IoError::MissingRevision { root: self.root.clone(), rev: rev.to_owned(), shallow: self.is_shallow() }
    }

    /// What a failed command about two revisions means: one of them is unknown, or `error`.
    fn missing_among(&self, revs: [&str; 2], error: IoError) -> IoError {
        let unknown = revs.into_iter().find(|rev| matches!(self.resolve(rev), Ok(None)));
        unknown.map_or(error, |rev| self.missing(rev))
    }

    /// The name of `path` in git's terms: below the root, with `/`. `None` for what lies outside.
    fn name(&self, path: &Path) -> Option<Vec<u8>> {
        let below = path.strip_prefix(&self.root).ok()?;
        let bytes = below.as_os_str().as_encoded_bytes();
        let bytes = if cfg!(windows) { below.to_string_lossy().replace('\\', "/").into_bytes() } else { bytes.to_owned() };
        (!bytes.is_empty()).then_some(bytes)
    }

    /// The path of a name in git's terms.
    fn path(&self, name: &[u8]) -> PathBuf {
        self.root.join(os_string(name))
    }
}

/// Repositories by folder, each searched once. Threads may share it.
#[derive(Debug, Default)]
pub struct Repositories {
    ceilings: Vec<PathBuf>,
    nearest: Nearest<Option<Arc<Repository>>>,
}

impl Repositories {
    /// Reads `GIT_CEILING_DIRECTORIES`.
    pub fn from_env() -> Self {
        let value = std::env::var_os("GIT_CEILING_DIRECTORIES").unwrap_or_default();
        Self { ceilings: ceilings(&value), nearest: Nearest::default() }
    }

    /// Takes `repository` for all that lies in its work tree, but for repositories inside it.
    #[must_use]
    pub fn with(self, repository: Arc<Repository>) -> Self {
        self.nearest.set(repository.root().to_owned(), Some(repository));
        self
    }

    /// The repository whose work tree holds `folder`, an absolute path without links; see [`Repository::discover`].
    pub fn of(&self, folder: &Path) -> Option<Arc<Repository>> {
        let probe = |ancestor: &Path| Repository::at(ancestor).map(|found| Some(Arc::new(found)));
        self.nearest.get(folder, probe, |ancestor| self.is_ceiling(ancestor), || None)
    }

    /// Takes the repository of the folder above `folder` for `folder`, which has no `.git`.
    pub(crate) fn inherit(&self, folder: &Path) {
        self.nearest.inherit(folder, |above| self.is_ceiling(above));
    }

    fn is_ceiling(&self, folder: &Path) -> bool {
        self.ceilings.iter().any(|ceiling| ceiling == folder)
    }
}

/// The folders of `GIT_CEILING_DIRECTORIES`; behind an empty entry links are not followed, see git(1).
fn ceilings(value: &OsStr) -> Vec<PathBuf> {
    let mut follow = true;
    let mut found = Vec::new();
    for folder in std::env::split_paths(value) {
        if folder.as_os_str().is_empty() {
            follow = false;
        } else if folder.is_absolute() {
            let real = if follow { fs::canonicalize(&folder).ok() } else { None };
            found.push(real.unwrap_or(folder));
        }
    }
    found
}

/// True where `rev` can stand on a command line and in a line of its own before a colon.
fn is_plain(rev: &str) -> bool {
    !rev.is_empty() && !rev.starts_with('-') && !rev.contains(|char: char| char == ':' || char.is_control())
}

/// The text of a file that holds a path. A pipe would be waited for, and a device read for ever.
fn short_text(path: &Path) -> Option<String> {
    let is_short = fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() < 1 << 16);
    if is_short { fs::read_to_string(path).ok() } else { None }
}

fn first_line(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).lines().next().unwrap_or_default().to_owned()
}

#[cfg(unix)]
fn os_string(bytes: &[u8]) -> std::ffi::OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes.to_owned())
}

#[cfg(not(unix))]
fn os_string(bytes: &[u8]) -> std::ffi::OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
