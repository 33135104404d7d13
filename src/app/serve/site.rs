//! What one server holds: the files that were opened at its start, who may ask, and the number of the last change.

use super::Serving;
use super::guard::Gate;
use crate::app::{Read, ReadError, Session, Wanted};
use crate::io::{self, clock};
use chrono::NaiveDate;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use tokio::sync::watch;

/// A file that was opened. Pages name it by its number; no address holds a path.
#[derive(Debug)]
pub(super) struct Opened {
    /// Its name in reports.
    pub(super) name: String,
    /// As it was given.
    pub(super) path: PathBuf,
    /// The file behind all links when it was opened.
    pub(super) real: PathBuf,
}

/// What all requests share.
pub(super) struct Site {
    pub(super) cwd: PathBuf,
    pub(super) files: Vec<Opened>,
    pub(super) gate: Gate,
    pub(super) write: bool,
    today: Option<NaiveDate>,
    /// Counts the changes of the files since the start.
    pub(super) changes: watch::Sender<u64>,
}

impl Site {
    /// Opens the files that `serving` names.
    ///
    /// # Errors
    /// A path that cannot be read, a day that is none, a system without random numbers.
    pub(super) fn open(session: &Session, serving: &Serving, address: SocketAddr) -> Result<Self, String> {
        let (found, errors) = session.find(&serving.paths);
        if let Some(error) = errors.first() {
            return Err(error.to_string());
        }
        clock::today(serving.today).map_err(|error| error.to_string())?;
        let mut files = Vec::with_capacity(found.len());
        for place in found {
            let loaded = io::load_found(&place).map_err(|error| error.to_string())?;
            files.push(Opened { name: session.name(&place.path), path: place.path, real: loaded.real });
        }
        let gate = Gate::new(address)?;
        let changes = watch::Sender::new(0);
        Ok(Self { cwd: session.cwd.clone(), files, gate, write: serving.write, today: serving.today, changes })
    }

    /// A session of its own for each request: what one remembers of repositories and configurations may be out of date by the next.
    pub(super) fn session(&self) -> Session {
        Session::new(self.cwd.clone())
    }

    /// The day of the request.
    ///
    /// # Errors
    /// Those of the clock.
    pub(super) fn today(&self) -> Result<NaiveDate, String> {
        clock::today(self.today).map_err(|error| error.to_string())
    }

    /// The file with a number, as long as its name leads to the file that was opened.
    ///
    /// # Errors
    /// A sentence for people.
    pub(super) fn file(&self, number: usize) -> Result<&Opened, String> {
        let file = self.files.get(number).ok_or_else(|| "there is no such file here".to_owned())?;
        match std::fs::canonicalize(self.cwd.join(&file.path)) {
            Ok(real) if real != file.real => Err(format!("{} leads to another file now; start memfile serve again", file.name)),
            _ => Ok(file),
        }
    }

    /// The facts of a file; its statements, too, where they are wanted.
    ///
    /// # Errors
    /// A sentence for people.
    pub(super) fn read(&self, session: &Session, number: usize, statements: bool) -> Result<Read, String> {
        let file = self.file(number)?;
        let wanted = Wanted { file: Some(&file.path), key: None, git: false, statements, today: self.today()? };
        session.read(&wanted).map_err(|error| match error {
            ReadError::Io(error) => error.to_string(),
            other => other.to_string(),
        })
    }

    /// As [`Site::read`], with the day on which the memory learned each version.
    ///
    /// # Errors
    /// A sentence for people.
    pub(super) fn read_dated(&self, session: &Session, number: usize) -> Result<Read, String> {
        let mut read = self.read(session, number, false)?;
        let mut chains = std::mem::take(&mut read.chains);
        session.date(&read, &mut chains).map_err(|error| error.to_string())?;
        read.chains = chains;
        Ok(read)
    }
}

/// The first `bytes` bytes of the SHA-256 of `parts`, in hexadecimal digits; a part cannot run into the next.
pub(super) fn digest(parts: &[&str], bytes: usize) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hex(&hash.finalize()[..bytes.min(32)])
}

/// Hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut out, byte| {
        // Writing to a string cannot fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}
