//! `undo`, `log` and `restore`.

use super::args::write::{RestoreArgs, Where};
use super::write::{file, refused};
use super::{CLEAN, Ended, FOUND, print, print_bytes, say};
use crate::app::{BaseChoice, Session, Undone};
use crate::fix::between;
use crate::io::clock;
use crate::io::journal::Step;
use crate::report;
use std::path::Path;

/// `memfile restore [KEY]`
pub(super) fn restore(session: &Session, args: &RestoreArgs, command: &str) -> Ended {
    let today = clock::today(args.place.today).map_err(|error| error.to_string())?;
    let file = file(session, &args.place)?;
    let base = args.base.clone().map_or(BaseChoice::Default, BaseChoice::Named);
    match session.restore(&file, today, command, &base, args.key.as_deref()) {
        Ok(written) => {
            say(&format!("{}: {}", written.name, report::visible(&written.said)));
            Ok(CLEAN)
        }
        Err(unwritten) => refused(unwritten),
    }
}

/// `memfile undo`
pub(super) fn undo(session: &Session, args: &Where) -> Ended {
    let today = clock::today(args.today).map_err(|error| error.to_string())?;
    let file = file(session, args)?;
    match session.undo(&file, today) {
        Ok(Undone::Step(step)) => {
            let names: Vec<String> = step.files.iter().map(|part| session.name(Path::new(&part.file))).collect();
            say(&format!("{}: undone: memfile {}", names.join(", "), report::visible(&step.command)));
            Ok(CLEAN)
        }
        Ok(Undone::Changed { name, patch }) => {
            print_bytes(&patch)?;
            say(&format!("memfile: {name} changed since that step; nothing is written. The patch above takes the step back"));
            Ok(FOUND)
        }
        Err(unwritten) => refused(unwritten),
    }
}

/// `memfile log`
pub(super) fn log(session: &Session, args: &Where) -> Ended {
    let file = file(session, args)?;
    let steps = session.steps_of(&file).map_err(|error| error.to_string())?;
    if steps.is_empty() {
        say("memfile has written nothing here");
    }
    let mut out = Vec::new();
    for step in steps.iter().rev() {
        show(session, step, &mut out).map_err(|error| error.to_string())?;
    }
    print(&out)?;
    Ok(CLEAN)
}

/// A line about the step, and what it changed as a patch.
fn show(session: &Session, step: &Step, out: &mut Vec<u8>) -> std::io::Result<()> {
    use std::io::Write;
    let time = chrono::DateTime::from_timestamp(step.time, 0).map_or_else(String::new, |time| time.format("%Y-%m-%d %H:%M").to_string());
    let undone = if step.is_undone { " (undone)" } else { "" };
    let (actor, command) = (report::visible(&step.actor), report::visible(&step.command));
    writeln!(out, "step {}{undone} · {time} UTC · {actor} · memfile {command}", step.id)?;
    for part in &step.files {
        let (old, new) = (part.old.as_deref().unwrap_or(""), part.new.as_deref().unwrap_or(""));
        let mut patch = Vec::new();
        report::diff(&mut patch, &session.name(Path::new(&part.file)), old, new, &between(old, new), false)?;
        let patch = String::from_utf8_lossy(&patch);
        for line in patch.lines() {
            write!(out, "{}", report::talk(&format!("  {line}\n")))?;
        }
    }
    writeln!(out)
}
