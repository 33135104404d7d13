//! What the merge of lines and records should not see: a BOM, the way lines end, and whether the last one ends at all. Each is
//! merged by itself: the side that changed it wins.
//!
//! In: three texts. Out: the same three with one way to end lines where each of them has one, without BOM, and with a last line
//! that ends; and how to put the rest back.

use super::three::Three;
use crate::text::Eol;
use std::borrow::Cow;

const BOM: char = '\u{feff}';

/// How the merged text begins and ends.
#[derive(Debug)]
pub(super) struct Endings {
    bom: bool,
    /// The last line of the merged text has no ending.
    unended: bool,
}

/// Takes it out of three texts.
pub(super) fn take<'t>(texts: Three<&'t str>) -> (Three<Cow<'t, str>>, Endings) {
    let bom = texts.map(|text| text.starts_with(BOM)).settled().unwrap_or(false);
    let bare = texts.map(|text| text.strip_prefix(BOM).unwrap_or(text));
    // An empty text ends as the others do.
    let some = bare.map(|text| (!text.is_empty()).then(|| !text.ends_with('\n')));
    let unended = match some.base {
        Some(base) => Three { base, ours: some.ours.unwrap_or(base), theirs: some.theirs.unwrap_or(base) }.settled().unwrap_or(base),
        None => some.ours.unwrap_or(true) && some.theirs.unwrap_or(true),
    };
    let own = bare.map(uniform);
    let target = match own {
        Three { base: Some(_), ours: Some(_), theirs: Some(_) } => own.settled().flatten(),
        // The base of a file that both sides added is empty.
        Three { base: None, ours: Some(ours), theirs: Some(_) } if bare.base.is_empty() => Some(ours),
        _ => None,
    };
    (bare.map(|text| fit(text, target)), Endings { bom, unended })
}

impl Endings {
    /// Puts it back. `closed`: the last line is a conflict marker, which always ends. `marker`: the length of markers, where there
    /// are conflicts.
    pub(super) fn put_back(&self, text: String, closed: bool, marker: Option<usize>) -> String {
        let mut text = text;
        if self.unended
            && !closed
            && let Some(eol) = Eol::of_line(&text).filter(|eol| *eol != Eol::Cr)
        {
            text.truncate(text.len() - eol.as_str().len());
        }
        if !self.bom {
            return text;
        }
        match marker.filter(|&len| run(&text, b'<') == len) {
            Some(len) => in_each_side(&text, len),
            None => format!("{BOM}{text}"),
        }
    }
}

/// How often `line` begins with `mark`.
fn run(line: &str, mark: u8) -> usize {
    line.bytes().take_while(|&byte| byte == mark).count()
}

/// A text that opens with a conflict, with a BOM before the first line of each side: a marker behind one is none to git.
fn in_each_side(text: &str, marker: usize) -> String {
    let mut out = String::with_capacity(text.len() + 3 * BOM.len_utf8());
    let (mut opens, mut ended) = (false, false);
    for line in text.split_inclusive('\n') {
        let mark = line.bytes().next().filter(|&mark| !ended && b"<|=>".contains(&mark) && run(line, mark) == marker);
        if opens && mark.is_none() {
            out.push(BOM);
        }
        out.push_str(line);
        ended |= mark == Some(b'>');
        opens = mark.is_some() && !ended;
    }
    out
}

/// The one way in which all lines of `text` end; `None` where there are several, or no line that ends.
fn uniform(text: &str) -> Option<Eol> {
    let crlf = text.matches("\r\n").count();
    let lf = memchr::memchr_iter(b'\n', text.as_bytes()).count() - crlf;
    let cr = memchr::memchr_iter(b'\r', text.as_bytes()).count() - crlf;
    match (crlf, lf, cr) {
        (0, 0, 0) => None,
        (_, 0, 0) => Some(Eol::CrLf),
        (0, _, 0) => Some(Eol::Lf),
        _ => None,
    }
}

fn fit(text: &str, target: Option<Eol>) -> Cow<'_, str> {
    let mut fitted = match (uniform(text), target) {
        (Some(Eol::CrLf), Some(Eol::Lf)) => Cow::Owned(text.replace("\r\n", "\n")),
        (Some(Eol::Lf), Some(Eol::CrLf)) => Cow::Owned(text.replace('\n', "\r\n")),
        _ => Cow::Borrowed(text),
    };
    if !fitted.is_empty() && !fitted.ends_with('\n') {
        let eol = match target.unwrap_or_else(|| Eol::near(&fitted, fitted.len())) {
            // What ends with CR alone would end with CR and LF, and lose both.
            _ if fitted.ends_with('\r') => Eol::CrLf,
            // The lines of a merge are git's, which end with LF.
            Eol::Cr => Eol::Lf,
            eol => eol,
        };
        fitted.to_mut().push_str(eol.as_str());
    }
    fitted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(base: &str, ours: &str, theirs: &str) -> (String, String) {
        let (texts, endings) = take(Three { base, ours, theirs });
        (endings.put_back(texts.ours.into_owned(), false, None), endings.put_back(texts.theirs.into_owned(), false, None))
    }

    #[test]
    fn the_side_that_changed_an_ending_wins() {
        assert_eq!(round("a\nb\n", "a\r\nb\r\n", "a\nc\n").1, "a\r\nc\r\n");
        assert_eq!(round("a\nb", "a\nb\n", "a\nc").1, "a\nc\n");
        assert_eq!(round("\u{feff}a\n", "\u{feff}a\n", "b\n").0, "a\n");
        assert_eq!(round("", "a\nb", "a\nb\n").0, "a\nb\n");
        assert_eq!(round("", "a\nb", "a\nc").0, "a\nb");
        assert_eq!(round("a\rb\r", "a\rb", "a\rc\r"), ("a\rb".to_owned(), "a\rc\r".to_owned()));
        let (_, endings) = take(Three { base: "\u{feff}a\n", ours: "\u{feff}b\n", theirs: "\u{feff}c\n" });
        let open = endings.put_back("<<<<<<< o\nb\n=======\nc\n>>>>>>> t\nd\n".to_owned(), false, Some(7));
        assert_eq!(open, "<<<<<<< o\n\u{feff}b\n=======\n\u{feff}c\n>>>>>>> t\nd\n");
        // Mixed endings are bytes like others.
        assert_eq!(round("a\nb\r\n", "a\r\nb\r\n", "a\nb\r\n").1, "a\nb\r\n");
    }
}
