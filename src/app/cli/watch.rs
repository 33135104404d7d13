//! `watch`: what a watch tells, as lines for people or for programs.

use super::args::{WatchArgs, WatchFormat};
use super::{CLEAN, Ended, FAILED, FOUND, say};
use crate::app::Outcome;
use crate::app::watch::{Listener, Purpose, Rest, Told, Watching, Worst};
use crate::io::clock;
use crate::report::{self, FileReport, Format, Style, visible};
use crate::text::count;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};

/// `memfile watch`
pub(super) fn run(cwd: std::path::PathBuf, args: WatchArgs, command: String) -> Ended {
    clock::today(args.today).map_err(|error| error.to_string())?;
    let purpose = if args.report { Purpose::Report } else { Purpose::Fix };
    let terminal = std::io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
    let mut teller = Teller { format: args.output_format, purpose, terminal, watched: String::new() };
    let watching = Watching { paths: args.paths, quiet: args.quiet, once: args.once, purpose, poll: args.poll, today: args.today, command };
    let worst = crate::app::watch::watch(cwd, watching, &mut teller)?;
    Ok(match worst {
        Worst::Clean => CLEAN,
        Worst::Found => FOUND,
        Worst::Failed => FAILED,
    })
}

/// Prints what it hears.
struct Teller {
    format: WatchFormat,
    purpose: Purpose,
    /// stderr is a terminal: its last line is the status.
    terminal: bool,
    /// What is watched, for the status.
    watched: String,
}

impl Listener for Teller {
    fn hear(&mut self, told: &Told) -> bool {
        self.status("");
        let heard = match self.format {
            WatchFormat::Json => self.json(told),
            WatchFormat::Full => self.text(told),
        };
        if let Told::Watches { files, folders, polling } = told {
            let ways = if *polling { ", looking from time to time" } else { "" };
            self.watched = format!("watching {} in {}{ways}; Ctrl-C ends", count(files.len(), "file"), count(*folders, "folder"));
        }
        if !matches!(told, Told::Ends) {
            let watched = std::mem::take(&mut self.watched);
            self.status(&watched);
            self.watched = watched;
        }
        heard
    }
}

impl Teller {
    /// Puts `text` into the last line of the terminal, in the place of what stood there.
    fn status(&self, text: &str) {
        if self.terminal {
            let mut out = std::io::stderr().lock();
            // Talk that nobody reads is no failure.
            let _ = write!(out, "\r\u{1b}[2K{text}").and_then(|()| out.flush());
        }
    }

    fn text(&self, told: &Told) -> bool {
        match told {
            Told::Watches { .. } | Told::Ends => true,
            Told::Judged { is_news: false, .. } => true,
            Told::Judged { outcome, .. } => print(super::without_secrets(&judged(outcome)).as_bytes()),
            Told::Rests { name, why } => {
                if let Some(words) = words(*why) {
                    say(&format!("{}: {words}", visible(name)));
                }
                true
            }
            Told::Problem { message } => {
                say(&format!("memfile: {message}"));
                true
            }
        }
    }

    fn json(&self, told: &Told) -> bool {
        let mut event = match told {
            Told::Watches { files, folders, polling } => {
                json!({"event": "watching", "files": files, "folders": folders, "polling": polling})
            }
            Told::Judged { outcome, .. } => self.judged_json(outcome),
            Told::Rests { name, why } => json!({"event": "rest", "file": name, "why": why.word(), "message": words(*why)}),
            Told::Problem { message } => json!({"event": "problem", "message": super::without_secrets(message)}),
            Told::Ends => json!({"event": "end"}),
        };
        if let (Ok(time), Value::Object(event)) = (clock::now(), &mut event) {
            event.insert("time".to_owned(), time.into());
        }
        print(report::json_line(&event).as_bytes())
    }

    fn judged_json(&self, outcome: &Outcome) -> Value {
        let event = match self.purpose {
            Purpose::Fix if outcome.after.is_some() => "fixed",
            Purpose::Report if !outcome.diagnostics.is_empty() => "found",
            _ => "settled",
        };
        let mut lines = Vec::new();
        let style = Style { color: false, width: 0 };
        let written = report::write(&mut lines, Format::Jsonl, &[file_report(outcome)], style);
        let findings: Vec<Value> = match written {
            Ok(()) => String::from_utf8_lossy(&lines).lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
            Err(_) => Vec::new(),
        };
        let failure = outcome.failure.as_ref().map(|failure| super::without_secrets(&failure.to_string()));
        json!({
            "event": event, "file": outcome.name, "base": outcome.base, "fixed": fixed(outcome), "findings": findings, "failure": failure,
        })
    }
}

/// How many findings of each rule were fixed.
fn fixed(outcome: &Outcome) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    outcome.applied.iter().for_each(|rule| *counts.entry(rule.name).or_default() += 1);
    counts
}

fn file_report(outcome: &Outcome) -> FileReport<'_> {
    FileReport { name: &outcome.name, text: outcome.text(), diagnostics: &outcome.diagnostics }
}

/// What became of a file: what remains, a line each, and a line that says what was done.
fn judged(outcome: &Outcome) -> String {
    let mut out = Vec::new();
    let findings = report::write(&mut out, Format::Concise, &[file_report(outcome)], Style { color: false, width: 0 });
    debug_assert!(findings.is_ok());
    let mut text = String::from_utf8_lossy(&out).into_owned();
    let name = visible(&outcome.name);
    if let Some(failure) = &outcome.failure {
        text += &format!("{name}: {failure}\n");
    }
    if outcome.after.is_some() {
        let rules: Vec<String> = fixed(outcome)
            .into_iter()
            .map(|(name, number)| if number == 1 { name.to_owned() } else { format!("{number} {name}") })
            .collect();
        let base = outcome.base.as_deref().map_or("nothing".into(), visible);
        text += &format!("{name}: {} fixed ({}), compared with {base}\n", count(outcome.applied.len(), "finding"), rules.join(", "));
    }
    text
}

/// Why a file was left alone, where a person should know.
fn words(why: Rest) -> Option<&'static str> {
    match why {
        Rest::Missing => Some("not there; waiting for it"),
        Rest::Empty => Some("empty; waiting for its text"),
        Rest::Busy => Some("git is at work; waiting for its end"),
        Rest::Git => Some("moved by git; nothing to do"),
        Rest::Meant => Some("changed by a command; taken as meant"),
        Rest::PingPong => Some(
            "another program takes back what memfile writes, again and again (a formatter?); left alone until the text changes otherwise",
        ),
        Rest::Unchanged | Rest::Torn => None,
    }
}

/// Writes to stdout; false where nobody reads it any more.
fn print(text: &[u8]) -> bool {
    let mut out = std::io::stdout().lock();
    out.write_all(text).and_then(|()| out.flush()).is_ok()
}
