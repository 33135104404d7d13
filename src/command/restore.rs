//! `restore`: what the file lost against its baseline comes back as it was, with its heading where that is gone too.

use super::{Plan, Refusal};
use crate::baseline::{Comparison, Revision, Stood, elided};
use crate::check::{Subject, analyse};
use crate::facts::Facts;
use crate::repair::{Analysis, Step};
use crate::syntax::{Document, RegionKind};
use crate::text::{Eol, Patch, TextEdit, TextRange, count as words, fold_heading, fold_key, line_end, line_start, next_line};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Most rounds; a record that stood beside another lost one may need a second.
const ROUNDS: usize = 16;

/// `restore [KEY]`; `subject` holds the baseline.
///
/// # Errors
/// [`Refusal`], where there is no such loss.
pub fn restore(text: &str, subject: &Subject, key: Option<&str>) -> Result<Plan, Refusal> {
    let subject = Subject { restoring: true, ..subject.clone() };
    let key = key.map(fold_key);
    let lost = count(text, &subject, key.as_deref());
    let mut now = text.to_owned();
    for _ in 0..ROUNDS {
        let patch = analyse(&now, &subject, |analysis, revisions| {
            let regions = regions(analysis, revisions, key.as_deref());
            if regions.is_empty() { steps(analysis, key.as_deref()) } else { regions }
        });
        if patch.is_empty() {
            break;
        }
        now = patch.apply(&now);
    }
    let left = count(&now, &subject, key.as_deref());
    if key.is_none() && left < lost {
        let base = subject.baseline.and_then(|baseline| baseline.revisions.first()).map(|(_, text)| text.to_string());
        now = without_placeholders(now, base.as_deref());
    }
    let after = (now != text).then_some(now);
    match (&after, key, left) {
        (None, Some(key), 0) => Err(Refusal::No(format!("nothing of `{key}` is lost"))),
        (None, None, 0) => Ok(Plan::nothing("nothing is lost; nothing changed")),
        (None, _, left) => Err(Refusal::No(format!("no place to bring {} back to; see `memfile check`", words(left, "lost record")))),
        (Some(_), _, 0) => Ok(Plan { after, said: format!("{} brought back", words(lost, "record")), ..Plan::default() }),
        (Some(_), _, left) => {
            let said = format!("{} brought back, {left} without a place; see `memfile check`", words(lost.saturating_sub(left), "record"));
            Ok(Plan { after, said, ..Plan::default() })
        }
    }
}

/// How many records are lost.
fn count(text: &str, subject: &Subject, key: Option<&str>) -> usize {
    analyse(text, subject, |analysis, _| analysis.steps().filter(|step| step.lost.is_some() && is_meant(step.key.as_deref(), key)).count())
}

fn is_meant(name: Option<&str>, key: Option<&str>) -> bool {
    let Some(key) = key else { return true };
    let Some(name) = name.map(fold_key) else { return false };
    name == key || name.rsplit('/').next() == Some(key) || key.rsplit('/').next() == Some(name.as_str())
}

/// The planner's steps that bring records back, and lost tags with them.
fn steps(analysis: &Analysis, key: Option<&str>) -> Patch {
    let wanted = |step: &&Step| {
        let back = step.lost.is_some() || step.need == crate::repair::Need::History;
        back && step.edits.is_some() && is_meant(step.key.as_deref(), key)
    };
    let mut steps: Vec<&Step> = analysis.steps().filter(wanted).collect();
    let start = |step: &Step| step.edits.as_deref().into_iter().flatten().map(|edit| edit.range.start()).min().unwrap_or(0);
    steps.sort_by_key(|step| (start(step), step.rank));
    let mut patch = Patch::default();
    steps.into_iter().filter_map(|step| step.edits.as_ref()).for_each(|edits| {
        patch.try_add(edits);
    });
    patch
}

/// The sections and elements of the baseline that are gone with all their records.
fn regions(analysis: &Analysis, revisions: &[Revision], key: Option<&str>) -> Patch {
    let mut patch = Patch::default();
    let Some(first) = revisions.first() else { return patch };
    let (base, file) = (first.facts, analysis.facts.document);
    let pieces = pieces(analysis.comparison, base, file, key);
    for (piece, place) in pieces {
        let offset = place.unwrap_or(file.text.len());
        patch.try_add(&[insert_piece(file.text, offset, &piece)]);
    }
    patch
}

/// For each place in the file the text that comes back there, in the order of the baseline.
fn pieces(comparison: &Comparison, facts: &Facts, file: &Document, key: Option<&str>) -> Vec<(String, Option<usize>)> {
    let base = facts.document;
    let lost: FxHashSet<u32> = comparison.lost.iter().filter(|lost| lost.revision == 0).map(|lost| lost.record).collect();
    let mut ranges: BTreeMap<usize, TextRange> = BTreeMap::new();
    for entry in comparison.lost.iter().filter(|lost| lost.stood == Stood::Nowhere && lost.revision == 0 && !lost.secret) {
        let name = facts.group_of(entry.record as usize).map(|_| facts.name(entry.record));
        if is_meant(name.as_deref(), key) {
            for range in around(base, file, entry.record as usize) {
                ranges.insert(range.start(), range);
            }
        }
    }
    let mut pieces: Vec<(String, Option<usize>)> = Vec::new();
    for range in ranges.into_values() {
        let mut own = Patch::default();
        let secret = |record: u32| comparison.lost.iter().any(|lost| lost.revision == 0 && lost.record == record && lost.secret);
        for (idx, record) in base.records.iter().enumerate().filter(|(_, record)| range.covers(record.block)) {
            // What was moved elsewhere is not lost; what must not be written again is not written.
            if !lost.contains(&(idx as u32)) || secret(idx as u32) {
                own.try_add(&[TextEdit::delete(record.block)]);
            }
        }
        let whole = own.apply(base.text);
        let end = (range.end() + whole.len()).saturating_sub(base.text.len());
        let piece = whole.get(range.start()..end).unwrap_or("").to_owned();
        let place = place(base, file, range);
        match pieces.last_mut() {
            Some((text, at)) if *at == place => text.push_str(&piece),
            _ => pieces.push((piece, place)),
        }
    }
    pieces
}

/// The text of the baseline that comes back with a record: its `<Memory>` element, or the section down to the next heading, and
/// the headings above that are gone as well.
fn around(base: &Document, file: &Document, record: usize) -> Vec<TextRange> {
    let record = &base.records[record];
    let region = base.scopes[record.scope as usize].region.map(|region| &base.regions[region as usize]);
    if let Some(region) = region.filter(|region| matches!(region.kind, RegionKind::Memory | RegionKind::Block)) {
        let open = line_start(base.text, region.range.start().saturating_sub(1));
        return vec![TextRange::new(open, next_line(base.text, region.range.end()))];
    }
    let above: Vec<_> = base.headings.iter().filter(|heading| heading.range.start() < record.block.start()).collect();
    let mut ranges = Vec::new();
    let mut level = u8::MAX;
    for heading in above
        .iter()
        .rev()
        .filter(|heading| region.is_none_or(|region| region.kind == RegionKind::List || region.range.covers(heading.range)))
    {
        if heading.level >= level {
            continue;
        }
        level = heading.level;
        let there = file.headings.iter().any(|other| {
            other.level == heading.level && fold_heading(other.text.of(file.text)) == fold_heading(heading.text.of(base.text))
        });
        if there {
            break;
        }
        let next = base.headings.iter().find(|other| other.range.start() > heading.range.start());
        ranges.push(TextRange::new(heading.range.start(), next.map_or(base.text.len(), |next| next.range.start())));
    }
    if ranges.is_empty() {
        // The heading is there, the list below it is not.
        ranges.push(region.filter(|region| region.kind == RegionKind::List).map_or(record.block, |region| region.range));
    }
    ranges
}

/// Where a piece comes back: before the first heading behind it that the file still has; for a list without its heading behind
/// that heading.
fn place(base: &Document, file: &Document, range: TextRange) -> Option<usize> {
    let same = |text: &str| {
        let wanted = fold_heading(text);
        file.headings.iter().find(|other| fold_heading(other.text.of(file.text)) == wanted)
    };
    let mut behind = base.headings.iter().filter(|heading| heading.range.start() >= range.end());
    behind.find_map(|heading| same(heading.text.of(base.text))).map(|heading| heading.range.start())
}

/// Puts whole lines in at the start of a line or the end of the text, set off by blank lines.
fn insert_piece(text: &str, offset: usize, piece: &str) -> TextEdit {
    let eol = Eol::near(text, offset.saturating_sub(1)).as_str();
    let crlf = piece.contains("\r\n");
    let body = piece.trim_end_matches(['\n', '\r', ' ', '\t']);
    let body = if crlf && eol == "\n" { body.replace("\r\n", "\n") } else { body.to_owned() };
    let before = &text[..offset];
    let ended = before.is_empty() || Eol::of_line(before).is_some();
    let blank_above = before.is_empty() || {
        let last = line_start(text, offset.saturating_sub(1));
        ended && text[last..line_end(text, last)].trim().is_empty()
    };
    let gap = match (ended, blank_above) {
        (false, _) => format!("{eol}{eol}"),
        (true, false) => eol.to_owned(),
        (true, true) => String::new(),
    };
    let close = if offset < text.len() { eol } else { "" };
    TextEdit::insert(offset, format!("{gap}{body}{eol}{close}"))
}

/// Takes out the lines that stood for what is back.
fn without_placeholders(mut text: String, base: Option<&str>) -> String {
    while let Some(line) = elided(&text, base) {
        let (start, end) = (line_start(&text, line.start()), next_line(&text, line.end()));
        let blank = |at: usize| text[at..line_end(&text, at)].trim().is_empty();
        // One of the two blank lines around it goes too.
        let above = start > 0 && blank(line_start(&text, start - 1));
        let end = if above && end < text.len() && blank(end) { next_line(&text, end) } else { end };
        text.replace_range(start..end, "");
    }
    text
}
