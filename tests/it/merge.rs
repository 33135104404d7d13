//! Folders `testdata/merge/CASE/{base,ours,theirs}.md` and perhaps `memfile.toml`, `terms.txt`: the merge of the three must be
//! `after.md`. A line of `terms.txt` is `diff3`, `zdiff3`, `reverting`, `archive`, `whole-file`, or `accepts KEY` (of their side).
//!
//! Beside that each case must hold what every merge holds, and random files with random edits of both sides must hold it too.
//! `MEMFILE_UPDATE=1` writes `after.md`.

use crate::case::TODAY;
use crate::generate::{edited_apart, text};
use memfile::baseline::Accepted;
use memfile::check::{Selection, Subject, check};
use memfile::config::{Cardinality, Config};
use memfile::diagnostic::Severity;
use memfile::facts::Facts;
use memfile::merge::{Labels, Merged, Style, Terms, Versions, merge};
use memfile::syntax::{Reading, parse};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// All that decides about a merge, owned.
#[derive(Default)]
struct World {
    config: Config,
    terms: String,
    accepted: [Accepted; 2],
    /// Records are told apart by their sections as well.
    by_section: bool,
}

impl World {
    fn new(config: &str, terms: &str) -> Self {
        let config = Config::parse(config).expect("the configuration of a test is valid");
        let keys = terms.lines().filter_map(|line| line.strip_prefix("accepts "));
        let trailers = keys.map(|key| (key.to_owned(), 1)).collect();
        let accepted = [Accepted::default(), Accepted { declared: Vec::new(), trailers }];
        Self { config, terms: terms.to_owned(), accepted, by_section: false }
    }

    fn has(&self, word: &str) -> bool {
        self.terms.lines().any(|line| line == word)
    }

    fn terms(&self) -> Terms<'_> {
        let style = match () {
            () if self.has("diff3") => Style::Diff3,
            () if self.has("zdiff3") => Style::Zdiff3,
            () => Style::Merge,
        };
        Terms {
            config: &self.config,
            whole_file: self.has("whole-file"),
            is_archive: self.has("archive"),
            today: TODAY.parse().expect("a day"),
            style,
            marker_size: 7,
            labels: Labels::default(),
            meant_by_us: &self.accepted[0],
            meant_by_them: &self.accepted[1],
            reverting: self.has("reverting"),
        }
    }

    fn merge(&self, base: &str, ours: &str, theirs: &str) -> Merged {
        merge(&Versions { base, ours, theirs }, &self.terms())
    }

    /// How often each record, by its fact and value, stands in a text.
    fn records(&self, text: &str) -> BTreeMap<(String, String), usize> {
        let document = parse(text, Reading { config: &self.config, whole_file: self.has("whole-file"), also: None });
        let facts = Facts::new(&document, &self.config);
        let mut counts = BTreeMap::new();
        for record in 0..document.records.len() as u32 {
            let space = &facts.spaces[facts.space_of(record as usize) as usize].key;
            let name = if self.by_section { format!("{}/{space}", facts.name(record)) } else { facts.name(record).into_owned() };
            *counts.entry((name, facts.value_key(record))).or_default() += 1;
        }
        counts
    }

    /// The errors of a text: rule and fact.
    fn errors(&self, text: &str) -> BTreeMap<(&'static str, Option<String>), usize> {
        let selection = Selection::default();
        let terms = self.terms();
        let subject = Subject { whole_file: terms.whole_file, ..Subject::new(&self.config, &selection, terms.today) };
        let mut errors = BTreeMap::new();
        for found in check(text, &subject).diagnostics.into_iter().filter(|found| found.rule.severity == Severity::Error) {
            *errors.entry((found.rule.name, found.key.map(String::from))).or_default() += 1;
        }
        errors
    }
}

/// What holds for every merge.
fn holds(world: &World, base: &str, ours: &str, theirs: &str) -> TestCaseResult {
    for (base, ours, theirs, want) in [(base, ours, base, ours), (base, base, theirs, theirs), (base, ours, ours, ours)] {
        let merged = world.merge(base, ours, theirs);
        prop_assert!(merged.is_clean() && merged.text == want, "a side that is not changed gives way: {merged:?}");
    }
    let merged = world.merge(base, ours, theirs);
    let mirrored = world.merge(base, theirs, ours);
    let shown = || format!("--- base\n{base}\n--- ours\n{ours}\n--- theirs\n{theirs}\n--- merged {:?}\n{}", merged.by_lines, merged.text);
    if merged.by_lines.is_some() || mirrored.by_lines.is_some() {
        return Ok(());
    }
    // Where a side breaks rules of its own, or says a value twice, the place of its lines decides, and with it which side is first.
    let is_orderly = |text: &str| world.errors(text).is_empty() && world.records(text).values().all(|&count| count == 1);
    let orderly = [base, ours, theirs].into_iter().all(is_orderly);
    if !orderly && merged.is_clean() != mirrored.is_clean() {
        return Ok(());
    }
    prop_assert_eq!(
        merged.is_clean(),
        mirrored.is_clean(),
        "one way round clean, the other not\n{}\n--- mirrored\n{}",
        shown(),
        mirrored.text
    );
    prop_assert_eq!(merged.conflicts.is_empty(), !merged.text.contains("<<<<<<< ours"), "conflicts without markers\n{}", shown());
    if !merged.is_clean() {
        // Every line that a side added is there to be chosen.
        for line in ours.lines().chain(theirs.lines()).filter(|line| line.trim_start().starts_with('-')) {
            let head = line.split(" [").next().unwrap_or(line);
            let is_new = !base.lines().any(|line| line.starts_with(head));
            prop_assert!(!is_new || merged.text.contains(head), "{head:?} is lost\n{}", shown());
        }
        return Ok(());
    }
    let (records, mirror) = (world.records(&merged.text), world.records(&mirrored.text));
    prop_assert_eq!(&records, &mirror, "the sides are not alike\n{}\n--- mirrored\n{}", shown(), mirrored.text);
    let (before, own, other) = (world.records(base), world.records(ours), world.records(theirs));
    let has_history = |key: &&(String, String)| world.config.cardinality(&key.0.to_lowercase()) != Cardinality::Volatile;
    for key in own.keys().chain(other.keys()).filter(has_history) {
        let count = |records: &BTreeMap<(String, String), usize>| records.get(key).copied().unwrap_or(0);
        // What both sides have, or one of them added, is there.
        let wanted = count(&own)
            .min(count(&other))
            .max(count(&own).saturating_sub(count(&before)))
            .max(count(&other).saturating_sub(count(&before)));
        prop_assert!(count(&records) >= wanted, "{key:?} is lost\n{}", shown());
        prop_assert!(count(&records) <= count(&own) + count(&other), "{key:?} is there too often\n{}", shown());
    }
    let (own, other) = (world.errors(ours), world.errors(theirs));
    for (error, count) in world.errors(&merged.text) {
        let known = own.get(&error).max(other.get(&error)).copied().unwrap_or(0);
        prop_assert!(count <= known, "{error:?} is new\n{}", shown());
    }
    Ok(())
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/merge");
    let mut cases: Vec<PathBuf> = fs::read_dir(root).expect("testdata/merge").map(|entry| entry.expect("an entry").path()).collect();
    cases.sort();
    cases
}

#[test]
fn cases_merge_as_they_should() {
    let mut wrong = String::new();
    for case in cases() {
        let world = World::new(&read(&case.join("memfile.toml")), &read(&case.join("terms.txt")));
        let [base, ours, theirs] = ["base.md", "ours.md", "theirs.md"].map(|name| read(&case.join(name)));
        let merged = world.merge(&base, &ours, &theirs);
        if std::env::var_os("MEMFILE_UPDATE").is_some() {
            fs::write(case.join("after.md"), &merged.text).expect("after.md is written");
        }
        let name = case.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let want = read(&case.join("after.md"));
        if merged.text != want {
            wrong.push_str(&format!("\n=== {name} {:?}\n{}\n--- want\n{want}", merged.by_lines, merged.text));
        }
        let by_lines = case.join("by-lines.txt").exists();
        if merged.by_lines.is_some() != by_lines {
            wrong.push_str(&format!("\n=== {name}: {:?}\n{}", merged.by_lines, merged.text));
        }
        if world.terms.is_empty()
            && let Err(error) = holds(&world, &base, &ours, &theirs)
        {
            wrong.push_str(&format!("\n=== {name}: {error}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn random() -> World {
    World { by_section: true, ..World::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 150 } else { 2000 }))]

    #[test]
    fn random_edits_of_two_sides_merge((base, ours, theirs) in edited_apart()) {
        holds(&random(), &base, &ours, &theirs)?;
    }

    #[test]
    fn files_that_were_added_apart_merge((ours, theirs) in (text(), text())) {
        holds(&random(), "", &ours, &theirs)?;
    }

    #[test]
    fn no_text_stops_a_merge(base in "[-a: \n<=>|\r]{0,40}", ours in "[-a: \n<=>|\r]{0,40}", theirs in "[-a: \n<=>|\r]{0,40}") {
        let head = "## Project memory\n\n- Port: 1\n";
        let [base, ours, theirs] = [base, ours, theirs].map(|tail| format!("{head}{tail}"));
        World::default().merge(&base, &ours, &theirs);
    }
}
