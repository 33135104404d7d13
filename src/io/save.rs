//! Writing a file: old and new bytes come in, and the file holds either the one or the other, whatever happens.
//!
//! The common way is a temporary file in the same folder, flushed and put in the old one's place, see `exchange`; as for git and `sed -i`, the
//! folder's permission decides, and the file keeps its mode, a read-only one too. Two kinds of file cannot
//! be replaced: one with several names (a rename would part them), and one whose owner we could not give to the new file
//! or in whose folder we may not create one. Those are written in place, see `in_place`.

use super::exchange::{Put, is_appended, put};
use super::in_place::write_in_place;
use super::preserve::{self, link_count, stamp};
use super::state::name_of;
use super::{IoError, State};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Why a file was not replaced.
enum Failure {
    /// It cannot be replaced here, but perhaps be written in place.
    Impossible,
    Error(IoError),
}

/// See [`super::Lock::save`].
pub(super) fn save(state: &State, lock: &File, real: &Path, old: &[u8], new: &[u8]) -> Result<(), IoError> {
    let before = fs::symlink_metadata(real).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => IoError::NotFound { path: real.to_owned() },
        _ => IoError::read(real, error),
    })?;
    if before.is_symlink() {
        // The real path was a file when it was asked for.
        return Err(IoError::Changed { path: real.to_owned() });
    }
    // A text may be large: it is not held beside both others while they are written.
    let is_as_read = {
        let now = super::file::read_regular(real, real)?;
        if !is_appended(old, &now) {
            return Err(IoError::Changed { path: real.to_owned() });
        }
        now == old
    };
    if old == new {
        return Ok(());
    }
    let in_place = || match is_as_read {
        true => write_in_place(state, real, old, new),
        false => Err(IoError::Changed { path: real.to_owned() }),
    };
    if link_count(&before) > 1 {
        return in_place();
    }
    match replace(lock, real, &before, old, new) {
        Ok(()) => Ok(()),
        Err(Failure::Impossible) => in_place(),
        Err(Failure::Error(error)) => Err(error),
    }
}

/// See [`super::Lock::create`].
pub(super) fn create(real: &Path, new: &[u8]) -> Result<(), IoError> {
    let failed = |error| IoError::write(real, error);
    let temp = Temp::create(real, false).map_err(failed)?;
    temp.fill(new).map_err(failed)?;
    // A link, unlike a rename, fails where someone else made the file meanwhile.
    match fs::hard_link(&temp.path, real) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(IoError::Changed { path: real.to_owned() }),
        Ok(()) => {
            flush_folder(real);
            Ok(())
        }
        // Some file systems know no links.
        Err(_) if fs::symlink_metadata(real).is_err() => temp.rename_to(real).map_err(failed),
        Err(error) => Err(failed(error)),
    }
}

/// Puts `new` into a file that one process alone works on, such as the one that git hands to a merge driver: whole or not at all, and
/// without a lock, which would outlive the file.
///
/// # Errors
/// As [`super::load`], and [`IoError::Write`].
pub fn replace_unshared(path: &Path, new: &str) -> Result<(), IoError> {
    let real = super::file::real_path(path)?;
    let before = fs::symlink_metadata(&real).map_err(|error| IoError::read(path, error))?;
    if !before.is_file() {
        return Err(IoError::NotAFile { path: path.to_owned() });
    }
    match prepare(&real, &before, new.as_bytes()) {
        Ok(temp) => temp.rename_to(&real).map_err(|error| IoError::write(path, error)),
        Err(Failure::Impossible) => fs::write(&real, new).map_err(|error| IoError::write(path, error)),
        Err(Failure::Error(error)) => Err(error),
    }
}

/// The temporary file of `real`: one fixed name, so that the next run knows what a killed one left.
pub(super) fn temp_of(real: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    let own = real.file_name().unwrap_or_default();
    // 255 bytes are the most that common file systems allow.
    if own.len() > 240 {
        name.push(name_of(real));
    } else {
        name.push(own);
    }
    name.push(".memfile-tmp");
    real.with_file_name(name)
}

/// A temporary file that is removed when dropped.
struct Temp {
    path: PathBuf,
    file: File,
}

impl Temp {
    /// `private`: nobody else can read it before it has the mode of the old file.
    fn create(real: &Path, private: bool) -> io::Result<Self> {
        let path = temp_of(real);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if private {
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        let file = options.open(&path)?;
        Ok(Self { path, file })
    }

    fn fill(&self, bytes: &[u8]) -> io::Result<()> {
        (&self.file).write_all(bytes)?;
        self.file.sync_all()
    }

    fn rename_to(self, real: &Path) -> io::Result<()> {
        // On failure the drop removes it; after the rename the name is gone and the drop finds nothing.
        fs::rename(&self.path, real)?;
        flush_folder(real);
        Ok(())
    }
}

impl Drop for Temp {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// What a failure to write `real` means.
fn failure(real: &Path, error: io::Error) -> Failure {
    match error.kind() {
        // The folder, or a sticky one with another user's file, does not let us.
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Failure::Impossible,
        _ => Failure::Error(IoError::write(real, error)),
    }
}

/// A temporary file with the text `new`, flushed, and with all that `real` has beside its text.
fn prepare(real: &Path, before: &Metadata, new: &[u8]) -> Result<Temp, Failure> {
    let failed = |error| failure(real, error);
    let temp = Temp::create(real, true).map_err(failed)?;
    if !preserve::copy(real, before, &temp.file).map_err(failed)? {
        return Err(Failure::Impossible);
    }
    temp.fill(new).map_err(failed)?;
    Ok(temp)
}

fn replace(lock: &File, real: &Path, before: &Metadata, old: &[u8], new: &[u8]) -> Result<(), Failure> {
    let temp = prepare(real, before, new)?;
    // Someone without our lock may have written meanwhile; flushing takes time enough for that.
    let changed = || Failure::Error(IoError::Changed { path: real.to_owned() });
    // What they appended is taken along.
    let now = fs::symlink_metadata(real).ok();
    let is_same = now.as_ref().map(stamp) == Some(stamp(before));
    let is_longer = || now.is_some_and(|now| now.is_file()) && fs::read(real).is_ok_and(|came| is_appended(old, &came));
    if !is_same && !is_longer() {
        return Err(changed());
    }
    match put(lock, &temp.path, real, old, new) {
        Ok(Put::Done) => Ok(()),
        Ok(Put::Changed) => Err(changed()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(changed()),
        Err(error) => Err(failure(real, error)),
    }
}

/// Flushes the folder, so that the rename outlives a power cut. The new text is in place already, hence no failure.
pub(super) fn flush_folder(real: &Path) {
    if cfg!(unix)
        && let Some(Ok(folder)) = real.parent().map(File::open)
    {
        let _ = folder.sync_all();
    }
}

#[cfg(all(test, unix))]
mod tests;
