//! The replay counts what it should: on a small history, on losses, on edits that meet.

use super::*;
use std::process::Command;

fn git(folder: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    command.args(args).current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "Kim").env(format!("GIT_{who}_EMAIL"), "kim@otter.invalid");
        command.env(format!("GIT_{who}_DATE"), "2026-03-02T12:00:00Z");
    }
    assert!(command.status().expect("git is installed").success(), "git {args:?}");
}

#[test]
fn what_commits_take_out_comes_back_once_and_is_counted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (real, file) = (folder.path().canonicalize().expect("there"), folder.path().join("AGENTS.md"));
    git(&real, &["init", "-q"]);
    let texts = ["- Port: 1\n- Team: a\n", "- Port: 2\n- Team: a\n", "A word.\n\n- Port: 2\n- Team: a\n", "- Port: 3\n- Team: a\n"];
    for text in texts {
        std::fs::write(&file, format!("## Project memory\n\n{text}")).expect("written");
        git(&real, &["add", "."]);
        git(&real, &["commit", "-qm", "facts"]);
    }
    let repository = Repository::discover(&real).expect("a repository");
    let mut wanted = Wanted::default();
    let sums = |wanted: &Wanted| sums(&play_file(&repository, &real.join("AGENTS.md"), &Config::default(), wanted).expect("played"));
    let kept = sums(&wanted);
    assert_eq!((&kept["revisions"], &kept["lost"], &kept["faults"]), (&json!(4), &json!(0), &json!(0)), "{kept}");
    assert_eq!((&kept["findings"], &kept["further_lines"]), (&json!({ "overwritten": 2 }), &json!(2)), "{kept}");
    wanted.apart = true;
    assert_eq!(sums(&wanted)["brought_back"], json!(2));
}

#[test]
fn a_loss_is_seen_and_a_new_name_is_none() {
    let fact = |parameter: &str, value: &str| (parameter.to_owned(), value.to_owned());
    let was = BTreeMap::from([(fact("port", "1"), "Port: 1"), (fact("team", "a"), "Team: a")]);
    let is = BTreeMap::from([(fact("crew", "a"), "Crew: a")]);
    assert_eq!(lost(&was, &is, "- Crew: a\n"), ["port: 1"]);
    assert!(lost(&was, &is, "- Crew: a\n\nPort: 1\n").is_empty());
}

#[test]
fn both_edits_stand_where_they_do_not_meet() {
    let (theirs, own) = ("a\nb\nc\nd\n", "a\nB\nc\nd\n");
    assert_eq!(edited(theirs, own, "a\nb\nc\nd\ne\n"), "a\nB\nc\nd\ne\n");
    assert_eq!(edited(theirs, own, "a\nx\nc\nd\n"), own);
    assert_eq!(edited(theirs, own, "a\nx\nb\nc\nd\n"), "a\nx\nB\nc\nd\n");
}
