//! Lines: where they begin and end, and which line ending they use.
//!
//! A line ends at `\n`, `\r\n` or a lone `\r`, as in CommonMark 0.31 section 2.1.

/// A way to end a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eol {
    /// `\n`
    Lf,
    /// `\r\n`
    CrLf,
    /// a lone `\r`
    Cr,
}

impl Eol {
    /// The bytes of the line ending.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::Cr => "\r",
        }
    }

    /// The ending that `line` carries, if it carries one.
    pub fn of_line(line: &str) -> Option<Self> {
        if line.ends_with("\r\n") {
            Some(Self::CrLf)
        } else if line.ends_with('\n') {
            Some(Self::Lf)
        } else if line.ends_with('\r') {
            Some(Self::Cr)
        } else {
            None
        }
    }

    /// The ending of the line that holds `offset`, else of the line before it, else of the text's first line, else LF.
    pub fn near(text: &str, offset: usize) -> Self {
        let start = line_start(text, offset);
        let here = text.get(start..next_line(text, start)).unwrap_or("");
        let before = text.get(line_start(text, start.saturating_sub(1))..start).unwrap_or("");
        let first = text.get(..next_line(text, 0)).unwrap_or("");
        Self::of_line(here).or_else(|| Self::of_line(before)).or_else(|| Self::of_line(first)).unwrap_or(Self::Lf)
    }
}

/// A place for people: line and column, both from 1; the column counts characters (Unicode scalar values).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// Numbers the lines of one text: the lines of a block are counted when one of them is asked for.
pub struct LineIndex {
    /// For each block how many lines end before it.
    ended: Vec<u32>,
    /// A line may end with `\r`.
    has_cr: bool,
}

/// Bytes of a block.
const BLOCK: usize = 512;

impl LineIndex {
    /// Counts the lines of `text`; one pass.
    pub fn new(text: &str) -> Self {
        let mut ended = Vec::with_capacity(text.len() / BLOCK + 1);
        let has_cr = memchr::memchr(b'\r', text.as_bytes()).is_some();
        let mut count = 0;
        for start in (0..=text.len()).step_by(BLOCK) {
            ended.push(u32::try_from(count).unwrap_or(u32::MAX));
            count += line_ends(text.as_bytes(), start, (start + BLOCK).min(text.len()), has_cr);
        }
        Self { ended, has_cr }
    }

    /// The number of the line that holds `offset`, from 1. Here and below `text` is what the index was made from.
    pub fn line(&self, text: &str, offset: usize) -> usize {
        let offset = offset.min(text.len());
        let block = offset / BLOCK;
        self.ended[block] as usize + line_ends(text.as_bytes(), block * BLOCK, offset, self.has_cr) + 1
    }

    /// Line and column of `offset`.
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let column = text.get(line_start(text, offset)..offset).map_or(0, |part| part.chars().count()) + 1;
        Position { line: self.line(text, offset), column }
    }

    /// The offset at which line `number` (from 1) starts, if the text has that line.
    pub fn start_of(&self, text: &str, number: usize) -> Option<usize> {
        let before = number.checked_sub(1)?;
        if before == 0 {
            return Some(0);
        }
        let block = self.ended.partition_point(|&ended| (ended as usize) < before) - 1;
        let bytes = text.as_bytes();
        let ends = memchr::memchr2_iter(b'\n', b'\r', &bytes[block * BLOCK..]).map(|at| block * BLOCK + at);
        ends.filter(|&at| ends_line(bytes, at)).nth(before - self.ended[block] as usize - 1).map(|at| at + 1)
    }
}

/// Numbers the lines of one text where they are asked for mostly one behind the other: it counts on from the last one.
pub(crate) struct LineCounter<'t> {
    text: &'t str,
    /// A line may end with `\r`.
    has_cr: bool,
    /// The offset that was asked for last, and how many lines end before it.
    last: (usize, usize),
    /// For steps that are too far.
    index: Option<LineIndex>,
}

/// The longest step that is counted: a text may ask for places far apart in turn.
const STEP: usize = 1 << 15;

impl<'t> LineCounter<'t> {
    /// Nothing is counted yet.
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, has_cr: memchr::memchr(b'\r', text.as_bytes()).is_some(), last: (0, 0), index: None }
    }

    /// The number of the line that holds `offset`, from 1.
    pub(crate) fn line(&mut self, offset: usize) -> usize {
        let offset = offset.min(self.text.len());
        let (seen, ended) = self.last;
        let count = |from: usize, to: usize| line_ends(self.text.as_bytes(), from, to, self.has_cr);
        let ended = if seen.abs_diff(offset) > STEP {
            self.index.get_or_insert_with(|| LineIndex::new(self.text)).line(self.text, offset) - 1
        } else if seen <= offset {
            ended + count(seen, offset)
        } else {
            ended - count(offset, seen)
        };
        self.last = (offset, ended);
        ended + 1
    }
}

/// True where a line ends with the byte at `at`, one of an ending.
fn ends_line(bytes: &[u8], at: usize) -> bool {
    bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n')
}

/// How many lines end with a byte of `from..to`.
fn line_ends(bytes: &[u8], from: usize, to: usize, has_cr: bool) -> usize {
    let part = &bytes[from..to];
    let count = memchr::memchr_iter(b'\n', part).count();
    if !has_cr {
        return count;
    }
    count + memchr::memchr_iter(b'\r', part).filter(|at| ends_line(bytes, from + at)).count()
}

/// The offset at which the line that holds `offset` starts.
pub(crate) fn line_start(text: &str, offset: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = offset.min(bytes.len());
    // An offset between `\r` and `\n` belongs to the line that the pair ends.
    if at > 0 && bytes[at - 1] == b'\r' && bytes.get(at) == Some(&b'\n') {
        at -= 1;
    }
    memchr::memrchr2(b'\n', b'\r', &bytes[..at]).map_or(0, |found| found + 1)
}

/// The offset just behind the line that holds `offset`, its ending included.
pub(crate) fn next_line(text: &str, offset: usize) -> usize {
    let end = line_end(text, offset);
    match text.as_bytes().get(end) {
        Some(b'\r') if text.as_bytes().get(end + 1) == Some(&b'\n') => end + 2,
        Some(_) => end + 1,
        None => end,
    }
}

/// The offset of the ending of the line that holds `offset`, or the end of the text.
pub(crate) fn line_end(text: &str, offset: usize) -> usize {
    let bytes = text.as_bytes();
    let from = offset.min(bytes.len());
    memchr::memchr2(b'\n', b'\r', &bytes[from..]).map_or(bytes.len(), |found| from + found)
}

/// `text[..end]` without the blanks (space, tab, line endings) at its end: the new end, at least `from`.
pub(crate) fn trim_end_blanks(text: &str, from: usize, end: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = end.min(bytes.len());
    while at > from && matches!(bytes[at - 1], b' ' | b'\t' | b'\n' | b'\r') {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_all_endings() {
        let text = "a\nb\r\nc\rd";
        let index = LineIndex::new(text);
        let lines: Vec<_> = (0..text.len()).map(|at| index.line(text, at)).collect();
        assert_eq!(lines, [1, 1, 2, 2, 2, 3, 3, 4]);
        assert_eq!(index.start_of(text, 3), Some(5));
        assert_eq!((next_line(text, 2), next_line(text, 5)), (5, 7));
        assert_eq!(line_start(text, 4), 2);
        assert_eq!(line_start(text, 6), 5);
        assert_eq!(Eol::near(text, 7), Eol::Cr);
    }

    #[test]
    fn lines_of_a_long_text() {
        let text = "a\nbc\r\n\rd\n".repeat(3 * BLOCK / 7);
        let index = LineIndex::new(&text);
        let mut number = 0;
        for (at, byte) in text.bytes().enumerate() {
            if at == line_start(&text, at) && !(at > 0 && byte == b'\n' && text.as_bytes()[at - 1] == b'\r') {
                number += 1;
                assert_eq!(index.start_of(&text, number), Some(at));
            }
            assert_eq!(index.line(&text, at), number, "{at}");
        }
        let mut counter = LineCounter::new(&text);
        let far = text.repeat(40);
        let (mut far_counter, far_index) = (LineCounter::new(&far), LineIndex::new(&far));
        for step in 0..500 {
            let at = step * 7919 % (text.len() + 1);
            assert_eq!(counter.line(at), index.line(&text, at), "{at}");
            let at = step * 104_729 % (far.len() + 1);
            assert_eq!(far_counter.line(at), far_index.line(&far, at), "{at}");
        }
        assert_eq!((index.start_of(&text, 0), index.start_of(&text, number + 2)), (None, None));
    }

    #[test]
    fn blanks_at_an_end_are_cut_down_to_a_place() {
        assert_eq!([trim_end_blanks("a \t\r\n", 0, 5), trim_end_blanks("a  ", 2, 3), trim_end_blanks("  ", 0, 2)], [1, 2, 0]);
    }

    #[test]
    fn columns_count_characters() {
        let text = "x\nпорт: 1";
        assert_eq!(LineIndex::new(text).position(text, text.len()), Position { line: 2, column: 8 });
    }
}
