//! Whether git touched a file: marks that change when `HEAD` or the index does come out at the price of a few `stat`s, and,
//! where they changed, the ids of the blobs that `HEAD` and the index hold of each file, by one process for all files.
//!
//! For whoever lives beside git: a text that git put there is no edit of anybody.

use super::Repository;
use super::blobs::blob_id;
use crate::io::{IoError, Stamp};
use std::fs;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

/// What tells whether `HEAD` or the index changed, without reading either through git.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marks {
    head: Vec<u8>,
    branch: Option<Vec<u8>>,
    stamps: [Option<Stamp>; 4],
}

impl Marks {
    /// True where no branch stands for another one: what that one does leaves no mark here.
    pub(super) fn are_certain(&self) -> bool {
        !self.branch.as_ref().is_some_and(|branch| branch.starts_with(b"ref:"))
    }
}

/// The blobs that git has of a file: their ids, as git writes them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Standing {
    /// At `HEAD`.
    pub head: Option<String>,
    /// In the index; a file with a conflict has none.
    pub staged: Option<String>,
}

impl Standing {
    /// True where `text` is one of the two blobs, line endings aside: git may have changed them on the way.
    pub fn has(&self, text: &str) -> bool {
        let ids: Vec<&String> = self.head.iter().chain(&self.staged).collect();
        let Some(digits) = ids.first().map(|id| id.len()) else { return false };
        let is_one = |text: &str| {
            let id = blob_id(text, digits);
            ids.iter().any(|known| **known == id)
        };
        if is_one(text) {
            return true;
        }
        let plain = text.replace("\r\n", "\n");
        (plain != text && is_one(&plain)) || is_one(&plain.replace('\n', "\r\n"))
    }
}

/// Files and folders in a repository's own folder that begin, change or vanish when git begins or ends to work on the tree.
const SIGNS: [&str; 10] = [
    "index",
    "index.lock",
    "HEAD",
    "HEAD.lock",
    "MERGE_HEAD",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "rebase-merge",
    "rebase-apply",
    "sequencer",
];

impl Repository {
    /// True where `path`, in a repository's own folder, tells that git works on the tree or has done so.
    pub fn is_sign(path: &Path) -> bool {
        path.file_name().is_some_and(|name| SIGNS.iter().any(|sign| name == *sign))
    }

    /// The marks as they are now.
    pub fn marks(&self) -> Marks {
        let head = fs::read(self.git_dir.join("HEAD")).unwrap_or_default();
        let name = std::str::from_utf8(&head).ok().and_then(|text| text.strip_prefix("ref:")).map(str::trim);
        let branch = name.and_then(|name| fs::read(self.common_dir.join(name)).ok());
        // A packed branch has no file of its own; a repository with a table of branches writes a new list of its files.
        let packed = if branch.is_none() { Stamp::of(&self.common_dir.join("packed-refs")) } else { None };
        // A work tree of its own has its own table for its own `HEAD`.
        let tables = |folder: &Path| Stamp::of(&folder.join("reftable/tables.list"));
        let stamps = [Stamp::of(&self.git_dir.join("index")), packed, tables(&self.common_dir), tables(&self.git_dir)];
        Marks { head, branch, stamps }
    }

    /// How git has the files with the real paths `paths`, in the same order.
    ///
    /// # Errors
    /// [`IoError::Git`].
    pub fn standings(&self, paths: &[PathBuf]) -> Result<Vec<Standing>, IoError> {
        let mut standings = vec![Standing::default(); paths.len()];
        let mut asked = Vec::new();
        let mut lines = Vec::new();
        for (idx, path) in paths.iter().enumerate() {
            // A name with a line feed cannot be asked for, and counts as one that git does not know.
            let Some(name) = self.name(path).filter(|name| !name.contains(&b'\n')) else { continue };
            for rev in [&b"HEAD:"[..], b":"] {
                lines.extend_from_slice(rev);
                lines.extend_from_slice(&name);
                lines.push(b'\n');
            }
            asked.push(idx);
        }
        if asked.is_empty() {
            return Ok(standings);
        }
        let mut running = self.start(["cat-file", "--batch-check=%(objectname)", "--buffer"])?;
        let (mut stdin, mut stdout) = running.pipes()?;
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let _ = stdin.write_all(&lines);
            });
            let mut next = || -> Result<Option<String>, std::io::Error> {
                let mut line = Vec::new();
                stdout.read_until(b'\n', &mut line)?;
                let id = std::str::from_utf8(&line).unwrap_or_default().trim_end();
                let is_id = matches!(id.len(), 40 | 64) && id.bytes().all(|byte| byte.is_ascii_hexdigit());
                Ok(is_id.then(|| id.to_owned()))
            };
            for idx in asked {
                let both = next().and_then(|head| Ok(Standing { head, staged: next()? }));
                standings[idx] = both.map_err(|error| running.fail(Some(&error)))?;
            }
            Ok::<(), IoError>(())
        })?;
        running.finish()?;
        Ok(standings)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::TestRepository;
    use super::*;

    #[test]
    fn git_touches_a_file_and_the_marks_tell() {
        let repo = TestRepository::new();
        repo.write("a.md", "one\n");
        repo.git(&["add", "a.md"]);
        let repository = Repository::discover(&repo.root).expect("a repository");
        let paths = [repo.at("a.md"), repo.at("none.md")];
        let standing = || repository.standings(&paths).expect("git answers");
        let staged = standing();
        assert!(staged[0].head.is_none() && staged[0].has("one\n") && !staged[0].has("two\n"));
        assert_eq!(staged[1], Standing::default());
        let marks = repository.marks();
        repo.git(&["commit", "-qm", "first"]);
        assert_ne!(repository.marks(), marks);
        let committed = standing();
        assert_eq!(committed[0].head, committed[0].staged);
        assert!(committed[0].has("one\r\n"));
        let marks = repository.marks();
        repo.write("a.md", "two\n");
        assert_eq!((repository.marks(), standing()), (marks, committed));
    }
}
