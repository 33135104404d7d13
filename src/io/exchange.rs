//! Putting a new file in the place of an old one while others write it: the paths of both and the bytes that each should hold come in;
//! the new bytes stand in the old one's place, and what someone wrote at the same moment stands there, too.
//!
//! A plain rename destroys what it replaces unseen: a line that an agent appends, or a file that an editor puts there, between the last
//! look and the rename is gone. So the two files change places in one step, and the old one is looked at when nobody can find it any
//! more. What was appended to it is appended to the new one; where it was written otherwise, the places are changed back.
//!
//! A run that is killed in between leaves the old file under the temporary name, and in the file of its lock a note of what both files
//! held; the next one that takes the lock takes over what was appended.
//!
//! What is left: a writer that opened the old file before the exchange and writes after the last look at it. Flushing the folder lies
//! between, which takes longer than opening and writing do. Only a lease could close that gap, and no file system grants one everywhere.

use super::IoError;
use super::save::flush_folder;
use std::fs::{self, File, OpenOptions};
use std::hash::Hasher;
use std::io::{self, Read, Seek, SeekFrom, Write};
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

/// Puts the file `temp` with the bytes `new` in the place of `real`, which held `old` a moment ago; `lock` is the file of the lock that is
/// held. Whatever comes out, what stands at `temp` afterwards is needed no more.
pub(super) fn put(lock: &File, temp: &Path, real: &Path, old: &[u8], new: &[u8]) -> io::Result<Put> {
    write_note(lock, &format!("{} {} {} {}\n", old.len(), hash(old), new.len(), hash(new)))?;
    let done = match exchange(temp, real) {
        Ok(true) => settle(temp, real, old, new).or_else(|error| {
            // Whatever was appended to the old file is there again.
            exchange(temp, real)?;
            Err(io::Error::other(error))
        }),
        Ok(false) => replace(temp, real, old),
        Err(error) => Err(error),
    };
    // First, so that no temporary file of another run is ever taken for this one.
    let _ = write_note(lock, "");
    done
}

/// Takes over what a killed run left at `temp`, which is removed: what was appended to the old file after it had changed places.
///
/// # Errors
/// [`IoError::Write`].
pub(super) fn take_over(lock: &File, temp: &Path, real: &Path) -> Result<(), IoError> {
    let failed = |error| IoError::write(temp, error);
    let mut note = String::new();
    let mut read = || -> io::Result<Vec<u8>> {
        let mut file = lock;
        file.seek(SeekFrom::Start(0))?;
        file.read_to_string(&mut note)?;
        fs::read(temp)
    };
    if let Ok(came) = read()
        && let Some(tail) = tail_of(&note, &came)
        && !fs::read(real).is_ok_and(|now| memchr::memmem::find(&now, tail).is_some())
    {
        append(real, tail).map_err(failed)?;
    }
    write_note(lock, "").map_err(failed)?;
    fs::remove_file(temp).map_err(failed)
}

/// Keeps in the file of a lock what both files hold while they change places. That file is there; another one would have to be made and
/// removed each time.
fn write_note(lock: &File, note: &str) -> io::Result<()> {
    let mut file = lock;
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(note.as_bytes())
}

/// What was appended to the old file, which holds `came`, by the note of its exchange.
fn tail_of<'b>(note: &str, came: &'b [u8]) -> Option<&'b [u8]> {
    let words: Vec<&str> = note.split_whitespace().collect();
    let [old, old_hash, new, new_hash] = words.as_slice() else { return None };
    let (old, new): (usize, usize) = (old.parse().ok()?, new.parse().ok()?);
    let is_new = came.len() == new && hash(came) == *new_hash;
    let is_old = came.len() > old && hash(&came[..old]) == *old_hash;
    (is_old && !is_new).then(|| &came[old..])
}

fn hash(bytes: &[u8]) -> String {
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(bytes);
    format!("{:016x}", hasher.finish())
}

/// After the exchange: what stood at `real` stands at `temp`.
fn settle(temp: &Path, real: &Path, old: &[u8], new: &[u8]) -> io::Result<Put> {
    let mut taken = old.len();
    // At once, so that nobody misses it for long; and again when every writer that had the old file open had time to write.
    if append_what_came(temp, real, old, &mut taken)? {
        flush_folder(real);
        append_what_came(temp, real, old, &mut taken)?;
        return Ok(Put::Done);
    }
    // Their file goes back, open or not; what was appended to ours meanwhile is theirs as well.
    exchange(temp, real)?;
    if !append_what_came(temp, real, new, &mut new.len())? {
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

/// Appends to `real` what was appended to `gone`, which held `known`, behind the first `taken` bytes. False where `gone` was written
/// otherwise.
fn append_what_came(gone: &Path, real: &Path, known: &[u8], taken: &mut usize) -> io::Result<bool> {
    for _ in 0..LOOKS {
        let came = fs::read(gone)?;
        if came.len() < *taken || !is_appended(known, &came) {
            return Ok(*taken > known.len());
        }
        if came.len() == *taken {
            return Ok(true);
        }
        append(real, &came[*taken..])?;
        *taken = came.len();
    }
    Ok(true)
}

/// True where `came` is `known`, perhaps with lines behind it. What ends within a line was not written to its end.
pub(crate) fn is_appended(known: &[u8], came: &[u8]) -> bool {
    came == known || (known.ends_with(b"\n") && came.starts_with(known))
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

    fn lock(folder: &Path) -> File {
        OpenOptions::new().read(true).write(true).create_new(true).open(folder.join("lock")).expect("made")
    }

    /// Puts `new` in the place of a file that should hold `old` and holds `there`.
    fn case(old: &str, there: &str, new: &str) -> (Put, String) {
        let folder = tempfile::tempdir().expect("temp");
        let (temp, real) = (folder.path().join(".t"), folder.path().join("a.md"));
        fs::write(&real, there).expect("written");
        fs::write(&temp, new).expect("written");
        let lock = lock(folder.path());
        let done = put(&lock, &temp, &real, old.as_bytes(), new.as_bytes()).expect("put");
        assert_eq!(lock.metadata().expect("there").len(), 0, "the note is gone");
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
        assert_eq!(case("a", "ab\n", "A"), (Put::Changed, "ab\n".to_owned()));
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

    /// What is at `real` after a run was killed that left `left` at `temp`.
    fn killed(left: &str, there: &str) -> String {
        let folder = tempfile::tempdir().expect("temp");
        let lock = lock(folder.path());
        let (temp, real) = (folder.path().join(".t"), folder.path().join("a.md"));
        let (old, new) = (b"a\n", b"a\nA\n");
        write_note(&lock, &format!("2 {} 4 {}\n", hash(old), hash(new))).expect("kept");
        fs::write(&temp, left).expect("written");
        fs::write(&real, there).expect("written");
        take_over(&lock, &temp, &real).expect("taken over");
        assert!(!temp.exists());
        fs::read_to_string(&real).expect("there")
    }

    #[test]
    fn a_killed_run_loses_nothing() {
        // Before the exchange; after it; after it with an append; that one taken over already.
        assert_eq!(killed("a\nA\n", "a\n"), "a\n");
        assert_eq!(killed("a\n", "a\nA\n"), "a\nA\n");
        assert_eq!(killed("a\nb\n", "a\nA\n"), "a\nA\nb\n");
        assert_eq!(killed("a\nb\n", "a\nA\nb\n"), "a\nA\nb\n");
        // Not that file at all.
        assert_eq!(killed("x\nA\n", "a\n"), "a\n");
    }
}
