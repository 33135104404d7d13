//! The commands that write one fact: `set`, `add`, `end`, `correct`, `reopen`, `reword`, `rename`, `drop`.

use super::args::write::{CorrectArgs, EndArgs, EraseArgs, FactArgs, RenameArgs, ReopenArgs, RewordArgs, SetArgs, Where};
use super::{CLEAN, Ended, FAILED, FOUND, say};
use crate::app::{Session, Unwritten};
use crate::command::{self, Fact, Plan, Refusal, World};
use crate::io::clock;
use crate::io::journal::DeclaredKind;
use std::path::PathBuf;

/// `memfile set KEY VALUE`
pub(super) fn set(session: &Session, args: &SetArgs, command: &str) -> Ended {
    let fact = fact(&args.fact);
    write(session, &args.fact.place, command, DeclaredKind::Accept, &|text, world| command::set(text, world, &fact, args.only))
}

/// `memfile add KEY VALUE`
pub(super) fn add(session: &Session, args: &FactArgs, command: &str) -> Ended {
    let fact = fact(args);
    write(session, &args.place, command, DeclaredKind::Accept, &|text, world| command::add(text, world, &fact))
}

fn fact(args: &FactArgs) -> Fact<'_> {
    Fact {
        key: &args.key,
        value: &args.value,
        subject: args.subject.as_deref(),
        source: args.source.as_deref(),
        since: args.since.as_deref(),
        reason: args.reason.as_deref(),
    }
}

/// `memfile end KEY`
pub(super) fn end(session: &Session, args: &EndArgs, command: &str) -> Ended {
    let (value, day, reason) = (args.value.as_deref(), args.as_of.as_deref(), args.reason.as_deref());
    write(session, &args.place, command, DeclaredKind::Accept, &|text, world| command::end(text, world, &args.key, value, day, reason))
}

/// `memfile correct KEY [NEW]`
pub(super) fn correct(session: &Session, args: &CorrectArgs, command: &str) -> Ended {
    let (new, value, day) = (args.new.as_deref(), args.value.as_deref(), args.as_of.as_deref());
    write(session, &args.place, command, DeclaredKind::Accept, &|text, world| command::correct(text, world, &args.key, new, value, day))
}

/// `memfile reopen KEY`
pub(super) fn reopen(session: &Session, args: &ReopenArgs, command: &str) -> Ended {
    let (value, day) = (args.value.as_deref(), args.as_of.as_deref());
    write(session, &args.place, command, DeclaredKind::Reopen, &|text, world| command::reopen(text, world, &args.key, value, day))
}

/// `memfile reword KEY VALUE`
pub(super) fn reword(session: &Session, args: &RewordArgs, command: &str) -> Ended {
    let which = args.which.as_deref();
    write(session, &args.place, command, DeclaredKind::Reword, &|text, world| command::reword(text, world, &args.key, &args.value, which))
}

/// `memfile rename KEY NEW`
pub(super) fn rename(session: &Session, args: &RenameArgs, command: &str) -> Ended {
    write(session, &args.place, command, DeclaredKind::Reword, &|text, world| command::rename(text, world, &args.key, &args.new))
}

/// `memfile drop KEY --yes`
pub(super) fn drop(session: &Session, args: &EraseArgs, command: &str) -> Ended {
    if !args.yes {
        return Err("`drop` takes a record out of the file without a trace (`undo` brings it back); say --yes if that is meant".to_owned());
    }
    let (place, line) = located(session, args);
    write(session, &place, command, DeclaredKind::Drop, &|text, world| match line {
        Some(line) => command::drop_line(text, world, line),
        None => command::drop(text, world, &args.key, args.value.as_deref()),
    })
}

/// `FILE:LINE` names the file as well.
pub(super) fn located(session: &Session, args: &EraseArgs) -> (Where, Option<usize>) {
    let mut place = args.place.clone();
    let Some((path, line)) = args.key.rsplit_once(':') else { return (place, None) };
    let (Ok(line), true) = (line.parse(), session.absolute(std::path::Path::new(path)).is_file()) else { return (place, None) };
    place.file = Some(path.into());
    (place, Some(line))
}

/// The file that is meant.
pub(super) fn file(session: &Session, place: &Where) -> Result<PathBuf, String> {
    match &place.file {
        Some(file) => Ok(file.clone()),
        None => session.the_memory_file().map_err(|error| error.to_string()),
    }
}

/// Runs one operation and says what it did.
fn write(
    session: &Session,
    place: &Where,
    command: &str,
    kind: DeclaredKind,
    plan: &dyn Fn(&str, &World) -> Result<Plan, Refusal>,
) -> Ended {
    let today = clock::today(place.today).map_err(|error| error.to_string())?;
    let file = file(session, place)?;
    match session.command(&file, today, command, kind, plan) {
        Ok(written) => {
            say(&format!("{}: {}", written.name, crate::report::visible(&written.said)));
            Ok(CLEAN)
        }
        Err(unwritten) => refused(unwritten),
    }
}

/// Says why nothing was written.
pub(super) fn refused(unwritten: Unwritten) -> Ended {
    match unwritten {
        Unwritten::Refused(refusal) => {
            say(&format!("memfile: {}", crate::report::visible(&refusal.to_string())));
            Ok(if matches!(refusal, Refusal::Usage(_)) { FAILED } else { FOUND })
        }
        Unwritten::Loss(loss) => Err(format!("this command would {loss}; nothing is written. This is a fault of memfile")),
        Unwritten::Io(error) => Err(error.to_string()),
    }
}
