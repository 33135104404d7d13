//! What the three texts of a merge, their names and `.gitattributes` can do to who merges: nothing but be merged.

use crate::repository::{Repository, facts};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

const F: &str = "AGENTS.md";

fn merge(repository: &Repository, more: &[&str]) -> i32 {
    let args = [&["merge", "base", "ours", "theirs"], more].concat();
    let said = repository.memfile(&args);
    assert!((0..=2).contains(&said.code), "{args:?}: {}", said.both());
    for text in [&said.out, &said.err] {
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
    }
    said.code
}

#[test]
fn three_texts_of_any_kind_are_merged_or_left() {
    let values =
        ["1\u{1b}[2J", "<<<<<<< ours", "2\r", "3 [historical] replaced by: 4 as of 2026-01-01", "$(touch mark)", ">>>>>>>", "|||||||"];
    let mut all: Vec<String> = values.iter().map(|value| facts(&[&format!("Port: {value}"), "Team: a"])).collect();
    all.push("<<<<<<< a\n- Port: 1\n=======\n- Port: 2\n>>>>>>> b\n".to_owned());
    all.push(format!("## Project memory\n\n{}", "> ".repeat(20_000)));
    all.push(facts(&vec!["Port: 1"; 2_000]));
    all.push("\u{feff}\r\r\n\u{2028}## Project memory\n- Port: 1".to_owned());
    all.push(String::new());
    let repository = Repository::new("r");
    repository.write("base", &facts(&["Port: 1", "Team: a"]));
    for (idx, ours) in all.iter().enumerate() {
        for theirs in [&all[(idx + 1) % all.len()], &all[(idx + 5) % all.len()]] {
            repository.write("ours", ours);
            repository.write("theirs", theirs);
            let code = merge(&repository, &[&format!("--path={F}")]);
            let text = repository.read("ours");
            if code == 2 {
                assert_eq!(&text, ours, "a merge that failed wrote nothing");
            }
            // What either side has and the base has not is there, in whatever way.
            for value in ["Port: 1\u{1b}[2J", "$(touch mark)"] {
                let has = |text: &str| text.contains(value);
                assert!(has(&text) || !(has(ours) || has(theirs)), "{code}: {value:?} is gone: {text:.400}");
            }
        }
    }
    assert!(!repository.root.join("mark").exists());
}

#[test]
fn the_words_of_git_about_a_merge_lead_nowhere() {
    let repository = Repository::new("r");
    let texts = [facts(&["Port: 1", "Team: a"]), facts(&["Port: 2", "Team: a"]), facts(&["Port: 3", "Team: a"])];
    let outside = repository.top().join("home/AGENTS.md");
    fs::write(&outside, &texts[0]).expect("written");
    let names = ["../home/AGENTS.md", "/etc/passwd", "-x", "--ours-label=x", "a\u{1b}[2J\nb/AGENTS.md", "..", "%P"];
    let labels =
        ["$(touch mark)", "--upload-pack=touch mark", "x\n>>>>>>> y", "\u{1b}]0;x\u{7}", "parent of -x", "-1", "a".repeat(5000).leak()];
    for (name, label) in names.into_iter().zip(labels) {
        for (file, text) in ["base", "ours", "theirs"].iter().zip(&texts) {
            repository.write(file, text);
        }
        let label = [
            format!("--path={name}"),
            format!("--ours-label={label}"),
            format!("--theirs-label={label}"),
            "--marker-size=99999999999".into(),
        ];
        let code = merge(&repository, &label.each_ref().map(String::as_str));
        let text = repository.read("ours");
        assert_eq!(code, 1, "two values without dates: {label:?} {text}");
        assert!(text.contains("- Port: 2\n") && text.contains("- Port: 3\n"), "{text}");
        let marks: Vec<&str> =
            text.lines().filter(|line| ["<<<<<<<", "=======", ">>>>>>>"].iter().any(|mark| line.starts_with(mark))).collect();
        assert_eq!(marks.len(), 3, "a label adds no line: {text:?}");
        assert!(!text.contains('\u{1b}'), "{text:?}");
    }
    assert_eq!(fs::read_to_string(&outside).expect("a text"), texts[0]);
    assert!(!repository.root.join("mark").exists());
}

#[test]
fn what_is_no_text_is_not_merged_and_not_waited_for() {
    for line in ["mkfifo", "ln -s /dev/zero", "ln -s theirs", "mkdir", "ln -s /nowhere"] {
        let repository = Repository::new("r");
        for file in ["base", "ours"] {
            repository.write(file, &facts(&["Port: 1"]));
        }
        let made = repository.call("sh", &repository.root, &["-c", &format!("{line} theirs")]);
        assert_eq!(made.code, 0, "{line}");
        assert_eq!((merge(&repository, &[]), repository.read("ours")), (2, facts(&["Port: 1"])), "{line}");
    }
}

fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = fs::read_dir(folder)
        .expect("a folder")
        .flatten()
        .filter(|entry| entry.path().is_file())
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), fs::read_to_string(entry.path()).unwrap_or_default()))
        .collect();
    found.sort();
    found
}

#[test]
fn attributes_of_a_repository_start_memfile_only_where_a_person_said_so() {
    // Attributes alone name a driver, no program: git merges by lines.
    let repository = Repository::new("r");
    repository.write(".gitattributes", "* merge=memfile\n*.md merge=memfile filter=x diff=x\n");
    repository.write(F, &facts(&["Port: 1"]));
    repository.commit("facts");
    let before = fs::read_to_string(repository.root.join(".git/config")).expect("a text");
    for args in [&["check"][..], &["fix"], &["hook", "status"], &["doctor"]] {
        repository.memfile(args);
    }
    assert_eq!(fs::read_to_string(repository.root.join(".git/config")).expect("a text"), before);

    // A link in the place of the attributes is not written through, neither to install nor to remove.
    let repository = Repository::new("r");
    repository.write(F, &facts(&["Port: 1"]));
    fs::write(repository.top().join("home/.bashrc"), "export A=1\n").expect("written");
    symlink(repository.top().join("home/.bashrc"), repository.root.join(".gitattributes")).expect("linked");
    let home = files(&repository.top().join("home"));
    let said = repository.memfile(&["hook", "install", "--merge"]);
    assert!(said.code != 0 && said.err.contains(".gitattributes: is a link"), "{}", said.both());
    repository.memfile(&["hook", "remove"]);
    assert_eq!(files(&repository.top().join("home")), home);
    assert!(fs::symlink_metadata(repository.root.join(".gitattributes")).is_ok_and(|meta| meta.is_symlink()));
}

#[test]
fn a_name_adds_no_line_to_the_attributes() {
    let repository = Repository::new("r");
    let name = "a\n* filter=x \u{1b}\u{7f}\"[b]?\\.md";
    repository.write("memfile.toml", "managed-files = [\"a*\"]\n");
    repository.write(name, "- Port: 1\n");
    let said = repository.memfile(&["hook", "install", "--merge"]);
    let text = repository.read(".gitattributes");
    assert!(text.lines().all(|line| line.starts_with('#') || line.ends_with(" merge=memfile")), "{}: {text:?}", said.both());
    // And git takes it for that name.
    let told = repository.git(&["check-attr", "-z", "merge", "filter", "--", name]);
    assert_eq!(told.split('\0').skip(2).step_by(3).collect::<Vec<_>>(), ["memfile", "unspecified"], "{text:?}");
    repository.ends(0, &["hook", "remove"]);
    assert!(!repository.root.join(".gitattributes").exists());
}
