//! What rules share: the dates that order records; and the examples on their pages, which are tests.

use super::context::Context;
use crate::syntax::date::{self, Written};
use crate::text::TextRange;

/// The dates of one kind that stand in attributes of the file's records: their place, and the record.
pub(super) fn dates<'c>(context: &'c Context, wanted: Written) -> impl Iterator<Item = (TextRange, u32)> + 'c {
    let document = context.document;
    let facts = context.facts;
    facts.doubtful.iter().flat_map(move |&idx| {
        let read = facts.dates[idx as usize];
        let record = &document.records[idx as usize];
        let attributes = &record.attributes;
        // The day of a scheduled record may stand in its tag alone.
        let tag = || record.tag.as_deref().map_or(attributes.since(), |tag| tag.range);
        let since = if attributes.since().is_empty() { tag() } else { attributes.since() };
        let pairs = [(read.effective, since), (read.recorded, attributes.source()), (read.until, attributes.until())];
        pairs.into_iter().filter(move |(written, _)| *written == Some(wanted)).map(move |(_, range)| {
            let body = range.of(document.text);
            let found = date::find(body, context.config.date_order).filter(|found| found.written == wanted);
            (found.map_or(range, |found| found.range.shifted(range.start())), idx)
        })
    })
}

/// The example of a rule's page.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Example {
    /// The baseline, where the rule needs one.
    pub base: Option<String>,
    /// The text in which the rule finds something.
    pub before: String,
    /// The text after the fix, where there is one.
    pub after: Option<String>,
    /// The day of the example.
    pub today: Option<String>,
    /// The `memfile.toml` of the example; empty where it needs none.
    pub config: String,
}

/// Reads the fenced blocks `markdown base`, `markdown before`, `markdown after` and `toml memfile.toml` of a page; a line
/// `Today is DATE.` gives the day.
pub fn example(page: &str) -> Example {
    let mut example = Example::default();
    let mut block: Option<(&str, String)> = None;
    for line in page.lines() {
        match &mut block {
            Some((name, text)) if line == "````" => {
                match *name {
                    "markdown base" => example.base = Some(std::mem::take(text)),
                    "markdown before" => example.before = std::mem::take(text),
                    "markdown after" => example.after = Some(std::mem::take(text)),
                    "toml memfile.toml" => example.config = std::mem::take(text),
                    _ => {}
                }
                block = None;
            }
            Some((_, text)) => {
                text.push_str(line);
                text.push('\n');
            }
            None => {
                if let Some(info) = line.strip_prefix("````") {
                    block = Some((info.trim(), String::new()));
                } else if let Some(day) = line.strip_prefix("Today is ").and_then(|rest| rest.strip_suffix('.')) {
                    example.today = Some(day.to_owned());
                }
            }
        }
    }
    example
}
