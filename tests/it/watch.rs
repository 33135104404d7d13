//! `memfile watch` with real processes, real git and the ways in which editors save. What a watch leaves alone is waited for, too: it
//! tells each look as a line of JSON.

#![cfg(all(unix, feature = "watch"))]

use crate::living::{Home, Watch, memory};
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};

const FILE: &str = "AGENTS.md";
const QUICK: [&str; 3] = [FILE, "--quiet", "200ms"];
const KEPT: &str = "- Port: 1 [historical] replaced by: 2 as of 2026-11-29\n- Port: 2\n";

/// A committed file with a port and a team.
fn home() -> Home {
    let home = Home::new();
    home.write(FILE, &memory(&["Port: 1", "Team: core"]));
    home.commit("first");
    home
}

fn port(number: u32) -> String {
    memory(&[&format!("Port: {number}"), "Team: core"])
}

#[test]
fn an_overwritten_value_is_kept_though_nobody_committed_it() {
    let home = home();
    let mut watch = home.watch(&QUICK);
    watch.settled(FILE);
    home.rename_over(FILE, &port(2));
    watch.fixed(FILE);
    assert!(home.read(FILE).contains(KEPT), "{}", home.read(FILE));
    // In place this time.
    home.write(FILE, &home.read(FILE).replace("- Port: 2\n", "- Port: 3\n"));
    watch.fixed(FILE);
    let text = home.read(FILE);
    assert!(text.contains("- Port: 1 [historical] replaced by: 2"), "{text}");
    assert!(text.contains("- Port: 2 [historical] replaced by: 3 as of 2026-11-29\n- Port: 3\n"), "{text}");
    assert_eq!(home.names(), [".git", FILE]);
}

#[test]
fn what_breaks_no_rule_is_not_written() {
    let home = home();
    let mut watch = home.watch(&QUICK);
    watch.settled(FILE);
    home.rename_over(FILE, &memory(&["Port: 1", "Team: core", "Cache: Redis"]));
    let before = fs::metadata(home.at(FILE)).expect("there");
    watch.settled(FILE);
    let after = fs::metadata(home.at(FILE)).expect("there");
    assert_eq!((before.ino(), before.mtime_nsec()), (after.ino(), after.mtime_nsec()));
    // An uncommitted value that settled is history once it is overwritten.
    home.rename_over(FILE, &memory(&["Port: 1", "Team: core", "Cache: Valkey"]));
    watch.fixed(FILE);
    assert!(home.read(FILE).contains("- Cache: Redis [historical] replaced by: Valkey"), "{}", home.read(FILE));
}

#[test]
fn values_between_two_settles_are_drafts() {
    let home = home();
    let mut watch = home.watch(&[FILE, "--quiet", "1s"]);
    watch.settled(FILE);
    for number in 2..6 {
        home.rename_over(FILE, &port(number));
    }
    watch.fixed(FILE);
    let text = home.read(FILE);
    assert!(text.contains("- Port: 1 [historical] replaced by: 5 as of 2026-11-29\n- Port: 5\n"), "{text}");
}

#[test]
fn git_moves_the_file_and_nothing_is_restored() {
    let home = home();
    let one = home.read(FILE);
    home.git(&["checkout", "-q", "-b", "other"]);
    let two = memory(&["Port: 2", "Team: tools", "Zone: y"]);
    home.write(FILE, &two);
    home.commit("other");
    home.git(&["checkout", "-q", "main"]);
    let mut watch = home.watch(&QUICK);
    watch.settled(FILE);

    home.git(&["checkout", "-q", "other"]);
    watch.rests(FILE, "git");
    assert_eq!(home.read(FILE), two);
    home.git(&["checkout", "-q", "main"]);
    watch.rests(FILE, "git");
    assert_eq!(home.read(FILE), one);

    home.rename_over(FILE, &port(9));
    watch.fixed(FILE);
    let kept = home.read(FILE);
    assert!(kept.contains("- Port: 1 [historical] replaced by: 9") && !kept.contains("Port: 2"), "{kept}");
    home.git(&["stash", "-q"]);
    watch.rests(FILE, "git");
    assert_eq!(home.read(FILE), one);
    home.git(&["stash", "pop", "-q"]);
    watch.settled(FILE);
    assert_eq!(home.read(FILE), kept);

    // A merge that stops, and its end.
    home.commit("nine");
    assert!(!home.try_git(&["merge", "-q", "other"]));
    let marked = home.read(FILE);
    watch.rests(FILE, "git-busy");
    assert_eq!(home.read(FILE), marked);
    home.git(&["checkout", "-q", "--theirs", FILE]);
    home.git(&["add", FILE]);
    home.git(&["commit", "-q", "--no-edit"]);
    watch.rests(FILE, "git");
    assert_eq!(home.read(FILE), two);

    // The other branch goes on; a rebase takes its change over.
    home.git(&["checkout", "-q", "-b", "third", "HEAD~1"]);
    watch.rests(FILE, "git");
    home.write("x.txt", "x");
    home.commit("x");
    home.git(&["rebase", "-q", "main"]);
    watch.rests(FILE, "git");
    assert_eq!(home.read(FILE), two);
    assert!(watch.pending().iter().all(|event| event["event"] != "fixed"));
}

#[test]
fn a_pull_moves_the_file() {
    let home = home();
    home.git(&["clone", "-q", ".", "../theirs"]);
    let theirs = home.root().parent().expect("a folder").join("theirs");
    home.git(&["remote", "add", "theirs", &theirs.to_string_lossy()]);
    fs::write(theirs.join(FILE), memory(&["Port: 7", "Team: core"])).expect("written");
    home.git(&["-C", &theirs.to_string_lossy(), "commit", "-qam", "seven"]);
    let mut watch = home.watch(&QUICK);
    watch.settled(FILE);
    home.git(&["pull", "-q", "theirs", "main"]);
    watch.rests(FILE, "git");
    assert_eq!(home.read(FILE), port(7));
}

#[test]
fn a_commit_of_the_text_under_watch_is_no_edit() {
    let home = home();
    let mut watch = home.watch(&[FILE, "--quiet", "1s"]);
    watch.settled(FILE);
    home.rename_over(FILE, &port(2));
    home.git(&["commit", "-qam", "two"]);
    watch.rests(FILE, "git");
    assert_eq!(home.read(FILE), port(2));
    // What was committed while nothing changed is the baseline, and so is what settled after it.
    home.rename_over(FILE, &port(3));
    watch.fixed(FILE);
    home.git(&["add", FILE]);
    home.git(&["commit", "-qm", "three"]);
    home.rename_over(FILE, &home.read(FILE).replace("- Port: 3\n", "- Port: 4\n"));
    watch.fixed(FILE);
    let text = home.read(FILE);
    assert!(text.contains("- Port: 2 [historical] replaced by: 3") && text.contains("- Port: 3 [historical] replaced by: 4"), "{text}");
}

#[test]
fn a_work_tree_of_its_own_is_watched_with_its_own_index() {
    let home = home();
    home.git(&["worktree", "add", "-q", "-b", "side", "../side tree"]);
    let side = home.root().parent().expect("a folder").join("side tree");
    let path = side.join(FILE).to_string_lossy().into_owned();
    let mut watch = home.watch(&[&path, "--quiet", "200ms"]);
    watch.wait(|event| event["event"] == "settled");
    fs::write(&path, port(2)).expect("written");
    watch.wait(|event| event["event"] == "fixed");
    home.git(&["-C", &side.to_string_lossy(), "checkout", "-q", "--", FILE]);
    watch.wait(|event| event["why"] == "git");
    assert_eq!(fs::read_to_string(&path).expect("there"), port(1));
}

#[test]
fn commands_of_a_person_are_not_taken_back() {
    let home = home();
    let mut watch = home.watch(&QUICK);
    watch.settled(FILE);
    home.ok(&["set", "Port", "2", "-f", FILE]);
    watch.rests(FILE, "meant");
    let set = home.read(FILE);
    home.ok(&["set", "Port", "3", "-f", FILE]);
    watch.rests(FILE, "meant");
    home.ok(&["undo", "-f", FILE]);
    watch.rests(FILE, "meant");
    assert_eq!(home.read(FILE), set);

    // What the watch itself wrote, too.
    let edited = set.replace("- Team: core\n", "- Team: tools\n");
    home.rename_over(FILE, &edited);
    watch.fixed(FILE);
    home.ok(&["undo", "-f", FILE]);
    watch.rests(FILE, "meant");
    assert_eq!(home.read(FILE), edited);

    home.ok(&["add", "Cache", "Redis", "-f", FILE]);
    watch.rests(FILE, "meant");
    home.ok(&["drop", "Cache", "--yes", "-f", FILE]);
    watch.rests(FILE, "meant");
    assert!(!home.read(FILE).contains("Redis"));

    home.ok(&["add", "Pin", "4711", "-f", FILE]);
    watch.rests(FILE, "meant");
    home.ok(&["forget", "Pin", "--yes", "-f", FILE]);
    watch.rests(FILE, "meant");
    let forgotten = home.read(FILE);
    assert!(forgotten.contains("[redacted]") && !forgotten.contains("4711"), "{forgotten}");
    home.rename_over(FILE, &forgotten.replace("- Team: tools\n", "- Team: infra\n"));
    watch.fixed(FILE);
    assert!(!home.read(FILE).contains("4711") && !home.read(FILE).contains("Redis"), "{}", home.read(FILE));

    // Accepted: the edit stays one, whatever is edited next.
    home.rename_over(FILE, &home.read(FILE).replace("- Port: 2\n", "- Port: two\n"));
    watch.fixed(FILE);
    home.ok(&["undo", "-f", FILE]);
    watch.rests(FILE, "meant");
    home.rename_over(FILE, &home.read(FILE).replace("- Team: infra\n", "- Team: infra\n- Zone: y\n"));
    watch.settled(FILE);
    assert!(home.read(FILE).contains("- Port: two\n") && !home.read(FILE).contains("replaced by: two"), "{}", home.read(FILE));
}

#[test]
fn a_command_acts_at_once_beside_a_watch_that_does() {
    let home = home();
    let mut watch = home.watch(&[FILE, "--quiet", "0"]);
    watch.settled(FILE);
    for number in 2..8 {
        home.ok(&["set", "Port", &number.to_string(), "-f", FILE]);
        watch.rests(FILE, "meant");
        home.ok(&["undo", "-f", FILE]);
        // With no quiet time the watch may look once for both.
        watch.wait(|event| event["why"] == "meant" || event["why"] == "git");
        assert_eq!(home.read(FILE), port(1));
    }
    assert!(watch.pending().iter().all(|event| event["event"] != "fixed"));
}

#[test]
fn files_come_and_go() {
    let home = home();
    let mut watch = home.watch(&["--quiet", "200ms"]);
    watch.settled(FILE);
    // A new file in a new folder below a new folder.
    home.write("app/web/CLAUDE.md", &memory(&["Build: make"]));
    watch.settled("app/web/CLAUDE.md");
    home.rename_over("app/web/CLAUDE.md", &memory(&["Build: just"]));
    watch.fixed("app/web/CLAUDE.md");
    assert!(home.read("app/web/CLAUDE.md").contains("- Build: make [historical] replaced by: just"));
    // A new file beside the old one; an ignored folder; a file of another name.
    home.write("GEMINI.md", &memory(&["Model: small"]));
    watch.settled("GEMINI.md");
    // Deleted, and made again.
    fs::remove_file(home.at(FILE)).expect("removed");
    watch.rests(FILE, "missing");
    home.write(FILE, &port(2));
    watch.fixed(FILE);
    assert!(home.read(FILE).contains(KEPT));
    // The folder goes with the file, and comes back.
    fs::remove_dir_all(home.at("app")).expect("removed");
    watch.rests("app/web/CLAUDE.md", "missing");
    home.write("app/web/CLAUDE.md", &memory(&["Build: ninja"]));
    watch.fixed("app/web/CLAUDE.md");
    assert!(home.read("app/web/CLAUDE.md").contains("- Build: just [historical] replaced by: ninja"));
    // Another folder takes its place; its records are where it went, so nothing is lost.
    fs::rename(home.at("app"), home.at("old")).expect("renamed");
    home.write("app/web/CLAUDE.md", &memory(&["Build: bazel"]));
    let mut left = vec!["app/web/CLAUDE.md", "old/web/CLAUDE.md"];
    while !left.is_empty() {
        let event = watch.wait(|event| event["event"] == "settled");
        left.retain(|name| event["file"] != *name);
    }
    home.rename_over("app/web/CLAUDE.md", &memory(&["Build: buck"]));
    watch.fixed("app/web/CLAUDE.md");
}

#[test]
fn a_file_that_is_not_there_yet_is_waited_for() {
    let home = Home::without_git();
    let mut watch = home.watch(&["notes/deep/AGENTS.md", "--quiet", "200ms"]);
    home.write("notes/deep/AGENTS.md", &memory(&["Port: 1"]));
    watch.settled("notes/deep/AGENTS.md");
    home.rename_over("notes/deep/AGENTS.md", &memory(&["Port: 2"]));
    watch.fixed("notes/deep/AGENTS.md");
    assert!(home.read("notes/deep/AGENTS.md").contains(KEPT));
    // Outside of git what settled is accepted: the next watch, or check, begins there.
    watch.signal("TERM");
    assert_eq!(watch.end(), Some(0));
    home.write("notes/deep/AGENTS.md", &memory(&["Port: 3"]));
    let output = home.run(&["check", "notes/deep/AGENTS.md", "--output-format", "concise"]);
    let found = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(found.contains("overwritten"), "{found}");
}

#[test]
fn what_settles_untracked_in_a_repository_is_accepted() {
    let home = Home::new();
    home.write(FILE, &port(1));
    let mut watch = home.watch(&QUICK);
    watch.settled(FILE);
    home.rename_over(FILE, &memory(&["Port: 1", "Team: core", "Cache: Redis"]));
    watch.settled(FILE);
    watch.signal("TERM");
    assert_eq!(watch.end(), Some(0));
    home.write(FILE, &memory(&["Port: 1", "Team: core", "Cache: Valkey"]));
    home.ok(&["fix", FILE]);
    assert!(home.read(FILE).contains("- Cache: Redis [historical] replaced by: Valkey"), "{}", home.read(FILE));
}

#[test]
fn a_link_is_followed_and_stays_one() {
    let home = home();
    home.write("docs/real.md", &memory(&["Port: 1", "Team: core"]));
    symlink("docs/real.md", home.at("CLAUDE.md")).expect("linked");
    let mut watch = home.watch(&["CLAUDE.md", "--quiet", "200ms"]);
    watch.settled("CLAUDE.md");
    home.rename_over("docs/real.md", &port(2));
    watch.fixed("CLAUDE.md");
    assert!(home.read("docs/real.md").contains(KEPT) && home.at("CLAUDE.md").is_symlink());
    // The link is turned to another file.
    fs::remove_file(home.at("CLAUDE.md")).expect("removed");
    symlink(FILE, home.at("CLAUDE.md")).expect("linked");
    watch.rests("CLAUDE.md", "git");
    home.rename_over(FILE, &port(2));
    watch.fixed("CLAUDE.md");
    assert!(home.read(FILE).contains(KEPT));
}

#[test]
fn an_empty_file_is_waited_for_and_a_broken_one_does_not_end_the_watch() {
    let home = home();
    home.write("CLAUDE.md", &memory(&["Build: make"]));
    home.commit("more");
    let mut watch = home.watch(&["--quiet", "200ms"]);
    watch.settled(FILE);
    home.write(FILE, "");
    watch.rests(FILE, "empty");
    fs::write(home.at("CLAUDE.md"), b"- Build: \xff\n").expect("written");
    watch.wait(|event| event["event"] == "problem" && event["message"].as_str().is_some_and(|text| text.contains("not UTF-8")));
    home.write(FILE, &port(2));
    watch.fixed(FILE);
    assert!(home.read(FILE).contains(KEPT));
    home.rename_over("CLAUDE.md", &memory(&["Build: just"]));
    watch.fixed("CLAUDE.md");
    watch.signal("INT");
    assert_eq!(watch.end(), Some(0));
    assert_eq!(home.names(), [".git", FILE, "CLAUDE.md"]);
}

#[test]
fn a_formatter_has_its_way_in_the_end() {
    let home = home();
    let mut watch = home.watch(&[FILE, "--quiet", "100ms"]);
    watch.settled(FILE);
    let formatted = port(2);
    home.rename_over(FILE, &formatted);
    let mut writes = 0;
    loop {
        let event = watch.wait(|event| event["event"] == "fixed" || event["why"] == "ping-pong");
        if event["event"] != "fixed" {
            break;
        }
        writes += 1;
        home.rename_over(FILE, &formatted);
    }
    assert_eq!((writes, home.read(FILE)), (3, formatted));
    home.rename_over(FILE, &port(4));
    watch.fixed(FILE);
    // What the watch had written last is what it compares with.
    let text = home.read(FILE);
    assert!(text.contains("- Port: 1 [historical] replaced by: 2") && text.contains("- Port: 2 [historical] replaced by: 4"), "{text}");
}

#[test]
fn a_loss_that_a_person_must_decide_about_is_told_and_not_forgotten() {
    let home = Home::new();
    let all = memory(&["Port: 1", "Team: core", "Cache: Redis", "Zone: x", "Owner: ann"]);
    home.write(FILE, &all);
    home.commit("first");
    let mut watch = home.watch(&QUICK);
    watch.settled(FILE);
    home.rename_over(FILE, &memory(&["Port: 1"]));
    let event = watch.wait(|event| event["event"] == "settled");
    assert!(event["findings"].to_string().contains("mass-loss"), "{event}");
    assert_eq!(home.read(FILE), memory(&["Port: 1"]));
    home.rename_over(FILE, &all.replace("Port: 1", "Port: 2").replace("- Zone: x\n", ""));
    watch.fixed(FILE);
    let text = home.read(FILE);
    assert!(text.contains(KEPT) && text.contains("- Zone: x [historical] removed as of 2026-11-29"), "{text}");
}

#[test]
fn what_is_declared_between_two_looks_counts() {
    let home = Home::new();
    let many = |round: u32| {
        let facts: Vec<String> = ["a", "b", "c", "d"].iter().map(|fact| format!("Fact {fact}{round}: x")).collect();
        memory(&["Port: 1", &facts[0], &facts[1], &facts[2], &facts[3]])
    };
    home.write(FILE, &many(1));
    home.commit("first");
    let mut watch = home.watch(&QUICK);
    watch.settled(FILE);
    // In the second round the watch knows what was declared in the first.
    for round in 1..3 {
        home.rename_over(FILE, &memory(&["Port: 1"]));
        let event = watch.wait(|event| event["event"] == "settled");
        assert!(event["findings"].to_string().contains("mass-loss"), "{event}");
        home.ok(&["accept", FILE]);
        // What is gone was held against the file until now.
        home.rename_over(FILE, &many(round + 1).replace("- Fact", "- New fact"));
        let event = watch.wait(|event| event["event"] == "settled" || event["event"] == "fixed");
        assert_eq!((event["event"].as_str(), &event["findings"]), (Some("settled"), &serde_json::json!([])), "round {round}: {event}");
        home.rename_over(FILE, &many(round + 1));
        watch.settled(FILE);
        home.commit("next");
    }
}

#[test]
fn a_report_writes_nothing() {
    let home = home();
    let mut watch = home.watch(&[FILE, "--quiet", "200ms", "--report"]);
    watch.settled(FILE);
    home.rename_over(FILE, &port(2));
    let event = watch.wait(|event| event["event"] == "found");
    assert_eq!((home.read(FILE), &event["findings"][0]["rule"]), (port(2), &serde_json::json!("overwritten")));
    watch.signal("TERM");
    assert_eq!(watch.end(), Some(0));
    assert!(!home.root().parent().expect("a folder").join("home/state").exists(), "a watch that observes keeps nothing");
}

#[test]
fn once_ends_as_fix_would() {
    let home = home();
    home.write(FILE, &port(2));
    let once = |args: &[&str]| {
        let all: Vec<&str> = ["watch", "--once", "--quiet", "100ms"].iter().chain(args).copied().collect();
        let output = home.run(&all);
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, found) = once(&[FILE, "--report"]);
    assert!(code == Some(1) && found.starts_with(&format!("{FILE}:5:")) && found.contains("overwritten"), "{code:?} {found}");
    assert_eq!(once(&[FILE]), (Some(0), format!("{FILE}: 1 finding fixed (overwritten), compared with HEAD\n")));
    assert!(home.read(FILE).contains(KEPT));
    assert_eq!(once(&[]), (Some(0), String::new()));
    home.write("CLAUDE.md", "## Project memory\n\n- Port: 1\n- Port: 2\n");
    assert_eq!(once(&[]).0, Some(1));
    fs::write(home.at("CLAUDE.md"), b"\xff").expect("written");
    assert_eq!(once(&[]).0, Some(2));

    // Where nothing is there, the first file is waited for.
    let mut watch = home.watch(&["later/AGENTS.md", "--once", "--quiet", "100ms"]);
    home.write("later/AGENTS.md", &port(1));
    assert_eq!(watch.end(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn where_the_system_has_no_room_files_are_looked_at() {
    let home = home();
    let room = "echo 0 > /proc/sys/user/max_inotify_instances && exec \"$0\" watch --format json --quiet 100ms";
    let mut command = home.program("unshare");
    command.args(["-Ur", "sh", "-c", room, env!("CARGO_BIN_EXE_memfile")]);
    // Not every system lets a user have a namespace of their own.
    let probe = home.program("unshare").args(["-Ur", "sh", "-c", "echo 0 > /proc/sys/user/max_inotify_instances"]).output();
    if !probe.is_ok_and(|output| output.status.success()) {
        return;
    }
    let mut watch = Watch::of(command);
    watch.wait(|event| event["event"] == "problem" && event["message"].as_str().is_some_and(|text| text.contains("max_user_watches")));
    watch.settled(FILE);
    home.rename_over(FILE, &port(2));
    watch.fixed(FILE);
    watch.signal("TERM");
    assert_eq!(watch.end(), Some(0));
}

#[test]
fn without_events_files_are_looked_at() {
    let home = home();
    let mut watch = home.watch(&["--poll", "--quiet", "100ms"]);
    watch.settled(FILE);
    home.rename_over(FILE, &port(2));
    watch.fixed(FILE);
    assert!(home.read(FILE).contains(KEPT));
    home.git(&["stash", "-q"]);
    watch.rests(FILE, "git");
    assert_eq!(home.read(FILE), port(1));
    home.write("sub/CLAUDE.md", &port(1));
    watch.settled("sub/CLAUDE.md");
}
