//! Where memfile keeps what must not lie in the tree: locks, backups, the journal.
//!
//! `$XDG_STATE_HOME/memfile`, else `~/.local/state/memfile` (macOS: `~/Library/Application Support/memfile`, Windows:
//! `%LOCALAPPDATA%\memfile`). Where that cannot be written, as in a sandbox with a read-only home, a folder of the user's
//! own below the temporary one serves. All folders have mode 0700: the journal holds whole texts.

use super::IoError;
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The folder for state. Cheap to make; nothing is created before the first [`State::for_write`].
#[derive(Debug)]
pub struct State {
    preferred: Option<PathBuf>,
    fallback: PathBuf,
    chosen: OnceLock<PathBuf>,
}

impl State {
    /// The folder that the environment names.
    pub fn from_env() -> Self {
        let home = std::env::home_dir().filter(|home| home.is_absolute());
        let set = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        // XDG: a relative path in the variable is invalid and must be ignored.
        let folder = set("XDG_STATE_HOME").or_else(|| {
            if cfg!(windows) {
                set("LOCALAPPDATA")
            } else if cfg!(target_os = "macos") {
                home.map(|home| home.join("Library/Application Support"))
            } else {
                home.map(|home| home.join(".local/state"))
            }
        });
        Self { preferred: folder.map(|folder| folder.join("memfile")), fallback: fallback(), chosen: OnceLock::new() }
    }

    /// State in `folder` itself, and nowhere else.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        Self { preferred: Some(folder.clone()), fallback: folder, chosen: OnceLock::new() }
    }

    /// The folder, if it is there. Creates nothing.
    pub fn for_read(&self) -> Option<PathBuf> {
        let mut found = [self.preferred.as_ref(), Some(&self.fallback)].into_iter().flatten().filter(|folder| folder.is_dir());
        let first = found.next()?;
        // What could not be written here went to the fallback.
        if can_write(first) {
            return Some(first.clone());
        }
        Some(found.next().unwrap_or(first).clone())
    }

    /// The folder that a write would use, and whether it can be written; creates nothing.
    pub fn probe(&self) -> (PathBuf, bool) {
        let usable =
            |folder: &Path| folder.ancestors().find(|ancestor| ancestor.exists()).is_some_and(|there| there.is_dir() && can_write(there));
        match &self.preferred {
            Some(folder) if usable(folder) => (folder.clone(), true),
            _ => {
                let is_own = !self.fallback.exists() || check_own(&self.fallback).is_ok();
                (self.fallback.clone(), is_own && usable(&self.fallback))
            }
        }
    }

    /// The folder, made if it is not there.
    ///
    /// # Errors
    /// [`IoError::State`] where neither the preferred folder nor the one below the temporary folder can be used.
    pub fn for_write(&self) -> Result<&Path, IoError> {
        if let Some(folder) = self.chosen.get() {
            return Ok(folder);
        }
        let preferred = self.preferred.as_ref().filter(|folder| make_private(folder).is_ok() && can_write(folder));
        let folder = match preferred {
            Some(folder) => {
                close(folder);
                folder
            }
            None => {
                make_private(&self.fallback)
                    .and_then(|()| check_own(&self.fallback))
                    .map_err(|error| IoError::state(&self.fallback, error))?;
                &self.fallback
            }
        };
        Ok(self.chosen.get_or_init(|| folder.clone()))
    }

    /// The folder `name` inside, made if it is not there.
    ///
    /// # Errors
    /// [`IoError::State`].
    pub fn subfolder(&self, name: &str) -> Result<PathBuf, IoError> {
        let folder = self.for_write()?.join(name);
        make_private(&folder).map_err(|error| IoError::state(&folder, error))?;
        Ok(folder)
    }
}

/// The name under which state of the file with the real path `real` is kept: 32 hexadecimal digits.
pub fn name_of(real: &Path) -> String {
    let digest = Sha256::digest(real.as_os_str().as_encoded_bytes());
    digest[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn make_private(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Takes the rights of others from a folder of one's own that they were given, by an archive that was unpacked or by a restored backup.
#[cfg(unix)]
fn close(folder: &Path) {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let is_open = |meta: &fs::Metadata| meta.mode() & 0o077 != 0 && meta.uid() == rustix::process::geteuid().as_raw();
    if fs::symlink_metadata(folder).is_ok_and(|meta| meta.is_dir() && is_open(&meta)) {
        // Where that fails, the files inside still are closed to others.
        let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    }
}

#[cfg(not(unix))]
fn close(_folder: &Path) {}

#[cfg(unix)]
fn fallback() -> PathBuf {
    std::env::temp_dir().join(format!("memfile-{}", rustix::process::geteuid().as_raw()))
}

#[cfg(not(unix))]
fn fallback() -> PathBuf {
    std::env::temp_dir().join("memfile-state")
}

/// True where this process may create files in `folder`; a read-only mount counts as no.
#[cfg(unix)]
fn can_write(folder: &Path) -> bool {
    use rustix::fs::{Access, AtFlags, CWD, accessat};
    accessat(CWD, folder, Access::WRITE_OK | Access::EXEC_OK, AtFlags::EACCESS).is_ok()
}

#[cfg(not(unix))]
fn can_write(_folder: &Path) -> bool {
    true
}

/// The temporary folder is everyone's: a folder there that another user made, or can write, is not taken.
#[cfg(unix)]
fn check_own(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let meta = fs::symlink_metadata(folder)?;
    if meta.is_dir() && meta.uid() == rustix::process::geteuid().as_raw() && meta.mode() & 0o077 == 0 {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is not a folder of yours alone"))
}

#[cfg(not(unix))]
fn check_own(_folder: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_stable_and_short() {
        assert_eq!(name_of(Path::new("/a")).len(), 32);
        assert_eq!(name_of(Path::new("/a")), name_of(Path::new("/a")));
        assert_ne!(name_of(Path::new("/a")), name_of(Path::new("/b")));
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_made_before_the_first_write_and_then_it_is_private() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("temp");
        let state = State::at(folder.path().join("x/memfile"));
        assert_eq!(state.for_read(), None);
        assert!(!folder.path().join("x").exists());
        let locks = state.subfolder("locks").expect("made");
        let mode = |path: &Path| path.metadata().expect("there").permissions().mode() & 0o777;
        assert_eq!((mode(&locks), mode(&folder.path().join("x/memfile"))), (0o700, 0o700));
        assert_eq!(state.for_read(), Some(folder.path().join("x/memfile")));
        fs::set_permissions(folder.path().join("x/memfile"), fs::Permissions::from_mode(0o755)).expect("mode");
        State::at(folder.path().join("x/memfile")).for_write().expect("there");
        assert_eq!(mode(&folder.path().join("x/memfile")), 0o700, "what was opened to others is closed");
    }

    #[cfg(unix)]
    #[test]
    fn the_fallback_must_be_ones_own() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("temp");
        let file = folder.path().join("file");
        fs::write(&file, "").expect("written");
        let fallback = folder.path().join("fallback");
        let state = || State { preferred: Some(file.join("memfile")), fallback: fallback.clone(), chosen: OnceLock::new() };
        assert_eq!(state().for_write().expect("the fallback"), fallback);
        assert_eq!(state().for_read(), Some(fallback.clone()));
        fs::set_permissions(&fallback, fs::Permissions::from_mode(0o777)).expect("mode");
        assert!(matches!(state().for_write(), Err(IoError::State { .. })));
    }
}
