//! The blocks of plain sections, read without the parser: most of what memory files consist of.
//!
//! In: text, from a place where no block is open. Out: the same [`Outline`] that the parser gives, up to the first section in which
//! a line is more than a heading, a bullet, words, a fence, a quote or a one-line comment. Such a section is the parser's. Nothing
//! is guessed: in doubt a line is not plain. Tests hold the two side by side.

use super::marks::Marks;
use super::outline::{Item, Outline, RawHeading, lines};
use super::table;
use crate::text::TextRange;

/// Deeper lists are the parser's.
const MAX_DEPTH: usize = 12;

/// A line is not plain.
pub(super) struct NotPlain;

/// Where a plain reading ended.
pub(super) struct Stop {
    /// The start of the section that is not plain; the text's end where all is.
    pub(super) section: usize,
    /// The line in it that is not.
    pub(super) line: usize,
}

/// A list among the children of one item, or outside of all.
#[derive(Clone, Copy)]
struct List {
    id: u32,
    mark: u8,
}

/// An item that can still take children.
struct Open {
    item: usize,
    /// The column from which its blocks stand.
    content: usize,
    list: Option<List>,
}

/// What is open besides items.
#[derive(Clone, Copy)]
enum State {
    /// Nothing. With items only behind a blank line.
    Nothing,
    /// The paragraph of the innermost item, and whether it has more than one line.
    Head(bool),
    /// A paragraph outside of lists that starts there.
    Paragraph(usize),
    Quote,
    /// Fenced code: the mark and how many.
    Fence(u8, usize),
}

struct Line<'t> {
    start: usize,
    /// Behind its ending.
    next: usize,
    bytes: &'t [u8],
    /// How many blanks it starts with.
    indent: usize,
}

pub(super) struct Plain<'o, 't> {
    out: &'o mut Outline,
    text: &'t str,
    /// Where the text starts in the whole.
    base: usize,
    open: Vec<Open>,
    list: Option<List>,
    state: State,
    /// Behind the last line that is not blank.
    filled: usize,
}

impl<'o, 't> Plain<'o, 't> {
    pub(super) fn new(out: &'o mut Outline, text: &'t str, base: usize) -> Self {
        Self { out, text, base, open: Vec::new(), list: None, state: State::Nothing, filled: 0 }
    }

    /// Reads sections from `from` on, where one starts. The lines of the whole start at `starts`.
    pub(super) fn read(mut self, from: usize, starts: &[u32]) -> Stop {
        let bytes = self.text.as_bytes();
        let (mut section, mut at) = (from, from);
        let mut starts = starts[starts.partition_point(|&start| start as usize <= self.base + from)..].iter();
        while at < bytes.len() {
            let next = starts.next().map_or(bytes.len(), |&start| (start as usize - self.base).min(bytes.len()));
            let line = &bytes[at..next];
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let indent = line.iter().take_while(|&&byte| byte == b' ').count();
            match self.line(&Line { start: at, next, bytes: line, indent }) {
                Ok(true) => section = at,
                Ok(false) => {}
                Err(NotPlain) => return self.stop(section, at),
            }
            at = next;
        }
        match self.close() {
            Ok(()) => Stop { section: at, line: at },
            Err(NotPlain) => self.stop(section, at),
        }
    }

    fn stop(mut self, section: usize, line: usize) -> Stop {
        while !self.open.is_empty() {
            self.close_item();
        }
        self.out.cut(self.base + section);
        Stop { section, line }
    }

    /// Reads one line; true where it starts a section.
    fn line(&mut self, line: &Line) -> Result<bool, NotPlain> {
        let words = &line.bytes[line.indent..];
        if let State::Fence(mark, len) = self.state {
            let run = run(words);
            if line.indent <= 3
                && words.first() == Some(&mark)
                && run >= len
                && words[run..].iter().all(|byte| matches!(byte, b' ' | b'\t'))
            {
                self.state = State::Nothing;
            }
            return Ok(false);
        }
        match *words {
            [] => {
                self.end_text()?;
                return Ok(false);
            }
            [b'-' | b'*' | b'+', b' ', ..] => self.bullet(line)?,
            _ if is_words(words) => self.words(line)?,
            [b'#', ..] if line.indent == 0 => {
                let level = run(words);
                if level > 6 || words.get(level).is_some_and(|&byte| byte != b' ') {
                    return Err(NotPlain);
                }
                self.close()?;
                let range = TextRange::new(line.start, line.next).shifted(self.base);
                self.out.headings.push(RawHeading { range, level: level as u8 });
                return Ok(true);
            }
            [mark @ (b'`' | b'~'), ..] if line.indent == 0 && run(words) >= 3 => {
                let len = run(words);
                if mark == b'`' && words[len..].contains(&b'`') {
                    return Err(NotPlain);
                }
                self.close()?;
                self.state = State::Fence(mark, len);
            }
            [b'>', ..] if line.indent == 0 => {
                self.close()?;
                self.state = State::Quote;
            }
            [b'<', b'!', b'-', b'-', ref inner @ .., b'-', b'-', b'>']
                if line.indent == 0 && inner.first().is_some_and(|byte| *byte == b' ') =>
            {
                if memchr::memmem::find(inner, b"-->").is_some() {
                    return Err(NotPlain);
                }
                self.close()?;
            }
            _ => return Err(NotPlain),
        }
        self.filled = line.next;
        Ok(false)
    }

    /// Words go on with what is open, or begin a paragraph.
    fn words(&mut self, line: &Line) -> Result<(), NotPlain> {
        match self.state {
            State::Head(_) => {
                self.state = State::Head(true);
                if let Some(open) = self.open.last() {
                    let head = &mut self.out.items[open.item].head;
                    *head = TextRange::new(head.start(), line.start + line.bytes.len());
                }
            }
            State::Paragraph(_) => {}
            State::Nothing if line.indent == 0 => {
                self.close()?;
                self.state = State::Paragraph(line.start);
            }
            _ => return Err(NotPlain),
        }
        Ok(())
    }

    fn bullet(&mut self, line: &Line) -> Result<(), NotPlain> {
        let behind = &line.bytes[line.indent + 1..];
        let gap = behind.iter().take_while(|&&byte| byte == b' ').count();
        let own = &behind[gap..];
        let is_task = matches!(own, [b'[', b' ' | b'x' | b'X', b']', ..]);
        if gap > 4 || is_task || !is_words(own) {
            return Err(NotPlain);
        }
        self.end_text()?;
        while self.open.last().is_some_and(|open| line.indent < open.content) {
            self.close_item();
        }
        if line.indent - self.open.last().map_or(0, |open| open.content) > 3 || self.open.len() == MAX_DEPTH {
            return Err(NotPlain);
        }
        let mark = line.bytes[line.indent];
        let parent = self.open.last_mut();
        let above = parent.as_ref().map(|open| (open.item, line.start + open.content));
        let list = parent.map_or(&mut self.list, |open| &mut open.list);
        let marker = line.start + line.indent;
        let id = match *list {
            Some(list) if list.mark == mark => list.id,
            _ => {
                self.out.lists += 1;
                *list = Some(List { id: self.out.lists, mark });
                self.out.lists
            }
        };
        if let Some((above, start)) = above {
            let item = &mut self.out.items[above];
            if !item.has_list {
                item.has_list = true;
                item.children = u32::try_from(start).ok();
            }
        }
        let content = line.indent + 1 + gap;
        let head = TextRange::new(line.start + content, line.start + line.bytes.len());
        self.open.push(Open { item: self.out.items.len(), content, list: None });
        let spans = self.out.spans.len() as u32;
        self.out.items.push(Item {
            block: TextRange::empty(line.start),
            marker: u32::try_from(marker).unwrap_or(u32::MAX),
            head,
            children: None,
            list: id,
            parent: above.map(|(item, _)| item as u32),
            ordered: false,
            task: false,
            has_list: false,
            spans: spans..spans,
            marks: Marks::default(),
        });
        self.state = State::Head(false);
        Ok(())
    }

    /// Closes the paragraph that is open.
    fn end_text(&mut self) -> Result<(), NotPlain> {
        match std::mem::replace(&mut self.state, State::Nothing) {
            State::Head(goes_on) => {
                let Some(open) = self.open.last() else { return Ok(()) };
                let item = &mut self.out.items[open.item];
                item.head = item.head.trimmed(self.text);
                if item.head.is_empty() {
                    return Err(NotPlain);
                }
                item.marks = inline(self.text, item.head, self.base, &mut self.out.spans)?;
                if goes_on {
                    item.end_at_table(self.text);
                }
                item.spans.end = self.out.spans.len() as u32;
            }
            State::Paragraph(start) => {
                let table = table::in_paragraph(self.text, TextRange::new(start, self.filled));
                self.out.tables.extend(table.map(|table| lines(self.text, table).shifted(self.base)));
            }
            State::Nothing | State::Quote | State::Fence(..) => {}
        }
        Ok(())
    }

    /// Closes all that is open.
    fn close(&mut self) -> Result<(), NotPlain> {
        self.end_text()?;
        while !self.open.is_empty() {
            self.close_item();
        }
        self.list = None;
        Ok(())
    }

    fn close_item(&mut self) {
        if let Some(open) = self.open.pop() {
            let item = &mut self.out.items[open.item];
            item.block = TextRange::new(item.block.start(), self.filled);
            item.settle(self.base);
        }
    }
}

/// How often a text begins with its first byte.
fn run(words: &[u8]) -> usize {
    words.iter().take_while(|byte| Some(*byte) == words.first()).count()
}

/// True where a line with these bytes (its indentation is taken off) is text and starts no other block.
fn is_words(words: &[u8]) -> bool {
    let letter = |at: usize| words.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80 || *byte == b'`');
    let [first, ..] = *words else { return false };
    match first {
        b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => true,
        b'[' | b'|' | b'(' | b'"' | b'\'' | b'$' | b'/' | b'.' | b'@' | b'!' | b'&' | b'%' | b',' | b'?' | b'{' | b'}' => true,
        b'0'..=b'9' => !matches!(words.iter().find(|byte| !byte.is_ascii_digit()), Some(b'.' | b')')),
        b'*' | b'_' => letter(1) || (words.get(1) == Some(&first) && letter(2)),
        b'-' | b'+' => letter(1),
        b'`' => run(words) < 3,
        b'~' => run(words) == 2,
        _ => false,
    }
}

/// Finds inline code and links in `head`, a text without references; gives its signs.
fn inline(text: &str, head: TextRange, base: usize, spans: &mut Vec<TextRange>) -> Result<Marks, NotPlain> {
    let bytes = head.of(text).as_bytes();
    let marks = Marks::of(bytes);
    if marks.has(Marks::ESCAPE) {
        return Err(NotPlain);
    }
    if !marks.has(Marks::SPAN) {
        return Ok(marks);
    }
    let mut push = |start: usize, end: usize| spans.push(TextRange::new(start, end).shifted(head.start() + base));
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'`', b'(', &bytes[at..]).map(|found| at + found) {
        if bytes[found] == b'(' {
            at = found + 1;
            if found > 0 && bytes[found - 1] == b']' {
                let (start, end) = link(bytes, found)?;
                push(start, end);
                at = end;
            }
            continue;
        }
        let len = run(&bytes[found..]);
        let mut end = found + len;
        loop {
            // A run that nothing closes is the parser's, which knows of each length once that none follows.
            let next = memchr::memchr(b'`', &bytes[end..]).map(|next| end + next).ok_or(NotPlain)?;
            end = next + run(&bytes[next..]);
            if end - next == len {
                break;
            }
        }
        push(found, end);
        at = end;
    }
    Ok(marks)
}

/// The link with plain words and a plain address whose `(` stands at `paren`: start and end.
fn link(bytes: &[u8], paren: usize) -> Result<(usize, usize), NotPlain> {
    let words = &bytes[..paren - 1];
    let start = words.iter().rposition(|byte| matches!(byte, b'[' | b']' | b'`')).filter(|&at| words[at] == b'[').ok_or(NotPlain)?;
    let address = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'-' | b'_' | b'#' | b':');
    let len = bytes[paren + 1..].iter().take_while(|byte| address(byte)).count();
    let end = paren + 1 + len;
    let is_image = start > 0 && matches!(bytes[start - 1], b'!' | b'^');
    if is_image || bytes.get(end) != Some(&b')') { Err(NotPlain) } else { Ok((start, end + 1)) }
}
