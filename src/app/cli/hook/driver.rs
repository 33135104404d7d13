//! The merge driver's part of `hook install --merge`, `status` and `remove`: what was done comes in, words go out.

use super::super::{CLEAN, Ended, say};
use crate::app::{DriverStatus, Session};
use crate::report::visible;

/// Makes memfile the driver.
pub(super) fn install(session: &Session) -> Ended {
    let done = session.install_merge_driver().map_err(|error| error.to_string())?;
    for (file, driver) in &done.kept {
        say(&format!("{}: .gitattributes merges it by `{}`; left as it is", visible(file), visible(driver)));
    }
    if !done.added.is_empty() {
        say(&format!(
            ".gitattributes: merge=memfile for {}; commit it, and others need only `memfile hook install --merge`",
            visible(&done.added.join(", "))
        ));
    }
    say(if done.configured { "git's configuration here: memfile merges memory files" } else { "memfile merges memory files here already" });
    Ok(CLEAN)
}

/// A line for people; nothing where memfile is no driver here.
pub(super) fn words(status: &DriverStatus) -> Option<String> {
    let covered = visible(&status.covered.join(", ")).into_owned();
    let others = visible(&status.uncovered.join(", ")).into_owned();
    match (status.configured, status.covered.is_empty(), status.uncovered.is_empty()) {
        (false, true, _) => None,
        (false, false, _) => Some(format!(
            ".gitattributes asks for memfile ({covered}), git's configuration here does not know it (`memfile hook install --merge`)"
        )),
        (true, _, true) => Some(format!("memfile merges {covered}")),
        (true, _, false) => Some(format!("memfile merges {covered}; not {others} (`memfile hook install --merge`)")),
    }
}

/// Takes the driver out; true where there was something.
pub(super) fn remove(session: &Session) -> Result<bool, String> {
    let done = session.remove_merge_driver().map_err(|error| error.to_string())?;
    if done.lines {
        say(".gitattributes: memfile's lines taken out");
    }
    if done.settings {
        say("git's configuration here: memfile is no merge driver any more");
    }
    Ok(done.lines || done.settings)
}
