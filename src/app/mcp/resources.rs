//! Memory files as resources: which there are, and what stands in one.

use super::calls::safe;
use crate::app::Session;
use crate::app::target::slashed;
use crate::io::{self, discover::Place};
use rmcp::model::{Resource, ResourceContents};
use std::path::{Path, PathBuf};

/// A memory file below the opened folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct MemoryFile {
    /// Its path from the root of the file system.
    pub(super) path: PathBuf,
    /// Relative to the opened folder.
    name: String,
    /// `file:///…`
    pub(super) uri: String,
}

/// The memory files, in the order of their names. Those that links lead out to are left out.
pub(super) fn files(session: &Session) -> Vec<MemoryFile> {
    let (found, _) = session.find(&[]);
    let file = |Place { path, .. }: Place| {
        let whole = session.absolute(&path);
        MemoryFile { name: session.name(&path), uri: uri(&whole), path: whole }
    };
    found.into_iter().map(file).collect()
}

impl MemoryFile {
    /// As it is listed.
    pub(super) fn declare(&self) -> Resource {
        Resource::new(&self.uri, &self.name)
            .with_description("A memory file: facts that hold now carry no tag, earlier ones are tagged [historical].")
            .with_mime_type("text/markdown")
    }

    /// Its text; what looks like a secret is taken out, as a client may hand all of it to a model.
    ///
    /// # Errors
    /// The sentence of what stands in the way.
    pub(super) fn read(&self, session: &Session) -> Result<ResourceContents, String> {
        session.allow(&self.path).map_err(|error| error.to_string())?;
        let loaded = io::load(&self.path).map_err(|error| error.to_string())?;
        Ok(ResourceContents::text(safe(&loaded.text), &self.uri).with_mime_type("text/markdown"))
    }
}

/// The memory file that a client means.
pub(super) fn find(session: &Session, uri: &str) -> Option<MemoryFile> {
    let path = path_of(uri)?;
    files(session).into_iter().find(|file| file.path == path)
}

/// `file:///a%20b/AGENTS.md`
fn uri(path: &Path) -> String {
    let path = slashed(path);
    let mut out = String::from(if path.starts_with('/') { "file://" } else { "file:///" });
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// The path in a file URI, whatever of it is escaped.
pub(super) fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://").map(|rest| rest.strip_prefix("localhost").unwrap_or(rest))?;
    let mut bytes = Vec::with_capacity(rest.len());
    let mut left = rest.bytes();
    while let Some(byte) = left.next() {
        let byte = match byte {
            b'%' => {
                let mut digit = || left.next().and_then(|byte| char::from(byte).to_digit(16));
                u8::try_from(digit()? * 16 + digit()?).ok()?
            }
            other => other,
        };
        bytes.push(byte);
    }
    let path = String::from_utf8(bytes).ok()?;
    Some(PathBuf::from(if cfg!(windows) { path.trim_start_matches('/') } else { &path }))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_path_comes_back_from_its_uri() {
        for path in ["/r/AGENTS.md", "/r/a b/%20/ключ#?.md"] {
            assert_eq!(path_of(&uri(Path::new(path))), Some(PathBuf::from(path)));
        }
        assert_eq!(uri(Path::new("/a b/ü.md")), "file:///a%20b/%C3%BC.md");
        assert_eq!(path_of("file://localhost/r/%41.md"), Some(PathBuf::from("/r/A.md")));
        assert_eq!(path_of("https://example.org/AGENTS.md"), None);
        assert_eq!(path_of("file:///r/%4"), None);
    }
}
