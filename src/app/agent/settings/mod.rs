//! The settings of agents: hooks, and the MCP server, are put into them and taken out again.
//!
//! A settings file is the person's: its order, comments, indentation and line endings stay, another hook stays, and what is taken
//! out is what was put in, byte for byte. A file that cannot be read as what it should be is left alone. `pieces` says what is put
//! in for which agent, `places` where; `json` and `toml` change a text; here a text becomes a file, by the lock and the journal that
//! every other file goes through.

mod json;
mod pieces;
mod places;
mod toml;

pub use places::Scope;

use super::Agent;
use crate::app::saving::{actor, secrets_hidden};
use crate::app::{Session, Target};
use crate::check::Selection;
use crate::io::journal::{Journal, StepFile, file_key};
use crate::io::{IoError, Lock, clock};
use pieces::Piece;
use places::{Form, Place};
use std::path::{Path, PathBuf};

/// What was done to one settings file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Done {
    /// It was made.
    Made,
    /// It was changed.
    Changed,
    /// It was as it should be.
    Unchanged,
    /// It was taken away, as it held nothing else.
    Removed,
}

/// Why settings were left alone.
#[derive(Clone, Debug)]
pub enum SettingsError {
    /// The world.
    Io(IoError),
    /// The file is not what it should be, in words, with the line where there is one.
    Broken {
        /// The file's name in reports.
        name: String,
        /// The reason.
        reason: String,
    },
    /// The agent has no settings of that scope, or they cannot be found.
    Nowhere(String),
}

impl std::fmt::Display for SettingsError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io(error) => error.fmt(out),
            Self::Broken { name, reason } => write!(out, "{name}: {reason}; nothing was changed"),
            Self::Nowhere(reason) => reason.fmt(out),
        }
    }
}

impl From<IoError> for SettingsError {
    fn from(error: IoError) -> Self {
        Self::Io(error)
    }
}

/// A settings file after `install` or `remove`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The file.
    pub path: PathBuf,
    /// Its name in reports.
    pub name: String,
    /// What was done to it.
    pub done: Done,
}

/// What is put into the settings of one agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The agent.
    pub agent: Agent,
    /// Whose settings.
    pub scope: Scope,
    /// The hooks alone, without the MCP server.
    pub hooks_only: bool,
}

impl Setup {
    /// All of them, seen from one folder: for what takes memfile out of everything, or looks where it is.
    pub fn all() -> Vec<Self> {
        let scopes = [Scope::Project, Scope::Local, Scope::User];
        let pairs = Agent::ALL.into_iter().flat_map(|agent| scopes.map(|scope| (agent, scope)));
        let known = pairs.filter(|(agent, scope)| *scope != Scope::Local || *agent == Agent::Claude);
        known.map(|(agent, scope)| Self { agent, scope, hooks_only: false }).collect()
    }
}

/// Puts memfile into an agent's settings. What is there already is left as it is.
///
/// # Errors
/// [`SettingsError`]; the file that it speaks of is as it was.
pub fn install(session: &Session, setup: Setup) -> Result<Vec<Settings>, SettingsError> {
    let places = places::of(session, setup)?;
    // All of them are read before one is written: a broken one stops the whole.
    let planned: Result<Vec<_>, SettingsError> = places.iter().map(|place| plan(session, place, &add)).collect();
    planned?.into_iter().zip(&places).map(|(file, place)| save(session, file, place, &command(setup, ""))).collect()
}

/// Takes memfile out of an agent's settings again.
///
/// # Errors
/// As [`install`].
pub fn remove(session: &Session, setup: Setup) -> Result<Vec<Settings>, SettingsError> {
    let places: Vec<Place> = places::of(session, setup)?.into_iter().filter(|place| place.path.exists()).collect();
    let planned: Result<Vec<_>, SettingsError> = places.iter().map(|place| plan(session, place, &take_out)).collect();
    let mut done = Vec::new();
    for (mut file, place) in planned?.into_iter().zip(&places) {
        if file.before != file.after
            && let Some(exact) = journaled(session, &file, place)?
        {
            file.after = exact;
        }
        done.push(save(session, file, place, &command(setup, " --remove"))?);
    }
    Ok(done)
}

/// The settings files that hold something of memfile's, for one agent.
///
/// # Errors
/// As [`install`].
pub fn installed(session: &Session, setup: Setup) -> Result<Vec<PathBuf>, SettingsError> {
    let mut found = Vec::new();
    for place in places::of(session, setup)?.into_iter().filter(|place| place.path.exists()) {
        let file = plan(session, &place, &take_out)?;
        if file.before != file.after {
            found.push(place.path);
        }
    }
    Ok(found)
}

/// A file and what shall become of it.
struct Planned {
    target: Option<Target>,
    before: Option<String>,
    /// The text after; nothing where the file goes.
    after: Option<String>,
}

type Change<'c> = &'c dyn Fn(Form, Option<&str>, &[Piece]) -> Result<Option<String>, String>;

fn plan(session: &Session, place: &Place, change: Change) -> Result<Planned, SettingsError> {
    let target = match Target::load(session, &place.path, false, &Selection::default()) {
        Ok(target) => Some(target),
        Err(IoError::NotFound { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    let before = target.as_ref().map(|target| target.text.clone());
    let broken = |reason| SettingsError::Broken { name: session.name(&place.path), reason };
    let after = change(place.form, before.as_deref(), &place.pieces).map_err(broken)?;
    Ok(Planned { target, before, after })
}

fn add(form: Form, before: Option<&str>, pieces: &[Piece]) -> Result<Option<String>, String> {
    let text = before.unwrap_or("");
    match form {
        Form::Json => json::add(text, pieces).map(Some),
        Form::Toml => toml::add(text, pieces).map(Some),
    }
}

fn take_out(form: Form, before: Option<&str>, pieces: &[Piece]) -> Result<Option<String>, String> {
    let Some(before) = before else { return Ok(None) };
    let after = match form {
        Form::Json => json::take_out(before, pieces)?,
        Form::Toml => toml::take_out(before, pieces)?,
    };
    let is_empty = match form {
        Form::Json => json::is_bare(&after),
        Form::Toml => after.trim().is_empty(),
    };
    Ok(if after != before && is_empty { None } else { Some(after) })
}

/// The text that stood there before memfile was put in, where the journal knows it for certain: the file is as the last `init` left
/// it. `Some(None)` is a file that was not there.
fn journaled(session: &Session, file: &Planned, place: &Place) -> Result<Option<Option<String>>, SettingsError> {
    let Some(target) = &file.target else { return Ok(None) };
    let key = file_key(&target.real);
    let mut text = target.text.clone();
    let mut found = None;
    for step in session.steps_of(&place.path)?.into_iter().rev().filter(|step| !step.is_undone) {
        let part = step.files.into_iter().find(|part| part.file == key);
        let Some(part) = part.filter(|part| part.new.as_ref() == Some(&text) && step.command.starts_with("init --agent")) else { break };
        match part.old {
            Some(old) => {
                let clean = take_out(place.form, Some(&old), &place.pieces);
                if clean.is_ok_and(|clean| clean.as_ref() == Some(&old)) {
                    return Ok(Some(Some(old)));
                }
                text = old;
            }
            None => {
                found = Some(None);
                break;
            }
        }
    }
    Ok(found)
}

fn save(session: &Session, file: Planned, place: &Place, command: &str) -> Result<Settings, SettingsError> {
    let settings = |done| Settings { path: place.path.clone(), name: session.name(&place.path), done };
    let done = match (&file.target, &file.after) {
        (Some(target), Some(after)) if target.text == *after => Done::Unchanged,
        (Some(target), Some(after)) => {
            session.write(target, after, command)?;
            Done::Changed
        }
        (Some(target), None) => {
            Lock::acquire(&session.state, &target.real)?.remove(&target.text)?;
            tell(session, &target.real, Some(&target.text), None, command)?;
            // Only an empty folder can go; another one is in use.
            let _ = place.path.parent().map(std::fs::remove_dir);
            Done::Removed
        }
        (None, Some(after)) => {
            let folder = place.path.parent().unwrap_or(Path::new("."));
            std::fs::create_dir_all(folder).map_err(|error| IoError::write(folder, error))?;
            let real = session.real_of(&place.path);
            Lock::acquire(&session.state, &real)?.create(after)?;
            tell(session, &real, None, Some(after), command)?;
            Done::Made
        }
        (None, None) => Done::Unchanged,
    };
    Ok(settings(done))
}

fn tell(session: &Session, real: &Path, old: Option<&str>, new: Option<&str>, command: &str) -> Result<(), IoError> {
    let step = StepFile { file: file_key(real), old: old.map(secrets_hidden), new: new.map(secrets_hidden) };
    Journal::open(&session.state)?.add_step(clock::now()?, &actor(), command, &[step]).map(drop)
}

/// The command for the journal.
fn command(setup: Setup, rest: &str) -> String {
    format!("init --agent {}{rest}", setup.agent.as_str())
}
