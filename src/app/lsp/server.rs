//! The loop: one message after the other; findings when a buffer rests.
//!
//! One thread, so that each answer is about the text of its moment. Requests that the editor cancelled while they waited are not
//! answered. A session is used until something beside the buffers may have changed (a save, a declaration, git, the settings), then
//! made anew, as it remembers what it read.

use super::super::Session;
use super::client::{Client, watchers};
use super::documents::Document;
use crate::io::clock;
use chrono::NaiveDate;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{Diagnostic, MessageType, PublishDiagnosticsParams, ShowMessageParams, Uri};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

/// How often git, the settings and the journal are looked at while a memory file is open.
const GLANCE: Duration = Duration::from_secs(2);

/// Why a request was not done.
pub(super) struct Refused {
    code: ErrorCode,
    message: String,
}

impl Refused {
    pub(super) fn params(error: &serde_json::Error) -> Self {
        Self { code: ErrorCode::InvalidParams, message: error.to_string() }
    }

    pub(super) fn failed(message: &str) -> Self {
        Self { code: ErrorCode::RequestFailed, message: message.to_owned() }
    }

    pub(super) fn unknown(method: &str) -> Self {
        Self { code: ErrorCode::MethodNotFound, message: format!("there is no method `{method}`") }
    }
}

/// Where the conversation stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Before,
    Open,
    Shut,
}

/// The server.
pub(super) struct Server {
    cwd: PathBuf,
    connection: Connection,
    phase: Phase,
    /// The editor has gone away.
    is_alone: bool,
    requests: i32,
    pub(super) client: Client,
    pub(super) session: Session,
    /// The open buffers, by their names.
    pub(super) documents: FxHashMap<String, Document>,
    /// When the files that decide beside the buffers were written.
    witnessed: Vec<(PathBuf, Option<SystemTime>)>,
    glanced: Instant,
    /// The day of the findings.
    day: Option<NaiveDate>,
}

impl Server {
    pub(super) fn new(cwd: PathBuf, connection: Connection) -> Self {
        Self {
            session: Session::new(cwd.clone()),
            cwd,
            connection,
            phase: Phase::Before,
            is_alone: false,
            requests: 0,
            client: Client::default(),
            documents: FxHashMap::default(),
            witnessed: Vec::new(),
            glanced: Instant::now(),
            day: None,
        }
    }

    /// Serves; gives the exit code.
    pub(super) fn run(mut self) -> u8 {
        let mut queue: VecDeque<Message> = VecDeque::new();
        while !self.is_alone {
            queue.extend(self.connection.receiver.try_iter());
            let Some(message) = queue.pop_front() else {
                self.publish_due();
                match self.connection.receiver.recv_timeout(self.patience()) {
                    Ok(message) => queue.push_back(message),
                    Err(error) if error.is_timeout() => self.glance(),
                    Err(_) => break,
                }
                continue;
            };
            match message {
                Message::Request(request) => self.request(request, &queue),
                Message::Notification(note) if note.method == "exit" => break,
                Message::Notification(note) if self.phase == Phase::Open => self.note(&note.method, note.params),
                Message::Notification(_) | Message::Response(_) => {}
            }
        }
        u8::from(self.phase != Phase::Shut)
    }

    fn request(&mut self, request: Request, queue: &VecDeque<Message>) {
        let Request { id, method, params } = request;
        let refuse = |code, message: &str| Err(Refused { code, message: message.to_owned() });
        let answer = match (self.phase, method.as_str()) {
            (Phase::Before, "initialize") => {
                self.client = Client::new(&params);
                self.session = self.client.session(&self.cwd);
                self.phase = Phase::Open;
                Ok(self.client.answer())
            }
            (Phase::Before, _) => refuse(ErrorCode::ServerNotInitialized, "`initialize` comes first"),
            (Phase::Open, "initialize") => refuse(ErrorCode::InvalidRequest, "`initialize` comes once"),
            (Phase::Open, "shutdown") => {
                self.phase = Phase::Shut;
                Ok(Value::Null)
            }
            (Phase::Open, _) if is_cancelled(&id, queue) => refuse(ErrorCode::RequestCanceled, "cancelled"),
            (Phase::Open, method) => self.answer(method, params),
            (Phase::Shut, _) => refuse(ErrorCode::InvalidRequest, "`shutdown` was the last request"),
        };
        let response = match answer {
            Ok(result) => Response::new_ok(id, result),
            Err(Refused { code, message }) => Response::new_err(id, code as i32, message),
        };
        self.send(response.into());
    }

    /// How long to wait for a message before there is something else to do.
    fn patience(&self) -> Duration {
        let now = Instant::now();
        let due = self.documents.values().filter_map(|document| document.due).min();
        let glance = if self.witnessed.is_empty() { now + Duration::from_secs(3600) } else { self.glanced + GLANCE };
        due.map_or(glance, |due| due.min(glance)).saturating_duration_since(now)
    }

    /// Looks for the findings of buffers that rest, the newest text of each.
    fn publish_due(&mut self) {
        let now = Instant::now();
        let due: Vec<String> =
            self.documents.iter().filter(|(_, document)| document.due.is_some_and(|due| due <= now)).map(|(key, _)| key.clone()).collect();
        for key in &due {
            if let Some(document) = self.documents.get_mut(key) {
                document.due = None;
            }
            if let Some((uri, version, found)) = self.findings(key)
                && !self.client.only_pulls
            {
                self.publish(&uri, version, found);
            }
        }
        if !due.is_empty() {
            self.witnessed = self.witnesses();
            self.glanced = now;
            self.day = clock::today(None).ok();
        }
    }

    fn witnesses(&self) -> Vec<(PathBuf, Option<SystemTime>)> {
        let mut files: Vec<PathBuf> = self.documents.values().flat_map(|document| document.witnesses(&self.session)).collect();
        files.sort();
        files.dedup();
        let written = |path: &PathBuf| std::fs::metadata(path).and_then(|meta| meta.modified()).ok();
        files.into_iter().map(|path| (path.clone(), written(&path))).collect()
    }

    /// A commit, a setting, an `accept` in a terminal, midnight: no message tells of them.
    fn glance(&mut self) {
        let now = Instant::now();
        if self.witnessed.is_empty() || now < self.glanced + GLANCE {
            return;
        }
        self.glanced = now;
        if self.witnesses() != self.witnessed || clock::today(None).ok() != self.day {
            self.renew();
        }
    }

    /// Forgets what was read of the world: what decides beside the buffers may have changed.
    pub(super) fn renew(&mut self) {
        self.session = self.client.session(&self.cwd);
        self.documents.values_mut().for_each(Document::forget);
        if self.client.can_refresh_lenses {
            self.ask("workspace/codeLens/refresh", Value::Null);
        }
        if self.client.only_pulls {
            self.ask("workspace/diagnostic/refresh", Value::Null);
        }
    }

    /// Asks the editor to tell of files that change.
    pub(super) fn watch(&mut self) {
        if self.client.can_watch {
            self.ask("client/registerCapability", watchers());
        }
    }

    /// Sends findings of one buffer; none take those away that it had.
    pub(super) fn publish(&mut self, uri: &Uri, version: Option<i32>, diagnostics: Vec<Diagnostic>) {
        self.notify("textDocument/publishDiagnostics", json!(PublishDiagnosticsParams { uri: uri.clone(), diagnostics, version }));
    }

    /// Shows a sentence to the person.
    pub(super) fn show(&mut self, typ: MessageType, message: &str) {
        self.notify("window/showMessage", json!(ShowMessageParams { typ, message: message.to_owned() }));
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(Notification::new(method.to_owned(), params).into());
    }

    fn ask(&mut self, method: &str, params: Value) {
        self.requests += 1;
        self.send(Request { id: RequestId::from(self.requests), method: method.to_owned(), params }.into());
    }

    fn send(&mut self, message: Message) {
        self.is_alone |= self.connection.sender.send(message).is_err();
    }
}

/// True where the editor has taken the request back while it waited.
fn is_cancelled(id: &RequestId, queue: &VecDeque<Message>) -> bool {
    let wanted = serde_json::to_value(id).unwrap_or_default();
    queue.iter().any(|message| {
        matches!(message, Message::Notification(note) if note.method == "$/cancelRequest" && note.params.get("id") == Some(&wanted))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is answered to messages that all wait before the server starts.
    fn answers(messages: &[Value]) -> Vec<Value> {
        let folder = tempfile::tempdir().expect("temp");
        let (own, other) = Connection::memory();
        for message in messages {
            other.sender.send(serde_json::from_value(message.clone()).expect("a message")).expect("sent");
        }
        drop(other.sender);
        Server::new(folder.path().to_owned(), own).run();
        other.receiver.into_iter().map(|message| serde_json::to_value(message).expect("JSON")).collect()
    }

    #[test]
    fn a_request_taken_back_while_it_waits_is_not_done() {
        let ask = |id: Value| json!({ "id": id, "method": "textDocument/codeLens", "params": { "textDocument": { "uri": "x:y" } } });
        let cancel = |id: Value| json!({ "method": "$/cancelRequest", "params": { "id": id } });
        let hello = json!({ "id": 0, "method": "initialize", "params": {} });
        let got = answers(&[hello, ask(json!(1)), ask(json!("1")), ask(json!(2)), cancel(json!("1")), cancel(json!(2)), ask(json!(3))]);
        let codes: Vec<(Value, Value)> = got[1..].iter().map(|answer| (answer["id"].clone(), answer["error"]["code"].clone())).collect();
        let cancelled = json!(-32800);
        let want = [(json!(1), Value::Null), (json!("1"), cancelled.clone()), (json!(2), cancelled), (json!(3), Value::Null)];
        assert_eq!(codes, want);
    }
}
