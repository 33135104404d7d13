//! Plays the git history of memory files through `fix`, and counts what it would have done to the people who wrote them.
//!
//! ```sh
//! cargo run --release --example replay -- REPOSITORY FILE… [--json] [--all] [--whole-file] [--heading TEXT]… [--config FILE]
//! ```
//!
//! In: a repository and paths below it. Each commit along first parents is judged as memfile in CI would judge it: its text
//! against the text before it, on the author's day. Out: for each commit with findings what was found, what came back, how many
//! lines were changed beyond the author's own, and what is lost; then sums. Nothing is written, and the losses are counted here
//! from the texts alone, by other means than memfile's own. Exit 1 where a fact is lost untold, or a fix is no fixed point.
//!
//! `--whole-file` and `--heading` show what memfile would do with text that is not under its care yet. `--all` lists all commits.

#![allow(clippy::disallowed_methods)]

use memfile::baseline::Accepted;
use memfile::check::{Baseline, Commit, Selection, Subject, check};
use memfile::config::{Cardinality, Config};
use memfile::diagnostic::Applicability;
use memfile::facts::is_secret;
use memfile::fix::{between, fix};
use memfile::io::config as settings;
use memfile::io::git::{Parents, Repository, Revision};
use memfile::report::visible;
use memfile::syntax::{Managed, Reading, parse};
use memfile::text::{fold_key, fold_value};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Findings that tell of a loss that `fix` leaves to a person.
const TELLING: [&str; 7] = ["mass-loss", "elided", "statement-changed", "overwritten", "deleted", "history-edited", "conflict-markers"];

/// What the command line says.
#[derive(Default)]
struct Wanted {
    paths: Vec<PathBuf>,
    json: bool,
    all: bool,
    whole_file: bool,
    headings: Vec<String>,
    config: Option<PathBuf>,
}

/// What `fix` did with one commit.
struct Played {
    revision: Revision,
    findings: BTreeMap<&'static str, usize>,
    /// Facts of the text before that are in no text after: without a word, or told by a finding that remains.
    lost: Vec<String>,
    told: Vec<String>,
    back: Vec<String>,
    own_lines: usize,
    further_lines: usize,
    time: Duration,
    /// Why the result was not trusted, or could not be.
    fault: Option<String>,
}

fn main() -> ExitCode {
    match wanted().and_then(|wanted| run(&wanted)) {
        Ok(harm) => ExitCode::from(u8::from(harm)),
        Err(message) => {
            eprintln!("replay: {message}");
            ExitCode::from(2)
        }
    }
}

fn wanted() -> Result<Wanted, String> {
    let mut wanted = Wanted::default();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut next = || args.next().ok_or_else(|| format!("{arg} wants a value"));
        match arg.as_str() {
            "--json" => wanted.json = true,
            "--all" => wanted.all = true,
            "--whole-file" => wanted.whole_file = true,
            "--heading" => wanted.headings.push(next()?),
            "--config" => wanted.config = Some(next()?.into()),
            other if other.starts_with("--") => return Err(format!("unknown option {other}")),
            path => wanted.paths.push(path.into()),
        }
    }
    if wanted.paths.len() < 2 {
        return Err("REPOSITORY FILE… [--json] [--all] [--whole-file] [--heading TEXT]… [--config FILE]".into());
    }
    Ok(wanted)
}

/// Plays all files; true where something was lost or cannot be trusted.
fn run(wanted: &Wanted) -> Result<bool, String> {
    let root = &wanted.paths[0];
    let real = std::fs::canonicalize(root).map_err(|error| format!("{}: {error}", root.display()))?;
    let repository = Repository::discover(&real).ok_or_else(|| format!("{} is in no git repository", root.display()))?;
    let config = config(wanted, &real)?;
    let mut files = Vec::new();
    for path in &wanted.paths[1..] {
        let history = repository.history(&real.join(path), Parents::First);
        let mut revisions = history.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
        if revisions.is_empty() {
            return Err(format!("{}: no commit touched it", path.display()));
        }
        revisions.reverse();
        let played = (0..revisions.len()).filter_map(|at| play(&revisions, at, &config, wanted.whole_file)).collect::<Vec<_>>();
        files.push((path.as_path(), played));
    }
    if wanted.json {
        let all: Vec<Value> = files
            .iter()
            .map(|(path, played)| json!({"file": path, "revisions": played.iter().map(as_json).collect::<Vec<_>>(), "sums": sums(played)}))
            .collect();
        println!("{}", serde_json::to_string_pretty(&all).map_err(|error| error.to_string())?);
    } else {
        files.iter().for_each(|(path, played)| print(path, played, wanted.all));
    }
    Ok(files.iter().flat_map(|(_, played)| played).any(|one| !one.lost.is_empty() || one.fault.is_some()))
}

fn config(wanted: &Wanted, root: &Path) -> Result<Config, String> {
    if !wanted.headings.is_empty() {
        return Config::parse(&format!("extend-managed-headings = {:?}", wanted.headings));
    }
    let found = match &wanted.config {
        Some(path) => settings::read(path),
        None => settings::find(root),
    };
    found.map(|found| (*found.config).clone()).map_err(|error| error.to_string())
}

/// Plays commit `at`; none where it removed the file.
fn play(revisions: &[Revision], at: usize, config: &Config, whole_file: bool) -> Option<Played> {
    let revision = &revisions[at];
    let text = revision.text.as_deref()?;
    let day = |revision: &Revision| revision.has_known_date.then_some(revision.date);
    let commit = |number: usize| -> Option<Commit> {
        let revision = revisions.get(at.checked_sub(number)?)?;
        Some((day(revision), revision.text.clone().unwrap_or_else(|| "".into())))
    };
    // As a base revision and the commits behind it: the text before, then this one.
    let steps: Vec<Commit> = match &revision.before {
        Some(before) => vec![(None, before.clone()), (day(revision), text.into())],
        None => vec![(day(revision), text.into())],
    };
    let trailers = revision.trailers.iter().map(|key| (key.clone(), steps.len() as u32 - 1)).collect();
    let accepted = Accepted { declared: Vec::new(), trailers };
    let baseline = Baseline { revisions: &steps, accepted: &accepted, commits: Some(&commit), elsewhere: None };
    let selection = Selection { select: config.select.clone(), ignore: config.ignore.clone() };
    let subject = Subject { whole_file, baseline: Some(baseline), ..Subject::new(config, &selection, revision.date) };

    let mut findings = BTreeMap::new();
    check(text, &subject).diagnostics.iter().for_each(|found| *findings.entry(found.rule.name).or_default() += 1);
    let started = Instant::now();
    let fixed = fix(text, &subject, Applicability::Safe);
    let time = started.elapsed();
    let before = revision.before.as_deref().unwrap_or("");
    let mut played = Played {
        revision: revision.clone(),
        findings,
        lost: Vec::new(),
        told: Vec::new(),
        back: Vec::new(),
        own_lines: changed_lines(before, text),
        further_lines: 0,
        time,
        fault: None,
    };
    match fixed {
        Err(error) => played.fault = Some(error.to_string()),
        Ok(fixed) => {
            played.further_lines = changed_lines(text, &fixed.text);
            match fix(&fixed.text, &subject, Applicability::Safe) {
                Ok(again) if again.text == fixed.text => {}
                Ok(_) => played.fault = Some("a second fix changes the text again".into()),
                Err(error) => played.fault = Some(format!("the second fix: {error}")),
            }
            let reading = |also| Reading { config, whole_file, also };
            let managed = parse(before, reading(None)).managed().with(parse(text, reading(None)).managed());
            let of = |text: &str| facts(text, config, whole_file, &managed);
            let (was, own, is) = (of(before), of(text), of(&fixed.text));
            let missing = lost(&was, &is);
            let is_told = fixed.remaining.iter().any(|found| TELLING.contains(&found.rule.name)) || !revision.trailers.is_empty();
            if is_told {
                played.told = missing;
            } else {
                played.lost = missing;
            }
            played.back = is.difference(&own).map(shown).collect();
        }
    }
    Some(played)
}

/// A fact as it compares: its parameter (none for a statement) and its value.
type Fact = (String, String);

/// The facts of managed text whose history is kept.
fn facts(text: &str, config: &Config, whole_file: bool, managed: &Managed) -> BTreeSet<Fact> {
    let document = parse(text, Reading { config, whole_file, also: Some(managed) });
    let mut all = BTreeSet::new();
    for record in &document.records {
        let parameter = config.canonical_parameter(fold_key(record.parameter.of(text)));
        let value = config.canonical_value(fold_value(record.value.of(text)));
        let is_volatile = record.volatile || config.cardinality(&parameter) == Cardinality::Volatile;
        if record.many || !is_volatile && !is_secret(record.value.of(text)) {
            all.insert((parameter, value));
        }
    }
    all
}

/// The facts of `was` that are not in `is`. One whose value came in under another name was renamed.
fn lost(was: &BTreeSet<Fact>, is: &BTreeSet<Fact>) -> Vec<String> {
    let mut new: Vec<&Fact> = is.difference(was).collect();
    let gone = was.difference(is).filter(|(_, value)| match new.iter().position(|(_, other)| other == value) {
        Some(renamed) => {
            new.swap_remove(renamed);
            false
        }
        None => true,
    });
    gone.map(shown).collect()
}

fn shown((parameter, value): &Fact) -> String {
    if parameter.is_empty() { value.clone() } else { format!("{parameter}: {value}") }
}

/// Lines taken out and put in.
fn changed_lines(before: &str, after: &str) -> usize {
    let patch = between(before, after);
    patch.edits().iter().map(|edit| edit.range.of(before).lines().count() + edit.text.lines().count()).sum()
}

fn as_json(played: &Played) -> Value {
    json!({
        "commit": played.revision.commit,
        "date": played.revision.date.to_string(),
        "findings": played.findings,
        "lost": played.lost,
        "told": played.told,
        "brought_back": played.back,
        "author_lines": played.own_lines,
        "further_lines": played.further_lines,
        "micros": played.time.as_micros() as u64,
        "fault": played.fault,
    })
}

fn sums(played: &[Played]) -> Value {
    let sum = |count: fn(&Played) -> usize| played.iter().map(count).sum::<usize>();
    let mut findings: BTreeMap<&str, usize> = BTreeMap::new();
    played.iter().flat_map(|one| &one.findings).for_each(|(name, number)| *findings.entry(name).or_default() += number);
    let mut times: Vec<u64> = played.iter().map(|one| one.time.as_micros() as u64).collect();
    times.sort_unstable();
    json!({
        "revisions": played.len(),
        "revisions_with_findings": sum(|one| usize::from(!one.findings.is_empty())),
        "revisions_changed": sum(|one| usize::from(one.further_lines > 0)),
        "lost": sum(|one| one.lost.len()),
        "told": sum(|one| one.told.len()),
        "brought_back": sum(|one| one.back.len()),
        "author_lines": sum(|one| one.own_lines),
        "further_lines": sum(|one| one.further_lines),
        "faults": sum(|one| usize::from(one.fault.is_some())),
        "median_micros": times.get(times.len() / 2),
        "most_micros": times.last(),
        "findings": findings,
    })
}

fn print(path: &Path, played: &[Played], all: bool) {
    println!("{}", visible(&path.display().to_string()));
    for one in played.iter().filter(|one| all || !one.findings.is_empty() || one.fault.is_some() || !one.lost.is_empty()) {
        let findings: Vec<String> = one.findings.iter().map(|(name, number)| format!("{number} {name}")).collect();
        let revision = &one.revision;
        println!("  {} {} {}", &revision.commit[..revision.commit.len().min(10)], revision.date, visible(&revision.subject));
        println!(
            "    {}; lines: {} of the author, {} further; {} µs",
            findings.join(", "),
            one.own_lines,
            one.further_lines,
            one.time.as_micros()
        );
        for (word, facts) in [("back", &one.back), ("told", &one.told), ("LOST", &one.lost)] {
            facts.iter().for_each(|fact| println!("    {word}: {}", visible(fact)));
        }
        one.fault.iter().for_each(|fault| println!("    FAULT: {}", visible(fault)));
    }
    let sums = sums(played);
    println!(
        "  {} revisions, {} with findings, {} changed; facts lost untold: {}, left to a person: {}; brought back: {}; lines: {} of the authors, {} further; faults: {}; time: median {} µs, most {} µs",
        sums["revisions"],
        sums["revisions_with_findings"],
        sums["revisions_changed"],
        sums["lost"],
        sums["told"],
        sums["brought_back"],
        sums["author_lines"],
        sums["further_lines"],
        sums["faults"],
        sums["median_micros"],
        sums["most_micros"],
    );
    println!("  findings: {}", sums["findings"]);
}
