//! What a run prints: findings, patches or text on stdout, talk on stderr.

use super::args::JudgeArgs;
use super::{print, print_bytes, print_with, say};
use crate::app::Session;
use crate::app::options::{Mode, Options};
use crate::app::run::{Outcome, Ran};
use crate::app::telling::Told;
use crate::diagnostic::Tally;
use crate::io::IoError;
use crate::report::{self, FileReport, Format, Style};
use crate::text::count;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write, stdout};

/// What stdout gets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// The report.
    Findings,
    /// A patch.
    Patch,
    /// The fixed text.
    Text,
    /// Nothing.
    Nothing,
}

/// Prints a run.
pub(super) fn report(session: &Session, ran: &Ran, options: &Options, args: &JudgeArgs, shown: Shown) -> Result<(), String> {
    let mut out = Vec::new();
    let color = colors(stdout().is_terminal());
    match shown {
        Shown::Nothing => {}
        Shown::Findings if !args.statistics => print_with(|out| findings(out, ran, args.output_format))?,
        Shown::Text => out.extend_from_slice(ran.outcomes.first().map_or("", |outcome| outcome.text()).as_bytes()),
        Shown::Patch => {
            for outcome in &ran.outcomes {
                let Some(after) = &outcome.after else { continue };
                report::diff(&mut out, &session.patch_name(outcome), &outcome.before, after, &outcome.patch, color)
                    .map_err(|error| error.to_string())?;
            }
        }
        Shown::Findings => {
            let mut statistics = report::Statistics::default();
            ran.outcomes.iter().for_each(|outcome| statistics.add(&outcome.diagnostics));
            statistics.write(&mut out).map_err(|error| error.to_string())?;
        }
    }
    match shown {
        // Colours are for the eye, and what they stand in is spelled already.
        Shown::Patch if color => print(&out)?,
        Shown::Patch | Shown::Text => print_bytes(&out)?,
        Shown::Findings | Shown::Nothing => print(&out)?,
    }
    if matches!(shown, Shown::Text | Shown::Patch | Shown::Nothing) {
        let mut rest = Vec::new();
        findings(&mut rest, ran, Format::Concise).map_err(|error| error.to_string())?;
        let rest = String::from_utf8_lossy(&rest);
        if !rest.is_empty() {
            say(rest.trim_end());
        }
    }
    let judged: Vec<Judged> = ran.outcomes.iter().map(|outcome| (outcome, Tally::of(&outcome.diagnostics))).collect();
    talk(&judged, &ran.errors, options, args);
    Ok(())
}

/// An outcome, and what was found.
type Judged<'r> = (&'r Outcome, Tally);

/// What a run says on stderr: what it could not do, and its summary.
fn talk(judged: &[Judged], errors: &[IoError], options: &Options, args: &JudgeArgs) {
    for error in errors {
        say(&format!("memfile: {error}"));
    }
    for (outcome, _) in judged {
        if let Some(failure) = &outcome.failure {
            say(&format!("memfile: {}: {failure}", report::name(&outcome.name)));
        }
    }
    if args.output_format == Format::Full {
        summary(judged, errors, options);
    }
}

/// How a report in `format` looks on stdout.
pub(super) fn style(format: Format) -> Style {
    Style { color: format == Format::Full && colors(stdout().is_terminal()), width: terminal_width() }
}

/// What is said on stderr of a check whose files were told one by one.
pub(super) fn talk_of(told: &Told, options: &Options, args: &JudgeArgs) {
    let judged: Vec<Judged> = told.entries.iter().map(|entry| (&entry.outcome, entry.tally)).collect();
    talk(&judged, &told.errors, options, args);
}

fn files(ran: &Ran) -> Vec<FileReport<'_>> {
    ran.outcomes.iter().map(|outcome| FileReport { name: &outcome.name, text: outcome.text(), diagnostics: &outcome.diagnostics }).collect()
}

/// The report of a run in `format`.
pub(super) fn findings(out: &mut dyn Write, ran: &Ran, format: Format) -> io::Result<()> {
    report::write(out, format, &files(ran), style(format))
}

/// Colours only on a terminal, and not where NO_COLOR or a dumb terminal forbids them.
fn colors(terminal: bool) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if set("NO_COLOR") {
        return false;
    }
    (terminal && !dumb) || (set("CLICOLOR_FORCE") && std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| value != "0"))
}

/// Columns of the terminal; 0 where stdout is none.
fn terminal_width() -> usize {
    let size = rustix::termios::tcgetwinsize(stdout());
    if stdout().is_terminal() { size.map_or(0, |size| usize::from(size.ws_col)) } else { 0 }
}

/// The last words: what was found, what was kept, what the files were compared with; and for files without managed text what
/// was seen and how to adopt it.
fn summary(judged: &[Judged], errors: &[IoError], options: &Options) {
    for judged in judged.iter().filter(|(outcome, _)| outcome.checked.records == 0 && outcome.failure.is_none()) {
        if let Some(line) = unmanaged(*judged) {
            say(&line);
        }
    }
    let is_managed = |(outcome, tally): &&Judged| outcome.failure.is_none() && (outcome.checked.records > 0 || tally.all() > 0);
    let managed: Vec<&Outcome> = judged.iter().filter(is_managed).map(|(outcome, _)| *outcome).collect();
    let tally: Tally = judged.iter().filter(is_managed).map(|(_, tally)| *tally).sum();
    if managed.is_empty() {
        if judged.is_empty() && errors.is_empty() {
            say(
                "no memory file below the current folder (AGENTS.md, CLAUDE.md, CLAUDE.local.md, GEMINI.md, MEMORY.md); start one with `memfile init`",
            );
        }
        return;
    }
    let mut parts = Vec::new();
    let applied: usize = managed.iter().map(|outcome| outcome.applied.len()).sum();
    if options.mode != Mode::Check {
        let verb = if options.mode == Mode::Fix { "fixed" } else { "to fix" };
        parts.push(if applied == 0 {
            "nothing to fix".to_owned()
        } else {
            format!("{} {verb}{}", count(applied, "finding"), by_rule(&managed))
        });
    }
    let left: Vec<String> = [(tally.errors, "error"), (tally.warnings, "warning"), (tally.hints, "hint")]
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, word)| count(number, word))
        .collect();
    let remain = if applied > 0 { " left" } else { "" };
    parts.push(if left.is_empty() {
        if applied > 0 { "nothing left".to_owned() } else { "all clean".to_owned() }
    } else {
        format!("{}{remain}", left.join(", "))
    });
    let records: usize = managed.iter().map(|outcome| outcome.checked.records).sum();
    let facts: usize = managed.iter().map(|outcome| outcome.checked.facts).sum();
    let place = match &managed[..] {
        [one] => report::name(&one.name).into_owned(),
        many => count(many.len(), "file"),
    };
    say(&format!("{place}: {}; {} of {} kept, {}", parts.join("; "), count(records, "record"), count(facts, "fact"), compared(&managed)));
}

fn by_rule(outcomes: &[&Outcome]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    outcomes.iter().flat_map(|outcome| &outcome.applied).for_each(|rule| *counts.entry(rule.name).or_default() += 1);
    let words: Vec<String> =
        counts.into_iter().map(|(name, number)| if number == 1 { name.to_owned() } else { format!("{number} {name}") }).collect();
    format!(" ({})", words.join(", "))
}

/// What the files were compared with.
fn compared(outcomes: &[&Outcome]) -> String {
    let mut bases: BTreeMap<Option<&str>, bool> = BTreeMap::new();
    for outcome in outcomes {
        *bases.entry(outcome.base.as_deref()).or_insert(true) &= outcome.identical;
    }
    let words = bases.into_iter().map(|(base, identical)| match base {
        Some(base) => format!("compared with {}{}", report::name(base), if identical { ": identical" } else { "" }),
        None => "compared with nothing".to_owned(),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// One line for a file of which nothing is managed.
fn unmanaged((outcome, tally): Judged) -> Option<String> {
    if outcome.checked.facts > 0 || tally.all() > tally.hints {
        return None;
    }
    let name = report::name(&outcome.name);
    let seen = outcome.checked.observed;
    if seen == 0 {
        return Some(format!(
            "{name}: no managed text, nothing that looks like facts; nothing changed (`memfile init {name}` adds a section for facts)"
        ));
    }
    let heading = outcome.checked.observed_heading.as_deref().map_or("HEADING".into(), report::visible);
    let words = if seen == 1 { "1 line looks like a fact" } else { &format!("{seen} lines look like facts") };
    Some(format!(
        "{name}: no managed text, {words}; nothing changed (`memfile adopt {name} --heading {heading:?}` puts a section under its care)"
    ))
}
