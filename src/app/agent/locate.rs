//! Which memory file a path of an agent means, if any. Most edits are of other files: they must cost no git and no journal.

use crate::app::Session;
use crate::app::target::slashed;
use crate::io::discover::NAMES;
use std::path::{Path, PathBuf};

/// The path of a memory file as reports name it: absolute, links not followed. The file need not exist if its name is that of a
/// memory file.
pub(super) fn memory_file(session: &Session, written: &str) -> Option<PathBuf> {
    if written.contains('\0') {
        return None;
    }
    let path = session.absolute(&with_home(written));
    if is_named(&path) {
        return Some(path);
    }
    let real = std::fs::canonicalize(&path).ok()?;
    let managed = || {
        let found = session.configs.of(real.parent()?).ok()?;
        let inside = real.strip_prefix(&found.folder).ok()?;
        found.config.manages_file(&slashed(inside)).then_some(())
    };
    (real.is_file() && (is_named(&real) || managed().is_some())).then_some(path)
}

/// The memory files that stand on a command line, as words of their own. Where the line calls git or memfile itself, none: what
/// those do to a file is meant.
pub(super) fn in_command(session: &Session, command: &str) -> Vec<PathBuf> {
    let words = || command.split(|c: char| c.is_whitespace() || ";|&()<>\"'`=".contains(c)).filter(|word| !word.is_empty());
    let program = |word: &str| Path::new(word).file_name().and_then(|name| name.to_str()).map(str::to_owned);
    if words().any(|word| matches!(program(word).as_deref(), Some("git" | "jj" | "hg" | "memfile"))) {
        return Vec::new();
    }
    // A file name without a dot is no memory file; most words are none at all.
    let mut found: Vec<PathBuf> = words().filter(|word| word.contains('.')).filter_map(|word| memory_file(session, word)).collect();
    found.sort();
    found.dedup();
    found
}

fn is_named(path: &Path) -> bool {
    path.file_name().is_some_and(|name| NAMES.iter().any(|known| name == *known))
}

/// `~` and `~/…` with the home folder.
fn with_home(written: &str) -> PathBuf {
    let rest = match written.strip_prefix('~') {
        Some("") => Some(""),
        Some(rest) => rest.strip_prefix(std::path::is_separator),
        None => None,
    };
    match (rest, std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(written),
    }
}
