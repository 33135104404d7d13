//! Reading a file: a path comes in, its real path and its text go out, every byte of it (a BOM stays in the text).

use super::IoError;
use super::discover::Place;
use crate::text::LineIndex;
use rustix::fs::OFlags;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// A file that was read.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The path as given.
    pub path: PathBuf,
    /// The file behind all links, absolute. Two paths with the same real one are the same file.
    pub real: PathBuf,
    /// The whole text.
    pub text: String,
}

/// Reads the file at `path`, following links.
///
/// # Errors
/// [`IoError::NotFound`], [`IoError::DanglingLink`], [`IoError::NotAFile`], [`IoError::TooLarge`], [`IoError::NotUtf8`],
/// or [`IoError::Read`] for what the system says.
pub fn load(path: &Path) -> Result<Loaded, IoError> {
    let real = real_path(path)?;
    let bytes = read_regular(path, &real)?;
    let text = decode(path, bytes)?;
    Ok(Loaded { path: path.to_owned(), real, text })
}

/// As [`load`], of a file that was found: where it really is was asked then.
///
/// # Errors
/// Those of [`load`].
pub fn load_found(place: &Place) -> Result<Loaded, IoError> {
    let Place { path, real } = place;
    // A pipe would wait for its writer.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = File::options().read(true).custom_flags(flags.bits().cast_signed()).open(real);
    match file.and_then(|file| file.metadata().map(|meta| (file, meta))) {
        Ok((file, meta)) if meta.is_file() => {
            let text = decode(path, read_all(path, file, &meta)?)?;
            Ok(Loaded { path: path.clone(), real: real.clone(), text })
        }
        // It went, or is something else since.
        _ => load(path),
    }
}

/// The file behind all links.
pub(super) fn real_path(path: &Path) -> Result<PathBuf, IoError> {
    fs::canonicalize(path).map_err(|error| {
        if error.kind() != io::ErrorKind::NotFound {
            return IoError::read(path, error);
        }
        match fs::read_link(path) {
            Ok(target) => IoError::DanglingLink { path: path.to_owned(), target },
            Err(_) => IoError::NotFound { path: path.to_owned() },
        }
    })
}

/// Tells of a link at `path`, where memfile is to write a file of its own: through a link that came with a repository it would write
/// to any file.
///
/// # Errors
/// [`IoError::IsLink`].
pub(crate) fn not_a_link(path: &Path) -> Result<(), IoError> {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_symlink() => Err(IoError::IsLink { path: path.to_owned() }),
        _ => Ok(()),
    }
}

/// The bytes of the regular file `real`; errors speak of `path`.
pub(super) fn read_regular(path: &Path, real: &Path) -> Result<Vec<u8>, IoError> {
    // Asked before opening: to open a pipe would wait for its writer.
    let meta = fs::metadata(real).map_err(|error| unread(path, error))?;
    if !meta.is_file() {
        return Err(IoError::NotAFile { path: path.to_owned() });
    }
    read_all(path, File::open(real).map_err(|error| unread(path, error))?, &meta)
}

fn unread(path: &Path, error: io::Error) -> IoError {
    match error.kind() {
        io::ErrorKind::NotFound => IoError::NotFound { path: path.to_owned() },
        _ => IoError::read(path, error),
    }
}

/// The bytes of a regular file of which `meta` is known; errors speak of `path`.
fn read_all(path: &Path, file: File, meta: &Metadata) -> Result<Vec<u8>, IoError> {
    let limit = u64::from(u32::MAX);
    if meta.len() >= limit {
        return Err(IoError::TooLarge { path: path.to_owned() });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or(0) + 1);
    file.take(limit).read_to_end(&mut bytes).map_err(|error| unread(path, error))?;
    if bytes.len() as u64 >= limit {
        return Err(IoError::TooLarge { path: path.to_owned() });
    }
    Ok(bytes)
}

/// The text of `bytes`; errors speak of `path`.
pub(super) fn decode(path: &Path, bytes: Vec<u8>) -> Result<String, IoError> {
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(&error.as_bytes()[..offset]);
        let line = LineIndex::new(&before).line(&before, offset);
        IoError::NotUtf8 { path: path.to_owned(), line, offset }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_kept() {
        let folder = tempfile::tempdir().expect("temp");
        let path = folder.path().join("AGENTS.md");
        let text = "\u{feff}a\r\nb\rc\n  \n\tno newline";
        fs::write(&path, text).expect("written");
        assert_eq!(load(&path).expect("read").text, text);
    }

    #[test]
    fn a_bad_byte_has_a_line_and_an_offset() {
        let folder = tempfile::tempdir().expect("temp");
        let path = folder.path().join("AGENTS.md");
        fs::write(&path, b"a\r\nb\nc\xff\n").expect("written");
        assert!(matches!(load(&path), Err(IoError::NotUtf8 { line: 3, offset: 6, .. })));
        fs::write(&path, b"\xff\xfea\0").expect("written");
        assert!(matches!(load(&path), Err(IoError::NotUtf8 { line: 1, offset: 0, .. })));
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_to_the_real_file() {
        let folder = tempfile::tempdir().expect("temp");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("AGENTS.md"), "x").expect("written");
        std::os::unix::fs::symlink("AGENTS.md", at("CLAUDE.md")).expect("linked");
        std::os::unix::fs::symlink("gone.md", at("GEMINI.md")).expect("linked");
        // What was found is no link; what became one, or went, since is looked for anew.
        let found = |name: &str| load_found(&Place { path: at(name), real: at(name) });
        for name in ["AGENTS.md", "CLAUDE.md"] {
            assert_eq!(found(name).expect("read").real, load(&at(name)).expect("read").real, "{name}");
        }
        assert!(matches!(found("GEMINI.md"), Err(IoError::DanglingLink { .. })));
        assert!(matches!(found("none.md"), Err(IoError::NotFound { .. })));
        let loaded = load(&at("CLAUDE.md")).expect("read");
        assert_eq!(loaded.real, fs::canonicalize(at("AGENTS.md")).expect("there"));
        assert_eq!(loaded.path, at("CLAUDE.md"));
        assert!(matches!(load(&at("GEMINI.md")), Err(IoError::DanglingLink { target, .. }) if target == Path::new("gone.md")));
        assert!(matches!(load(&at("none.md")), Err(IoError::NotFound { .. })));
        assert!(matches!(load(&at("AGENTS.md/x")), Err(IoError::Read { .. })));
        assert!(matches!(load(folder.path()), Err(IoError::NotAFile { .. })));
        assert!(matches!(load(Path::new("/dev/null")), Err(IoError::NotAFile { .. })));
    }
}
