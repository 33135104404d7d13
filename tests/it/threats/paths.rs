//! Paths that are no files, lead elsewhere, or are written to be read as something else.

use crate::repository::{Repository, TODAY, facts};
use std::fs;
use std::os::unix::fs::symlink;

const F: &str = "AGENTS.md";

fn shell(repository: &Repository, line: &str) {
    let said = repository.call("sh", &repository.root, &["-c", line]);
    assert_eq!(said.code, 0, "{line}: {}", said.both());
}

#[test]
fn what_is_no_file_is_passed_over_and_the_others_are_judged() {
    for line in
        ["mkfifo", "ln -s /dev/zero", "ln -s AGENTS.md", "ln -s /nowhere", "mkdir", "ln -s .", "ln -s /dev/stdin", "ln -s /proc/self/mem"]
    {
        let repository = Repository::new("r");
        repository.write("sub/CLAUDE.md", &facts(&["Port: 1", "Port: 2"]));
        shell(&repository, &format!("{line} AGENTS.md"));
        for args in [&["check"][..], &["fix"], &["watch", "--once"], &["hook", "run"], &["now"], &["check", F]] {
            let said = repository.memfile(args);
            assert!((0..=2).contains(&said.code), "{line}, {args:?}: {}", said.both());
        }
        let said = repository.memfile(&["check"]);
        assert!(said.out.contains("two-current"), "{line}: {}", said.both());
    }
}

#[test]
fn a_link_out_of_the_repository_is_no_way_to_write_a_file() {
    let repository = Repository::new("r");
    let outside = repository.top().join("home/.profile");
    let text = "# Host: a\nexport PORT=1\n- Port: 1\n- Port: 2\n";
    fs::write(&outside, text).expect("written");
    symlink(&outside, repository.root.join(F)).expect("linked");
    symlink(&outside, repository.root.join("CLAUDE.history.md")).expect("linked");
    symlink(&outside, repository.root.join(".GEMINI.md.memfile-tmp")).expect("linked");
    let old = format!("Port: 1 [historical] replaced by: 2 as of {TODAY}");
    for name in ["CLAUDE.md", "GEMINI.md"] {
        repository.write(name, &facts(&[&old, "Port: 2"]));
    }
    repository.commit("links");
    for name in ["CLAUDE.md", "GEMINI.md"] {
        repository.write(name, &facts(&[&old, "Port: 3"]));
    }
    repository.write("memfile.toml", "keep = 0\n");
    repository.memfile(&["fix"]);
    repository.memfile(&["fix", "--unsafe-fixes"]);
    repository.memfile(&["watch", "--once"]);
    repository.memfile(&["archive", "-f", "CLAUDE.md"]);
    repository.memfile(&["hook", "run"]);
    assert_eq!(fs::read_to_string(&outside).expect("a text"), text);
    assert!(!repository.read("CLAUDE.md").contains("export"), "and nothing of it is brought in");
    assert!(repository.read("GEMINI.md").contains("Port: 3"));
}

#[test]
fn names_are_no_options_and_no_patterns() {
    for folder in
        ["-x", "--base=none", ":(top)", "*", "$(touch mark)", "`touch mark`", "a\nb", "'; touch mark; '", "\u{1b}[2J", "%s%n", "~"]
    {
        let repository = Repository::new("r");
        let file = format!("{folder}/AGENTS.md");
        repository.write(&file, &facts(&["Port: 1", "Team: a"]));
        repository.commit("facts");
        repository.write(&file, &facts(&["Port: 2", "Team: a"]));
        repository.git(&["add", "-A"]);
        let said = repository.ends(1, &["check"]);
        assert!(said.out.contains("overwritten"), "{file}: {}", said.both());
        let said = repository.ends(1, &["hook", "run"]);
        // The line that it gives is one for a shell.
        let line = said.err.lines().find(|line| line.trim().starts_with("git add -- ")).expect("the way out").trim().to_owned();
        if !folder.contains(|c: char| c.is_control()) {
            shell(&repository, &line);
            repository.ends(0, &["hook", "run"]);
        }
        repository.ends(0, &["history", "Port", "--git", "-f", &format!("./{file}")]);
        assert!(!repository.root.join("mark").exists(), "{file}");
        assert!(repository.read(&file).contains("Port: 1 [historical]"), "{file}");
    }
}

#[test]
fn a_file_above_is_its_own() {
    let repository = Repository::new("r");
    fs::write(repository.top().join(F), facts(&["Port: 1", "Port: 1"])).expect("written");
    repository.write("memfile.toml", "managed-files = [\"../AGENTS.md\", \"../**\", \"/**\"]\n");
    repository.write("sub/CLAUDE.md", "text\n");
    let said = repository.ends(0, &["check"]);
    assert!(!said.both().contains("repeat"), "{}", said.both());
}

#[test]
fn a_configuration_leads_nowhere() {
    let repository = Repository::new("r");
    repository.write(F, &facts(&["Port: 1"]));
    let secret = repository.top().join("home/.netrc");
    fs::write(&secret, "machine x login y password hunter22\nother: 1\n").expect("written");
    repository.write("a.toml", "extend = \"memfile.toml\"\n");
    repository.write("huge.toml", &format!("# {}\n", "x".repeat(1 << 20)));
    shell(&repository, "mkfifo pipe; mkdir folder");
    for (extend, why) in [
        ("../home/.netrc", "line 1"),
        (&*secret.to_string_lossy(), "line 1"),
        ("memfile.toml", "leads back"),
        ("a.toml", "leads back"),
        ("/dev/zero", "not a regular file"),
        ("/dev/stdin", "not a regular file"),
        ("pipe", "not a regular file"),
        ("folder", "not a regular file"),
        ("huge.toml", "no configuration"),
        ("\\u0000", "cannot be read"),
        ("", "not a regular file"),
    ] {
        repository.write("memfile.toml", &format!("extend = \"{extend}\"\n"));
        for args in [&["check"][..], &["config"]] {
            let said = repository.ends(2, args);
            assert!(said.err.contains(why), "{extend}: {}", said.err);
            assert!(!said.both().contains("hunter22") && !said.both().contains("machine"), "{}", said.both());
        }
    }
    // A link says the same as `extend`.
    fs::remove_file(repository.root.join("memfile.toml")).expect("removed");
    symlink(&secret, repository.root.join("memfile.toml")).expect("linked");
    let said = repository.ends(2, &["check"]);
    assert!(said.err.contains("line 1") && !said.both().contains("hunter22"), "{}", said.both());
    fs::remove_file(repository.root.join("memfile.toml")).expect("removed");
    shell(&repository, "mkfifo memfile.toml");
    repository.ends(0, &["check"]);
}

#[test]
fn an_archive_that_is_a_link_is_named_and_not_written() {
    let repository = Repository::new("r");
    let old = format!("Port: 1 [historical] replaced by: 2 as of {TODAY}");
    let text = facts(&[&old, "Port: 2"]);
    repository.write(F, &text);
    repository.write("other.md", "x\n");
    symlink("other.md", repository.root.join("AGENTS.history.md")).expect("linked");
    let said = repository.ends(2, &["archive"]);
    assert!(said.err.contains("AGENTS.history.md: is a link"), "{}", said.both());
    assert_eq!((repository.read(F), repository.read("other.md").as_str()), (text, "x\n"));
}
