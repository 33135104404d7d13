//! What memfile keeps outside the tree is its owner's alone.

use crate::repository::{Repository, facts, mode, set_mode};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

const F: &str = "AGENTS.md";

fn walk(folder: &Path, found: &mut Vec<(String, bool, u32)>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        found.push((path.display().to_string(), path.is_dir(), mode(&path)));
        if path.is_dir() {
            walk(&path, found);
        }
    }
}

fn used() -> Repository {
    let repository = Repository::new("r");
    repository.write(F, &facts(&["Port: 1", "Team: a"]));
    repository.commit("facts");
    repository.write(F, &facts(&["Port: 2", "Team: a"]));
    repository.ends(0, &["fix"]);
    repository.ends(0, &["set", "Team", "b"]);
    repository.ends(0, &["history", "Port", "--git"]);
    repository
}

#[test]
fn the_journal_is_read_by_nobody_else() {
    let repository = used();
    let top = repository.top().join("home/state/memfile");
    assert_eq!(mode(&top), 0o700);
    assert_eq!(mode(&top.join("journal.db")), 0o600);
    let mut found = Vec::new();
    walk(&top, &mut found);
    let open: Vec<_> = found.iter().filter(|(_, is_folder, mode)| *is_folder && mode & 0o077 != 0).collect();
    assert!(open.is_empty(), "{open:?}");
    // A folder that was opened to others is closed by the next write.
    set_mode(&top, 0o755);
    repository.ends(0, &["set", "Team", "c"]);
    assert_eq!(mode(&top), 0o700);
}

#[test]
fn a_fallback_that_someone_else_could_write_is_refused() {
    let repository = Repository::new("r");
    repository.write(F, &facts(&["Port: 1"]));
    repository.commit("facts");
    repository.write(F, &facts(&["Port: 2"]));
    let text = repository.read(F);
    let temp = repository.top().join("tmp");
    fs::create_dir(&temp).expect("a folder");
    fs::write(repository.top().join("home/file"), "").expect("written");
    let fix = || {
        let mut program = repository.program("memfile", &repository.root);
        program.arg("fix").env("XDG_STATE_HOME", repository.top().join("home/file")).env("TMPDIR", &temp);
        program.output().expect("it starts").status.code()
    };
    let own = temp.join(format!("memfile-{}", repository.call("id", &temp, &["-u"]).out.trim()));
    fs::create_dir(&own).expect("a folder");
    set_mode(&own, 0o777);
    assert_eq!((fix(), repository.read(F)), (Some(2), text.clone()));
    fs::remove_dir(&own).expect("removed");
    // Nor is a link to a folder taken, whoever owns that.
    fs::create_dir(repository.top().join("planted")).expect("a folder");
    set_mode(&repository.top().join("planted"), 0o700);
    symlink(repository.top().join("planted"), &own).expect("linked");
    assert_eq!((fix(), repository.read(F)), (Some(2), text.clone()));
    fs::remove_file(&own).expect("removed");
    assert_eq!(fix(), Some(0));
    assert_eq!(mode(&own), 0o700);
}
