//! Merges before they are committed: both sides count.

use crate::repository::{Repository, TODAY, facts};

const F: &str = "AGENTS.md";

/// Two branches that both changed the file, merged with a conflict.
fn merged(base: &[&str], ours: &[&str], theirs: &[&str], message: &str) -> Repository {
    let repository = Repository::new("r");
    repository.write(F, &facts(base));
    repository.commit("base");
    repository.git(&["checkout", "-qb", "side"]);
    repository.write(F, &facts(theirs));
    repository.commit(message);
    repository.git(&["checkout", "-q", "main"]);
    repository.write(F, &facts(ours));
    repository.commit("ours");
    repository.ends(0, &["hook", "install"]);
    assert_ne!(repository.try_git(&["merge", "-q", "--no-edit", "side"]).code, 0, "the branches must conflict");
    repository
}

#[test]
fn what_the_other_side_brought_is_not_dropped() {
    let tag = format!("Port: 1 [historical] replaced by: 2 as of {TODAY}");
    let repository = merged(&["Port: 1"], &[&tag, "Port: 2"], &["Port: 1", "Team: a"], "theirs");
    let said = repository.ends(2, &["hook", "run"]);
    assert!(said.err.contains("not merged yet"), "{}", said.err);
    // The resolution takes ours alone.
    repository.git(&["checkout", "-q", "--ours", F]);
    repository.git(&["add", F]);
    let said = repository.try_git(&["commit", "-q", "--no-edit"]);
    assert_eq!(said.code, 1, "{}", said.both());
    assert!(said.err.contains("Team: a") && !said.err.contains("    Port: 1"), "{}", said.err);
    repository.write(F, &facts(&[&tag, "Port: 2", "Team: a"]));
    repository.git(&["add", F]);
    let said = repository.try_git(&["commit", "-q", "--no-edit"]);
    assert_eq!(said.code, 0, "{}", said.both());
}

#[test]
fn what_this_side_has_is_not_dropped() {
    let repository = merged(&["Port: 1"], &["Port: 1", "Team: a"], &["Port: 1", "Host: h"], "theirs");
    repository.git(&["checkout", "-q", "--theirs", F]);
    repository.git(&["add", F]);
    let said = repository.try_git(&["commit", "-q", "--no-edit"]);
    assert_eq!(said.code, 1);
    assert!(repository.read(F).contains("Team: a [historical] removed as of"), "{}", repository.read(F));
}

#[test]
fn what_the_other_side_said_was_meant_is() {
    let theirs = "theirs\n\nMemfile-Accept: Port";
    let repository = merged(&["Port: 80"], &["Port: 80", "Team: a"], &["Port: 8080", "Host: h"], theirs);
    repository.write(F, &facts(&["Port: 8080", "Team: a", "Host: h"]));
    repository.git(&["add", F]);
    let said = repository.try_git(&["commit", "-q", "--no-edit"]);
    assert_eq!(said.code, 0, "{}", said.both());
    // Without that word it would be a loss.
    let repository = merged(&["Port: 80"], &["Port: 80", "Team: a"], &["Port: 8080", "Host: h"], "theirs");
    repository.write(F, &facts(&["Port: 8080", "Team: a", "Host: h"]));
    repository.git(&["add", F]);
    assert_eq!(repository.try_git(&["commit", "-q", "--no-edit"]).code, 1);
}

#[test]
fn what_was_wrong_before_the_merge_is_no_matter_of_it() {
    let repository = Repository::new("r");
    repository.write(F, &facts(&["Port: 1"]));
    repository.write("a.txt", "a");
    repository.commit("base");
    repository.git(&["checkout", "-qb", "side"]);
    repository.write("a.txt", "theirs");
    repository.commit("theirs");
    repository.git(&["checkout", "-q", "main"]);
    repository.write("a.txt", "ours");
    repository.write(F, &facts(&["Port: 1", "Host: a", "Host: b"]));
    repository.commit("two values that nothing orders");
    repository.ends(0, &["hook", "install"]);
    assert_ne!(repository.try_git(&["merge", "-q", "--no-edit", "side"]).code, 0);
    repository.write("a.txt", "both");
    repository.git(&["add", "a.txt"]);
    let said = repository.try_git(&["commit", "-q", "--no-edit"]);
    assert_eq!(said.code, 0, "{}", said.both());
    repository.write(F, &facts(&["Port: 1", "Host: a", "Host: b", "Zone: z"]));
    assert_eq!(repository.try_git(&["commit", "-qam", "x"]).code, 1);
}
