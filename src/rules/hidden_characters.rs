//! What nobody sees can still be read by a model.

use super::context::Context;
use crate::diagnostic::{Applicability, Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::text::{TextEdit, TextRange, line_start};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "hidden-characters",
    severity: Severity::Warning,
    fixable: Fixable::Unsafe,
    needs: Needs::File,
    stops_writing: false,
    summary: "characters that nobody sees",
    page: include_str!("pages/hidden-characters.md"),
};

pub(super) fn check(context: &Context, out: &mut Vec<Diagnostic>) {
    let document = context.document;
    if document.text.is_ascii() {
        return;
    }
    let mut line: Option<(TextRange, Vec<TextRange>)> = None;
    let mut flush = |line: Option<(TextRange, Vec<TextRange>)>| {
        let Some((range, hidden)) = line else { return };
        let count = hidden.len();
        let words = if count == 1 { "a character that nobody sees".to_owned() } else { format!("{count} characters that nobody sees") };
        let found = Diagnostic::new(&INFO, range, words).with_help("take them out: `memfile fix --unsafe-fixes`");
        out.push(found.with_fix(Applicability::Unsafe, hidden.into_iter().map(TextEdit::delete).collect()));
    };
    for (at, c) in document.text.char_indices().filter(|&(at, c)| at > 0 && is_hidden(c)) {
        let range = TextRange::new(at, at + c.len_utf8());
        if !document.manages(at) || joins_letters(document.text, range, c) {
            continue;
        }
        match &mut line {
            Some((_, hidden)) if line_start(document.text, hidden[0].start()) == line_start(document.text, at) => hidden.push(range),
            _ => {
                flush(line.take());
                line = Some((range, vec![range]));
            }
        }
    }
    flush(line);
}

/// Zero-width characters, bidi embeddings and isolates, soft hyphens, tag characters.
pub(crate) fn is_hidden(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{feff}' | '\u{180e}' | '\u{e0000}'..='\u{e007f}')
}

/// Joiners are part of emoji and of some scripts, and tag characters of flags.
fn joins_letters(text: &str, range: TextRange, c: char) -> bool {
    let before = text[..range.start()].chars().next_back();
    let after = text[range.end()..].chars().next();
    match c {
        '\u{200c}' | '\u{200d}' => before.is_some_and(|c| !c.is_ascii()) && after.is_some_and(|c| !c.is_ascii()),
        '\u{e0000}'..='\u{e007f}' => {
            before.is_some_and(|c| c == '\u{1f3f4}' || ('\u{e0000}'..='\u{e007f}').contains(&c)) && flag(text, range.start())
        }
        _ => false,
    }
}

/// A run of tag characters behind a black flag.
fn flag(text: &str, at: usize) -> bool {
    text[..at].chars().rev().find(|c| !('\u{e0000}'..='\u{e007f}').contains(c)) == Some('\u{1f3f4}')
}
