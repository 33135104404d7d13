//! Starting git so that it only reads, asks nothing and runs nothing that a repository's configuration names.
//!
//! Arguments come in, output or [`IoError::Git`] goes out. A repository can come from anyone, and its `.git/config` can
//! name programs: hooks, a file system monitor, pagers, filters, diff drivers, transports. Those that the commands used
//! here could start are switched off; the commands themselves are such that read objects and the index, never work files.

use super::{Repository, os_string};
use crate::io::IoError;
use std::ffi::OsStr;
use std::io::{self, BufReader, Read};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::thread::JoinHandle;

/// Variables of git that say which configuration is the user's and where repositories end. All others are left out: a
/// hook's `GIT_DIR` would turn every call into one about the hook's repository.
const KEPT: [&str; 4] = ["GIT_CEILING_DIRECTORIES", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"];

/// Settings that win over those of the repository and the user.
const SETTINGS: [&str; 8] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.quotePath=false",
    "log.showSignature=false",
    "log.showRoot=true",
    "log.follow=false",
    // No network: a partial clone must not fetch what it lacks.
    "protocol.allow=never",
];

impl Repository {
    pub(super) fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new("git");
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("GIT_") && !KEPT.iter().any(|kept| name == *kept) {
                command.env_remove(name);
            }
        }
        command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0").env("GIT_NO_LAZY_FETCH", "1").env("LC_ALL", "C");
        // `protocol.ext.allow` of a repository's own would win over `protocol.allow`; nothing wins over this.
        command.env("GIT_ALLOW_PROTOCOL", "none");
        if let Some(index) = &self.index {
            command.env("GIT_INDEX_FILE", index);
        }
        if self.is_named {
            command.env("GIT_DIR", &self.git_dir).env("GIT_WORK_TREE", &self.root);
        }
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        command.args(["--no-pager", "--literal-pathspecs"]).args(args).current_dir(&self.root).stdin(Stdio::null());
        command
    }

    /// Runs git to its end, whatever it says.
    pub(super) fn try_run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Result<Output, IoError> {
        let mut command = self.command(args);
        let output = command.output();
        output.map_err(|error| self.not_started(&summary(&command), &error))
    }

    /// Starts git with a pipe from its stdout and one to its stdin.
    pub(super) fn start<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Result<Running<'_>, IoError> {
        let mut command = self.command(args);
        let name = summary(&command);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.map_err(|error| self.not_started(&name, &error))?;
        let stderr = child.stderr.take().map(|mut pipe| {
            // Read beside, as git would wait for a reader once the pipe is full.
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                let _ = pipe.read_to_end(&mut bytes);
                bytes
            })
        });
        Ok(Running { repository: self, name, child, stderr })
    }

    pub(super) fn failed(&self, command: &str, stderr: &[u8]) -> IoError {
        let stderr = String::from_utf8_lossy(stderr).trim().to_owned();
        let stderr = if stderr.is_empty() { "it said nothing".to_owned() } else { stderr };
        IoError::Git { root: self.root.clone(), command: command.to_owned(), stderr }
    }

    fn not_started(&self, command: &str, error: &io::Error) -> IoError {
        let reason = match error.kind() {
            // A root that vanished gives the same kind.
            io::ErrorKind::NotFound if self.root.is_dir() => "there is no `git` in PATH; install git, or use --base none".to_owned(),
            _ => error.to_string(),
        };
        self.failed(command, reason.as_bytes())
    }
}

/// `git` and the subcommand.
fn summary(command: &Command) -> String {
    let mut args = command.get_args().skip_while(|arg| *arg != "--literal-pathspecs").skip(1);
    format!("git {}", args.next().unwrap_or_default().to_string_lossy())
}

/// A name of git's as an argument.
pub(super) fn arg(name: &[u8]) -> std::ffi::OsString {
    os_string(name)
}

/// A git that was started. It is killed when dropped before its end.
#[derive(Debug)]
pub(super) struct Running<'r> {
    repository: &'r Repository,
    name: String,
    child: Child,
    stderr: Option<JoinHandle<Vec<u8>>>,
}

impl Running<'_> {
    /// The pipes; each can be taken once.
    pub(super) fn pipes(&mut self) -> Result<(ChildStdin, BufReader<ChildStdout>), IoError> {
        match (self.child.stdin.take(), self.child.stdout.take()) {
            (Some(stdin), Some(stdout)) => Ok((stdin, BufReader::with_capacity(1 << 16, stdout))),
            _ => Err(self.repository.failed(&self.name, b"its pipes are gone")),
        }
    }

    /// Waits for the end.
    pub(super) fn finish(mut self) -> Result<(), IoError> {
        let status = self.child.wait().map_err(|error| self.repository.not_started(&self.name, &error))?;
        if status.success() { Ok(()) } else { Err(self.fail(None)) }
    }

    /// Ends git and says why: what it wrote to stderr, else `error`.
    pub(super) fn fail(&mut self, error: Option<&io::Error>) -> IoError {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let mut stderr = self.stderr.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        if let (true, Some(error)) = (stderr.is_empty(), error) {
            stderr = error.to_string().into_bytes();
        }
        self.repository.failed(&self.name, &stderr)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
