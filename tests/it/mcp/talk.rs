//! A `memfile mcp` to talk to, line by line, in a repository of its own.

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Long enough for a busy machine: nothing waits for it but a test that fails.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) const TEXT: &str = "\
# Notes

## Project memory

- Port: 8080 (since 2025-01-01) [historical] replaced by: 9090 as of 2026-01-01
- Port: 9090 (since 2026-01-01)
- Team: core
- Region: eu
";

/// A repository with `AGENTS.md`, and an environment of its own.
pub(crate) struct Room {
    temp: tempfile::TempDir,
}

impl Room {
    pub(crate) fn new(text: &str) -> Self {
        let own = Self { temp: tempfile::tempdir().expect("a temporary folder") };
        fs::create_dir(own.repo()).expect("a folder");
        fs::write(own.temp.path().join("gitconfig"), "[user]\nname = A\nemail = a@example.org\n").expect("written");
        own.write("AGENTS.md", text);
        own.git(&["init", "-q"]);
        own.commit();
        own
    }

    /// The folder that the server is opened on. Temporary folders may lie behind links.
    pub(crate) fn repo(&self) -> PathBuf {
        fs::canonicalize(self.temp.path()).expect("there").join("repo")
    }

    pub(crate) fn outside(&self) -> PathBuf {
        fs::canonicalize(self.temp.path()).expect("there")
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.repo().join(name), text).expect("written");
    }

    /// Writes a file as a whole: a server that reads meanwhile sees the old text or the new one.
    pub(crate) fn replace(&self, name: &str, text: &str) {
        let new = self.outside().join("new");
        fs::write(&new, text).and_then(|()| fs::rename(&new, self.repo().join(name))).expect("written");
    }

    pub(crate) fn text(&self) -> String {
        fs::read_to_string(self.repo().join("AGENTS.md")).expect("UTF-8")
    }

    pub(crate) fn uri(&self, name: &str) -> String {
        format!("file://{}", self.repo().join(name).display())
    }

    /// The lock of the only file that was written so far.
    pub(crate) fn lock(&self) -> fs::File {
        let entries = fs::read_dir(self.temp.path().join("state/memfile/locks")).expect("a folder of locks");
        let path = entries.flatten().next().expect("a lock").path();
        fs::File::options().write(true).open(path).expect("a lock")
    }

    pub(crate) fn git(&self, args: &[&str]) {
        let mut command = Command::new("git");
        assert!(self.ready(&mut command, args).output().expect("git starts").status.success(), "git {args:?}");
    }

    pub(crate) fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "facts"]);
    }

    /// The command line, on the same files.
    pub(crate) fn memfile(&self, args: &[&str]) -> Output {
        self.ready(&mut Command::new(env!("CARGO_BIN_EXE_memfile")), args).output().expect("memfile starts")
    }

    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let done = self.memfile(args);
        serde_json::from_slice(&done.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}: {done:?}"))
    }

    fn ready<'c>(&self, command: &'c mut Command, args: &[&str]) -> &'c mut Command {
        let here = self.temp.path();
        for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
            command.env_remove(name);
        }
        command
            .args(args)
            .current_dir(self.repo())
            .env("HOME", here)
            .env("XDG_STATE_HOME", here.join("state"))
            .env("GIT_CONFIG_GLOBAL", here.join("gitconfig"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CEILING_DIRECTORIES", self.outside())
            .env("SOURCE_DATE_EPOCH", "1795953600")
            .env("RUST_LOG", "trace")
    }

    /// A server, before its first message.
    pub(crate) fn server(&self, args: &[&str]) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_memfile"));
        let args: Vec<&str> = ["mcp"].iter().chain(args).copied().collect();
        let pipes = self.ready(&mut command, &args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = pipes.spawn().expect("memfile starts");
        let (lines, received) = channel();
        let out = BufReader::new(child.stdout.take().expect("a pipe"));
        std::thread::spawn(move || {
            for line in out.lines() {
                let line = line.expect("stdout is UTF-8");
                let message: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: no JSON on stdout: {line}"));
                assert_eq!(message["jsonrpc"], "2.0", "no JSON-RPC on stdout: {line}");
                if lines.send(message).is_err() {
                    break;
                }
            }
        });
        Server { stdin: child.stdin.take(), child, received, others: Vec::new(), last: 100 }
    }

    /// A session by the handshake of revision 2025-11-25.
    pub(crate) fn session(&self) -> Server {
        let mut server = self.server(&[]);
        server.hello("2025-11-25");
        server
    }
}

/// A server that runs.
pub(crate) struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    received: Receiver<Value>,
    /// What came while something else was waited for.
    others: Vec<Value>,
    last: i64,
}

impl Server {
    pub(crate) fn raw(&mut self, line: &[u8]) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        stdin.write_all(line).and_then(|()| stdin.write_all(b"\n")).and_then(|()| stdin.flush()).expect("the server reads");
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.raw(message.to_string().as_bytes());
    }

    /// Sends a request; its id.
    pub(crate) fn begin(&mut self, method: &str, params: Value) -> i64 {
        self.last += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params }));
        self.last
    }

    /// The first message that `wanted` takes; others are kept for later.
    pub(crate) fn wait(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.others.iter().position(&wanted) {
            return self.others.remove(at);
        }
        loop {
            match self.received.recv_timeout(PATIENCE) {
                Ok(message) if wanted(&message) => return message,
                Ok(message) => self.others.push(message),
                Err(RecvTimeoutError::Timeout) => panic!("{what} does not come; there is: {:?}", self.others),
                Err(RecvTimeoutError::Disconnected) => panic!("{what} does not come, the server has ended; there is: {:?}", self.others),
            }
        }
    }

    /// Drops what came beside what was waited for.
    pub(crate) fn drop_others(&mut self) {
        self.others.clear();
    }

    /// The answer to the request `id`, whole.
    pub(crate) fn answer(&mut self, id: i64) -> Value {
        self.wait(&format!("the answer to {id}"), |message| message["id"] == id)
    }

    /// The result of a request.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        let mut answer = self.answer(id);
        assert!(answer.get("result").is_some(), "{method}: {answer}");
        answer["result"].take()
    }

    /// The protocol error of a request: its code.
    pub(crate) fn refused(&mut self, method: &str, params: Value) -> i64 {
        let id = self.begin(method, params);
        let answer = self.answer(id);
        answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("{method} is answered: {answer}"))
    }

    /// The handshake.
    pub(crate) fn hello(&mut self, revision: &str) -> Value {
        let client = json!({ "name": "test", "version": "1" });
        let told = self.ask("initialize", json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": client }));
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        told
    }

    /// The structured result of a tool.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let mut result = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert_ne!(result["isError"], true, "{tool}: {result}");
        assert!(result["content"][0]["text"].is_string(), "{tool} has no text: {result}");
        result["structuredContent"].take()
    }

    /// The sentence that a tool refuses with.
    pub(crate) fn wrong(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert_eq!(result["isError"], true, "{tool}: {result}");
        result["content"][0]["text"].as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn pid(&self) -> rustix::process::Pid {
        rustix::process::Pid::from_child(&self.child)
    }

    /// Closes stdin; what still came, and how the process ended.
    pub(crate) fn close(mut self) -> (Vec<Value>, ExitStatus) {
        self.stdin = None;
        self.ended()
    }

    /// Waits for the end; what still came, and how the process ended.
    pub(crate) fn ended(mut self) -> (Vec<Value>, ExitStatus) {
        let mut came = std::mem::take(&mut self.others);
        loop {
            match self.received.recv_timeout(PATIENCE) {
                Ok(message) => came.push(message),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the server does not end"),
            }
        }
        let status = self.child.wait().expect("it ends");
        (came, status)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Of a test that failed midway nothing is left running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Compares with a file of `testdata`; `MEMFILE_UPDATE=1` writes it.
pub(crate) fn compare(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/mcp").join(name);
    if std::env::var_os("MEMFILE_UPDATE").is_some() {
        fs::write(&path, text).expect("written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, kept, "{} is not as it was (MEMFILE_UPDATE=1 writes it anew)", path.display());
}
