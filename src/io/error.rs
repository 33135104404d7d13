//! What can fail outside: one enum, a path in each variant, one sentence with the way out for each.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A failure of the world. It can be cloned, so that one broken configuration can be told for each of its files.
#[derive(Clone, Debug)]
pub enum IoError {
    /// Nothing stands at the path.
    NotFound {
        /// The path as given.
        path: PathBuf,
    },
    /// The path is a link whose target does not exist.
    DanglingLink {
        /// The link as given.
        path: PathBuf,
        /// What the link says.
        target: PathBuf,
    },
    /// The path is a folder, a device, a pipe or a socket.
    NotAFile {
        /// The path as given.
        path: PathBuf,
    },
    /// The file holds a byte that no UTF-8 text can hold there.
    NotUtf8 {
        /// The path as given.
        path: PathBuf,
        /// The line of the first such byte, from 1.
        line: usize,
        /// The offset of that byte, from 0.
        offset: usize,
    },
    /// The path leads out of the folder that a door was opened on.
    Outside {
        /// The path as given.
        path: PathBuf,
        /// The folder.
        root: PathBuf,
    },
    /// The file has 4 GiB or more; offsets of a text have 32 bits.
    TooLarge {
        /// The path as given.
        path: PathBuf,
    },
    /// Reading failed.
    Read {
        /// The path that could not be read.
        path: PathBuf,
        /// The reason.
        error: Arc<io::Error>,
    },
    /// Writing failed; the old bytes are still there.
    Write {
        /// The path that could not be written.
        path: PathBuf,
        /// The reason.
        error: Arc<io::Error>,
    },
    /// Someone else wrote the file since it was read; nothing was written. The caller reads it again and plans anew.
    Changed {
        /// The path that was to be written.
        path: PathBuf,
    },
    /// A link stands where a file of memfile's own is to be written.
    IsLink {
        /// The link.
        path: PathBuf,
    },
    /// Writing in place failed midway and so did putting the old bytes back; they are in the backup.
    HalfWritten {
        /// The path that holds a mixture.
        path: PathBuf,
        /// The file that holds the old bytes behind one line of its own.
        backup: PathBuf,
        /// The reason of the first failure.
        error: Arc<io::Error>,
    },
    /// Another process held the lock too long.
    Lock {
        /// The file to be written.
        path: PathBuf,
        /// The lock.
        lock: PathBuf,
    },
    /// The folder for state outside the tree cannot be used.
    State {
        /// The folder or the file in it.
        path: PathBuf,
        /// The reason.
        error: Arc<io::Error>,
    },
    /// A git command failed, or there is no git.
    Git {
        /// The top of the work tree.
        root: PathBuf,
        /// The command in short, `git log`.
        command: String,
        /// What git wrote to stderr, or why it could not be started.
        stderr: String,
    },
    /// The repository does not know the revision.
    MissingRevision {
        /// The top of the work tree.
        root: PathBuf,
        /// The revision as given.
        rev: String,
        /// True where the clone is shallow, which is the likely cause.
        shallow: bool,
    },
    /// The revision and `HEAD` have no commit in common.
    NoMergeBase {
        /// The top of the work tree.
        root: PathBuf,
        /// The revision as given.
        rev: String,
        /// True where the clone is shallow, which is the likely cause.
        shallow: bool,
    },
    /// A configuration file says something that memfile does not understand.
    Config {
        /// The file.
        path: PathBuf,
        /// The reason, with a line where there is one.
        message: String,
    },
    /// The journal cannot be used.
    Journal {
        /// The database.
        path: PathBuf,
        /// The reason.
        message: String,
    },
    /// A variable of the environment has a value that cannot be read.
    Variable {
        /// The name of the variable.
        path: PathBuf,
        /// The value.
        value: String,
    },
}

impl IoError {
    pub(crate) fn read(path: &Path, error: io::Error) -> Self {
        Self::Read { path: path.to_owned(), error: Arc::new(error) }
    }

    pub(crate) fn write(path: &Path, error: io::Error) -> Self {
        Self::Write { path: path.to_owned(), error: Arc::new(error) }
    }

    pub(crate) fn state(path: &Path, error: io::Error) -> Self {
        Self::State { path: path.to_owned(), error: Arc::new(error) }
    }

    /// The path that the failure is about.
    pub fn path(&self) -> &Path {
        match self {
            Self::NotFound { path }
            | Self::DanglingLink { path, .. }
            | Self::NotAFile { path }
            | Self::Outside { path, .. }
            | Self::NotUtf8 { path, .. }
            | Self::TooLarge { path }
            | Self::Read { path, .. }
            | Self::Write { path, .. }
            | Self::Changed { path }
            | Self::IsLink { path }
            | Self::HalfWritten { path, .. }
            | Self::Lock { path, .. }
            | Self::State { path, .. }
            | Self::Git { root: path, .. }
            | Self::MissingRevision { root: path, .. }
            | Self::NoMergeBase { root: path, .. }
            | Self::Config { path, .. }
            | Self::Journal { path, .. }
            | Self::Variable { path, .. } => path,
        }
    }
}

/// What helps where history was cut off.
const UNSHALLOW: &str = "this is a shallow clone: run `git fetch --unshallow`, in GitHub Actions set `fetch-depth: 0` for actions/checkout";

/// A path as one line of text: names of files come from anyone, and a line break or an escape in one must not steer what shows it.
fn shown(path: &Path) -> String {
    spelled(&path.to_string_lossy())
}

fn spelled(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || crate::text::is_hidden(c) { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    out
}

impl fmt::Display for IoError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = shown(self.path());
        match self {
            Self::NotFound { .. } => write!(out, "{path}: no such file or folder"),
            Self::DanglingLink { target, .. } => {
                write!(out, "{path}: this link points to {}, which does not exist; make that file or remove the link", shown(target))
            }
            Self::NotAFile { .. } => write!(out, "{path}: not a regular file; memfile reads and writes files only"),
            Self::Outside { root, .. } => {
                write!(out, "{path}: outside {}; only files below that folder are read and written here", shown(root))
            }
            Self::NotUtf8 { line, offset, .. } => {
                write!(
                    out,
                    "{path}: not UTF-8 at line {line} (byte {offset}); convert the file to UTF-8, memfile leaves it alone until then"
                )
            }
            Self::TooLarge { .. } => write!(out, "{path}: 4 GiB or more is no memory file; split it"),
            Self::Read { error, .. } => write!(out, "{path}: cannot be read: {error}"),
            Self::Write { error, .. } => write!(out, "{path}: cannot be written: {error}; the file is as it was"),
            Self::Changed { .. } => write!(out, "{path}: changed while memfile worked on it; nothing was written, run the command again"),
            Self::IsLink { .. } => {
                write!(out, "{path}: is a link, and memfile does not write through it; nothing was written. Put a file in its place")
            }
            Self::HalfWritten { backup, error, .. } => write!(
                out,
                "{path}: writing failed midway: {error}; the old text stands in {} below its first line, copy it back",
                shown(backup)
            ),
            Self::Lock { lock, .. } => write!(
                out,
                "{path}: another memfile has been writing this file for too long (lock {}); wait for it or stop it",
                shown(lock)
            ),
            Self::State { error, .. } => write!(
                out,
                "{path}: memfile cannot keep its locks and journal here: {error}; set XDG_STATE_HOME to a folder that can be written"
            ),
            Self::Git { command, stderr, .. } => write!(out, "{path}: `{command}` failed: {}", stderr.trim()),
            Self::MissingRevision { rev, shallow, .. } => {
                write!(out, "{path}: git knows no revision `{}`", spelled(rev))?;
                match shallow {
                    true => write!(out, "; {UNSHALLOW}"),
                    false => write!(out, "; check its name, or fetch it (a shallow clone lacks old ones: `git fetch --unshallow`)"),
                }
            }
            Self::NoMergeBase { rev, shallow, .. } => {
                write!(out, "{path}: `{}` and HEAD have no commit in common", spelled(rev))?;
                match shallow {
                    true => write!(out, "; {UNSHALLOW}"),
                    false => write!(out, "; name a revision of this history with --base"),
                }
            }
            Self::Config { message, .. } => write!(out, "{path}: {message}"),
            Self::Journal { message, .. } => write!(out, "{path}: the journal cannot be used: {message}"),
            Self::Variable { value, .. } => {
                write!(out, "{path}: `{}` is no number of seconds since 1970; correct or unset the variable", spelled(value))
            }
        }
    }
}

impl std::error::Error for IoError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { error, .. } | Self::Write { error, .. } | Self::HalfWritten { error, .. } | Self::State { error, .. } => {
                Some(error.as_ref())
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_line() {
        let path = PathBuf::from("a\n::error::b\u{1b}[2J.md");
        assert_eq!(IoError::NotFound { path }.to_string(), "a\\u{a}::error::b\\u{1b}[2J.md: no such file or folder");
    }

    #[test]
    fn a_missing_revision_names_the_way_out() {
        let error = IoError::MissingRevision { root: "/r".into(), rev: "HEAD~9".into(), shallow: true };
        let text = error.to_string();
        assert!(text.contains("`HEAD~9`") && text.contains("shallow clone"), "{text}");
        assert!(text.contains("git fetch --unshallow") && text.contains("fetch-depth: 0"), "{text}");
    }
}
