//! What stands where: symbols by section and fact, lenses on facts with a past, and the way from an old version to what replaced it.

use super::super::looking::{Seen, SeenHeading};
use super::commands;
use super::edits::View;
use crate::facts::{is_secret, tag_value};
use crate::query::{Standing, Version};
use crate::report::visible;
use crate::text::{TextRange, count, fold_blanks};
use lsp_types::{CodeLens, DocumentSymbol, DocumentSymbolResponse, Location, SymbolInformation, SymbolKind};

/// Longest name of a symbol, in characters.
const LONGEST: usize = 80;

/// Sections with their facts, facts with their versions.
pub(super) fn symbols(view: &View) -> DocumentSymbolResponse {
    let tree = sections(view);
    if view.client.has_symbol_tree {
        return DocumentSymbolResponse::Nested(tree);
    }
    let mut flat = Vec::new();
    flatten(view, tree, None, &mut flat);
    DocumentSymbolResponse::Flat(flat)
}

fn flatten(view: &View, tree: Vec<DocumentSymbol>, container: Option<&str>, out: &mut Vec<SymbolInformation>) {
    for symbol in tree {
        #[expect(deprecated, reason = "the field must be given")]
        out.push(SymbolInformation {
            name: symbol.name.clone(),
            kind: symbol.kind,
            tags: None,
            deprecated: None,
            location: Location { uri: view.uri.clone(), range: symbol.range },
            container_name: container.map(str::to_owned),
        });
        flatten(view, symbol.children.unwrap_or_default(), Some(&symbol.name), out);
    }
}

/// Headings that have records below them, each in that of the next higher level.
fn sections(view: &View) -> Vec<DocumentSymbol> {
    let look = view.look;
    let end = view.text().len();
    // The open sections, the outermost first: where each ends, its symbol.
    let mut open: Vec<(u8, DocumentSymbol)> = Vec::new();
    let mut roots: Vec<DocumentSymbol> = Vec::new();
    let mut close = |open: &mut Vec<(u8, DocumentSymbol)>, level: u8| {
        while open.last().is_some_and(|(last, _)| *last >= level) {
            let Some((_, symbol)) = open.pop() else { break };
            if symbol.children.as_ref().is_some_and(|children| !children.is_empty()) {
                match open.last_mut() {
                    Some((_, parent)) => parent.children.get_or_insert_default().push(symbol),
                    None => roots.push(symbol),
                }
            }
        }
    };
    let mut facts = Vec::new();
    for (idx, heading) in look.headings.iter().enumerate() {
        let next = look.headings[idx + 1..].iter().map(|next| next.range.start()).next().unwrap_or(end);
        if idx == 0 {
            facts = leaves(view, TextRange::new(0, heading.range.start()));
        }
        close(&mut open, heading.level);
        let reach = look.headings[idx + 1..].iter().find(|next| next.level <= heading.level).map_or(end, |next| next.range.start());
        let mut symbol = section(view, heading, reach);
        symbol.children = Some(leaves(view, TextRange::new(heading.range.end(), next)));
        open.push((heading.level, symbol));
    }
    close(&mut open, 0);
    if look.headings.is_empty() {
        facts = leaves(view, TextRange::new(0, end));
    }
    facts.into_iter().chain(roots).collect()
}

fn section(view: &View, heading: &SeenHeading, reach: usize) -> DocumentSymbol {
    let own = trimmed(view.text(), heading.range);
    symbol(view, &heading.text, SymbolKind::NAMESPACE, TextRange::new(heading.range.start(), reach), own)
}

/// The statements, and the facts whose first record stands in `range`.
fn leaves(view: &View, range: TextRange) -> Vec<DocumentSymbol> {
    let look = view.look;
    let mut out = Vec::new();
    let from = look.records.partition_point(|seen| seen.block.start() < range.start());
    for seen in look.records[from..].iter().take_while(|seen| seen.block.start() < range.end()) {
        let Some(number) = seen.chain else {
            let own = trimmed(view.text(), seen.head);
            out.push(symbol(view, &plain(seen.value.of(view.text())), SymbolKind::STRING, seen.block, own));
            continue;
        };
        let members: Vec<&Seen> = look.records_of(number).collect();
        if members.first().is_some_and(|first| first.head == seen.head) {
            out.push(fact(view, &members));
        }
    }
    out
}

/// A fact with its versions; one that has a single version has no children.
fn fact(view: &View, members: &[&Seen]) -> DocumentSymbol {
    let text = view.text();
    let versions: Vec<(&Seen, Option<&Version>)> = members.iter().map(|&seen| (seen, view.look.version(seen))).collect();
    let holds = |version: &Option<&Version>| version.is_some_and(|version| version.standing == Standing::Current);
    let head = versions.iter().rev().find(|(_, version)| holds(version)).or(versions.last()).or(versions.first());
    let first = members.first().map_or(TextRange::default(), |seen| seen.block);
    let name = plain(members.first().map_or("", |seen| seen.parameter.of(text)));
    let mut whole = symbol(view, &name, SymbolKind::PROPERTY, first, first);
    if let Some((seen, version)) = head {
        whole = symbol(view, &name, SymbolKind::PROPERTY, reach(members), trimmed(text, seen.head));
        let value = plain(seen.value.of(text));
        whole.detail = Some(match version.map(|version| version.standing) {
            Some(standing) if standing != Standing::Current => format!("{value} ({})", standing.as_str()),
            _ => value,
        });
    }
    if members.len() > 1 {
        let child = |(seen, version): &(&Seen, Option<&Version>)| {
            let own = trimmed(text, seen.head);
            let mut child = symbol(view, &plain(seen.value.of(text)), SymbolKind::CONSTANT, seen.block, own);
            child.detail = version.map(|version| version.standing.as_str().to_owned());
            child
        };
        whole.children = Some(versions.iter().map(child).collect());
    }
    whole
}

/// From the first to the last record of a fact.
fn reach(members: &[&Seen]) -> TextRange {
    let start = members.iter().map(|seen| seen.block.start()).min().unwrap_or(0);
    TextRange::new(start, members.iter().map(|seen| seen.block.end()).max().unwrap_or(start))
}

fn symbol(view: &View, name: &str, kind: SymbolKind, range: TextRange, own: TextRange) -> DocumentSymbol {
    // Editors refuse a symbol without a name.
    let name = if name.is_empty() { "…".to_owned() } else { name.to_owned() };
    let own = if range.covers(own) { own } else { TextRange::empty(range.start()) };
    #[expect(deprecated, reason = "the field must be given")]
    DocumentSymbol {
        name,
        detail: None,
        kind,
        tags: None,
        deprecated: None,
        range: view.range(range),
        selection_range: view.range(own),
        children: None,
    }
}

/// A few words on one line; what looks like a secret is not told again.
fn plain(text: &str) -> String {
    if is_secret(text) {
        return tag_value(text, false).into_owned();
    }
    let line = visible(&fold_blanks(text)).into_owned();
    match line.char_indices().nth(LONGEST) {
        None => line,
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

/// A range without the line endings and blanks behind it.
fn trimmed(text: &str, range: TextRange) -> TextRange {
    TextRange::new(range.start(), range.start() + range.of(text).trim_end().len())
}

/// `n earlier values` on each record that holds and has a past; of several that hold on the last one.
pub(super) fn lenses(view: &View) -> Vec<CodeLens> {
    let holds = |seen: &Seen| view.look.version(seen).is_some_and(|version| version.standing == Standing::Current);
    let mut lenses = Vec::new();
    for (number, chain) in view.look.read.chains.iter().enumerate() {
        let past = chain.versions.iter().filter(|version| version.standing.is_past()).count();
        let last = || view.look.records_of(number).filter(|seen| holds(seen)).last();
        let Some(seen) = (past > 0).then(last).flatten() else { continue };
        let range = view.range(trimmed(view.text(), seen.head));
        let command = commands::show_history(count(past, "earlier value"), view, range.start.line);
        lenses.push(CodeLens { range, command: Some(command), data: None });
    }
    lenses.sort_by_key(|lens| lens.range.start);
    lenses
}

/// Where the value stands that replaced the record at the byte `at`.
pub(super) fn successor(view: &View, at: usize) -> Option<Location> {
    let look = view.look;
    let seen = look.record_at(at)?;
    let chain = look.chain(seen)?;
    let own = chain.versions.get(seen.version?)?;
    let follows = |version: &Version| {
        let is_told = version.standing.is_past() || version.standing == Standing::Current;
        is_told && version.content.value != own.content.value
    };
    let behind = seen.version? + 1;
    let next =
        (behind..chain.versions.len()).find(|&idx| follows(&chain.versions[idx])).filter(|_| own.standing == Standing::Historical)?;
    let there = look.records_of(seen.chain?).find(|other| other.version == Some(next))?;
    Some(view.location(trimmed(view.text(), there.head)))
}

/// All records of the fact at the byte `at`, in text order.
pub(super) fn versions(view: &View, at: usize) -> Vec<Location> {
    let chain = view.look.record_at(at).and_then(|seen| seen.chain);
    let records = chain.into_iter().flat_map(|number| view.look.records_of(number));
    records.map(|seen| view.location(trimmed(view.text(), seen.head))).collect()
}
