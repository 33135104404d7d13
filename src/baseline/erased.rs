//! Lost secrets that are back: a value that looks like a secret comes back as `[redacted]` only, which no longer says whose it was.

use super::pairing::{Content, Pairing};
use crate::facts::{Facts, is_secret};
use crate::syntax::Status;
use rustc_hash::FxHashSet;

/// The redacted records of a file that stand for no record of the baseline yet.
pub(super) struct Erased<'a> {
    parameters: FxHashSet<&'a str>,
    statements: usize,
}

impl<'a> Erased<'a> {
    pub(super) fn new(file: &Facts, contents: &'a [Content], pairing: &Pairing) -> Self {
        let is_redacted = |idx: usize| file.document.records[idx].tag.as_ref().is_some_and(|tag| tag.status == Status::Redacted);
        let new = (0..contents.len()).filter(|&idx| pairing.to_base[idx].is_none() && is_redacted(idx));
        let (named, bare): (Vec<usize>, Vec<usize>) = new.partition(|&idx| file.group_of(idx).is_some());
        Self { parameters: named.into_iter().map(|idx| contents[idx].parameter.as_str()).collect(), statements: bare.len() }
    }

    /// True where record `idx` of the baseline, which the file lacks, is one of them. Each statement stands for one.
    pub(super) fn take(&mut self, base: &Facts, contents: &[Content], idx: usize) -> bool {
        if !is_secret(base.document.records[idx].value.of(base.document.text)) {
            return false;
        }
        if base.group_of(idx).is_some() {
            return self.parameters.contains(contents[idx].parameter.as_str());
        }
        let is_there = self.statements > 0;
        self.statements -= usize::from(is_there);
        is_there
    }
}
