//! `memfile mcp`, a real process spoken to in raw JSON-RPC: the protocol here, what the tools do in `tools`, files and notices in `files`.

mod files;
mod talk;
mod tools;

use serde_json::{Value, json};
use talk::{Room, TEXT, compare};

#[test]
fn revisions_are_negotiated() {
    let room = Room::new(TEXT);
    for (asked, told) in [("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"), ("1999-01-01", "2025-11-25")] {
        let mut server = room.server(&[]);
        let hello = server.hello(asked);
        assert_eq!(hello["protocolVersion"], told);
        assert_eq!(hello["serverInfo"]["name"], "memfile");
        let capabilities = json!({ "prompts": {}, "resources": { "subscribe": true, "listChanged": true }, "tools": {} });
        assert_eq!(hello["capabilities"], capabilities);
        assert_eq!(server.ask("ping", json!({})), json!({}));
        assert_eq!(server.call("memory_now", json!({ "key": "Port" }))["facts"][0]["value"], "9090");
    }
}

#[test]
fn the_revision_without_a_handshake_is_spoken() {
    let room = Room::new(TEXT);
    let mut server = room.server(&[]);
    let own = "io.modelcontextprotocol";
    let meta = json!({ format!("{own}/protocolVersion"): "2026-07-28", format!("{own}/clientCapabilities"): {} });
    let found = server.ask("server/discover", json!({ "_meta": meta }));
    let known = found["supportedVersions"].as_array().expect("a list");
    assert!(known.contains(&json!("2026-07-28")) && known.contains(&json!("2025-11-25")), "{known:?}");
    let params = json!({ "_meta": meta, "name": "memory_now", "arguments": { "key": "Port" } });
    let now = server.ask("tools/call", params);
    assert_eq!(now["structuredContent"]["facts"][0]["value"], "9090");
    assert_eq!(now["resultType"], "complete");
    // An open subscription does not hold up the end.
    let filter = json!({ "resourcesListChanged": true, "resourceSubscriptions": [room.uri("AGENTS.md")] });
    let listening = server.begin("subscriptions/listen", json!({ "_meta": meta, "notifications": filter }));
    server.wait("the acknowledgment", |message| message["method"] == "notifications/subscriptions/acknowledged");
    let (came, status) = server.close();
    assert!(status.success(), "{status:?}");
    assert!(came.iter().any(|message| message["id"] == listening && message.get("result").is_some()), "{came:?}");
}

#[test]
fn the_tools_are_declared() {
    let room = Room::new(TEXT);
    let mut server = room.session();
    let declared = server.ask("tools/list", json!({}));
    compare("tools.json", &format!("{}\n", serde_json::to_string_pretty(&declared).expect("JSON")));
    let tools = declared["tools"].as_array().expect("a list");
    for name in ["forget", "drop", "accept", "undo", "fix"] {
        assert!(tools.iter().all(|tool| tool["name"] != format!("memory_{name}")), "an agent must not {name}");
    }
    let mut server = room.server(&["--read-only"]);
    server.hello("2025-11-25");
    let left = server.ask("tools/list", json!({}));
    let left: Vec<&Value> = left["tools"].as_array().expect("a list").iter().collect();
    assert!(left.iter().all(|tool| tool["annotations"]["readOnlyHint"] == true) && left.len() == 7, "{left:?}");
    assert_eq!(server.refused("tools/call", json!({ "name": "memory_set", "arguments": { "key": "Port", "value": "1" } })), -32602);
    assert_eq!(room.text(), TEXT);
}

#[test]
fn the_prompt_is_the_block_with_its_rules() {
    let room = Room::new(TEXT);
    let mut server = room.session();
    let listed = server.ask("prompts/list", json!({}));
    assert_eq!(listed["prompts"][0]["name"], "present");
    assert_eq!(listed["prompts"][0]["arguments"][0]["name"], "question");
    let told = server.ask("prompts/get", json!({ "name": "present", "arguments": { "question": "Which port?" } }));
    let block = told["messages"][0]["content"]["text"].as_str().expect("a text");
    let printed = room.memfile(&["present", "--rules", "-q", "Which port?"]);
    assert_eq!(block, String::from_utf8_lossy(&printed.stdout));
    assert_eq!(told["messages"][1]["content"]["text"], "Which port?");
    assert_eq!(server.refused("prompts/get", json!({ "name": "other" })), -32602);
}

#[test]
fn what_is_no_message_is_survived() {
    let room = Room::new(TEXT);
    let mut server = room.server(&[]);
    let huge = format!("{{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":{{\"x\":\"{}\"}}}}", "x".repeat(17 << 20));
    let noise: [&[u8]; 12] = [
        b"garbage",
        b"",
        b"\xff\xfe\x00",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"",
        b"[]",
        b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]",
        b"42",
        b"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
        b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":9}}",
        b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{}}",
        huge.as_bytes(),
    ];
    noise.iter().for_each(|line| server.raw(line));
    assert_eq!(server.ask("ping", json!({})), json!({}), "a ping is answered before the handshake");
    assert!(server.refused("tools/list", json!({})) < 0, "nothing else is");
    server.hello("2025-06-18");
    noise.iter().for_each(|line| server.raw(line));
    assert_eq!(server.refused("no/such", json!({})), -32601);
    assert_eq!(server.refused("tools/call", json!({ "name": "memory_forget", "arguments": { "key": "Port" } })), -32602);
    assert!(server.refused("tools/call", json!({ "arguments": 1 })) < 0);
    assert_eq!(server.call("memory_now", json!({ "key": "Port" }))["facts"][0]["value"], "9090");
    let (_, status) = server.close();
    assert!(status.success(), "{status:?}");
    assert_eq!(room.text(), TEXT);
}

#[test]
fn the_end_of_stdin_is_the_end_and_what_was_asked_is_answered() {
    let room = Room::new(TEXT);
    assert!(room.server(&[]).close().1.success(), "before a word");
    let mut server = room.session();
    let ids: Vec<i64> = (0..20)
        .map(|number| {
            let arguments = json!({ "key": format!("Key {number}"), "value": number.to_string() });
            server.begin("tools/call", json!({ "name": "memory_add", "arguments": arguments }))
        })
        .collect();
    let (came, status) = server.close();
    assert!(status.success(), "{status:?}");
    for id in ids {
        assert!(came.iter().any(|message| message["id"] == id && message.get("result").is_some()), "{id} has no answer");
    }
    let keys: Vec<String> = (0..20).map(|number| format!("- Key {number}: {number}\n")).collect();
    assert!(room.text().ends_with(&keys.concat()), "in the order in which they were asked: {}", room.text());
}

#[test]
fn a_signal_ends_it() {
    let room = Room::new(TEXT);
    for begun in [false, true] {
        let mut server = room.server(&[]);
        if begun {
            server.hello("2025-11-25");
        } else {
            server.ask("ping", json!({}));
        }
        rustix::process::kill_process(server.pid(), rustix::process::Signal::TERM).expect("it runs");
        let (_, status) = server.ended();
        assert!(status.success(), "{status:?}");
    }
}

#[test]
fn a_ping_does_not_wait_for_a_lock_and_the_file_is_planned_anew_behind_it() {
    let room = Room::new(TEXT);
    let mut server = room.session();
    server.call("memory_set", json!({ "key": "Team", "value": "platform" }));
    let lock = room.lock();
    lock.lock().expect("locked");
    let write = server.begin("tools/call", json!({ "name": "memory_set", "arguments": { "key": "Port", "value": "7070" } }));
    let read = server.begin("tools/call", json!({ "name": "memory_now", "arguments": { "key": "Port" } }));
    assert_eq!(server.ask("ping", json!({})), json!({}));
    // Meanwhile someone else writes the file.
    room.replace("AGENTS.md", &room.text().replace("- Region: eu\n", "- Region: us\n- Owner: Maya\n"));
    lock.unlock().expect("unlocked");
    let set = server.answer(write);
    assert_eq!(set["result"]["structuredContent"]["changed"], true, "{set}");
    let now = server.answer(read);
    assert_eq!(now["result"]["structuredContent"]["facts"][0]["value"], "7070", "a question sees what was written before it");
    let text = room.text();
    assert!(text.contains("- Region: us\n- Owner: Maya\n") && text.contains("- Port: 7070\n"), "{text}");
}

#[test]
fn a_request_that_was_taken_back_is_not_begun() {
    let room = Room::new(TEXT);
    let mut server = room.session();
    server.call("memory_set", json!({ "key": "Team", "value": "platform" }));
    let lock = room.lock();
    lock.lock().expect("locked");
    let first = server.begin("tools/call", json!({ "name": "memory_add", "arguments": { "key": "First", "value": "1" } }));
    let second = server.begin("tools/call", json!({ "name": "memory_add", "arguments": { "key": "Second", "value": "2" } }));
    server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": second } }));
    server.ask("ping", json!({}));
    lock.unlock().expect("unlocked");
    server.answer(first);
    server.call("memory_now", json!({}));
    assert!(room.text().contains("- First: 1\n") && !room.text().contains("Second"), "{}", room.text());
}

#[test]
fn several_servers_and_the_command_line_write_one_file() {
    let room = Room::new("## Project memory\n\n- Team: core\n");
    let names = ["a", "b", "c"];
    std::thread::scope(|scope| {
        for name in names {
            let room = &room;
            scope.spawn(move || {
                let mut server = room.session();
                for number in 0..5 {
                    server.call("memory_add", json!({ "key": format!("Key {name}{number}"), "value": "1" }));
                }
            });
        }
        for number in 0..5 {
            let done = room.memfile(&["add", &format!("Key z{number}"), "1"]);
            assert!(done.status.success(), "{done:?}");
        }
    });
    let text = room.text();
    for name in names.iter().chain(&["z"]) {
        for number in 0..5 {
            assert_eq!(text.matches(&format!("- Key {name}{number}: 1\n")).count(), 1, "{text}");
        }
    }
    assert!(room.memfile(&["check", "AGENTS.md"]).status.success());
}
