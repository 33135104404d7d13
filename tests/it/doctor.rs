//! `doctor`: a newcomer learns what is in order and what to do about the rest.

use crate::repository::{Repository, facts};
use std::fs;

/// The statuses of the points about `name`.
fn statuses(repository: &Repository, name: &str) -> Vec<String> {
    let said = repository.memfile(&["doctor", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!(report["healthy"] == true, said.code == 0, "{}", said.out);
    let points = report["checks"].as_array().expect("a list").iter().filter(|point| point["name"] == name);
    let told = points.inspect(|point| assert!(point["status"] == "ok" || point["help"].is_string(), "no way out: {point}"));
    told.map(|point| point["status"].as_str().expect("a word").to_owned()).collect()
}

#[test]
fn a_healthy_repository_has_nothing_to_mend() {
    let repository = Repository::new("r");
    repository.write("AGENTS.md", &facts(&["Port: 1"]));
    repository.commit("facts");
    let said = repository.ends(0, &["doctor"]);
    assert!(said.out.contains("AGENTS.md: 1 fact") && said.out.contains("nothing to mend"), "{}", said.out);
    assert!(!repository.top().join("home/state").exists(), "doctor wrote something");
    assert_eq!(statuses(&repository, "git hooks"), ["note"]);
    repository.ends(0, &["hook", "install"]);
    assert_eq!(statuses(&repository, "git hooks"), ["ok"]);
}

#[test]
fn each_trouble_is_named_with_the_way_out() {
    let repository = Repository::new("r");
    repository.write("AGENTS.md", &facts(&["Port: 1"]));
    repository.write(".AGENTS.md.memfile-tmp", "half");
    repository.write("sub/CLAUDE.md", "words\n");
    fs::write(repository.root.join("GEMINI.md"), b"\xff").expect("written");
    assert_eq!(statuses(&repository, "memory file"), ["problem", "ok", "problem", "note"]);
    repository.write("memfile.toml", "mnay = []\n");
    assert_eq!(statuses(&repository, "configuration"), ["problem"]);
    fs::remove_file(repository.root.join("memfile.toml")).expect("removed");
    repository.ends(0, &["hook", "install"]);
    crate::repository::set_mode(&repository.root.join(".git/hooks/pre-commit"), 0o644);
    assert_eq!(statuses(&repository, "git hooks"), ["ok", "problem"]);
    let state = repository.top().join("home/state/memfile");
    fs::create_dir_all(&state).expect("made");
    fs::write(state.join("journal.db"), "no journal").expect("written");
    assert_eq!(statuses(&repository, "journal"), ["problem"]);
}

#[test]
fn outside_a_repository_all_is_well_too() {
    let repository = Repository::without_git("r");
    assert_eq!(statuses(&repository, "repository"), ["note"]);
    assert_eq!(repository.memfile(&["doctor"]).code, 0);
}

#[test]
fn a_broken_configuration_is_named_where_no_file_is() {
    let repository = Repository::new("r");
    repository.write("memfile.toml", "managed-files = [\"notes.md\"]\nmnay = []\n");
    repository.write("notes.md", "- Port: 1\n");
    for file in ["notes.md", "AGENTS.md"] {
        repository.write(file, &facts(&["Port: 1"]));
        for args in [&["now"][..], &["set", "Port", "2"], &["accept", "Port"], &["present"], &["archive"]] {
            let said = repository.ends(2, args);
            assert!(said.err.contains("memfile.toml: line 2: unknown key `mnay`"), "{args:?}: {}", said.both());
        }
    }
}
