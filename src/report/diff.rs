//! The patch: what `git apply` and `patch -p1` turn the text before into the text after with.
//!
//! memfile knows its edits, so nothing is searched for in whole texts: each run of touched lines is compared with what
//! became of it, and the lines between are context. A line ends at `\n` here and nowhere else, as git sees it.

use super::visible;
use crate::text::{Patch, TextRange};
use similar::{Algorithm, DiffOp};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::Range;

/// Lines of context around a change.
const CONTEXT: usize = 3;
/// Lines of a run of touched lines up to which the smallest difference is looked for. The search is quadratic.
const SMALL: usize = 1000;

/// Writes the unified patch for the file `name` that makes `after` of `before`, where `after` is `patch.apply(before)`;
/// nothing where both are equal. With `color` it is for the eye only: escape sequences colour it, and control
/// characters are spelled out.
///
/// # Errors
/// Only those of `out`.
pub fn diff(out: &mut dyn Write, name: &str, before: &str, after: &str, patch: &Patch, color: bool) -> io::Result<()> {
    let old = Lines::new(before);
    let changes = changes(&old, after, patch);
    let mut pen = Pen { out, color };
    let mut headed = false;
    // How many lines the new text is ahead at the start of the hunk.
    let mut ahead = 0;
    for changes in changes.chunk_by(|a, b| b.old.start - a.old.end <= 2 * CONTEXT) {
        let hunk = Hunk::new(&old, changes);
        if hunk.old().eq(hunk.new_lines()) {
            // A line was moved over lines that are equal to it.
            continue;
        }
        if !headed {
            pen.line(BOLD, &format!("--- {}\n", label("a/", name)))?;
            pen.line(BOLD, &format!("+++ {}\n", label("b/", name)))?;
            headed = true;
        }
        ahead = hunk.write(&mut pen, ahead)?;
    }
    Ok(())
}

/// Some old lines and what stands in their place.
struct Change<'a> {
    /// Line indices, from 0.
    old: Range<usize>,
    new: Vec<&'a str>,
}

/// The lines of a text, each with its ending.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        let newlines = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
        let starts = std::iter::once(0).chain(newlines).filter(|&start| start < text.len()).collect();
        Self { text, starts }
    }

    fn count(&self) -> usize {
        self.starts.len()
    }

    /// The index of the line that holds `offset`: at the end of a text whose last line is ended, the one behind it.
    fn at(&self, offset: usize) -> usize {
        if offset >= self.text.len() && self.text.ends_with('\n') {
            return self.count();
        }
        self.starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    /// The offset at which line `idx` starts.
    fn start(&self, idx: usize) -> usize {
        self.starts.get(idx).copied().unwrap_or(self.text.len())
    }

    fn slice(&self, lines: Range<usize>) -> Vec<&'a str> {
        TextRange::new(self.start(lines.start), self.start(lines.end)).of(self.text).split_inclusive('\n').collect()
    }
}

/// The changed lines, in order; no two changes touch.
fn changes<'a>(old: &Lines<'a>, after: &'a str, patch: &Patch) -> Vec<Change<'a>> {
    let lines = |range: TextRange| old.at(range.start())..(old.at(range.end()) + 1).min(old.count());
    let mut changes = Vec::new();
    // The bytes added and removed before the run of touched lines.
    let (mut added, mut removed) = (0, 0);
    let mut edits = patch.edits().peekable();
    while let Some(edit) = edits.next() {
        let mut touched = lines(edit.range);
        let start = (old.start(touched.start) + added).saturating_sub(removed);
        added += edit.text.len();
        removed += edit.range.len();
        while let Some(next) = edits.next_if(|next| lines(next.range).start <= touched.end) {
            touched.end = touched.end.max(lines(next.range).end);
            added += next.text.len();
            removed += next.range.len();
        }
        let end = (old.start(touched.end) + added).saturating_sub(removed);
        let new: Vec<_> = TextRange::new(start, end).of(after).split_inclusive('\n').collect();
        compare(&old.slice(touched.clone()), &new, touched.start, &mut changes);
    }
    changes
}

/// Adds what is different between `old`, which are the lines from index `first` on, and `new`.
fn compare<'a>(old: &[&'a str], new: &[&'a str], first: usize, changes: &mut Vec<Change<'a>>) {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[start..], &new[start..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[..old.len() - end], &new[..new.len() - end]);
    let first = first + start;
    if old.is_empty() && new.is_empty() {
        return;
    }
    if old.len().max(new.len()) > SMALL {
        changes.push(Change { old: first..first + old.len(), new: new.to_vec() });
        return;
    }
    for op in similar::capture_diff_slices(Algorithm::Myers, old, new) {
        if !matches!(op, DiffOp::Equal { .. }) {
            let range = op.old_range();
            changes.push(Change { old: first + range.start..first + range.end, new: new[op.new_range()].to_vec() });
        }
    }
}

/// Neighbouring changes and the lines around and between them, each with its sign.
struct Hunk<'a> {
    /// The index of the first old line.
    start: usize,
    lines: Vec<(char, &'a str)>,
}

impl<'a> Hunk<'a> {
    fn new(old: &Lines<'a>, changes: &[Change<'a>]) -> Self {
        let (first, last) = (changes.first().map_or(0, |change| change.old.start), changes.last().map_or(0, |change| change.old.end));
        let start = first.saturating_sub(CONTEXT);
        let mut hunk = Self { start, lines: Vec::new() };
        let mut at = start;
        for change in changes {
            hunk.add(' ', &old.slice(at..change.old.start));
            hunk.add('-', &old.slice(change.old.clone()));
            hunk.add('+', &change.new);
            at = change.old.end;
        }
        hunk.add(' ', &old.slice(at..(last + CONTEXT).min(old.count())));
        hunk
    }

    fn add(&mut self, sign: char, lines: &[&'a str]) {
        self.lines.extend(lines.iter().map(|&line| (sign, line)));
    }

    fn old(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter(|(sign, _)| *sign != '+').map(|&(_, line)| line)
    }

    fn new_lines(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter(|(sign, _)| *sign != '-').map(|&(_, line)| line)
    }

    /// Writes the hunk, before which the new text is `ahead` lines ahead; the same number for the next hunk comes back.
    fn write(&self, pen: &mut Pen, ahead: isize) -> io::Result<isize> {
        let (old, new) = (self.old().count(), self.new_lines().count());
        let new_start = self.start.saturating_add_signed(ahead);
        pen.line(CYAN, &format!("@@ -{} +{} @@\n", extent(self.start, old), extent(new_start, new)))?;
        for &(sign, line) in &self.lines {
            let color = match sign {
                '-' => RED,
                '+' => GREEN,
                _ => "",
            };
            pen.line(color, &format!("{sign}{line}"))?;
            if !line.ends_with('\n') {
                pen.line("", "\n\\ No newline at end of file\n")?;
            }
        }
        Ok(ahead + new as isize - old as isize)
    }
}

/// `count` lines from index `start` on, as the head of a hunk names them: an empty run by the line before it.
fn extent(start: usize, count: usize) -> String {
    match count {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        _ => format!("{},{count}", start + 1),
    }
}

/// A file name as git writes it: in C quotes where a reader could not tell where it ends, and with a tab behind it where
/// it holds a space. Letters beyond ASCII stay as they are, as with `core.quotePath=false`.
fn label(side: &str, name: &str) -> String {
    let name = name.strip_prefix('/').unwrap_or(name);
    let mut label = format!("{side}{name}");
    if name.contains(|c: char| c.is_ascii_control() || c == '"' || c == '\\') {
        let mut quoted = String::from("\"");
        for c in label.chars() {
            match c {
                '\u{7}' => quoted.push_str("\\a"),
                '\u{8}' => quoted.push_str("\\b"),
                '\t' => quoted.push_str("\\t"),
                '\n' => quoted.push_str("\\n"),
                '\u{b}' => quoted.push_str("\\v"),
                '\u{c}' => quoted.push_str("\\f"),
                '\r' => quoted.push_str("\\r"),
                '"' | '\\' => quoted.extend(['\\', c]),
                // Writing to a string cannot fail.
                _ if c.is_ascii_control() => _ = write!(quoted, "\\{:03o}", u32::from(c)),
                _ => quoted.push(c),
            }
        }
        quoted.push('"');
        label = quoted;
    }
    if label.contains(' ') {
        label.push('\t');
    }
    label
}

const BOLD: &str = "\u{1b}[1m";
const CYAN: &str = "\u{1b}[36m";
const RED: &str = "\u{1b}[31m";
const GREEN: &str = "\u{1b}[32m";
const RESET: &str = "\u{1b}[m";

/// Writes lines, coloured where that is wanted.
struct Pen<'a> {
    out: &'a mut dyn Write,
    color: bool,
}

impl Pen<'_> {
    fn line(&mut self, color: &str, line: &str) -> io::Result<()> {
        if !self.color {
            return self.out.write_all(line.as_bytes());
        }
        // The colour ends before the line does, or it would run on into what a pager shows beside it.
        let text = line.trim_end_matches(['\r', '\n']);
        let shown = visible(text);
        let reset = if color.is_empty() { "" } else { RESET };
        write!(self.out, "{color}{shown}{reset}{}", line.get(text.len()..).unwrap_or(""))
    }
}

#[cfg(test)]
mod tests;
