//! Folders `testdata/settings/CASE`: memfile is put into the settings of an agent, and taken out again.
//!
//! `args.txt` is what stands behind `init`; below `before` lie the files of a project, below `after` what they must be then; a file that
//! is the same is left out there. Put in twice, nothing more changes; taken out, every byte is as before, and a file that was made
//! is gone: where the journal knows of it, and, but for the files below `removed`, where it does not. With `error.txt`, the exit code
//! is 2, the file's line is part of what is said, and nothing changes. `MEMFILE_UPDATE=1` writes `after` and `removed`.

use crate::agent::Room;
use crate::fixtures::each;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

type Files = BTreeMap<String, String>;

fn files(folder: &Path) -> Files {
    fn walk(top: &Path, folder: &Path, found: &mut Files) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(top, &path, found);
            } else {
                let name = path.strip_prefix(top).expect("below").to_string_lossy().replace('\\', "/");
                found.insert(name, fs::read_to_string(&path).expect("UTF-8"));
            }
        }
    }
    let mut found = Files::new();
    walk(folder, folder, &mut found);
    found
}

fn put(folder: &Path, files: &Files) {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
}

/// What of `after` is other than in `before`; a file that is gone is empty text.
fn changed(before: &Files, after: &Files) -> Files {
    let gone = before.keys().filter(|name| !after.contains_key(*name)).map(|name| (name.clone(), String::new()));
    after
        .iter()
        .filter(|(name, text)| before.get(*name) != Some(text))
        .map(|(name, text)| (name.clone(), text.clone()))
        .chain(gone)
        .collect()
}

fn play(case: &Path) -> Result<(), String> {
    let before = files(&case.join("before"));
    let args = fs::read_to_string(case.join("args.txt")).expect("args.txt");
    let room = || {
        let room = Room::new("none");
        put(&room.tree(), &before);
        room
    };
    let init = |room: &Room, state: &str, more: &[&str]| {
        let mut command = room.command(env!("CARGO_BIN_EXE_memfile"), state);
        let output = command.arg("init").args(args.split_whitespace()).args(more).output().expect("memfile starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let first = room();
    let (code, said) = init(&first, "state", &[]);
    let after = files(&first.tree());
    if let Ok(wanted) = fs::read_to_string(case.join("error.txt")) {
        return match code == Some(2) && said.contains(wanted.trim()) && after == before {
            true => Ok(()),
            false => Err(format!("exit {code:?}, said {said}, changed {:?}", changed(&before, &after))),
        };
    }
    if code != Some(0) {
        return Err(format!("exit {code:?}: {said}"));
    }
    let update = std::env::var_os("MEMFILE_UPDATE").is_some();
    let expect = |name: &str, found: Files| {
        let folder = case.join(name);
        if update {
            let _ = fs::remove_dir_all(&folder);
            put(&folder, &found);
        }
        let wanted = files(&folder);
        if found == wanted { Ok(()) } else { Err(format!("{name} is {found:#?}\nand should be {wanted:#?}")) }
    };
    expect("after", changed(&before, &after))?;
    init(&first, "state", &[]);
    if files(&first.tree()) != after {
        return Err("put in twice, it is another".to_owned());
    }
    init(&first, "state", &["--remove"]);
    let left = changed(&before, &files(&first.tree()));
    if !left.is_empty() {
        return Err(format!("taken out, this is left: {left:#?}"));
    }
    // Where another machine put it in, the text alone must tell what is memfile's.
    let second = room();
    init(&second, "state", &[]);
    init(&second, "another", &["--remove"]);
    expect("removed", changed(&before, &files(&second.tree())))
}

#[test]
fn settings_are_changed_by_our_own_and_no_more() {
    each("settings", 10, play);
}

#[test]
fn a_scope_of_ones_own_lies_in_the_home_folder() {
    let room = Room::new("none");
    let mut command = room.command(env!("CARGO_BIN_EXE_memfile"), "state");
    let output = command.args(["init", "--agent", "all", "--scope", "user", "--hooks-only"]).env("PATH", "").output();
    assert_eq!(output.expect("memfile starts").status.code(), Some(0));
    let home = files(&room.tree().parent().expect("a folder").join("home"));
    let names: Vec<&str> = home.keys().map(String::as_str).collect();
    assert_eq!(names, [".claude/settings.json", ".codex/config.toml", ".cursor/hooks.json", ".gemini/settings.json"]);
    // A program that no shell finds by its name is named by its place, which only the settings of one person may do.
    let place = env!("CARGO_BIN_EXE_memfile").replace('\\', "\\\\");
    assert!(home.values().all(|text| text.contains(&format!("{place} agent-hook --agent"))), "{home:#?}");
    assert!(files(&room.tree()).is_empty());
}

#[test]
fn a_hook_of_anothers_beside_ours_stays() {
    let room = Room::new("none");
    let mine = "{\n  \"hooks\": {\n    \"Stop\": [\n      { \"hooks\": [{ \"type\": \"command\", \"command\": \"say done\" }, { \"type\": \"command\", \"command\": \"memfile agent-hook\" }] }\n    ]\n  }\n}\n";
    put(&room.tree(), &Files::from([(".claude/settings.json".to_owned(), mine.to_owned())]));
    let output = room.command(env!("CARGO_BIN_EXE_memfile"), "state").args(["init", "--agent", "claude", "--remove"]).output();
    assert_eq!(output.expect("memfile starts").status.code(), Some(0));
    let left = files(&room.tree()).remove(".claude/settings.json").expect("the file");
    assert!(left.contains("say done") && !left.contains("memfile"), "{left}");
    let value: serde_json::Value = serde_json::from_str(&left).expect("JSON");
    assert_eq!(value["hooks"]["Stop"][0]["hooks"].as_array().map(Vec::len), Some(1));
}
