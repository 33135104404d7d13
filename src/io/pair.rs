//! Two files in one step: what is to be written to the file beside comes in, and a run that is killed between the two leaves a note
//! by which the next [`super::Lock`] of the first file takes the other's part back. Else the step, done again, would be there twice.
//!
//! The note lies outside the tree, beside the backups of writes in place.

use super::state::name_of;
use super::{IoError, Lock, State};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The first words of a note; the lengths of what follows stand behind them: the path of the file beside, the digest of the first
/// file, the old bytes of the file beside (`-` where it was not there), the new ones.
const NOTE: &str = "memfile pair of";

/// What the file beside held, and what it is to hold.
pub struct Beside<'a> {
    /// Its real path.
    pub path: &'a Path,
    /// Its text before; none where it is made.
    pub old: Option<&'a str>,
    /// Its text after.
    pub new: &'a str,
}

/// The note of a step, until dropped.
pub struct Note(PathBuf);

impl Drop for Note {
    fn drop(&mut self) {
        // A note that stays is read by the next lock, which sees that the step was done.
        let _ = fs::remove_file(&self.0);
    }
}

/// Where the note of the file `real` stands below the state folder.
pub(super) fn path(folder: &Path, real: &Path) -> PathBuf {
    folder.join("backups").join(format!("{}.pair", name_of(real)))
}

/// Writes down that the file `real`, which holds `own`, and the file beside are about to be written, the file beside first.
pub(super) fn write(state: &State, real: &Path, own: &str, beside: &Beside) -> Result<Note, IoError> {
    state.subfolder("backups")?;
    let path = path(state.for_write()?, real);
    let name = beside.path.as_os_str().as_encoded_bytes();
    let digest = Sha256::digest(own.as_bytes());
    let length = beside.old.map_or_else(|| "-".to_owned(), |old| old.len().to_string());
    let write = || {
        let mut file = fs::File::create(&path)?;
        writeln!(file, "{NOTE} {} {} {length} {}", name.len(), digest.len(), beside.new.len())?;
        for part in [name, &digest[..], beside.old.unwrap_or("").as_bytes(), beside.new.as_bytes()] {
            file.write_all(part)?;
        }
        file.sync_all()
    };
    let note = Note(path.clone());
    write().map_err(|error| IoError::state(&path, error))?;
    Ok(note)
}

/// Where a killed run wrote the file beside and not `real`: puts the old bytes of the file beside back. One that someone wrote since
/// is left alone.
pub(super) fn take_back_half(state: &State, real: &Path) -> Result<(), IoError> {
    let path = path(state.for_write()?, real);
    let Ok(kept) = fs::read(&path) else { return Ok(()) };
    if let Some((beside, digest, old, new)) = read(&kept)
        && fs::read(real).is_ok_and(|own| Sha256::digest(own)[..] == *digest)
    {
        let beside = Lock::acquire(state, &beside)?;
        match (beside.read(), old) {
            (Ok(now), Some(old)) if now == new => beside.save(new, old)?,
            (Ok(now), None) if now == new => beside.remove(new)?,
            _ => {}
        }
    }
    fs::remove_file(&path).map_err(|error| IoError::state(&path, error))
}

/// A note that was written whole: the path of the file beside, the digest of the first, old and new text of the file beside.
fn read(kept: &[u8]) -> Option<(PathBuf, &[u8], Option<&str>, &str)> {
    let end = kept.iter().position(|&byte| byte == b'\n')?;
    let words: Vec<&str> = std::str::from_utf8(&kept[..end]).ok()?.strip_prefix(NOTE)?.split_whitespace().collect();
    let [name, digest, old, new] = words[..] else { return None };
    let was_there = old != "-";
    let lengths = [name.parse().ok()?, digest.parse().ok()?, if was_there { old.parse().ok()? } else { 0 }, new.parse::<usize>().ok()?];
    let mut rest = &kept[end + 1..];
    let mut parts = [&[][..]; 4];
    for (part, length) in parts.iter_mut().zip(lengths) {
        (*part, rest) = rest.split_at_checked(length)?;
    }
    let [name, digest, old, new] = parts;
    let text = |bytes| std::str::from_utf8(bytes).ok();
    rest.is_empty().then_some((path_of(name)?, digest, text(old).filter(|_| was_there), text(new)?))
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Some(std::ffi::OsStr::from_bytes(bytes).into())
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_step_is_taken_back_and_a_whole_one_is_not() {
        let folder = tempfile::tempdir().expect("temp");
        let state = State::at(folder.path().join("state"));
        let (real, other) = (folder.path().join("AGENTS.md"), folder.path().join("AGENTS.history.md"));
        // What the files hold when the run is killed, and what the file beside holds after the next lock.
        for (old, own, now, then) in [
            (Some("a\n"), "one\n", "a\nb\n", Some("a\n")),
            (None, "one\n", "a\nb\n", None),
            (Some("a\n"), "two\n", "a\nb\n", Some("a\nb\n")),
            (Some("a\n"), "one\n", "someone else's\n", Some("someone else's\n")),
        ] {
            fs::write(&real, "one\n").expect("written");
            let note = write(&state, &real, "one\n", &Beside { path: &other, old, new: "a\nb\n" }).expect("noted");
            fs::write(&real, own).expect("written");
            fs::write(&other, now).expect("written");
            std::mem::forget(note);
            Lock::acquire(&state, &real).expect("free");
            assert_eq!(fs::read_to_string(&other).ok().as_deref(), then, "{old:?} {own}");
            assert!(!path(state.for_write().expect("there"), &real).exists());
        }
    }
}
