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
