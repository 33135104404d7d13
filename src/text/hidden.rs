//! Characters that nobody sees.

use super::TextRange;
use std::borrow::Cow;

/// The text without them, for comparison: a value is no other one because such a character was taken out.
pub(crate) fn without_hidden(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    let has_hidden = !text.is_ascii() && text.chars().any(is_hidden);
    if !has_hidden {
        return text;
    }
    // What stands beside a joiner may go, and then the joiner joins nothing.
    loop {
        let visible = |&(at, c): &(usize, char)| !is_hidden(c) || joins_letters(&text, TextRange::new(at, at + c.len_utf8()), c);
        let rest: String = text.char_indices().filter(visible).map(|(_, c)| c).collect();
        if rest.len() == text.len() {
            return text;
        }
        text = Cow::Owned(rest);
    }
}

/// Zero-width characters, bidi embeddings and isolates, soft hyphens, tag characters.
pub(crate) fn is_hidden(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{feff}' | '\u{180e}' | '\u{e0000}'..='\u{e007f}')
}

/// Joiners are part of emoji and of some scripts, and tag characters of flags.
pub(crate) fn joins_letters(text: &str, range: TextRange, c: char) -> bool {
    let before = text[..range.start()].chars().next_back();
    let after = text[range.end()..].chars().next();
    // A blank beside it is nothing to join, of whatever script.
    let is_letter = |c: char| !c.is_ascii() && !c.is_whitespace();
    match c {
        '\u{200c}' | '\u{200d}' => before.is_some_and(is_letter) && after.is_some_and(is_letter),
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
