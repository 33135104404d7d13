//! Settings in TOML: a text and pieces come in, the text after goes out.
//!
//! Tables may stand anywhere, so what is put in stands as a block at the end, and not one byte before it changes. A block that is
//! still as it was written is cut out again; one that someone changed is taken out table by table, and then the rest of the file is
//! written by `toml_edit`, which keeps comments and order.

use super::pieces::{Piece, is_own_hook, is_own_server};
use serde_json::Value;
use std::fmt::Write as _;
use toml_edit::{DocumentMut, Item, Table};

/// The text with all of `pieces`; those that are there stay as they are.
///
/// # Errors
/// Why the text is no such settings file, with the line.
pub(super) fn add(text: &str, pieces: &[Piece]) -> Result<String, String> {
    let document = parse(text)?;
    let eol = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut after = text.to_owned();
    for piece in pieces.iter().filter(|piece| !is_there(&document, piece)) {
        if !after.trim_start_matches('\u{feff}').is_empty() {
            let is_open = !after.ends_with('\n');
            after.push_str(if is_open { eol } else { "" });
            after.push_str(eol);
        }
        after.push_str(&block(piece).replace('\n', eol));
    }
    // What is written in one line cannot be gone on with behind it.
    let lines = || pieces.iter().map(block).collect::<Vec<_>>().join("\n");
    parse(&after).map_err(|_| {
        format!("`hooks` or `mcp_servers` is written in a form that cannot be added to; add these lines by hand:\n\n{}", lines())
    })?;
    Ok(after)
}

/// The text without what is memfile's at the places of `pieces`.
///
/// # Errors
/// As [`add`].
pub(super) fn take_out(text: &str, pieces: &[Piece]) -> Result<String, String> {
    parse(text)?;
    let eol = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut after = text.to_owned();
    for piece in pieces.iter().rev() {
        let block = block(piece).replace('\n', eol);
        let Some(start) = after.find(&block) else { continue };
        // Only at the beginning of a line, and with the blank line that was put before it.
        let before = &after[..start];
        let gap = if before.ends_with(&eol.repeat(2)) { eol.len() } else { 0 };
        if before.is_empty() || before.ends_with('\n') || before == "\u{feff}" {
            after.replace_range(start - gap..start + block.len(), "");
        }
    }
    let mut document = parse(&after)?;
    if pieces.iter().any(|piece| is_there(&document, piece)) {
        pieces.iter().for_each(|piece| take(document.as_table_mut(), piece));
        let written = document.to_string();
        let bom = if after.starts_with('\u{feff}') { "\u{feff}" } else { "" };
        after = format!("{bom}{}", written.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\n', eol));
    }
    Ok(after)
}

fn parse(text: &str) -> Result<DocumentMut, String> {
    text.trim_start_matches('\u{feff}')
        .parse()
        .map_err(|error: toml_edit::TomlError| format!("is no TOML: {}", error.to_string().trim_end()))
}

/// A piece as tables.
fn block(piece: &Piece) -> String {
    let mut out = String::new();
    let mut pairs = |value: &Value| {
        for (name, value) in value.as_object().into_iter().flatten().filter(|(_, value)| !value.is_array() || value[0].is_string()) {
            // JSON's strings, numbers and arrays of strings are TOML's, too, but for what no command holds.
            let _ = writeln!(out, "{name} = {}", value.to_string().replace("\",\"", "\", \""));
        }
        std::mem::take(&mut out)
    };
    match piece {
        Piece::Frame { .. } => String::new(),
        Piece::Property { object, name, value } => format!("[{object}.{name}]\n{}", pairs(value)),
        Piece::Element { path: [first, second], value } => {
            let group = pairs(value);
            let hooks: Vec<String> = value["hooks"].as_array().into_iter().flatten().map(&mut pairs).collect();
            let inner: String = hooks.iter().map(|hook| format!("\n[[{first}.{second}.hooks]]\n{hook}")).collect();
            format!("[[{first}.{second}]]\n{group}{}", if group.is_empty() { inner.trim_start_matches('\n') } else { &inner })
        }
    }
}

fn is_there(document: &DocumentMut, piece: &Piece) -> bool {
    match piece {
        Piece::Frame { .. } => true,
        Piece::Property { object, name, .. } => document.get(object).and_then(|object| object.get(name)).is_some_and(is_server),
        Piece::Element { path: [first, second], .. } => {
            let event = document.get(first).and_then(|hooks| hooks.get(second));
            groups(event).any(|group| hooks(group.get("hooks")).any(|command| is_own_hook(&command)))
        }
    }
}

/// A server of this name is there, or is ours; another's is left as it is.
fn is_server(item: &Item) -> bool {
    item.as_table_like().is_some()
}

fn groups(event: Option<&Item>) -> impl Iterator<Item = &Table> {
    event.and_then(Item::as_array_of_tables).into_iter().flat_map(|tables| tables.iter())
}

fn hooks(item: Option<&Item>) -> impl Iterator<Item = String> {
    let tables = item.and_then(Item::as_array_of_tables).into_iter().flat_map(|tables| tables.iter());
    let of_tables = tables.filter_map(|table| table.get("command")?.as_str().map(str::to_owned));
    let inline = item.and_then(Item::as_array).into_iter().flat_map(|array| array.iter());
    let of_inline = inline.filter_map(|value| value.as_inline_table()?.get("command")?.as_str().map(str::to_owned));
    of_tables.chain(of_inline)
}

/// Takes one piece out of the tables, and what that leaves empty.
fn take(top: &mut Table, piece: &Piece) {
    match piece {
        Piece::Frame { .. } => {}
        Piece::Property { object, name, value } => {
            let Some(servers) = top.get_mut(object).and_then(Item::as_table_like_mut) else { return };
            let command = servers.get(name).and_then(|server| server.get("command")).and_then(Item::as_str).map(str::to_owned);
            if command.is_some_and(|command| is_own_server(&serde_json::json!({ "command": command, "args": value["args"] }))) {
                servers.remove(name);
            }
            let is_empty = servers.is_empty();
            if is_empty {
                top.remove(object);
            }
        }
        Piece::Element { path: [first, second], .. } => {
            let Some(events) = top.get_mut(first).and_then(Item::as_table_like_mut) else { return };
            let Some(groups) = events.get_mut(second).and_then(Item::as_array_of_tables_mut) else { return };
            groups.retain(|group| !hooks(group.get("hooks")).all(|command| is_own_hook(&command)) || group.get("hooks").is_none());
            if groups.is_empty() {
                events.remove(second);
            }
            let is_empty = events.is_empty();
            if is_empty {
                top.remove(first);
            }
        }
    }
}
