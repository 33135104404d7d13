//! What the sessions of agents saw of files: texts come in, and go out again to the next call of the same session.
//!
//! A hook is one process a call, so what stood in a file before an edit has to lie somewhere until the edit is done. It lies in the
//! state folder, one folder a session, one file a file, and may be lost at any time: then only the baseline is known. Nothing is
//! flushed, as nothing depends on it.

use super::state::name_of;
use super::{IoError, State};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The folder in the state folder.
const FOLDER: &str = "sessions";
/// Sessions that nobody ended are cleared after this time.
const KEPT: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// What a session saw of one file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Sight {
    /// The real path of the file.
    pub path: PathBuf,
    /// The text when the session saw it first.
    pub start: Option<String>,
    /// The text before an edit that is under way.
    pub before: Option<String>,
    /// What could not be told to the agent yet.
    pub note: Option<String>,
}

/// What `session` saw of the file with the real path `real`; nothing where that is lost.
pub fn load(state: &State, session: &str, real: &Path) -> Option<Sight> {
    let path = state.for_read()?.join(FOLDER).join(folder_of(session)).join(name_of(real));
    read(&path).filter(|sight| sight.path == real)
}

/// Keeps what `session` saw of a file.
///
/// # Errors
/// [`IoError::State`].
pub fn save(state: &State, session: &str, sight: &Sight) -> Result<(), IoError> {
    let name = format!("{FOLDER}/{}", folder_of(session));
    let is_new = state.for_read().is_none_or(|folder| !folder.join(&name).is_dir());
    let folder = state.subfolder(&name)?;
    if is_new {
        sweep(state);
    }
    let path = folder.join(name_of(&sight.path));
    let failed = |error| IoError::state(&path, error);
    let text = serde_json::to_vec(sight).map_err(|error| failed(error.into()))?;
    // Two hooks of one session may write at once; each its own file, and the last one counts.
    let temp = path.with_extension(std::process::id().to_string());
    fs::write(&temp, text).and_then(|()| fs::rename(&temp, &path)).map_err(|error| {
        // What cannot be removed is swept with its session.
        let _ = fs::remove_file(&temp);
        failed(error)
    })
}

/// The real paths of the files that `session` saw, sorted.
pub fn files(state: &State, session: &str) -> Vec<PathBuf> {
    let Some(folder) = state.for_read() else { return Vec::new() };
    let Ok(entries) = fs::read_dir(folder.join(FOLDER).join(folder_of(session))) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.flatten().filter_map(|entry| read(&entry.path())).map(|sight| sight.path).collect();
    files.sort();
    files.dedup();
    files
}

/// Clears what `session` saw.
pub fn end(state: &State, session: &str) {
    if let Some(folder) = state.for_read() {
        // What is not there is what is wanted.
        let _ = fs::remove_dir_all(folder.join(FOLDER).join(folder_of(session)));
    }
}

/// Clears what any session saw of the file with the real path `real`.
pub fn forget(state: &State, real: &Path) {
    for session in sessions(state) {
        // Most sessions never saw it.
        let _ = fs::remove_file(session.join(name_of(real)));
    }
}

fn sweep(state: &State) {
    let is_old = |folder: &Path| {
        let changed = fs::metadata(folder).and_then(|meta| meta.modified());
        changed.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > KEPT))
    };
    for session in sessions(state).into_iter().filter(|folder| is_old(folder)) {
        // Another process may sweep at the same time.
        let _ = fs::remove_dir_all(session);
    }
}

fn sessions(state: &State) -> Vec<PathBuf> {
    let Some(folder) = state.for_read() else { return Vec::new() };
    let Ok(entries) = fs::read_dir(folder.join(FOLDER)) else { return Vec::new() };
    entries.flatten().map(|entry| entry.path()).collect()
}

/// A session's name is the agent's and may hold anything.
fn folder_of(session: &str) -> String {
    let digest = Sha256::digest(session.as_bytes());
    digest[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn read(path: &Path) -> Option<Sight> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_session_saw_is_its_own_and_can_be_forgotten() {
        let folder = tempfile::tempdir().expect("temp");
        let state = State::at(folder.path().join("state"));
        let real = folder.path().join("AGENTS.md");
        assert_eq!(load(&state, "a/../b", &real), None);
        let sight = Sight { path: real.clone(), start: Some("one\n".into()), ..Sight::default() };
        save(&state, "a/../b", &sight).expect("saved");
        assert_eq!(load(&state, "a/../b", &real), Some(sight.clone()));
        assert_eq!(load(&state, "other", &real), None);
        assert_eq!(files(&state, "a/../b"), std::slice::from_ref(&real));
        save(&state, "other", &sight).expect("saved");
        forget(&state, &real);
        assert_eq!((load(&state, "a/../b", &real), load(&state, "other", &real)), (None, None));
        save(&state, "other", &sight).expect("saved");
        end(&state, "other");
        assert!(files(&state, "other").is_empty());
    }
}
