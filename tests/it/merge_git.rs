//! The merge driver as git calls it: merge, rebase, cherry-pick and revert in real repositories.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A repository, with a home and a state folder of its own, and memfile in `PATH`.
struct Repo {
    temp: tempfile::TempDir,
}

fn section(lines: &[&str]) -> String {
    lines.iter().fold("# Otter\n\nAbout otters.\n\n## Project memory\n\n".to_owned(), |text, line| format!("{text}- {line}\n"))
}

impl Repo {
    fn new() -> Self {
        let temp = tempfile::tempdir().expect("a temporary folder");
        let repo = Self { temp };
        fs::create_dir(repo.root()).expect("a folder");
        repo.git(&["init", "-q", "-b", "main"]);
        repo
    }

    fn root(&self) -> PathBuf {
        self.temp.path().join("otter brök")
    }

    fn started(&self, program: &str, args: &[&str]) -> Output {
        let bin = Path::new(env!("CARGO_BIN_EXE_memfile")).parent().expect("a folder").to_owned();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths([bin].into_iter().chain(std::env::split_paths(&path))).expect("a PATH");
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
            command.env_remove(name);
        }
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "Ann").env(format!("GIT_{who}_EMAIL"), "a@x");
            command.env(format!("GIT_{who}_DATE"), "2026-11-21T10:00:00Z");
        }
        let home = self.temp.path().join("home");
        command.env("HOME", &home).env("XDG_STATE_HOME", home.join("state")).env("PATH", path).env("LC_ALL", "C");
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").env("SOURCE_DATE_EPOCH", "1795953600");
        command.args(args).current_dir(self.root()).output().expect("it starts")
    }

    fn try_git(&self, args: &[&str]) -> Output {
        self.started("git", args)
    }

    fn git(&self, args: &[&str]) -> String {
        let output = self.try_git(args);
        assert!(output.status.success(), "git {args:?}: {}", said(&output));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn memfile(&self, args: &[&str]) -> Output {
        self.started(env!("CARGO_BIN_EXE_memfile"), args)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.root().join(name), text).expect("written");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.root().join(name)).expect("read")
    }

    fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// As `hook install --merge` does, but for the name of this program, which is no memfile.
    fn install(&self) {
        self.session().install_merge_driver().expect("installed");
        let driver = self.git(&["config", "merge.memfile.driver"]);
        let own = std::env::current_exe().expect("a path");
        self.git(&["config", "merge.memfile.driver", &driver.replace(&format!("'{}'", own.display()), "memfile")]);
    }

    fn session(&self) -> memfile::app::Session {
        memfile::app::Session::new(fs::canonicalize(self.root()).expect("there"))
    }

    /// A base on `main`, a branch `theirs` and a commit on `main` beside it.
    fn branches(&self, base: &str, ours: &str, theirs: &str) {
        self.write("AGENTS.md", base);
        self.commit("base");
        self.install();
        self.commit("driver");
        self.git(&["checkout", "-q", "-b", "theirs"]);
        self.write("AGENTS.md", theirs);
        self.commit("their change");
        self.git(&["checkout", "-q", "main"]);
        self.write("AGENTS.md", ours);
        self.commit("our change");
    }
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

const PORT: [&str; 2] = ["Port: 1 (since 2026-01-01) [historical] replaced by: 2 as of 2026-02-01", "Port: 2 (since 2026-02-01)"];
const TEAM: [&str; 2] =
    ["Team: core (since 2026-01-01) [historical] replaced by: platform as of 2026-03-01", "Team: platform (since 2026-03-01)"];

fn neighbours(repo: &Repo) -> String {
    let (port, team) = ("Port: 1 (since 2026-01-01)", "Team: core (since 2026-01-01)");
    repo.branches(&section(&[port, team]), &section(&[PORT[0], PORT[1], team]), &section(&[port, TEAM[0], TEAM[1]]));
    section(&[PORT[0], PORT[1], TEAM[0], TEAM[1]])
}

#[test]
fn a_merge_keeps_both_sides() {
    let repo = Repo::new();
    let want = neighbours(&repo);
    repo.git(&["merge", "-q", "--no-edit", "theirs"]);
    assert_eq!(repo.read("AGENTS.md"), want);
    let checked = repo.memfile(&["check"]);
    assert!(checked.status.success(), "{}", said(&checked));
}

#[test]
fn a_rebase_and_a_cherry_pick_keep_both_sides() {
    let repo = Repo::new();
    let want = neighbours(&repo);
    repo.git(&["branch", "copy", "theirs"]);
    repo.git(&["rebase", "-q", "main", "theirs"]);
    assert_eq!(repo.read("AGENTS.md"), want);
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["cherry-pick", "copy"]);
    assert_eq!(repo.read("AGENTS.md"), want);
}

#[test]
fn two_values_without_dates_are_a_conflict_with_the_names_of_git() {
    let repo = Repo::new();
    let base = section(&["Port: 1", "Team: core", "Zone: a"]);
    let ours = section(&["Port: 1 [historical] replaced by: 2 as of 2026-11-21", "Port: 2", "Team: core", "Zone: a"]);
    let theirs = section(&["Port: 1 [historical] replaced by: 3 as of 2026-11-21", "Port: 3", "Team: core", "Zone: b"]);
    repo.branches(&base, &ours, &theirs);
    repo.git(&["config", "merge.conflictStyle", "diff3"]);
    let merged = repo.try_git(&["merge", "--no-edit", "theirs"]);
    assert_eq!(merged.status.code(), Some(1), "{}", said(&merged));
    assert!(said(&merged).contains("`Port`"), "{}", said(&merged));
    let text = repo.read("AGENTS.md");
    let base_name = text.lines().find(|line| line.starts_with("|||||||")).expect("the base is shown").to_owned();
    let want = format!(
        "# Otter\n\nAbout otters.\n\n## Project memory\n\n<<<<<<< HEAD\n- Port: 1 [historical] replaced by: 2 as of 2026-11-21\n- Port: 2\n\
         {base_name}\n- Port: 1\n=======\n- Port: 1 [historical] replaced by: 3 as of 2026-11-21\n- Port: 3\n>>>>>>> theirs\n- Team: core\n- Zone: b\n"
    );
    assert_eq!(text, want);
    assert_eq!(repo.git(&["diff", "--name-only", "--diff-filter=U"]), "AGENTS.md");
    // Nothing can be written or merged into such a text.
    let fixed = repo.memfile(&["fix", "AGENTS.md"]);
    assert_eq!((fixed.status.code(), repo.read("AGENTS.md")), (Some(1), want));
}

#[test]
fn a_revert_brings_the_former_value_back_and_keeps_the_other() {
    let repo = Repo::new();
    repo.write("AGENTS.md", &section(&["Port: 1", "Team: core"]));
    repo.commit("base");
    repo.install();
    repo.commit("driver");
    repo.write("AGENTS.md", &section(&["Port: 1 [historical] replaced by: 2 as of 2026-11-20", "Port: 2", "Team: core"]));
    let change = repo.commit("port 2");
    repo.write("AGENTS.md", &section(&["Port: 1 [historical] replaced by: 2 as of 2026-11-20", "Port: 2", "Team: core", "Zone: a"]));
    repo.commit("zone");
    repo.git(&["revert", "--no-edit", &change]);
    let want = section(&[
        "Port: 1 [historical] replaced by: 2 as of 2026-11-20",
        "Port: 2 [historical] replaced by: 1",
        "Port: 1",
        "Team: core",
        "Zone: a",
    ]);
    assert_eq!(repo.read("AGENTS.md"), want);
    // A fact that the commit added goes with it: that is what was asked for.
    let added = repo.git(&["rev-parse", "HEAD~1"]);
    repo.write("AGENTS.md", &want.replace("- Team: core", "- Team: core, and Ann"));
    repo.commit("team");
    repo.git(&["revert", "--no-edit", &added]);
    assert_eq!(repo.read("AGENTS.md"), want.replace("- Team: core", "- Team: core, and Ann").replace("- Zone: a\n", ""));
}

#[test]
fn a_criss_cross_merges() {
    let repo = Repo::new();
    let base = section(&["Port: 1", "Team: core"]);
    repo.branches(&base, &section(&["Port: 2", "Team: core"]), &section(&["Port: 3", "Team: core"]));
    repo.git(&["branch", "ours"]);
    for (branch, other, port) in [("main", "theirs", "2"), ("theirs", "ours", "3")] {
        repo.git(&["checkout", "-q", branch]);
        assert_eq!(repo.try_git(&["merge", "-q", "--no-edit", other]).status.code(), Some(1));
        repo.write("AGENTS.md", &section(&[&format!("Port: {port}"), "Team: core", &format!("Side: {port}")]));
        repo.commit("merged");
    }
    repo.git(&["checkout", "-q", "main"]);
    let merged = repo.try_git(&["merge", "-q", "--no-edit", "theirs"]);
    let text = repo.read("AGENTS.md");
    assert_eq!(merged.status.code(), Some(1), "{}\n{text}", said(&merged));
    assert!(text.contains("<<<<<<< HEAD\n- Port: 2\n") && text.contains("\n- Port: 3\n"), "{text}");
}

#[test]
fn a_file_that_cannot_be_read_is_left_as_it_is() {
    let repo = Repo::new();
    repo.write("a", "x\n");
    fs::write(repo.root().join("b"), b"\xff\n").expect("written");
    repo.write("c", "y\n");
    let done = repo.memfile(&["merge", "a", "c", "b"]);
    assert_eq!((done.status.code(), repo.read("c").as_str()), (Some(2), "y\n"), "{}", said(&done));
    assert!(said(&done).contains("UTF-8"), "{}", said(&done));
    // A broken configuration is no reason to lose a side.
    repo.write("memfile.toml", "mnay = []\n");
    let [base, ours, theirs] = [["Port: 1"], ["Port: 2"], ["Port: 3"]].map(|lines| section(&lines));
    repo.write("a", &base);
    repo.write("b", &ours);
    repo.write("c", &theirs);
    let done = repo.memfile(&["merge", "a", "b", "c", "9", "AGENTS.md"]);
    assert_eq!(done.status.code(), Some(1), "{}", said(&done));
    assert!(said(&done).contains("line by line"), "{}", said(&done));
    assert!(repo.read("b").contains("<<<<<<<<< ours\n- Port: 2\n=========\n- Port: 3\n>>>>>>>>> theirs\n"), "{}", repo.read("b"));
}

#[test]
fn what_is_installed_is_taken_out_again() {
    for before in [None, Some("*.png binary"), Some("AGENTS.md text eol=lf\r\n*.md merge=union\r\n"), Some("\u{feff}# ours\n")] {
        let repo = Repo::new();
        repo.write("AGENTS.md", &section(&["Port: 1"]));
        repo.write("MEMORY.md", "- x\n");
        fs::create_dir_all(repo.root().join("bank of facts")).expect("a folder");
        repo.write("bank of facts/tech.md", "- Port: 1\n");
        repo.write("memfile.toml", "managed-files = [\"bank of facts/*.md\"]\n");
        if let Some(text) = before {
            repo.write(".gitattributes", text);
        }
        let config = repo.read(".git/config");
        let session = repo.session();
        let status = || session.merge_driver_status().expect("a status");
        assert!(!status().is_installed());
        let done = session.install_merge_driver().expect("installed");
        let again = session.install_merge_driver().expect("installed");
        assert_eq!((again.added.len(), again.configured), (0, false), "{before:?}");
        let text = repo.read(".gitattributes");
        if before.is_some_and(|text| text.contains("merge=union")) {
            assert_eq!((done.added.len(), done.kept.len()), (0, 3), "{done:?}");
            assert!(!status().is_installed());
        } else {
            assert_eq!(done.added, ["\"/bank of facts/tech.md\"", "AGENTS.md", "MEMORY.md"]);
            assert!(text.contains("\nAGENTS.md merge=memfile\n") && status().is_installed(), "{text:?}");
        }
        assert!(text.ends_with(before.unwrap_or_default().trim_start_matches('\u{feff}')), "{text:?}");
        let removed = session.remove_merge_driver().expect("removed");
        assert!(removed.settings, "{before:?}");
        let left = fs::read_to_string(repo.root().join(".gitattributes")).ok();
        assert_eq!((left.as_deref(), repo.read(".git/config")), (before, config));
        assert_eq!(session.remove_merge_driver().expect("removed"), memfile::app::DriverRemoved::default());
    }
}

#[test]
fn without_memfile_git_merges_lines() {
    let repo = Repo::new();
    let _ = neighbours(&repo);
    let driver = repo.git(&["config", "merge.memfile.driver"]).replace("command -v memfile", "command -v no-memfile-here");
    repo.git(&["config", "merge.memfile.driver", &driver]);
    let merged = repo.try_git(&["merge", "-q", "--no-edit", "theirs"]);
    assert_eq!(merged.status.code(), Some(1), "{}", said(&merged));
    assert!(repo.read("AGENTS.md").contains("<<<<<<<"), "both sides are there with markers: {}", repo.read("AGENTS.md"));
}

#[test]
fn what_was_declared_stays_out() {
    let base = section(&["Port: 1", "Team: core", "Zone: a", "Host: quay"]);
    let repo = Repo::new();
    repo.branches(&base, &section(&["Port: 1", "Team: core", "Zone: b", "Host: quay"]), &section(&["Port: 1", "Zone: a", "Host: quay"]));
    repo.git(&["checkout", "-q", "theirs"]);
    // By the journal of this machine, and by a trailer where that is not; the third is just gone, and stays.
    let dropped = repo.memfile(&["drop", "Port", "--yes"]);
    assert!(dropped.status.success(), "{}", said(&dropped));
    repo.commit("no port");
    repo.write("AGENTS.md", &section(&["Zone: a"]));
    repo.commit("no host\n\nMemfile-Accept: Host");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "--no-edit", "theirs"]);
    assert_eq!(repo.read("AGENTS.md"), section(&["Team: core", "Zone: b"]));
}

#[test]
fn a_file_below_with_a_name_of_its_own_has_its_configuration() {
    let repo = Repo::new();
    fs::create_dir_all(repo.root().join("bank of facts")).expect("a folder");
    repo.write("memfile.toml", "managed-files = [\"bank of facts/*.md\"]\n");
    let name = "bank of facts/tech stack.md";
    repo.write(name, "- Port: 1\n- Team: core\n");
    repo.commit("base");
    repo.install();
    repo.commit("driver");
    repo.git(&["checkout", "-q", "-b", "theirs"]);
    repo.write(name, "- Port: 1\n- Team: core [historical] replaced by: app as of 2026-03-01\n- Team: app\n");
    repo.commit("theirs");
    repo.git(&["checkout", "-q", "main"]);
    repo.write(name, "- Port: 1 [historical] replaced by: 2 as of 2026-02-01\n- Port: 2\n- Team: core\n");
    repo.commit("ours");
    repo.git(&["merge", "-q", "--no-edit", "theirs"]);
    let want = "- Port: 1 [historical] replaced by: 2 as of 2026-02-01\n- Port: 2\n- Team: core [historical] replaced by: app as of 2026-03-01\n- Team: app\n";
    assert_eq!(repo.read(name), want);
}
