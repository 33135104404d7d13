//! The journal: what memfile wrote, and what a person said was meant.
//!
//! Files by their real path come in with texts; texts and declarations go out. It serves `undo`, `log` and files outside
//! git, and it only ever removes findings: no edit comes from it. It lies in the state folder, never in the tree.
//!
//! The database keeps a rollback journal, not a write-ahead log: a log would need files beside it even to be read, and would
//! keep what `forget` erased. For the same reason freed pages are overwritten (`secure_delete`). The rollback journal is emptied, not
//! removed, and flushed once (`truncate`, `normal`): a power cut may take the last step from the journal, as it could before, never from
//! the file that the step wrote; and a step costs three flushes, not four and an unlinking.
//!
//! Times are seconds since 1970, given by the caller.

mod accepted;
mod news;
mod schema;
mod seen;
mod text;

pub use news::{Mark, Move, News};
pub use seen::Seen;

use super::{IoError, State};
use rusqlite::{Connection, ErrorCode, OpenFlags, Row, Transaction, TransactionBehavior, params};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a kept text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// The whole text of a file.
    File,
    /// The own text of a record.
    Record,
    /// A command line.
    Command,
}

/// Every column that holds text of a file.
const TEXT_COLUMNS: [(&str, &str, Kept); 6] = [
    ("accepted", "text", Kept::File),
    ("step_files", "old_text", Kept::File),
    ("step_files", "new_text", Kept::File),
    ("declared", "old_record", Kept::Record),
    ("declared", "new_record", Kept::Record),
    ("steps", "command", Kept::Command),
];

/// The key of a file: its real path as text.
pub fn file_key(real: &Path) -> String {
    real.to_string_lossy().into_owned()
}

/// What a step did to one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepFile<T = String> {
    /// The key of the file.
    pub file: String,
    /// The text before; `None` where the step made the file.
    pub old: Option<T>,
    /// The text after; `None` where the step removed the file.
    pub new: Option<T>,
}

/// One command that wrote, in one or several files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Its number; grows.
    pub id: i64,
    /// When.
    pub time: i64,
    /// Who: a person, an agent, watch.
    pub actor: String,
    /// The command as given.
    pub command: String,
    /// True where `undo` took it back.
    pub is_undone: bool,
    /// The files it wrote, by name.
    pub files: Vec<StepFile>,
}

/// What a person said of a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeclaredKind {
    /// The change is meant as it is.
    Accept,
    /// The same fact in other words.
    Reword,
    /// Taken out as if never written.
    Drop,
    /// An end or a supersession taken back.
    Reopen,
    /// A step taken back.
    Undo,
}

impl DeclaredKind {
    const ALL: [Self; 5] = [Self::Accept, Self::Reword, Self::Drop, Self::Reopen, Self::Undo];

    /// The name of the command.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Reword => "reword",
            Self::Drop => "drop",
            Self::Reopen => "reopen",
            Self::Undo => "undo",
        }
    }
}

/// A pair of baseline text and new text that a person declared intended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// The fact, as `parameter` or `subject/parameter`; empty for a whole file.
    pub key: String,
    /// What was declared.
    pub kind: DeclaredKind,
    /// The record in the baseline; `None` where there was none.
    pub old: Option<String>,
    /// The record now; `None` where it is gone.
    pub new: Option<String>,
    /// When.
    pub time: i64,
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    connection: Connection,
    path: PathBuf,
}

impl Journal {
    /// Opens the journal for reading. `None` where there is none; creates nothing.
    ///
    /// # Errors
    /// [`IoError::Journal`] where it is no journal, or one of a newer memfile.
    pub fn open_for_read(state: &State) -> Result<Option<Self>, IoError> {
        let Some(path) = state.for_read().map(|folder| folder.join("journal.db")).filter(|path| path.is_file()) else { return Ok(None) };
        let read_only = Self::connect(&path, OpenFlags::SQLITE_OPEN_READ_ONLY);
        let opened = read_only.and_then(|journal| Ok((journal.version()?, journal)));
        // A killed writer leaves changes to be rolled back, which a reader may not do.
        let opened = match opened {
            Err(error) if matches!(error.sqlite_error_code(), Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen)) => {
                Self::connect(&path, OpenFlags::SQLITE_OPEN_READ_WRITE).and_then(|journal| Ok((journal.version()?, journal)))
            }
            opened => opened,
        };
        let (version, journal) = opened.map_err(|error| failed(&path, &error))?;
        journal.check_version(version)?;
        // Made, but not yet filled by the process that made it.
        Ok((version > 0).then_some(journal))
    }

    /// Opens the journal for writing; makes it if there is none.
    ///
    /// # Errors
    /// As [`Journal::open_for_read`]; [`IoError::State`] where its folder cannot be made.
    pub fn open(state: &State) -> Result<Self, IoError> {
        let path = state.for_write()?.join("journal.db");
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        make(&path).map_err(|error| IoError::state(&path, error))?;
        let mut journal = Self::connect(&path, flags).map_err(|error| failed(&path, &error))?;
        let settings = "PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON; PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = NORMAL;";
        let prepared = journal.connection.execute_batch(settings).and_then(|()| journal.version());
        let version = prepared.map_err(|error| failed(&path, &error))?;
        journal.check_version(version)?;
        if version < schema::VERSION {
            journal.write(schema::migrate)?;
        }
        Ok(journal)
    }

    fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Self> {
        let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        Ok(Self { connection, path: path.to_owned() })
    }

    fn version(&self) -> rusqlite::Result<usize> {
        schema::version(&self.connection)
    }

    fn check_version(&self, version: usize) -> Result<(), IoError> {
        if version <= schema::VERSION {
            return Ok(());
        }
        let message = format!("it was written by a newer memfile (version {version}, this one knows {}); update memfile", schema::VERSION);
        Err(IoError::Journal { path: self.path.clone(), message })
    }

    /// The version of its schema.
    ///
    /// # Errors
    /// [`IoError::Journal`].
    pub fn schema(&self) -> Result<usize, IoError> {
        self.check(self.version())
    }

    /// Where the journal lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Notes a step; gives its number.
    ///
    /// # Errors
    /// [`IoError::Journal`], here and in all methods below.
    pub fn add_step<T: AsRef<str>>(&mut self, time: i64, actor: &str, command: &str, files: &[StepFile<T>]) -> Result<i64, IoError> {
        self.add_accepted_step::<T, &str>(time, actor, command, files, &[])
    }

    /// Notes a step and the texts that were accepted with it, all or none; gives the number of the step.
    pub fn add_accepted_step<T: AsRef<str>, A: AsRef<str>>(
        &mut self,
        time: i64,
        actor: &str,
        command: &str,
        files: &[StepFile<T>],
        accepted: &[(String, A)],
    ) -> Result<i64, IoError> {
        self.write(|transaction| {
            transaction.execute("INSERT INTO steps (time, actor, command) VALUES (?1, ?2, ?3)", params![time, actor, command])?;
            let step = transaction.last_insert_rowid();
            let mut insert = transaction.prepare("INSERT INTO step_files (step, file, old_text, new_text) VALUES (?1, ?2, ?3, ?4)")?;
            for StepFile { file, old, new } in files {
                let (old, new) = (old.as_ref().map(AsRef::as_ref), new.as_ref().map(AsRef::as_ref));
                let row = insert.insert(params![step, file, old.map(text::room), new.map(text::room)])?;
                text::put(transaction, ("step_files", "old_text"), row, old)?;
                text::put(transaction, ("step_files", "new_text"), row, new)?;
            }
            accepted::accept(transaction, accepted, time)?;
            Ok(step)
        })
    }

    /// The steps that wrote `file`, oldest first, with all files of each.
    pub fn steps(&self, file: &str) -> Result<Vec<Step>, IoError> {
        self.check(self.read_steps(file))
    }

    fn read_steps(&self, file: &str) -> rusqlite::Result<Vec<Step>> {
        let mut select = self.connection.prepare(
            "SELECT id, time, actor, command, is_undone FROM steps WHERE id IN (SELECT step FROM step_files WHERE file = ?1) ORDER BY id",
        )?;
        let mut parts = self
            .connection
            .prepare("SELECT file, CAST(old_text AS TEXT), CAST(new_text AS TEXT) FROM step_files WHERE step = ?1 ORDER BY file")?;
        let step = |row: &Row| {
            let id = row.get(0)?;
            Ok(Step { id, time: row.get(1)?, actor: row.get(2)?, command: row.get(3)?, is_undone: row.get(4)?, files: Vec::new() })
        };
        let mut steps = select.query_map([file], step)?.collect::<Result<Vec<_>, _>>()?;
        for step in &mut steps {
            let part = |row: &Row| Ok(StepFile { file: row.get(0)?, old: row.get(1)?, new: row.get(2)? });
            step.files = parts.query_map([step.id], part)?.collect::<Result<_, _>>()?;
        }
        Ok(steps)
    }

    /// Notes that a step was taken back; what it declared is declared no more.
    pub fn mark_undone(&mut self, step: i64) -> Result<(), IoError> {
        self.write(|transaction| {
            transaction.execute("DELETE FROM declared WHERE step = ?1", [step])?;
            transaction.execute("UPDATE steps SET is_undone = 1 WHERE id = ?1", [step]).map(drop)
        })
    }

    /// Notes declarations about `file`, all or none.
    pub fn declare(&mut self, file: &str, declarations: &[Declared]) -> Result<(), IoError> {
        self.declare_in(file, declarations, None)
    }

    /// Notes declarations that step `step` made.
    pub fn declare_in(&mut self, file: &str, declarations: &[Declared], step: Option<i64>) -> Result<(), IoError> {
        self.write(|transaction| {
            let mut insert = transaction.prepare(
                "INSERT INTO declared (file, key, kind, old_record, new_record, time, step) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?;
            let mut one = |it: &Declared| insert.execute(params![file, it.key, it.kind.as_str(), it.old, it.new, it.time, step]).map(drop);
            declarations.iter().try_for_each(&mut one)
        })
    }

    /// What was declared about `file`, oldest first.
    pub fn declared(&self, file: &str) -> Result<Vec<Declared>, IoError> {
        let read = || -> rusqlite::Result<Vec<Declared>> {
            let mut select =
                self.connection.prepare("SELECT key, kind, old_record, new_record, time FROM declared WHERE file = ?1 ORDER BY id")?;
            let rows = select.query_map([file], |row| {
                let kind: String = row.get(1)?;
                // A kind that this version does not know removes no finding.
                let Some(kind) = DeclaredKind::ALL.into_iter().find(|known| known.as_str() == kind) else { return Ok(None) };
                Ok(Some(Declared { key: row.get(0)?, kind, old: row.get(2)?, new: row.get(3)?, time: row.get(4)? }))
            })?;
            rows.filter_map(Result::transpose).collect()
        };
        self.check(read())
    }

    /// Rewrites every text kept of `file`: `change` gives the new text where one must change. For `forget`; what was there
    /// is overwritten on disk.
    pub fn rewrite(&mut self, file: &str, change: &dyn Fn(Kept, &str) -> Option<String>) -> Result<(), IoError> {
        self.write(|transaction| {
            for (table, column, kept) in TEXT_COLUMNS {
                let own = if table == "steps" { "id IN (SELECT step FROM step_files WHERE file = ?1)" } else { "file = ?1" };
                let mut select = transaction
                    .prepare(&format!("SELECT rowid, CAST({column} AS TEXT) FROM {table} WHERE {own} AND {column} IS NOT NULL"))?;
                let rows = select.query_map([file], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<Vec<(i64, String)>, _>>()?;
                let mut update = transaction.prepare(&format!("UPDATE {table} SET {column} = ?2 WHERE rowid = ?1"))?;
                for (row, text) in rows {
                    if let Some(text) = change(kept, &text) {
                        update.execute(params![row, text])?;
                    }
                }
            }
            Ok(())
        })
    }

    /// Runs `work` in a transaction that takes the right to write at once: to ask for it later could fail midway.
    fn write<T>(&mut self, work: impl FnOnce(&Transaction) -> rusqlite::Result<T>) -> Result<T, IoError> {
        let path = &self.path;
        let done = self.connection.transaction_with_behavior(TransactionBehavior::Immediate).and_then(|transaction| {
            let value = work(&transaction)?;
            transaction.commit()?;
            Ok(value)
        });
        done.map_err(|error| failed(path, &error))
    }

    fn check<T>(&self, result: rusqlite::Result<T>) -> Result<T, IoError> {
        result.map_err(|error| failed(&self.path, &error))
    }
}

/// Makes the file before SQLite does, which would let others read it; what SQLite makes beside it gets the same mode.
fn make(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

fn failed(path: &Path, error: &rusqlite::Error) -> IoError {
    let way_out = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => "; move the file away and memfile starts a new one",
        Some(ErrorCode::DatabaseBusy) => "; another memfile is writing it, try again",
        _ => "",
    };
    IoError::Journal { path: path.to_owned(), message: format!("{error}{way_out}") }
}

#[cfg(test)]
mod tests;
