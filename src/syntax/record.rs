//! One list item as a record: which shape it has, and where its parts stand (SPEC 3).
//!
//! In: the item's own paragraph and the inline spans in it. Out: [`Parts`], ranges of the whole text. A hand scanner:
//! it looks at each byte a few times and never fails; what it cannot read is a statement.

use super::attributes::{self, Attributes};
use super::key::{KEY_CHARS, Key, key_kind};
use super::marks::Marks;
use super::tag::{self, Tag};
use crate::config::Config;
use crate::text::{TextRange, trim_end_blanks};
use smallvec::SmallVec;

/// How a record is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// `- Ad budget | $4,500/mo | source: call Oct 3`
    Pipe,
    /// `- Database: Postgres 16`
    KeyValue,
    /// A table row.
    Row,
    /// Any other item: no key, never grouped, protected from deletion.
    Statement,
}

/// The parts of a record's own text. An empty range stands for a part that is not there.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) shape: Shape,
    pub(super) subject: TextRange,
    pub(super) parameter: TextRange,
    pub(super) value: TextRange,
    pub(super) attributes: Attributes,
    pub(super) tag: Option<Box<Tag>>,
    /// Where a tag would be written: behind this offset's text.
    pub(super) slot: usize,
    /// Trailing `<!-- memfile: … -->` comments, whole.
    pub(super) comments: TextRange,
}

/// Reads the own paragraph `head` of an item, in which the signs `marks` stand. `None` where it is a log line: its parameter is a date.
pub(super) fn read(text: &str, head: TextRange, marks: Marks, spans: &[TextRange], config: &Config) -> Option<Parts> {
    let (content, comments) = without_comments(text, head);
    let may_be_tagged = marks.has(Marks::TAG);
    let tag = |content, cells| if may_be_tagged { tag::read(text, content, spans, cells) } else { None };
    // A status that opens the text stands before the first cell.
    let opened = tag(content, true).filter(|read| read.tag.opening.is_some());
    let cells = || cells(text, opened.as_ref().map_or(content, |read| read.core), spans);
    let cells = if marks.has(Marks::BAR) { cells() } else { None };
    let mut parts = Parts {
        shape: Shape::Statement,
        subject: TextRange::default(),
        parameter: TextRange::default(),
        value: content,
        attributes: Attributes::default(),
        tag: None,
        slot: content.end(),
        comments,
    };
    if let Some(cells) = cells {
        if pipe(text, cells, spans, may_be_tagged, config, &mut parts) {
            parts.tag = opened.map(|read| read.tag).or(parts.tag);
            return Some(parts);
        }
        parts.attributes = Attributes::default();
        parts.tag = None;
    }
    let mut core = content;
    if let Some(read) = tag(content, false) {
        core = read.core;
        parts.tag = Some(read.tag);
    }
    key_value(text, core, spans, config, &mut parts).then_some(parts)
}

/// Splits trailing `<!-- memfile: … -->` comments off.
fn without_comments(text: &str, head: TextRange) -> (TextRange, TextRange) {
    let mut end = head.end();
    if !head.of(text).trim_ascii_end().ends_with("-->") {
        return (TextRange::new(head.start(), trim_end_blanks(text, head.start(), end)), TextRange::empty(end));
    }
    loop {
        let rest = TextRange::new(head.start(), end).of(text).trim_end();
        let cut = rest.strip_suffix("-->").and_then(|inner| inner.rfind("<!--").map(|at| (at, &inner[at + 4..])));
        match cut {
            Some((at, inner)) if inner.trim_start().starts_with("memfile:") => end = head.start() + at,
            _ => break,
        }
    }
    let content = trim_end_blanks(text, head.start(), end);
    (TextRange::new(head.start(), content), TextRange::new(end, head.end()))
}

type Cells = SmallVec<[TextRange; 6]>;

/// The cells of a pipe record: split at bars with a blank beside them that are not escaped and stand in no span.
fn cells(text: &str, content: TextRange, spans: &[TextRange]) -> Option<Cells> {
    let body = content.of(text);
    let bytes = body.as_bytes();
    let mut cells = Cells::new();
    let mut start = 0;
    let blank = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_none_or(u8::is_ascii_whitespace);
    for at in memchr::memchr_iter(b'|', bytes) {
        let escaped = bytes[..at].iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1;
        let free = !escaped && (blank(at.checked_sub(1)) || blank(Some(at + 1)));
        if free && !inside(spans, content.start() + at) {
            cells.push(TextRange::new(content.start() + start, content.start() + at).trimmed(text));
            start = at + 1;
        }
    }
    cells.push(TextRange::new(content.start() + start, content.end()).trimmed(text));
    (cells.len() > 1).then_some(cells)
}

/// True where `offset` stands in one of the sorted spans.
pub(super) fn inside(spans: &[TextRange], offset: usize) -> bool {
    let at = spans.partition_point(|span| span.end() <= offset);
    spans.get(at).is_some_and(|span| span.contains(offset))
}

/// Fills `parts` from the cells of a pipe record; false where they are none.
fn pipe(text: &str, mut cells: Cells, spans: &[TextRange], may_be_tagged: bool, config: &Config, parts: &mut Parts) -> bool {
    let last = cells.len() - 1;
    if may_be_tagged && let Some(read) = tag::read(text, cells[last], spans, true) {
        cells[last] = read.core;
        parts.tag = Some(read.tag);
    }
    let labelled = |cell: &TextRange| attributes::labelled(text, *cell, &config.labels);
    // A label ends with a colon, and most cells stand before the first one.
    let colon = attributes::colon(text, TextRange::new(cells[0].start(), cells[last].end()));
    let may_be_labelled = |cell: &TextRange| colon.is_some_and(|colon| colon < cell.end());
    let first =
        cells.iter().take(4).enumerate().find_map(|(idx, cell)| may_be_labelled(cell).then(|| labelled(cell))?.map(|label| (idx, label)));
    let facts = first.map_or(cells.len().min(4), |(idx, _)| idx);
    let (subject, parameter, mut value) = match facts {
        2 => (TextRange::default(), cells[0], cells[1]),
        3 => (cells[0], cells[1], cells[2]),
        _ => return false,
    };
    if may_be_tagged
        && parts.tag.is_none()
        && let Some(read) = tag::read(text, value, spans, false)
        && read.core.is_empty()
    {
        // `- Hook | [redacted] as of D | source: …`: the value itself is the tag.
        value = TextRange::empty(value.start());
        parts.tag = Some(read.tag);
    }
    if key_kind(text, parameter, config) != Key::Parameter || (!subject.is_empty() && subject.of(text).chars().count() > 2 * KEY_CHARS) {
        return false;
    }
    let others = cells.iter().skip(facts + 1).filter_map(labelled);
    for (kind, range) in first.map(|(_, label)| label).into_iter().chain(others) {
        parts.attributes.set(kind, range);
    }
    parts.shape = Shape::Pipe;
    (parts.subject, parts.parameter, parts.value) = (subject, parameter, unstruck(text, value, parts));
    true
}

/// Fills `parts` from `KEY: VALUE (attributes)`, or leaves the text a statement. False for a log line.
fn key_value(text: &str, core: TextRange, spans: &[TextRange], config: &Config, parts: &mut Parts) -> bool {
    parts.value = core;
    let Some((key, value)) = separator(text, core, spans) else {
        parts.attributes = attributes::leading_date(text, core, config.date_order);
        return true;
    };
    match key_kind(text, key, config) {
        Key::Date => return false,
        Key::None => {
            parts.attributes = attributes::leading_date(text, core, config.date_order);
            return true;
        }
        Key::Parameter => {}
    }
    let value = without_trailing_comment(text, value.trimmed(text));
    let (value, attributes) = attributes::closing(text, value, spans, config);
    parts.shape = Shape::KeyValue;
    parts.attributes = attributes;
    parts.parameter = key;
    parts.value = unstruck(text, value, parts);
    true
}

/// A comment of a person behind a value is no part of it.
fn without_trailing_comment(text: &str, value: TextRange) -> TextRange {
    let body = value.of(text);
    let cut = body.strip_suffix("-->").and_then(|inner| inner.rfind("<!--"));
    cut.map_or(value, |at| TextRange::new(value.start(), value.start() + at).trimmed(text))
}

/// A value that is struck through as a whole is an old one.
fn unstruck(text: &str, value: TextRange, parts: &mut Parts) -> TextRange {
    if parts.tag.is_some() || !value.of(text).starts_with("~~") {
        return value;
    }
    match tag::read(text, value, &[], false) {
        Some(read) if read.tag.form == tag::Form::Struck => {
            parts.tag = Some(Box::new(Tag { range: TextRange::empty(parts.slot), ..*read.tag }));
            read.core
        }
        _ => value,
    }
}

/// Finds key and value. The key may be bold or code; then a dash separates as well.
fn separator(text: &str, core: TextRange, spans: &[TextRange]) -> Option<(TextRange, TextRange)> {
    let body = core.of(text);
    let base = core.start();
    let marks: &[&str] = if body.starts_with(['*', '_']) { &["**", "__"] } else { &[] };
    for mark in marks {
        if let Some(inner) = body.strip_prefix(*mark)
            && let Some(len) = inner.as_bytes().windows(2).position(|two| two == mark.as_bytes())
        {
            let key = TextRange::new(base + 2, base + 2 + len).trimmed(text);
            let rest = TextRange::new(base + len + 4, core.end());
            if let Some(bare) = key.of(text).strip_suffix([':', '：']) {
                return Some((TextRange::new(key.start(), key.start() + bare.trim_end().len()), rest));
            }
            if let Some(value) = behind_mark(text, rest) {
                return Some((key, value));
            }
        }
    }
    if let Some(first) = spans.iter().find(|span| span.start() >= base)
        && first.start() == base
        && body.starts_with('`')
        && let Some(value) = behind_mark(text, TextRange::new(first.end(), core.end()))
    {
        return Some((*first, value));
    }
    plain_separator(text, core, spans)
}

/// The value behind `:`, `=` or a dash that follows a marked key.
fn behind_mark(text: &str, rest: TextRange) -> Option<TextRange> {
    let body = rest.of(text);
    let trimmed = body.trim_start();
    let skipped = body.len() - trimmed.len();
    let blank = |after: &str| after.is_empty() || after.starts_with(char::is_whitespace);
    let len = match trimmed.chars().next()? {
        ':' | '=' if blank(&trimmed[1..]) => 1,
        '：' => '：'.len_utf8(),
        '-' if skipped > 0 && blank(&trimmed[1..]) => 1,
        dash @ ('—' | '–') if blank(&trimmed[dash.len_utf8()..]) => dash.len_utf8(),
        _ => return None,
    };
    Some(TextRange::new(rest.start() + skipped + len, rest.end()))
}

/// The first `: `, `：` or ` = ` outside spans. Keys are short, so the look is.
fn plain_separator(text: &str, core: TextRange, spans: &[TextRange]) -> Option<(TextRange, TextRange)> {
    let bytes = core.of(text).as_bytes();
    let window = &bytes[..bytes.len().min(8 * KEY_CHARS)];
    let blank = |at: usize| bytes.get(at).is_none_or(u8::is_ascii_whitespace);
    for at in memchr::memchr3_iter(b':', b'=', 0xef, window) {
        let len = match bytes[at] {
            b':' if blank(at + 1) => 1,
            b'=' if blank(at + 1) && at > 0 && blank(at - 1) => 1,
            0xef if bytes[at..].starts_with("：".as_bytes()) => 3,
            _ => continue,
        };
        if !inside(spans, core.start() + at) {
            let key = TextRange::new(core.start(), core.start() + at).trimmed(text);
            return Some((key, TextRange::new(core.start() + at + len, core.end())));
        }
    }
    None
}
