//! `archive`: old history moves to `NAME.history.md` beside the file, byte for byte, under the headings it stood under.
//!
//! In: both texts and how many historical versions of each fact stay. Out: [`Archived`], both texts after.

use crate::check::{Subject, analyse};
use crate::facts::{Life, Verdict, Version};
use crate::repair::{Analysis, delete_block, indent};
use crate::syntax::{Bullet, Document, Reading, Record, Region, RegionKind, parse};
use crate::text::{Eol, Patch, TextEdit, TextRange, fold_heading, line_end, line_start, next_line, trim_end_blanks};
use rustc_hash::FxHashMap;

/// Both texts after a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Archived {
    /// The file.
    pub text: String,
    /// The archive.
    pub archive: String,
    /// How many records moved.
    pub moved: usize,
}

/// Where a record stands in both files.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct Section {
    /// Level and text of the headings above it.
    path: Vec<(u8, String)>,
    /// The `Facts about X` line of its block.
    lead: Option<String>,
    /// Header and delimiter of its table.
    table: Option<String>,
}

/// Moves all but the `keep` latest historical versions of each fact of `text` into `old`, the archive as it is. `names` are the
/// file names of both. `None` where there is nothing to move.
pub fn archive(text: &str, subject: &Subject, old: Option<&str>, names: (&str, &str), keep: usize) -> Option<Archived> {
    let alone = Subject { baseline: None, cross: &[], ..subject.clone() };
    analyse(text, &alone, |analysis, _| {
        let document = analysis.facts.document;
        let mut moved: Vec<u32> = old_versions(analysis, keep);
        moved.sort_unstable();
        if moved.is_empty() {
            return None;
        }
        let eol = Eol::near(text, 0).as_str();
        let mut blocks: Vec<(Section, String)> = Vec::new();
        let mut places: FxHashMap<Section, usize> = FxHashMap::default();
        for &number in &moved {
            let record = &document.records[number as usize];
            let section = section(document, record);
            let at = *places.entry(section.clone()).or_insert_with(|| {
                blocks.push((section, String::new()));
                blocks.len() - 1
            });
            let block = record.block.of(text);
            blocks[at].1.push_str(block);
            if Eol::of_line(block).is_none() {
                blocks[at].1.push_str(eol);
            }
        }
        let mut archive = old.map_or_else(|| header(names.0, eol), str::to_owned);
        for (section, body) in &blocks {
            archive = put(&archive, section, body, eol);
        }
        let text = without(document, &moved, names.1);
        Some(Archived { text, archive, moved: moved.len() })
    })
}

/// How many historical versions the fact with the most of them has.
pub(crate) fn most(text: &str, subject: &Subject) -> usize {
    let alone = Subject { baseline: None, cross: &[], ..subject.clone() };
    analyse(text, &alone, |analysis, _| by_group(analysis).into_values().map(|(past, _)| past.len()).max().unwrap_or(0))
}

/// For each group its historical versions that can move, oldest first, and whether anything of it stays.
fn by_group(analysis: &Analysis) -> FxHashMap<u32, (Vec<u32>, bool)> {
    let document = analysis.facts.document;
    let mut groups: FxHashMap<u32, (Vec<u32>, bool)> = FxHashMap::default();
    for grouped in &analysis.groups {
        let arrangement = &grouped.arrangement;
        let (Some(number), Verdict::Ordered) = (grouped.group, &arrangement.verdict) else { continue };
        let entry = groups.entry(number).or_default();
        let is_past = |version: &Version| matches!(version.life, Life::Old | Life::Closed);
        let past: Vec<u32> = arrangement.chain.iter().filter(|version| is_past(version)).filter_map(Version::in_file).collect();
        entry.1 |= past.len() < arrangement.chain.len();
        entry.0.extend(past);
    }
    // The last state of a fact stays, so that the fact does.
    for (past, stays) in groups.values_mut() {
        if !*stays {
            past.pop();
        }
        past.retain(|&record| can_move(document, &document.records[record as usize]));
    }
    groups
}

fn old_versions(analysis: &Analysis, keep: usize) -> Vec<u32> {
    let groups = by_group(analysis).into_values();
    groups.flat_map(|(past, _)| past[..past.len().saturating_sub(keep)].to_vec()).collect()
}

/// Numbered items never move, and items below a label would lose it.
fn can_move(document: &Document, record: &Record) -> bool {
    record.bullet != Bullet::Number && indent(document.text, record).len() < 2
}

fn section(document: &Document, record: &Record) -> Section {
    let text = document.text;
    let mut path: Vec<(u8, String)> = Vec::new();
    for heading in document.headings.iter().rev().filter(|heading| heading.range.start() < record.block.start()) {
        if path.last().is_none_or(|(level, _)| heading.level < *level) {
            path.push((heading.level, heading.text.of(text).to_owned()));
        }
    }
    path.reverse();
    let scope = &document.scopes[record.scope as usize];
    let region = scope.region.map(|region| &document.regions[region as usize]);
    let lead = scope.subject.as_ref().filter(|_| record.subject.is_empty()).and_then(|_| lead_line(text, region, record));
    let table = (record.bullet == Bullet::Row).then(|| table_head(document, record));
    Section { path, lead, table }
}

/// The `Facts about X` line above a record.
fn lead_line(text: &str, region: Option<&Region>, record: &Record) -> Option<String> {
    let start = region.map_or(0, |region| region.range.start());
    let above = TextRange::new(start, record.block.start()).of(text);
    let is_lead = |line: &&str| {
        let lower = line.trim_start().to_lowercase();
        ["facts about ", "факты о ", "факты об ", "факты про "].iter().any(|lead| lower.starts_with(lead))
    };
    above.lines().rev().find(is_lead).map(str::to_owned)
}

fn table_head(document: &Document, row: &Record) -> String {
    let text = document.text;
    let mut at = row.block.start();
    while at > 0 {
        at = line_start(text, at - 1);
        let line = TextRange::new(at, line_end(text, at)).of(text).trim();
        if line.contains('-') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t')) && at > 0 {
            return text[line_start(text, at - 1)..next_line(text, at)].to_owned();
        }
    }
    String::new()
}

fn header(name: &str, eol: &str) -> String {
    format!("---{eol}memfile: true{eol}---{eol}{eol}<!-- Older versions of the facts in {name}, moved here by `memfile archive`. -->{eol}")
}

/// `archive` with `body` at the end of a section, which is made where it is not there.
fn put(archive: &str, section: &Section, body: &str, eol: &str) -> String {
    let config = crate::config::Config::default();
    let document = parse(archive, Reading { config: &config, whole_file: true, also: None });
    let (start, end, missing) = find(&document, &section.path);
    let mut out = archive[..end].trim_end_matches([' ', '\t', '\n', '\r']).to_owned();
    let rest = archive[end..].to_owned();
    let own = TextRange::new(start.min(out.len()), out.len()).of(archive);
    let mut fresh = String::new();
    for (level, heading) in missing {
        fresh.push_str(&format!("{eol}{} {heading}{eol}", "#".repeat(usize::from(*level))));
    }
    let known = |words: &str| missing.is_empty() && own.contains(words);
    match (&section.lead, &section.table) {
        (Some(lead), _) if known(lead) => {
            // Into the element that has the line: before its end tag.
            let at = start + own.find(lead.as_str()).unwrap_or(0);
            let close = out[at..].to_lowercase().find("</memory>").map_or(out.len(), |found| at + found);
            out.insert_str(close, body);
            return joined(out, &rest, eol);
        }
        (Some(lead), _) => fresh.push_str(&format!("{eol}<Memory>{eol}{lead}{eol}{eol}{body}</Memory>{eol}")),
        (None, Some(table)) if known(table.trim_end()) => {
            let at = start + own.find(table.trim_end()).unwrap_or(0);
            // Behind the last row of that table.
            let mut line = at;
            while line < out.len() && out[line..line_end(&out, line)].contains('|') {
                line = next_line(&out, line);
            }
            if line >= out.len() && Eol::of_line(&out).is_none() {
                out.push_str(eol);
                line = out.len();
            }
            out.insert_str(line, body);
            return joined(out, &rest, eol);
        }
        (None, Some(table)) => fresh.push_str(&format!("{eol}{table}{body}")),
        (None, None) => {
            let last = &out[line_start(&out, out.len())..];
            let list = missing.is_empty() && last.trim_start().starts_with(['-', '*', '+']);
            fresh.push_str(if list { "" } else { eol });
            fresh.push_str(body);
        }
    }
    if !out.is_empty() {
        out.push_str(eol);
    }
    out.push_str(&fresh);
    joined(out, &rest, eol)
}

/// Two pieces with one blank line between.
fn joined(mut head: String, rest: &str, eol: &str) -> String {
    let rest = rest.trim_start_matches(['\n', '\r']);
    if !rest.is_empty() {
        if Eol::of_line(&head).is_none() {
            head.push_str(eol);
        }
        head.push_str(eol);
        head.push_str(rest);
    } else if Eol::of_line(&head).is_none() {
        head.push_str(eol);
    }
    head
}

/// The own text of the section `path`: where it starts and ends, and the headings that are not there.
fn find<'p>(document: &Document, path: &'p [(u8, String)]) -> (usize, usize, &'p [(u8, String)]) {
    let text = document.text;
    let next =
        |start: usize| document.headings.iter().find(|heading| heading.range.start() >= start).map_or(text.len(), |h| h.range.start());
    let mut open: Vec<(u8, String)> = Vec::new();
    let mut best: Option<(usize, usize)> = None;
    let wanted: Vec<(u8, String)> = path.iter().map(|(level, name)| (*level, fold_heading(name))).collect();
    for heading in &document.headings {
        while open.last().is_some_and(|(level, _)| *level >= heading.level) {
            open.pop();
        }
        open.push((heading.level, fold_heading(heading.text.of(text))));
        if open == wanted {
            best = Some((heading.range.end(), next(heading.range.end())));
        }
    }
    if path.is_empty() {
        let start = document.excluded.first().map_or(0, |range| range.end());
        return (start, next(start), &[]);
    }
    match best {
        Some((start, end)) => (start, end, &[]),
        None => {
            // What is open at the end need not be said again.
            let shared = open.iter().zip(&wanted).take_while(|(a, b)| a == b).count();
            let shared =
                if shared < open.len() && wanted.get(shared).is_some_and(|(level, _)| open[shared].0 < *level) { 0 } else { shared };
            (text.len(), text.len(), &path[shared.min(path.len() - 1)..])
        }
    }
}

/// The file without the records, and with one comment that says where they are.
fn without(document: &Document, moved: &[u32], archive: &str) -> String {
    let text = document.text;
    let mut patch = Patch::default();
    for &number in moved {
        patch.try_add(&[delete_block(text, document.records[number as usize].block)]);
    }
    let after = patch.apply(text);
    let comment = format!("<!-- memfile: history in {archive} -->");
    if after.lines().any(|line| line.trim() == comment) {
        return after;
    }
    // At the end of the region that the first of them stood in.
    let first = &document.records[moved[0] as usize];
    let region = document.scopes[first.scope as usize].region.map(|region| &document.regions[region as usize]);
    let end = region.map_or(text.len(), |region| region.range.end());
    let inside = region.is_some_and(|region| matches!(region.kind, RegionKind::Memory | RegionKind::Block));
    let heading = region.filter(|region| region.kind == RegionKind::Section).and_then(|region| {
        document.headings.iter().find(|heading| heading.range.start() > region.range.start() && region.range.covers(heading.range))
    });
    let end = heading.map_or(end, |heading| heading.range.start());
    let start = region.map_or(0, |region| region.range.start());
    let filled = trim_end_blanks(text, start, end);
    let offset = next_line(text, filled).min(text.len());
    let eol = Eol::near(text, filled.saturating_sub(1)).as_str();
    let edit = match Eol::of_line(&text[..offset]) {
        None => TextEdit::insert(offset, format!("{eol}{eol}{comment}")),
        Some(_) if inside || offset >= text.len() || text[offset..line_end(text, offset)].trim().is_empty() => {
            TextEdit::insert(offset, format!("{eol}{comment}{eol}"))
        }
        Some(_) => TextEdit::insert(offset, format!("{eol}{comment}{eol}{eol}")),
    };
    let mut whole = Patch::default();
    for &number in moved {
        whole.try_add(&[delete_block(text, document.records[number as usize].block)]);
    }
    if whole.try_add(&[edit]) { whole.apply(text) } else { format!("{after}{eol}{comment}{eol}") }
}
