//! A place to live in for tests that need real processes: a repository and a home of its own, memfile and git in it, and a watch whose
//! events can be waited for.

#![cfg(all(unix, feature = "watch"))]

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Longer than anything takes on a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(40);

/// A folder `repo`, a repository unless told otherwise, and beside it the home.
pub(crate) struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    /// With an empty repository.
    pub(crate) fn new() -> Self {
        let home = Self::without_git();
        home.git(&["init", "-q", "-b", "main"]);
        home
    }

    /// With a folder that is none.
    pub(crate) fn without_git() -> Self {
        let home = Self { folder: tempfile::tempdir().expect("temp") };
        for name in ["repo", "home"] {
            fs::create_dir(home.folder.path().join(name)).expect("made");
        }
        home
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("repo").canonicalize().expect("there")
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.at(name).parent().expect("a folder")).expect("made");
        fs::write(self.at(name), text).expect("written");
    }

    /// Saves as editors do: a new file, renamed over the old one.
    pub(crate) fn rename_over(&self, name: &str, text: &str) {
        let side = self.at(&format!("{name}.saving"));
        fs::write(&side, text).expect("written");
        fs::rename(side, self.at(name)).expect("renamed");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.at(name)).expect("there")
    }

    /// All names in the top folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.root()).expect("there");
        let mut names: Vec<String> = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// A program in the repository, with an environment of its own, not started yet.
    pub(crate) fn program(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        let home = self.folder.path().join("home");
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
            command.env_remove(name);
        }
        command.current_dir(self.root()).stdin(Stdio::null());
        command.env("HOME", &home).env("XDG_STATE_HOME", home.join("state")).env("XDG_CACHE_HOME", home.join("cache"));
        command.env("XDG_CONFIG_HOME", home.join("config")).env("SOURCE_DATE_EPOCH", "1795953600");
        command.env("GIT_CEILING_DIRECTORIES", self.folder.path());
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_EDITOR", "true");
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "Ann").env(format!("GIT_{who}_EMAIL"), "a@x");
            command.env(format!("GIT_{who}_DATE"), "2026-11-20T10:00:00Z");
        }
        command
    }

    /// memfile with arguments, not started yet.
    pub(crate) fn memfile<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = self.program(env!("CARGO_BIN_EXE_memfile"));
        command.args(args);
        command
    }

    /// Runs memfile to its end.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Output {
        self.memfile(args).output().expect("it starts")
    }

    /// Runs memfile, which must exit with 0.
    pub(crate) fn ok<S: AsRef<OsStr>>(&self, args: &[S]) {
        let output = self.run(args);
        assert!(output.status.success(), "{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    }

    /// Runs git, which must succeed.
    pub(crate) fn git(&self, args: &[&str]) {
        let output = self.program("git").args(args).output().expect("git runs");
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Runs git, which may fail.
    pub(crate) fn try_git(&self, args: &[&str]) -> bool {
        self.program("git").args(args).output().expect("git runs").status.success()
    }

    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    /// Starts a watch with these arguments, and waits until it watches.
    pub(crate) fn watch(&self, args: &[&str]) -> Watch {
        let all: Vec<&str> = ["watch", "--format", "json"].iter().chain(args).copied().collect();
        let mut watch = Watch::of(self.memfile(&all));
        watch.wait(|event| event["event"] == "watching");
        watch
    }
}

/// A watch that runs. It is killed when dropped.
pub(crate) struct Watch {
    child: Child,
    events: Receiver<serde_json::Value>,
    /// What it told so far, for messages of failed tests.
    heard: Vec<String>,
}

impl Watch {
    pub(crate) fn of(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().expect("it starts");
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, events) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let event = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
                if sender.send(event).is_err() {
                    break;
                }
            }
        });
        Self { child, events, heard: Vec::new() }
    }

    /// Waits for an event; those before it are passed over.
    pub(crate) fn wait(&mut self, is_it: impl Fn(&serde_json::Value) -> bool) -> serde_json::Value {
        let end = Instant::now() + PATIENCE;
        loop {
            match self.events.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(event) => {
                    self.heard.push(event.to_string());
                    if is_it(&event) {
                        return event;
                    }
                }
                Err(RecvTimeoutError::Timeout) => panic!("it never came; heard: {:#?}", self.heard),
                Err(RecvTimeoutError::Disconnected) => panic!("the watch ended; heard: {:#?}", self.heard),
            }
        }
    }

    /// Waits until a file is fixed.
    pub(crate) fn fixed(&mut self, file: &str) {
        self.wait(|event| event["event"] == "fixed" && event["file"] == file);
    }

    /// Waits until a file is judged and left as it is.
    pub(crate) fn settled(&mut self, file: &str) {
        self.wait(|event| event["event"] == "settled" && event["file"] == file);
    }

    /// Waits until a file is left alone, for this reason; it must not be written before that.
    pub(crate) fn rests(&mut self, file: &str, why: &str) {
        let event = self.wait(|event| event["file"] == file && (event["event"] == "fixed" || event["why"] == why));
        assert!(event["event"] != "fixed", "written instead of {why}: {event}");
    }

    /// What came in the meantime.
    pub(crate) fn pending(&mut self) -> Vec<serde_json::Value> {
        std::iter::from_fn(|| self.events.try_recv().ok()).collect()
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal by name.
    pub(crate) fn signal(&self, signal: &str) {
        let status = Command::new("kill").args([&format!("-{signal}"), &self.id().to_string()]).status().expect("kill is there");
        assert!(status.success());
    }

    /// Waits for the end; gives the exit code.
    pub(crate) fn end(&mut self) -> Option<i32> {
        while self.events.recv_timeout(PATIENCE).is_ok() {}
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A memory file in which each line is a record.
pub(crate) fn memory(records: &[&str]) -> String {
    let lines: Vec<String> = records.iter().map(|record| format!("- {record}\n")).collect();
    format!("# Notes\n\n## Project memory\n\n{}", lines.concat())
}
