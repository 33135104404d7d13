//! What git's configuration says: the name of a setting comes in, its value and where that was set go out.
//!
//! The settings that `process` gives to every command are no answer: they are memfile's own.

use super::{Repository, os_string};
use crate::io::IoError;
use std::ffi::OsString;
use std::process::Command;

/// A value of git's configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The value; of a path with `~` resolved.
    pub value: OsString,
    /// Where it was set: `system`, `global`, `local`, `worktree`.
    pub scope: String,
}

impl Repository {
    /// The value that holds for `name`, if there is one. `is_path`: git resolves `~` in it.
    ///
    /// # Errors
    /// [`IoError::Git`].
    pub fn setting(&self, name: &str, is_path: bool) -> Result<Option<Setting>, IoError> {
        let mut args = vec!["config", "--show-scope", "-z", "--get-all"];
        args.extend(is_path.then_some("--type=path"));
        args.push(name);
        let output = self.try_run(args)?;
        match output.status.code() {
            Some(0) => {}
            // No such setting.
            Some(1) => return Ok(None),
            _ => return Err(self.failed("git config", &output.stderr)),
        }
        let fields: Vec<&[u8]> = output.stdout.split(|&byte| byte == 0).collect();
        let mut pairs = fields.chunks_exact(2).filter(|pair| pair[0] != b"command");
        // The last one wins.
        Ok(pairs.next_back().map(|pair| Setting { value: os_string(pair[1]), scope: String::from_utf8_lossy(pair[0]).into_owned() }))
    }
}

/// What `git --version` says, in short; why git cannot be started where it cannot.
///
/// # Errors
/// The reason, for people.
pub fn git_version() -> Result<String, String> {
    let output = Command::new("git").arg("--version").output().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "there is no `git` in PATH".to_owned(),
        _ => format!("git cannot be started: {error}"),
    })?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.trim().trim_start_matches("git version ").to_owned())
}
