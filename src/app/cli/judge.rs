//! `check` and `fix`.

use super::args::{CheckArgs, FailOn, FixArgs, JudgeArgs};
use super::output::{self, Shown};
use super::progress::progress;
use super::{CLEAN, Ended, FAILED, FOUND, print_with, say};
use crate::app::options::{BaseChoice, Mode, Options};
use crate::app::run::{Outcome, Ran};
use crate::app::target::unknown_rule;
use crate::app::telling::Teller;
use crate::app::{Session, Target};
use crate::check::Selection;
use crate::diagnostic::{Applicability, Severity};
use crate::io::{IoError, clock, discover::Place};
use crate::report::{self, Statistics};
use crate::rules;
use std::io::{IsTerminal, Read, stdout};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// `memfile check`
pub(super) fn check(session: &Session, args: CheckArgs, command: String) -> Ended {
    let options = options(&args.judge, Mode::Check, command)?;
    let ran = if is_stdin(&args.judge) {
        run(session, &args.judge, &options)?
    } else {
        let found = session.find(&options.paths);
        if let Some(code) = check_each(session, &found, &args.judge, &options)? {
            return Ok(code);
        }
        session.run_found(found, &options, &progress())
    };
    output::report(session, &ran, &options, &args.judge, Shown::Findings)?;
    let code = code_of(&ran, args.judge.exit_zero, false);
    // The process ends, and the system takes back at once what would be given back piece by piece.
    std::mem::forget(ran);
    Ok(code)
}

/// Checks files and tells each where it was judged, where the report and their baselines allow it: the exit code.
fn check_each(
    session: &Session,
    (places, errors): &(Vec<Place>, Vec<IoError>),
    args: &JudgeArgs,
    options: &Options,
) -> Result<Option<u8>, String> {
    let (format, style) = (args.output_format, output::style(args.output_format));
    // What is counted of a file that another one contradicts would be counted twice. On a terminal the bar goes before anything is printed.
    let is_told = if args.statistics { places.len() == 1 } else { report::is_told_by_file(format, style) && !stdout().is_terminal() };
    if places.is_empty() || !is_told {
        return Ok(None);
    }
    let statistics: Option<Arc<Mutex<Statistics>>> = args.statistics.then(Arc::default);
    let mut told = None;
    print_with(|out| {
        let mut written = Ok(());
        let teller = Teller {
            begin: &|name, text| match statistics.clone() {
                None => report::pieces(format, name, text, style),
                Some(statistics) => Box::new(move |_, found| {
                    statistics.lock().unwrap_or_else(PoisonError::into_inner).add(found);
                    Ok(())
                }),
            },
            write: &mut |part: Vec<u8>| {
                if written.is_ok() {
                    written = out.write_all(&part);
                }
            },
        };
        told = session.check_each(places, options, &progress(), teller);
        let tally = told.iter().flat_map(|told| &told.entries).map(|entry| entry.tally).sum();
        written.and_then(|()| match &statistics {
            _ if told.is_none() => Ok(()),
            None => report::write_end(out, format, tally, style),
            Some(statistics) => statistics.lock().unwrap_or_else(PoisonError::into_inner).write(out),
        })
    })?;
    let Some(mut told) = told else { return Ok(None) };
    told.errors.splice(..0, errors.iter().cloned());
    output::talk_of(&told, options, args);
    let failed = !told.errors.is_empty() || told.entries.iter().any(|entry| entry.outcome.failure.is_some());
    let found = told.entries.iter().any(|entry| entry.tally.worst().is_some_and(|worst| worst >= entry.outcome.fail_on));
    std::mem::forget(told);
    Ok(Some(code(failed, args.exit_zero, found)))
}

/// `memfile fix`
pub(super) fn fix(session: &Session, args: FixArgs, command: String) -> Ended {
    let preview = args.diff || args.check || is_stdin(&args.judge);
    let options = options(&args.judge, if preview { Mode::Preview } else { Mode::Fix }, command)?;
    let ran = run(session, &args.judge, &options)?;
    let stdin = is_stdin(&args.judge);
    let changes = ran.outcomes.iter().any(|outcome| outcome.after.is_some());
    let shown = match (args.diff, stdin) {
        (true, _) => Shown::Patch,
        (_, true) if args.check => Shown::Nothing,
        (_, true) => Shown::Text,
        _ => Shown::Findings,
    };
    output::report(session, &ran, &options, &args.judge, shown)?;
    let would = (args.diff || args.check) && changes;
    let fixed = args.exit_non_zero_on_fix && changes;
    Ok(code_of(&ran, args.judge.exit_zero, would || fixed))
}

fn is_stdin(args: &JudgeArgs) -> bool {
    args.paths.iter().any(|path| path == Path::new("-"))
}

fn options(args: &JudgeArgs, mode: Mode, command: String) -> Result<Options, String> {
    for name in args.select.iter().chain(&args.ignore).filter(|name| *name != "all") {
        if rules::find(name).is_none() {
            return Err(unknown_rule(name));
        }
    }
    let today = clock::today(args.today).map_err(|error| error.to_string())?;
    Ok(Options {
        paths: args.paths.clone(),
        base: match args.base.as_deref() {
            None => BaseChoice::Default,
            Some("none") => BaseChoice::None,
            Some(name) => BaseChoice::Named(name.to_owned()),
        },
        least: if args.unsafe_fixes { Applicability::Unsafe } else { Applicability::Safe },
        whole_file: args.whole_file,
        prefer_last: args.prefer.is_some(),
        selection: Selection { select: (!args.select.is_empty()).then(|| args.select.clone()), ignore: args.ignore.clone() },
        fail_on: args.fail_on.map(|level| match level {
            FailOn::Error => Severity::Error,
            FailOn::Warning => Severity::Warning,
            FailOn::Hint => Severity::Hint,
        }),
        command,
        ..Options::new(mode, today)
    })
}

fn run(session: &Session, args: &JudgeArgs, options: &Options) -> Result<Ran, String> {
    if !is_stdin(args) {
        return Ok(session.run(options, &progress()));
    }
    if args.paths.len() > 1 {
        return Err("`-` reads standard input and stands alone".to_owned());
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).map_err(|error| format!("standard input: {error}"))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1;
        format!("standard input: not UTF-8 at line {line}")
    })?;
    let name = args.stdin_filename.clone().unwrap_or_else(|| "AGENTS.md".into());
    let real = std::fs::canonicalize(&name).unwrap_or_else(|_| session.absolute(&name));
    let target = Target::new(session, &name, real, text, options.whole_file, &options.selection).map_err(|error| error.to_string())?;
    Ok(session.run_targets(vec![target], options, &|_, _| ()))
}

/// The exit code of a run that would change something, or not.
fn code_of(ran: &Ran, exit_zero: bool, changes: bool) -> u8 {
    let failed = !ran.errors.is_empty() || ran.outcomes.iter().any(|outcome| outcome.failure.is_some());
    code(failed, exit_zero, changes || ran.outcomes.iter().any(Outcome::fails))
}

/// The exit code: what could not run weighs most, then findings and what would change.
fn code(failed: bool, exit_zero: bool, found: bool) -> u8 {
    match (failed, found && !exit_zero) {
        (true, _) => FAILED,
        (false, true) => FOUND,
        (false, false) => CLEAN,
    }
}

/// Prints what a single check of `path` finds, for commands that end with one.
pub(super) fn check_after(session: &Session, path: &Path, options: &Options) -> Ended {
    let ran = session.run(&Options { mode: Mode::Check, paths: vec![path.to_owned()], ..options.clone() }, &|_, _| ());
    print_with(|out| output::findings(out, &ran, crate::report::Format::Full))?;
    for error in &ran.errors {
        say(&format!("memfile: {error}"));
    }
    Ok(code_of(&ran, false, false))
}
