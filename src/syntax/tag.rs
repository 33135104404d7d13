//! Tags: what a record says of its own status (SPEC 5).
//!
//! In: a record's own text and the spans in which a bracket is no tag. Out: [`Tag`], or none. The date and the value
//! behind `replaced by:` stay unread here: where VALUE ends is known only beside the values of the group (see [`Tag::split`]).

use super::date::{self, Written};
use crate::config::DateOrder;
use crate::text::{TextRange, fold_blanks};

/// What a tag says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Was true; another value replaced it.
    Historical,
    /// Was true; nothing replaced it.
    Ended,
    /// Deleted by someone, put back by memfile.
    Removed,
    /// Was never true.
    Retracted,
    /// Will hold.
    Scheduled,
    /// Value erased on purpose.
    Redacted,
}

/// How the tag is written; all forms are read, none is rewritten for style.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `[historical] …`, the form that memfile writes.
    Bracket,
    /// `[historical: …]`, `[outdated as of D]`, `[superseded by X]`, `[устарело …]`
    Inside,
    /// `~~old~~`
    Struck,
    /// A plain word in a status cell.
    Word,
}

/// A record's tag.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag {
    /// What it says.
    pub status: Status,
    /// How it is written.
    pub form: Form,
    /// The tag's bytes at the record's end; for a tag that opens the text, the rest that ends it (may be empty).
    pub range: TextRange,
    /// The bytes of a status word that opens the text, its bracket included.
    pub opening: Option<TextRange>,
    /// What follows `replaced by:`, on one line: VALUE, then perhaps ` as of WHEN` and `: REASON`.
    pub named: Option<Box<str>>,
    /// WHEN, where no VALUE stands before it.
    pub when: Option<Box<str>>,
    /// REASON, where no VALUE stands before it.
    pub reason: Option<Box<str>>,
}

/// The parts of the text behind `replaced by:`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Named {
    /// VALUE as written.
    pub value: String,
    /// WHEN as written.
    pub when: Option<String>,
    /// REASON as written.
    pub reason: Option<String>,
}

const REPLACED: [&str; 8] =
    ["replaced by:", "superseded by:", "заменено на:", "заменён на:", "replaced by ", "superseded by ", "заменено на ", "заменён на "];
const AS_OF: [&str; 4] = [" as of ", " от ", " с ", " since "];

impl Tag {
    /// Splits the text behind `replaced by:`. VALUE is the longest prefix that `is_value` knows (values may hold ` as of ` or a
    /// colon); where it knows none, the text up to the last ` as of ` before a date, else all of it.
    pub fn split(&self, is_value: &dyn Fn(&str) -> bool) -> Option<Named> {
        let text = self.named.as_deref()?;
        // A value may itself end with such words, so that two of them share a blank.
        let starts = |&at: &usize| after_as_of(&text[at..]).is_some();
        let mut cuts: Vec<usize> = memchr::memchr_iter(b' ', text.as_bytes()).filter(starts).collect();
        cuts.extend(text.match_indices(": ").map(|(at, _)| at));
        cuts.push(text.len());
        cuts.sort_unstable();
        // A hostile tag may hold thousands of places to cut; a real one a handful.
        let known = cuts.iter().rev().take(64).find(|&&at| is_value(text[..at].trim())).copied();
        let cut = known.unwrap_or_else(|| {
            let dated = cuts.iter().rev().take(64).find(|&&at| {
                let rest = after_as_of(&text[at..]);
                rest.is_some_and(|rest| date::read_prefix(rest, None).is_some())
            });
            dated.copied().unwrap_or(text.len())
        });
        let value = text[..cut].trim().to_owned();
        let (when, reason) = when_and_reason(&text[cut..]);
        Some(Named { value, when, reason })
    }
}

/// The text behind ` as of ` in one of its languages.
fn after_as_of(rest: &str) -> Option<&str> {
    AS_OF.iter().find_map(|word| rest.strip_prefix(word))
}

/// Reads `[ as of WHEN][: REASON]`.
fn when_and_reason(rest: &str) -> (Option<String>, Option<String>) {
    let filled = |text: &str| (!text.trim().is_empty()).then(|| text.trim().to_owned());
    if let Some(reason) = rest.strip_prefix(':') {
        return (None, filled(reason));
    }
    let Some(when) = after_as_of(rest) else { return (None, filled(rest)) };
    match when.split_once(": ") {
        Some((when, reason)) => (filled(when), filled(reason)),
        None => (filled(when.trim_end_matches(':')), None),
    }
}

/// The tag at the end or the start of a record's own text, and what is left of the text without it.
pub(super) struct Read {
    pub(super) tag: Box<Tag>,
    /// The text without the tag, trimmed.
    pub(super) core: TextRange,
}

/// Reads the tag of `content`. `spans` are the ranges in which nothing is a tag. `cells`: the text is the last cell of a pipe
/// record or a table cell, where words of any kind may follow the status.
pub(super) fn read(text: &str, content: TextRange, spans: &[TextRange], cells: bool) -> Option<Read> {
    let body = content.of(text);
    let bytes = body.as_bytes();
    if (bytes.first() == Some(&b'~') || body.ends_with("~~"))
        && let Some(read) = struck(text, content)
    {
        return Some(read);
    }
    memchr::memchr(b'[', bytes)?;
    if let Some(read) = opening(text, content, spans) {
        return Some(read);
    }
    // A hostile text may hold thousands of brackets, each of which is asked what follows up to the end; a real one a handful.
    for at in memchr::memchr_iter(b'[', bytes).filter(|at| may_open(&body[at + 1..])).take(64) {
        let offset = content.start() + at;
        let covered = spans.iter().any(|span| span.contains(offset));
        if covered || (at > 0 && bytes[at - 1] == b'\\') {
            continue;
        }
        let close = body[at..].find(']').map(|len| at + len)?;
        let range = TextRange::new(offset, content.end());
        let inside = fold_blanks(&body[at + 1..close]);
        let tail = fold_blanks(&body[close + 1..]);
        let core = TextRange::new(content.start(), offset).trimmed(text);
        if let Some(tag) = bracket(&inside, &tail, cells).or_else(|| foreign(&inside, &tail)) {
            return Some(Read { tag: Box::new(Tag { range, ..tag }), core });
        }
    }
    None
}

/// True where what stands behind a bracket begins like a tag of any form.
fn may_open(rest: &str) -> bool {
    const STARTS: [&str; 11] = [
        "historical",
        "retracted",
        "scheduled",
        "redacted",
        "replaced",
        "superseded",
        "заменен",
        "заменён",
        "outdated",
        "obsolete",
        "устарел",
    ];
    let word: String = rest.trim_start().chars().take(10).flat_map(char::to_lowercase).collect();
    STARTS.iter().any(|start| word.starts_with(start))
}

/// The status that a word in brackets names.
fn status_word(word: &str) -> Option<Status> {
    Some(match word.to_lowercase().as_str() {
        "historical" => Status::Historical,
        "retracted" => Status::Retracted,
        "scheduled" => Status::Scheduled,
        "redacted" => Status::Redacted,
        _ => return None,
    })
}

fn blank(status: Status, form: Form) -> Tag {
    Tag { status, form, range: TextRange::default(), opening: None, named: None, when: None, reason: None }
}

/// `[historical] TAIL` and its kin.
fn bracket(inside: &str, tail: &str, cells: bool) -> Option<Tag> {
    let status = status_word(inside)?;
    let tag = with_tail(status, Form::Bracket, tail);
    if tag.is_some() {
        return tag;
    }
    // `[historical] withdrawn as of 2026-05-01`: closed in words of one's own. Prose about tags has no date there.
    let dated = AS_OF.iter().filter_map(|word| tail.rfind(word).map(|at| (at, at + word.len()))).max();
    if let Some((at, rest)) = dated.filter(|&(at, _)| !tail[..at].contains('['))
        && date::read_whole(&tail[rest..], None).is_some()
    {
        let status = if status == Status::Historical { Status::Ended } else { status };
        return Some(Tag { when: Some(tail[rest..].into()), reason: Some(tail[..at].into()), ..blank(status, Form::Bracket) });
    }
    if !cells {
        return None;
    }
    let status = if status == Status::Historical { Status::Ended } else { status };
    Some(Tag { reason: Some(tail.into()), ..blank(status, Form::Bracket) })
}

/// Reads what follows a status: nothing, a successor, an end, a date, a reason.
fn with_tail(status: Status, form: Form, tail: &str) -> Option<Tag> {
    let tag = blank(status, form);
    if tail.is_empty() {
        return Some(tag);
    }
    let lower = tail.to_lowercase();
    // Lower case may differ in length for a few letters; then no lead is looked for behind the ASCII part.
    let strip = |lead: &str| lower.starts_with(lead).then(|| tail.get(lead.len()..)).flatten();
    if status == Status::Historical {
        if let Some(rest) = REPLACED.iter().find_map(|lead| strip(lead)) {
            return Some(Tag { named: Some(rest.trim().into()), ..tag });
        }
        for (lead, status) in
            [("ended", Status::Ended), ("завершено", Status::Ended), ("removed", Status::Removed), ("удалено", Status::Removed)]
        {
            if let Some(rest) = strip(lead) {
                return dated(blank(status, form), rest);
            }
        }
    }
    dated(tag, tail)
}

/// Reads `[as of] WHEN[: REASON]` or `: REASON` into `tag`.
fn dated(tag: Tag, rest: &str) -> Option<Tag> {
    let spaced = format!(" {}", rest.trim_start());
    if rest.trim().is_empty() {
        return Some(tag);
    }
    if let Some(reason) = rest.trim_start().strip_prefix(':') {
        return Some(Tag { reason: Some(reason.trim().into()), ..tag });
    }
    let (when, reason) = if after_as_of(&spaced).is_some() {
        when_and_reason(&spaced)
    } else {
        let (when, reason) = spaced.split_once(": ").map_or((spaced.as_str(), None), |(when, reason)| (when, Some(reason)));
        let when = when.trim();
        let when = (is_written(when)).then(|| when.to_owned())?;
        (Some(when), reason.map(|reason| reason.trim().to_owned()))
    };
    // Prose like `[historical] as of now we tag` has no date behind `as of`, and no tag is that long.
    let when = when.filter(|when| when.chars().count() <= 60)?;
    Some(Tag { when: Some(when.into()), reason: reason.map(Into::into), ..tag })
}

fn is_written(text: &str) -> bool {
    !matches!(date::read_whole(text, Some(DateOrder::Dmy)), None | Some(Written::Relative))
}

/// `[historical: …]`, `[outdated …]`, `[superseded by X]`, `[устарело …]`; only at the very end.
fn foreign(inside: &str, tail: &str) -> Option<Tag> {
    let lower = inside.to_lowercase();
    let reason = match tail.strip_prefix(':') {
        Some(reason) => Some(reason.trim()),
        None if tail.is_empty() => None,
        None => return None,
    };
    if let Some((word, rest)) = inside.split_once([':', ',', ';']).or_else(|| inside.split_once(' '))
        && let Some(status) = status_word(word.trim())
    {
        return with_tail(status, Form::Inside, rest.trim());
    }
    let tag = Tag { reason: reason.map(Into::into), ..blank(Status::Historical, Form::Inside) };
    if let Some(rest) = REPLACED.iter().find_map(|lead| lower.starts_with(lead).then(|| inside.get(lead.len()..)).flatten()) {
        return Some(Tag { named: Some(rest.trim().into()), ..tag });
    }
    const OLD: [&str; 6] = ["outdated", "superseded", "устарело", "устарела", "устарел", "obsolete"];
    let lead = OLD.iter().find(|lead| lower.starts_with(**lead))?;
    let rest = inside.get(lead.len()..)?.trim_start_matches([':', ',']).trim();
    if rest.is_empty() {
        return Some(tag);
    }
    if let Some(rest) = REPLACED.iter().find_map(|lead| rest.to_lowercase().starts_with(lead).then(|| rest.get(lead.len()..)).flatten()) {
        return Some(Tag { named: Some(rest.trim().into()), ..tag });
    }
    let reasoned = Tag { reason: Some(rest.into()), ..tag.clone() };
    let dated = dated(Tag { status: Status::Historical, ..tag }, rest);
    dated.or((lower.len() > lead.len()).then_some(reasoned))
}

/// `~~all of it~~`, or `Key: ~~value~~` where the struck part is the whole value (the caller sees that).
fn struck(text: &str, content: TextRange) -> Option<Read> {
    let body = content.of(text);
    let inner = body.strip_prefix("~~")?.strip_suffix("~~")?;
    if inner.is_empty() || inner.contains("~~") {
        return None;
    }
    let core = TextRange::new(content.start() + 2, content.end() - 2).trimmed(text);
    let tag = Tag { range: TextRange::empty(content.end()), ..blank(Status::Historical, Form::Struck) };
    Some(Read { tag: Box::new(tag), core })
}

/// `[historical] Database: MySQL replaced by: Postgres as of 2026-06-20`: the status opens, the rest ends the text.
fn opening(text: &str, content: TextRange, spans: &[TextRange]) -> Option<Read> {
    let body = content.of(text);
    let close = body.strip_prefix('[')?.find(']')? + 1;
    let status = status_word(&fold_blanks(&body[1..close]))?;
    let rest = TextRange::new(content.start() + close + 1, content.end());
    if rest.trimmed(text).is_empty() || !rest.of(text).starts_with([' ', '\t', '\n', '\r']) {
        return None;
    }
    let opening = TextRange::new(content.start(), content.start() + close + 1);
    // `[historical] replaced by: X` alone, or `[redacted] as of D` as a value: no text stands between.
    if with_tail(status, Form::Bracket, &fold_blanks(rest.of(text))).is_some() {
        return None;
    }
    const LEADS: [&str; 10] =
        ["replaced by:", "заменено на:", "ended as of ", "removed as of ", "завершено ", "удалено ", "as of ", "с ", "replaced by ", "от "];
    let tail_from = |lead: &str| {
        let found = rest.of(text).match_indices(lead).map(|(at, _)| rest.start() + at);
        let whole_word = |at: &usize| text[..*at].ends_with([' ', '\t', '\n']) && !spans.iter().any(|span| span.contains(*at));
        let reads = |at: &usize| with_tail(status, Form::Bracket, &fold_blanks(&text[*at..content.end()])).is_some();
        found.take(64).filter(whole_word).find(reads)
    };
    let at = LEADS.iter().filter_map(|lead| tail_from(lead)).min();
    let range = TextRange::new(at.unwrap_or(content.end()), content.end());
    let tag = with_tail(status, Form::Bracket, &fold_blanks(range.of(text)))?;
    let core = TextRange::new(rest.start(), range.start()).trimmed(text);
    Some(Read { tag: Box::new(Tag { range, opening: Some(opening), ..tag }), core })
}

/// The status that a plain word in a status cell names; `Ok(None)` is the word for current.
pub(super) fn cell_word(word: &str) -> Option<Option<Status>> {
    Some(match word {
        "current" | "текущее" | "текущий" | "текущая" | "актуально" | "действует" => None,
        "historical" | "outdated" | "superseded" | "историческое" | "устарело" | "заменено" => {
            Some(Status::Historical)
        }
        "ended" | "завершено" => Some(Status::Ended),
        "removed" | "удалено" => Some(Status::Removed),
        "retracted" | "отозвано" => Some(Status::Retracted),
        "scheduled" | "запланировано" => Some(Status::Scheduled),
        "redacted" | "скрыто" => Some(Status::Redacted),
        _ => return None,
    })
}

/// A tag that is one word in a status cell.
pub(super) fn word_tag(status: Status, range: TextRange) -> Tag {
    Tag { range, ..blank(status, Form::Word) }
}

#[cfg(test)]
mod tests;
