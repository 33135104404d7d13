//! `doctor`: what memfile needs and finds here, each point in order or with what to do. It looks and writes nothing.

use super::installations::{INSTALLATIONS, Problem};
use super::options::{Mode, Options};
use super::{Outcome, Session, hook};
use crate::diagnostic::Severity;
use crate::io::git::{Repository, git_version};
use crate::io::{Journal, has_stale_temp};
use crate::text::count;
use chrono::NaiveDate;
use std::path::{Path, PathBuf};

/// How a point stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// In order.
    Fine,
    /// Worth knowing.
    Note,
    /// To be mended.
    Problem,
}

/// One thing that was looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Point {
    /// What it is about, a word or two.
    pub(crate) name: &'static str,
    pub(crate) standing: Standing,
    /// What was found.
    pub(crate) message: String,
    /// What to do.
    pub(crate) help: Option<String>,
}

fn fine(name: &'static str, message: impl Into<String>) -> Point {
    Point { name, standing: Standing::Fine, message: message.into(), help: None }
}

fn note(name: &'static str, message: impl Into<String>, help: impl Into<String>) -> Point {
    Point { name, standing: Standing::Note, message: message.into(), help: Some(help.into()) }
}

fn problem(name: &'static str, message: impl Into<String>, help: impl Into<String>) -> Point {
    Point { name, standing: Standing::Problem, message: message.into(), help: Some(help.into()) }
}

impl Session {
    /// Looks at everything, in the order in which a newcomer would ask.
    pub(crate) fn examine(&self, today: NaiveDate) -> Vec<Point> {
        let mut points = vec![program()];
        points.extend(self.repository_points());
        points.push(self.configuration());
        points.push(self.state_folder());
        points.push(self.journal());
        let (files, folders) = self.memory_files(today);
        points.extend(files);
        points.extend(self.installed());
        points.extend(watches(folders));
        points
    }

    fn repository_points(&self) -> Vec<Point> {
        let git = match git_version() {
            Ok(version) => fine("git", format!("version {version}")),
            Err(reason) => problem("git", reason, "install git: files in repositories are compared with their last commit"),
        };
        let Some(repository) = Repository::of_hook(&self.cwd) else {
            let help = "files here are compared with the text that the last `memfile fix` accepted; `git init` makes a repository";
            return vec![git, note("repository", "no git repository holds this folder", help)];
        };
        let mut words = repository.root().display().to_string();
        if repository.common_dir() != repository.git_dir() {
            words += &format!(" (a worktree of {})", repository.common_dir().display());
        }
        let mut points = vec![git, fine("repository", words)];
        match repository.resolve("HEAD") {
            Ok(Some(_)) => {}
            Ok(None) => points.push(note("repository", "no commit yet", "there is nothing to compare files with before the first commit")),
            Err(error) => points.push(problem("repository", error.to_string(), "see what `git status` says here")),
        }
        if repository.is_shallow() {
            let help = "where dates or --base need more: `git fetch --unshallow`";
            points.push(note("repository", "a shallow clone: older history is not here", help));
        }
        if repository.is_busy() {
            let help = "`git status` says of what; a watch and agents' hooks write nothing meanwhile";
            points.push(note("repository", "git is in the middle of something", help));
        }
        points
    }

    fn configuration(&self) -> Point {
        let folder = std::fs::canonicalize(&self.cwd).unwrap_or_else(|_| self.cwd.clone());
        match self.configs.of(&folder) {
            Ok(found) => fine(
                "configuration",
                match &found.path {
                    Some(path) => self.name(path),
                    None => "the defaults; no memfile.toml here or above".to_owned(),
                },
            ),
            Err(error) => problem("configuration", error.to_string(), "correct that file; `memfile schema` says what may stand in it"),
        }
    }

    fn state_folder(&self) -> Point {
        match self.state.probe() {
            (folder, true) => fine("state", format!("{} can be written", folder.display())),
            (folder, false) => {
                let help = "set XDG_STATE_HOME to a folder that can be written; locks and the journal live there";
                problem("state", format!("{} cannot be written", folder.display()), help)
            }
        }
    }

    fn journal(&self) -> Point {
        let look = || -> Result<String, crate::io::IoError> {
            let Some(journal) = Journal::open_for_read(&self.state)? else {
                return Ok("none yet; the first command that writes makes it".to_owned());
            };
            let files = journal.accepted_files()?.len();
            Ok(format!("{}, schema {}, {} outside git", journal.path().display(), journal.schema()?, count(files, "accepted file")))
        };
        match look() {
            Ok(words) => fine("journal", words),
            Err(error) => {
                let help = "if it is damaged, move that file away; memory files lose nothing by it, `undo` and `log` do";
                problem("journal", error.to_string(), help)
            }
        }
    }

    /// The memory files, and how many folders they lie in.
    fn memory_files(&self, today: NaiveDate) -> (Vec<Point>, usize) {
        let ran = self.run(&Options::new(Mode::Check, today), &|_, _| ());
        let mut points: Vec<Point> = ran.errors.iter().map(|error| problem("memory file", error.to_string(), "see the message")).collect();
        let mut folders: Vec<&Path> = Vec::new();
        for outcome in &ran.outcomes {
            folders.extend(outcome.real.parent());
            points.push(memory_file(outcome));
            if has_stale_temp(&outcome.real) {
                let message = format!("{}: a killed run left a temporary file beside it", outcome.name);
                points.push(problem("memory file", message, format!("`memfile fix {}` removes it", outcome.name)));
            }
        }
        folders.sort_unstable();
        folders.dedup();
        if points.is_empty() {
            let message = "none below this folder (AGENTS.md, CLAUDE.md, CLAUDE.local.md, GEMINI.md, MEMORY.md)";
            points.push(note("memory file", message, "`memfile init` starts one"));
        }
        (points, folders.len())
    }

    fn installed(&self) -> Vec<Point> {
        let mut points = Vec::new();
        for installation in INSTALLATIONS {
            let name = installation.name;
            match (installation.installed)(self) {
                Ok(places) if places.is_empty() => points.push(note(name, "not installed", installation.how)),
                Ok(places) => points.push(fine(name, places.join(", "))),
                Err(error) => points.push(problem(name, error, "see the message")),
            }
            // A failure was told of above.
            let problems = (installation.problems)(self).unwrap_or_default();
            points.extend(problems.into_iter().map(|Problem { message, help }| problem(name, message, help)));
        }
        points
    }
}

/// This program, and whether its name leads to it: hooks and agents start it by name.
fn program() -> Point {
    let version = env!("CARGO_PKG_VERSION");
    let real = |path: PathBuf| std::fs::canonicalize(&path).unwrap_or(path);
    let own = std::env::current_exe().map(real).unwrap_or_default();
    let help = "put the folder of memfile into PATH: git hooks and agents start it by its name";
    match hook::in_path() {
        Some(path) if real(path.clone()) == own => fine("memfile", format!("{version}, {}", path.display())),
        Some(path) => {
            let message = format!("{version}, {}; but the name leads to {}", own.display(), path.display());
            note("memfile", message, "hooks and agents start the other one; update it or change PATH if that is not meant")
        }
        None => note("memfile", format!("{version}, {}, which is not in PATH", own.display()), help),
    }
}

fn memory_file(outcome: &Outcome) -> Point {
    let name = &outcome.name;
    if let Some(failure) = &outcome.failure {
        return problem("memory file", format!("{name}: {failure}"), "see the message");
    }
    if outcome.checked.records == 0 && outcome.checked.observed_heading.is_none() && outcome.diagnostics.is_empty() {
        return note("memory file", format!("{name}: no managed text"), format!("`memfile init {name}` adds a section for facts"));
    }
    if let (0, Some(heading)) = (outcome.checked.records, &outcome.checked.observed_heading) {
        let help = format!("`memfile adopt {name} --heading {heading:?}` puts a section under its care");
        return note("memory file", format!("{name}: no managed text, but lines that look like facts"), help);
    }
    let number = |severity| outcome.diagnostics.iter().filter(|found| found.rule.severity == severity).count();
    let words = format!("{name}: {}, {}", count(outcome.checked.facts, "fact"), count(outcome.checked.records, "record"));
    match (number(Severity::Error), number(Severity::Warning)) {
        (0, 0) => fine("memory file", words),
        (errors, warnings) => {
            let found = format!("{words}; {}, {}", count(errors, "error"), count(warnings, "warning"));
            note("memory file", found, format!("`memfile check {name}` shows them, `memfile fix {name}` repairs"))
        }
    }
}

/// Whether the system lets `watch` watch.
fn watches(folders: usize) -> Option<Point> {
    let read = |name: &str| std::fs::read_to_string(format!("/proc/sys/fs/inotify/{name}")).ok()?.trim().parse::<usize>().ok();
    let (watches, instances) = (read("max_user_watches")?, read("max_user_instances")?);
    let words = format!("inotify allows {watches} watches in {instances} instances; {} to watch here", count(folders, "folder"));
    // Editors and builds need the most of them.
    Some(match watches < 8 * folders.max(128) || instances < 16 {
        false => fine("watch", words),
        true => {
            let help = "raise it (sudo sysctl fs.inotify.max_user_watches=65536 fs.inotify.max_user_instances=512); without, `memfile watch` polls";
            note("watch", words, help)
        }
    })
}
