//! A real repository with a home and a journal of its own, for tests of what lives beside git.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The day of all tests here.
pub(crate) const TODAY: &str = "2026-11-29";

pub(crate) struct Repository {
    _temp: tempfile::TempDir,
    top: PathBuf,
    /// The top of the work tree.
    pub(crate) root: PathBuf,
}

/// What a program said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Said {
    fn of(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Self { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
    }

    pub(crate) fn both(&self) -> String {
        format!("{}\n{}", self.out, self.err)
    }
}

impl Repository {
    /// An empty repository in a folder `name`, with `memfile` in PATH.
    pub(crate) fn new(name: &str) -> Self {
        let this = Self::without_git(name);
        this.git(&["init", "-q", "-b", "main"]);
        this
    }

    /// The same without a repository in it.
    pub(crate) fn without_git(name: &str) -> Self {
        let temp = tempfile::tempdir().expect("a temporary folder");
        let top = temp.path().canonicalize().expect("there");
        for folder in ["bin", "home", name] {
            fs::create_dir(top.join(folder)).expect("a folder");
        }
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_memfile"), top.join("bin/memfile")).expect("a link");
        let config = "[user]\n\tname = Tess\n\temail = t@x\n[protocol \"file\"]\n\tallow = always\n[merge]\n\tconflictStyle = merge\n";
        fs::write(top.join("home/.gitconfig"), config).expect("written");
        let root = top.join(name);
        Self { _temp: temp, top, root }
    }

    /// The folder around it.
    pub(crate) fn top(&self) -> &Path {
        &self.top
    }

    /// A program with the environment of the tests, in `folder`.
    pub(crate) fn program(&self, name: &str, folder: &Path) -> Command {
        let home = self.top.join("home");
        let path = format!("{}:{}", self.top.join("bin").display(), std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new(name);
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
            command.env_remove(name);
        }
        command.current_dir(folder).env("PATH", path).env("HOME", &home).env("XDG_STATE_HOME", home.join("state"));
        command.env("XDG_CONFIG_HOME", home.join("config")).env("GIT_CONFIG_GLOBAL", home.join(".gitconfig"));
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_TERMINAL_PROMPT", "0").env("NO_COLOR", "1").env("LC_ALL", "C.UTF-8");
        command.env("SOURCE_DATE_EPOCH", "1795953600").env("GIT_CEILING_DIRECTORIES", &self.top);
        command.env("GIT_AUTHOR_DATE", "2026-11-20T10:00:00Z").env("GIT_COMMITTER_DATE", "2026-11-20T10:00:00Z");
        command
    }

    pub(crate) fn call<S: AsRef<OsStr>>(&self, name: &str, folder: &Path, args: &[S]) -> Said {
        Said::of(self.program(name, folder).args(args).output().expect("it starts"))
    }

    /// Runs git, which must succeed.
    pub(crate) fn git(&self, args: &[&str]) -> String {
        self.git_in(&self.root, args)
    }

    pub(crate) fn git_in(&self, folder: &Path, args: &[&str]) -> String {
        let said = self.call("git", folder, args);
        assert_eq!(said.code, 0, "git {args:?}: {}", said.both());
        said.out
    }

    /// Runs git, which may fail.
    pub(crate) fn try_git(&self, args: &[&str]) -> Said {
        self.call("git", &self.root, args)
    }

    /// Runs git with an editor that does `script` to the file `$1`.
    pub(crate) fn edit(&self, script: &str, args: &[&str]) -> Said {
        let editor = self.top.join("editor");
        fs::write(&editor, format!("#!/bin/sh\n{script}\n")).expect("written");
        run_by_anyone(&editor);
        Said::of(self.program("git", &self.root).env("GIT_EDITOR", editor).args(args).output().expect("git starts"))
    }

    pub(crate) fn memfile(&self, args: &[&str]) -> Said {
        self.call("memfile", &self.root, args)
    }

    /// Runs memfile, which must end with `code`.
    pub(crate) fn ends(&self, code: i32, args: &[&str]) -> Said {
        let said = self.memfile(args);
        assert_eq!(said.code, code, "memfile {args:?}: {}", said.both());
        said
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, text).expect("written");
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.root.join(name)).expect("a text")
    }

    /// Commits all, whatever hooks say.
    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "--no-verify", "-m", message]);
    }

    /// The message of the last commit.
    pub(crate) fn message(&self) -> String {
        self.git(&["log", "-1", "--format=%B"]).trim_end().to_owned()
    }
}

/// A memory file with these facts.
pub(crate) fn facts(lines: &[&str]) -> String {
    let lines: String = lines.iter().map(|line| format!("- {line}\n")).collect();
    format!("# Notes\n\n## Project memory\n\n{lines}")
}

/// Sets the mode of a script.
pub(crate) fn run_by_anyone(path: &Path) {
    set_mode(path, 0o755);
}

pub(crate) fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
}

pub(crate) fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).expect("there").permissions().mode() & 0o777
}
