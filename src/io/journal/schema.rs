//! The tables of the journal, and how those of an older one become them.

use rusqlite::{Connection, Transaction};

/// One script for each version of the schema; `user_version` counts those that ran.
pub(super) const MIGRATIONS: [&str; 3] = [
    "
    CREATE TABLE accepted (file TEXT NOT NULL PRIMARY KEY, text TEXT NOT NULL, time INTEGER NOT NULL);
    CREATE TABLE steps (
        id INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, actor TEXT NOT NULL, command TEXT NOT NULL,
        is_undone INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE step_files (
        step INTEGER NOT NULL REFERENCES steps (id), file TEXT NOT NULL, old_text TEXT, new_text TEXT, PRIMARY KEY (step, file)
    );
    CREATE INDEX step_files_by_file ON step_files (file, step);
    CREATE TABLE declared (
        id INTEGER PRIMARY KEY, file TEXT NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL, old_record TEXT, new_record TEXT,
        time INTEGER NOT NULL
    );
    CREATE INDEX declared_by_file ON declared (file, id);
",
    // `undo` of a step takes back what the step declared.
    "ALTER TABLE declared ADD COLUMN step INTEGER REFERENCES steps (id);",
    // Texts of files are written as blobs from here on, and read with a cast: room for one is made without its bytes in memory, where
    // nothing stands behind it in its row.
    "
    CREATE TABLE accepted_now (file TEXT NOT NULL PRIMARY KEY, time INTEGER NOT NULL, text TEXT NOT NULL);
    INSERT INTO accepted_now (file, time, text) SELECT file, time, text FROM accepted;
    DROP TABLE accepted;
    ALTER TABLE accepted_now RENAME TO accepted;
",
];

/// The version that this memfile writes.
pub(super) const VERSION: usize = MIGRATIONS.len();

/// The version of a database; 0 where it was made and not yet filled.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<usize> {
    connection
        .query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0))
        .map(|version| usize::try_from(version).unwrap_or(usize::MAX))
}

/// Runs the scripts that have not run yet; asks again, as another process may have been first.
pub(super) fn migrate(transaction: &Transaction) -> rusqlite::Result<()> {
    for script in MIGRATIONS.iter().skip(version(transaction)?) {
        transaction.execute_batch(script)?;
    }
    transaction.execute_batch(&format!("PRAGMA user_version = {VERSION}"))
}
