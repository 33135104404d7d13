//! Writing a file in place: for the files that cannot be replaced. Old and new bytes come in; the file holds either the one or
//! the other unless the process is killed midway, and then the next [`super::Lock`] puts the old ones back.
//!
//! That takes a backup outside the tree, written before the first byte of the file changes and removed after the last.

use super::state::name_of;
use super::{IoError, State};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

/// Writes `new` over `old`, which the file holds.
pub(super) fn write_in_place(state: &State, real: &Path, old: &[u8], new: &[u8]) -> Result<(), IoError> {
    let backup = state.subfolder("backups")?.join(name_of(real));
    let failed = |error| IoError::write(real, error);
    let file = OpenOptions::new().write(true).open(real).map_err(failed)?;
    keep_backup(&backup, old, new).map_err(|error| {
        let _ = fs::remove_file(&backup);
        IoError::state(&backup, error)
    })?;
    let written = overwrite(&file, old.len(), new);
    if let Err(error) = &written
        && overwrite(&file, old.len(), old).is_err()
    {
        let error = Arc::new(io::Error::new(error.kind(), error.to_string()));
        return Err(IoError::HalfWritten { path: real.to_owned(), backup, error });
    }
    fs::remove_file(&backup).map_err(|error| IoError::state(&backup, error))?;
    written.map_err(failed)
}

/// Writes `bytes` over a file that had `length` bytes, without a moment in which it is empty. What is longer is written
/// first: if the disk is full, no old byte has changed.
fn overwrite(mut file: &File, length: usize, bytes: &[u8]) -> io::Result<()> {
    let (head, tail) = bytes.split_at(length.min(bytes.len()));
    if !tail.is_empty() {
        file.seek(SeekFrom::Start(length as u64))?;
        if let Err(error) = file.write_all(tail).and_then(|()| file.sync_all()) {
            file.set_len(length as u64)?;
            return Err(error);
        }
    }
    file.seek(SeekFrom::Start(0))?;
    file.write_all(head)?;
    file.set_len(bytes.len() as u64)?;
    file.sync_all()
}

/// The first words of a backup; the lengths of the old and the new bytes follow, then a line feed and both.
const BACKUP: &str = "memfile backup of";

pub(super) fn keep_backup(backup: &Path, old: &[u8], new: &[u8]) -> io::Result<()> {
    let mut file = File::create(backup)?;
    writeln!(file, "{BACKUP} {} {}", old.len(), new.len())?;
    file.write_all(old)?;
    file.write_all(new)?;
    file.sync_all()
}

/// Where a killed run left `real` half written in place: puts the old bytes back. A file that someone wrote since is left
/// alone. Without a backup this is one `stat`.
pub(super) fn take_back_unfinished(state: &State, real: &Path) -> Result<(), IoError> {
    let backup = state.for_write()?.join("backups").join(name_of(real));
    let Ok(kept) = fs::read(&backup) else { return Ok(()) };
    if let (Some((old, new)), Ok(now)) = (read_backup(&kept), fs::read(real)) {
        let between = old.len().min(new.len())..=old.len().max(new.len());
        let from_either = |(at, byte): (usize, &u8)| old.get(at) == Some(byte) || new.get(at) == Some(byte);
        let is_mixture = now != old && now != new && between.contains(&now.len()) && now.iter().enumerate().all(from_either);
        if is_mixture {
            let file = OpenOptions::new().write(true).open(real);
            file.and_then(|file| overwrite(&file, now.len(), old)).map_err(|error| IoError::write(real, error))?;
        }
    }
    fs::remove_file(&backup).map_err(|error| IoError::state(&backup, error))
}

/// Old and new bytes of a backup that was written whole.
fn read_backup(kept: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = kept.iter().position(|&byte| byte == b'\n')?;
    let mut lengths = std::str::from_utf8(&kept[..end]).ok()?.strip_prefix(BACKUP)?.split_whitespace();
    let (old, new): (usize, usize) = (lengths.next()?.parse().ok()?, lengths.next()?.parse().ok()?);
    let both = &kept[end + 1..];
    (both.len() == old.checked_add(new)?).then(|| both.split_at(old))
}
