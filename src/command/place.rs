//! Where the record of a new fact goes.

use super::Refusal;
use crate::facts::Facts;
use crate::syntax::{Bullet, Document, Record, Region, RegionKind, Shape};
use crate::text::{Eol, TextEdit, fold_key, line_end, line_start, next_line, trim_end_blanks};

/// Where a new fact goes.
pub(super) enum Site<'a> {
    /// Behind this record, in its shape.
    Behind(&'a Record),
    /// Into a region without a record of its own.
    Into(&'a Region),
}

/// A place for a new fact of `subject`. The flag says that the place itself gives the subject.
///
/// # Errors
/// There is no managed text, or a number of the list is in the way.
pub(super) fn site<'d>(facts: &Facts<'d, '_>, subject: Option<&str>) -> Result<(Site<'d>, bool), Refusal> {
    let document = facts.document;
    if let Some(subject) = subject.map(fold_key) {
        let of_subject = |idx: &usize| {
            let space = &facts.spaces[facts.space_of(*idx) as usize];
            space.subject.as_deref().is_some_and(|name| fold_key(name) == subject)
        };
        let last = (0..document.records.len()).rev().filter(of_subject).map(|idx| &document.records[idx]);
        if let Some(record) = last.clone().find(|record| record.bullet != Bullet::Number) {
            return Ok((Site::Behind(record), record.subject.is_empty()));
        }
    }
    let none = || Refusal::No("there is no managed text; `memfile init` adds a section for facts".to_owned());
    let root = |record: &&Record, region: usize| {
        let scope = &document.scopes[record.scope as usize];
        scope.region == Some(region as u32) && scope.depth == 0
    };
    let with_root = (0..document.regions.len()).find(|&region| document.records.iter().any(|record| root(&record, region)));
    if let Some(region) = with_root {
        let own = document.records.iter().rev().filter(|record| root(record, region));
        let keyed = own.clone().find(|record| record.bullet != Bullet::Number && record.shape != Shape::Statement);
        if let Some(record) = keyed.or_else(|| own.clone().find(|record| record.bullet != Bullet::Number)) {
            return Ok((Site::Behind(record), false));
        }
        return Err(Refusal::No("the facts here stand in a numbered list, into which memfile puts nothing; write it by hand".to_owned()));
    }
    let whole = document.regions.iter().find(|region| region.kind == RegionKind::File);
    let last = document.records.iter().rev().find(|record| record.bullet != Bullet::Number);
    match (whole, last, document.regions.first()) {
        (Some(_), Some(record), _) => Ok((Site::Behind(record), false)),
        (_, _, Some(region)) => Ok((Site::Into(region), false)),
        (_, _, None) => Err(none()),
    }
}

/// Puts `line` into `region`: behind the text above its first inner heading.
pub(super) fn into_region(document: &Document, region: &Region, line: &str) -> TextEdit {
    let text = document.text;
    let own = region.heading.map(|idx| &document.headings[idx as usize]);
    let start = own.map_or(region.range.start(), |heading| heading.range.end());
    let inner = |heading: &&crate::syntax::Heading| heading.range.start() >= start && region.range.contains(heading.range.start());
    let is_file = region.kind == RegionKind::File;
    let end = document.headings.iter().find(inner).filter(|_| !is_file).map_or(region.range.end(), |heading| heading.range.start());
    let filled = trim_end_blanks(text, start, end);
    let inside = matches!(region.kind, RegionKind::Memory | RegionKind::Block);
    let eol = Eol::near(text, start.saturating_sub(1)).as_str();
    if inside && filled == start {
        return TextEdit::insert(start, format!("{line}{eol}"));
    }
    // Behind the last line that says something: the heading itself, a marker, a quote.
    let offset = if filled > start { next_line(text, filled) } else { start };
    let unended = offset == text.len() && offset > 0 && Eol::of_line(text).is_none();
    if unended {
        return TextEdit::insert(offset, format!("{eol}{eol}{line}"));
    }
    let is_blank = |at: usize| text[at..line_end(text, at)].trim().is_empty();
    let last_line = &text[line_start(text, filled)..filled];
    let gap = if filled > start && last_line.trim_start().starts_with(['-', '*', '+']) { "" } else { eol };
    if offset >= text.len() {
        return TextEdit::insert(offset, format!("{gap}{line}{eol}"));
    }
    if is_blank(offset) && offset < end {
        let at = next_line(text, offset);
        let close = if inside || at >= text.len() || is_blank(at) { "" } else { eol };
        return TextEdit::insert(at, format!("{line}{eol}{close}"));
    }
    let close = if inside { "" } else { eol };
    TextEdit::insert(offset, format!("{gap}{line}{eol}{close}"))
}
