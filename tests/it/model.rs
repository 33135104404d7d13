//! What the library makes of a fact is what the fact means.
//!
//! Random facts are written to a file, and told twice: by the library (findings, `fix`, queries), and by the slow and obvious model in
//! `meaning`. The model leaves open what the format's description leaves open; all else must agree.

mod groups;
mod meaning;

use crate::case::{Case, TODAY, report};
use groups::{NOWHERE, date_text, facts, head, spelled, written};
use meaning::{Line, Mark, Shape, Status, Told, Verdict, contradicts, day_number, tell};
use memfile::check::analyse;
use memfile::diagnostic::Applicability;
use memfile::query::{Chain, Standing, Teller};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

const PARAMETERS: [&str; 2] = ["Port", "Ad budget"];

/// The facts of one file, their records in turns.
fn page(shape: Shape, facts: &[Vec<Line>]) -> String {
    let mut text = head(shape).to_owned();
    for number in 0..facts.iter().map(Vec::len).max().unwrap_or(0) {
        for (fact, parameter) in facts.iter().zip(PARAMETERS) {
            if let Some(line) = fact.get(number) {
                text.push_str(&written(shape, parameter, number, line));
            }
        }
    }
    text
}

fn chains(case: &Case, text: &str) -> Vec<Chain> {
    analyse(text, &case.subject(), |analysis, revisions| Teller::new("AGENTS.md", analysis, revisions).all())
}

fn status_of(standing: Standing) -> Option<Status> {
    Some(match standing {
        Standing::Current => Status::Current,
        Standing::Historical => Status::Historical,
        Standing::Ended => Status::Ended,
        Standing::Removed => Status::Removed,
        Standing::Retracted => Status::Retracted,
        Standing::Scheduled => Status::Scheduled,
        Standing::Redacted => return None,
    })
}

/// The tag of a line of the file, read by hand.
fn tag_of(line: &str) -> &str {
    line.find('[').map_or("", |at| line[at..].trim_end_matches([' ', '|']))
}

/// The tag that a record must carry after a fix, where that is certain.
fn wanted_tag(lines: &[Line], told: &Told, idx: usize, before: &str) -> Option<String> {
    let line = &lines[idx];
    let replaced = |next: usize| {
        let successor = &lines[next];
        let is_old_source = successor.source == line.source && successor.teller == line.teller;
        let when = successor.since.or(successor.source.filter(|_| !is_old_source));
        let when = when.map_or(String::new(), |when| format!(" as of {}", date_text(when)));
        format!("[historical] replaced by: {}{when}", spelled(successor.word, next))
    };
    match (line.mark, told.status[idx]?, told.next[idx]) {
        (Mark::None | Mark::Scheduled, Status::Current, _) => Some(String::new()),
        (Mark::None | Mark::Bare, Status::Historical, Some(next)) => Some(replaced(next)),
        (Mark::Replaced(NOWHERE, _), ..) => Some(before.to_owned()),
        (Mark::Replaced(word, when), _, Some(next)) => {
            let successor = &lines[next];
            let is_right = word == successor.word && !when.is_some_and(|when| contradicts(when, successor));
            Some(if is_right { before.to_owned() } else { replaced(next) })
        }
        (Mark::Ended | Mark::Removed | Mark::Retracted, ..) => Some(before.to_owned()),
        _ => None,
    }
}

/// The library and the model agree on `facts`.
fn agree(shape: Shape, facts: &[Vec<Line>]) -> TestCaseResult {
    let case = Case::new(None, "", "");
    let text = page(shape, facts);
    let fixed = case.fix(&text, Applicability::Safe).map_err(|error| TestCaseError::fail(error.to_string()))?;
    let found = case.check(&text).diagnostics;
    let (before, after) = (chains(&case, &text), chains(&case, &fixed.text));
    let mut today = TODAY.split('-').map(|part| part.parse::<u32>().expect("a number"));
    let mut part = || today.next().expect("three parts");
    let today = day_number(part() as i32, part(), part());
    for (lines, parameter) in facts.iter().zip(PARAMETERS) {
        let told = tell(shape, lines, today);
        let shown = || {
            let remaining = report(&fixed.text, &fixed.remaining);
            format!("{parameter}: {told:?}\n{text}{}\n--- fixed\n{}{remaining}", report(&text, &found), fixed.text)
        };
        let has = |rule: &str| found.iter().any(|found| found.rule.name == rule && found.key.as_deref() == Some(parameter));
        if told.verdict == Verdict::Open {
            continue;
        }
        prop_assert_eq!(has("two-current"), told.verdict == Verdict::TwoCurrent, "two-current\n{}", shown());
        prop_assert_eq!(has("same-source"), told.verdict == Verdict::SameSource, "same-source\n{}", shown());
        prop_assert_eq!(has("current-tagged"), told.verdict == Verdict::AllTagged, "current-tagged\n{}", shown());
        prop_assert_eq!(has("broken-chain"), told.verdict == Verdict::Broken, "broken-chain\n{}", shown());
        let is_of = |line: &&str| line.starts_with(&format!("- {parameter} |")) || line.starts_with(&format!("- {parameter}:"));
        let is_mine = |line: &&str| is_of(line) || line.starts_with(&format!("| {parameter} |"));
        let old: Vec<&str> = text.lines().filter(is_mine).collect();
        let new: Vec<&str> = fixed.text.lines().filter(is_mine).collect();
        prop_assert_eq!(old.len(), new.len(), "records came or went\n{}", shown());
        if !matches!(told.verdict, Verdict::Settled | Verdict::AllTagged) {
            let stays = |line: &&&str| !line.contains("[scheduled]");
            let scheduled = told.status.contains(&Some(Status::Scheduled));
            prop_assert!(scheduled || old == new, "a fact that cannot be told was written to\n{}", shown());
            prop_assert!(new.iter().filter(stays).all(|line| scheduled || old.contains(line)), "{}", shown());
            continue;
        }
        for (idx, line) in lines.iter().enumerate() {
            let value = spelled(line.word, idx);
            let place = new.iter().position(|line| line.contains(&format!(" {value}")) && !tag_of(line).contains(&format!(" {value}")));
            prop_assert!(place.is_some(), "{value} is gone\n{}", shown());
            let (place, was) = (place.expect("it is some"), tag_of(old[idx]));
            if let Some(wanted) = wanted_tag(lines, &told, idx, was) {
                prop_assert_eq!(tag_of(new[place]), wanted, "the tag of {}\n{}", value, shown());
            }
            let is_repeated = (0..lines.len()).any(|other| other != idx && lines[other].word == line.word);
            let below = &new[place + 1..];
            let may_follow = |line: &&str| tag_of(line).is_empty() || tag_of(line).starts_with("[retracted]");
            prop_assert!(
                told.status[idx] != Some(Status::Current) || is_repeated || below.iter().all(may_follow),
                "{value} holds and is not last\n{}",
                shown()
            );
            for chains in [&before, &after].into_iter().filter(|_| told.status[idx].is_some()) {
                let versions = chains.iter().flat_map(|chain| &chain.versions);
                let is_mine = |value: &str| {
                    versions
                        .clone()
                        .find(|version| version.value.as_deref() == Some(value) && version.parameter.as_deref() == Some(parameter))
                };
                // Neighbours of one value are one version.
                let twins = (0..lines.len()).filter(|&other| lines[other].word == line.word);
                let mut twins = twins.filter_map(|other| is_mine(&spelled(line.word, other)));
                let version = is_mine(&value).or_else(|| twins.find(|version| status_of(version.standing) == told.status[idx]));
                prop_assert!(version.is_some(), "{value} is no version\n{}", shown());
                let version = version.expect("it is some");
                prop_assert_eq!(status_of(version.standing), told.status[idx], "the standing of {}\n{}", value, shown());
                let next =
                    told.next[idx].filter(|_| told.status[idx] == Some(Status::Historical) && line.mark == Mark::None && !is_repeated);
                if let Some(next) = next {
                    prop_assert_eq!(
                        version.replaced_by.as_ref().map(|value| value.to_lowercase()),
                        Some(spelled(lines[next].word, usize::MAX)),
                        "what replaced {}\n{}",
                        value,
                        shown()
                    );
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4000, ..ProptestConfig::default() })]

    #[test]
    fn facts_mean_what_the_model_says((shape, facts) in facts()) {
        agree(shape, &facts)?;
    }
}
