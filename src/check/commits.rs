//! The day of the commit that brought a record in.

use super::{Commit, Subject, content_hash};
use crate::config::Config;
use crate::facts::Facts;
use crate::syntax::{Managed, Reading, parse};
use chrono::NaiveDate;
use rustc_hash::FxHashSet;
use std::cell::{OnceCell, RefCell};

/// A commit's day, and the records that its text has, told apart by hashes.
type Seen = (Option<NaiveDate>, FxHashSet<u64>);

/// The day of the commit that brought a record in, found by walking the commits from the newest back.
pub(super) struct CommitDates<'a, 's> {
    pub(super) commits: Option<&'s dyn Fn(usize) -> Option<Commit>>,
    config: &'s Config,
    whole_file: bool,
    file: &'a Facts<'a, 'a>,
    read: RefCell<Vec<Seen>>,
    managed: OnceCell<Managed>,
}

impl<'a, 's> CommitDates<'a, 's> {
    pub(super) fn new(subject: &'s Subject<'s>, file: &'a Facts<'a, 'a>) -> Self {
        let commits = subject.baseline.and_then(|baseline| baseline.commits);
        let (config, whole_file) = (subject.config, subject.whole_file);
        Self { commits, config, whole_file, file, read: RefCell::default(), managed: OnceCell::new() }
    }

    pub(super) fn of(&self, record: u32) -> Option<NaiveDate> {
        let document = self.file.document;
        let key = content_hash(document, &document.records[record as usize], self.config);
        let mut date = None;
        let mut seen = false;
        for number in 0.. {
            let Some((day, has)) = self.commit(number, key) else { break };
            if has {
                (date, seen) = (day, true);
            } else if seen {
                break;
            }
        }
        date
    }

    /// The day of commit `number`, and whether its text has the record.
    fn commit(&self, number: usize, key: u64) -> Option<(Option<NaiveDate>, bool)> {
        let mut read = self.read.borrow_mut();
        if read.len() <= number {
            let (day, text) = self.commits?(number)?;
            let managed = self.managed.get_or_init(|| self.file.document.managed());
            let reading = Reading { config: self.config, whole_file: self.whole_file, also: Some(managed) };
            let document = parse(&text, reading);
            read.push((day, document.records.iter().map(|record| content_hash(&document, record, self.config)).collect()));
        }
        let (day, records) = &read[number];
        Some((*day, records.contains(&key)))
    }
}
