//! The texts that a fix left clean: files and texts come in, and the last one of each file goes out. For files outside git they are the
//! baseline.

use super::{Journal, text};
use crate::io::IoError;
use rusqlite::{OptionalExtension, Transaction, params};

/// Where the texts are.
const COLUMN: text::Column = ("accepted", "text");

impl Journal {
    /// The text of `file` that was accepted last.
    ///
    /// # Errors
    /// [`IoError::Journal`], here and in all methods below.
    pub fn accepted(&self, file: &str) -> Result<Option<String>, IoError> {
        let row = self.connection.query_row("SELECT CAST(text AS TEXT) FROM accepted WHERE file = ?1", [file], |row| row.get(0));
        self.check(row.optional())
    }

    /// The files that have an accepted text, sorted.
    pub fn accepted_files(&self) -> Result<Vec<String>, IoError> {
        let read = || -> rusqlite::Result<Vec<String>> {
            let mut select = self.connection.prepare("SELECT file FROM accepted ORDER BY file")?;
            select.query_map([], |row| row.get(0))?.collect()
        };
        self.check(read())
    }

    /// Notes accepted texts, all or none. A text that is noted already costs no write.
    pub fn set_accepted<T: AsRef<str>>(&mut self, texts: &[(String, T)], time: i64) -> Result<(), IoError> {
        self.write(|transaction| accept(transaction, texts, time))
    }
}

/// Notes accepted texts in a transaction.
pub(super) fn accept<T: AsRef<str>>(transaction: &Transaction, texts: &[(String, T)], time: i64) -> rusqlite::Result<()> {
    let mut known = transaction.prepare("SELECT rowid FROM accepted WHERE file = ?1")?;
    let mut insert = transaction.prepare(
        "INSERT INTO accepted (file, text, time) VALUES (?1, ?2, ?3)
         ON CONFLICT (file) DO UPDATE SET text = excluded.text, time = excluded.time RETURNING rowid",
    )?;
    for (file, text) in texts.iter().map(|(file, text)| (file, text.as_ref())) {
        let row: Option<i64> = known.query_row([file], |row| row.get(0)).optional()?;
        if row.map_or(Ok(false), |row| text::is(transaction, COLUMN, row, text))? {
            continue;
        }
        let row = insert.query_row(params![file, text::room(text), time], |row| row.get(0))?;
        text::put(transaction, COLUMN, row, Some(text))?;
    }
    Ok(())
}
