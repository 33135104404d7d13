//! What memfile put outside memory files, each with the way to take it out again: `uninstall` and `doctor` walk this list.
//!
//! A door that installs something adds one line here.

use super::Session;

/// Something that a command installed.
pub(crate) struct Installation {
    /// For people.
    pub(crate) name: &'static str,
    /// How it is installed, for people.
    pub(crate) how: &'static str,
    /// Where it stands, a line each; empty where it is not installed.
    pub(crate) installed: fn(&Session) -> Result<Vec<String>, String>,
    /// What is wrong with it.
    pub(crate) problems: fn(&Session) -> Result<Vec<Problem>, String>,
    /// Takes it out; what was done, a line each.
    pub(crate) remove: fn(&Session) -> Result<Vec<String>, String>,
}

/// Something wrong with an installation.
pub(crate) struct Problem {
    /// What it is.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) help: String,
}

/// All of them, in the order in which they are told of.
pub(crate) const INSTALLATIONS: &[Installation] =
    &[super::hook::INSTALLATION, super::merge_driver::INSTALLATION, super::agent::INSTALLATION];
