//! Line by line, as git merges a text of which it knows nothing: for files without managed text, and where a merge by records
//! cannot be trusted.

use super::hunks::{Kind, refined, three_way};
use super::markers::{conflict, end};
use super::three::Three;
use super::{Conflict, Terms};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A text after a merge.
pub(super) struct Lines {
    pub(super) text: String,
    pub(super) conflicts: Vec<Conflict>,
    /// The last line is a marker.
    pub(super) closed: bool,
}

/// Numbers for texts, equal ones for equal texts.
#[derive(Default)]
pub(super) struct Numbers<'t> {
    known: FxHashMap<&'t str, u32>,
}

impl<'t> Numbers<'t> {
    pub(super) fn of(&mut self, text: &'t str) -> u32 {
        let next = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        *self.known.entry(text).or_insert(next)
    }
}

/// The lines of a text, each with its ending (LF, or CR and LF, as git cuts them).
pub(super) fn lines_of(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Merges three texts whose last lines end.
pub(super) fn merge(texts: Three<&str>, terms: &Terms) -> Lines {
    let mut numbers = Numbers::default();
    let lines = texts.map(lines_of);
    let all = lines.each().map(|lines| lines.iter().map(|line| numbers.of(line)).collect::<Vec<u32>>());
    let hunks = refined(three_way(all.each().map(Vec::as_slice)), &all.ours, &all.theirs, terms.style);
    let eol = end(texts.ours);
    let mut out = Lines { text: String::with_capacity(texts.ours.len() + texts.theirs.len() / 4), conflicts: Vec::new(), closed: false };
    let join = |lines: &[&str], range: &Range<usize>| lines[range.clone()].concat();
    for hunk in &hunks {
        out.closed = hunk.kind == Kind::Conflict;
        match hunk.kind {
            Kind::Same | Kind::Ours | Kind::Both => out.text.push_str(&join(&lines.ours, &hunk.ours)),
            Kind::Theirs => out.text.push_str(&join(&lines.theirs, &hunk.theirs)),
            Kind::Conflict => {
                let own = Three {
                    base: join(&lines.base, &hunk.base),
                    ours: join(&lines.ours, &hunk.ours),
                    theirs: join(&lines.theirs, &hunk.theirs),
                };
                out.text.push_str(&conflict(terms, eol, own.each().map(String::as_str)));
                out.conflicts.push(Conflict::Text);
            }
        }
    }
    out
}

/// Merges three texts where no two changes touch; `None` where they do.
pub(super) fn clean(texts: Three<&str>) -> Option<String> {
    let mut numbers = Numbers::default();
    let lines = texts.map(lines_of);
    let all = lines.each().map(|lines| lines.iter().map(|line| numbers.of(line)).collect::<Vec<u32>>());
    let mut out = String::new();
    for hunk in three_way(all.each().map(Vec::as_slice)) {
        match hunk.kind {
            Kind::Same | Kind::Ours | Kind::Both => out.push_str(&lines.ours[hunk.ours].concat()),
            Kind::Theirs => out.push_str(&lines.theirs[hunk.theirs].concat()),
            Kind::Conflict => return None,
        }
    }
    Some(out)
}
