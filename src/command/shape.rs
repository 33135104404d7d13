//! How a new record is written: in the shape of a neighbour, with its marks, columns and labels.

use super::Refusal;
use crate::config::Cardinality;
use crate::config::{Config, TagLanguage};
use crate::facts::escape_bars;
use crate::repair::{Mark, put_tag};
use crate::syntax::{Bullet, Document, Reading, Record, Shape, parse, row_cells};
use crate::text::{Patch, TextRange, fold_key, line_end};

/// What a new record says.
#[derive(Clone, Copy, Default)]
pub(super) struct New<'a> {
    pub(super) subject: Option<&'a str>,
    pub(super) parameter: &'a str,
    pub(super) value: &'a str,
    pub(super) source: Option<&'a str>,
    pub(super) since: Option<&'a str>,
    pub(super) reason: Option<&'a str>,
}

/// What it is modelled on.
#[derive(Clone, Copy)]
pub(super) enum Model<'a> {
    /// A record of the same fact: subject and parameter are written as there.
    Same(&'a Record),
    /// A record of another fact.
    Neighbour(&'a Record),
    /// Nothing.
    None,
}

/// The record's line, without an ending.
pub(super) fn line(document: &Document, config: &Config, model: Model, new: &New) -> Result<String, Refusal> {
    match model {
        Model::Same(record) => match record.shape {
            Shape::Pipe => Ok(pipe(document, config, Some((record, true)), new)),
            Shape::Row => row(document, record, true, new),
            _ => Ok(key_value(document, config, Some((record, true)), new)),
        },
        Model::Neighbour(record) => match record.shape {
            Shape::Row => row(document, record, false, new),
            _ if new.subject.is_some() || record.shape == Shape::Pipe => Ok(pipe(document, config, Some((record, false)), new)),
            _ => Ok(key_value(document, config, Some((record, false)), new)),
        },
        Model::None if new.subject.is_some() || new.source.is_some() => Ok(pipe(document, config, None, new)),
        Model::None => Ok(key_value(document, config, None, new)),
    }
}

/// Indentation, mark and blanks in front of a record's own text.
fn lead<'t>(document: &Document<'t>, record: &Record) -> &'t str {
    TextRange::new(record.block.start(), record.head.start()).of(document.text)
}

/// Where the own text begins behind a tag that opens it.
fn own_start(document: &Document, record: &Record) -> usize {
    let opening = record.tag.as_deref().and_then(|tag| tag.opening);
    let Some(opening) = opening else { return record.head.start() };
    let behind = &document.text[opening.end()..record.head.end()];
    opening.end() + behind.len() - behind.trim_start().len()
}

fn key_value(document: &Document, config: &Config, model: Option<(&Record, bool)>, new: &New) -> String {
    let text = document.text;
    let mut out = String::new();
    let Some((record, same)) = model else {
        return format!("- {}: {}{}", new.parameter, new.value, parenthesis(document, config, None, new));
    };
    out.push_str(lead(document, record));
    let start = own_start(document, record);
    if same {
        let key = TextRange::new(start, record.value.start()).of(text);
        let key = key.trim_start_matches("~~");
        out.push_str(key.strip_suffix("~~").unwrap_or(key));
        if !out.ends_with([' ', '\t']) && !out.ends_with('：') {
            out.push(' ');
        }
    } else if record.shape == Shape::KeyValue && !record.value.is_empty() {
        let code = record.parameter.of(text).starts_with('`');
        out.push_str(TextRange::new(start, record.parameter.start()).of(text).trim_start_matches("~~"));
        out.push_str(&if code { format!("`{}`", new.parameter) } else { new.parameter.to_owned() });
        let between = TextRange::new(record.parameter.end(), record.value.start()).of(text);
        out.push_str(between.strip_suffix("~~").unwrap_or(between));
    } else {
        out.push_str(new.parameter);
        out.push_str(": ");
    }
    out.push_str(new.value);
    out.push_str(&parenthesis(document, config, Some(record), new));
    if same {
        out.push_str(&directive(record));
    }
    out
}

/// `<!-- memfile: many -->` stands on each value.
fn directive(record: &Record) -> String {
    match record.cardinality {
        Some(Cardinality::Many) => " <!-- memfile: many -->".to_owned(),
        Some(Cardinality::Volatile) => " <!-- memfile: volatile -->".to_owned(),
        Some(Cardinality::One) | None => String::new(),
    }
}

/// ` (source: S; since: D)`; a date alone is written ` (since D)`.
fn parenthesis(document: &Document, config: &Config, record: Option<&Record>, new: &New) -> String {
    let labels = Labels::new(document, config, record, Shape::KeyValue);
    // A semicolon would end the attribute.
    let plain = |text: &str| text.replace("; ", ", ").replace(';', ",");
    let mut parts = Vec::new();
    if let Some(source) = new.source {
        parts.push(format!("{}: {}", labels.source, plain(source)));
    }
    if let Some(since) = new.since {
        let alone = new.source.is_none() && new.reason.is_none() && !labels.colon;
        parts.push(if alone { format!("{} {since}", labels.since) } else { format!("{}: {since}", labels.since) });
    }
    if let Some(reason) = new.reason {
        parts.push(format!("{}: {}", labels.reason, plain(reason)));
    }
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join("; ")) }
}

fn pipe(document: &Document, config: &Config, model: Option<(&Record, bool)>, new: &New) -> String {
    let text = document.text;
    let record = model.map(|(record, _)| record);
    let labels = Labels::new(document, config, record, Shape::Pipe);
    let mut cells: Vec<String> = Vec::new();
    match model {
        Some((record, true)) => {
            if !record.subject.is_empty() {
                cells.push(record.subject.of(text).to_owned());
            }
            cells.push(record.parameter.of(text).to_owned());
        }
        _ => {
            cells.extend(new.subject.map(escape_bars));
            cells.push(escape_bars(new.parameter));
        }
    }
    cells.push(escape_bars(new.value));
    let source = new.source.map(|source| format!("{}: {}", labels.source, escape_bars(source)));
    let since = new.since.map(|since| format!("{}: {since}", labels.since));
    let late = record.is_some_and(|record| {
        let (source, since) = (record.attributes.source(), record.attributes.since());
        !source.is_empty() && !since.is_empty() && since.start() < source.start()
    });
    cells.extend(if late { [since, source] } else { [source, since] }.into_iter().flatten());
    cells.extend(new.reason.map(|reason| format!("{}: {}", labels.reason, escape_bars(reason))));
    let lead = record.map_or("- ", |record| lead(document, record));
    let comment = model.filter(|(_, same)| *same).map_or(String::new(), |(record, _)| directive(record));
    format!("{lead}{}{comment}", cells.join(" | "))
}

/// A row with the columns of `model` and its padding.
fn row(document: &Document, model: &Record, same: bool, new: &New) -> Result<String, Refusal> {
    let text = document.text;
    let line = model.head;
    let cells = row_cells(text, line);
    let escape = |value: &str| escape_bars(&value.replace('`', "\u{1}")).replace('\u{1}', "`");
    let column = |range: TextRange, cell: &TextRange| {
        let there = range != TextRange::default();
        there && cell.start() <= range.start() && range.end() <= cell.end()
    };
    let attributes = &model.attributes;
    let mut wanted: Vec<(TextRange, &str, Option<&str>)> = vec![
        (attributes.source(), "source", new.source),
        (attributes.since(), "since", new.since),
        (attributes.reason(), "reason", new.reason),
    ];
    let mut out = text[model.block.start()..cells.first().map_or(line.start(), |cell| cell.start())].to_owned();
    for (idx, cell) in cells.iter().enumerate() {
        let own = cell.of(text);
        let content = if column(model.parameter, cell) {
            if same { own.trim().to_owned() } else { escape(new.parameter) }
        } else if column(model.subject, cell) && !model.subject.is_empty() {
            if same { own.trim().to_owned() } else { new.subject.map(escape).unwrap_or_default() }
        } else if column(model.value, cell) {
            escape(new.value)
        } else if let Some(at) = wanted.iter().position(|(range, _, given)| given.is_some() && column(*range, cell)) {
            escape(wanted.remove(at).2.unwrap_or_default())
        } else if is_current_word(own) {
            own.trim().to_owned()
        } else {
            String::new()
        };
        out.push_str(&padded(own, &content));
        let next = cells.get(idx + 1).map_or(line.end(), |next| next.start());
        out.push_str(&text[cell.end()..next]);
    }
    if let Some((_, label, _)) = wanted.iter().find(|(_, _, given)| given.is_some()) {
        return Err(Refusal::Usage(format!("this table has no column for {label}; nothing is written")));
    }
    Ok(out)
}

/// A status cell that says in plain words that the row holds.
fn is_current_word(cell: &str) -> bool {
    matches!(fold_key(cell).as_str(), "current" | "active" | "действует" | "текущее" | "текущий" | "актуально")
}

/// `content` with the blanks of `model` around it, as wide as `model` where it fits.
fn padded(model: &str, content: &str) -> String {
    let inner = model.trim();
    let before = if inner.is_empty() { " " } else { &model[..model.len() - model.trim_start().len()] };
    let width = model.chars().count();
    if content.is_empty() {
        return if width == 0 { String::new() } else { " ".repeat(if inner.is_empty() { width } else { width.max(1) }) };
    }
    let behind = usize::from(inner.is_empty() || model.ends_with([' ', '\t']));
    let used = before.chars().count() + content.chars().count();
    format!("{before}{content}{}", " ".repeat(width.saturating_sub(used).max(behind)))
}

/// The words for the attributes, as the neighbours write them.
struct Labels {
    source: String,
    since: String,
    reason: String,
    /// A date alone is written with a colon behind its label.
    colon: bool,
}

impl Labels {
    fn new(document: &Document, config: &Config, near: Option<&Record>, shape: Shape) -> Self {
        let ru = config.tag_language == TagLanguage::Ru;
        let since = match (shape, ru) {
            (Shape::Pipe, false) => "effective since",
            (Shape::Pipe, true) => "действует с",
            (_, false) => "since",
            (_, true) => "с",
        };
        let (source, reason) = if ru { ("источник", "причина") } else { ("source", "reason") };
        let mut labels = Self { source: source.into(), since: since.into(), reason: reason.into(), colon: false };
        let others = document.records.iter().filter(|record| near.is_none_or(|near| near.container == record.container));
        let all: Vec<&Record> = near.into_iter().chain(others).chain(&document.records).filter(|record| record.shape == shape).collect();
        let find = |of: &dyn Fn(&Record) -> TextRange| all.iter().find_map(|record| label(document, record, of(record)));
        if let Some((words, _)) = find(&|record| record.attributes.source()) {
            labels.source = words;
        }
        if let Some((words, colon)) = find(&|record| record.attributes.since()) {
            (labels.since, labels.colon) = (words, colon && near.is_some_and(|near| near.attributes.source().is_empty()));
        }
        if let Some((words, _)) = find(&|record| record.attributes.reason()) {
            labels.reason = words;
        }
        labels
    }
}

/// The label in front of an attribute, and whether a colon stands behind it.
fn label(document: &Document, record: &Record, range: TextRange) -> Option<(String, bool)> {
    if range.is_empty() || range.start() < record.value.end() {
        return None;
    }
    let before = TextRange::new(record.value.end(), range.start()).of(document.text);
    let words = before.rsplit(['|', '(', ';']).next()?.trim();
    let bare = words.strip_suffix([':', '：']);
    let label = bare.unwrap_or(words).trim();
    (!label.is_empty() && !label.contains(['\n', '\r'])).then(|| (label.to_owned(), bare.is_some()))
}

/// `line` with a tag. A row shows where the tag goes by the row `model` of its table.
pub(super) fn tagged(document: &Document, config: &Config, model: Option<&Record>, line: &str, mark: &Mark) -> String {
    let indent = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
    let row = model.filter(|model| model.bullet == Bullet::Row);
    let (head, own) = match row {
        // A row is read below the head of its table.
        Some(row) => (table_head(document, row), line),
        None => (String::new(), &line[indent.len()..]),
    };
    let text = format!("{head}{own}");
    let parsed = parse(&text, Reading { config, whole_file: true, also: None });
    let Some(record) = parsed.records.last() else { return line.to_owned() };
    let mut patch = Patch::default();
    patch.try_add(&put_tag(record, mark, None, config));
    let tagged = patch.apply(&text);
    let indent = if row.is_some() { "" } else { indent };
    format!("{indent}{}", &tagged[head.len()..])
}

/// The header and the delimiter of the table that `row` stands in.
fn table_head(document: &Document, row: &Record) -> String {
    let text = document.text;
    let first = document.records.iter().find(|record| record.container == row.container && record.bullet == Bullet::Row);
    let mut starts = Vec::new();
    let mut at = first.map_or(row.block.start(), |first| first.block.start());
    // Rows that are no records may stand between: the delimiter is the line above the first of them.
    while at > 0 {
        at = crate::text::line_start(text, at - 1);
        starts.push(at);
        let line = TextRange::new(at, line_end(text, at)).of(text).trim();
        let is_delimiter = line.contains('-') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t'));
        if is_delimiter && at > 0 {
            let head = crate::text::line_start(text, at - 1);
            return text[head..crate::text::next_line(text, at)].to_owned();
        }
    }
    String::new()
}
