//! Tables: rows as records.
//!
//! In: the lines of a table. Out: cells by GFM's rule (a bar in a code span separates too, an escaped one does not),
//! and which column names what.

use super::attributes::{self, Kind};
use crate::config::Labels;
use crate::text::{TextRange, fold_key_into, line_end, next_line};
use smallvec::SmallVec;

/// What the columns of a table are for: cell numbers from 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    pub(super) count: usize,
    pub(super) subject: Option<usize>,
    pub(super) parameter: usize,
    pub(super) value: usize,
    pub(super) status: Option<usize>,
    pub(super) attributes: Vec<(Kind, usize)>,
}

/// The inner ranges of a row's cells, blanks included, outer bars not.
pub(crate) fn cells(text: &str, line: TextRange) -> SmallVec<[TextRange; 8]> {
    let body = line.trimmed(text);
    let bytes = body.of(text).as_bytes();
    let mut cells = SmallVec::new();
    let mut start = usize::from(bytes.first() == Some(&b'|'));
    for at in memchr::memchr_iter(b'|', bytes) {
        let escaped = bytes[..at].iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1;
        if at < start || escaped {
            continue;
        }
        cells.push(TextRange::new(body.start() + start, body.start() + at));
        start = at + 1;
    }
    if start < bytes.len() {
        cells.push(TextRange::new(body.start() + start, line.end()));
    }
    cells
}

/// The table in a paragraph (as a parser without tables sees it): from the line above the delimiter row to the end.
pub(super) fn in_paragraph(text: &str, paragraph: TextRange) -> Option<TextRange> {
    let body = paragraph.of(text).as_bytes();
    memchr::memchr2(b'\n', b'\r', body)?;
    memchr::memchr(b'|', body)?;
    let mut above = TextRange::new(paragraph.start(), line_end(text, paragraph.start()));
    let mut at = next_line(text, above.end());
    while at < paragraph.end() {
        let line = TextRange::new(at, line_end(text, at).min(paragraph.end()));
        if is_delimiter(line.of(text)) && cells(text, line).len() == cells(text, above).len() {
            return Some(TextRange::new(above.start(), paragraph.end()));
        }
        above = line;
        at = next_line(text, at);
    }
    None
}

/// `| --- | :-: |`
fn is_delimiter(line: &str) -> bool {
    let line = line.trim();
    let shape = |cell: &str| {
        let dashes = cell.trim().trim_start_matches(':').trim_end_matches(':');
        !dashes.is_empty() && dashes.bytes().all(|byte| byte == b'-')
    };
    line.contains('|') && line.bytes().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t')) && {
        let inner = line.strip_prefix('|').unwrap_or(line);
        inner.strip_suffix('|').unwrap_or(inner).split('|').all(shape)
    }
}

/// The lines of a table behind its delimiter row, line endings not included.
pub(super) fn rows(text: &str, table: TextRange) -> impl Iterator<Item = TextRange> + '_ {
    let first = next_line(text, next_line(text, table.start()));
    let mut at = first;
    std::iter::from_fn(move || {
        if at >= table.end() {
            return None;
        }
        let line = TextRange::new(at, line_end(text, at));
        at = next_line(text, at);
        Some(line)
    })
}

/// Reads the header: a table of facts has a parameter and a value column.
pub(super) fn columns(text: &str, table: TextRange, labels: &Labels) -> Option<Columns> {
    let header = cells(text, TextRange::new(table.start(), line_end(text, table.start())));
    let mut columns = Columns { count: header.len(), ..Columns::default() };
    let (mut parameter, mut value) = (None, None);
    let mut name = String::new();
    for (idx, cell) in header.iter().enumerate() {
        fold_key_into(cell.of(text), &mut name);
        match name.as_str() {
            "parameter" | "param" | "key" | "name" | "setting" | "fact" | "property" | "attribute" | "field" => {
                parameter.get_or_insert(idx);
            }
            "параметр" | "ключ" | "имя" | "название" | "настройка" | "факт" | "свойство" | "поле" =>
            {
                parameter.get_or_insert(idx);
            }
            "value" | "значение" => {
                value.get_or_insert(idx);
            }
            "subject" | "entity" | "client" | "субъект" | "объект" | "клиент" => {
                columns.subject.get_or_insert(idx);
            }
            "status" | "state" | "статус" | "состояние" => {
                columns.status.get_or_insert(idx);
            }
            label => {
                if let Some(kind) = attributes::kind_of(label, labels) {
                    columns.attributes.push((kind, idx));
                }
            }
        }
    }
    columns.parameter = parameter?;
    columns.value = value?;
    Some(columns)
}

impl Columns {
    /// A table with a source or status column speaks the format wherever it stands.
    pub(super) fn speaks_format(&self) -> bool {
        self.status.is_some() || self.attributes.iter().any(|&(kind, _)| kind == Kind::Source)
    }
}
