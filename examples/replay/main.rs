//! Plays the git history of memory files through `fix`, and counts what it would have done to the people who wrote them.
//!
//! ```sh
//! cargo run --release --example replay -- REPOSITORY FILE… [--json] [--all] [--apart] [--whole-file] [--heading TEXT]… [--config FILE]
//! ```
//!
//! In: a repository and paths below it. Its commits along first parents are played as if memfile had been there from the first
//! one: what the author did in a commit is done to the text that `fix` left of the commit before (where both changed the same
//! lines, the author's stand), and the result is fixed on the author's day, with the text before as its baseline. Out: for each
//! commit with findings what was found, what came back, how many lines were changed beyond the author's own, and what is lost;
//! then sums. Nothing is written, and losses are counted here from the texts alone, by other means than memfile's own. Exit 1
//! where a fact is lost untold, or a fix is no fixed point.
//!
//! `--apart` judges each commit by itself against the one before, as CI does where nobody ever took a fix. `--whole-file` and
//! `--heading` show what memfile would do with text that is not under its care yet. `--all` lists all commits.

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
use memfile::syntax::{Reading, parse};
use memfile::text::{Edit, Patch, TextEdit, fold_key, fold_value};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Findings that tell of a loss that `fix` leaves to a person.
const TELLING: [&str; 7] = ["mass-loss", "elided", "statement-changed", "overwritten", "deleted", "history-edited", "conflict-markers"];

/// What the command line says.
#[derive(Default)]
struct Wanted {
    paths: Vec<PathBuf>,
    json: bool,
    all: bool,
    apart: bool,
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
            "--apart" => wanted.apart = true,
            "--whole-file" => wanted.whole_file = true,
            "--heading" => wanted.headings.push(next()?),
            "--config" => wanted.config = Some(next()?.into()),
            other if other.starts_with("--") => return Err(format!("unknown option {other}")),
            path => wanted.paths.push(path.into()),
        }
    }
    if wanted.paths.len() < 2 {
        return Err("REPOSITORY FILE… [--json] [--all] [--apart] [--whole-file] [--heading TEXT]… [--config FILE]".into());
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
        let played = play_file(&repository, &real.join(path), &config, wanted)?;
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

/// Plays all commits of a file.
fn play_file(repository: &Repository, path: &Path, config: &Config, wanted: &Wanted) -> Result<Vec<Played>, String> {
    let history = repository.history(path, Parents::First);
    let mut revisions = history.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
    if revisions.is_empty() {
        return Err(format!("{}: no commit touched it", path.display()));
    }
    revisions.reverse();
    let mut kept = Vec::new();
    Ok(revisions.into_iter().filter_map(|revision| play(revision, &mut kept, config, wanted)).collect())
}

/// Plays a commit; none where it removed the file. `kept`: what was left of the commits before, the oldest first.
fn play(revision: Revision, kept: &mut Vec<Commit>, config: &Config, wanted: &Wanted) -> Option<Played> {
    let whole_file = wanted.whole_file;
    let day = revision.has_known_date.then_some(revision.date);
    let Some(own) = &revision.text else {
        kept.clear();
        return None;
    };
    // The text before, and the author's edit of it.
    let before = revision.before.clone().map(|before| kept.last().filter(|_| !wanted.apart).map_or(before, |(_, kept)| kept.clone()));
    let text: Arc<str> = match (&revision.before, &before) {
        (Some(theirs), Some(before)) => edited(theirs, own, before).into(),
        _ => own.clone(),
    };
    kept.push((day, text.clone()));
    let commit = |number: usize| kept.iter().rev().nth(number).cloned();
    // As a base revision and the commits behind it: the text before, then this one.
    let steps: Vec<Commit> = before.iter().map(|before| (None, before.clone())).chain([(day, text.clone())]).collect();
    let trailers = revision.trailers.iter().map(|key| (key.clone(), steps.len() as u32 - 1)).collect();
    let accepted = Accepted { declared: Vec::new(), trailers };
    let baseline = Baseline { revisions: &steps, accepted: &accepted, commits: Some(&commit), elsewhere: None };
    let selection = Selection { select: config.select.clone(), ignore: config.ignore.clone() };
    let subject = Subject { whole_file, baseline: Some(baseline), ..Subject::new(config, &selection, revision.date) };

    let mut findings = BTreeMap::new();
    check(&text, &subject).diagnostics.iter().for_each(|found| *findings.entry(found.rule.name).or_default() += 1);
    let started = Instant::now();
    let fixed = fix(&text, &subject, Applicability::Safe);
    let time = started.elapsed();
    let before = before.as_deref().unwrap_or("");
    let mut after = None;
    let mut played = Played {
        findings,
        lost: Vec::new(),
        told: Vec::new(),
        back: Vec::new(),
        own_lines: changed_lines(before, &text),
        further_lines: 0,
        time,
        fault: None,
        revision,
    };
    match fixed {
        Err(error) => played.fault = Some(error.to_string()),
        Ok(fixed) => {
            played.further_lines = changed_lines(&text, &fixed.text);
            match fix(&fixed.text, &subject, Applicability::Safe) {
                Ok(again) if again.text == fixed.text => {}
                Ok(_) => played.fault = Some("a second fix changes the text again".into()),
                Err(error) => played.fault = Some(format!("the second fix: {error}")),
            }
            let reading = |also| Reading { config, whole_file, also };
            let managed = parse(before, reading(None)).managed().with(parse(&text, reading(None)).managed());
            let of = Reading { config, whole_file, also: Some(&managed) };
            let [was, own, is] = [before, &text, &fixed.text].map(|text| facts(text, of, false));
            let anywhere = facts(&fixed.text, of, true);
            let missing = lost(&was, &anywhere, &fixed.text);
            let is_told = fixed.remaining.iter().any(|found| TELLING.contains(&found.rule.name)) || !played.revision.trailers.is_empty();
            if is_told {
                played.told = missing;
            } else {
                played.lost = missing;
            }
            played.back = is.iter().filter(|(fact, _)| !own.contains_key(*fact)).map(|(fact, _)| shown(fact)).collect();
            after = Some(fixed.text);
        }
    }
    if let (Some(after), Some(last)) = (after, kept.last_mut()) {
        last.1 = after.into();
    }
    Some(played)
}

/// `before` with what was done to `theirs` to make it `own`. Edits of `theirs` that led to `before` stand where the author's do
/// not meet them; lines put in above a line that the author changed stay above it.
fn edited(theirs: &str, own: &str, before: &str) -> String {
    let owned = |to: &str| -> Vec<TextEdit> { between(theirs, to).edits().map(Edit::owned).collect() };
    let (mut edits, mut others) = (owned(own), owned(before));
    others.retain(|other| match edits.iter_mut().find(|edit| other.range.is_empty() && edit.range.start() == other.range.start()) {
        Some(edit) => {
            edit.text.insert_str(0, &other.text);
            false
        }
        None => true,
    });
    let mut patch = Patch::default();
    edits.iter().chain(&others).for_each(|edit| {
        patch.try_add(std::slice::from_ref(edit));
    });
    patch.apply(theirs)
}

/// A fact as it compares: its parameter (none for a statement) and its value.
type Fact = (String, String);

/// The facts of managed text (or of all text) whose history is kept, each as it is written.
fn facts<'t>(text: &'t str, reading: Reading<'t>, anywhere: bool) -> BTreeMap<Fact, &'t str> {
    let (document, config) = (parse(text, reading), reading.config);
    let mut all = BTreeMap::new();
    for record in document.records.iter().chain(document.observed.iter().filter(|_| anywhere)) {
        let parameter = config.canonical_parameter(fold_key(record.parameter.of(text)));
        let value = config.canonical_value(fold_value(record.value.of(text)));
        let cardinality = record.cardinality.unwrap_or_else(|| config.cardinality(&parameter));
        if record.cardinality == Some(Cardinality::Many) || cardinality != Cardinality::Volatile && !is_secret(record.value.of(text)) {
            all.insert((parameter, value), record.head.of(text).trim());
        }
    }
    all
}

/// The facts of `was` that are not in `is`. One whose value came in under another name was renamed; one that stands as it was
/// written in a part of the file that is under nobody's care was moved there.
fn lost(was: &BTreeMap<Fact, &str>, is: &BTreeMap<Fact, &str>, after: &str) -> Vec<String> {
    let mut new: Vec<&Fact> = is.keys().filter(|fact| !was.contains_key(*fact)).collect();
    let gone = was.iter().filter(|(fact, written)| {
        if is.contains_key(*fact) || after.contains(**written) {
            return false;
        }
        let renamed = new.iter().position(|(_, other)| *other == fact.1);
        if let Some(at) = renamed {
            new.swap_remove(at);
        }
        renamed.is_none()
    });
    gone.map(|(fact, _)| shown(fact)).collect()
}

fn shown((parameter, value): &Fact) -> String {
    if parameter.is_empty() { value.clone() } else { format!("{parameter}: {value}") }
}

/// Lines taken out and put in.
fn changed_lines(before: &str, after: &str) -> usize {
    let patch = between(before, after);
    patch.edits().map(|edit| edit.range.of(before).lines().count() + edit.text.lines().count()).sum()
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

#[cfg(test)]
mod tests;
