//! Texts of files in the database: piece by piece, as a file may be large, and SQLite would hold two copies of each text of a row.

use rusqlite::types::ToSqlOutput;
use rusqlite::{Connection, MAIN_DB, ToSql, blob::Blob};
use std::io::{BufRead, BufReader, Write};

/// A table and its column.
pub(super) type Column = (&'static str, &'static str);

/// A value as long as a text, to be filled by [`put`].
pub(super) struct Room(u64);

/// The room that `text` takes.
pub(super) fn room(text: &str) -> Room {
    Room(text.len() as u64)
}

impl ToSql for Room {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::ZeroBlob(self.0))
    }
}

/// Writes a text, if there is one, into the room that row `row` has for it.
pub(super) fn put(connection: &Connection, column: Column, row: i64, text: Option<&str>) -> rusqlite::Result<()> {
    let Some(text) = text else { return Ok(()) };
    open(connection, column, row, false)?.write_all(text.as_bytes()).map_err(failed)
}

/// True where row `row` has this text.
pub(super) fn is(connection: &Connection, column: Column, row: i64, text: &str) -> rusqlite::Result<bool> {
    let blob = open(connection, column, row, true)?;
    let (mut rest, is_as_long) = (text.as_bytes(), blob.len() == text.len());
    let mut reader = BufReader::with_capacity(64 << 10, blob);
    while is_as_long && !rest.is_empty() {
        let piece = reader.fill_buf().map_err(failed)?;
        let len = piece.len();
        if len == 0 || !rest.starts_with(piece) {
            return Ok(false);
        }
        rest = &rest[len..];
        reader.consume(len);
    }
    Ok(is_as_long)
}

fn open(connection: &Connection, (table, column): Column, row: i64, read_only: bool) -> rusqlite::Result<Blob<'_>> {
    connection.blob_open(MAIN_DB, table, column, row, read_only)
}

fn failed(error: std::io::Error) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(error.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_told_from_all_others() {
        let connection = Connection::open_in_memory().expect("memory");
        connection.execute_batch("CREATE TABLE accepted (file TEXT NOT NULL PRIMARY KEY, text TEXT NOT NULL)").expect("made");
        let column = ("accepted", "text");
        let long = "é".repeat(100_000);
        let texts = ["", "a", "aé", "b", &long, &long[2..], &format!("{}e", &long[..long.len() - 2]), &format!("{long}é")];
        for text in texts {
            connection.execute("INSERT INTO accepted VALUES (?1, ?2)", rusqlite::params![text, room(text)]).expect("room");
            put(&connection, column, connection.last_insert_rowid(), Some(text)).expect("put");
        }
        // One that an older memfile wrote.
        connection.execute("INSERT INTO accepted VALUES ('old', ?1)", [&long]).expect("text");
        let rows: Vec<(i64, String)> = {
            let mut select = connection.prepare("SELECT rowid, CAST(text AS TEXT) FROM accepted").expect("read");
            select.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("read").map(|row| row.expect("a row")).collect()
        };
        assert_eq!(rows.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), texts.into_iter().chain([&*long]).collect::<Vec<_>>());
        for (row, known) in rows {
            for text in texts {
                assert_eq!(is(&connection, column, row, text).expect("read"), known == text);
            }
        }
    }
}
