//! `hook run`: findings of what is staged on stdout, and for each file that stops the commit what to do, on stderr.

use super::super::args::{FailOn, HookRunArgs};
use super::super::{CLEAN, Ended, FAILED, FOUND, output, print_bytes, print_with, say};
use crate::app::Session;
use crate::app::hook::{HookOptions, Judged, Work, Written};
use crate::app::run::{Outcome, Ran};
use crate::diagnostic::Severity;
use crate::io::clock;
use crate::report::{self, Format, visible};
use crate::text::{count, shell_word};
use std::path::{Path, PathBuf};

/// What every stop ends with.
const ANYWAY: &str = "commit anyway: git commit --no-verify";

/// `memfile hook run`
pub(super) fn judge(session: &Session, args: &HookRunArgs, command: &str) -> Ended {
    let options = HookOptions {
        base: args.base.clone().or_else(range),
        fail_on: args.fail_on.map(|level| match level {
            FailOn::Hint => Severity::Hint,
            FailOn::Warning => Severity::Warning,
            FailOn::Error => Severity::Error,
        }),
        fixes: !args.no_fix && !args.diff,
        today: clock::today(args.today).map_err(|error| stopped(&error))?,
        command: command.to_owned(),
    };
    let (judged, errors) = session.judge_index(&options).map_err(|error| stopped(&error))?;
    let failed = !errors.is_empty() || judged.iter().any(|judged| failure(judged).is_some());
    let stops = judged.iter().any(Judged::stops);
    for judged in judged {
        tell(session, judged, args.diff)?;
    }
    for error in errors {
        say(&format!("memfile: {error}"));
    }
    if failed || stops {
        say(&format!("memfile: the commit is stopped ({ANYWAY})"));
    }
    Ok(if failed {
        FAILED
    } else if stops {
        FOUND
    } else {
        CLEAN
    })
}

/// The base that the pre-commit framework hands over when it checks a range of commits.
fn range() -> Option<String> {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let from = set("PRE_COMMIT_FROM_REF")?;
    set("PRE_COMMIT_TO_REF").map(|_| from)
}

/// What could not run stops the commit as well, so the way out is named.
fn stopped(error: &impl std::fmt::Display) -> String {
    format!("{error} ({ANYWAY})")
}

fn failure(judged: &Judged) -> Option<String> {
    let failure = match &judged.work {
        Work::Fixed(fixed) => fixed.failure.as_ref().or(judged.outcome.failure.as_ref()),
        _ => judged.outcome.failure.as_ref(),
    };
    failure.map(ToString::to_string)
}

/// One file: its findings, and the way out.
fn tell(session: &Session, mut judged: Judged, only_patch: bool) -> Result<(), String> {
    let name = report::name(&judged.outcome.name).into_owned();
    let path = from_here(session, &judged.outcome.real);
    let spec = literal(path.clone());
    let (path, spec) = (shell_word(&path), shell_word(&spec));
    if let Some(failure) = failure(&judged) {
        say(&format!("memfile: {name}: {failure}"));
    }
    brought(&name, &judged);
    let rules = judged.outcome.diagnostics.iter().filter(|found| found.rule.severity >= judged.outcome.fail_on).count();
    match std::mem::replace(&mut judged.work, Work::Fine) {
        Work::Fine => {
            // A hint is no matter for a commit.
            judged.outcome.diagnostics.retain(|found| found.rule.severity > Severity::Hint);
            findings(judged.outcome, Format::Concise, only_patch)
        }
        Work::Deleted => {
            let changes = &judged.outcome.checked.changes;
            let mut keys: Vec<&str> = changes.iter().filter_map(|change| change.key.as_deref()).collect();
            keys.dedup();
            let keys = if keys.is_empty() { String::new() } else { format!(": {}", visible(&keys.join(", "))) };
            say(&format!("memfile: {name}: the commit deletes this file, and {} with it{keys}", count(changes.len(), "record")));
            say(&format!("bring it back: git restore --staged --worktree -- {spec}"));
            Ok(())
        }
        Work::Fixed(fixed) => {
            findings(judged.outcome, Format::Concise, only_patch)?;
            let changed = fixed.after.is_some();
            let fails = fixed.fails();
            let applied = fixed.applied.len();
            findings(*fixed, Format::Full, only_patch)?;
            match (changed, fails) {
                (true, fails) => {
                    let rest = if fails { "; mend what is left" } else { "" };
                    say(&format!(
                        "memfile: {name}: {} fixed in the working tree{rest}; look at it, then stage it and commit again:",
                        count(applied, "finding")
                    ));
                    say(&format!("    git add -- {spec}"));
                    say(&format!("meant as it was? memfile undo -f {path}, then memfile accept KEY -f {path}"));
                }
                (false, true) => say(&format!("memfile: {name}: nothing here can be fixed without you; mend it, then: git add -- {spec}")),
                (false, false) => say(&format!(
                    "memfile: {name}: nothing is wrong in the working tree, only in what is staged: stage the other memory files as well \
                     (`git status` lists them)"
                )),
            }
            Ok(())
        }
        work @ (Work::Partly | Work::Left) => {
            let mut patch = Vec::new();
            if let Some(after) = &judged.outcome.after {
                let name = session.patch_name(&judged.outcome);
                report::diff(&mut patch, &name, &judged.outcome.before, after, &judged.outcome.patch, false)
                    .map_err(|error| error.to_string())?;
            }
            // The report would send the reader to `memfile fix`, which is about the working tree.
            judged.outcome.diagnostics.iter_mut().for_each(|found| found.fix = None);
            findings(Outcome { after: None, ..judged.outcome }, Format::Full, only_patch)?;
            print_bytes(&patch)?;
            let why = match work {
                Work::Partly => "the working tree holds more than what is staged, so the file is not rewritten",
                _ => "nothing was rewritten",
            };
            say(&format!("memfile: {name}: {} in what is staged; {why}", count(rules, "finding")));
            match (patch.is_empty(), only_patch) {
                (true, _) => say(&format!("mend it, then: git add -- {spec}")),
                (false, false) => say("stage the repair above: memfile hook run --diff | git apply --cached"),
                (false, true) => {}
            }
            Ok(())
        }
    }
}

/// What a merge lost of the other side.
fn brought(name: &str, judged: &Judged) {
    if judged.brought.is_empty() {
        return;
    }
    let lost = count(judged.brought.len(), "record");
    say(&format!(
        "memfile: {name}: the merge loses {lost} that the other side brought; take them back in, then `memfile fix {}`:",
        shell_word(name)
    ));
    for change in &judged.brought {
        say(&format!("    {}", visible(&change.old)));
    }
}

fn findings(outcome: Outcome, format: Format, on_stderr: bool) -> Result<(), String> {
    let ran = Ran { outcomes: vec![outcome], errors: Vec::new() };
    if !on_stderr {
        return print_with(|out| output::findings(out, &ran, format));
    }
    let mut out = Vec::new();
    output::findings(&mut out, &ran, format).map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&out);
    if !text.is_empty() {
        say(text.trim_end());
    }
    Ok(())
}

/// The path from where the person stands: git starts hooks at the top, and says where it was called.
fn from_here(session: &Session, real: &Path) -> String {
    let here = session.absolute(Path::new(&std::env::var_os("GIT_PREFIX").unwrap_or_default()));
    let here = std::fs::canonicalize(&here).unwrap_or(here);
    let up = here.ancestors().position(|ancestor| real.starts_with(ancestor));
    let shared = up.and_then(|up| here.ancestors().nth(up));
    let relative = shared.and_then(|shared| real.strip_prefix(shared).ok());
    let path = match (relative, up) {
        (Some(relative), Some(up)) => std::iter::repeat_n("..", up).collect::<PathBuf>().join(relative),
        _ => real.to_owned(),
    };
    visible(&path.to_string_lossy()).into_owned()
}

/// The path as git takes it: a name can hold what is a pattern there, and one more file than meant would be staged.
fn literal(path: String) -> String {
    if path.starts_with(':') || path.contains(['*', '?', '[', '\\']) { format!(":(literal){path}") } else { path }
}

/// `memfile hook run --message FILE [SOURCE] [COMMIT]`
pub(super) fn message(session: &Session, file: &Path, args: &HookRunArgs) -> Ended {
    // The pre-commit framework hands them over in its own way.
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let source = args.source.clone().or_else(|| set("PRE_COMMIT_COMMIT_MSG_SOURCE"));
    let commit = args.commit.clone().or_else(|| set("PRE_COMMIT_COMMIT_OBJECT_NAME"));
    let today = clock::today(args.today).map_err(|error| error.to_string())?;
    let text = read(session, file)?;
    let message = Written { text: &text, source: source.as_deref(), commit: commit.as_deref(), is_edited: opens_editor() };
    match session.with_trailers(&message, today).map_err(|error| error.to_string())? {
        Some(after) => write(session, file, &after),
        None => Ok(CLEAN),
    }
}

/// `memfile hook run --edited FILE`
pub(super) fn edited(session: &Session, file: &Path) -> Ended {
    if !opens_editor() {
        return Ok(CLEAN);
    }
    match session.without_lone_trailers(&read(session, file)?).map_err(|error| error.to_string())? {
        Some(after) => write(session, file, &after),
        None => Ok(CLEAN),
    }
}

/// Git sets this where it opens no editor.
fn opens_editor() -> bool {
    std::env::var_os("GIT_EDITOR").is_none_or(|editor| editor != ":")
}

/// The message is git's own file, and git waits; it may be in any encoding.
fn read(session: &Session, file: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(session.absolute(file)).map_err(|error| format!("{}: cannot be read: {error}", file.display()))
}

fn write(session: &Session, file: &Path, text: &[u8]) -> Ended {
    std::fs::write(session.absolute(file), text).map_err(|error| format!("{}: cannot be written: {error}", file.display()))?;
    Ok(CLEAN)
}
