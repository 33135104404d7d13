//! Folders `testdata/agent/CASE`: a hook of an agent is called, and answers.
//!
//! `payload.json` goes to `memfile agent-hook`; `$FILE` in it is the memory file, `$CWD` its folder. `before.md` is the file at that
//! moment, `base.md` the text in `HEAD` (without it the folder is no repository), `after.md` the text wanted afterwards (without it
//! the one before), `answer.json` what stdout must be (without it nothing). Perhaps `first.json` and `first.md`: an earlier call and
//! the file then; `args.txt`; `memfile.toml`; `name.txt`, the file's name; `busy`, git is in a merge. The exit code is 0, always.
//! `MEMFILE_UPDATE=1` writes `after.md` and `answer.json`.

use crate::fixtures::{each, read};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder with a memory file, and a home of its own.
pub(crate) struct Room {
    temp: tempfile::TempDir,
    name: String,
}

impl Room {
    pub(crate) fn new(name: &str) -> Self {
        let temp = tempfile::tempdir().expect("a temporary folder");
        let room = Self { temp, name: name.to_owned() };
        for folder in ["home", "tree", "state"] {
            fs::create_dir(room.temp.path().join(folder)).expect("a folder");
        }
        fs::create_dir_all(room.file().parent().expect("a folder")).expect("a folder");
        room
    }

    pub(crate) fn tree(&self) -> PathBuf {
        self.temp.path().canonicalize().expect("a folder").join("tree")
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.tree().join(&self.name)
    }

    pub(crate) fn write(&self, text: &str) {
        fs::write(self.file(), text).expect("the file is written");
    }

    pub(crate) fn text(&self) -> Option<String> {
        read(&self.file())
    }

    /// A program in the tree, with the home, the state and the day of the room.
    pub(crate) fn command(&self, program: &str, state: &str) -> Command {
        let mut command = Command::new(program);
        let at = |name: &str| self.temp.path().join(name);
        let bin = Path::new(env!("CARGO_BIN_EXE_memfile")).parent().expect("a folder").to_owned();
        let path = std::env::var_os("PATH").unwrap_or_default();
        command.env("PATH", std::env::join_paths([bin].into_iter().chain(std::env::split_paths(&path))).expect("a path"));
        command.current_dir(self.tree()).env("HOME", at("home")).env("XDG_STATE_HOME", at(state));
        command.env("GIT_CONFIG_GLOBAL", at("gitconfig")).env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CEILING_DIRECTORIES", self.temp.path());
        command.env("SOURCE_DATE_EPOCH", "1795953600").env_remove("CLAUDE_CONFIG_DIR").env_remove("CODEX_HOME");
        command
    }

    pub(crate) fn commit(&self) {
        for args in [
            &["init", "--quiet", "."][..],
            &["add", "--all"],
            &["-c", "user.name=t", "-c", "user.email=t@t", "commit", "--quiet", "-m", "1"],
        ] {
            assert!(self.command("git", "state").args(args).status().expect("git starts").success());
        }
    }

    pub(crate) fn hook(&self, args: &[&str], input: &[u8]) -> Output {
        let mut command = self.command(env!("CARGO_BIN_EXE_memfile"), "state");
        command.arg("agent-hook").args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("memfile starts");
        // Where nothing is read, the pipe is closed early.
        let _ = child.stdin.take().expect("a pipe").write_all(input);
        child.wait_with_output().expect("memfile ends")
    }

    fn payload(&self, template: &str) -> String {
        let quoted = |path: &Path| path.display().to_string().replace('\\', "\\\\");
        template.replace("$FILE", &quoted(&self.file())).replace("$CWD", &quoted(&self.tree()))
    }
}

/// The answer, if there is one; nothing in it may grant anything.
fn answer(output: &Output) -> Result<Option<Value>, String> {
    let out = String::from_utf8_lossy(&output.stdout);
    if output.status.code() != Some(0) {
        return Err(format!("exit {:?}: {out}{}", output.status.code(), String::from_utf8_lossy(&output.stderr)));
    }
    if out.is_empty() {
        return Ok(None);
    }
    let value: Value = serde_json::from_str(&out).map_err(|error| format!("{error}: {out}"))?;
    let granted = ["allow", "approve", "\"continue\"", "\"ask\"", "updatedInput"].iter().find(|word| out.contains(**word));
    match granted {
        Some(word) => Err(format!("{word} in {out}")),
        None if out.chars().any(|c| c.is_control() && c != '\n') => Err(format!("a control character in {out:?}")),
        None => Ok(Some(value)),
    }
}

fn play(case: &Path) -> Result<(), String> {
    let given = |name: &str| read(&case.join(name));
    let room = Room::new(given("name.txt").as_deref().map_or("AGENTS.md", str::trim));
    let args = given("args.txt").unwrap_or_default();
    let args: Vec<&str> = args.split_whitespace().collect();
    if let Some(text) = given("memfile.toml") {
        fs::write(room.tree().join("memfile.toml"), text).expect("written");
    }
    if let Some(base) = given("base.md") {
        room.write(&base);
        room.commit();
    }
    if let Some(first) = given("first.json") {
        given("first.md").iter().for_each(|text| room.write(text));
        answer(&room.hook(&args, room.payload(&first).as_bytes()))?;
    }
    if case.join("busy").exists() {
        fs::write(room.tree().join(".git/MERGE_HEAD"), "0\n").expect("written");
    }
    let before = given("before.md");
    match &before {
        Some(text) => room.write(text),
        None => drop(fs::remove_file(room.file())),
    }
    let payload = room.payload(&given("payload.json").expect("payload.json"));
    let said = answer(&room.hook(&args, payload.as_bytes()))?;
    let said = said.map_or(String::new(), |value| serde_json::to_string_pretty(&value).expect("JSON") + "\n");
    let said = said.replace(&room.tree().display().to_string(), "$CWD");
    let after = room.text();
    if std::env::var_os("MEMFILE_UPDATE").is_some() {
        let put = |name: &str, text: Option<&str>| match text {
            Some(text) => fs::write(case.join(name), text).expect("written"),
            None => drop(fs::remove_file(case.join(name))),
        };
        put("after.md", after.as_deref().filter(|_| after != before));
        put("answer.json", Some(said.as_str()).filter(|said| !said.is_empty()));
    }
    let wanted = given("after.md").or(before);
    if after != wanted {
        return Err(format!("the file is\n{}\nand should be\n{}", after.unwrap_or_default(), wanted.unwrap_or_default()));
    }
    let wanted = given("answer.json").unwrap_or_default();
    if said != wanted {
        return Err(format!("the answer is\n{said}\nand should be\n{wanted}"));
    }
    // Called again, it finds nothing more to write.
    answer(&room.hook(&args, payload.as_bytes()))?;
    if room.text() == after { Ok(()) } else { Err(format!("a second call writes\n{}", room.text().unwrap_or_default())) }
}

#[test]
fn hooks_answer_as_they_should() {
    each("agent", 10, play);
}

const TEXT: &str = "# Notes\n\n## Project memory\n\n- Database: MySQL 8\n- Team: core\n- Port: 80\n- Host: a\n";

#[test]
fn what_is_no_call_is_passed_over_in_silence() {
    let room = Room::new("AGENTS.md");
    room.write(TEXT);
    room.commit();
    room.write(&TEXT.replace("MySQL 8", "SQLite"));
    let deep = format!("{}1{}", "[".repeat(5000), "]".repeat(5000));
    let inputs: [&[u8]; 12] = [
        b"", b"  \n\t", b"{}", b"null", b"[]", b"{", b"{\"hook_event_name\":\"Unknown\"}", b"{\"hook_event_name\":\"PostToolUse\"}", b"\xff\xfe{}",
        b"{\"hook_event_name\":\"PostToolUse\",\"tool_name\":\"Write\",\"tool_input\":{\"file_path\":\"a\\u0000b/AGENTS.md\",\"content\":\"\"}}",
        b"{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Write\",\"tool_input\":{\"file_path\":\"\\ud800AGENTS.md\",\"content\":\"\"}}",
        deep.as_bytes(),
    ];
    for args in [
        &[][..],
        &["--agent", "claude"],
        &["--agent", "codex"],
        &["--agent", "cursor"],
        &["--agent", "gemini"],
        &["--agent"],
        &["--agent", "other", "--new-flag", "x"],
    ] {
        for input in inputs {
            let output = room.hook(args, input);
            let shown = String::from_utf8_lossy(input);
            assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b""[..]), "{args:?} {shown:.100}");
        }
    }
    assert_eq!(room.text().as_deref(), Some(TEXT.replace("MySQL 8", "SQLite").as_str()));
}

#[test]
fn where_memfile_fails_the_agent_goes_on_and_the_person_is_told() {
    let room = Room::new("AGENTS.md");
    fs::write(room.tree().join("memfile.toml"), "no-such-option = 1\n").expect("written");
    room.write(TEXT);
    let payload = json!({ "hook_event_name": "PreToolUse", "cwd": room.tree(), "tool_name": "Write", "tool_input": { "file_path": room.file(), "content": "" } });
    let output = room.hook(&[], payload.to_string().as_bytes());
    let said = answer(&output).expect("an answer").expect("a word for the person");
    assert!(said["systemMessage"].as_str().is_some_and(|text| text.contains("no-such-option")), "{said}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("no-such-option"));
    assert!(said.get("hookSpecificOutput").is_none());
}

#[test]
fn a_folder_that_is_gone_stops_nobody() {
    let room = Room::new("AGENTS.md");
    let gone = room.tree().join("gone");
    fs::create_dir(&gone).expect("made");
    let script = "rmdir ../gone && exec \"$0\" agent-hook";
    let output =
        room.command("sh", "state").current_dir(&gone).args(["-c", script, env!("CARGO_BIN_EXE_memfile")]).stdin(Stdio::null()).output();
    assert_eq!(output.expect("sh starts").status.code(), Some(0));
}

#[test]
fn a_value_that_stood_only_between_two_edits_stays_unless_it_is_taken_back_or_dropped() {
    let room = Room::new("AGENTS.md");
    room.write(TEXT);
    room.commit();
    let edit = |old: &str, new: &str| {
        let text = room.text().expect("the file");
        assert!(text.contains(old), "{old} in {text}");
        let call = |event: &str| {
            let input = json!({ "file_path": room.file(), "old_string": old, "new_string": new });
            let payload =
                json!({ "session_id": "s", "hook_event_name": event, "cwd": room.tree(), "tool_name": "Edit", "tool_input": input });
            answer(&room.hook(&[], payload.to_string().as_bytes())).expect("an answer")
        };
        assert_eq!(call("PreToolUse"), None);
        room.write(&text.replacen(old, new, 1));
        call("PostToolUse");
    };
    edit("Port: 80", "Port: 81");
    edit("\n- Port: 81", "\n- Port: 82");
    let three =
        "- Port: 80 [historical] replaced by: 81 as of 2026-11-29\n- Port: 81 [historical] replaced by: 82 as of 2026-11-29\n- Port: 82\n";
    assert!(room.text().expect("the file").contains(three), "{:?}", room.text());

    edit("Host: a", "Host: b");
    edit("\n- Host: b", "\n- Host: a");
    assert!(room.text().expect("the file").ends_with("- Host: a\n") && !room.text().expect("the file").contains("Host: b"));

    let mem = |args: &[&str]| {
        let output = room.command(env!("CARGO_BIN_EXE_memfile"), "state").args(args).output().expect("memfile starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    mem(&["drop", "Port", "--value", "81", "--yes"]);
    edit("Team: core", "Team: data");
    let text = room.text().expect("the file");
    assert!(!text.contains("81"), "{text}");
    // And nothing of a secret lies about.
    edit("Team: data\n", "Team: data\n- Key: AKIAIOSFODNN7EXAMPLQ\n");
    edit("Host: a", "Host: c");
    let kept = room.command("grep", "state").args(["-r", "AKIA"]).arg(room.temp.path().join("state")).output().expect("grep starts");
    assert!(kept.stdout.is_empty(), "{}", String::from_utf8_lossy(&kept.stdout));
}

/// Any JSON, with the words of the protocols where they belong more often than not.
fn any_json() -> impl Strategy<Value = Value> {
    let words = prop::sample::select(vec![
        "Write",
        "Edit",
        "Bash",
        "apply_patch",
        "AGENTS.md",
        "./AGENTS.md",
        "~/AGENTS.md",
        "C:\\AGENTS.md",
        "",
        "x\n- Port: 80\n",
        "rm AGENTS.md",
        "*** Begin Patch\n*** Delete File: AGENTS.md\n*** End Patch",
        "\u{202e}\u{1b}[2J",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        words.prop_map(Value::from)
    ];
    let keys = prop::sample::select(vec![
        "file_path",
        "path",
        "content",
        "old_string",
        "new_string",
        "edits",
        "command",
        "replace_all",
        "originalFile",
        "x",
    ]);
    let value = leaf.prop_recursive(3, 24, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map(keys.clone(), inner, 0..6).prop_map(|map| json!(map))
        ]
    });
    let events = prop::sample::select(vec![
        "PreToolUse",
        "BeforeTool",
        "preToolUse",
        "Stop",
        "SessionStart",
        "SessionEnd",
        "beforeShellExecution",
        "stop",
        "Other",
    ]);
    let tools = prop::sample::select(vec!["Write", "Edit", "MultiEdit", "Bash", "Shell", "Delete", "apply_patch", "write_file", "replace"]);
    let more = prop::collection::hash_map(
        prop::sample::select(vec![
            "cwd",
            "session_id",
            "conversation_id",
            "turn_id",
            "tool_response",
            "stop_hook_active",
            "tool_name",
            "hook_event_name",
        ]),
        value.clone(),
        0..3,
    );
    (events, tools, value, more).prop_map(|(event, tool, input, more)| {
        let mut call = json!({ "hook_event_name": event, "tool_name": tool, "tool_input": input });
        more.into_iter().for_each(|(key, value)| call[key] = value);
        call
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, max_shrink_iters: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Before a tool, and at any end, nothing is written, whatever the input; the exit code is 0 and the answer grants nothing.
    #[test]
    fn no_input_breaks_anything(call in any_json()) {
        let room = Room::new("AGENTS.md");
        room.write(TEXT);
        let output = room.hook(&[], call.to_string().as_bytes());
        prop_assert!(answer(&output).is_ok(), "{call}: {:?}", answer(&output));
        let text = room.text();
        prop_assert_eq!(text.as_deref(), Some(TEXT), "{}", call);
        prop_assert_eq!(fs::read_dir(room.tree()).expect("the tree").count(), 1, "{}", call);
    }
}
