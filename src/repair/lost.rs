//! The text of a record that comes back.

use super::blocks::{indent, prefix};
use super::tagging::{put_tag, take_tag};
use super::words::{Mark, tag_words};
use crate::config::Config;
use crate::syntax::{Bullet, Document, Record};
use crate::text::{Patch, TextEdit, TextRange, line_end, next_line};
use rustc_hash::FxHashSet;
use std::cell::OnceCell;

/// What the record says when it is back.
pub(super) enum Back<'m> {
    /// What it said, byte for byte.
    AsItWas,
    /// The same with this tag.
    Tagged(&'m Mark<'m>),
    /// Its value erased as of this day.
    Redacted(&'m str),
}

/// The block of `record` (of the document `base`) as it comes back into `file`, beside its record `neighbour`; true beside that: under it,
/// as it is the label.
pub(super) fn block(
    base: &Document,
    record: &Record,
    file: &Target,
    neighbour: Option<(&Record, bool)>,
    back: &Back,
    config: &Config,
) -> String {
    let own = TextRange::new(record.block.start(), record.children().start().max(record.head.end()));
    let own = if record.children().is_empty() { record.block } else { own };
    let mut patch = Patch::default();
    let edits = match back {
        Back::AsItWas => Vec::new(),
        Back::Tagged(mark) => put_tag(record, mark, None, config).into_vec(),
        Back::Redacted(today) => redaction(base.text, record, today, config),
    };
    patch.try_add(&edits);
    let lead = match neighbour {
        Some((label, true)) => below(base.text, record, prefix(label).of(file.document.text)),
        Some((neighbour, false)) if adapts(base, record, file.document, neighbour) => prefix(neighbour).of(file.document.text).to_owned(),
        _ => prefix(record).of(base.text).to_owned(),
    };
    patch.try_add(&[TextEdit::replace(prefix(record), lead)]);
    let mut text = patch.apply_within(base.text, own);
    if !matches!(back, Back::Redacted(_)) {
        text.push_str(&missing_children(base.text, record, file));
    }
    file.fit_endings(&text)
}

/// Another list mark in the place would split the list.
fn adapts(base: &Document, record: &Record, file: &Document, neighbour: &Record) -> bool {
    let (Bullet::Mark(own), Bullet::Mark(other)) = (record.bullet, neighbour.bullet) else { return false };
    let deeper = indent(base.text, record) != indent(file.text, neighbour) && record.children().is_empty();
    own != other || deeper
}

/// What stands before `record` where it comes back as an item below one that begins with `lead`.
fn below(base: &str, record: &Record, lead: &str) -> String {
    let own = prefix(record).of(base);
    let depth = |lead: &str| lead.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    if depth(own) > depth(lead) { own.to_owned() } else { [&" ".repeat(lead.len()), own.trim_start_matches([' ', '\t'])].concat() }
}

/// `- KEY: [redacted] as of WHEN`; what stood behind the value goes too, but for the cells of a pipe record or a row.
pub(crate) fn redaction(text: &str, record: &Record, today: &str, config: &Config) -> Vec<TextEdit> {
    let (status, rest) = tag_words(&Mark::Redacted(Some(today.into())), None, config.tag_language);
    let end = match record.shape {
        crate::syntax::Shape::Pipe | crate::syntax::Shape::Row => record.value.end(),
        _ => record.head.end(),
    };
    let value = TextRange::new(record.value.start(), end);
    let mut edits = vec![TextEdit::replace(value, format!("{status}{rest}"))];
    edits.extend(take_tag(text, record).into_iter().filter(|edit| edit.range.start() >= value.end()));
    edits
}

/// The children of a lost record that are no longer in the file; a child goes whole or not at all.
fn missing_children(base: &str, record: &Record, file: &Target) -> String {
    if record.children().is_empty() {
        return String::new();
    }
    let known = file.lines.get_or_init(|| file.document.text.lines().map(str::trim).collect());
    let mut out = String::new();
    for child in children(base, record.children()) {
        let lines = child.of(base).lines().map(str::trim).filter(|line| !line.is_empty());
        if lines.into_iter().any(|line| !known.contains(line)) {
            out.push_str(child.of(base));
        }
    }
    out
}

/// Cuts the lines behind a record's own text into children: each begins at the least indentation, with a list mark or behind a
/// blank line.
fn children(text: &str, range: TextRange) -> Vec<TextRange> {
    let mut lines = Vec::new();
    let mut at = range.start();
    while at < range.end() {
        lines.push(TextRange::new(at, next_line(text, at).min(range.end())));
        at = next_line(text, at);
    }
    let depth = |line: &TextRange| line.of(text).bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let filled = |line: &&TextRange| !line.of(text).trim().is_empty();
    let least = lines.iter().filter(filled).map(depth).min().unwrap_or(0);
    let mut out: Vec<TextRange> = Vec::new();
    let mut after_blank = true;
    let mut fence = false;
    for line in lines {
        let body = line.of(text).trim_start();
        let marked = body.starts_with(['-', '*', '+']) || body.starts_with(|c: char| c.is_ascii_digit());
        let begins = !fence && !body.is_empty() && depth(&line) == least && (marked || after_blank);
        if body.starts_with("```") || body.starts_with("~~~") {
            fence = !fence;
        }
        after_blank = TextRange::new(line.start(), line_end(text, line.start())).of(text).trim().is_empty();
        match out.last_mut() {
            Some(last) if !begins => *last = TextRange::new(last.start(), line.end()),
            _ => out.push(line),
        }
    }
    out
}

/// The file that records come back into; what is asked of it for each of them is looked up once.
pub(super) struct Target<'a, 't> {
    pub(super) document: &'a Document<'t>,
    lines: OnceCell<FxHashSet<&'t str>>,
    endings: OnceCell<(bool, bool)>,
}

impl<'a, 't> Target<'a, 't> {
    pub(super) fn new(document: &'a Document<'t>) -> Self {
        Self { document, lines: OnceCell::new(), endings: OnceCell::new() }
    }

    /// Line endings that the file does not use become the file's; others stay.
    fn fit_endings(&self, block: &str) -> String {
        let text = self.document.text;
        let &(crlf, lf) = self.endings.get_or_init(|| {
            let before = |at: usize| at.checked_sub(1).map(|at| text.as_bytes()[at]);
            let lf = memchr::memchr_iter(b'\n', text.as_bytes()).any(|at| before(at) != Some(b'\r'));
            (text.contains("\r\n"), lf)
        });
        let has_crlf = block.contains("\r\n");
        if has_crlf && !crlf && lf {
            block.replace("\r\n", "\n")
        } else if !has_crlf && crlf && !lf {
            block.replace('\n', "\r\n")
        } else {
            block.to_owned()
        }
    }
}
