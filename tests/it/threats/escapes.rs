//! No command prints what steers a terminal, hides in a text, or is a command to what reads the log.

use crate::repository::{Repository, facts};
use std::fs;

/// Colours, a link (OSC 8), a title (OSC 0, ended by BEL), C1, bidi, zero width, backspace, DEL.
const EVIL: &str = "\u{1b}[31m\u{1b}]8;;x\u{1b}\\\u{1b}]0;t\u{7}\u{9b}2J\u{202e}R\u{200b}\u{8}\u{7f}";
const FOLDER: &str = "d\u{1b}[31m\n::error::\u{9b}";

/// The first character that must not be there.
fn raw(text: &str) -> Option<char> {
    let hidden = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{ad}');
    text.chars().find(|&c| (c.is_control() && c != '\n' && c != '\t') || hidden(c))
}

/// A line that GitHub Actions takes for a command.
fn command(text: &str) -> Option<&str> {
    text.lines().find(|line| line.trim_start().starts_with("::"))
}

fn quiet(repository: &Repository, args: &[&str]) -> i32 {
    let said = repository.memfile(args);
    for (stream, text) in [("stdout", &said.out), ("stderr", &said.err)] {
        assert_eq!(raw(text), None, "{stream} of {args:?}: {text:?}");
        let annotates = args.contains(&"github") && stream == "stdout";
        assert!(annotates || command(text).is_none(), "{stream} of {args:?}: {text}");
    }
    assert!(said.code >= 0, "{args:?} was killed: {}", said.both());
    said.code
}

/// A repository in which all that can have a name has an evil one, with an overwritten value and a lost one.
fn evil() -> (Repository, String) {
    let repository = Repository::new("re\u{1b}[31mpo\u{202e}");
    repository.git(&["checkout", "-q", "-b", "br\u{202e}anch\u{9b}"]);
    repository.git(&["config", "user.name", &format!("T{EVIL}")]);
    let file = format!("{FOLDER}/AGENTS.md");
    let old = facts(&[
        &format!("Ho{EVIL}st: old{EVIL} (source: call{EVIL} Oct 3)"),
        &format!("Sub{EVIL} | Par{EVIL} | v{EVIL} | source: s{EVIL}"),
        &format!("(2025-01-14) A statement{EVIL} that stays."),
        &format!("Keep: a{EVIL}\n::stop-commands::{EVIL}"),
        "Port: 1",
        "Gone: g",
    ]);
    repository.write(&file, &format!("{old}\n## H{EVIL}\n\n- Zone: z\r{EVIL}\n"));
    repository.commit(&format!("subject{EVIL}\n\nMemfile-Accept: x{EVIL}"));
    repository.write(&file, &format!("{}\n## H{EVIL}\n\n- Zone: z\r{EVIL}\n", changed(&old)));
    (repository, file)
}

fn changed(old: &str) -> String {
    old.replace("old", "new").replace("Port: 1", &format!("Port: 2{EVIL}")).replace("- Gone: g\n", "").replace("| v", "| w")
}

#[test]
fn no_report_prints_what_steers_a_terminal() {
    let (repository, file) = evil();
    for format in ["full", "concise", "github", "json", "jsonl", "sarif"] {
        assert_eq!(quiet(&repository, &["check", "--output-format", format]), 1);
        assert_eq!(quiet(&repository, &["check", "--output-format", format, &file]), 1);
        quiet(&repository, &["fix", "--check", "--output-format", format]);
    }
    quiet(&repository, &["check", "--statistics"]);
    repository.git(&["add", "-A"]);
    // A patch on stdout has the bytes that git needs.
    let said = repository.memfile(&["hook", "run", "--no-fix"]);
    assert_eq!((raw(&said.err), command(&said.err)), (None, None), "{}", said.err);
    for args in [&["hook", "run"][..], &["hook", "status"], &["watch", "--once"]] {
        quiet(&repository, args);
    }
    repository.write(&file, &changed(&repository.read(&file)));
    for args in [&["watch", "--once", "--format", "json"][..], &["fix"], &["fix", "--unsafe-fixes"], &["log"], &["undo"]] {
        quiet(&repository, args);
    }
}

#[test]
fn no_answer_prints_what_steers_a_terminal() {
    let (repository, _) = evil();
    repository.ends(1, &["fix"]);
    let key = format!("ho{EVIL}st");
    assert_eq!(quiet(&repository, &["now", "Port"]), 0);
    for args in [
        &["now"][..],
        &["now", &key],
        &["history", &key],
        &["history", "Port", "--git"],
        &["as-of", "2026-11-25"],
        &["diff", "2020-01-01", "2027-01-01"],
        &["search", "statement"],
        &["why", "Port"],
        &["why", &key],
        &["present", "--rules", "--tags", "full"],
        &["present", "-q", EVIL],
    ] {
        quiet(&repository, args);
        quiet(&repository, &[args, &["--format", "json"]].concat());
    }
    for args in [&["budget"][..], &["log"], &["doctor"], &["doctor", "--format", "json"], &["config"], &["backfill", "--dry-run"]] {
        quiet(&repository, args);
    }
}

#[test]
fn no_command_of_a_person_prints_what_steers_a_terminal() {
    let (repository, _) = evil();
    repository.ends(1, &["fix"]);
    repository.commit("fixed");
    for args in [
        &["set", "Port", &format!("3{EVIL}"), "--source", &format!("s{EVIL}"), "--reason", &format!("r{EVIL}")][..],
        &["add", &format!("N{EVIL}"), EVIL],
        &["end", "Zone"],
        &["reopen", "Zone"],
        &["correct", "Port"],
        &["reword", "Keep", EVIL],
        &["rename", "Keep", &format!("Kept{EVIL}")],
        &["accept", "Port"],
        &["archive", "--keep", "0"],
        &["restore"],
        &["backfill"],
        &["log"],
        &["undo"],
        &["drop", "Port", "--yes"],
        &["forget", "Zone", "--yes"],
        &["hook", "install"],
        &["hook", "remove"],
        &["uninstall"],
        &["log"],
    ] {
        quiet(&repository, args);
    }
}

#[test]
fn no_error_prints_what_steers_a_terminal() {
    let (repository, file) = evil();
    let name = format!("no{EVIL}");
    for args in [
        &["explain", &name][..],
        &[&name],
        &["check", &name],
        &["check", "--base", &name],
        &["check", "--select", &name],
        &["check", "--today", &name],
        &["check", "--output-format", &name],
        &["now", "-f", &name],
        &["as-of", &name],
        &["completions", &name],
        &["serve", &name],
        &["mcp", "--root", &name],
        &["config", &name],
    ] {
        assert_eq!(quiet(&repository, args), 2, "{args:?}");
    }
    for command in ["now", "history", "why", "set", "add", "end", "correct", "accept", "restore", "reopen"] {
        let args = [command, &name, EVIL];
        quiet(&repository, if matches!(command, "set" | "add") { &args } else { &args[..2] });
    }
    quiet(&repository, &["adopt", &file, "--heading", &name]);
    for text in [
        &format!("ma{EVIL}ny = 3\n"),
        "extend = \"\\u001b[31m\\u0007\\u202e\"\n",
        "managed-files = [\"\\u001b[31m\"]\n",
        "many = [\"\\u001b]0;x\\u0007\"]\nselect = [\"\\u001b[0m\"]\n",
        "\"many\\u001b[0m\\n::error::x\" = 1\n",
    ] {
        repository.write("memfile.toml", text);
        for args in [&["check"][..], &["config"], &["doctor"], &["doctor", "--format", "json"], &["hook", "run"]] {
            quiet(&repository, args);
        }
    }
    repository.write("memfile.toml", "");
    quiet(&repository, &["config"]);
    fs::write(repository.root.join(&file), b"## Project memory\n\n- a: \xff\x1b[31m\n").expect("written");
    assert_eq!(quiet(&repository, &["check"]), 2);
    let config = repository.root.join(".git/config");
    fs::write(&config, format!("{}[x{EVIL}\n", fs::read_to_string(&config).expect("a text"))).expect("written");
    for args in [&["check"][..], &["hook", "status"], &["doctor"]] {
        quiet(&repository, args);
    }
}

#[test]
fn a_name_or_a_message_is_no_workflow_command() {
    let repository = Repository::new("r");
    let file = "::add-mask::x,title=a%0A/AGENTS.md";
    repository.write(file, &facts(&["Host: a", "Host: b", "Team: c\n  ::stop-commands::t"]));
    let said = repository.ends(1, &["check", "--output-format", "github"]);
    assert!(
        said.out.lines().all(|line| line.starts_with("::error file=%3A%3Aadd-mask%3A%3Ax%2Ctitle=a%250A/AGENTS.md,line=")),
        "{}",
        said.out
    );
    for format in ["full", "concise"] {
        let said = repository.ends(1, &["check", "--output-format", format]);
        assert_eq!(command(&said.both()), None, "{}", said.both());
    }
}

#[test]
fn a_patch_keeps_its_bytes_in_a_pipe() {
    let (repository, file) = evil();
    let said = repository.memfile(&["fix", "--diff"]);
    assert_eq!(said.code, 1);
    assert!(raw(&said.out).is_some(), "bytes are needed here: {}", said.out);
    let patch = repository.top().join("patch");
    fs::write(&patch, &said.out).expect("written");
    repository.git(&["apply", &patch.to_string_lossy()]);
    let applied = repository.read(&file);
    repository.git(&["apply", "-R", &patch.to_string_lossy()]);
    repository.memfile(&["fix"]);
    assert_eq!(applied, repository.read(&file), "the patch does what the fix does");
}

/// `script` gives the program a terminal of its own.
#[cfg(target_os = "linux")]
#[test]
fn a_patch_on_a_terminal_is_spelled() {
    let (repository, _) = evil();
    for color in ["1", ""] {
        let mut program = repository.program("script", &repository.root);
        program.args(["-qec", "memfile fix --diff 2>/dev/null", "/dev/null"]).env("NO_COLOR", color).env("TERM", "xterm");
        let output = program.stdin(std::process::Stdio::null()).output().expect("script, of util-linux");
        let text = String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n");
        assert!(text.contains("@@") && text.contains("+- Port: 1 [historical]"), "{text:?}");
        // The colours of memfile itself, and nothing else.
        let own = ["\u{1b}[m", "\u{1b}[1m", "\u{1b}[31m", "\u{1b}[32m", "\u{1b}[36m"];
        let rest = if color.is_empty() { own.iter().fold(text.clone(), |text, code| text.replace(code, "")) } else { text.clone() };
        assert_eq!(raw(&rest), None, "{rest:?}");
        assert!(text.contains("\\u{1b}]8;;x"), "{text:?}");
    }
}
