//! Conflicts as git writes them.
//!
//! In: what either side and the base have at one place. Out: the lines with git's markers around them.

use super::three::Three;
use super::{Style, Terms};
use crate::text::Eol;

/// How a marker ends in a text like `text`. Git knows no line that ends with CR alone.
pub(super) fn end(text: &str) -> &'static str {
    match Eol::near(text, 0) {
        Eol::CrLf => Eol::CrLf.as_str(),
        Eol::Lf | Eol::Cr => Eol::Lf.as_str(),
    }
}

/// The lines of a conflict, whole ones each, as a text between markers.
pub(super) fn conflict(terms: &Terms, eol: &str, lines: Three<&str>) -> String {
    let mark = |mark: char, label: &str| {
        let blank = if label.is_empty() { "" } else { " " };
        format!("{}{blank}{label}{eol}", mark.to_string().repeat(terms.marker_size))
    };
    let mut out = mark('<', terms.labels.ours);
    out.push_str(lines.ours);
    if terms.style != Style::Merge {
        out.push_str(&mark('|', terms.labels.base));
        out.push_str(lines.base);
    }
    out.push_str(&mark('=', ""));
    out.push_str(lines.theirs);
    out.push_str(&mark('>', terms.labels.theirs));
    out
}
