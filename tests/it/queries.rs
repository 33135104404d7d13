//! Folders `testdata/query/CASE`: a memory file, and in `queries.txt` command lines with what they print.
//!
//! A line `$ memfile …` runs in a fresh copy of the folder on 29 November 2026; below it stands stdout, then stderr with `! ` before
//! each line, then `? CODE` where the exit code is not 0. `MEMFILE_UPDATE=1` writes what was printed.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Runs `memfile` with the words of `line` in `folder`.
fn run(folder: &Path, home: &Path, line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_memfile"))
        .args(words(line))
        .current_dir(folder)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", home)
        .env("SOURCE_DATE_EPOCH", "1795953600")
        .env("GIT_CEILING_DIRECTORIES", folder.parent().expect("a parent"))
        .output()
        .expect("memfile runs")
}

/// Splits a command line at blanks outside single quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().expect("one").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn shown(output: &Output) -> String {
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    for line in String::from_utf8_lossy(&output.stderr).lines() {
        let _ = writeln!(text, "! {line}");
    }
    if let Some(code) = output.status.code().filter(|code| *code != 0) {
        let _ = writeln!(text, "? {code}");
    }
    text
}

#[test]
fn queries_answer_as_written() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/query");
    let mut failed = Vec::new();
    for case in fs::read_dir(&root).expect("the folder").map(|entry| entry.expect("an entry").path()) {
        let temp = tempfile::tempdir().expect("temp");
        let (folder, home) = (temp.path().join("tree"), temp.path().join("home"));
        fs::create_dir_all(&folder).expect("made");
        fs::create_dir_all(&home).expect("made");
        let files = fs::read_dir(&case).expect("the case").map(|entry| entry.expect("an entry").path());
        for file in files.filter(|file| file.file_name().is_some_and(|name| name != "queries.txt")) {
            let name = file.file_name().expect("a name").to_string_lossy().replace("memory.", "MEMORY.");
            fs::copy(&file, folder.join(name)).expect("copied");
        }
        let path = case.join("queries.txt");
        let wanted = fs::read_to_string(&path).expect("queries");
        let before = tree(&folder);
        let mut got = String::new();
        for line in wanted.lines().filter(|line| line.starts_with("$ ")) {
            let command = line.strip_prefix("$ memfile ").expect("a command of memfile");
            let _ = writeln!(got, "{line}\n{}", shown(&run(&folder, &home, command)));
        }
        assert_eq!(tree(&folder), before, "{}: a query wrote", case.display());
        if got != wanted && std::env::var_os("MEMFILE_UPDATE").is_some() {
            fs::write(&path, &got).expect("written");
        } else if got != wanted {
            failed.push(similar::TextDiff::from_lines(&wanted, &got).unified_diff().header(&case.to_string_lossy(), "printed").to_string());
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

fn tree(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let files = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry"));
    let mut files: Vec<_> =
        files.map(|file| (file.file_name().to_string_lossy().into_owned(), fs::read(file.path()).expect("a file"))).collect();
    files.sort();
    files
}

/// A repository with one memory file, and a home for state.
struct Box {
    _temp: tempfile::TempDir,
    tree: std::path::PathBuf,
    home: std::path::PathBuf,
}

impl Box {
    fn new() -> Self {
        let temp = tempfile::tempdir().expect("temp");
        let (tree, home) = (temp.path().join("tree"), temp.path().join("home"));
        fs::create_dir_all(&tree).expect("made");
        fs::create_dir_all(&home).expect("made");
        let this = Self { _temp: temp, tree, home };
        this.git("2026-01-01", &["init", "-q"]);
        this
    }

    fn git(&self, day: &str, args: &[&str]) {
        let when = format!("{day}T23:30:00-08:00");
        let mut command = Command::new("git");
        command.args(["-c", "user.name=Noor", "-c", "user.email=n@example.org"]).args(args).current_dir(&self.tree);
        command.env("HOME", &self.home).env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_AUTHOR_DATE", &when).env("GIT_COMMITTER_DATE", &when);
        assert!(command.status().expect("git runs").success(), "git {args:?}");
    }

    fn write(&self, facts: &str) {
        fs::write(self.tree.join("AGENTS.md"), format!("# N\n\n## Project memory\n\n{facts}")).expect("written");
    }

    fn commit(&self, day: &str, facts: &str) {
        self.write(facts);
        self.git(day, &["add", "-A"]);
        self.git(day, &["commit", "-q", "-m", "facts"]);
    }

    fn ask(&self, line: &str) -> serde_json::Value {
        let output = run(&self.tree, &self.home, &format!("{line} --format json"));
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    }

    fn field(&self, line: &str, list: &str, field: &str) -> Vec<String> {
        let answer = self.ask(line);
        let items = answer[list].as_array().expect("a list");
        items.iter().map(|item| item[field].as_str().unwrap_or("-").to_owned()).collect()
    }
}

#[test]
fn commits_date_what_says_no_date() {
    let room = Box::new();
    room.commit("2026-02-01", "- Port: 1\n- Team: core\n");
    room.commit("2026-04-01", "- Port: 2\n- Team: core\n");
    room.commit("2026-06-01", "- Team: core\n- Port: 1\n- Zone: a\n");
    // The author's own day counts, and the history in git only where it is asked for.
    assert_eq!(room.field("now", "facts", "recorded"), ["2026-02-01", "2026-06-01", "2026-06-01"]);
    assert_eq!(room.field("history Port", "versions", "value"), ["1"]);
    assert_eq!(room.field("history Port --git", "versions", "value"), ["1", "2", "1"]);
    assert_eq!(room.field("history Port --git", "versions", "recorded"), ["2026-02-01", "2026-04-01", "2026-06-01"]);
    assert_eq!(room.field("history Port --git", "versions", "as_of"), ["2026-04-01", "2026-06-01", "-"]);
    let why = room.ask("why Team");
    assert_eq!((why["author"].as_str(), why["commit"].as_str().map(str::len)), (Some("Noor"), Some(40)));
    // A value that was overwritten a moment ago is history before `fix` has put it back.
    room.write("- Team: platform\n- Port: 1\n- Zone: a\n");
    assert_eq!(room.field("history Team", "versions", "value"), ["core", "platform"]);
    assert_eq!(room.field("history Team", "versions", "status"), ["historical", "current"]);
    assert_eq!(room.field("history Team", "versions", "recorded"), ["2026-02-01", "-"]);
    assert_eq!(room.ask("now Team")["freshness"]["pending"], 1);
    let before = room.ask("as-of 2026-11-28 Team");
    assert_eq!(before["facts"][0]["version"]["value"], "core");
}

#[test]
fn a_second_query_does_not_walk_again_and_no_value_is_kept() {
    let room = Box::new();
    room.commit("2026-02-01", "- Port: 4711\n");
    assert_eq!(room.field("now Port", "facts", "recorded"), ["2026-02-01"]);
    let folder = room.home.join(if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/state" });
    let kept = fs::read_dir(folder.join("memfile/origins")).expect("kept").next().expect("one").expect("an entry").path();
    let text = fs::read_to_string(&kept).expect("text");
    assert!(!text.contains("4711") && !text.to_lowercase().contains("port"));
    fs::write(&kept, text.replace("2026-02-01", "2026-02-09")).expect("written");
    assert_eq!(room.field("now Port", "facts", "recorded"), ["2026-02-09"]);
    // Another text is another key.
    room.commit("2026-03-01", "- Port: 4711\n- Team: core\n");
    assert_eq!(room.field("now", "facts", "recorded"), ["2026-02-01", "2026-03-01"]);
    assert_eq!(room.field("now", "facts", "recorded"), ["2026-02-01", "2026-03-01"]);
}
