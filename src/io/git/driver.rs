//! Settings and attributes: what git is told about merges, and the two settings that make memfile a merge driver.
//!
//! Setting and unsetting are the only calls of git here that write anything; they are made by `hook install --merge` and its
//! removal, and write the repository's own configuration, which all its work trees share.

use super::process::arg;
use super::{Repository, first_line};
use crate::io::IoError;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Settings given on git's own command line (`git -c …`) reach what git starts in these.
const GIVEN: &str = "GIT_CONFIG_PARAMETERS";

impl Repository {
    /// The value of a setting, from all of git's configuration and `git -c`.
    ///
    /// # Errors
    /// [`IoError::Git`].
    pub fn effective_setting(&self, key: &str) -> Result<Option<String>, IoError> {
        let mut command = self.command(["config", "--get", key]);
        if let Some(given) = std::env::var_os(GIVEN) {
            command.env(GIVEN, given);
        }
        let output = command.output().map_err(|error| self.failed("git config", error.to_string().as_bytes()))?;
        match output.status.code() {
            Some(0) => Ok(Some(first_line(&output.stdout))),
            Some(1) => Ok(None),
            _ => Err(self.failed("git config", &output.stderr)),
        }
    }

    /// The value of a setting in the repository's own configuration.
    ///
    /// # Errors
    /// [`IoError::Git`].
    pub fn own_setting(&self, key: &str) -> Result<Option<String>, IoError> {
        let output = self.try_run(["config", "--local", "--get", key])?;
        match output.status.code() {
            Some(0) => Ok(Some(first_line(&output.stdout))),
            Some(1) => Ok(None),
            _ => Err(self.failed("git config", &output.stderr)),
        }
    }

    /// Gives a setting of the repository's own configuration a value.
    ///
    /// # Errors
    /// [`IoError::Git`].
    pub fn set_own(&self, key: &str, value: &str) -> Result<(), IoError> {
        let output = self.try_run(["config", "--local", "--replace-all", key, value])?;
        if output.status.success() { Ok(()) } else { Err(self.failed("git config", &output.stderr)) }
    }

    /// Takes a setting out of the repository's own configuration; one that is not there is no failure.
    ///
    /// # Errors
    /// [`IoError::Git`].
    pub fn unset_own(&self, key: &str) -> Result<(), IoError> {
        let output = self.try_run(["config", "--local", "--unset-all", key])?;
        match output.status.code() {
            Some(0 | 5) => Ok(()),
            _ => Err(self.failed("git config", &output.stderr)),
        }
    }

    /// For each of `paths` (absolute) the attribute `name`, as `.gitattributes` of the work tree and git's other places have it:
    /// `unspecified`, `set`, `unset`, or a value. Paths outside the work tree are left out.
    ///
    /// # Errors
    /// [`IoError::Git`].
    pub fn attribute(&self, name: &str, paths: &[PathBuf]) -> Result<Vec<(PathBuf, String)>, IoError> {
        let named = |path: &Path| self.name(path).map(|bytes| arg(&bytes));
        let known: Vec<(PathBuf, OsString)> = paths.iter().filter_map(|path| Some((path.clone(), named(path)?))).collect();
        if known.is_empty() {
            return Ok(Vec::new());
        }
        let mut args: Vec<OsString> = ["check-attr", "-z", name, "--"].map(OsString::from).into();
        args.extend(known.iter().map(|(_, name)| name.clone()));
        let output = self.try_run(args)?;
        if !output.status.success() {
            return Err(self.failed("git check-attr", &output.stderr));
        }
        // PATH, ATTRIBUTE and VALUE of each.
        let fields: Vec<&[u8]> = output.stdout.split(|&byte| byte == 0).collect();
        let values = fields.chunks_exact(3).map(|fields| String::from_utf8_lossy(fields[2]).into_owned());
        Ok(known.into_iter().map(|(path, _)| path).zip(values).collect())
    }
}
