//! How a conversation begins and ends, what is no message, what documents are called, and what is no memory file.

use super::client::{Editor, Room};
use serde_json::{Value, json};

const FACTS: &str = "## Project memory\n\n- Port: 1 (2026-01-01)\n- Port: 2 (2026-02-01)\n";

fn code(answer: &Value) -> Option<i64> {
    answer["error"]["code"].as_i64()
}

#[test]
fn an_end_with_a_goodbye_is_none_of_failure() {
    let room = Room::new();
    let said = |messages: &[Value], close: bool| {
        let mut editor = Editor::start(&room, true);
        messages.iter().for_each(|message| editor.send(message));
        if !close {
            // The process ends although its input stays open.
            return editor.wait_for_end();
        }
        editor.end().code()
    };
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": Editor::hello(&room, true) });
    let shutdown = json!({ "jsonrpc": "2.0", "id": 2, "method": "shutdown" });
    let exit = json!({ "jsonrpc": "2.0", "method": "exit" });
    assert_eq!(said(&[hello.clone(), shutdown.clone(), exit.clone()], false), Some(0));
    assert_eq!(said(&[hello.clone(), exit.clone()], false), Some(1));
    assert_eq!(said(&[exit], false), Some(1));
    assert_eq!(said(&[hello.clone(), shutdown], true), Some(0));
    assert_eq!(said(&[hello], true), Some(1));
    assert_eq!(said(&[], true), Some(1));
}

#[test]
fn what_comes_at_the_wrong_time_is_refused() {
    let room = Room::new();
    let mut editor = Editor::start(&room, true);
    editor.notify("textDocument/didOpen", json!({}));
    assert_eq!(editor.request("textDocument/hover", json!({})).expect_err("too early")["code"], -32002);
    editor.request("initialize", Editor::hello(&room, true)).expect("an answer");
    assert_eq!(editor.request("initialize", json!({})).expect_err("twice")["code"], -32600);
    editor.notify("initialized", json!({}));
    editor.wait("the wish to watch", |editor| editor.asked.contains(&"client/registerCapability".to_owned()));
    assert_eq!(editor.request("memfile/nothing", json!({})).expect_err("unknown")["code"], -32601);
    assert_eq!(editor.request("textDocument/hover", json!({ "position": 7 })).expect_err("odd")["code"], -32602);
    assert_eq!(editor.request("workspace/executeCommand", json!({ "command": "rm" })).expect_err("unknown")["code"], -32803);
    editor.notify("memfile/nothing", json!({}));
    editor.notify("textDocument/didChange", json!([1]));
    assert_eq!(editor.request("shutdown", Value::Null), Ok(Value::Null));
    assert_eq!(editor.request("textDocument/hover", json!({})).expect_err("too late")["code"], -32600);
}

#[test]
fn what_is_no_message_is_answered_and_the_next_one_is_read() {
    let room = Room::new();
    let mut editor = Editor::open(&room, false);
    editor.send_raw(b"Content-Length: 4\r\n\r\n{\xff{}");
    assert_eq!(code(&editor.answer(&Value::Null)), Some(-32700));
    editor.send_raw(b"some noise\r\n\r\nContent-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n[]");
    assert_eq!(code(&editor.answer(&Value::Null)), Some(-32600));
    editor.send(&json!({ "jsonrpc": "2.0", "id": 1.5, "method": "textDocument/hover" }));
    assert_eq!(code(&editor.answer(&json!(1.5))), Some(-32600));
    editor.send(
        &json!({ "jsonrpc": "2.0", "id": "a", "method": "textDocument/documentSymbol", "params": { "textDocument": { "uri": "x" } } }),
    );
    assert_eq!(editor.answer(&json!("a"))["result"], Value::Null);
    editor.shut();
}

#[test]
fn documents_have_many_names() {
    let room = Room::new();
    room.write("a b/Память [1]/AGENTS.md", "## Project memory\n\n- Port: 1\n");
    room.commit();
    let mut editor = Editor::open(&room, false);
    let good = room.uri("a b/Память [1]/AGENTS.md");
    let raw = format!("file://{}/a b/Память [1]/AGENTS.md", room.tree().display());
    let changed = "## Project memory\n\n- Port: 2\n";
    editor.did_open(&good, changed);
    // The baseline is found: the path was read.
    assert_eq!(editor.findings(&good)[0]["code"], "overwritten");
    // The same document, named as some editors do; it is answered under the name that it was opened by.
    let found = editor.request("textDocument/diagnostic", json!({ "textDocument": { "uri": raw } })).expect("a report");
    assert_eq!(found["items"][0]["code"], "overwritten");
    for uri in ["untitled:Untitled-1", "file:///c%3A/Users/x/AGENTS.md", "file://server/share/AGENTS.md", "vscode-vfs://github/x/AGENTS.md"]
    {
        editor.did_open(uri, FACTS);
        let found = editor.findings(uri);
        assert_eq!(found.len(), 1, "{uri}");
        assert_eq!(found[0]["code"], "untagged-historical");
    }
    editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": good } }));
    editor.wait("the end of its findings", |editor| editor.published.get(&good).is_some_and(|(_, found)| found == &json!([])));
    editor.shut();
}

#[test]
fn other_files_are_left_alone() {
    let room = Room::new();
    room.write("memfile.toml", "managed-files = [\"notes/*.txt\"]\n");
    room.write("notes/a.txt", "x\n");
    room.commit();
    let mut editor = Editor::open(&room, true);
    let list = "- Port: 1 (2026-01-01)\n- Port: 2 (2026-02-01)\n";
    let found = |editor: &mut Editor, name: &str, text: &str| {
        let uri = room.uri(name);
        editor.did_open(&uri, text);
        editor.findings(&uri).len()
    };
    assert_eq!(found(&mut editor, "README.md", list), 0);
    assert_eq!(found(&mut editor, "docs/memory.md", FACTS), 1);
    assert_eq!(found(&mut editor, "notes/a.txt", list), 1);
    let uri = room.uri("README.md");
    for method in ["hover", "definition", "prepareRename"] {
        let at = json!({ "textDocument": { "uri": uri }, "position": { "line": 0, "character": 3 } });
        assert_eq!(editor.request(&format!("textDocument/{method}"), at).expect("an answer"), Value::Null);
    }
    assert_eq!(editor.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } })), Ok(Value::Null));
    // A file that no editor would take for Markdown, whatever stands in it.
    let document = json!({ "uri": "file:///x/main.rs", "languageId": "rust", "version": 1, "text": FACTS });
    editor.notify("textDocument/didOpen", json!({ "textDocument": document }));
    editor.wait("no findings", |editor| editor.published.get("file:///x/main.rs") == Some(&(Some(1), json!([]))));
    editor.shut();
}

#[test]
fn what_changes_outside_is_noticed() {
    let room = Room::new();
    room.write("AGENTS.md", "## Project memory\n\n- Port: 1\n");
    room.commit();
    let mut editor = Editor::open(&room, true);
    let uri = room.uri("AGENTS.md");
    let text = "## Project memory\n\n- Port: 2\n";
    editor.did_open(&uri, text);
    assert_eq!(editor.findings(&uri).len(), 1);
    // The change was meant: it is committed, and the baseline is another one. No message tells of it.
    room.write("AGENTS.md", text);
    room.commit();
    editor.wait("a clean file", |editor| editor.published[&uri].1 == json!([]));
    // A setting that is wrong is told where findings are looked for; one that is right again is taken.
    room.write("memfile.toml", "many = 7\n");
    editor.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    let is_told = |found: &Value| found[0]["message"].as_str().is_some_and(|said| said.contains("memfile.toml"));
    editor.wait("a wrong setting", |editor| is_told(&editor.published[&uri].1));
    room.write("memfile.toml", "many = [\"Port\"]\n");
    editor.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    editor.wait("a right setting", |editor| editor.published[&uri].1 == json!([]));
    editor.shut();
}

#[test]
fn changes_outside_the_text_are_pulled_in() {
    let room = Room::new();
    let mut editor = Editor::open(&room, false);
    let uri = "untitled:AGENTS.md";
    editor.did_open(uri, "## Project memory\r\n\r\n- Port: 1 😀 (2026-01-01)\r\n");
    let max = 4_294_967_295_u32;
    let end = json!({ "line": max, "character": max });
    let changes = json!([
        { "range": { "start": end, "end": end }, "text": "- Port: 3 (2026-02-01)\r\n" },
        // Behind the emoji's first half, and in a line that is too short.
        { "range": { "start": { "line": 2, "character": 11 }, "end": { "line": 2, "character": 12 } }, "text": "" },
        { "range": { "start": { "line": 0, "character": 99 }, "end": { "line": 0, "character": 17 } }, "text": "" },
    ]);
    editor.buffers.get_mut(uri).expect("open").version = 2;
    editor.notify("textDocument/didChange", json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": changes }));
    let found = editor.findings(uri);
    assert_eq!(found.len(), 1);
    assert_eq!((&found[0]["code"], &found[0]["range"]["start"]["line"]), (&json!("untagged-historical"), &json!(2)));
    editor.shut();
}

#[test]
fn the_journal_hears_of_a_rename_when_it_is_made() {
    let room = Room::new();
    room.write(
        "AGENTS.md",
        "## Project memory\n\n- Port: 1 (2026-01-01) [historical] replaced by: 2 as of 2026-02-01\n- Port: 2 (2026-02-01)\n",
    );
    room.commit();
    let mut editor = Editor::open(&room, true);
    let uri = room.uri("AGENTS.md");
    let text = std::fs::read_to_string(room.tree().join("AGENTS.md")).expect("UTF-8");
    editor.did_open(&uri, &text);
    let at = json!({ "textDocument": { "uri": uri }, "position": { "line": 3, "character": 8 }, "newName": "two" });
    let overwritten = |now: &str| {
        room.write("AGENTS.md", now);
        let found = room.memfile(&["check", "AGENTS.md", "--output-format", "concise"]);
        found.lines().filter(|line| line.contains(" error overwritten ")).count()
    };
    let renamed = text.replace("by: 2 as", "by: two as").replace("Port: 2", "Port: two");
    // Asked for and thrown away: whoever writes the same words overwrites the value.
    editor.request("textDocument/rename", at.clone()).expect("edits");
    assert_eq!(overwritten(&renamed), 1);
    let edit = editor.request("textDocument/rename", at).expect("edits");
    editor.apply(&edit);
    assert_eq!(editor.findings(&uri), Vec::<Value>::new());
    assert_eq!(editor.buffers[&uri].text, renamed);
    editor.shut();
    // What another program finds in the saved file is the same.
    assert_eq!(overwritten(&renamed), 0);
}
