//! What `uninstall` and `doctor` see of the agents: their settings, of this project and of this person.

use super::settings::{Done, Scope, Setup, installed as places_of, remove as take_out};
use crate::app::Session;
use crate::app::hook::in_path;
use crate::app::installations::{Installation, Problem};

/// The settings of all agents, in all scopes.
pub(in crate::app) const INSTALLATION: Installation = Installation {
    name: "agents",
    how: "`memfile init --agent claude` (or codex, cursor, gemini) lets an agent's edits be checked as they are made",
    installed,
    problems,
    remove,
};

/// Settings that cannot be found, as without a home, hold nothing.
fn places(session: &Session) -> Result<Vec<(Setup, Vec<String>)>, String> {
    let found = |setup: Setup| match places_of(session, setup) {
        Ok(paths) => Ok((setup, paths.iter().map(|path| session.name(path)).collect())),
        Err(super::settings::SettingsError::Nowhere(_)) => Ok((setup, Vec::new())),
        Err(error) => Err(error.to_string()),
    };
    Setup::all().into_iter().map(found).filter(|found| !matches!(found, Ok((_, names)) if names.is_empty())).collect()
}

fn installed(session: &Session) -> Result<Vec<String>, String> {
    Ok(places(session)?.into_iter().flat_map(|(_, names)| names).collect())
}

fn problems(session: &Session) -> Result<Vec<Problem>, String> {
    if in_path().is_some() {
        return Ok(Vec::new());
    }
    let by_name = places(session)?.into_iter().filter(|(setup, _)| setup.scope == Scope::Project);
    Ok(by_name
        .flat_map(|(_, names)| names)
        .map(|name| Problem {
            message: format!("{name} calls memfile by its name, and it is not in PATH"),
            help: "put the folder of memfile into PATH".to_owned(),
        })
        .collect())
}

fn remove(session: &Session) -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    for (setup, _) in places(session)? {
        let files = take_out(session, setup).map_err(|error| error.to_string())?;
        lines.extend(files.into_iter().filter(|file| file.done != Done::Unchanged).map(|file| match file.done {
            Done::Removed => format!("{} removed, as it held nothing else", file.name),
            _ => format!("taken out of {}", file.name),
        }));
    }
    Ok(lines)
}
