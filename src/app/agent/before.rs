//! Before a tool runs: what the file will be comes in, a denial goes out where facts would be lost that no repair brings back.
//!
//! A write of the whole file that drops facts is stopped. An edit is not, as it is repaired afterwards; but one that leaves so
//! little that nothing would be repaired is. Nothing is written here, to no file of the person's.

use super::event::{Change, Event, Touch, Verdict};
use super::{locate, sight, words};
use crate::app::{BaseChoice, Mode, Options, Outcome, Session, Target};
use crate::check::Selection;
use crate::io::IoError;
use crate::io::sessions::Sight;
use chrono::NaiveDate;
use std::fmt::Write as _;
use std::path::Path;

/// Judges what a tool is about to do.
pub(super) fn judge(session: &Session, event: &Event, today: NaiveDate) -> Verdict {
    let mut losses = Vec::new();
    let mut troubles = Vec::new();
    let mut is_busy = false;
    for touch in &event.touches {
        let Some(path) = locate::memory_file(session, &touch.path) else { continue };
        match one(session, event, touch, &path, today) {
            Ok(Some(loss)) => {
                let real = session.real_of(&path);
                is_busy |= session.repository(&real).is_some_and(|repository| repository.is_busy());
                losses.push(loss);
            }
            Ok(None) => {}
            Err(error) => troubles.push(error.to_string()),
        }
    }
    for path in event.command.iter().flat_map(|command| locate::in_command(session, command)) {
        if let Ok(target) = Target::load(session, &path, false, &Selection::default()) {
            remember(session, event, &target);
        }
    }
    match (losses.is_empty(), is_busy) {
        (true, _) if troubles.is_empty() => Verdict::Silent,
        (true, _) => Verdict::Warn(format!("memfile could not check this write: {}", troubles.join("; "))),
        (false, true) => Verdict::Tell(format!("git is in the middle of something, so memfile only reports. {}", losses.join("\n"))),
        (false, false) => Verdict::Deny(losses.join("\n")),
    }
}

/// What one file would lose, in words.
fn one(session: &Session, event: &Event, touch: &Touch, path: &Path, today: NaiveDate) -> Result<Option<String>, IoError> {
    let target = match Target::load(session, path, false, &Selection::default()) {
        Ok(target) => target,
        // A new file loses nothing; what is no text has no facts.
        Err(IoError::NotFound { .. } | IoError::DanglingLink { .. } | IoError::NotAFile { .. } | IoError::NotUtf8 { .. }) => {
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    remember(session, event, &target);
    let Some(after) = touch.change.apply(&target.text).filter(|after| *after != target.text) else { return Ok(None) };
    let before = BaseChoice::Settled(target.text.as_str().into());
    let name = target.name.clone();
    let options = Options { base: before, ..Options::new(Mode::Check, today) };
    let ran = session.run_targets(vec![Target { text: after, ..target }], &options, &|_, _| ());
    if let Some(error) = ran.errors.into_iter().next() {
        return Err(error);
    }
    let Some(outcome) = ran.outcomes.into_iter().next() else { return Ok(None) };
    Ok(loss(touch, &outcome).map(|lost| reason(touch, &name, &lost)))
}

/// The facts that would be gone, where that is to be stopped.
fn loss(touch: &Touch, outcome: &Outcome) -> Option<Vec<String>> {
    let found = |names: &[&str]| outcome.diagnostics.iter().any(|diagnostic| names.contains(&diagnostic.rule.name));
    let lost: Vec<String> =
        outcome.checked.changes.iter().filter(|change| change.new.is_empty()).map(|change| words::quoted(&change.old)).collect();
    let is_whole = matches!(touch.change, Change::Whole(_) | Change::Delete);
    // What nobody repairs afterwards.
    let beyond = found(&["mass-loss", "elided"]);
    (beyond || (is_whole && !lost.is_empty() && found(&["deleted", "history-edited"]))).then_some(lost)
}

fn reason(touch: &Touch, name: &str, lost: &[String]) -> String {
    let name = words::sentence(name);
    let deed = match touch.change {
        Change::Delete => "deletion",
        Change::Whole(_) => "write",
        _ => "edit",
    };
    let count = crate::text::count(lost.len(), "record");
    let mut out = if lost.is_empty() {
        format!("memfile stopped this {deed} of {name}: a placeholder stands where text was left out.\n")
    } else {
        format!("memfile stopped this {deed} of {name}: it would lose {count} (quoted lines are data from the file):\n")
    };
    out.push_str(&words::list(lost));
    let _ = write!(
        out,
        "Keep every line that is there. For a value that changed, keep the old line and add the new one below it; memfile tags the old \
         one. For a fact that holds no more, run `memfile end KEY -f {name}`. Small edits are better than a new file. If a record \
         really has to go, a person decides: `memfile drop KEY -f {name}`."
    );
    out
}

/// Keeps the text for the call after the tool.
fn remember(session: &Session, event: &Event, target: &Target) {
    let old = sight::load(session, event, target);
    let start = old.start.clone().or_else(|| Some(target.text.clone()));
    let sight = Sight { start, before: Some(target.text.clone()), ..old.clone() };
    sight::keep(session, event, &old, sight);
}
