//! The house keeps its shape: what the sources may name, how long they are, how they open.

use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Modules without I/O, in the order in which they may know each other: each knows those before it.
const CORE: [&str; 14] = [
    "text",
    "diagnostic",
    "config",
    "syntax",
    "facts",
    "baseline",
    "repair",
    "rules",
    "check",
    "query",
    "command",
    "conserve",
    "fix",
    "merge",
];

fn sources() -> Vec<(String, String)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push(path);
            }
        }
    }
    let top = Path::new(ROOT).join("src");
    let mut found = Vec::new();
    walk(&top, &mut found);
    found.sort();
    let named = |path: PathBuf| {
        let name = path.strip_prefix(&top).expect("below src").to_string_lossy().replace('\\', "/");
        (name, fs::read_to_string(&path).expect("UTF-8"))
    };
    found.into_iter().map(named).collect()
}

/// The top module that a file belongs to.
fn module(name: &str) -> &str {
    name.split(['/', '.']).next().unwrap_or(name)
}

/// The text of a file without its test modules and comments.
fn code(text: &str) -> String {
    let own = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    own.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

#[test]
fn files_are_short_and_open_with_their_purpose() {
    for (name, text) in sources() {
        let lines = text.lines().count();
        assert!(lines <= 400, "{name} has {lines} lines: split it");
        assert!(text.starts_with("//!"), "{name} does not say what it is for");
    }
}

#[test]
fn no_file_is_a_drawer() {
    for (name, _) in sources() {
        for drawer in ["util", "helper", "common", "misc"] {
            assert!(!name.to_lowercase().contains(drawer), "{name}: name it for what it does");
        }
    }
}

#[test]
fn the_core_touches_nothing() {
    let world = [
        "std::fs",
        "std::env",
        "std::process",
        "std::net",
        "std::io::std",
        "std::time",
        "println!",
        "eprintln!",
        "Local::now",
        "Utc::now",
        "crate::io",
    ];
    for (name, text) in sources().iter().filter(|(name, _)| CORE.contains(&module(name)) || module(name) == "report") {
        let code = code(text);
        // Tests in files of their own may use what they like.
        if name.ends_with("tests.rs") || name.ends_with("_tests.rs") {
            continue;
        }
        for word in world {
            assert!(!code.contains(word), "{name} names {word}");
        }
    }
}

#[test]
fn modules_know_those_below_them() {
    for (name, text) in sources() {
        let own = module(&name);
        let Some(rank) = CORE.iter().position(|core| *core == own) else { continue };
        let code = code(&text);
        for (other, above) in CORE.iter().enumerate() {
            let names = code.contains(&format!("crate::{above}::")) || code.contains(&format!("crate::{above};"));
            assert!(other <= rank || !names, "{name} names {above}, which stands above it");
        }
        assert!(!code.contains("crate::app") && !code.contains("crate::report"), "{name} names the shell");
    }
}

#[test]
fn no_rule_names_another() {
    let rules: Vec<(String, String)> = sources().into_iter().filter(|(name, _)| name.starts_with("rules/")).collect();
    let shared = ["rules/mod.rs", "rules/context.rs", "rules/page.rs", "rules/registry.rs"];
    let names: Vec<&str> = memfile::rules::RULES.iter().map(|rule| rule.info.name).collect();
    for (file, text) in rules.iter().filter(|(file, _)| !shared.contains(&file.as_str())) {
        let own = file.trim_start_matches("rules/").trim_end_matches(".rs").replace('_', "-");
        assert!(names.contains(&own.as_str()), "{file} is no rule");
        for other in names.iter().filter(|name| **name != own) {
            assert!(!code(text).contains(&format!("super::{}", other.replace('-', "_"))), "{file} names {other}");
        }
    }
}

#[test]
fn nothing_personal_is_in_the_sources() {
    for (name, text) in sources() {
        for word in ["/home/", "/root/", "/work/"] {
            assert!(!code(&text).contains(word), "{name} has a path of some machine: {word}");
        }
    }
}
