//! `hook run` in real commits: what is staged is judged, whatever way it was staged; the work tree is fixed or left.

use crate::repository::{Repository, TODAY, facts};
use std::fs;
use std::os::unix::fs::symlink;

const F: &str = "AGENTS.md";

/// A repository with the hooks and one commit.
fn with_hooks(lines: &[&str]) -> Repository {
    let repository = Repository::new("répo x");
    repository.write(F, &facts(lines));
    repository.commit("facts");
    repository.ends(0, &["hook", "install"]);
    repository
}

fn replaced(old: &str, new: &str) -> String {
    format!("{old} [historical] replaced by: {new} as of {TODAY}")
}

#[test]
fn every_way_to_stage_is_judged() {
    for args in
        [&["commit", "-qam", "x"][..], &["commit", "-qm", "x", F], &["commit", "-qm", "x", "-i", F], &["commit", "-qm", "x", "-o", F]]
    {
        let repository = with_hooks(&["Port: 1", "Team: a"]);
        let head = repository.git(&["rev-parse", "HEAD"]);
        repository.write(F, &facts(&["Port: 2", "Team: a"]));
        let said = repository.try_git(args);
        assert_eq!(said.code, 1, "{args:?}: {}", said.both());
        assert!(said.err.contains("git add -- AGENTS.md") && said.err.contains("--no-verify"), "{}", said.err);
        assert_eq!(repository.git(&["rev-parse", "HEAD"]), head);
        assert_eq!(repository.read(F), facts(&[&replaced("Port: 1", "2"), "Port: 2", "Team: a"]));
        let said = repository.try_git(args);
        assert_eq!(said.code, 0, "{args:?}: {}", said.both());
        assert!(said.both().trim().is_empty(), "a clean commit is silent: {}", said.both());
    }
}

#[test]
fn other_files_of_a_partial_commit_are_not_judged() {
    let repository = with_hooks(&["Port: 1"]);
    repository.write("a.txt", "a");
    repository.write(F, &facts(&["Port: 2"]));
    repository.git(&["add", "-A"]);
    // Only this file is in the index of that commit.
    assert_eq!(repository.try_git(&["commit", "-qm", "x", "a.txt"]).code, 0);
    assert_eq!(repository.try_git(&["commit", "-qm", "x"]).code, 1);
}

#[test]
fn the_way_out_is_written_for_where_the_person_stands() {
    let repository = with_hooks(&["Port: 1"]);
    let folder = "sub dir/данные it's";
    repository.write(&format!("{folder}/CLAUDE.md"), &facts(&["Host: a"]));
    repository.commit("more");
    repository.write(&format!("{folder}/CLAUDE.md"), &facts(&["Host: b"]));
    repository.write(F, &facts(&["Port: 2"]));
    let said = repository.call("git", &repository.root.join("sub dir"), &["commit", "-qam", "x"]);
    assert_eq!(said.code, 1);
    assert!(said.err.contains("git add -- ../AGENTS.md\n"), "{}", said.err);
    let line = said.err.lines().find(|line| line.contains("git add -- ") && line.contains("CLAUDE.md")).expect("a line for each file");
    let said = repository.call("sh", &repository.root.join("sub dir"), &["-c", line.trim()]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert_eq!(repository.git(&["show", &format!(":{folder}/CLAUDE.md")]), facts(&[&replaced("Host: a", "b"), "Host: b"]));
}

#[test]
fn a_partly_staged_file_gets_a_patch_that_the_index_takes() {
    let repository = with_hooks(&["Port: 1", "Team: a"]);
    repository.write(F, &facts(&["Port: 2", "Team: a"]));
    repository.git(&["add", F]);
    let working = facts(&["Port: 2", "Team: not yet"]);
    repository.write(F, &working);
    let said = repository.try_git(&["commit", "-qm", "x"]);
    assert_eq!(said.code, 1);
    assert!(said.err.contains("+- Port: 1 [historical]") && !said.err.contains("not yet"), "{}", said.err);
    assert!(said.err.contains("memfile hook run --diff | git apply --cached"), "{}", said.err);
    let said = repository.call("sh", &repository.root, &["-c", "memfile hook run --diff | git apply --cached"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert_eq!(repository.try_git(&["commit", "-qm", "x"]).code, 0);
    assert_eq!(repository.git(&["show", "HEAD:AGENTS.md"]), facts(&[&replaced("Port: 1", "2"), "Port: 2", "Team: a"]));
    assert_eq!(repository.read(F), working);
}

#[test]
fn line_endings_of_the_work_tree_do_not_make_it_another_text() {
    let repository = with_hooks(&["Port: 1"]);
    repository.git(&["config", "core.autocrlf", "true"]);
    repository.write(F, &facts(&["Port: 2"]).replace('\n', "\r\n"));
    repository.git(&["add", F]);
    assert_eq!(repository.try_git(&["commit", "-qm", "x"]).code, 1);
    assert_eq!(repository.read(F), facts(&[&replaced("Port: 1", "2"), "Port: 2"]).replace('\n', "\r\n"));
    repository.git(&["add", F]);
    assert_eq!(repository.try_git(&["commit", "-qm", "x"]).code, 0);
}

#[test]
fn the_first_commit_has_nothing_to_be_compared_with() {
    let repository = Repository::new("r");
    repository.ends(0, &["hook", "install"]);
    repository.write(F, &facts(&["Port: 1", "Port: 2"]));
    repository.git(&["add", "-A"]);
    let said = repository.try_git(&["commit", "-qm", "x"]);
    assert_eq!(said.code, 1, "two values without an order: {}", said.both());
    assert!(said.err.contains("two-current"), "{}", said.err);
    repository.write(F, &facts(&["Port: 1"]));
    repository.git(&["add", "-A"]);
    assert_eq!(repository.try_git(&["commit", "-qm", "x"]).code, 0);
}

#[test]
fn what_is_only_to_be_added_is_in_no_commit() {
    let repository = with_hooks(&["Port: 1"]);
    repository.write("CLAUDE.md", &facts(&["Host: a", "Host: b"]));
    repository.git(&["add", "-N", "CLAUDE.md"]);
    assert_eq!(repository.ends(0, &["hook", "run"]).both().trim(), "");
    repository.git(&["add", "CLAUDE.md"]);
    repository.ends(1, &["hook", "run"]);
}

#[test]
fn a_change_of_mode_or_a_rename_loses_nothing() {
    let repository = with_hooks(&["Port: 1", "Team: a", "Host: h", "Zone: z"]);
    crate::repository::run_by_anyone(&repository.root.join(F));
    repository.git(&["add", F]);
    assert_eq!(repository.try_git(&["commit", "-qm", "x"]).code, 0);
    fs::create_dir(repository.root.join("docs")).expect("made");
    repository.git(&["mv", F, "docs/CLAUDE.md"]);
    assert_eq!(repository.try_git(&["commit", "-qm", "x"]).code, 0);
    repository.git(&["mv", "docs/CLAUDE.md", "docs/notes.md"]);
    repository.write("docs/notes.md", &facts(&["Port: 2", "Team: a", "Host: h", "Zone: z"]));
    repository.git(&["add", "-A"]);
    assert_eq!(repository.try_git(&["commit", "-qm", "x"]).code, 1, "renamed away, and a value lost");
}

#[test]
fn a_link_in_the_place_of_a_file_is_judged_by_what_it_leads_to() {
    let repository = with_hooks(&["Port: 1"]);
    repository.write("CLAUDE.md", &facts(&["Port: 1"]));
    repository.commit("twice");
    fs::remove_file(repository.root.join("CLAUDE.md")).expect("removed");
    symlink(F, repository.root.join("CLAUDE.md")).expect("linked");
    repository.git(&["add", "-A"]);
    assert_eq!(repository.try_git(&["commit", "-qm", "x"]).code, 0);
    repository.write(F, &facts(&["Port: 2"]));
    repository.git(&["add", "-A"]);
    let said = repository.try_git(&["commit", "-qm", "x"]);
    assert_eq!((said.code, said.err.matches("git add --").count()), (1, 1), "{}", said.err);
}

#[test]
fn a_deleted_file_takes_its_facts_along_unless_they_moved() {
    let repository = with_hooks(&["Port: 1", "Team: a"]);
    repository.git(&["rm", "-q", F]);
    let said = repository.try_git(&["commit", "-qm", "x"]);
    assert_eq!(said.code, 1);
    assert!(said.err.contains("Port, Team") && said.err.contains("git restore --staged --worktree -- AGENTS.md"), "{}", said.err);
    repository.write("docs/MEMORY.md", &format!("{}- Host: other\n- Zone: z\n- Disk: 3\n- Size: 9\n", facts(&["Team: a", "Port: 1"])));
    repository.git(&["add", "-A"]);
    assert_eq!(repository.try_git(&["commit", "-qm", "x"]).code, 0);
    repository.write("GEMINI.md", "no facts\n");
    repository.commit("empty");
    repository.git(&["rm", "-q", "GEMINI.md"]);
    assert_eq!(repository.try_git(&["commit", "-qm", "x"]).code, 0);
}

#[test]
fn half_of_a_move_is_seen_and_not_repaired() {
    let repository = with_hooks(&["Port: 1", "Team: a"]);
    repository.write("CLAUDE.md", &facts(&["Host: h"]));
    repository.commit("more");
    repository.write(F, &facts(&["Port: 1"]));
    repository.write("CLAUDE.md", &facts(&["Host: h", "Team: a"]));
    repository.git(&["add", F]);
    let said = repository.try_git(&["commit", "-qm", "x"]);
    assert_eq!(said.code, 1, "{}", said.both());
    assert!(said.err.contains("stage the other memory files"), "{}", said.err);
    assert_eq!(repository.read(F), facts(&["Port: 1"]));
    repository.git(&["add", "-A"]);
    assert_eq!(repository.try_git(&["commit", "-qm", "x"]).code, 0);
}

#[test]
fn an_archive_counts_once_it_is_staged() {
    let old = replaced("Port: 1", "2");
    let repository = with_hooks(&[&old, "Port: 2"]);
    repository.ends(0, &["archive", "--keep", "0", "-f", F]);
    repository.git(&["add", F]);
    assert_eq!(repository.try_git(&["commit", "-qm", "x"]).code, 1, "the archive is not in the commit");
    repository.git(&["add", "-A"]);
    let said = repository.try_git(&["commit", "-qm", "x"]);
    assert_eq!(said.code, 0, "{}", said.both());
}

#[test]
fn warnings_are_told_and_do_not_stop() {
    let repository = with_hooks(&["Port: 1"]);
    repository.write(F, &facts(&["Port: 1", "Port: 1"]));
    repository.git(&["add", "-A"]);
    let said = repository.ends(0, &["hook", "run"]);
    assert!(said.out.contains("repeat"), "{}", said.out);
    repository.ends(1, &["hook", "run", "--fail-on", "warning"]);
    repository.write("memfile.toml", "fail-on = \"warning\"\n");
    repository.ends(1, &["hook", "run"]);
}

#[test]
fn only_judged_means_not_fixed() {
    let repository = with_hooks(&["Port: 1"]);
    let text = facts(&["Port: 2"]);
    repository.write(F, &text);
    repository.git(&["add", "-A"]);
    let said = repository.ends(1, &["hook", "run", "--no-fix"]);
    assert!(said.out.contains("@@"), "{}", said.out);
    assert_eq!(repository.read(F), text);
}

#[test]
fn amended_commits_are_compared_with_the_one_they_replace() {
    let repository = with_hooks(&["Port: 1", "Team: a"]);
    repository.write(F, &facts(&["Port: 1"]));
    repository.commit("lost, on purpose");
    repository.write("a.txt", "a");
    repository.git(&["add", "-A"]);
    assert_eq!(repository.try_git(&["commit", "-q", "--amend", "--no-edit"]).code, 0);
    assert_eq!(repository.try_git(&["commit", "-q", "--amend", "-m", "other words"]).code, 0);
    repository.write(F, &facts(&["Port: 2"]));
    assert_eq!(repository.try_git(&["commit", "-qa", "--amend", "--no-edit"]).code, 1);
}

#[test]
fn worktrees_and_submodules_have_their_own_index() {
    let repository = with_hooks(&["Port: 1"]);
    repository.git(&["worktree", "add", "-q", "../work tree", "-b", "side"]);
    let tree = repository.top().join("work tree");
    fs::write(tree.join(F), facts(&["Port: 2"])).expect("written");
    assert_eq!(repository.call("git", &tree, &["commit", "-qam", "x"]).code, 1);
    assert_eq!(fs::read_to_string(tree.join(F)).expect("a text"), facts(&[&replaced("Port: 1", "2"), "Port: 2"]));
    assert_eq!(repository.call("git", &tree, &["commit", "-qam", "x"]).code, 0);
    assert_eq!(repository.read(F), facts(&["Port: 1"]));

    repository.git_in(repository.top(), &["init", "-q", "-b", "main", "super"]);
    let outer = repository.top().join("super");
    repository.git_in(&outer, &["submodule", "--quiet", "add", &repository.root.to_string_lossy(), "inner"]);
    let inner = outer.join("inner");
    assert_eq!(repository.call("memfile", &inner, &["hook", "install"]).code, 0);
    assert!(outer.join(".git/modules/inner/hooks/pre-commit").is_file());
    fs::write(inner.join(F), facts(&["Port: 3"])).expect("written");
    assert_eq!(repository.call("git", &inner, &["commit", "-qam", "x"]).code, 1);
    assert_eq!(repository.call("git", &inner, &["commit", "-qam", "x"]).code, 0);
    assert_eq!(repository.call("git", &outer, &["commit", "-qm", "x"]).code, 0);
}

#[test]
fn a_work_tree_that_only_the_environment_names() {
    let repository = Repository::without_git("home dir");
    let git_dir = repository.top().join("dots.git");
    let dir = format!("--git-dir={}", git_dir.display());
    let tree = format!("--work-tree={}", repository.root.display());
    repository.git(&["init", "-q", "--bare", &git_dir.to_string_lossy()]);
    repository.write(F, &facts(&["Port: 1"]));
    let git = |args: &[&str]| repository.try_git(&[&[dir.as_str(), tree.as_str()], args].concat());
    assert_eq!(git(&["add", F]).code, 0);
    assert_eq!(git(&["commit", "-qm", "x"]).code, 0);
    let hook = git_dir.join("hooks/pre-commit");
    fs::create_dir_all(git_dir.join("hooks")).expect("made");
    fs::write(&hook, "#!/bin/sh\nmemfile hook run\n").expect("written");
    crate::repository::run_by_anyone(&hook);
    repository.write(F, &facts(&["Port: 2"]));
    let said = git(&["commit", "-qam", "x"]);
    assert_eq!(said.code, 1, "{}", said.both());
    assert_eq!(repository.read(F), facts(&[&replaced("Port: 1", "2"), "Port: 2"]));
}

#[test]
fn what_cannot_be_judged_stops_with_a_way_out() {
    let repository = Repository::without_git("r");
    let said = repository.ends(2, &["hook", "run"]);
    assert!(said.err.contains("--no-verify"), "{}", said.err);
    let repository = with_hooks(&["Port: 1"]);
    fs::write(repository.root.join(F), b"## Project memory\n\n- a: \xff\n").expect("written");
    repository.git(&["add", "-A"]);
    let said = repository.ends(2, &["hook", "run"]);
    assert!(said.err.contains("UTF-8") && said.err.contains("--no-verify"), "{}", said.err);
}

#[test]
fn the_range_of_the_framework_is_the_base() {
    let repository = with_hooks(&["Port: 1", "Team: a"]);
    repository.write(F, &facts(&["Port: 2", "Team: a"]));
    repository.commit("lost");
    repository.ends(0, &["hook", "run"]);
    let run = |args: &[&str]| {
        let mut command = repository.program("memfile", &repository.root);
        command.env("PRE_COMMIT_FROM_REF", "HEAD~1").env("PRE_COMMIT_TO_REF", "HEAD").args(["hook", "run"]).args(args);
        command.output().expect("memfile starts").status.code()
    };
    assert_eq!(run(&["--no-fix"]), Some(1));
    assert_eq!(repository.read(F), facts(&["Port: 2", "Team: a"]));
    assert_eq!(run(&[]), Some(1));
    assert!(repository.read(F).contains("Port: 1 [historical] replaced by: 2"), "{}", repository.read(F));
    repository.git(&["rm", "-qf", F]);
    repository.commit("all gone");
    assert_eq!(run(&[]), Some(1));
}
