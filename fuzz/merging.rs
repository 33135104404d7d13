//! What must hold for any three texts that are merged: an input of the target `merge` comes in, base, ours and theirs with
//! [`BETWEEN`](super::BETWEEN) between them, and a property that fails panics.
//!
//! A record is told by its folded parameter and value, so that one that moved or whose heading was renamed is the same one.

use super::{BETWEEN, today};
use memfile::baseline::Accepted;
use memfile::check::{Selection, Subject, check};
use memfile::config::Config;
use memfile::diagnostic::Severity;
use memfile::merge::{Labels, Merged, Style, Terms, Versions, merge};
use memfile::syntax::{Reading, Status, parse};
use memfile::text::{fold_key, fold_value};
use std::collections::BTreeMap;

/// No text of an input has a run of so many characters of a marker, so that every marker is one that the merge wrote.
const MARKER: usize = 9;

const LABELS: Labels = Labels { base: "the base", ours: "our side", theirs: "their side" };

/// How often each record stands in a text.
type Counts = BTreeMap<(String, String), usize>;

/// Holds three texts against what a merge promises.
pub(super) fn merges(input: &str) {
    let mut texts = input.splitn(3, BETWEEN);
    let [base, ours, theirs] = [(); 3].map(|()| texts.next().unwrap_or_default());
    if ["<", "|", "=", ">"].iter().any(|mark| input.contains(&mark.repeat(MARKER))) {
        return;
    }
    let style = [Style::Merge, Style::Diff3, Style::Zdiff3][input.len() % 3];
    for whole_file in [false, true] {
        three(&Versions { base, ours, theirs }, style, whole_file);
    }
}

fn three(versions: &Versions, style: Style, whole_file: bool) {
    let config = Config::default();
    let nothing = Accepted::default();
    let terms = Terms {
        config: &config,
        whole_file,
        is_archive: false,
        today: today(),
        style,
        marker_size: MARKER,
        labels: LABELS,
        meant_by_us: &nothing,
        meant_by_them: &nothing,
        reverting: false,
    };
    let Versions { base, ours, theirs } = *versions;
    for (base, ours, theirs, want) in [(base, ours, base, ours), (base, base, theirs, theirs), (base, ours, ours, ours)] {
        let merged = merge(&Versions { base, ours, theirs }, &terms);
        assert!(merged.is_clean() && merged.text == want, "a side that is not changed gives way");
    }
    let merged = merge(versions, &terms);
    assert_eq!(merge(versions, &terms), merged, "the same texts merge in two ways");
    let sides = sides(&merged, style);
    let reading = |text: &str| parse(text, Reading { config: &config, whole_file, also: None }).managed();
    let managed = reading(base).with(reading(ours)).with(reading(theirs));
    if merged.by_lines.is_none() {
        no_record_is_lost(versions, &sides, merged.is_clean(), Reading { config: &config, whole_file, also: Some(&managed) });
        if merged.is_clean() {
            no_error_is_new(versions, &merged, &config, whole_file);
        }
    }
    no_line_is_lost(versions, &sides, merged.is_clean(), Reading { config: &config, whole_file, also: Some(&managed) });
}

/// The text as someone leaves it who takes our side of each conflict, and as one who takes theirs. The markers must be as git writes
/// them, one conflict after the other.
fn sides(merged: &Merged, style: Style) -> [String; 2] {
    #[derive(PartialEq, Debug)]
    enum In {
        Both,
        Ours,
        Base,
        Theirs,
    }
    let run = |mark: &str, label: &str| format!("{}{}{label}", mark.repeat(MARKER), if label.is_empty() { "" } else { " " });
    let [ours, base, middle, theirs] = [run("<", LABELS.ours), run("|", LABELS.base), run("=", ""), run(">", LABELS.theirs)];
    let mut at = In::Both;
    let mut conflicts = 0;
    let mut out = [String::new(), String::new()];
    for line in merged.text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        let next = match bare {
            _ if bare == ours => In::Ours,
            _ if bare == base => In::Base,
            _ if bare == middle => In::Theirs,
            _ if bare == theirs => In::Both,
            _ => {
                let is_marker = ["<", "|", "=", ">"].iter().any(|mark| line.contains(&mark.repeat(MARKER)));
                assert!(!is_marker, "a marker that is no line of its own: {line:?}\n{}", merged.text);
                match at {
                    In::Both => out.iter_mut().for_each(|out| out.push_str(line)),
                    In::Ours => out[0].push_str(line),
                    In::Base => {}
                    In::Theirs => out[1].push_str(line),
                }
                continue;
            }
        };
        let follows = match (&at, &next) {
            (In::Both, In::Ours) | (In::Theirs, In::Both) => true,
            (In::Ours, In::Base) => style != Style::Merge,
            (In::Ours, In::Theirs) => style == Style::Merge,
            (In::Base, In::Theirs) => true,
            _ => false,
        };
        assert!(follows, "{next:?} after {at:?}\n{}", merged.text);
        conflicts += usize::from(next == In::Ours);
        at = next;
    }
    assert!(at == In::Both, "a conflict does not end\n{}", merged.text);
    assert_eq!(conflicts == 0, merged.conflicts.is_empty(), "{:?}\n{}", merged.conflicts, merged.text);
    out
}

fn counts(text: &str, reading: Reading) -> Counts {
    let mut counts = Counts::new();
    for record in &parse(text, reading).records {
        *counts.entry((fold_key(record.parameter.of(text)), fold_value(record.value.of(text)))).or_default() += 1;
    }
    counts
}

/// What both sides have, and what either of them added, is there, whichever side of a conflict is taken; but what was erased on
/// purpose. Where there are conflicts, a record may read otherwise until they are solved: its words are there.
fn no_record_is_lost(versions: &Versions, sides: &[String; 2], is_clean: bool, reading: Reading) {
    let Versions { base, ours, theirs } = *versions;
    let erased = [ours, theirs].iter().any(|text| {
        let document = parse(text, reading);
        document.records.iter().any(|record| record.tag.as_deref().is_some_and(|tag| tag.status == Status::Redacted))
    });
    if erased || [ours, theirs].iter().any(|text| text.contains("volatile")) {
        return;
    }
    let [before, own, other] = [base, ours, theirs].map(|text| counts(text, reading));
    for (number, text) in sides.iter().enumerate() {
        let is = counts(text, reading);
        let count = |counts: &Counts, key: &(String, String)| counts.get(key).copied().unwrap_or(0);
        for key in own.keys().chain(other.keys()) {
            let [before, own, other] = [&before, &own, &other].map(|counts| count(counts, key));
            let added = [own, other][number].saturating_sub(before);
            let wanted = own.min(other).max(added);
            // Of what stands several times in the base each side may have taken out another.
            let wanted = if before > 1 { wanted.min((own + other).saturating_sub(before)).min(1) } else { wanted };
            let is_there = || !is_clean && wanted > 0 && has_words(text, [ours, theirs], key, reading);
            assert!(count(&is, key) >= wanted || is_there(), "{key:?} is lost with side {number}\n{text}");
        }
    }
}

/// The value of a record stands in `text` as one of the two sides has it.
fn has_words(text: &str, sides: [&str; 2], key: &(String, String), reading: Reading) -> bool {
    sides.iter().any(|side| {
        let document = parse(side, reading);
        let is_it = |value: &str, parameter: &str| fold_value(value) == key.1 && fold_key(parameter) == key.0;
        let mut own = document.records.iter().filter(|record| is_it(record.value.of(side), record.parameter.of(side)));
        own.any(|record| text.contains(record.value.of(side)))
    })
}

/// A merge without conflicts breaks no rule of order that neither side breaks.
fn no_error_is_new(versions: &Versions, merged: &Merged, config: &Config, whole_file: bool) {
    let selection = Selection::default();
    let subject = Subject { whole_file, ..Subject::new(config, &selection, today()) };
    let errors = |text: &str| {
        let mut errors: BTreeMap<(&str, Option<String>), usize> = BTreeMap::new();
        for found in check(text, &subject).diagnostics.into_iter().filter(|found| found.rule.severity == Severity::Error) {
            *errors.entry((found.rule.name, found.key.map(String::from))).or_default() += 1;
        }
        errors
    };
    let (own, other) = (errors(versions.ours), errors(versions.theirs));
    for (error, count) in errors(&merged.text) {
        let known = own.get(&error).max(other.get(&error)).copied().unwrap_or(0);
        assert!(count <= known, "{error:?} is new\n{}", merged.text);
    }
}

/// A line that stands once in all three texts and is no record's in any, or that a side added, is there with that side. In a conflict
/// one that a side moved may stand on that side alone.
fn no_line_is_lost(versions: &Versions, sides: &[String; 2], is_clean: bool, reading: Reading) {
    let Versions { base, ours, theirs } = *versions;
    let bare = |line: &str| line.trim_start_matches('\u{feff}').trim_end_matches('\r').to_owned();
    let lines = |text: &str| -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        text.split('\n').for_each(|line| *counts.entry(bare(line)).or_default() += 1);
        counts
    };
    let free = |text: &str| -> Vec<String> {
        let document = parse(text, reading);
        let mut at = 0;
        let mut free = Vec::new();
        for line in text.split('\n') {
            let end = at + line.len();
            if !document.records.iter().any(|record| record.block.start() <= end && at < record.block.end()) {
                free.push(bare(line));
            }
            at = end + 1;
        }
        free
    };
    let all = [base, ours, theirs].map(|text| (lines(text), free(text)));
    for (number, (text, side)) in sides.iter().zip([ours, theirs]).enumerate() {
        let is = lines(text);
        // What stands behind the last line ending is no line, and a blank line says nothing.
        for line in free(side).into_iter().filter(|line| !line.trim().is_empty()) {
            let count = |counts: &BTreeMap<String, usize>| counts.get(&line).copied().unwrap_or(0);
            let everywhere = is_clean && all.iter().all(|(lines, free)| count(lines) == 1 && free.contains(&line));
            let is_new = count(&all[0].0) == 0;
            assert!(!(everywhere || is_new) || count(&is) > 0, "{line:?} is lost with side {number}\n{text}");
        }
    }
}
