//! `accept`: what the working tree did to a fact is meant. Journaled; no byte changes.

use super::args::AcceptArgs;
use super::{CLEAN, Ended, FOUND, say};
use crate::app::options::{BaseChoice, Mode, Options};
use crate::app::{Outcome, Session, Target};
use crate::check::{Change, Selection};
use crate::io::clock;
use crate::text::{LineIndex, fold_key};
use std::path::{Path, PathBuf};

/// What is meant by the argument.
enum What {
    File,
    Line(usize),
    /// As given.
    Key(String),
}

/// `memfile accept KEY|FILE:LINE|FILE`
pub(super) fn run(session: &Session, args: &AcceptArgs) -> Ended {
    let (file, what) = meaning(session, args);
    let file = match file {
        Some(file) => file,
        None => session.the_memory_file().map_err(|error| error.to_string())?,
    };
    let outcome = check(session, &file, args)?;
    let index = LineIndex::new(&outcome.before);
    let key = fold_key(&args.what);
    let named = |change: &&Change| match &what {
        What::File => true,
        What::Line(line) => index.line(&outcome.before, change.at) == *line,
        What::Key(_) => change.names.contains(&key),
    };
    let changes: Vec<&Change> = outcome.checked.changes.iter().filter(named).collect();
    if changes.is_empty() {
        return nothing(session, &outcome, &what);
    }
    let names = session.accept(&outcome.real, &changes).map_err(|error| error.to_string())?;
    say(&format!("{}: accepted: {}; no byte changed", outcome.name, names.join(", ")));
    Ok(CLEAN)
}

/// A place needs a file that is there; a name with a colon may be a key as well.
fn meaning(session: &Session, args: &AcceptArgs) -> (Option<PathBuf>, What) {
    let is_file = |path: &str| session.absolute(Path::new(path)).is_file();
    if let Some((path, line)) = args.what.rsplit_once(':')
        && let Ok(line) = line.parse()
        && is_file(path)
    {
        return (Some(path.into()), What::Line(line));
    }
    let is_same = |file: &PathBuf| session.real_of(file) == session.real_of(Path::new(&args.what));
    if is_file(&args.what) && args.file.as_ref().is_none_or(is_same) {
        return (Some((&args.what).into()), What::File);
    }
    (args.file.clone(), What::Key(args.what.clone()))
}

fn check(session: &Session, file: &Path, args: &AcceptArgs) -> Result<Outcome, String> {
    let today = clock::today(None).map_err(|error| error.to_string())?;
    let base = args.base.clone().map_or(BaseChoice::Default, BaseChoice::Named);
    let options = Options { base, ..Options::new(Mode::Check, today) };
    let target = Target::load(session, file, false, &Selection::default()).map_err(|error| error.to_string())?;
    let ran = session.run_targets(vec![target], &options, &|_, _| ());
    match (ran.errors.first(), ran.outcomes.into_iter().next()) {
        (None, Some(outcome)) => match outcome.failure {
            Some(failure) => Err(format!("{}: {failure}", outcome.name)),
            None => Ok(outcome),
        },
        (Some(error), _) => Err(error.to_string()),
        (None, None) => Err(format!("{}: nothing was checked", file.display())),
    }
}

/// Nothing was done to what was named: fine if it exists.
fn nothing(session: &Session, outcome: &Outcome, what: &What) -> Ended {
    let given = match what {
        What::Key(given) => given,
        _ => {
            say(&format!("{}: nothing to accept here: no finding against the baseline", outcome.name));
            return Ok(CLEAN);
        }
    };
    let key = fold_key(given);
    let names = session.fact_names(&outcome.real, &outcome.before).map_err(|error| error.to_string())?;
    if names.iter().any(|name| fold_key(name) == key || fold_key(name).rsplit('/').next() == Some(key.as_str())) {
        say(&format!("{}: nothing to accept: no finding against the baseline is about it", outcome.name));
        return Ok(CLEAN);
    }
    let near = names.iter().map(|name| (strsim::jaro_winkler(&fold_key(name), &key), name)).max_by(|a, b| a.0.total_cmp(&b.0));
    match near {
        Some((likeness, name)) if likeness > 0.75 => {
            say(&format!("memfile: there is no fact `{given}` in {}; did you mean `{name}`?", outcome.name))
        }
        _ => say(&format!("memfile: there is no fact `{given}` in {}", outcome.name)),
    }
    Ok(FOUND)
}
