//! A tag that memfile cannot read says nothing.

use super::context::{Context, Look};
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::syntax::{Record, Status};
use crate::text::TextRange;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "bad-tag",
    severity: Severity::Warning,
    fixable: Fixable::No,
    needs: Needs::File,
    stops_writing: false,
    summary: "a tag that cannot be read",
    page: include_str!("pages/bad-tag.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Text(check)];

fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    let document = context.document;
    for (idx, record) in document.records.iter().enumerate() {
        let Some((range, message)) = unreadable(document.text, record) else { continue };
        let found = Diagnostic::new(&INFO, range, message).about(context.facts.name(idx as u32));
        out.push(found.with_help("tags: `[historical] replaced by: VALUE as of WHEN`, `[historical] ended as of WHEN`, `[retracted] as of WHEN`, `[scheduled] as of WHEN`"));
    }
}

fn unreadable(text: &str, record: &Record) -> Option<(TextRange, String)> {
    if let Some(tag) = &record.tag {
        let empty = tag.named.as_deref().is_some_and(|named| named.trim().is_empty());
        let undated = tag.status == Status::Scheduled && tag.when.is_none() && record.attributes.since().is_empty();
        return match (empty, undated) {
            (true, _) => Some((tag.range, "the tag names no successor".to_owned())),
            (_, true) => Some((tag.range, "the tag does not say from when it will hold".to_owned())),
            _ => None,
        };
    }
    // A status word with a slip, in a bracket that ends the record.
    let head = record.head.of(text);
    let inner = head.strip_suffix(']').or_else(|| head.trim_end().strip_suffix(']'))?;
    let open = memchr::memrchr(b'[', inner.as_bytes())?;
    let word = inner[open + 1..].trim().to_lowercase();
    let known = ["historical", "retracted", "scheduled", "redacted"];
    let meant = known.iter().find(|known| **known != word && word.len() > 5 && strsim::damerau_levenshtein(known, &word) <= 2)?;
    let range = TextRange::new(record.head.start() + open, record.head.start() + head.trim_end().len());
    Some((range, format!("`[{word}]` is no tag; did you mean `[{meant}]`?")))
}
