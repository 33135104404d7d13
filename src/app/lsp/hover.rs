//! The history of a fact at a glance: all its versions, oldest first, each with both clocks.
//!
//! What stands in a file is text, never markup: each mark that Markdown or HTML would read is escaped. What looks like a secret is not
//! told again.

use super::super::looking::Seen;
use super::edits::View;
use crate::facts::{is_secret, tag_value};
use crate::query::{Chain, Standing, Version};
use crate::report::visible;
use crate::syntax::date::Date;
use crate::text::{count, fold_blanks};
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind};

/// Longer values are cut.
const LONGEST: usize = 240;

/// The history of the record at the byte `at`.
pub(super) fn at(view: &View, at: usize) -> Option<Hover> {
    let seen = view.look.record_at(at)?;
    let chain = dated(view, seen)?;
    let (kind, value) = if view.client.has_markdown {
        (MarkupKind::Markdown, told(&chain, seen.version, &Style::MARKDOWN))
    } else {
        (MarkupKind::PlainText, told(&chain, seen.version, &Style::PLAIN))
    };
    Some(Hover { contents: HoverContents::Markup(MarkupContent { kind, value }), range: Some(view.range(seen.head)) })
}

/// The history of a record's fact on one line, for a message.
pub(super) fn line(view: &View, seen: &Seen) -> Option<String> {
    let chain = dated(view, seen)?;
    let versions: Vec<String> = chain.versions.iter().map(|version| version_line(version, &Style::PLAIN)).collect();
    Some(format!("{}: {}", visible(&chain.name()), versions.join(" → ")))
}

/// The chain of a record, with the days on which its versions came. Where history cannot be read, without them.
fn dated(view: &View, seen: &Seen) -> Option<Chain> {
    let mut chains = vec![view.look.chain(seen)?.clone()];
    if view.is_file {
        // A hover without a day is better than none.
        let _ = view.session.date(&view.look.read, &mut chains);
    }
    chains.pop()
}

/// How words are set off, and values kept from being read as markup.
struct Style {
    strong: &'static str,
    text: fn(&str) -> String,
}

impl Style {
    const MARKDOWN: Self = Self { strong: "**", text: escaped };
    const PLAIN: Self = Self { strong: "", text: |text| visible(text).into_owned() };
}

fn told(chain: &Chain, own: Option<usize>, style: &Style) -> String {
    let strong = style.strong;
    let name = (style.text)(&chain.name());
    let mut out = format!("{strong}{name}{strong} · {}\n\n", count(chain.versions.len(), "version"));
    for (idx, version) in chain.versions.iter().enumerate() {
        let here = if own == Some(idx) && chain.versions.len() > 1 { " ← this record" } else { "" };
        out.push_str(&format!("{}. {}{here}\n", idx + 1, version_line(version, style)));
    }
    if !chain.unsettled.is_empty() {
        out.push_str("\nnothing says which of these holds\n");
    }
    out
}

/// `VALUE — status, since D, recorded D, replaced by VALUE as of D, source: S`
fn version_line(version: &Version, style: &Style) -> String {
    let text = |text: &str| (style.text)(&short(text));
    let strong = if version.standing == Standing::Current { style.strong } else { "" };
    let value = version.value.as_deref().map_or("[redacted]".to_owned(), short);
    let mut out = format!("{strong}{}{strong} — {}", (style.text)(&value), version.standing.as_str());
    let mut tell = |label: &str, words: Option<String>| {
        if let Some(words) = words.filter(|words| !words.is_empty()) {
            out.push_str(&format!(", {label}{words}"));
        }
    };
    let day = |date: Option<Date>| date.map(Date::iso);
    let or_unknown = |date: Option<Date>| Some(day(date).unwrap_or_else(|| "unknown".to_owned()));
    tell("since ", or_unknown(version.effective));
    tell("recorded ", day(version.recorded).or_else(|| Some(if version.is_new { "today" } else { "unknown" }.to_owned())));
    tell("until ", day(version.until));
    tell("replaced by ", version.replaced_by.as_deref().map(text));
    tell("as of ", day(version.as_of).or_else(|| version.as_of_text.as_deref().map(text)));
    tell("reason: ", version.reason.as_deref().map(text));
    tell("source: ", version.source.as_deref().map(text));
    if version.line.is_none() {
        tell("", Some("not in the file".to_owned()));
    }
    out
}

/// One line, cut where it is long, without what looks like a secret.
fn short(text: &str) -> String {
    if is_secret(text) {
        return tag_value(text, false).into_owned();
    }
    let line = fold_blanks(text).into_owned();
    match line.char_indices().nth(LONGEST) {
        None => line,
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

/// Text as Markdown that reads as that text, also at the start of a list item. What cannot be read as a mark stays as it is.
fn escaped(text: &str) -> String {
    let text = visible(text);
    let mut out = String::with_capacity(text.len() + 8);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    for (at, c) in text.char_indices() {
        let opens = at == 0 && matches!(c, '#' | '-' | '+' | '=' | ':');
        let numbers = at > 0 && at == digits && matches!(c, '.' | ')');
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '~' | '!' => out.extend(['\\', c]),
            c if opens || numbers => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_no_markup() {
        assert_eq!(escaped("<b>*x*</b> [a](b) `c` &amp;"), "&lt;b&gt;\\*x\\*&lt;/b&gt; \\[a\\](b) \\`c\\` &amp;amp;");
        assert_eq!((escaped("12. x"), escaped("- x"), escaped("$1.5/mo - 2)")), ("12\\. x".into(), "\\- x".into(), "$1.5/mo - 2)".into()));
        assert_eq!(escaped("a\u{202e}b"), "a\\\\u{202e}b");
        assert_eq!(short("AKIAIOSFODNN7EXAMPL3"), "[redacted]");
    }
}
