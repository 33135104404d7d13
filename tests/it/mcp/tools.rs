//! What the tools answer: what the command line answers, and what it writes.

use super::talk::{Room, Server, TEXT};
use serde_json::{Value, json};

#[test]
fn answers_are_those_of_the_command_line() {
    let room = Room::new(TEXT);
    let mut server = room.session();
    // A file that nobody fixed yet, and a statement.
    room.write("AGENTS.md", &TEXT.replace("- Team: core\n", "- Team: platform\n- Maya leads the team.\n"));
    let pairs: [(&str, Value, &[&str]); 12] = [
        ("memory_now", json!({}), &["now"]),
        ("memory_now", json!({ "key": "team", "file": "AGENTS.md" }), &["now", "team", "-f", "AGENTS.md"]),
        ("memory_history", json!({ "key": "Port" }), &["history", "Port"]),
        (
            "memory_history",
            json!({ "key": "Port", "clock": "recorded", "git": true }),
            &["history", "Port", "--order", "recorded", "--git"],
        ),
        ("memory_as_of", json!({ "date": "2025-06" }), &["as-of", "2025-06"]),
        (
            "memory_as_of",
            json!({ "date": "2025-06-01", "key": "Port", "clock": "recorded" }),
            &["as-of", "2025-06-01", "Port", "--clock", "recorded"],
        ),
        ("memory_search", json!({ "words": "maya port" }), &["search", "maya", "port"]),
        ("memory_why", json!({ "key": "Port" }), &["why", "Port"]),
        ("memory_present", json!({}), &["present"]),
        ("memory_present", json!({ "question": "Which port?", "limit": 1 }), &["present", "-q", "Which port?", "--limit", "1"]),
        ("memory_present", json!({ "tags": "full", "rules": true }), &["present", "--tags", "full", "--rules"]),
        ("memory_present", json!({ "max_tokens": 40, "file": null }), &["present", "--max-tokens", "40"]),
    ];
    for (tool, arguments, command) in pairs {
        let command: Vec<&str> = command.iter().chain(&["--format", "json"]).copied().collect();
        assert_eq!(server.call(tool, arguments.clone()), room.json(&command), "{tool} {arguments}");
    }
    let checked = server.call("memory_check", json!({}));
    let findings = room.json(&["check", "--output-format", "json"]);
    assert_eq!(checked["findings"], findings);
    assert_eq!(findings[0]["rule"], "overwritten");
    assert_eq!(checked["files"][0], server.call("memory_now", json!({}))["freshness"]);
    assert_eq!(checked["files"][0]["is_current"], false);
    assert!(!room.text().contains("core"), "questions write nothing");
}

fn text(server: &mut Server, tool: &str, arguments: Value) -> Vec<String> {
    let result = server.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
    let blocks = result["content"].as_array().expect("a list").iter();
    blocks.map(|block| block["text"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn texts_are_short_and_hold_no_control_characters() {
    let evil = "a\u{1b}[31mb\u{202e}c\u{9b}d";
    let room = Room::new(&format!("## Project memory\n\n- Colour: {evil}\n- Team: core\n"));
    let mut server = room.session();
    let now = text(&mut server, "memory_now", json!({ "key": "Colour" }));
    assert!(now[0].contains("a\\u{1b}[31mb\\u{202e}c\\u{9b}d"), "{now:?}");
    assert_eq!(now[1], "AGENTS.md: no error pending, compared with HEAD");
    for tool in ["memory_now", "memory_present", "memory_check"] {
        for text in text(&mut server, tool, json!({})) {
            assert!(!text.contains(|c: char| (c.is_control() && c != '\n') || c == '\u{202e}'), "{tool}: {text:?}");
        }
    }
    let wrong = server.wrong("memory_now", json!({ "key": evil }));
    assert!(wrong.contains("there is no fact") && !wrong.contains('\u{1b}'), "{wrong:?}");
    // The structured result is the document that the command line prints, character by character.
    assert_eq!(server.call("memory_now", json!({ "key": "Colour" }))["facts"][0]["value"], evil);
}

#[test]
fn facts_are_written_as_by_command() {
    let room = Room::new(TEXT);
    let by_hand = Room::new(TEXT);
    let mut server = room.session();
    let pairs: [(&str, Value, &[&str]); 7] = [
        (
            "memory_set",
            json!({ "key": "Port", "value": "7070", "source": "call 2026-06-02", "since": "2026-06-01", "reason": "moved" }),
            &["set", "Port", "7070", "--source", "call 2026-06-02", "--since", "2026-06-01", "--reason", "moved"],
        ),
        ("memory_add", json!({ "key": "Owner", "value": "Maya" }), &["add", "Owner", "Maya"]),
        ("memory_add", json!({ "key": "Host", "value": "h1", "subject": "Staging" }), &["add", "Host", "h1", "--subject", "Staging"]),
        (
            "memory_end",
            json!({ "key": "Region", "as_of": "2026-05-01", "reason": "gone" }),
            &["end", "Region", "--as-of", "2026-05-01", "--reason", "gone"],
        ),
        ("memory_reopen", json!({ "key": "Region" }), &["reopen", "Region"]),
        ("memory_correct", json!({ "key": "Team", "new": "platform" }), &["correct", "Team", "platform"]),
        ("memory_correct", json!({ "key": "Port", "value": "8080" }), &["correct", "Port", "--value", "8080"]),
    ];
    for (tool, arguments, command) in pairs {
        let told = server.call(tool, arguments.clone());
        assert_eq!(told["changed"], true, "{tool}: {told}");
        assert!(by_hand.memfile(command).status.success());
        assert_eq!(room.text(), by_hand.text(), "{tool} {arguments}");
        let key = arguments["key"].as_str().expect("a key");
        assert!(told["versions"].as_array().expect("a list").iter().all(|version| version["parameter"] == key), "{told}");
        assert!(!told["versions"].as_array().expect("a list").is_empty(), "{told}");
        assert_eq!(told["freshness"]["is_current"], true, "{told}");
    }
    let again = server.call("memory_set", json!({ "key": "Port", "value": "7070" }));
    assert_eq!(again["changed"], false, "{again}");
    assert!(again["said"].as_str().is_some_and(|said| said.contains("nothing changed")), "{again}");
    let log = room.memfile(&["log", "-f", "AGENTS.md"]);
    let log = String::from_utf8_lossy(&log.stdout).into_owned();
    let call = "mcp memory_set Port 7070 --source 'call 2026-06-02' --since 2026-06-01 --reason moved";
    assert!(log.contains(call) && log.contains("mcp memory_correct Team platform"), "{log}");
    // What an agent did, a person undoes.
    for _ in 0..7 {
        assert!(room.memfile(&["undo", "-f", "AGENTS.md"]).status.success());
    }
    assert_eq!(room.text(), TEXT);
}

#[test]
fn what_goes_wrong_is_said_so_that_an_agent_can_act() {
    let text = format!("{TEXT}\n### Staging\n\n- Host: a\n\n### Production\n\n- Host: b\n\n");
    let room = Room::new(&text);
    room.write("memfile.toml", "many = [\"Reviewer\"]\n");
    room.write("AGENTS.md", &text.replace("- Team: core\n", "- Team: core\n- Reviewer: Maya\n- Reviewer: Ben\n"));
    room.commit();
    let before = room.text();
    let mut server = room.session();
    let wrong: [(&str, Value, &str); 15] = [
        ("memory_now", json!({ "key": "Prot" }), "there is no fact `Prot`; did you mean `Port`?"),
        ("memory_history", json!({ "key": "Host" }), "`Host` is not unique; name one of: Staging/Host, Production/Host"),
        ("memory_set", json!({ "key": "Quota", "value": "1" }), "there is no fact `Quota`; a new one comes by `memory_add`"),
        ("memory_add", json!({ "key": "Port", "value": "1" }), "`memory_set` gives it a new one"),
        ("memory_set", json!({ "key": "Reviewer", "value": "Ann" }), "`memory_set` with `only` ends all others"),
        ("memory_end", json!({ "key": "Reviewer" }), "pick one with `value`"),
        ("memory_set", json!({ "key": "Port", "value": "a\nb" }), "one line"),
        ("memory_set", json!({ "key": "Port", "value": "1", "since": "yesterday" }), "`since`"),
        ("memory_as_of", json!({ "date": "soon" }), "`soon` is no date"),
        ("memory_as_of", json!({}), "`date` is missing"),
        ("memory_now", json!({ "keys": "Port" }), "memory_now has no argument `keys`; it takes: key, file"),
        ("memory_now", json!({ "file": "none.md" }), "no such file"),
        ("memory_check", json!({ "file": "none.md" }), "no such file"),
        ("memory_set", json!({ "key": "Port", "value": "AKIAIOSFODNN7EXAMPLQ" }), "looks like a secret"),
        ("memory_end", json!({ "key": "Port", "reason": "leaked ghp_x7Kq2Vd9Lm4Rt8Wz3Bn6Yp1Hc5Jf0Gs2Qa7E" }), "looks like a secret"),
    ];
    for (tool, arguments, sentence) in wrong {
        let said = server.wrong(tool, arguments.clone());
        assert!(said.contains(sentence), "{tool} {arguments}: {said}");
        assert!(!said.contains("AKIA") && !said.contains("ghp_"), "{said}");
    }
    assert_eq!(room.text(), before);
    room.write("CLAUDE.md", "## Project memory\n\n- Lint: strict\n");
    let said = server.wrong("memory_now", json!({}));
    assert_eq!(said, "several memory files have managed text; name one with `file`: AGENTS.md, CLAUDE.md");
    assert_eq!(server.call("memory_now", json!({ "file": "CLAUDE.md" }))["facts"][0]["value"], "strict");
}

#[test]
fn secrets_of_the_file_are_not_told() {
    let secret = "AKIAIOSFODNN7EXAMPLQ";
    let room = Room::new(&format!("## Project memory\n\n- Access: {secret}\n- Team: core\n"));
    let mut server = room.session();
    let calls = [
        ("memory_now", json!({})),
        ("memory_history", json!({ "key": "Access" })),
        ("memory_search", json!({ "words": "access" })),
        ("memory_present", json!({})),
        ("memory_check", json!({})),
    ];
    for (tool, arguments) in calls {
        let told = server.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert_ne!(told["isError"], true);
        assert!(!told.to_string().contains(secret), "{tool}: {told}");
    }
    let read = server.ask("resources/read", json!({ "uri": room.uri("AGENTS.md") }));
    assert_eq!(read["contents"][0]["text"], "## Project memory\n\n- Access: [redacted]\n- Team: core\n");
    let prompt = server.ask("prompts/get", json!({ "name": "present" }));
    assert!(prompt.to_string().contains("core") && !prompt.to_string().contains(secret), "{prompt}");
}

#[test]
fn what_an_agent_wrote_is_forgotten_by_a_person() {
    let room = Room::new(TEXT);
    let mut server = room.session();
    server.call("memory_set", json!({ "key": "Team", "value": "falcon-9-crew", "reason": "falcon-9-crew took over" }));
    assert!(String::from_utf8_lossy(&room.memfile(&["log"]).stdout).contains("falcon"));
    assert!(room.memfile(&["forget", "Team", "--value", "falcon-9-crew", "--yes"]).status.success());
    let log = room.memfile(&["log"]);
    let log = String::from_utf8_lossy(&log.stdout);
    assert!(log.contains("mcp memory_set Team") && !log.contains("falcon"), "{log}");
    assert!(!server.call("memory_history", json!({ "key": "Team" })).to_string().contains("falcon"));
}
