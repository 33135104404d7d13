//! Putting a new file in the place of an old one while others write it: the paths of both and the bytes that each should hold come in;
//! the new bytes stand in the old one's place, and what someone wrote at the same moment stands there, too.
//!
//! A plain rename destroys what it replaces unseen: a line that an agent appends, or a file that an editor puts there, between the last
//! look and the rename is gone. So the two files change places in one step, and the old one is looked at when nobody can find it any
//! more. What was appended to it is appended to the new one; where it was written otherwise, the places are changed back.
//!
//! What is left: a writer that opened the old file before the exchange and writes after the last look at it. Flushing the folder lies
//! between, which takes longer than opening and writing do. Only a lease could close that gap, and no file system grants one everywhere.

use super::save::flush_folder;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

/// How often a file that others append to all the time is looked at again.
const LOOKS: usize = 16;

/// What became of an exchange.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Put {
    /// The new bytes stand there, and behind them what was appended meanwhile.
    Done,
    /// Someone wrote the file otherwise: what they wrote stands there.
    Changed,
}

/// Puts the file `temp` with the bytes `new` in the place of `real`, which held `old` a moment ago. Whatever comes out, what stands at
/// `temp` afterwards is needed no more.
pub(super) fn put(temp: &Path, real: &Path, old: &[u8], new: &[u8]) -> io::Result<Put> {
    if !exchange(temp, real)? {
        return replace(temp, real, old);
    }
    flush_folder(real);
    settle(temp, real, old, new).map_err(io::Error::other)
}

/// After the exchange: what stood at `real` stands at `temp`.
fn settle(temp: &Path, real: &Path, old: &[u8], new: &[u8]) -> io::Result<Put> {
    if append_what_came(temp, real, old)? {
        return Ok(Put::Done);
    }
    // Their file goes back, open or not; what was appended to ours meanwhile is theirs as well.
    exchange(temp, real)?;
    if !append_what_came(temp, real, new)? {
        // In the short time that our file stood there, someone replaced it: theirs is the newest.
        exchange(temp, real)?;
    }
    flush_folder(real);
    Ok(Put::Changed)
}

/// Where files cannot change places: a rename, and a look at the old file through a handle.
fn replace(temp: &Path, real: &Path, old: &[u8]) -> io::Result<Put> {
    let mut before = File::open(real)?;
    fs::rename(temp, real)?;
    flush_folder(real);
    let mut came = Vec::new();
    before.read_to_end(&mut came)?;
    if let Some(tail) = came.strip_prefix(old).filter(|tail| !tail.is_empty()) {
        append(real, tail)?;
    }
    Ok(Put::Done)
}

/// Appends to `real` what was appended to `gone`, which held `known`. False where `gone` was written otherwise.
fn append_what_came(gone: &Path, real: &Path, known: &[u8]) -> io::Result<bool> {
    let mut taken = known.len();
    for look in 0..LOOKS {
        let came = fs::read(gone)?;
        if came.len() < taken || !came.starts_with(known) {
            return Ok(look > 0);
        }
        if came.len() == taken {
            return Ok(true);
        }
        append(real, &came[taken..])?;
        taken = came.len();
    }
    Ok(true)
}

fn append(real: &Path, tail: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().append(true).open(real)?;
    file.write_all(tail)?;
    file.sync_all()
}

/// Lets two files change places. False where the system or the file system cannot.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(a: &Path, b: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(error) if [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP].contains(&error) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_a: &Path, _b: &Path) -> io::Result<bool> {
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Puts `new` in the place of a file that should hold `old` and holds `there`.
    fn case(old: &str, there: &str, new: &str) -> (Put, String) {
        let folder = tempfile::tempdir().expect("temp");
        let (temp, real) = (folder.path().join(".t"), folder.path().join("a.md"));
        fs::write(&real, there).expect("written");
        fs::write(&temp, new).expect("written");
        let done = put(&temp, &real, old.as_bytes(), new.as_bytes()).expect("put");
        (done, fs::read_to_string(&real).expect("there"))
    }

    #[test]
    fn what_came_at_the_last_moment_is_there() {
        assert_eq!(case("a\n", "a\n", "A\n"), (Put::Done, "A\n".to_owned()));
        assert_eq!(case("a\n", "a\nb\n", "A\n"), (Put::Done, "A\nb\n".to_owned()));
    }

    #[cfg(any(target_os = "linux", target_os = "macos"))]
    #[test]
    fn what_was_written_otherwise_stays() {
        assert_eq!(case("a\n", "x\n", "A\n"), (Put::Changed, "x\n".to_owned()));
        assert_eq!(case("a\n", "", "A\n"), (Put::Changed, String::new()));
    }

    #[test]
    fn without_an_exchange_what_was_appended_is_there_as_well() {
        let folder = tempfile::tempdir().expect("temp");
        let (temp, real) = (folder.path().join(".t"), folder.path().join("a.md"));
        fs::write(&real, "a\nb\n").expect("written");
        fs::write(&temp, "A\n").expect("written");
        assert_eq!(replace(&temp, &real, b"a\n").expect("put"), Put::Done);
        assert_eq!(fs::read_to_string(&real).expect("there"), "A\nb\n");
    }
}
