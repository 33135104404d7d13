//! The page of threats: a test that it names is there.

use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The names of tests in a text of the page: what stands in backticks behind `test:` or `tests:` up to the end of the row.
fn named(page: &str) -> Vec<&str> {
    let rows = page.lines().filter_map(|line| line.split_once("tests: "));
    rows.flat_map(|(_, tests)| tests.split('`').skip(1).step_by(2)).collect()
}

#[test]
fn every_test_that_the_page_names_is_there() {
    let page = fs::read_to_string(Path::new(ROOT).join("docs/threats.md")).expect("the page");
    let mut files = Vec::new();
    ["src", "tests"].iter().for_each(|folder| sources(&Path::new(ROOT).join(folder), &mut files));
    let code: String = files.iter().map(|path| fs::read_to_string(path).expect("UTF-8")).collect();
    let names = named(&page);
    assert!(names.len() > 40, "{}", names.len());
    for name in names {
        assert!(code.contains(&format!("#[test]\nfn {name}()")) || code.contains(&format!("#[test]\n    fn {name}()")), "no test {name}");
    }
}

#[test]
fn every_claim_has_a_test() {
    let page = fs::read_to_string(Path::new(ROOT).join("docs/threats.md")).expect("the page");
    for claim in page.lines().filter(|line| line.starts_with("- **")) {
        assert!(!named(claim).is_empty() || claim.contains("Not guarded"), "a claim without a test: {claim}");
    }
}

#[test]
fn every_test_of_threats_is_on_the_page() {
    let page = fs::read_to_string(Path::new(ROOT).join("docs/threats.md")).expect("the page");
    let mut files = Vec::new();
    sources(&Path::new(ROOT).join("tests/it/threats"), &mut files);
    for path in files.iter().filter(|path| !path.ends_with("page.rs")) {
        let code = fs::read_to_string(path).expect("UTF-8");
        for test in code.split("#[test]\n").skip(1) {
            let name = test.split_once("fn ").and_then(|(_, rest)| rest.split_once('(')).expect("a function").0;
            assert!(named(&page).contains(&name), "{name} proves a claim that the page does not make");
        }
    }
}
