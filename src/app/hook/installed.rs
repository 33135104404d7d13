//! The git hooks as one of the things that memfile installs.

use super::place::{Change, Condition, Hooks, Reach};
use super::script::Hook;
use crate::app::Session;
use crate::app::installations::{Installation, Problem};
use crate::io::git::Repository;

/// The hooks of the repository here.
pub(crate) const INSTALLATION: Installation = Installation {
    name: "git hooks",
    how: "`memfile hook install` lets git check memory files before each commit",
    installed,
    problems,
    remove,
};

/// Outside a repository there are no hooks, and that is no failure.
fn here(session: &Session) -> Result<Option<Hooks>, String> {
    match Repository::of_hook(&session.cwd) {
        None => Ok(None),
        Some(_) => Hooks::of(&session.cwd).map(Some).map_err(|error| error.to_string()),
    }
}

fn installed(session: &Session) -> Result<Vec<String>, String> {
    let Some(hooks) = here(session)? else { return Ok(Vec::new()) };
    let placed = hooks.status().into_iter().chain(hooks.left_over());
    let there = placed.filter(|placed| !placed.condition.is_without());
    Ok(there.map(|placed| session.name(&placed.path)).collect())
}

fn problems(session: &Session) -> Result<Vec<Problem>, String> {
    let Some(hooks) = here(session)? else { return Ok(Vec::new()) };
    let again = "`memfile hook install` puts it right";
    let mut found = Vec::new();
    let mut tell = |message: String, help: &str| found.push(Problem { message, help: help.to_owned() });
    let status = hooks.status();
    let any = status.iter().any(|placed| placed.condition.works());
    // Lines that a person wrote need not be all of them: the last one only spares an empty message.
    let is_ours = status.iter().any(|placed| placed.condition == Condition::Installed);
    let is_missed = |hook| any && (is_ours || hook != Hook::CommitMsg);
    let add = if hooks.reach == Reach::Husky { "`memfile hook install` prints the line to add" } else { again };
    for placed in status {
        let name = session.name(&placed.path);
        match placed.condition {
            Condition::NotExecutable => tell(format!("{name} is not executable, so git does not run it"), again),
            Condition::Stale(path) if path.is_empty() => {
                tell(format!("{name}: there is no memfile in PATH"), "install memfile where PATH leads")
            }
            Condition::Stale(path) => tell(format!("{name}: there is no memfile in PATH, nor at {path}"), again),
            Condition::Absent if is_missed(placed.hook) => tell(format!("{name} does not run memfile, while other hooks do"), add),
            _ => {}
        }
    }
    for placed in hooks.left_over() {
        let (name, folder) = (session.name(&placed.path), session.name(&hooks.folder));
        let help = "`memfile hook remove` takes it out; then `memfile hook install`";
        tell(format!("{name} runs memfile, but core.hooksPath leads git to {folder}"), help);
    }
    Ok(found)
}

fn remove(session: &Session) -> Result<Vec<String>, String> {
    let Some(hooks) = here(session)? else { return Ok(Vec::new()) };
    if hooks.reach == Reach::Shared {
        let theirs = hooks.status().into_iter().any(|placed| placed.condition == Condition::Installed);
        return match theirs {
            true => Err(format!(
                "the hooks in {} serve other repositories, too: `memfile hook remove --shared` takes them out",
                hooks.folder.display()
            )),
            false => Ok(Vec::new()),
        };
    }
    let done = hooks.remove(session).map_err(|error| error.to_string())?;
    let line = |(path, change): (std::path::PathBuf, Change)| match change {
        Change::Removed => format!("{}: removed", session.name(&path)),
        _ => format!("{}: memfile's lines taken out", session.name(&path)),
    };
    Ok(done.into_iter().map(line).collect())
}
