//! The buffers that an editor has open: changes come in, texts go out.
//!
//! The text is the editor's. A place that it does not have is pulled into it (see `text/units`), so no message can break it.

use super::super::looking::Look;
use super::super::{BaseChoice, Session, Target};
use super::uri;
use super::wire::{Changed, Opened};
use crate::baseline::Declared;
use crate::check::Selection;
use crate::io::discover::NAMES;
use crate::io::{IoError, clock};
use crate::syntax::{Reading, parse};
use crate::text::{Encoding, LineIndex, Place};
use lsp_types::{Position, Uri};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a buffer must rest before its findings are looked for.
const REST: Duration = Duration::from_millis(150);

/// An open buffer.
pub(super) struct Document {
    /// For answers.
    pub(super) uri: Uri,
    /// The file, if it is one; it need not exist.
    pub(super) path: Option<PathBuf>,
    /// The editor's number of this text.
    pub(super) version: Option<i32>,
    pub(super) text: String,
    pub(super) lines: LineIndex,
    is_markdown: bool,
    /// When its findings are to be looked for.
    pub(super) due: Option<Instant>,
    /// What was seen in this text; none before it was looked at.
    pub(super) seen: Option<Result<Seen, IoError>>,
    /// What is declared once the buffer has this text: the editor applies the edits of a rename itself.
    pub(super) awaited: Option<Awaited>,
}

/// A text that was looked at.
pub(super) enum Seen {
    /// No memory file.
    Other,
    /// A memory file, and all that was seen in it.
    Memory(Box<Look>),
}

/// A rename that the editor has not applied yet.
pub(super) struct Awaited {
    pub(super) after: String,
    pub(super) key: String,
    pub(super) declared: Vec<Declared>,
}

impl Document {
    /// A buffer that was opened; `None` for a name that is no URI at all.
    pub(super) fn new(opened: Opened) -> Option<Self> {
        let path = uri::path(&opened.uri);
        let has_ending =
            |path: &Path| path.extension().is_some_and(|ending| ["md", "markdown", "mdc", "mdx"].iter().any(|md| ending == *md));
        Some(Self {
            uri: uri::wire(&opened.uri)?,
            is_markdown: opened.language_id.eq_ignore_ascii_case("markdown") || path.as_deref().is_some_and(has_ending),
            path,
            version: opened.version,
            lines: LineIndex::new(&opened.text),
            text: opened.text,
            due: Some(Instant::now()),
            seen: None,
            awaited: None,
        })
    }

    /// Takes changes over, in their order.
    pub(super) fn change(&mut self, version: Option<i32>, changes: &[Changed], encoding: Encoding) {
        self.version = version.or(self.version);
        for change in changes {
            apply(&mut self.text, &mut self.lines, change, encoding);
        }
        self.seen = None;
        self.due = Some(Instant::now() + REST);
    }

    /// What decided about its findings may have changed.
    pub(super) fn forget(&mut self) {
        self.seen = None;
        self.due = Some(Instant::now());
    }

    /// What is seen in the text; looked at once.
    pub(super) fn look(&mut self, session: &Session) -> Option<&Look> {
        if self.seen.is_none() {
            self.seen = Some(self.looked(session));
        }
        match &self.seen {
            Some(Ok(Seen::Memory(look))) => Some(look),
            _ => None,
        }
    }

    /// The buffer under its name, with the configuration that holds for it.
    pub(super) fn target(&self, session: &Session) -> Result<Target, IoError> {
        let path = match &self.path {
            Some(path) => path.clone(),
            // A buffer that was never saved is judged like a file of the folder that is open.
            None => session.absolute(Path::new(self.uri.path().as_str().rsplit('/').next().unwrap_or("untitled"))),
        };
        let real = std::fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        Target::new(session, &path, real, self.text.clone(), false, &Selection::default())
    }

    fn looked(&self, session: &Session) -> Result<Seen, IoError> {
        let is_named = |path: &Path| path.file_name().is_some_and(|name| NAMES.iter().any(|known| name == *known));
        let is_named = self.path.as_deref().is_some_and(is_named);
        if !is_named && !self.is_markdown && !self.is_managed_file(session) {
            return Ok(Seen::Other);
        }
        let target = self.target(session)?;
        let reading = Reading { config: &target.found.config, whole_file: target.whole_file, also: None };
        if !is_named && !target.whole_file && !parse(&target.text, reading).is_managed() {
            return Ok(Seen::Other);
        }
        let base = if self.path.is_some() { BaseChoice::Default } else { BaseChoice::None };
        Ok(Seen::Memory(Box::new(session.look(target, &base, clock::today(None)?)?)))
    }

    /// The configuration names the file; one that is broken names none.
    fn is_managed_file(&self, session: &Session) -> bool {
        self.path.is_some() && self.target(session).is_ok_and(|target| target.whole_file)
    }

    /// Files whose change changes what is found in the buffer: git's, the settings, the journal, the archive.
    pub(super) fn witnesses(&self, session: &Session) -> Vec<PathBuf> {
        let Some(Ok(Seen::Memory(look))) = &self.seen else { return Vec::new() };
        let real = &look.target.real;
        let mut files: Vec<PathBuf> = look.target.found.path.iter().cloned().collect();
        files.push(real.with_extension("history.md"));
        if let Some(repository) = session.repository(real) {
            files.extend(["HEAD", "index", "logs/HEAD"].map(|name| repository.git_dir().join(name)));
        }
        files.extend(session.state.for_read().map(|folder| folder.join("journal.db")));
        files
    }
}

/// A place as the editor sends it.
pub(super) fn place(position: Position) -> Place {
    Place { line: position.line, character: position.character }
}

/// One change of a text.
fn apply(text: &mut String, lines: &mut LineIndex, change: &Changed, encoding: Encoding) {
    match change.range {
        None => text.clone_from(&change.text),
        Some(range) => {
            let bytes = lines.range(text, place(range.start), place(range.end), encoding);
            text.replace_range(std::ops::Range::from(bytes), &change.text);
        }
    }
    *lines = LineIndex::new(text);
}

#[cfg(test)]
mod tests;
