//! The `Memfile-Accept` trailer in real commits: it says what the journal says, where git puts trailers, once.

use crate::repository::{Repository, facts};
use std::fs;

const F: &str = "AGENTS.md";

/// A repository with hooks in which a spelling was mended and accepted, not yet staged.
fn accepted() -> Repository {
    let repository = Repository::new("répo");
    repository.write(F, &facts(&["Database: Postgress 16", "Team: core", "Host: a"]));
    repository.commit("facts");
    repository.ends(0, &["hook", "install"]);
    repository.write(F, &facts(&["Database: Postgres 16", "Team: core", "Host: a"]));
    repository.ends(0, &["accept", "Database", "-f", F]);
    repository
}

const WITH: &str = "spelling\n\nMemfile-Accept: Database";

#[test]
fn a_message_from_the_command_line() {
    let repository = accepted();
    repository.git(&["commit", "-qam", "spelling"]);
    assert_eq!(repository.message(), WITH);
    // The next commit has nothing to say.
    repository.write("a.txt", "a");
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-qm", "other"]);
    assert_eq!(repository.message(), "other");
}

#[test]
fn only_what_is_staged_is_said() {
    let repository = accepted();
    repository.write("a.txt", "a");
    repository.git(&["add", "a.txt"]);
    repository.git(&["commit", "-qm", "other"]);
    assert_eq!(repository.message(), "other");
}

#[test]
fn an_amended_message_has_it_once() {
    let repository = accepted();
    repository.git(&["commit", "-qam", "spelling"]);
    repository.git(&["commit", "-q", "--amend", "--no-edit"]);
    assert_eq!(repository.message(), WITH);
    repository.write(F, &facts(&["Database: Postgres 16", "Team: the core", "Host: a"]));
    repository.ends(0, &["accept", "Team", "-f", F]);
    repository.git(&["commit", "-qa", "--amend", "--no-edit"]);
    assert_eq!(repository.message(), format!("{WITH}\nMemfile-Accept: Team"));
    // Made without hooks, and amended with them.
    repository.write(F, &facts(&["Database: Postgres 16", "Team: the core", "Host: A1"]));
    repository.ends(0, &["accept", "Host", "-f", F]);
    repository.git(&["-c", "core.hooksPath=/dev/null", "commit", "-qam", "host"]);
    assert_eq!(repository.message(), "host");
    repository.git(&["commit", "-q", "--amend", "--no-edit"]);
    assert_eq!(repository.message(), "host\n\nMemfile-Accept: Host");
}

#[test]
fn an_edited_message_has_it_above_the_comments() {
    let repository = accepted();
    let said = repository.edit("cp \"$1\" ../seen; sed -i '1s/^/spelling/' \"$1\"", &["commit", "-qa", "-v"]);
    assert_eq!(said.code, 0, "{}", said.both());
    assert_eq!(repository.message(), WITH);
    let seen = fs::read_to_string(repository.top().join("seen")).expect("seen");
    assert!(seen.starts_with("\n\nMemfile-Accept: Database\n\n# Please"), "{seen}");
}

#[test]
fn a_message_that_nobody_wrote_still_gives_the_commit_up() {
    let repository = accepted();
    let head = repository.git(&["rev-parse", "HEAD"]);
    let said = repository.edit(":", &["commit", "-qa"]);
    assert_ne!(said.code, 0, "{}", said.both());
    assert_eq!(repository.git(&["rev-parse", "HEAD"]), head);
    // Whoever takes the trailer out has the last word.
    assert_eq!(repository.edit("echo mine > \"$1\"", &["commit", "-qa"]).code, 0);
    assert_eq!(repository.message(), "mine");
}

#[test]
fn other_comment_characters_are_known() {
    for (key, value) in [("core.commentChar", ";"), ("core.commentChar", "auto"), ("core.commentString", "//")] {
        let repository = accepted();
        repository.git(&["config", key, value]);
        let said = repository.edit(":", &["commit", "-qae", "-m", "#1 spelling"]);
        assert_eq!(said.code, 0, "{value}: {}", said.both());
        assert_eq!(repository.message(), WITH.replace("spelling", "#1 spelling"), "{value}");
    }
}

#[test]
fn it_joins_other_trailers() {
    let repository = accepted();
    repository.git(&["commit", "-qas", "-m", "spelling", "-m", "Refs: 12"]);
    assert_eq!(repository.message(), "spelling\n\nRefs: 12\nSigned-off-by: Tess <t@x>\nMemfile-Accept: Database");
}

#[test]
fn a_rebase_keeps_it_and_adds_none() {
    let repository = accepted();
    repository.git(&["checkout", "-qb", "side"]);
    repository.git(&["commit", "-qam", "spelling"]);
    repository.git(&["checkout", "-q", "main"]);
    repository.write("a.txt", "a");
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-qm", "other"]);
    repository.git(&["checkout", "-q", "side"]);
    repository.git(&["rebase", "-q", "main"]);
    assert_eq!(repository.message(), WITH);
    repository.git(&["checkout", "-q", "main"]);
    repository.git(&["cherry-pick", "side"]);
    assert_eq!(repository.message(), WITH);
}

#[test]
fn a_merge_does_not_repeat_it_and_a_squash_says_it() {
    let repository = accepted();
    repository.git(&["checkout", "-qb", "side"]);
    repository.git(&["commit", "-qam", "spelling"]);
    repository.git(&["checkout", "-q", "main"]);
    repository.git(&["merge", "-q", "--no-ff", "--no-edit", "side"]);
    assert_eq!(repository.message(), "Merge branch 'side'");
    repository.git(&["reset", "-q", "--hard", "HEAD^"]);
    // On a machine without that journal the words of the branch are all there is.
    fs::remove_dir_all(repository.top().join("home/state")).expect("removed");
    repository.git(&["merge", "-q", "--squash", "side"]);
    let said = repository.edit(":", &["commit", "-q", "--no-verify"]);
    assert_eq!(said.code, 0, "{}", said.both());
    assert!(repository.message().ends_with("\n\nMemfile-Accept: Database"), "{}", repository.message());
    let said = repository.ends(0, &["check", F, "--base", "HEAD~1"]);
    assert!(!said.both().contains("overwritten"), "{}", said.both());
}

#[test]
fn what_was_reopened_is_said_where_no_journal_is() {
    let repository = Repository::new("r");
    repository.write(F, &facts(&["Port: 1 [historical] ended as of 2026-03", "Team: a"]));
    repository.commit("facts");
    repository.ends(0, &["hook", "install"]);
    repository.ends(0, &["reopen", "Port", "-f", F]);
    repository.git(&["commit", "-qam", "open again"]);
    assert_eq!(repository.message(), "open again\n\nMemfile-Accept: Port");
    fs::remove_dir_all(repository.top().join("home/state")).expect("removed");
    repository.ends(0, &["check", F, "--base", "HEAD~1"]);
}

#[test]
fn a_failure_never_stops_the_message() {
    let repository = accepted();
    let journal = repository.top().join("home/state/memfile/journal.db");
    fs::write(journal, "no journal").expect("written");
    repository.write("a.txt", "a");
    repository.git(&["add", "a.txt"]);
    assert_eq!(repository.try_git(&["commit", "-qm", "other"]).code, 0);
}
