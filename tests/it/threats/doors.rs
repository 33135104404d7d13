//! The doors that talk on stdin and stdout, with all that is said to them at once; and that an editor's session writes no file.

use crate::repository::Repository;
#[cfg(feature = "lsp")]
use crate::repository::facts;
use serde_json::{Value, json};
#[cfg(feature = "lsp")]
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

const F: &str = "AGENTS.md";

/// What `memfile NAME` answers to all of `said`.
pub(super) fn talk(repository: &Repository, folder: &Path, name: &str, said: &str) -> String {
    let mut program = repository.program("memfile", folder);
    let mut child = program.arg(name).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
    child.stdin.take().expect("a pipe").write_all(said.as_bytes()).expect("it reads");
    String::from_utf8_lossy(&child.wait_with_output().expect("it ends").stdout).into_owned()
}

/// Requests and notifications (those without a number) of JSON-RPC.
fn messages(asked: &[(u32, &str, Value)]) -> Vec<String> {
    let message = |(id, method, params): &(u32, &str, Value)| match id {
        0 => json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string(),
        id => json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string(),
    };
    asked.iter().map(message).collect()
}

/// A session of an agent that asks for the facts and their history.
pub(super) fn agent() -> String {
    let call = |name: &str, arguments: Value| json!({ "name": name, "arguments": arguments });
    let asked = [
        (1, "initialize", json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } })),
        (0, "notifications/initialized", json!({})),
        (2, "tools/call", call("memory_check", json!({}))),
        (3, "tools/call", call("memory_history", json!({ "key": "Port", "git": true, "file": F }))),
        (4, "tools/call", call("memory_why", json!({ "key": "Port", "file": F }))),
    ];
    messages(&asked).join("\n") + "\n"
}

/// A session of an editor that has `text` open as the file at `path`.
pub(super) fn editor(path: &Path, text: &str) -> String {
    let document = json!({ "uri": format!("file://{}", path.display()) });
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": text.lines().count(), "character": 0 } });
    let opened = json!({ "uri": document["uri"], "languageId": "markdown", "version": 1, "text": text });
    let asked = [
        (1, "initialize", json!({ "capabilities": { "textDocument": { "hover": { "contentFormat": ["markdown"] } } } })),
        (0, "initialized", json!({})),
        (0, "textDocument/didOpen", json!({ "textDocument": opened })),
        (2, "textDocument/hover", json!({ "textDocument": document, "position": { "line": 4, "character": 3 } })),
        (3, "textDocument/codeAction", json!({ "textDocument": document, "range": whole, "context": { "diagnostics": [] } })),
        (0, "textDocument/didSave", json!({ "textDocument": document })),
        (0, "textDocument/didClose", json!({ "textDocument": document })),
        (4, "shutdown", Value::Null),
        (0, "exit", Value::Null),
    ];
    messages(&asked).iter().map(|body| format!("Content-Length: {}\r\n\r\n{body}", body.len())).collect()
}

#[cfg(feature = "lsp")]
#[test]
fn an_editor_session_writes_nothing_behind_the_editor() {
    let repository = Repository::new("r");
    let path = repository.write(F, &facts(&["Port: 1", "Team: a"]));
    repository.commit("facts");
    let on_disk = facts(&["Port: 2", "Team: a"]);
    repository.write(F, &on_disk);
    let answer = talk(&repository, &repository.root, "lsp", &editor(&path, &facts(&["Port: 3", "Team: a"])));
    assert!(answer.contains("[historical] replaced by: 3"), "the fix is offered: {answer}");
    assert_eq!(repository.read(F), on_disk);
    let names: Vec<_> = fs::read_dir(&repository.root).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[cfg(feature = "lsp")]
#[test]
fn an_editor_is_told_nothing_that_hides() {
    let repository = Repository::new("r");
    let evil = "a\u{1b}[31m\u{202e}b\u{9b}c [x](command:y) <img src=x>";
    let path = repository.write(F, &facts(&[&format!("Port: {evil}"), &format!("Port: c{evil}")]));
    let answer = talk(&repository, &repository.root, "lsp", &editor(&path, &repository.read(F)));
    let said: Vec<Value> =
        answer.split("Content-Length: ").filter_map(|part| serde_json::from_str(part.split_once("\r\n\r\n")?.1).ok()).collect();
    let hover = said.iter().find(|message| message["id"] == 2).expect("an answer")["result"].to_string();
    assert!(hover.contains("Port") && !hover.contains("\u{202e}") && !hover.contains("\\u001b"), "{hover}");
    assert!(!hover.contains("[x](command:y)") && !hover.contains(" <img"), "no link and no element: {hover}");
}
