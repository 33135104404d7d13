//! What the index changes: a revision comes in, the files that the next commit makes different go out.
//!
//! Format (git-diff-index(1), RAW OUTPUT FORMAT, with `-z`): `:MODE MODE ID ID STATUS`, a path, and for renames a second
//! one, each ending in NUL. Files that are only intended to be added are in no commit, and are left out.

use super::{Repository, is_plain};
use crate::io::IoError;
use std::path::PathBuf;

/// What a file is in the index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StagedKind {
    /// A regular file.
    File,
    /// A symbolic link.
    Link,
    /// No file any more.
    Gone,
    /// Not merged yet.
    Conflict,
}

/// A file that the index has otherwise than a revision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StagedChange {
    /// Its path, absolute.
    pub path: PathBuf,
    /// The path it was renamed from.
    pub old: Option<PathBuf>,
    /// What it is now.
    pub kind: StagedKind,
    /// It was a regular file before.
    pub was_file: bool,
}

impl Repository {
    /// The files whose content the index has otherwise than `rev`, by name; before the first commit, against `HEAD`, all
    /// files of the index. A change of mode alone is none.
    ///
    /// # Errors
    /// [`IoError::MissingRevision`], [`IoError::Git`].
    pub fn staged_changes(&self, rev: &str) -> Result<Vec<StagedChange>, IoError> {
        if !is_plain(rev) {
            return Err(self.missing(rev));
        }
        let tree = match self.resolve(rev)? {
            Some(commit) => commit,
            None if rev == "HEAD" => self.empty_tree()?,
            None => return Err(self.missing(rev)),
        };
        let args = ["diff-index", "--cached", "--ita-invisible-in-index", "-M", "-z", "--raw", "--no-abbrev", &tree, "--"];
        let output = self.try_run(args)?;
        if !output.status.success() {
            return Err(self.failed("git diff-index", &output.stderr));
        }
        let mut fields = output.stdout.split(|&byte| byte == 0);
        let mut changes: Vec<StagedChange> = Vec::new();
        while let Some(raw) = fields.next().filter(|field| field.starts_with(b":")) {
            let raw = String::from_utf8_lossy(&raw[1..]).into_owned();
            let words: Vec<&str> = raw.split(' ').collect();
            let (&[before, after, old_id, new_id, status], Some(path)) = (words.as_slice(), fields.next()) else { break };
            let renamed = status.starts_with(['R', 'C']).then(|| fields.next()).flatten();
            let kind = match after {
                _ if status == "U" => StagedKind::Conflict,
                "120000" => StagedKind::Link,
                "000000" => StagedKind::Gone,
                _ if after.starts_with("100") => StagedKind::File,
                // A submodule.
                _ => continue,
            };
            if old_id == new_id && renamed.is_none() && kind == StagedKind::File {
                continue;
            }
            let old = renamed.map(|_| self.path(path)).filter(|_| status.starts_with('R'));
            let path = self.path(renamed.unwrap_or(path));
            // What is not merged stands there twice.
            if changes.last().is_some_and(|last| last.path == path && last.kind == StagedKind::Conflict) {
                continue;
            }
            changes.push(StagedChange { path, old, kind, was_file: before.starts_with("100") });
        }
        changes.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(changes)
    }

    /// Where the symbolic link at `path` leads to in the index, if it stays in the work tree.
    ///
    /// # Errors
    /// [`IoError::Git`].
    pub fn staged_link(&self, path: &std::path::Path) -> Result<Option<PathBuf>, IoError> {
        let target = self.staged(&[path.to_owned()])?.into_iter().next().and_then(super::Base::into_text);
        let mut at = path.parent().map(PathBuf::from).unwrap_or_default();
        for part in std::path::Path::new(target.as_deref().unwrap_or_default()).components() {
            match part {
                std::path::Component::ParentDir => _ = at.pop(),
                std::path::Component::Normal(name) => at.push(name),
                std::path::Component::CurDir => {}
                _ => return Ok(None),
            }
        }
        Ok((target.is_some() && at.starts_with(&self.root)).then_some(at))
    }

    /// The id of the tree without files; it depends on the repository's kind of ids.
    fn empty_tree(&self) -> Result<String, IoError> {
        // Nothing is on its stdin, and without `-w` nothing is written.
        let output = self.try_run(["hash-object", "-t", "tree", "--stdin"])?;
        match output.status.success() {
            true => Ok(super::first_line(&output.stdout)),
            false => Err(self.failed("git hash-object", &output.stderr)),
        }
    }
}
