//! Which configuration holds for a folder: the nearest file wins whole, `extend` is explicit.
//!
//! A folder comes in, checked options and the place they come from go out. The search ends at the root of the file system;
//! the top of a repository does not end it, so a file in the home folder serves all projects that have none.

use super::IoError;
use super::nearest::Nearest;
use crate::config::{Config, FILE_NAMES};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes that a configuration may have; what is larger is none, and would be held in memory several times.
const MAX_BYTES: u64 = 1 << 20;

/// How many files may stand behind each other by `extend`.
const MAX_DEPTH: usize = 5;

/// The configuration of a folder.
#[derive(Clone, Debug)]
pub struct Found {
    /// The file, if there is one.
    pub path: Option<PathBuf>,
    /// The folder that globs are relative to: the one that holds the file (or its `.config`). Without a file it is the root.
    pub folder: PathBuf,
    /// The options; without a file the default ones.
    pub config: Arc<Config>,
}

/// Searches and remembers, for many folders. Threads may share it.
#[derive(Debug, Default)]
pub struct Configs {
    nearest: Nearest<Result<Arc<Found>, IoError>>,
}

impl Configs {
    /// The configuration that holds in `folder`, an absolute path without links. Each file is read once.
    ///
    /// # Errors
    /// As [`find`].
    pub fn of(&self, folder: &Path) -> Result<Arc<Found>, IoError> {
        let none = || {
            let root = folder.ancestors().last().unwrap_or(folder);
            Ok(Arc::new(Found { path: None, folder: root.to_owned(), config: Arc::default() }))
        };
        self.nearest.get(folder, |ancestor| read_in(ancestor).map(|found| found.map(Arc::new)), |_| false, none)
    }

    /// Takes what holds in the folder above `folder` for `folder`, in which none of [`FILE_NAMES`] can be.
    pub(crate) fn inherit(&self, folder: &Path) {
        self.nearest.inherit(folder, |_| false);
    }
}

/// The configuration that holds in `folder`, an absolute path.
///
/// # Errors
/// [`IoError::Config`] with the file that is wrong, which may be one named by `extend`; [`IoError::Read`].
pub fn find(folder: &Path) -> Result<Found, IoError> {
    Configs::default().of(folder).map(|found| (*found).clone())
}

/// Reads the configuration file `path` itself, for `--config`.
///
/// # Errors
/// As [`find`]; [`IoError::NotFound`].
pub fn read(path: &Path) -> Result<Found, IoError> {
    let real = super::file::real_path(path)?;
    let parent = real.parent().unwrap_or(&real);
    let in_config = parent.file_name().is_some_and(|name| name == ".config") && real.file_name().is_some_and(|name| name == "memfile.toml");
    let folder = if in_config { parent.parent().unwrap_or(parent) } else { parent }.to_owned();
    parse(real, folder)
}

/// The configuration that stands in `folder` itself.
fn read_in(folder: &Path) -> Option<Result<Found, IoError>> {
    let path = FILE_NAMES.iter().map(|name| folder.join(name)).find(|path| fs::metadata(path).is_ok_and(|meta| meta.is_file()))?;
    Some(parse(path, folder.to_owned()))
}

fn parse(path: PathBuf, folder: PathBuf) -> Result<Found, IoError> {
    let mut chain: Vec<(PathBuf, String)> = Vec::new();
    let mut next = Some(path.clone());
    while let Some(path) = next {
        let wrong = |message| IoError::Config { path: chain.last().map_or(&path, |(path, _)| path).clone(), message };
        let real = match fs::canonicalize(&path) {
            Ok(real) => real,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(wrong(format!("`extend` names {}, which does not exist", path.display())));
            }
            Err(error) => return Err(IoError::read(&path, error)),
        };
        if chain.iter().any(|(seen, _)| *seen == real) {
            return Err(wrong(format!("`extend` leads back to {}", real.display())));
        }
        if chain.len() == MAX_DEPTH {
            return Err(wrong(format!("`extend` is followed through {MAX_DEPTH} files at most")));
        }
        if fs::metadata(&real).is_ok_and(|meta| meta.is_file() && meta.len() > MAX_BYTES) {
            return Err(IoError::Config { path, message: format!("more than {MAX_BYTES} bytes are no configuration") });
        }
        let text = super::file::decode(&path, super::file::read_regular(&path, &real)?)?;
        // Each file is checked by itself, so that a message has the right file and line.
        let is_inside = real.starts_with(&folder);
        let own = |message: String| IoError::Config { path: path.clone(), message: if is_inside { message } else { unquoted(&message) } };
        Config::parse(&text).map_err(own)?;
        let extend = Config::extends(&text).map_err(own)?;
        next = extend.map(|extend| real.parent().unwrap_or(&real).join(extend));
        chain.push((real, text));
    }
    let texts: Vec<_> = chain.iter().map(|(_, text)| text.as_str()).collect();
    let config = Config::parse_chain(&texts).map_err(|message| IoError::Config { path: path.clone(), message })?;
    Ok(Found { path: Some(path), folder, config: Arc::new(config) })
}

/// The message without what it quotes. A repository can come from anyone, and `extend` or a link lead to any file that can be read:
/// lines of it are not to end up in a log.
fn unquoted(message: &str) -> String {
    let line = message.split(':').next().filter(|place| place.starts_with("line ")).map_or(String::new(), |place| format!("{place}: "));
    format!("{line}no setting of memfile; what stands there is not told, as the file lies outside (see it with `memfile config` there)")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Cardinality, TagLanguage};

    fn tree(files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("temp");
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        }
        let root = folder.path().canonicalize().expect("there");
        (folder, root)
    }

    #[test]
    fn the_nearest_wins_whole() {
        let (_keep, root) = tree(&[
            ("memfile.toml", "many = [\"Top\"]"),
            ("a/.git/HEAD", ""),
            ("b/.config/memfile.toml", "many = [\"B\"]"),
            ("b/c/.memfile.toml", ""),
            ("a/d/x", ""),
        ]);
        let configs = Configs::default();
        let at = |folder: &str| configs.of(&root.join(folder)).expect("valid");
        assert_eq!((at("a/d").path.clone(), &at("a/d").folder), (Some(root.join("memfile.toml")), &root));
        assert_eq!(at("b").folder, root.join("b"));
        assert_eq!(at("b").config.cardinality("top"), Cardinality::One);
        assert_eq!(at("b/c").path, Some(root.join("b/c/.memfile.toml")));
        assert!(Arc::ptr_eq(&at("a"), &at("a/d")));
        assert_eq!(read(&root.join("b/.config/memfile.toml")).expect("valid").folder, root.join("b"));
    }

    #[test]
    fn extend_is_followed_and_ends() {
        let (_keep, root) = tree(&[
            ("a/memfile.toml", "extend = \"../one.toml\"\nmany = [\"A\"]"),
            ("one.toml", "extend = \"shared/two.toml\"\ntag-language = \"ru\""),
            ("shared/two.toml", "many = [\"Two\"]\nvolatile = [\"Count\"]"),
            ("b/memfile.toml", "extend = \"../c/memfile.toml\""),
            ("c/memfile.toml", "extend = \"../b/memfile.toml\""),
            ("d/memfile.toml", "extend = \"none.toml\""),
            ("e/memfile.toml", "extend = \"bad.toml\""),
            ("e/bad.toml", "many = []\nmnay = []"),
        ]);
        let config = find(&root.join("a")).expect("valid").config;
        assert_eq!(config.tag_language, TagLanguage::Ru);
        assert_eq!((config.cardinality("a"), config.cardinality("two")), (Cardinality::Many, Cardinality::One));
        assert_eq!(config.cardinality("count"), Cardinality::Volatile);
        let error = |folder: &str| find(&root.join(folder)).expect_err("wrong").to_string();
        assert!(error("b").contains("leads back"), "{}", error("b"));
        assert!(error("d").contains("d/memfile.toml") && error("d").contains("none.toml"), "{}", error("d"));
        assert!(error("e").contains("bad.toml: line 2") && error("e").contains("`many`"), "{}", error("e"));
    }
}
