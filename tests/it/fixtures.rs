//! Folders of text, walked whole, so that no case can be forgotten. `MEMFILE_UPDATE=1 cargo test --test it fixtures` writes what
//! is expected anew; look at the diff before you commit it.
//!
//! - `testdata/rules/RULE/CASE`: `before.md` [`base.md` `then-DAY.md` `declared.txt` `trailers.txt` `memfile.toml` `today.txt`] to `report.txt`
//!   (`LINE:COLUMN severity rule message [fix]`) and, where a fix changes the text, `after.md`. RULE is found there, but not in a CASE named `not-…`.
//! - `testdata/fix/CASE`: the same to `after.md`; what remains stands in `remaining.txt`.
//! - `testdata/parse/N.md` to `N.txt`: tiles and records.
//! - `testdata/wild/unmanaged/*.md`: whole files without managed text; nothing is found in them, nothing changes.
//! - `testdata/wild/managed/N.md` to `N.fixed.md` and, where something remains, `N.remaining.txt`.

use crate::case::{Case, report};
use memfile::config::{Cardinality, Config};
use memfile::diagnostic::{Applicability, Fixable};
use memfile::rules::{RULES, find};
use memfile::syntax::{Reading, Record, parse, tiles};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Rules whose findings need more than one text.
const OTHER_FILES: [&str; 1] = ["cross-file-conflict"];

/// Plays each case of a folder of the test data, which has more than `least`.
pub(crate) fn each<E: std::fmt::Display>(folder: &str, least: usize, play: impl Fn(&Path) -> Result<(), E>) {
    let cases = entries(&testdata(folder));
    assert!(cases.len() > least);
    let failed: Vec<String> = cases
        .iter()
        .filter_map(|case| play(case).err().map(|error| format!("{}: {error}", case.file_name().unwrap_or_default().to_string_lossy())))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

pub(crate) fn testdata(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(folder)
}

pub(crate) fn read(path: &Path) -> Option<String> {
    std::fs::read(path).ok().map(|bytes| String::from_utf8(bytes).unwrap_or_else(|_| panic!("{} is UTF-8", path.display())))
}

/// What stands in a folder, sorted.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = listed.map(|entry| entry.expect("the folder can be listed").path()).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).expect("names of test data are UTF-8")
}

/// The Markdown inputs of a folder: those whose name has no second dot.
fn inputs(folder: &Path) -> Vec<PathBuf> {
    let inputs: Vec<PathBuf> =
        entries(folder).into_iter().filter(|path| name(path).strip_suffix(".md").is_some_and(|stem| !stem.contains('.'))).collect();
    assert!(!inputs.is_empty(), "{}: no file", folder.display());
    inputs
}

/// What the tests expect, and where it differs.
#[derive(Default)]
struct Expected {
    wrong: Vec<String>,
}

impl Expected {
    /// Compares `actual` with the file; an empty one stands for no file. With `MEMFILE_UPDATE` the file is written instead.
    fn file(&mut self, path: &Path, actual: &str) {
        let expected = read(path).unwrap_or_default();
        if expected == actual {
            return;
        }
        if std::env::var_os("MEMFILE_UPDATE").is_none() {
            let shown = Path::new(path).strip_prefix(testdata("")).unwrap_or(path).display();
            self.wrong.push(format!("{shown} says\n{expected}\nbut it is\n{actual}"));
        } else if actual.is_empty() {
            std::fs::remove_file(path).expect("the old expectation can go");
        } else {
            std::fs::write(path, actual).expect("the expectation can be written");
        }
    }

    fn hold(self) {
        assert!(self.wrong.is_empty(), "{}\n\nIf this is right: MEMFILE_UPDATE=1 cargo test --test it fixtures", self.wrong.join("\n\n"));
    }
}

/// The case in a folder and its text.
pub(crate) fn case(folder: &Path) -> (Case, String) {
    let file = |name: &str| read(&folder.join(name));
    let before = file("before.md").unwrap_or_else(|| panic!("{}: no before.md", folder.display()));
    let case = Case::new(file("base.md").as_deref(), &file("memfile.toml").unwrap_or_default(), &file("today.txt").unwrap_or_default());
    // Commits behind the baseline: `then-DAY.md`, by name.
    let behind = entries(folder).into_iter().filter_map(|path| {
        let day = name(&path).strip_prefix("then-")?.strip_suffix(".md")?.to_owned();
        Some((day, read(&path)?))
    });
    let case = behind.fold(case, |case, (day, text)| case.then(&day, &text));
    (case.declaring(&file("declared.txt").unwrap_or_default()).accepting(&file("trailers.txt").unwrap_or_default()), before)
}

/// All folders of cases below `testdata/rules` and `testdata/fix`.
pub(crate) fn case_folders() -> Vec<PathBuf> {
    let rules = entries(&testdata("rules")).into_iter().flat_map(|rule| entries(&rule));
    rules.chain(entries(&testdata("fix"))).collect()
}

#[test]
fn rules() {
    let mut expected = Expected::default();
    for rule in entries(&testdata("rules")) {
        let info = find(name(&rule)).unwrap_or_else(|| panic!("{}: no such rule", rule.display())).info;
        for folder in entries(&rule) {
            let (case, before) = case(&folder);
            let found = case.check(&before).diagnostics;
            let fires = found.iter().any(|found| found.rule.name == info.name);
            if fires == name(&folder).starts_with("not-") {
                expected.wrong.push(format!("{}/{}: found: {fires}", info.name, name(&folder)));
            }
            expected.file(&folder.join("report.txt"), &report(&before, &found));
            let least = if info.fixable == Fixable::Unsafe { Applicability::Unsafe } else { Applicability::Safe };
            match case.fix(&before, least) {
                Ok(fixed) => expected.file(&folder.join("after.md"), if fixed.text == before { "" } else { &fixed.text }),
                Err(error) => expected.wrong.push(format!("{}: {error}", folder.display())),
            }
        }
    }
    expected.hold();
}

#[test]
fn every_rule_has_a_case_and_a_near_miss() {
    for rule in RULES.iter().map(|rule| rule.info.name).filter(|rule| !OTHER_FILES.contains(rule)) {
        let cases = entries(&testdata("rules").join(rule));
        let misses = cases.iter().filter(|case| name(case).starts_with("not-")).count();
        assert!(misses > 0 && misses < cases.len(), "{rule}: {misses} of {} cases are near misses", cases.len());
    }
}

#[test]
fn fixes() {
    let mut expected = Expected::default();
    for folder in entries(&testdata("fix")) {
        let (case, before) = case(&folder);
        match case.fix(&before, Applicability::Safe) {
            Ok(fixed) => {
                expected.file(&folder.join("after.md"), &fixed.text);
                expected.file(&folder.join("remaining.txt"), &report(&fixed.text, &fixed.remaining));
            }
            Err(error) => expected.wrong.push(format!("{}: {error}", folder.display())),
        }
    }
    expected.hold();
}

#[test]
fn parses() {
    let mut expected = Expected::default();
    let config = Config::default();
    for path in inputs(&testdata("parse")) {
        let text = read(&path).expect("it was listed");
        expected.file(&path.with_extension("txt"), &dump(&text, &config));
    }
    expected.hold();
}

/// Tiles, then records.
fn dump(text: &str, config: &Config) -> String {
    let document = parse(text, Reading::new(config));
    let mut out = String::new();
    for region in &document.regions {
        writeln!(out, "region {:?} {:?}", region.kind, region.range).expect("a String takes all");
    }
    for tile in tiles(&document) {
        writeln!(out, "{:?} {:?} {:?}", tile.kind, tile.range, tile.range.of(text)).expect("a String takes all");
    }
    for record in &document.records {
        let path = &document.scopes[record.scope as usize].title;
        writeln!(out, "{}", described(text, record, path)).expect("a String takes all");
    }
    out
}

fn described(text: &str, record: &Record, path: &str) -> String {
    let mut out = format!("{:?} {:?}", record.shape, record.bullet);
    let attributes = &record.attributes;
    let parts = [
        ("subject", record.subject),
        ("parameter", record.parameter),
        ("value", record.value),
        ("source", attributes.source()),
        ("since", attributes.since()),
        ("until", attributes.until()),
        ("reason", attributes.reason()),
    ];
    for (name, range) in parts.into_iter().filter(|(_, range)| !range.is_empty()) {
        write!(out, "\n  {name} {:?}", range.of(text)).expect("a String takes all");
    }
    if !path.is_empty() {
        write!(out, "\n  below {path:?}").expect("a String takes all");
    }
    for (name, set) in [("many", Cardinality::Many), ("volatile", Cardinality::Volatile)] {
        if record.cardinality == Some(set) {
            write!(out, "\n  {name}").expect("a String takes all");
        }
    }
    if let Some(tag) = &record.tag {
        write!(out, "\n  tag {:?} {:?} {:?}", tag.status, tag.form, tag.range.of(text)).expect("a String takes all");
        for (name, part) in [("named", &tag.named), ("when", &tag.when), ("reason", &tag.reason)] {
            if let Some(part) = part {
                write!(out, "\n    {name} {part:?}").expect("a String takes all");
            }
        }
    }
    out
}

#[test]
fn unmanaged_files_stay_as_they_are() {
    let mut expected = Expected::default();
    for path in inputs(&testdata("wild/unmanaged")) {
        let text = read(&path).expect("it was listed");
        let fixed = Case::new(None, "", "").fix(&text, Applicability::Unsafe).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        if fixed.text != text || !fixed.remaining.is_empty() || fixed.checked.records > 0 {
            expected.wrong.push(format!("{}:\n{}{}", path.display(), report(&fixed.text, &fixed.remaining), fixed.text));
        }
    }
    expected.hold();
}

#[test]
fn managed_files_are_fixed() {
    let mut expected = Expected::default();
    for path in inputs(&testdata("wild/managed")) {
        let text = read(&path).expect("it was listed");
        let fixed = Case::new(None, "", "").fix(&text, Applicability::Safe).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        expected.file(&path.with_extension("fixed.md"), &fixed.text);
        expected.file(&path.with_extension("remaining.txt"), &report(&fixed.text, &fixed.remaining));
    }
    expected.hold();
}
