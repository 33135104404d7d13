//! The lock of one file: it comes before every write, so that two memfiles never write the same file at once.
//!
//! It is a `flock` on a file outside the tree, named after the real path. It dies with its process, so a lock left by a
//! killed run blocks nobody. Writers that are not memfile do not know of it; `save` notices them by their bytes.

use super::exchange::take_over;
use super::in_place::take_back_unfinished;
use super::pair::{Beside, Note};
use super::save::{self, temp_of};
use super::state::name_of;
use super::{IoError, State};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long another process may hold the lock.
const PATIENCE: Duration = Duration::from_secs(10);

/// The exclusive right to write one file, until dropped.
#[derive(Debug)]
pub struct Lock<'a> {
    state: &'a State,
    real: PathBuf,
    held: File,
}

impl<'a> Lock<'a> {
    /// Waits for the lock of the file with the real path `real` (which need not exist yet), at most ten seconds. What a
    /// killed run left behind is put right: its temporary file is removed (what was appended to the file behind it is taken over), a write in place that it did not finish is
    /// taken back.
    ///
    /// # Errors
    /// [`IoError::Lock`] where another process holds it longer, [`IoError::State`] where locks cannot be kept,
    /// [`IoError::Write`] where the unfinished write cannot be taken back.
    pub fn acquire(state: &'a State, real: &Path) -> Result<Self, IoError> {
        Self::acquire_within(state, real, PATIENCE)
    }

    fn acquire_within(state: &'a State, real: &Path, patience: Duration) -> Result<Self, IoError> {
        let path = state.subfolder("locks")?.join(format!("{}.lock", name_of(real)));
        // The file is never deleted: a lock on a deleted file would not exclude those who make it anew.
        let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let file = open.map_err(|error| IoError::state(&path, error))?;
        let start = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::Error(error)) => return Err(IoError::state(&path, error)),
                Err(TryLockError::WouldBlock) if start.elapsed() >= patience => {
                    return Err(IoError::Lock { path: real.to_owned(), lock: path });
                }
                Err(TryLockError::WouldBlock) => {
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(Duration::from_millis(16));
                }
            }
        }
        let lock = Self { state, real: real.to_owned(), held: file };
        lock.remove_stale_temp()?;
        take_back_unfinished(state, real)?;
        super::pair::take_back_half(state, real)?;
        Ok(lock)
    }

    /// The real path of the file.
    pub fn real(&self) -> &Path {
        &self.real
    }

    /// The text as it is now.
    ///
    /// # Errors
    /// As [`super::load`].
    pub fn read(&self) -> Result<String, IoError> {
        super::file::decode(&self.real, super::file::read_regular(&self.real, &self.real)?)
    }

    /// Puts `new` in the place of `old`, whole or not at all; mode, owner, extended attributes and other names of the file
    /// are kept. Equal texts write nothing. Lines that someone appended to `old` meanwhile are appended to `new`.
    ///
    /// # Errors
    /// [`IoError::Changed`] where the file holds neither `old` nor `old` with lines behind it, [`IoError::NotFound`], [`IoError::NotAFile`],
    /// [`IoError::Write`] with the old bytes in place, [`IoError::HalfWritten`] where even the way back failed.
    pub fn save(&self, old: &str, new: &str) -> Result<(), IoError> {
        save::save(self.state, &self.held, &self.real, old.as_bytes(), new.as_bytes())
    }

    /// Says that the file beside is about to be written together with this one, which holds `own`. A run that is killed before it
    /// wrote this one, too, is taken back by the next lock.
    ///
    /// # Errors
    /// [`IoError::State`].
    pub fn together(&self, own: &str, beside: &Beside) -> Result<Note, IoError> {
        super::pair::write(self.state, &self.real, own, beside)
    }

    /// Makes the file, which must not exist, with the text `new`.
    ///
    /// # Errors
    /// [`IoError::Changed`] where it exists by now, [`IoError::Write`] with no file made.
    pub fn create(&self, new: &str) -> Result<(), IoError> {
        save::create(&self.real, new.as_bytes())
    }

    /// Takes the file away, which must hold `old`.
    ///
    /// # Errors
    /// [`IoError::Changed`] where it does not, [`IoError::Write`] where it cannot be taken away.
    pub fn remove(&self, old: &str) -> Result<(), IoError> {
        if self.read()? != old {
            return Err(IoError::Changed { path: self.real.clone() });
        }
        fs::remove_file(&self.real).map_err(|error| IoError::write(&self.real, error))
    }

    fn remove_stale_temp(&self) -> Result<(), IoError> {
        let temp = temp_of(&self.real);
        match fs::symlink_metadata(&temp) {
            Ok(_) => take_over(&self.held, &temp, &self.real),
            Err(_) => Ok(()),
        }
    }
}

/// True where a killed run left a temporary file beside `real`; one `stat`. [`Lock::acquire`] removes it. While another
/// memfile writes, its temporary file is seen here, too; the lock then waits for it.
pub fn has_stale_temp(real: &Path) -> bool {
    fs::symlink_metadata(temp_of(real)).is_ok()
}

/// True where a killed run left something of `real`: a temporary file beside it, the backup of a write in place, which it may not
/// have finished, or the note of a step of two files. [`Lock::acquire`] puts all of them right.
pub fn has_leftovers(state: &State, real: &Path) -> bool {
    let kept = |folder: PathBuf| [folder.join("backups").join(name_of(real)), super::pair::path(&folder, real)];
    has_stale_temp(real) || state.for_read().is_some_and(|folder| kept(folder).iter().any(|path| fs::symlink_metadata(path).is_ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_one_waits_in_vain_and_a_freed_one_is_taken() {
        let folder = tempfile::tempdir().expect("temp");
        let state = State::at(folder.path().join("state"));
        let real = folder.path().join("AGENTS.md");
        let first = Lock::acquire(&state, &real).expect("free");
        let second = Lock::acquire_within(&state, &real, Duration::from_millis(30));
        assert!(matches!(second, Err(IoError::Lock { .. })));
        Lock::acquire(&state, &folder.path().join("CLAUDE.md")).expect("another file is free");
        drop(first);
        Lock::acquire(&state, &real).expect("freed");
        assert!(!real.exists());
    }

    #[test]
    fn another_process_is_kept_out() {
        let folder = tempfile::tempdir().expect("temp");
        let state = State::at(folder.path().join("state"));
        let real = folder.path().join("AGENTS.md");
        let held = Lock::acquire(&state, &real).expect("free");
        let path = state.subfolder("locks").expect("there").join(format!("{}.lock", name_of(&real)));
        let taken = || std::process::Command::new("flock").arg("-n").arg(&path).arg("true").status();
        let Ok(status) = taken() else { return }; // util-linux is not everywhere
        assert!(!status.success());
        drop(held);
        assert!(taken().expect("flock is there").success());
    }

    #[test]
    fn what_a_killed_run_left_is_removed() {
        let folder = tempfile::tempdir().expect("temp");
        let state = State::at(folder.path().join("state"));
        let real = folder.path().join("AGENTS.md");
        fs::write(&real, "old").expect("written");
        fs::write(folder.path().join(".AGENTS.md.memfile-tmp"), "ol").expect("written");
        assert!(has_stale_temp(&real));
        let lock = Lock::acquire(&state, &real).expect("free");
        assert!(!has_stale_temp(&real));
        assert_eq!(lock.read().expect("read"), "old");
    }
}
