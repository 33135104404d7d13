//! Folders `testdata/commands/CASE/{before.md, commands.txt, after.md}` and perhaps `memfile.toml`: the commands are played on
//! the file, which must then be `after.md`. A line of `commands.txt` is a command line; `[1] ` before it is the exit code wanted.
//!
//! Two properties hold for each of them beside: `fix` has nothing to do afterwards, and as many `undo` as there were steps give
//! the bytes of before. `MEMFILE_UPDATE=1` writes `after.md`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with the file, and a state folder beside it.
struct Room {
    temp: tempfile::TempDir,
}

impl Room {
    fn new(case: &Path) -> Self {
        let temp = tempfile::tempdir().expect("a temporary folder");
        fs::create_dir(temp.path().join("tree")).expect("a folder");
        let room = Self { temp };
        fs::copy(case.join("before.md"), room.file()).expect("before.md");
        if case.join("memfile.toml").is_file() {
            fs::copy(case.join("memfile.toml"), room.tree().join("memfile.toml")).expect("memfile.toml");
        }
        room
    }

    fn tree(&self) -> PathBuf {
        self.temp.path().join("tree")
    }

    fn file(&self) -> PathBuf {
        self.tree().join("AGENTS.md")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.file()).expect("the file is UTF-8")
    }

    fn run(&self, args: &[String]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_memfile"));
        command.args(args).args(["-f", "AGENTS.md"]).current_dir(self.tree());
        self.started(&mut command)
    }

    fn fix(&self) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_memfile"));
        command.args(["fix", "AGENTS.md"]).current_dir(self.tree());
        self.started(&mut command)
    }

    fn started(&self, command: &mut Command) -> Output {
        let state = self.temp.path().join("state");
        command.env("XDG_STATE_HOME", state).env("SOURCE_DATE_EPOCH", "1795953600").env("GIT_CEILING_DIRECTORIES", self.temp.path());
        command.output().expect("memfile starts")
    }
}

/// Splits a line into words; quotes of both kinds hold words together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(mark), _) if c == mark => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

fn play(case: &Path) -> Result<(), String> {
    let room = Room::new(case);
    let commands = fs::read_to_string(case.join("commands.txt")).expect("commands.txt");
    let before = room.text();
    let mut steps = 0;
    for line in commands.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (want, line) = match line.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
            Some((code, line)) => (code.parse().expect("an exit code"), line),
            None => (0, line),
        };
        let old = room.text();
        let done = room.run(&words(line));
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        if done.status.code() != Some(want) {
            return Err(format!("`{line}`: exit {:?}, want {want}: {said}", done.status.code()));
        }
        match room.text() == old {
            false if want != 0 => return Err(format!("`{line}`: refused, and the file has changed")),
            false => steps += 1,
            true => {}
        }
    }
    let after = room.text();
    let wanted = case.join("after.md");
    if std::env::var_os("MEMFILE_UPDATE").is_some() {
        fs::write(&wanted, &after).expect("after.md is written");
    }
    let want = fs::read_to_string(&wanted).unwrap_or_default();
    if after != want {
        return Err(format!("the file is\n{after}\nand should be\n{want}"));
    }
    room.fix();
    if room.text() != after {
        return Err(format!("`fix` goes on:\n{}", room.text()));
    }
    if commands.contains("forget") {
        return Ok(());
    }
    for _ in 0..steps {
        let undone = room.run(&["undo".to_owned()]);
        if !undone.status.success() {
            return Err(format!("undo: {}", String::from_utf8_lossy(&undone.stderr)));
        }
    }
    if room.text() == before { Ok(()) } else { Err(format!("undone, the file is\n{}", room.text())) }
}

#[test]
fn commands_write_what_they_should() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/commands");
    let mut cases: Vec<PathBuf> = fs::read_dir(root).expect("testdata/commands").map(|entry| entry.expect("an entry").path()).collect();
    cases.sort();
    assert!(!cases.is_empty());
    let failed: Vec<String> = cases
        .iter()
        .filter_map(|case| play(case).err().map(|error| format!("{}: {error}", case.file_name().unwrap_or_default().to_string_lossy())))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}
