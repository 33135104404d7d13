//! Real repositories for the tests of this folder, made by the real git without the user's configuration.

use super::Repository;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(super) struct TestRepository {
    _folder: tempfile::TempDir,
    pub(super) root: PathBuf,
}

impl TestRepository {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().expect("temp");
        let root = folder.path().join("répo x");
        fs::create_dir(&root).expect("made");
        let root = root.canonicalize().expect("there");
        let repository = Self { _folder: folder, root };
        repository.git(&["init", "-q", "-b", "main"]);
        repository
    }

    pub(super) fn git<S: AsRef<OsStr>>(&self, args: &[S]) -> String {
        self.git_on("2026-03-01T12:00:00 +0000", args)
    }

    /// Runs git in the repository, with all dates `date`.
    pub(super) fn git_on<S: AsRef<OsStr>>(&self, date: &str, args: &[S]) -> String {
        let mut command = Command::new("git");
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
            command.env_remove(name);
        }
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "Ann Ö").env(format!("GIT_{who}_EMAIL"), "a@x").env(format!("GIT_{who}_DATE"), date);
        }
        let output = command.current_dir(&self.root).args(args).output().expect("git runs");
        assert!(
            output.status.success(),
            "{:?}: {}",
            args.iter().map(AsRef::as_ref).collect::<Vec<_>>(),
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    pub(super) fn at(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    pub(super) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.at(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, text).expect("written");
        path
    }

    /// Writes and commits one file; gives the commit.
    pub(super) fn commit(&self, name: &str, text: &str, message: &str) -> String {
        self.write(name, text);
        self.commit_all("2026-03-01T12:00:00 +0000", message)
    }

    pub(super) fn commit_all(&self, date: &str, message: &str) -> String {
        self.git(&["add", "-A"]);
        self.git_on(date, &["commit", "-q", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// A shallow clone of the last `depth` commits, beside this repository.
    pub(super) fn shallow(&self, depth: usize) -> PathBuf {
        let clone = self.root.with_file_name(format!("shallow{depth}"));
        let url = format!("file://{}", self.root.display());
        self.git(&["clone", "-q", "--depth", &depth.to_string(), &url, &clone.to_string_lossy()]);
        clone
    }

    pub(super) fn open(&self) -> Repository {
        open(&self.root)
    }
}

/// The repository at `folder`.
pub(super) fn open(folder: &Path) -> Repository {
    Repository::discover(folder).expect("a repository")
}
