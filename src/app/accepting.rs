//! What a person said was meant goes into the journal: changes against the baseline, and other words of the same fact. No byte changes.

use super::session::Session;
use crate::check::Change;
use crate::io::journal::{Declared, DeclaredKind, Journal, file_key};
use crate::io::{IoError, clock};
use std::path::Path;

impl Session {
    /// Declares `changes` of the file `real` to be meant. Gives the names of their facts, each once.
    ///
    /// # Errors
    /// Those of the journal.
    pub fn accept(&self, real: &Path, changes: &[&Change]) -> Result<Vec<String>, IoError> {
        let pairs = changes.iter().map(|change| (change.key.clone().unwrap_or_default(), &change.old, &change.new));
        self.tell_declared(real, DeclaredKind::Accept, pairs)?;
        let mut names: Vec<String> = changes.iter().map(|change| change.key.clone().unwrap_or_else(|| "a statement".to_owned())).collect();
        names.dedup();
        Ok(names)
    }

    /// Declares what an operation says is meant, where another program writes its result.
    ///
    /// # Errors
    /// Those of the journal.
    #[cfg(feature = "lsp")]
    pub(super) fn declare(&self, real: &Path, kind: DeclaredKind, key: &str, pairs: &[crate::baseline::Declared]) -> Result<(), IoError> {
        self.tell_declared(real, kind, pairs.iter().map(|pair| (key.to_owned(), &pair.old, &pair.new)))
    }

    fn tell_declared<'p>(
        &self,
        real: &Path,
        kind: DeclaredKind,
        pairs: impl Iterator<Item = (String, &'p String, &'p String)>,
    ) -> Result<(), IoError> {
        let time = clock::now()?;
        let told = |(key, old, new): (String, &String, &String)| Declared {
            key,
            kind,
            old: Some(old.clone()),
            new: (!new.is_empty()).then(|| new.clone()),
            time,
        };
        let declared: Vec<Declared> = pairs.map(told).collect();
        Journal::open(&self.state)?.declare(&file_key(real), &declared)
    }
}
