//! What nobody sees can still be read by a model.

use super::context::{Context, Look};
use crate::diagnostic::{Applicability, Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::text::{TextEdit, TextRange, is_hidden, joins_letters, line_start};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "hidden-characters",
    severity: Severity::Warning,
    fixable: Fixable::Unsafe,
    needs: Needs::File,
    stops_writing: false,
    summary: "characters that nobody sees",
    page: include_str!("pages/hidden-characters.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Text(check)];

fn check(context: &Context, out: &mut Vec<Diagnostic>) {
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
        out.push(found.with_fix(Applicability::Unsafe, hidden.into_iter().map(TextEdit::delete).collect::<Vec<_>>()));
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
