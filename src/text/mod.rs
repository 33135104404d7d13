//! Text, positions and edits: what comes in is a string, what goes out is a string.
//!
//! All offsets in memfile are bytes, 0-based and half-open, and all arithmetic on them lives here.
//! Lines and columns exist only where people read them (see [`LineIndex`]).

mod edit;
mod fold;
mod hidden;
mod lines;
mod range;
mod shell;
mod signs;
mod units;

pub use edit::{Edit, Patch, TextEdit};
pub use fold::{fold_heading, fold_key, fold_value};
pub use lines::{Eol, LineIndex, Position};
pub use range::TextRange;
pub use shell::shell_word;
pub use units::{Encoding, Place};

/// `1 record`, `2 records`.
pub fn count(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

pub(crate) use fold::{fold_blanks, fold_key_into, fold_key_part, fold_value_into, is_same_key, strip_markup};
pub(crate) use hidden::{is_hidden, joins_letters, without_hidden};
pub(crate) use lines::{LineCounter, line_end, line_start, next_line, trim_end_blanks};
pub(crate) use signs::signs;

#[cfg(test)]
mod tests {
    #[test]
    fn one_is_no_plural() {
        assert_eq!([0, 1, 2].map(|number| super::count(number, "record")), ["0 records", "1 record", "2 records"]);
    }
}
