//! A scripted editor: a process of `memfile lsp`, its frames, and buffers that this side keeps by counting on its own.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// A server that does not answer for so long has failed.
const LONG: Duration = Duration::from_secs(120);

/// A folder under git with a home of its own.
pub(crate) struct Room {
    temp: tempfile::TempDir,
}

impl Room {
    pub(crate) fn new() -> Self {
        let room = Self { temp: tempfile::tempdir().expect("temp") };
        for folder in ["tree", "home"] {
            fs::create_dir(room.temp.path().join(folder)).expect("made");
        }
        room.git(&["init", "-q"]);
        room
    }

    pub(crate) fn tree(&self) -> PathBuf {
        self.temp.path().join("tree").canonicalize().expect("there")
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.tree().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    pub(crate) fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["-c", "user.name=Noor", "-c", "user.email=n@example.org", "commit", "-qm", "x", "--date", "2026-02-01T12:00:00"]);
    }

    fn git(&self, args: &[&str]) {
        assert!(self.command("git").args(args).status().expect("git runs").success(), "git {args:?}");
    }

    pub(crate) fn memfile(&self, args: &[&str]) -> String {
        let output = self.command(env!("CARGO_BIN_EXE_memfile")).args(args).output().expect("memfile runs");
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    }

    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.tree())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.temp.path().join("home"))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CEILING_DIRECTORIES", self.temp.path())
            .env("SOURCE_DATE_EPOCH", "1795953600");
        command
    }

    /// The URI of a file, as an editor encodes it.
    pub(crate) fn uri(&self, name: &str) -> String {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
        let path = self.tree().join(name);
        let bytes = path.to_str().expect("UTF-8").bytes();
        bytes.fold(
            "file://".to_owned(),
            |uri, byte| if plain(byte) { uri + &(byte as char).to_string() } else { format!("{uri}%{byte:02X}") },
        )
    }

    /// All files of the tree but git's.
    pub(crate) fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        fn walk(folder: &Path, out: &mut Vec<(PathBuf, Vec<u8>)>) {
            for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
                match path.is_dir() {
                    true if path.ends_with(".git") => {}
                    true => walk(&path, out),
                    false => out.push((path.clone(), fs::read(&path).expect("read"))),
                }
            }
        }
        let mut out = Vec::new();
        walk(&self.tree(), &mut out);
        out.sort();
        out
    }
}

/// A buffer on the editor's side.
#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    pub(crate) version: i64,
    pub(crate) text: String,
}

/// An editor with its server.
pub(crate) struct Editor {
    child: Child,
    frames: Receiver<Value>,
    pub(crate) utf8: bool,
    pub(crate) buffers: HashMap<String, Buffer>,
    /// The findings that were sent last for each buffer, with the version they are for.
    pub(crate) published: HashMap<String, (Option<i64>, Value)>,
    /// What was shown to the person.
    pub(crate) shown: Vec<String>,
    /// What the server asked for.
    pub(crate) asked: Vec<String>,
    next: i64,
}

impl Editor {
    /// Starts a server; nothing is said yet.
    pub(crate) fn start(room: &Room, utf8: bool) -> Self {
        let mut command = room.command(env!("CARGO_BIN_EXE_memfile"));
        command.args(["lsp", "--stdio"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("memfile runs");
        let out = child.stdout.take().expect("piped");
        let (sender, frames) = channel();
        std::thread::spawn(move || {
            let mut out = BufReader::new(out);
            while let Some(frame) = frame(&mut out) {
                if sender.send(frame).is_err() {
                    break;
                }
            }
        });
        let (buffers, published) = (HashMap::new(), HashMap::new());
        Self { child, frames, utf8, buffers, published, shown: Vec::new(), asked: Vec::new(), next: 0 }
    }

    /// Starts a server and says hello, as an editor with all abilities.
    pub(crate) fn open(room: &Room, utf8: bool) -> Self {
        let mut editor = Self::start(room, utf8);
        let answer = editor.request("initialize", Self::hello(room, utf8)).expect("an answer");
        let encoding = &answer["capabilities"]["positionEncoding"];
        assert_eq!(encoding, if utf8 { "utf-8" } else { "utf-16" });
        editor.notify("initialized", json!({}));
        editor
    }

    pub(crate) fn hello(room: &Room, utf8: bool) -> Value {
        let encodings = if utf8 { json!(["utf-8", "utf-16"]) } else { json!(["utf-16"]) };
        json!({ "processId": null, "rootUri": room.uri(""), "capabilities": {
            "general": { "positionEncodings": encodings },
            "workspace": {
                "workspaceEdit": { "documentChanges": utf8 },
                "didChangeWatchedFiles": { "dynamicRegistration": true },
            },
            "textDocument": {
                "publishDiagnostics": { "relatedInformation": true },
                "hover": { "contentFormat": ["markdown", "plaintext"] },
                "completion": { "completionItem": { "snippetSupport": true } },
                "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            },
        } })
    }

    pub(crate) fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.child.stdin.as_mut().expect("piped");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the server reads");
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.send_raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request and waits for its answer.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        let mut answer = self.answer(&json!(id));
        match answer.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(answer["result"].take()),
        }
    }

    /// The answer to the request `id`.
    pub(crate) fn answer(&mut self, id: &Value) -> Value {
        loop {
            let frame = self.receive().expect("the server answers");
            if frame.get("method").is_none() && frame.get("id") == Some(id) {
                return frame;
            }
            self.take(&frame);
        }
    }

    fn receive(&mut self) -> Option<Value> {
        self.frames.recv_timeout(LONG).ok()
    }

    /// Takes in what the server says on its own.
    fn take(&mut self, frame: &Value) {
        let params = &frame["params"];
        match frame["method"].as_str() {
            Some("textDocument/publishDiagnostics") => {
                let uri = params["uri"].as_str().expect("a name").to_owned();
                self.published.insert(uri, (params["version"].as_i64(), params["diagnostics"].clone()));
            }
            Some("window/showMessage") => self.shown.push(params["message"].as_str().expect("words").to_owned()),
            Some(method) if frame.get("id").is_some() => {
                self.asked.push(method.to_owned());
                let id = frame["id"].clone();
                self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": null }));
            }
            _ => {}
        }
    }

    /// Takes messages in until `is_there`.
    pub(crate) fn wait(&mut self, what: &str, is_there: impl Fn(&Self) -> bool) {
        let end = Instant::now() + LONG;
        while !is_there(self) {
            assert!(Instant::now() < end, "{what} did not come: {:?}", self.published);
            let frame = self.receive().unwrap_or_else(|| panic!("{what} did not come: {:?}", self.published));
            self.take(&frame);
        }
    }

    pub(crate) fn did_open(&mut self, uri: &str, text: &str) {
        self.buffers.insert(uri.to_owned(), Buffer { version: 1, text: text.to_owned() });
        let document = json!({ "uri": uri, "languageId": "markdown", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces bytes of a buffer, and tells the server in its terms.
    pub(crate) fn replace(&mut self, uri: &str, from: usize, to: usize, new: &str) {
        let buffer = self.buffers.get_mut(uri).expect("open");
        let range = json!({ "start": place(&buffer.text, from, self.utf8), "end": place(&buffer.text, to, self.utf8) });
        buffer.text.replace_range(from..to, new);
        buffer.version += 1;
        let document = json!({ "uri": uri, "version": buffer.version });
        let changes = json!([{ "range": range, "text": new }]);
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// The findings of a buffer; those that were asked for and those that were sent are the same.
    pub(crate) fn findings(&mut self, uri: &str) -> Vec<Value> {
        let report = self.request("textDocument/diagnostic", json!({ "textDocument": { "uri": uri } })).expect("a report");
        let version = self.buffers[uri].version;
        let want = (Some(version), report["items"].clone());
        self.wait(&format!("the findings {want:?}"), |editor| editor.published.get(uri) == Some(&want));
        report["items"].as_array().expect("a list").clone()
    }

    /// Applies an edit of the workspace to the buffers, in one change from the end to the start, as editors do.
    /// Gives what was replaced, from the end to the start: the bytes, and how many came in their place.
    pub(crate) fn apply(&mut self, edit: &Value) -> Vec<(usize, usize, usize)> {
        let mut made = Vec::new();
        let mut parts: Vec<(String, Vec<Value>)> = Vec::new();
        if let Some(changes) = edit["documentChanges"].as_array() {
            assert!(self.utf8, "the editor cannot apply versioned edits");
            for change in changes {
                let uri = change["textDocument"]["uri"].as_str().expect("a name").to_owned();
                assert_eq!(change["textDocument"]["version"].as_i64(), Some(self.buffers[&uri].version));
                parts.push((uri, change["edits"].as_array().expect("edits").clone()));
            }
        }
        for (uri, edits) in edit["changes"].as_object().into_iter().flatten() {
            parts.push((uri.clone(), edits.as_array().expect("edits").clone()));
        }
        for (uri, edits) in parts {
            let text = self.buffers[&uri].text.clone();
            let end = |edit: &Value, end: &str| offset(&text, &edit["range"][end], self.utf8);
            let mut edits: Vec<(usize, usize, String)> = edits
                .iter()
                .map(|edit| (end(edit, "start"), end(edit, "end"), edit["newText"].as_str().expect("text").to_owned()))
                .collect();
            edits.sort();
            assert!(edits.windows(2).all(|pair| pair[0].1 < pair[1].0), "edits touch: {edits:?}");
            for (from, to, new) in edits.into_iter().rev() {
                self.replace(&uri, from, to, &new);
                made.push((from, to, new.len()));
            }
        }
        made
    }

    /// Says goodbye and waits for the end.
    pub(crate) fn shut(mut self) {
        assert_eq!(self.request("shutdown", Value::Null), Ok(Value::Null));
        self.notify("exit", Value::Null);
        assert_eq!(self.end().code(), Some(0));
    }

    /// Waits for the end of the process, with its input open.
    pub(crate) fn wait_for_end(&mut self) -> Option<i32> {
        let input = self.child.stdin.take();
        let status = self.child.wait().expect("the server ends");
        drop(input);
        status.code()
    }

    /// Closes standard input and waits for the end of the process.
    pub(crate) fn end(&mut self) -> ExitStatus {
        drop(self.child.stdin.take());
        self.child.wait().expect("the server ends")
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // A test that failed leaves no process behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The next frame. Anything on standard output that is no frame fails the test by silence.
fn frame(out: &mut impl BufRead) -> Option<Value> {
    let mut header = String::new();
    out.read_line(&mut header).ok()?;
    let length: usize = header.strip_prefix("Content-Length: ")?.trim_end().parse().ok()?;
    let mut blank = String::new();
    out.read_line(&mut blank).ok().filter(|_| blank == "\r\n")?;
    let mut body = vec![0; length];
    out.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

/// The place of a byte, counted character by character.
pub(crate) fn place(text: &str, offset: usize, utf8: bool) -> Value {
    let before = &text[..offset];
    let line = before.matches('\n').count();
    let own = before.rsplit('\n').next().unwrap_or("");
    let character: usize = own.chars().map(|c| if utf8 { c.len_utf8() } else { c.len_utf16() }).sum();
    json!({ "line": line, "character": character })
}

/// The byte of a place; one that is not there fails the test.
pub(crate) fn offset(text: &str, at: &Value, utf8: bool) -> usize {
    let found = text.char_indices().map(|(offset, _)| offset).chain([text.len()]).find(|&offset| place(text, offset, utf8) == *at);
    found.unwrap_or_else(|| panic!("the text has no place {at}"))
}
