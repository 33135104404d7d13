//! A check of many files says the same of each, whether it tells them one by one as it goes or all when it has them all.

use crate::repository::{Repository, facts};
use std::fs;
use std::path::Path;

/// Memory files of all kinds, four in a folder, and some that contradict each other.
fn laid(name: &str) -> Repository {
    let place = Repository::without_git(name);
    let mut texts: Vec<String> = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                texts.extend(fs::read_to_string(&path).ok());
            }
        }
    }
    texts.sort();
    assert!(texts.len() > 40, "only {} texts", texts.len());
    for (number, text) in texts.iter().enumerate() {
        let name = ["AGENTS.md", "CLAUDE.md", "GEMINI.md", "MEMORY.md"][number % 4];
        place.write(&format!("f{:03}/{name}", number / 4), text);
    }
    // Other values; the same value, written otherwise; two values in one file, of which another has one.
    place.write("x/AGENTS.md", &facts(&["Port: 8080", "Limit: 9,900 req/min", "Colour: red", "Runtime: node"]));
    place.write("x/CLAUDE.md", &facts(&["Port: 9090", "Limit: `9900 req/min`", "Colour: red", "Runtime: node"]));
    place.write("y/AGENTS.md", &(facts(&["Colour: red"]) + "\n# Others\n\n## Project memory\n\n- Colour: blue\n"));
    place.write("y/CLAUDE.md", &facts(&["Colour: red"]));
    // An explicit subject reaches over all folders; the same names without one do not.
    place.write("z/1/AGENTS.md", &facts(&["Acme | Budget | $1 | source: call 2026-01-02", "Team: blue"]));
    place.write("z/2/AGENTS.md", &facts(&["Acme | Budget | $2 | source: call 2026-01-02", "Team: red"]));
    // One of them comes before all others, and what follows it waits.
    place.write("a/AGENTS.md", &facts(&["Acme | Budget | $3 | source: call 2026-01-02"]));
    // Between the files of a folder stand those of another.
    place.write("n/AGENTS.md", &facts(&["Port: 1"]));
    place.write("n/B/AGENTS.md", &facts(&["Port: 2"]));
    place.write("n/CLAUDE.md", &facts(&["Port: 3"]));
    // A link leads into a folder that has but one file.
    place.write("u/AGENTS.md", &facts(&["Port: 1"]));
    place.write("u/linked.md", &facts(&["Port: 2"]));
    fs::create_dir(place.root.join("v")).expect("made");
    std::os::unix::fs::symlink("../u/linked.md", place.root.join("v/CLAUDE.md")).expect("a link");
    fs::write(place.write("w/AGENTS.md", ""), b"- Port: 1\n\xff\n").expect("written");
    place.write("w/CLAUDE.md", &facts(&["Port: 1"]));
    std::os::unix::fs::symlink("AGENTS.md", place.root.join("x/GEMINI.md")).expect("a link");
    place
}

/// What is told file by file is what is told of all together.
fn tells_the_same(place: &Repository, args: &[&str]) -> usize {
    let each = place.memfile(&[&["check", "--output-format", "jsonl"], args].concat());
    let all = place.memfile(&[&["check", "--output-format", "json"], args].concat());
    let objects = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.starts_with('{'));
        lines.map(|line| line.trim_end_matches(',').to_owned()).collect()
    };
    assert_eq!(objects(&each.out), objects(&all.out));
    assert_eq!((each.code, &each.err), (all.code, &all.err));
    assert!(each.err.contains("w/AGENTS.md"), "{}", each.err);
    let is_laid = |line: &&String| {
        ["a/", "n/", "u/", "v/", "w/", "x/", "y/", "z/"].iter().any(|folder| line.contains(&format!("\"file\":\"{folder}")))
    };
    objects(&each.out).iter().filter(is_laid).filter(|line| line.contains("\"cross-file-conflict\"")).count()
}

#[test]
fn each_file_is_told_as_if_all_were_at_hand() {
    let place = laid("many");
    assert_eq!(tells_the_same(&place, &[]), 11, "the ports, the colours and the budgets");
    // The journal knows some of the files from now on.
    place.memfile(&["fix", "f001", "x"]);
    place.write("x/AGENTS.md", &facts(&["Port: 8081", "Limit: 9,900 req/min", "Colour: red"]));
    assert_eq!(tells_the_same(&place, &[]), 11);
    assert_eq!(tells_the_same(&place, &["--base", "none"]), 11);
    place.git(&["init", "-q", "-b", "main"]);
    place.commit("all");
    place.write("x/AGENTS.md", &facts(&["Port: 8082", "Limit: 9,900 req/min"]));
    assert_eq!(tells_the_same(&place, &[]), 11);
}

#[test]
fn the_summary_counts_what_was_told() {
    let place = laid("many");
    let full = place.memfile(&["check"]);
    let concise = place.memfile(&["check", "--output-format", "concise"]);
    let count = |word: &str| concise.out.lines().filter(|line| line.contains(word)).count();
    let said = full.err.lines().last().expect("a summary").to_owned();
    for (word, number) in [("error", count(": error ")), ("warning", count(": warning "))] {
        assert!(number > 0 && said.contains(&format!("{number} {word}s")), "{number} {word}s: {said}");
    }
    let help = full.out.lines().last().expect("help").to_owned();
    assert!(help.starts_with("help: ") && help.contains("fixable with `memfile fix`"), "{help}");
}

#[test]
fn a_configuration_and_a_repository_deep_in_the_tree_hold_there() {
    let place = Repository::without_git("deep");
    let text = facts(&["Port: 1 (since 2026-01-02)", "Port: 2 (since 2026-03-02)"]);
    for folder in ["", "a/", "a/b/", "a/b/c/", "a/d/", "e/", "e/f/g/"] {
        place.write(&format!("{folder}AGENTS.md"), &text);
    }
    place.write("a/b/memfile.toml", "ignore = [\"untagged-historical\"]\n");
    place.write("a/d/.config/memfile.toml", "ignore = [\"untagged-historical\"]\n");
    let told = |place: &Repository, args: &[&str]| -> Vec<String> {
        let said = place.memfile(&[&["check", "--output-format", "concise"], args].concat());
        said.out.lines().filter_map(|line| line.split_once(':')).map(|(name, _)| name.to_owned()).collect()
    };
    assert_eq!(told(&place, &[]), ["AGENTS.md", "a/AGENTS.md", "e/AGENTS.md", "e/f/g/AGENTS.md"]);
    assert_eq!(told(&place, &["a", "e"]), ["a/AGENTS.md", "e/AGENTS.md", "e/f/g/AGENTS.md"]);
    // A repository below: its files are compared with its HEAD.
    let inner = place.root.join("e/f");
    place.git_in(&inner, &["init", "-q", "-b", "main"]);
    place.git_in(&inner, &["add", "-A"]);
    place.git_in(&inner, &["commit", "-q", "-m", "x"]);
    place.write("e/f/g/AGENTS.md", &facts(&["Port: 2 (since 2026-03-02)"]));
    let said = place.memfile(&["check", "--output-format", "concise"]);
    assert!(said.out.contains("e/f/g/AGENTS.md:5:3: error deleted Port was `1`"), "{}", said.out);
}

#[test]
fn one_file_is_told_and_counted_as_it_goes() {
    let place = laid("one");
    let row = |line: &str| -> (usize, String) {
        let words: Vec<&str> = line.split_whitespace().collect();
        (words[0].parse().expect("a number"), words[2].to_owned())
    };
    let told = place.memfile(&["check", "--output-format", "concise"]).out;
    let mut names: Vec<String> = told.lines().filter_map(|line| Some(line.split_once(':')?.0.to_owned())).collect();
    names.dedup();
    assert!(names.len() > 20, "{names:?}");
    let mut with_findings = 0;
    for name in names.into_iter().step_by(3).chain(["y/CLAUDE.md".to_owned()]) {
        let jsonl = place.memfile(&["check", "--output-format", "jsonl", &name]);
        let json = place.memfile(&["check", "--output-format", "json", &name]);
        let objects = |text: &str| {
            text.lines().filter(|line| line.starts_with('{')).map(|line| line.trim_end_matches(',').to_owned()).collect::<Vec<_>>()
        };
        assert_eq!((objects(&jsonl.out), jsonl.code, &jsonl.err), (objects(&json.out), json.code, &json.err));
        let mut rules: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
        for line in objects(&jsonl.out) {
            let rule = line.split("\"rule\":\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a rule").to_owned();
            *rules.entry(rule).or_default() += 1;
        }
        let said = place.memfile(&["check", "--statistics", &name]);
        let mut counts: Vec<(usize, String)> = said.out.lines().map(row).collect();
        assert!(counts.is_sorted_by(|a, b| a.0 >= b.0), "{}", said.out);
        counts.sort_by(|a, b| a.1.cmp(&b.1));
        assert_eq!(counts, rules.iter().map(|(rule, number)| (*number, rule.clone())).collect::<Vec<_>>(), "{}", said.out);
        assert_eq!(said.code, jsonl.code);
        with_findings += usize::from(!rules.is_empty());
    }
    assert!(with_findings > 5, "{with_findings}");
}
