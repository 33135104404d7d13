//! Memory files as resources, that they changed, and that nothing outside the opened folder is reached.

use super::talk::{Room, Server, TEXT};
use serde_json::{Value, json};
use std::fs;

const UPDATED: &str = "notifications/resources/updated";
const LISTED: &str = "notifications/resources/list_changed";

fn listed(server: &mut Server) -> Vec<String> {
    let listed = server.ask("resources/list", json!({}));
    let names = listed["resources"].as_array().expect("a list").iter().map(|resource| resource["name"].as_str().expect("a name"));
    names.map(str::to_owned).collect()
}

fn notice(server: &mut Server, method: &str) -> Value {
    server.wait(method, |message| message["method"] == method)
}

#[test]
fn memory_files_are_resources() {
    let room = Room::new(TEXT);
    fs::create_dir(room.repo().join("a b")).expect("a folder");
    room.write("a b/CLAUDE.md", "## Project memory\n\n- Ort: Köln\n");
    room.write("README.md", "# Other\n");
    let mut server = room.session();
    assert_eq!(listed(&mut server), ["AGENTS.md", "a b/CLAUDE.md"]);
    let resources = server.ask("resources/list", json!({}));
    let second = &resources["resources"][1];
    assert_eq!(second["uri"], room.uri("a b/CLAUDE.md").replace(' ', "%20"));
    assert_eq!(second["mimeType"], "text/markdown");
    let read = server.ask("resources/read", json!({ "uri": second["uri"] }));
    assert_eq!(read["contents"][0]["text"], "## Project memory\n\n- Ort: Köln\n");
    assert_eq!(read["contents"][0]["uri"], second["uri"]);
    for other in ["README.md", "none.md", "../gitconfig", ".git/config"] {
        assert_eq!(server.refused("resources/read", json!({ "uri": room.uri(other) })), -32002, "{other}");
        assert_eq!(server.refused("resources/subscribe", json!({ "uri": room.uri(other) })), -32002, "{other}");
    }
    assert_eq!(server.ask("resources/templates/list", json!({}))["resourceTemplates"], json!([]));
}

#[test]
fn changes_are_told_to_those_who_subscribed() {
    let room = Room::new(TEXT);
    room.write("CLAUDE.md", "## Project memory\n\n- Lint: strict\n");
    let mut server = room.session();
    assert_eq!(listed(&mut server).len(), 2);
    server.ask("resources/subscribe", json!({ "uri": room.uri("AGENTS.md") }));
    // In place, by renaming over it, by a tool, gone and back.
    room.write("AGENTS.md", &TEXT.replace("core", "platform"));
    assert_eq!(notice(&mut server, UPDATED)["params"]["uri"], room.uri("AGENTS.md"));
    room.write("new", &TEXT.replace("core", "data"));
    fs::rename(room.repo().join("new"), room.repo().join("AGENTS.md")).expect("renamed");
    assert_eq!(notice(&mut server, UPDATED)["params"]["uri"], room.uri("AGENTS.md"));
    server.call("memory_set", json!({ "key": "Port", "value": "1", "file": "AGENTS.md" }));
    assert_eq!(notice(&mut server, UPDATED)["params"]["uri"], room.uri("AGENTS.md"));
    fs::remove_file(room.repo().join("AGENTS.md")).expect("removed");
    notice(&mut server, LISTED);
    notice(&mut server, UPDATED);
    assert_eq!(listed(&mut server), ["CLAUDE.md"]);
    room.write("AGENTS.md", TEXT);
    notice(&mut server, LISTED);
    notice(&mut server, UPDATED);
    assert_eq!(listed(&mut server).len(), 2);
    // Nobody subscribed to the other file, and then to none.
    room.write("CLAUDE.md", "## Project memory\n\n- Lint: lax\n");
    server.ask("resources/unsubscribe", json!({ "uri": room.uri("AGENTS.md") }));
    // A write in place can be seen half done, and is told of twice then.
    server.drop_others();
    room.write("AGENTS.md", "");
    room.write("GEMINI.md", TEXT);
    notice(&mut server, LISTED);
    let (came, _) = server.close();
    assert!(came.iter().all(|message| message["method"] != UPDATED), "{came:?}");
}

#[test]
fn nothing_outside_the_opened_folder_is_reached() {
    let room = Room::new("");
    let outside = room.outside().join("CLAUDE.md");
    let secret = "## Project memory\n\n- Hidden: treasure\n";
    fs::write(&outside, secret).expect("written");
    let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, room.repo().join(name)).expect("linked");
    link("../CLAUDE.md", "CLAUDE.md");
    link("..", "up");
    link("../none.md", "GEMINI.md");
    room.write("MEMORY.md", TEXT);
    room.write("TARGET.md", "## Project memory\n\n- Inside: yes\n");
    link("TARGET.md", "linked.md");
    // An archive beside the file is read with it; one that leads out is not.
    link("../CLAUDE.md", "MEMORY.history.md");
    let mut server = room.session();
    let whole = outside.display().to_string();
    let paths =
        ["../CLAUDE.md", "CLAUDE.md", "up/CLAUDE.md", "./up/CLAUDE.md", "GEMINI.md", &whole, "/etc/passwd", "none/../../CLAUDE.md", ".."];
    for path in paths {
        for (tool, mut arguments) in [
            ("memory_now", json!({})),
            ("memory_present", json!({})),
            ("memory_set", json!({ "key": "Hidden", "value": "1" })),
            ("memory_end", json!({ "key": "Hidden" })),
            ("memory_check", json!({})),
        ] {
            arguments["file"] = json!(path);
            let said = server.wrong(tool, arguments);
            assert!(said.contains("outside") && !said.contains("treasure"), "{tool} {path}: {said}");
        }
        assert_eq!(server.refused("resources/read", json!({ "uri": room.uri(path) })), -32002, "{path}");
    }
    assert_eq!(fs::read_to_string(&outside).expect("there"), secret);
    // What leads out is no default, either, and is not listed; what leads to a file inside is as good as that.
    assert_eq!(server.call("memory_now", json!({ "key": "Port" }))["facts"][0]["value"], "9090");
    assert!(server.wrong("memory_now", json!({ "key": "Hidden" })).contains("there is no fact"));
    assert!(!server.call("memory_search", json!({ "words": "treasure hidden" })).to_string().contains("treasure"));
    let names = listed(&mut server);
    assert!(!names.contains(&"CLAUDE.md".to_owned()) && names.contains(&"MEMORY.md".to_owned()), "{names:?}");
    assert_eq!(server.call("memory_now", json!({ "file": "linked.md" }))["facts"][0]["value"], "yes");
    let inside = room.repo().join("TARGET.md").display().to_string();
    assert_eq!(server.call("memory_now", json!({ "file": inside }))["facts"][0]["value"], "yes");
}

#[test]
fn another_folder_can_be_opened() {
    let room = Room::new("");
    fs::create_dir(room.repo().join("sub")).expect("a folder");
    room.write("sub/AGENTS.md", TEXT);
    let mut server = room.server(&["--root", "sub"]);
    server.hello("2025-11-25");
    assert_eq!(server.call("memory_now", json!({ "key": "Port" }))["facts"][0]["file"], "AGENTS.md");
    assert!(server.wrong("memory_now", json!({ "file": "../AGENTS.md" })).contains("outside"));
    let done = room.memfile(&["mcp", "--root", "none"]);
    assert_eq!(done.status.code(), Some(2));
    assert!(done.stdout.is_empty() && String::from_utf8_lossy(&done.stderr).contains("none"), "{done:?}");
}
