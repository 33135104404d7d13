//! Conversations `testdata/lsp/*.txt`.
//!
//! `== NAME` begins a file that is committed, `== NAME open` the buffer that the editor then has of it (the same text where it is left
//! out); in a buffer `§1` to `§9` are taken out and name places. `== talk` begins the conversation: a line `$ WORDS` says or asks
//! something, below it stands what comes back. Each file is played in both encodings, places are shown as people count them. At the
//! end no file has other bytes than before, but for what `$ save` wrote. `MEMFILE_UPDATE=1` writes what came back.

use super::client::{Editor, Room, offset, place};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

struct Play<'r> {
    room: &'r Room,
    editor: Editor,
    uri: String,
    /// The buffer when it was opened, and the places in it.
    marks: HashMap<char, usize>,
    actions: Vec<Value>,
    out: String,
}

#[test]
fn conversations_go_as_written() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/lsp");
    let mut failed = Vec::new();
    let mut paths: Vec<_> = fs::read_dir(&root).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    assert!(paths.len() > 5);
    for path in paths {
        let mut wanted = fs::read_to_string(&path).expect("UTF-8");
        for utf8 in [true, false] {
            let got = play(&wanted, utf8);
            if got != wanted && std::env::var_os("MEMFILE_UPDATE").is_some() && utf8 {
                fs::write(&path, &got).expect("written");
                wanted = got;
            } else if got != wanted {
                failed.push(format!("{} (utf8: {utf8}):\n{got}", path.display()));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Plays one conversation; gives the file as it should be.
fn play(script: &str, utf8: bool) -> String {
    let (head, talk) = script.split_once("== talk\n").expect("a talk");
    let room = Room::new();
    let mut open: Option<(String, String)> = None;
    for part in head.split("== ").skip(1) {
        let (name, text) = part.split_once('\n').expect("a name");
        let text = text.replace("⏎CR\n", "\r\n");
        match name.strip_suffix(" open") {
            Some(name) => open = Some((name.to_owned(), text)),
            None => {
                room.write(name, &text);
                open = open.or(Some((name.to_owned(), text)));
            }
        }
    }
    room.commit();
    let (name, text) = open.expect("a buffer");
    let (text, marks) = unmarked(&text);
    let mut before = room.files();
    let uri = room.uri(&name);
    let mut editor = Editor::open(&room, utf8);
    editor.did_open(&uri, &text);
    let mut play = Play { room: &room, editor, uri, marks, actions: Vec::new(), out: format!("{head}== talk\n") };
    for line in talk.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let _ = writeln!(play.out, "$ {line}");
        play.say(line);
        play.out.push('\n');
        if line == "save" {
            before = room.files();
        }
    }
    let Play { editor, out, .. } = play;
    editor.shut();
    assert_eq!(room.files(), before, "a file has other bytes");
    out
}

fn unmarked(text: &str) -> (String, HashMap<char, usize>) {
    let mut parts = text.split('§');
    let mut out = parts.next().unwrap_or("").to_owned();
    let mut marks = HashMap::new();
    for part in parts {
        let mark = part.chars().next().expect("a mark has a number");
        assert!(marks.insert(mark, out.len()).is_none(), "two marks {mark}");
        out.push_str(&part[mark.len_utf8()..]);
    }
    (out, marks)
}

impl Play<'_> {
    fn say(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let mark = rest.chars().next().and_then(|mark| self.marks.get(&mark)).copied().unwrap_or(0);
        let rest = rest.get(1..).unwrap_or("").trim_start();
        match word {
            "findings" => self.findings(),
            "hover" => {
                let hover = self.ask("hover", mark, &[]);
                let text = hover["contents"]["value"].as_str().unwrap_or("nothing").trim_end().to_owned();
                self.line(&text);
            }
            "lenses" => {
                for lens in self.whole("codeLens").as_array().cloned().unwrap_or_default() {
                    let at = self.shown(&lens["range"]);
                    self.line(&format!("{at} {}", text(&lens["command"]["title"])));
                }
            }
            "click" => {
                let lens = self.whole("codeLens")[0]["command"].clone();
                self.execute(&lens);
            }
            "symbols" => {
                let tree = self.whole("documentSymbol");
                self.symbols(&tree, 0);
            }
            "definition" => {
                let there = self.ask("definition", mark, &[]);
                let at = if there.is_null() { "nothing".to_owned() } else { self.shown(&there["range"]) };
                self.line(&at);
            }
            "references" => {
                for there in self.ask("references", mark, &[("context", json!({ "includeDeclaration": true }))]).as_array().expect("a list")
                {
                    let at = self.shown(&there["range"]);
                    self.line(&at);
                }
            }
            "complete" => self.complete(mark, rest),
            "actions" => self.actions(mark, rest),
            "take" => {
                let number: usize = line["take ".len()..].parse().expect("a number");
                let Some(action) = self.actions.get(number - 1).cloned() else { return self.line("no such action") };
                match action.get("edit") {
                    Some(edit) => self.apply(edit),
                    None => self.execute(&action["command"]),
                }
            }
            "prepare" => {
                let found = self.ask("prepareRename", mark, &[]);
                let said = if found.is_null() {
                    "nothing".to_owned()
                } else {
                    format!("{} {}", self.shown(&found["range"]), text(&found["placeholder"]))
                };
                self.line(&said);
            }
            "rename" => {
                let buffer = &self.editor.buffers[&self.uri];
                let position = place(&buffer.text, mark, self.editor.utf8);
                let params = json!({ "textDocument": { "uri": self.uri }, "position": position, "newName": rest });
                match self.editor.request("textDocument/rename", params) {
                    Ok(edit) => self.apply(&edit),
                    Err(error) => self.line(&format!("refused: {}", text(&error["message"]))),
                }
            }
            "type" => {
                let new = rest.replace("\\n", "\n");
                self.editor.replace(&self.uri.clone(), mark, mark, &new);
                let moved = new.len();
                self.marks.values_mut().filter(|at| **at >= mark).for_each(|at| *at += moved);
                self.buffer();
            }
            "save" => {
                let name = self.room.files()[0].0.clone();
                fs::write(name, &self.editor.buffers[&self.uri].text).expect("written");
                self.editor.notify("textDocument/didSave", json!({ "textDocument": { "uri": self.uri } }));
            }
            _ => panic!("what is `{word}`?"),
        }
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Applies an edit; the marks go with the text around them.
    fn apply(&mut self, edit: &Value) {
        for (from, to, new) in self.editor.apply(edit) {
            for at in self.marks.values_mut().filter(|at| **at >= from) {
                *at = if *at >= to { *at - (to - from) + new } else { from };
            }
        }
        self.buffer();
    }

    fn buffer(&mut self) {
        let shown: String =
            self.editor.buffers[&self.uri].text.split_terminator('\n').map(|line| format!("| {line}\n").replace('\r', "⏎CR")).collect();
        self.out.push_str(&shown);
    }

    fn ask(&mut self, method: &str, at: usize, more: &[(&str, Value)]) -> Value {
        let position = place(&self.editor.buffers[&self.uri].text, at, self.editor.utf8);
        let mut params = json!({ "textDocument": { "uri": self.uri }, "position": position });
        more.iter().for_each(|(key, value)| params[*key] = value.clone());
        self.editor.request(&format!("textDocument/{method}"), params).expect("an answer")
    }

    fn whole(&mut self, method: &str) -> Value {
        self.editor.request(&format!("textDocument/{method}"), json!({ "textDocument": { "uri": self.uri } })).expect("an answer")
    }

    /// `LINE:COLUMN-LINE:COLUMN` from 1, in characters.
    fn shown(&self, range: &Value) -> String {
        let buffer = &self.editor.buffers[&self.uri].text;
        let end = |end: &str| {
            let before = &buffer[..offset(buffer, &range[end], self.editor.utf8)];
            format!("{}:{}", before.matches('\n').count() + 1, before.rsplit('\n').next().unwrap_or("").chars().count() + 1)
        };
        format!("{}-{}", end("start"), end("end"))
    }

    fn findings(&mut self) {
        for found in self.editor.findings(&self.uri.clone()) {
            let at = self.shown(&found["range"]);
            let severity = ["error", "warning", "information", "hint"][found["severity"].as_u64().expect("a severity") as usize - 1];
            let message = text(&found["message"]).replace('\n', "\n  ");
            self.line(&format!("{at} {severity} {} {message}", text(&found["code"])));
            for related in found["relatedInformation"].as_array().into_iter().flatten() {
                let at = self.shown(&related["location"]["range"]);
                self.line(&format!("  {at} {}", text(&related["message"])));
            }
        }
    }

    fn symbols(&mut self, tree: &Value, depth: usize) {
        for symbol in tree.as_array().into_iter().flatten() {
            let detail = symbol["detail"].as_str().map_or(String::new(), |detail| format!(" = {detail}"));
            let (range, own) = (self.shown(&symbol["range"]), self.shown(&symbol["selectionRange"]));
            self.line(&format!("{}{}{detail} ({range}, {own})", "  ".repeat(depth), text(&symbol["name"])));
            self.symbols(&symbol["children"], depth + 1);
        }
    }

    fn complete(&mut self, at: usize, trigger: &str) {
        let context = match trigger {
            "" => json!({ "triggerKind": 1 }),
            "blank" => json!({ "triggerKind": 2, "triggerCharacter": " " }),
            trigger => json!({ "triggerKind": 2, "triggerCharacter": trigger }),
        };
        let mut items = self.ask("completion", at, &[("context", context)]).as_array().expect("a list").clone();
        items.sort_by_key(|item| text(&item["sortText"]).to_owned());
        for item in &items {
            let detail = item["detail"].as_str().map_or(String::new(), |detail| format!(" ({detail})"));
            let range = self.shown(&item["textEdit"]["range"]);
            let label = text(&item["label"]);
            let new = text(&item["textEdit"]["newText"]);
            let same = if new == label { String::new() } else { format!(" {new:?}") };
            let more: String = item["additionalTextEdits"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|edit| format!(" and {} {:?}", self.shown(&edit["range"]), text(&edit["newText"])))
                .collect();
            self.line(&format!("{range} {label}{detail}{same}{more}"));
        }
    }

    fn actions(&mut self, at: usize, only: &str) {
        let position = place(&self.editor.buffers[&self.uri].text, at, self.editor.utf8);
        let mut context = json!({ "diagnostics": [] });
        if !only.is_empty() {
            context["only"] = json!([only]);
        }
        let range = json!({ "start": position, "end": position });
        let params = json!({ "textDocument": { "uri": self.uri }, "range": range, "context": context });
        let actions = self.editor.request("textDocument/codeAction", params).expect("an answer");
        self.actions = actions.as_array().expect("a list").clone();
        for (number, action) in self.actions.clone().iter().enumerate() {
            let preferred = if action["isPreferred"] == true { " (preferred)" } else { "" };
            self.line(&format!("{}. {} {}{preferred}", number + 1, text(&action["kind"]), text(&action["title"])));
        }
    }

    /// Runs a command as the editor does when someone clicks.
    fn execute(&mut self, command: &Value) {
        let params = json!({ "command": command["command"], "arguments": command["arguments"] });
        match self.editor.request("workspace/executeCommand", params) {
            Ok(said) => {
                assert_eq!(self.editor.shown.pop().as_deref(), said.as_str(), "what is said is shown");
                self.line(text(&said));
            }
            Err(error) => self.line(&format!("refused: {}", text(&error["message"]))),
        }
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("")
}
