//! The JSON Schema of memfile.toml says yes and no where the program does, and names each finding.

use memfile::config::{Config, SCHEMA};
use memfile::rules::RULES;
use serde_json::Value;
use std::process::Command;

/// What the schema says of `value`: the first thing that is wrong. Only the words that the schema uses are known here.
fn wrong(schema: &Value, value: &Value, place: &str) -> Option<String> {
    const WORDS: [&str; 12] = [
        "$schema",
        "title",
        "description",
        "default",
        "examples",
        "type",
        "items",
        "properties",
        "additionalProperties",
        "enum",
        "oneOf",
        "const",
    ];
    let schema = schema.as_object().expect("a schema is an object");
    for word in schema.keys() {
        assert!(WORDS.contains(&word.as_str()) || word == "minimum", "{place}: this test does not know `{word}`");
    }
    let fits = match schema.get("type").and_then(Value::as_str) {
        None => true,
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some(other) => panic!("{place}: this test does not know the type {other}"),
    };
    let listed = schema.get("enum").is_none_or(|all| all.as_array().expect("a list").contains(value));
    let same = schema.get("const").is_none_or(|one| one == value);
    let enough = schema.get("minimum").is_none_or(|least| value.as_i64() >= least.as_i64());
    let one = schema.get("oneOf").and_then(Value::as_array);
    let chosen = one.is_none_or(|all| all.iter().filter(|one| wrong(one, value, place).is_none()).count() == 1);
    if !(fits && listed && same && enough && chosen) {
        return Some(format!("{place} cannot be {value}"));
    }
    if let (Some(items), Some(values)) = (schema.get("items"), value.as_array()) {
        return values.iter().find_map(|value| wrong(items, value, place));
    }
    value.as_object().into_iter().flatten().find_map(|(key, value)| {
        let place = format!("{place}.{key}");
        match (schema.get("properties").and_then(|all| all.get(key)), schema.get("additionalProperties")) {
            (Some(own), _) => wrong(own, value, &place),
            (None, Some(Value::Bool(false))) => Some(format!("{place} is unknown")),
            (None, Some(other)) => wrong(other, value, &place),
            (None, None) => None,
        }
    })
}

#[test]
fn schema_and_reader_agree() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("JSON");
    let good = [
        "",
        "managed-headings = [\"Tech stack\"]\nextend-managed-headings = []\nmanaged-files = [\"MEMORY.md\", \"notes/*.md\"]",
        "many = [\"Reviewer*\"]\nvolatile = [\"Last updated\"]\ndate-order = \"dmy\"",
        "date-order = \"mdy\"\ntag-language = \"ru\"\ntag-position = \"start\"\nselect = [\"all\"]\nignore = [\"repeat\"]",
        "tag-language = \"en\"\ntag-position = \"end\"\nselect = [\"deleted\", \"overwritten\"]",
        "fail-on = \"error\"\nkeep = 0\nmax-lines = 200\nmax-bytes = 25600\nextend = \"../memfile.toml\"",
        "fail-on = \"hint\"\n[aliases.parameters]\nDatabase = [\"DB\"]\n[aliases.values]\nPostgreSQL = [\"pg\"]",
        "[labels]\nsource = [\"quelle\"]\nsince = [\"seit\"]\nuntil = [\"bis\"]\nreason = [\"weil\"]",
    ];
    let bad = [
        "managed-heading = []",
        "managed-files = \"MEMORY.md\"",
        "many = [1]",
        "date-order = \"ymd\"",
        "tag-language = \"de\"",
        "tag-position = \"middle\"",
        "fail-on = \"never\"",
        "keep = -1",
        "keep = \"3\"",
        "max-lines = 1.5",
        "extend = []",
        "[aliases]\nparameter = {}",
        "[aliases.values]\nA = \"b\"",
        "[labels]\nwhen = []",
    ];
    for (texts, accepted) in [(&good[..], true), (&bad[..], false)] {
        for text in texts {
            let value: Value = toml::from_str(text).expect("TOML");
            let wrong = wrong(&schema, &value, "");
            assert_eq!(wrong.is_none(), accepted, "the schema on {text:?}: {wrong:?}");
            assert_eq!(Config::parse(text).is_ok(), accepted, "the reader on {text:?}");
        }
    }
}

#[test]
fn the_schema_names_each_finding() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("JSON");
    let mut names: Vec<&str> = RULES.iter().map(|rule| rule.info.name).collect();
    names.push("all");
    names.sort_unstable();
    for key in ["select", "ignore"] {
        let said = schema["properties"][key]["items"]["enum"].as_array().expect("a list");
        let mut said: Vec<&str> = said.iter().filter_map(Value::as_str).collect();
        said.sort_unstable();
        assert_eq!(said, names, "{key}");
    }
}

#[test]
fn a_finding_that_is_none_is_an_error() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("memfile.toml"), "ignore = [\"repaet\"]\n").expect("written");
    std::fs::write(folder.path().join("AGENTS.md"), "## Project memory\n\n- Port: 1\n").expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_memfile"));
    command.args(["check", "AGENTS.md"]).current_dir(folder.path()).env("XDG_STATE_HOME", folder.path().join("state"));
    let output = command.output().expect("memfile starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("memfile.toml") && said.contains("`repaet`") && said.contains("`repeat`"), "{said}");
}

#[cfg(feature = "comforts")]
#[test]
fn each_command_has_a_man_page() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_memfile")).args(args).current_dir(folder.path()).output().expect("memfile starts");
        assert!(output.status.success(), "{args:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    run(&["man", "--dir", "share/man1"]);
    let help = run(&["--help"]);
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        // A description that needs a second line goes on further in.
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.contains(&"fix"), "{commands:?}");
    for command in commands.iter().filter(|command| **command != "help") {
        let page = std::fs::read_to_string(folder.path().join(format!("share/man1/memfile-{command}.1"))).expect(command);
        assert!(page.contains(&format!(".TH memfile-{command} 1")), "{page}");
        assert!(page.contains(&format!("\\fBmemfile {}\\fR", command.replace('-', "\\-"))), "{page}");
    }
    let all = run(&["man"]);
    assert!(all.contains(".TH memfile 1") && all.contains(".TH memfile-fix 1"));
}
