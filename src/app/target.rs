//! One file of a run, with the configuration that holds for it.

use super::session::Session;
use crate::check::Selection;
use crate::io::{self, IoError, config::Found, discover::Place};
use crate::rules;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file of a run.
#[derive(Debug, Clone)]
pub struct Target {
    /// Its name in reports: relative to the current folder, with `/`.
    pub name: String,
    /// The file behind all links.
    pub real: PathBuf,
    /// Its text.
    pub text: String,
    /// The configuration that holds for it.
    pub found: Arc<Found>,
    /// All of it is managed, by configuration or command line.
    pub whole_file: bool,
    /// Which findings are wanted of it.
    pub selection: Selection,
}

impl Target {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// As [`crate::io::load`], and those of its configuration.
    pub fn load(session: &Session, path: &Path, whole_file: bool, selection: &Selection) -> Result<Self, IoError> {
        session.allow(path)?;
        let loaded = io::load(path)?;
        Self::new(session, path, loaded.real, loaded.text, whole_file, selection)
    }

    /// As [`Target::load`], of a file that was found.
    pub(super) fn load_found(session: &Session, place: &Place, whole_file: bool, selection: &Selection) -> Result<Self, IoError> {
        session.allow(&place.path)?;
        let loaded = io::load_found(place)?;
        Self::new(session, &place.path, loaded.real, loaded.text, whole_file, selection)
    }

    /// A text under the name of a file that need not exist.
    ///
    /// # Errors
    /// Those of its configuration.
    pub fn new(
        session: &Session,
        path: &Path,
        real: PathBuf,
        text: String,
        whole_file: bool,
        selection: &Selection,
    ) -> Result<Self, IoError> {
        session.allow(&real)?;
        let folder = real.parent().unwrap_or(&real);
        let found = session.configs.of(folder)?;
        let config = &found.config;
        check_names(&found)?;
        let inside = real.strip_prefix(&found.folder).ok().map(slashed);
        let managed = inside.is_some_and(|path| config.manages_file(&path));
        let mut ignore = config.ignore.clone();
        ignore.extend(selection.ignore.iter().cloned());
        // An archive holds the older part of each chain: what its tags name stands in the file it belongs to.
        if real.to_string_lossy().ends_with(".history.md") {
            ignore.extend(["broken-chain", "current-tagged", "wrong-successor", "over-budget"].map(String::from));
        }
        let select = selection.select.clone().or_else(|| config.select.clone());
        Ok(Self { name: session.name(path), real, text, whole_file: whole_file || managed, selection: Selection { select, ignore }, found })
    }
}

/// A name of a finding that is none would silence nothing, or everything, and nobody would know.
fn check_names(found: &Found) -> Result<(), IoError> {
    let config = &found.config;
    let mut names = config.select.iter().flatten().chain(&config.ignore).filter(|name| *name != "all");
    let Some(unknown) = names.find(|name| rules::find(name).is_none()) else { return Ok(()) };
    let path = found.path.clone().unwrap_or_else(|| found.folder.clone());
    Err(IoError::Config { path, message: unknown_rule(unknown) })
}

/// What to say of a rule that is not there.
pub(super) fn unknown_rule(name: &str) -> String {
    match rules::nearest(name) {
        Some(near) => format!("there is no rule `{name}`; did you mean `{near}`? (`memfile explain` lists them)"),
        None => format!("there is no rule `{name}` (`memfile explain` lists them)"),
    }
}

/// A path with `/`, whatever the system writes.
pub(super) fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '/' { text.into_owned() } else { text.replace(std::path::MAIN_SEPARATOR, "/") }
}
