//! Beginning and end: when a session starts its files are looked at, when it ends they are checked once more. Only reports.

use super::event::{Event, Moment, Verdict};
use super::{sight, words};
use crate::app::{Mode, Options, Session, Target};
use crate::check::Selection;
use crate::diagnostic::{Diagnostic, Severity};
use crate::io::sessions::{self, Sight};
use chrono::NaiveDate;
use std::path::PathBuf;

/// How many files are looked at when a session starts; and how large each may be, in bytes.
const SEEN: usize = 64;
const LARGEST: usize = 1 << 20;

/// Keeps the texts at the start of a session: they are the baseline of files that no commit has.
pub(super) fn start(session: &Session, event: &Event) -> Verdict {
    for place in session.find(std::slice::from_ref(&session.cwd)).0.into_iter().take(SEEN) {
        let Ok(target) = Target::load_found(session, &place, false, &Selection::default()) else { continue };
        let old = sight::load(session, event, &target);
        // A session that is taken up again began when it began.
        if old.start.is_none() && target.text.len() <= LARGEST {
            let sight = Sight { start: Some(target.text), ..old.clone() };
            sight::keep(session, event, &old, sight);
        }
    }
    Verdict::Silent
}

/// Checks once more: after a turn the files that the session saw, after the session all that are found.
pub(super) fn judge(session: &Session, event: &Event, today: NaiveDate) -> Verdict {
    if event.is_repeat {
        return Verdict::Silent;
    }
    let is_over = event.moment == Moment::SessionEnd;
    let paths: Vec<PathBuf> = if is_over {
        session.find(std::slice::from_ref(&session.cwd)).0.into_iter().map(|file| file.path).collect()
    } else {
        sessions::files(&session.state, &event.session)
    };
    let mut reports = Vec::new();
    for path in paths {
        let Ok(target) = Target::load(session, &path, false, &Selection::default()) else { continue };
        let seen = sight::load(session, event, &target);
        let options = Options { base: sight::base(seen.start.as_ref(), None, today), ..Options::new(Mode::Check, today) };
        let ran = session.run_targets(vec![target], &options, &|_, _| ());
        for outcome in ran.outcomes {
            let errors = outcome.diagnostics.iter().filter(|diagnostic| diagnostic.rule.severity == Severity::Error);
            let errors: Vec<&Diagnostic> = errors.collect();
            if !errors.is_empty() {
                let name = words::sentence(&outcome.name);
                let found = words::list(&words::findings(outcome.text(), &errors));
                let way = if errors.iter().any(|diagnostic| diagnostic.rule.stops_writing) { "restore" } else { "fix" };
                reports.push(format!("{name}, to be looked at with `memfile check {name}` (`memfile {way} {name}` repairs):\n{found}"));
            }
        }
    }
    if is_over {
        sessions::end(&session.state, &event.session);
    }
    match reports.is_empty() {
        true => Verdict::Silent,
        false => Verdict::Tell(format!("memfile finds in {}", reports.join("\n").trim_end())),
    }
}
