//! Hooks in the world: where git looks for them, and memfile's lines put in, told of, taken out.
//!
//! Every hook file is planned before the first is written: one that cannot take the lines leaves all of them as they are. A
//! folder that other repositories use as well is written only where that is asked for.

use super::script::{self, Hook, Refusal};
use crate::app::Session;
use crate::io::git::Repository;
use crate::io::{self, IoError, Lock};
use std::fs;
use std::path::{Path, PathBuf};

/// Whose hooks a folder holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    /// This repository's, in its own folder.
    Own,
    /// This repository's, in the work tree, where others get them too.
    Tree,
    /// Those of several repositories.
    Shared,
    /// Made anew by husky.
    Husky,
    /// No folder: hooks are switched off.
    Off,
}

/// The hooks of a repository.
pub(crate) struct Hooks {
    /// Where git looks for them.
    pub(crate) folder: PathBuf,
    /// Whose they are.
    pub(crate) reach: Reach,
    /// Where git would look without `core.hooksPath`, if that is another folder.
    pub(crate) unused: Option<PathBuf>,
}

/// The state of one hook.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Condition {
    /// Its file has no line of memfile's.
    Absent,
    /// Its file has no line of memfile's, but starts another program that runs hooks; that one's configuration tells whether memfile
    /// is among them.
    Started(&'static str),
    /// It runs memfile.
    Installed,
    /// It runs memfile by a line that someone wrote.
    ByHand,
    /// It has the lines, but git does not run it.
    NotExecutable,
    /// It has the lines, and the program is not found by its name nor at this path.
    Stale(String),
    /// It cannot take the lines.
    Refused(Refusal),
}

impl Condition {
    /// True where git runs memfile.
    pub(crate) fn works(&self) -> bool {
        matches!(self, Self::Installed | Self::ByHand)
    }

    /// True where the file has nothing of memfile's.
    pub(crate) fn is_without(&self) -> bool {
        matches!(self, Self::Absent | Self::Started(_) | Self::Refused(_))
    }
}

/// One hook and where it stands.
pub(crate) struct Placed {
    pub(crate) hook: Hook,
    pub(crate) path: PathBuf,
    pub(crate) condition: Condition,
}

/// What was done to a hook file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// It was made.
    Made,
    /// The lines were put in.
    Added,
    /// The lines were brought up to date.
    Updated,
    /// Nothing had to be done.
    None,
    /// The lines were taken out.
    Cleared,
    /// The file was taken away.
    Removed,
}

/// How an installation ended.
pub(crate) enum Installing {
    /// Each hook and what was done to it.
    Done(Vec<(Placed, Change)>),
    /// The hooks that cannot take the lines; nothing was written.
    Refused(Vec<Placed>),
}

impl Hooks {
    /// The hooks of the repository that holds `folder`.
    ///
    /// # Errors
    /// No repository, git that fails.
    pub(crate) fn of(folder: &Path) -> Result<Self, IoError> {
        let repository = Repository::of_hook(folder).ok_or_else(|| super::judging::no_repository(folder))?;
        let own = repository.common_dir().join("hooks");
        let set = repository.setting("core.hooksPath", true)?.filter(|set| !set.value.is_empty());
        let (folder, unused) = match set {
            // Relative to where hooks run: the top of the work tree.
            Some(set) => (repository.root().join(set.value), Some(own)),
            None => (own, None),
        };
        let reach = reach(&folder, &repository);
        let unused = unused.filter(|own| real(own) != real(&folder));
        Ok(Self { folder, reach, unused })
    }

    /// What stands in the hook files.
    pub(crate) fn status(&self) -> Vec<Placed> {
        match (&self.reach, self.folder.parent()) {
            // Its hooks start the files above, which need no right to be run.
            (Reach::Husky, Some(folder)) => Hook::ALL.into_iter().map(|hook| started(folder, hook)).collect(),
            _ => Hook::ALL.into_iter().map(|hook| placed(&self.folder, hook)).collect(),
        }
    }

    /// Hook files with memfile's lines where git does not look.
    pub(crate) fn left_over(&self) -> Vec<Placed> {
        let placed = self.unused.iter().flat_map(|folder| Hook::ALL.into_iter().map(|hook| placed(folder, hook)));
        placed.filter(|placed| !placed.condition.is_without() && placed.condition != Condition::ByHand).collect()
    }

    /// Puts memfile's lines into the hook files. Gives back those that cannot take them, and then nothing is written.
    ///
    /// # Errors
    /// Those of reading and writing.
    pub(crate) fn install(&self, session: &Session) -> Result<Installing, IoError> {
        // A path of this machine does not belong where others get the hooks.
        let program = if self.reach == Reach::Tree { None } else { program() };
        let mut plans = Vec::new();
        let mut refused = Vec::new();
        for hook in Hook::ALL {
            let now = placed(&self.folder, hook);
            let planned = match (&now.condition, read(&now.path)) {
                (Condition::ByHand, _) => None,
                (_, Err(refusal)) => {
                    refused.push(Placed { condition: Condition::Refused(refusal), ..now });
                    continue;
                }
                (_, Ok(old)) => match script::install(old.as_deref(), is_executable(&now.path), hook, program.as_deref()) {
                    Ok(planned) => Some((old, planned)),
                    Err(refusal) => {
                        refused.push(Placed { condition: Condition::Refused(refusal), ..now });
                        continue;
                    }
                },
            };
            plans.push((now, planned));
        }
        if !refused.is_empty() {
            return Ok(Installing::Refused(refused));
        }
        fs::create_dir_all(&self.folder).map_err(|error| IoError::write(&self.folder, error))?;
        let mut done = Vec::new();
        for (now, planned) in plans {
            let change = match planned {
                None => Change::None,
                Some((old, planned)) => {
                    let had = !now.condition.is_without();
                    let change = match &old {
                        None => Change::Made,
                        Some(old) if *old == planned.text && !planned.make_executable => Change::None,
                        Some(_) if had => Change::Updated,
                        Some(_) => Change::Added,
                    };
                    write(session, &now.path, old.as_deref(), Some(&planned.text))?;
                    if planned.make_executable {
                        set_executable(&now.path, true)?;
                    }
                    change
                }
            };
            done.push((placed(&self.folder, now.hook), change));
        }
        Ok(Installing::Done(done))
    }

    /// Takes memfile's lines out, also where git does not look.
    ///
    /// # Errors
    /// Those of reading and writing; a block that lacks a marker.
    pub(crate) fn remove(&self, session: &Session) -> Result<Vec<(PathBuf, Change)>, IoError> {
        let mut done = Vec::new();
        for folder in std::iter::once(&self.folder).chain(&self.unused) {
            for hook in Hook::ALL {
                let path = folder.join(hook.name());
                let Ok(Some(old)) = read(&path) else { continue };
                let broken = |refusal: Refusal| IoError::write(&path, std::io::Error::other(refusal.words()));
                let Some(removed) = script::remove(&old).map_err(broken)? else { continue };
                write(session, &path, Some(&old), removed.text.as_deref())?;
                if removed.make_not_executable {
                    set_executable(&path, false)?;
                }
                done.push((path, if removed.text.is_some() { Change::Cleared } else { Change::Removed }));
            }
        }
        Ok(done)
    }
}

fn reach(folder: &Path, repository: &Repository) -> Reach {
    if folder.exists() && !folder.is_dir() {
        return Reach::Off;
    }
    let real = real(folder);
    if real.ends_with(".husky/_") {
        Reach::Husky
    } else if real.starts_with(self::real(repository.common_dir())) {
        Reach::Own
    } else if real.starts_with(repository.root()) {
        Reach::Tree
    } else {
        Reach::Shared
    }
}

/// The path without links, as far as it exists.
fn real(path: &Path) -> PathBuf {
    let found = path.ancestors().find_map(|ancestor| Some((fs::canonicalize(ancestor).ok()?, path.strip_prefix(ancestor).ok()?)));
    found.map_or_else(|| path.to_owned(), |(real, rest)| if rest.as_os_str().is_empty() { real } else { real.join(rest) })
}

/// The text of a hook file; `None` where there is none.
fn read(path: &Path) -> Result<Option<String>, Refusal> {
    match fs::symlink_metadata(path) {
        Err(_) => Ok(None),
        Ok(meta) if !meta.is_file() => Err(Refusal::NotAFile),
        Ok(_) => io::load(path).map(|loaded| Some(loaded.text)).map_err(|_| Refusal::NotUtf8),
    }
}

fn placed(folder: &Path, hook: Hook) -> Placed {
    let path = folder.join(hook.name());
    let condition = match read(&path) {
        Err(refusal) => Condition::Refused(refusal),
        Ok(None) => Condition::Absent,
        Ok(Some(text)) if script::is_by_hand(&text, hook) && is_executable(&path) => Condition::ByHand,
        Ok(Some(text)) => match script::remove(&text) {
            Err(refusal) => Condition::Refused(refusal),
            Ok(None) => script::manager(&text).map_or(Condition::Absent, Condition::Started),
            Ok(Some(_)) if !is_executable(&path) => Condition::NotExecutable,
            Ok(Some(_)) => match script::path_in(&text) {
                _ if in_path().is_some() => Condition::Installed,
                Some(program) if is_executable(Path::new(&program)) => Condition::Installed,
                program => Condition::Stale(program.unwrap_or_default()),
            },
        },
    };
    Placed { hook, path, condition }
}

/// A hook file that another one starts.
fn started(folder: &Path, hook: Hook) -> Placed {
    let path = folder.join(hook.name());
    let runs = matches!(read(&path), Ok(Some(text)) if script::is_by_hand(&text, hook));
    Placed { hook, path, condition: if runs { Condition::ByHand } else { Condition::Absent } }
}

/// Writes a hook file by the road of every file: lock, compare, write whole.
fn write(session: &Session, path: &Path, old: Option<&str>, new: Option<&str>) -> Result<(), IoError> {
    let real = real(path);
    let lock = Lock::acquire(&session.state, &real)?;
    match (old, new) {
        (Some(old), Some(new)) => lock.save(old, new),
        (None, Some(new)) => lock.create(new),
        (Some(old), None) => lock.remove(old),
        (None, None) => Ok(()),
    }
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

#[cfg(unix)]
fn set_executable(path: &Path, on: bool) -> Result<(), IoError> {
    use std::os::unix::fs::PermissionsExt;
    let meta = fs::metadata(path).map_err(|error| IoError::read(path, error))?;
    let mode = meta.permissions().mode();
    // Whoever may read it may run it.
    let mode = if on { mode | ((mode & 0o444) >> 2) } else { mode & !0o111 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(|error| IoError::write(path, error))
}

#[cfg(not(unix))]
fn set_executable(_path: &Path, _on: bool) -> Result<(), IoError> {
    Ok(())
}

/// The program that the name `memfile` starts.
pub(crate) fn in_path() -> Option<PathBuf> {
    let name = format!("memfile{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(&name)).find(|path| is_executable(path))
}

/// The path of this program: by the name in PATH where that leads here, as an update keeps it.
fn program() -> Option<String> {
    let own = std::env::current_exe().ok()?;
    let real = fs::canonicalize(&own).ok();
    let named = in_path().filter(|path| path.is_absolute() && fs::canonicalize(path).ok() == real);
    named.unwrap_or(own).into_os_string().into_string().ok()
}
