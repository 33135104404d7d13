//! Edits that take a record's block out and put one in, with the line endings that the place asks for.

use crate::syntax::Record;
use crate::text::{Eol, TextEdit, TextRange, line_end, line_start, next_line};

/// Takes the block out. A block that ends the text without a line ending takes the ending before it along, so that the text
/// still ends without one.
pub(crate) fn delete_block(text: &str, block: TextRange) -> TextEdit {
    let unended = block.end() == text.len() && Eol::of_line(block.of(text)).is_none();
    if !unended || block.start() == 0 {
        return TextEdit::delete(block);
    }
    let ending = Eol::of_line(&text[..block.start()]).map_or(0, |eol| eol.as_str().len());
    TextEdit::delete(TextRange::new(block.start() - ending, block.end()))
}

/// Puts `block` (whole lines, with or without a last line ending) in at `offset`, the start of a line or the end of the text.
pub(crate) fn insert_block(text: &str, offset: usize, block: &str) -> TextEdit {
    let body = block.trim_end_matches(['\n', '\r']);
    let own = Eol::of_line(block);
    let unended = offset == text.len() && offset > 0 && Eol::of_line(text).is_none();
    if unended {
        let eol = Eol::near(text, line_start(text, offset));
        return TextEdit::insert(offset, format!("{}{body}", eol.as_str()));
    }
    let eol = own.unwrap_or_else(|| Eol::near(text, offset));
    TextEdit::insert(offset, format!("{body}{}", eol.as_str()))
}

/// Puts `block` in as the first record below a heading or a lead line that ends at `offset`, set off by blank lines.
pub(super) fn insert_first(text: &str, offset: usize, block: &str) -> TextEdit {
    let eol = Eol::near(text, offset.saturating_sub(1)).as_str();
    let body = block.trim_end_matches(['\n', '\r']);
    let is_blank = |at: usize| text[at..line_end(text, at)].trim().is_empty();
    if offset == text.len() {
        return match Eol::of_line(text) {
            Some(_) => TextEdit::insert(offset, format!("{eol}{body}{eol}")),
            None => TextEdit::insert(offset, format!("{eol}{eol}{body}")),
        };
    }
    if !is_blank(offset) {
        return TextEdit::insert(offset, format!("{eol}{body}{eol}{eol}"));
    }
    // The blank line below the heading stays the one above the record.
    let at = next_line(text, offset);
    let close = if is_blank(at) { "" } else { eol };
    TextEdit::insert(at, format!("{body}{eol}{close}"))
}

/// The blanks and marks in front of a record's own text: indentation, bullet, blanks.
pub(super) fn prefix(record: &Record) -> TextRange {
    TextRange::new(record.block.start(), record.head.start())
}

/// The indentation of a record.
pub(crate) fn indent<'t>(text: &'t str, record: &Record) -> &'t str {
    let lead = prefix(record).of(text);
    &lead[..lead.len() - lead.trim_start_matches([' ', '\t']).len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_goes_into_an_empty_text_as_it_is() {
        assert_eq!(insert_block("", 0, "- a\n"), TextEdit::insert(0, "- a\n"));
        assert_eq!(insert_block("- b", 3, "- a\n"), TextEdit::insert(3, "\n- a"));
    }
}
