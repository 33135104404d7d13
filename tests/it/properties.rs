//! What holds for every text: of the test data, of random memory files, and of no sense at all.

use crate::case::{Case, report};
use crate::fixtures::{case, case_folders, read, testdata};
use crate::generate::{edited, text};
use memfile::check::{Checked, Currents, Subject, check};
use memfile::config::Cardinality;
use memfile::diagnostic::{Applicability, Diagnostic, RuleInfo};
use memfile::fix::Fixed;
use memfile::syntax::{Reading, Record, Status, TileKind, parse, tiles};
use memfile::text::{LineIndex, Patch, TextRange, fold_key, fold_value};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// All that must hold for `text` under `base`.
fn holds(base: Option<&str>, config: &str, today: &str, text: &str) -> TestCaseResult {
    let case = Case::new(base, config, today);
    tile(&case, text)?;
    let found = case.check(text);
    // Groups that are in order are kept for those who look at them, and change nothing.
    let asking = Subject { currents: Currents::All, ..case.subject() };
    let (whole, ()) = memfile::check::check_with(text, &asking, |_, _| ());
    prop_assert_eq!(format!("{:?}", check(text, &asking).currents), format!("{:?}", whole.currents));
    let mut explicit = whole.currents.clone();
    explicit.retain(|current| current.explicit);
    prop_assert_eq!(check(text, &Subject { currents: Currents::Explicit, ..case.subject() }).currents, explicit);
    prop_assert_eq!(report(text, &found.diagnostics), report(text, &whole.diagnostics), "the groups that are in order count");
    let fits = |range: TextRange| text.get(range.start()..range.end()).is_some();
    prop_assert!(found.diagnostics.iter().all(|found| fits(found.range)), "a finding stands outside the text");
    let fixed = case.fix(text, Applicability::Safe);
    let fixed = fixed.map_err(|error| TestCaseError::fail(format!("{error}\n{}", report(text, &found.diagnostics))))?;
    let shown = || format!("{}\n--- fixed\n{}\n{}", report(text, &found.diagnostics), fixed.text, report(&fixed.text, &fixed.remaining));
    if !found.diagnostics.iter().any(is_safe) {
        prop_assert_eq!(&fixed.text, text, "nothing to fix, and something was written");
    }
    prop_assert_eq!(&fixed.patch.apply(text), &fixed.text, "the patch gives another text");
    prop_assert!(!fixed.remaining.iter().any(is_safe), "something fixable is left\n{}", shown());
    let again = case.fix(&fixed.text, Applicability::Safe).map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert_eq!(&again.text, &fixed.text, "the second fix is not empty\n{}", shown());
    untouched(&case, text, &fixed)?;
    if base.is_none_or(|base| has_no_doubles(&case, base) && has_no_doubles(&case, text)) {
        each_alone(&case, text, &found)?;
    }
    nothing_is_lost(&case, base, &fixed)?;
    unended_twin(&case, text, &fixed)?;
    crlf_twin(base, config, today, text, &found, &fixed)
}

fn is_safe(found: &Diagnostic) -> bool {
    found.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe)
}

fn tile(case: &Case, text: &str) -> TestCaseResult {
    let document = parse(text, Reading::new(&case.config));
    let mut at = 0;
    for tile in tiles(&document) {
        prop_assert_eq!(tile.range.start(), at, "a gap or an overlap");
        prop_assert!(!tile.range.is_empty());
        prop_assert!(text.is_char_boundary(tile.range.end()));
        at = tile.range.end();
    }
    prop_assert_eq!(at, text.len(), "the end is missing");
    // Findings go out in pieces in the order of the records, whatever holds them: lists, tables, items below items.
    prop_assert!(document.records.is_sorted_by_key(|record| record.head.start()), "records out of order");
    Ok(())
}

/// Lines that belong to no record are still there, in their order. (A comment on a record may be taken out by its rule.)
fn untouched(case: &Case, text: &str, fixed: &Fixed) -> TestCaseResult {
    let document = parse(text, Reading::new(&case.config));
    let records: Vec<TextRange> =
        tiles(&document).into_iter().filter(|tile| tile.kind == TileKind::Record).map(|tile| tile.range).collect();
    let mut rest = fixed.text.split_inclusive('\n');
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let range = TextRange::new(at, at + line.len());
        at = range.end();
        if line.trim().is_empty() || line.contains("<!-- memfile: ignore") || records.iter().any(|record| record.overlaps(range)) {
            continue;
        }
        let same = |other: &str| other == line || other.trim_end_matches(['\r', '\n']) == line.trim_end_matches(['\r', '\n']);
        prop_assert!(rest.any(same), "the line {line:?} is gone, changed or out of order\n{}", fixed.text);
    }
    Ok(())
}

/// True where no record says the same as another: of two such records, either can be meant by what is left.
fn has_no_doubles(case: &Case, base: &str) -> bool {
    let document = parse(base, Reading::new(&case.config));
    let mut seen = BTreeSet::new();
    document.records.iter().all(|record| seen.insert((fold_key(record.parameter.of(base)), fold_value(record.value.of(base)))))
}

/// Each safe fix by itself takes its finding away.
fn each_alone(case: &Case, text: &str, found: &Checked) -> TestCaseResult {
    if found.diagnostics.iter().any(|found| found.rule.stops_writing) {
        return Ok(());
    }
    // A step of a chain may be due for the next record, or in another form, once the first is done: record and edits count as well.
    let name = |text: &str, found: &Diagnostic| {
        let line = text[found.range.start()..].lines().next().unwrap_or("").split('[').next().unwrap_or("").trim().to_owned();
        let edits: Vec<String> = found.fix.iter().flat_map(|fix| fix.edits.iter()).map(|edit| edit.text.clone()).collect();
        (found.rule.name, found.key.clone(), found.message.clone(), line, edits)
    };
    for diagnostic in found.diagnostics.iter().filter(|found| is_safe(found)) {
        let mut patch = Patch::default();
        prop_assert!(patch.try_add(&diagnostic.fix.as_ref().expect("it is safe").edits), "a fix disturbs itself");
        let next = patch.apply(text);
        let after = case.check(&next);
        let count = |in_text: &str, all: &[Diagnostic]| all.iter().filter(|other| name(in_text, other) == name(text, diagnostic)).count();
        prop_assert!(
            count(&next, &after.diagnostics) < count(text, &found.diagnostics),
            "{:?} is still found after its fix\n{next}\n{}",
            name(text, diagnostic),
            report(&next, &after.diagnostics)
        );
    }
    Ok(())
}

/// Every parameter and value of the baseline stands in the result, unless a finding tells of losses.
fn nothing_is_lost(case: &Case, base: Option<&str>, fixed: &Fixed) -> TestCaseResult {
    let Some(base) = base else { return Ok(()) };
    let told =
        |rule: &RuleInfo| matches!(rule.name, "overwritten" | "deleted" | "history-edited" | "mass-loss" | "elided" | "statement-changed");
    if fixed.remaining.iter().any(|found| told(found.rule) || found.rule.stops_writing) {
        return Ok(());
    }
    let facts = |text: &str| -> BTreeSet<(String, String)> {
        let document = parse(text, Reading::new(&case.config));
        let all = document.records.iter().chain(&document.observed);
        all.map(|record| {
            let canonical = case.config.canonical_value(fold_value(record.value.of(text)));
            (case.config.canonical_parameter(fold_key(record.parameter.of(text))), canonical)
        })
        .collect()
    };
    let managed = parse(base, Reading::new(&case.config));
    let values: BTreeSet<String> = facts(&fixed.text).into_iter().map(|(_, value)| value).collect();
    let key = |text: &str, record: &Record| case.config.canonical_parameter(fold_key(record.parameter.of(text)));
    let is_erased = |record: &&Record| record.tag.as_ref().is_some_and(|tag| tag.status == Status::Redacted);
    let document = parse(&fixed.text, Reading::new(&case.config));
    let erased: BTreeSet<String> = document.records.iter().filter(is_erased).map(|record| key(&fixed.text, record)).collect();
    // What was erased on purpose accounts for what its fact lost.
    for record in managed.records.iter().filter(|record| !erased.contains(&key(base, record))) {
        let parameter = record.parameter.of(base);
        let kept = record.cardinality.unwrap_or_else(|| case.config.cardinality(&fold_key(parameter))) != Cardinality::Volatile;
        let secret = memfile::facts::is_secret(record.value.of(base));
        let value = case.config.canonical_value(fold_value(record.value.of(base)));
        // A rename keeps the value only; a key without a value says nothing.
        prop_assert!(!kept || secret || value.is_empty() || values.contains(&value), "{parameter}: {value} is lost\n{}", fixed.text);
    }
    Ok(())
}

/// With or without the ending of its last line the same is done: without it a tag and a line that comes back meet at one offset.
fn unended_twin(case: &Case, text: &str, fixed: &Fixed) -> TestCaseResult {
    let other = text.strip_suffix('\n').map_or_else(|| format!("{text}\n"), str::to_owned);
    // Blank lines at the end are more than an ending, and other line endings have a property of their own.
    if text.is_empty() || text.contains('\r') || text.ends_with("\n\n") {
        return Ok(());
    }
    let other = case.fix(&other, Applicability::Safe).map_err(|error| TestCaseError::fail(error.to_string()))?;
    let bare = |text: &str| text.trim_end_matches('\n').to_owned();
    prop_assert_eq!(bare(&other.text), bare(&fixed.text), "the text without its last ending is fixed in another way");
    Ok(())
}

/// With other line endings the same is found, and the same is done.
fn crlf_twin(base: Option<&str>, config: &str, today: &str, text: &str, found: &Checked, fixed: &Fixed) -> TestCaseResult {
    if text.contains('\r') || base.is_some_and(|base| base.contains('\r')) {
        return Ok(());
    }
    let twin = |text: &str| text.replace('\n', "\r\n");
    let case = Case::new(base.map(twin).as_deref(), config, today);
    let other = twin(text);
    let named = |text: &str, found: &[Diagnostic]| -> Vec<(usize, &str)> {
        let lines = LineIndex::new(text);
        // Longer endings may not fit into a loader's window.
        let found = found.iter().filter(|found| !matches!(found.rule.name, "over-budget" | "current-outside-window"));
        found.map(|found| (lines.position(text, found.range.start()).line, found.rule.name)).collect()
    };
    prop_assert_eq!(
        named(&other, &case.check(&other).diagnostics),
        named(text, &found.diagnostics),
        "the CRLF twin is judged in another way"
    );
    let other = case.fix(&other, Applicability::Safe).map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert_eq!(other.text, twin(&fixed.text), "the CRLF twin is fixed in another way");
    Ok(())
}

/// All Markdown files below a folder.
fn markdown(folder: PathBuf, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            markdown(path, into);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            into.push(path);
        }
    }
}

#[test]
fn every_file_of_the_test_data() {
    let mut paths = Vec::new();
    markdown(testdata(""), &mut paths);
    paths.sort();
    let mut wrong = Vec::new();
    for path in paths {
        if let Err(error) = holds(None, "", "", &read(&path).expect("it was listed")) {
            wrong.push(format!("{}: {error}", path.display()));
        }
    }
    for folder in case_folders() {
        let file = |name: &str| read(&folder.join(name));
        let (_, before) = case(&folder);
        let result =
            holds(file("base.md").as_deref(), &file("memfile.toml").unwrap_or_default(), &file("today.txt").unwrap_or_default(), &before);
        if let Err(error) = result {
            wrong.push(format!("{}: {error}", folder.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Pieces of which odd texts are made.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "\n",
            "\r\n",
            "\r",
            "\n\n",
            "  ",
            "\t",
            "- ",
            "* ",
            "1. ",
            "> ",
            "# ",
            "## Project memory\n",
            "<Memory>\n",
            "</Memory>\n",
            "```\n",
            "    ",
            "| a | b |\n|---|---|\n",
            "| x | y |\n",
            "<!-- memfile -->\n",
            "<!-- memfile: many -->",
            "<!-- memfile: ignore repeat -->",
            "<!--",
            "-->",
            "---\n",
            "Port: ",
            "Port | ",
            "8080",
            "9090",
            " | source: call 2026-01-01",
            " | source: session 3",
            " (since 2026-01-01)",
            "(until 2025-01-01)",
            " (since 2027-01-01)",
            " [historical]",
            " replaced by: ",
            " as of 2026-02-02",
            " [retracted]",
            "[redacted]",
            "[scheduled] as of 2026-01-01",
            "~~",
            "**",
            "`",
            "\\|",
            "\u{feff}",
            "\u{200b}",
            "Память",
            "é",
            "…",
            "Facts about Otter, in order\n",
            "memfile: true\n",
            "[ ] ",
            ":\n",
            "… rest unchanged …\n",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,4}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4000, ..ProptestConfig::default() })]

    #[test]
    fn random_files(text in text()) {
        holds(None, "", "", &text)?;
    }

    #[test]
    fn random_edits((before, after) in edited()) {
        holds(Some(&before), "", "", &after)?;
    }

    #[test]
    fn random_nonsense(base in prop::collection::vec(piece(), 0..24), text in prop::collection::vec(piece(), 0..24), based in any::<bool>()) {
        let (base, text) = (format!("## Project memory\n{}", base.concat()), text.concat());
        let case = Case::new(based.then_some(base.as_str()), "", "");
        tile(&case, &text)?;
        let fixed = case.fix(&text, Applicability::Safe).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert!(!fixed.remaining.iter().any(is_safe), "something fixable is left\n{}", fixed.text);
        case.fix(&text, Applicability::Unsafe).map_err(|error| TestCaseError::fail(error.to_string()))?;
    }

    #[test]
    fn values_come_back_from_their_tags(value in prop::collection::vec(value_piece(), 1..6)) {
        let value = value.concat();
        let value = value.trim();
        let text = format!("## Project memory\n\n- Law | old one | source: call 2025-01-01\n- Law | {value} | source: call 2026-01-01\n");
        let case = Case::new(None, "", "");
        let document = parse(&text, Reading::new(&case.config));
        // Only what is read as this very value is of interest.
        prop_assume!(document.records.len() == 2 && document.records[1].value.of(&text) == value && document.records[1].tag.is_none());
        prop_assume!(!memfile::facts::is_secret(value) && fold_value(value) != "old one" && !fold_value(value).is_empty());
        let fixed = case.fix(&text, Applicability::Safe).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let after = parse(&fixed.text, Reading::new(&case.config));
        let Some(tag) = &after.records[0].tag else { return Err(TestCaseError::fail(format!("no tag\n{}", fixed.text))) };
        let wanted = fold_value(&memfile::facts::tag_value(value, true));
        let named = tag.split(&|text| fold_value(text) == wanted || fold_value(text) == fold_value(value));
        let named = named.unwrap_or_default();
        prop_assert!(fold_value(&named.value) == wanted || fold_value(&named.value) == fold_value(value), "{named:?}\n{}", fixed.text);
        prop_assert_eq!(named.when.as_deref(), Some("2026-01-01"), "{}", &fixed.text);
        prop_assert!(fixed.remaining.iter().all(|found| found.rule.name == "multi-claim"), "{}", report(&fixed.text, &fixed.remaining));
    }
}

fn value_piece() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            " as of ",
            "2026-02-02",
            ": ",
            "; ",
            ", ",
            "\\|",
            "`a | b`",
            "`",
            "[x]",
            "(y)",
            "(since 2026)",
            "replaced by: ",
            "…",
            "«я»",
            "~~z~~",
            "**b**",
            "ended",
            " от ",
            " since ",
            "|",
            ".",
            "\"",
            "<b>",
            "&amp;",
            "https://otter.invalid/a?b=c",
        ])
        .prop_map(str::to_owned),
        "[a-zA-Z0-9 ]{1,12}",
        "\\PC{1,3}",
    ]
}
