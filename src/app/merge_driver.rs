//! memfile as git's merge driver for memory files: lines in `.gitattributes`, which everyone shares, and two settings of the
//! repository, which everyone makes for himself. Without the settings git merges as it always does.
//!
//! The lines stand in a block of their own at the top of the file, so that what is taken out again is exactly what was put in.

use super::hook::in_path;
use super::installations::{Installation, Problem};
use super::session::Session;
use super::target::{Target, slashed};
use crate::check::Selection;
use crate::io::git::Repository;
use crate::io::{self, IoError};
use crate::text::Eol;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const NAME: &str = "merge.memfile.name";
const DRIVER: &str = "merge.memfile.driver";
const WORDS: &str = "facts record by record, other text line by line";

const BEGIN: &str = "# memfile: begin (put here by `memfile hook install --merge`, taken out by `memfile hook remove`)";
const END: &str = "# memfile: end";

/// What git calls. Where memfile is not installed any more the lines are merged as git does it: a driver that is missing would leave
/// their side out without a marker.
fn driver(program: &str) -> String {
    format!(
        "if command -v {program} >/dev/null 2>&1; then {program} merge %O %A %B --marker-size=%L --path=%P --base-label=%S --ours-label=%X \
         --theirs-label=%Y; else git merge-file --marker-size=%L %A %O %B; fi"
    )
}

/// The merge driver of the repository here; outside one there is none.
pub(super) const INSTALLATION: Installation = Installation {
    name: "merge driver",
    how: "`memfile hook install --merge` joins branches fact by fact",
    installed: |session| match driven(session)? {
        Some(status) if status.configured || !status.covered.is_empty() => Ok(status.covered),
        _ => Ok(Vec::new()),
    },
    problems: |session| {
        let asked = driven(session)?.filter(|status| !status.configured && !status.covered.is_empty());
        let problem = |_| Problem {
            message: ".gitattributes asks for memfile as merge driver, and git's configuration here does not know it".to_owned(),
            help: "`memfile hook install --merge`; until then git merges by lines".to_owned(),
        };
        Ok(asked.map(problem).into_iter().collect())
    },
    remove: |session| {
        if driven(session)?.is_none() {
            return Ok(Vec::new());
        }
        let done = session.remove_merge_driver().map_err(|error| error.to_string())?;
        let lines = done.lines.then(|| "lines taken out of .gitattributes".to_owned());
        Ok(lines.into_iter().chain(done.settings.then(|| "settings of the repository taken out".to_owned())).collect())
    },
};

fn driven(session: &Session) -> Result<Option<DriverStatus>, String> {
    if session.here().is_err() {
        return Ok(None);
    }
    session.merge_driver_status().map(Some).map_err(|error| error.to_string())
}

/// The merge driver in one repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DriverStatus {
    /// The repository's configuration has the driver.
    pub configured: bool,
    /// Memory files that git merges with it.
    pub covered: Vec<String>,
    /// Memory files that git merges otherwise.
    pub uncovered: Vec<String>,
}

impl DriverStatus {
    /// git calls memfile for all memory files.
    pub fn is_installed(&self) -> bool {
        self.configured && self.uncovered.is_empty() && !self.covered.is_empty()
    }
}

/// What an installation did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DriverInstalled {
    /// Patterns that were written into `.gitattributes`; empty where all stood there.
    pub added: Vec<String>,
    /// The settings were made, or made anew.
    pub configured: bool,
    /// Memory files for which someone chose another way to merge, and which: they are left alone.
    pub kept: Vec<(String, String)>,
}

/// What a removal did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DriverRemoved {
    /// The lines in `.gitattributes` were taken out.
    pub lines: bool,
    /// The settings were taken out.
    pub settings: bool,
}

impl Session {
    /// Makes memfile the merge driver of the memory files of the repository that holds the current folder. Doing it again changes
    /// nothing, or adds files that are new.
    ///
    /// # Errors
    /// No repository, git that fails, and those of reading and writing `.gitattributes`.
    pub fn install_merge_driver(&self) -> Result<DriverInstalled, IoError> {
        let repository = self.here()?;
        let mut done = DriverInstalled::default();
        let mut patterns = Vec::new();
        for (path, value) in repository.attribute("merge", &self.mergeable_files(&repository))? {
            match value.as_str() {
                "memfile" => {}
                "unspecified" => patterns.push(pattern(&repository, &path)),
                _ => done.kept.push((self.name(&path), value)),
            }
        }
        patterns.sort_unstable();
        patterns.dedup();
        if !patterns.is_empty() {
            self.write_attributes(&repository, &patterns)?;
            done.added = patterns;
        }
        let wanted = driver(&program());
        if repository.own_setting(DRIVER)?.as_deref() != Some(&wanted) {
            repository.set_own(NAME, WORDS)?;
            repository.set_own(DRIVER, &wanted)?;
            done.configured = true;
        }
        Ok(done)
    }

    /// Whether git calls memfile here, and for which files.
    ///
    /// # Errors
    /// No repository, git that fails.
    pub fn merge_driver_status(&self) -> Result<DriverStatus, IoError> {
        let repository = self.here()?;
        let mut status = DriverStatus { configured: repository.effective_setting(DRIVER)?.is_some(), ..DriverStatus::default() };
        for (path, value) in repository.attribute("merge", &self.mergeable_files(&repository))? {
            let list = if value == "memfile" { &mut status.covered } else { &mut status.uncovered };
            list.push(self.name(&path));
        }
        Ok(status)
    }

    /// Takes out what [`Session::install_merge_driver`] put in, and nothing else.
    ///
    /// # Errors
    /// As there.
    pub fn remove_merge_driver(&self) -> Result<DriverRemoved, IoError> {
        let repository = self.here()?;
        let mut done = DriverRemoved::default();
        let path = repository.root().join(".gitattributes");
        if let Some(text) = text_of(&path)?
            && let Some((start, end)) = block(&text)
        {
            let rest = format!("{}{}", &text[..start], &text[end..]);
            if rest.is_empty() {
                std::fs::remove_file(&path).map_err(|error| IoError::write(&path, error))?;
            } else {
                self.write(&self.attributes(path, text)?, &rest, "hook remove")?;
            }
            done.lines = true;
        }
        if repository.own_setting(DRIVER)?.is_some_and(|value| value.contains(" merge %O %A %B")) {
            repository.unset_own(DRIVER)?;
            if repository.own_setting(NAME)?.as_deref() == Some(WORDS) {
                repository.unset_own(NAME)?;
            }
            done.settings = true;
        }
        Ok(done)
    }

    fn here(&self) -> Result<Arc<Repository>, IoError> {
        let here = std::fs::canonicalize(&self.cwd).unwrap_or_else(|_| self.cwd.clone());
        self.repositories.of(&here).ok_or_else(|| IoError::Git {
            root: self.cwd.clone(),
            command: "git merge".to_owned(),
            stderr: "this folder is in no git repository; run `git init` first".to_owned(),
        })
    }

    /// The memory files of a repository with their archives; `AGENTS.md` in any case. Links are no text to merge.
    fn mergeable_files(&self, repository: &Repository) -> Vec<PathBuf> {
        let root = repository.root();
        let (found, _) = self.find(&[root.to_owned()]);
        let is_file = |path: &PathBuf| std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file());
        let mut files: Vec<PathBuf> = vec![root.join("AGENTS.md")];
        for path in found.into_iter().map(|file| file.path).filter(is_file) {
            let archive = path.with_extension("history.md");
            files.extend([path, archive].into_iter().filter(is_file));
        }
        files.sort_unstable();
        files.dedup();
        files
    }

    fn attributes(&self, path: PathBuf, text: String) -> Result<Target, IoError> {
        Target::new(self, &path, path.clone(), text, false, &Selection::default())
    }

    /// Puts lines into the block, which is made at the top of the file: what stands below it wins, as it did before.
    fn write_attributes(&self, repository: &Repository, patterns: &[String]) -> Result<(), IoError> {
        let path = repository.root().join(".gitattributes");
        io::not_a_link(&path)?;
        let old = text_of(&path)?;
        let text = old.clone().unwrap_or_default();
        let eol = Eol::near(&text, 0).as_str();
        let lines: String = patterns.iter().map(|pattern| format!("{pattern} merge=memfile{eol}")).collect();
        let new = match block(&text) {
            Some((_, end)) => {
                let at = text[..end].rfind(END).unwrap_or(end);
                format!("{}{lines}{}", &text[..at], &text[at..])
            }
            None => {
                let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
                format!("{}{BEGIN}{eol}{lines}{END}{eol}{}", &text[..at], &text[at..])
            }
        };
        match old {
            Some(_) => self.write(&self.attributes(path, text)?, &new, "hook install --merge"),
            None => self.create(&path, &new),
        }
    }
}

fn text_of(path: &Path) -> Result<Option<String>, IoError> {
    match io::load(path) {
        Ok(loaded) => Ok(Some(loaded.text)),
        Err(IoError::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The bytes of memfile's block, its marks included.
fn block(text: &str) -> Option<(usize, usize)> {
    let start = text.find(BEGIN)?;
    let end = start + text[start..].find(END)?;
    Some((start, text[end..].find('\n').map_or(text.len(), |line| end + line + 1)))
}

/// A pattern of `.gitattributes`: a usual name holds in all folders, any other file is named by its path.
fn pattern(repository: &Repository, path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let below = path.strip_prefix(repository.root()).map_or_else(|_| name.clone(), slashed);
    let usual = name.strip_suffix(".history.md").map_or(name.clone(), |stem| format!("{stem}.md"));
    if crate::io::discover::is_memory_name(&usual) {
        return name;
    }
    let mut escaped = String::from("/");
    for c in below.chars() {
        if matches!(c, '*' | '?' | '[' | '\\') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    // In quotes as git quotes a name (gitattributes(5)): a line break in a name must not begin another line.
    if !escaped.contains(|c: char| c.is_control() || matches!(c, ' ' | '"')) {
        return escaped;
    }
    let mut quoted = String::from("\"");
    for c in escaped.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| quoted.push_str(&format!("\\{byte:03o}"))),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// How git's shell finds memfile: by its name, or where that is not to be found by this program's path.
fn program() -> String {
    if in_path().is_some() {
        return "memfile".to_owned();
    }
    match std::env::current_exe() {
        // git puts names in place of percent signs.
        Ok(path) => format!("'{}'", slashed(&path).replace('\'', "'\\''").replace('%', "%%")),
        Err(_) => "memfile".to_owned(),
    }
}
