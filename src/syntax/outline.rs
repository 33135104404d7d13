//! The blocks of one piece of Markdown, as pulldown-cmark sees them: headings, list items, tables.
//!
//! In: text. Out: [`Outline`], offsets of that text. Block starts come from the parser, ends are snapped to lines:
//! pulldown-cmark's item swallows the blank lines behind it, and an item nested by tab begins one byte early.

use super::marks::Marks;
use super::plain::Plain;
use super::table;
use crate::text::{TextRange, line_start, next_line, trim_end_blanks};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// A heading that stands in no list and no quote.
#[derive(Debug)]
pub(super) struct RawHeading {
    /// Whole lines.
    pub(super) range: TextRange,
    pub(super) level: u8,
}

/// A list item.
#[derive(Debug)]
pub(super) struct Item {
    /// Whole lines, children included, blank lines behind it not.
    pub(super) block: TextRange,
    /// From the list marker on.
    pub(super) marker: u32,
    /// Its own paragraph; empty where it begins with another block.
    pub(super) head: TextRange,
    /// Where its first block behind the paragraph starts.
    pub(super) children: Option<u32>,
    /// Which list of the outline it stands in.
    pub(super) list: u32,
    /// The item it is nested in.
    pub(super) parent: Option<u32>,
    pub(super) ordered: bool,
    pub(super) task: bool,
    /// The first child block is a list.
    pub(super) has_list: bool,
    /// Its inline spans in `Outline::spans`.
    pub(super) spans: std::ops::Range<u32>,
    /// The signs in its own paragraph.
    pub(super) marks: Marks,
}

/// The blocks of one piece of text.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub(super) headings: Vec<RawHeading>,
    pub(super) items: Vec<Item>,
    /// Tables that stand in no list and no quote: whole lines.
    pub(super) tables: Vec<TextRange>,
    /// Inline code, links, images and HTML in the items' own paragraphs: nothing in them separates or tags.
    pub(super) spans: Vec<TextRange>,
    /// How many lists there were.
    pub(super) lists: u32,
}

#[derive(Clone, Copy)]
enum Frame {
    List {
        id: u32,
        ordered: bool,
    },
    Item(u32),
    /// The own paragraph of an item.
    Head(u32),
    Other,
}

/// How much of a text the parser gets at once, in bytes, where it must read. Its tree is seven times as large.
const PIECE: usize = 2 * 1024;

impl Outline {
    /// Reads `text` (which starts at `base` of the whole) and adds its blocks. The lines of the whole start at `starts`.
    pub(super) fn read(&mut self, text: &str, base: usize, starts: &[u32]) {
        self.read_by(text, base, starts, PIECE);
    }

    /// Reads `text`: plain sections here, others by the parser in pieces of at least `size` bytes.
    ///
    /// A heading at the left margin closes all that is open, so what stands before one is read as in the whole. References alone
    /// reach further than that.
    fn read_by(&mut self, text: &str, base: usize, starts: &[u32], size: usize) {
        let bytes = text.as_bytes();
        // About as many as there will be: each time they do not fit, all are copied.
        self.items.reserve(text.len() / 128);
        self.headings.reserve(text.len() / 1024);
        self.spans.reserve(text.len() / 256);
        let lone = |at: usize| bytes.get(at + 1) != Some(&b'\n');
        if memchr::memmem::find(bytes, b"]:").is_some() || memchr::memchr_iter(b'\r', bytes).any(lone) {
            return self.piece(text, base);
        }
        let mut from = 0;
        while from < text.len() {
            let stop = Plain::new(self, text, base).read(from, starts);
            if stop.section == text.len() {
                return;
            }
            from = self.parsed(text, base, stop.section, stop.line + size);
        }
    }

    /// Reads `text` by the parser, from `from` to a heading at `least` or behind; gives where that is.
    fn parsed(&mut self, text: &str, base: usize, from: usize, least: usize) -> usize {
        let mut least = least;
        loop {
            let heading = text.as_bytes().get(least..).and_then(|rest| memchr::memmem::find(rest, b"\n#"));
            let Some(heading) = heading.map(|at| least + at + 1) else {
                self.piece(&text[from..], base + from);
                return text.len();
            };
            self.piece(&text[from..next_line(text, heading)], base + from);
            let is_heading = self.headings.last().is_some_and(|last| last.range.start() == base + heading);
            if is_heading {
                self.cut(base + heading);
                return heading;
            }
            self.cut(base + from);
            least = heading + (heading - from);
        }
    }

    /// Takes out what starts at `offset` or behind.
    pub(super) fn cut(&mut self, offset: usize) {
        self.items.truncate(self.items.partition_point(|item| (item.marker as usize) < offset));
        self.spans.truncate(self.spans.partition_point(|span| span.start() < offset));
        self.headings.truncate(self.headings.partition_point(|heading| heading.range.start() < offset));
        self.tables.truncate(self.tables.partition_point(|table| table.start() < offset));
    }

    /// Reads one piece as if it were all there is.
    fn piece(&mut self, text: &str, base: usize) {
        // Tables are found here: pulldown-cmark fills every short row up to the width of the header.
        let options = Options::ENABLE_TASKLISTS | Options::ENABLE_FOOTNOTES;
        let mut stack: Vec<Frame> = Vec::new();
        let (items, spans, headings, tables) = (self.items.len(), self.spans.len(), self.headings.len(), self.tables.len());
        for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
            match event {
                Event::Start(tag) => self.start(text, tag, range.into(), &mut stack),
                Event::End(tag) => end(tag, &mut stack),
                Event::TaskListMarker(_) => {
                    if let Some(Frame::Item(idx) | Frame::Head(idx)) = stack.last() {
                        self.items[*idx as usize].task = true;
                    }
                    self.inline(range.into(), false, &stack);
                }
                Event::Code(_) | Event::InlineHtml(_) => self.inline(range.into(), true, &stack),
                Event::Rule => self.block(range.start, false, &stack),
                Event::Html(_) => {}
                _ => self.inline(range.into(), false, &stack),
            }
        }
        self.items[items..].iter_mut().for_each(|item| item.finish(text, base));
        self.spans[spans..].iter_mut().for_each(|span| *span = span.shifted(base));
        self.headings[headings..].iter_mut().for_each(|heading| heading.range = lines(text, heading.range).shifted(base));
        self.tables[tables..].iter_mut().for_each(|table| *table = lines(text, *table).shifted(base));
    }

    fn start(&mut self, text: &str, tag: Tag, range: TextRange, stack: &mut Vec<Frame>) {
        let frame = match tag {
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Superscript | Tag::Subscript => {
                return self.inline(range, false, stack);
            }
            Tag::Link { .. } | Tag::Image { .. } => return self.inline(range, true, stack),
            Tag::List(start) => {
                self.block(range.start(), true, stack);
                self.lists += 1;
                Frame::List { id: self.lists, ordered: start.is_some() }
            }
            Tag::Item => match item(text, range, stack, self.spans.len()) {
                Some(item) => {
                    self.items.push(item);
                    Frame::Item(u32::try_from(self.items.len() - 1).unwrap_or(u32::MAX))
                }
                None => Frame::Other,
            },
            Tag::Paragraph => match stack.last() {
                Some(&Frame::Item(idx)) if self.items[idx as usize].is_fresh() => {
                    self.items[idx as usize].head = range;
                    Frame::Head(idx)
                }
                _ => {
                    self.block(range.start(), false, stack);
                    if stack.is_empty() {
                        self.tables.extend(table::in_paragraph(text, range));
                    }
                    Frame::Other
                }
            },
            Tag::Heading { level, .. } => {
                self.block(range.start(), false, stack);
                if stack.is_empty() {
                    self.headings.push(RawHeading { range, level: depth(level) });
                }
                Frame::Other
            }
            _ => {
                self.block(range.start(), false, stack);
                Frame::Other
            }
        };
        stack.push(frame);
    }

    /// A block starts in whatever is open: where that is an item, its own text has ended.
    fn block(&mut self, start: usize, list: bool, stack: &[Frame]) {
        if let Some(&Frame::Item(idx)) = stack.last() {
            let item = &mut self.items[idx as usize];
            if item.children.is_none() {
                item.children = u32::try_from(start).ok();
                item.has_list = list;
            }
        }
    }

    fn inline(&mut self, range: TextRange, opaque: bool, stack: &[Frame]) {
        let idx = match stack.last() {
            Some(&Frame::Item(idx)) if self.items[idx as usize].children.is_none() => {
                let item = &mut self.items[idx as usize];
                let start = if item.head.is_empty() { range.start() } else { item.head.start() };
                item.head = TextRange::new(start, item.head.end().max(range.end()));
                idx
            }
            Some(&Frame::Head(idx)) => idx,
            _ => return,
        };
        if opaque {
            // Code inside a link stands in the link's span already.
            let own = &self.spans[self.items[idx as usize].spans.start as usize..];
            if own.last().is_none_or(|last| last.end() <= range.start()) {
                self.spans.push(range);
            }
            self.items[idx as usize].spans.end = u32::try_from(self.spans.len()).unwrap_or(u32::MAX);
        }
    }
}

/// Inline tags open no frame, so their ends close none.
fn end(tag: TagEnd, stack: &mut Vec<Frame>) {
    let inline = matches!(
        tag,
        TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Superscript | TagEnd::Subscript | TagEnd::Link | TagEnd::Image
    );
    if !inline {
        stack.pop();
    }
}

/// A list item, unless it stands in a quote or a footnote.
fn item(text: &str, range: TextRange, stack: &[Frame], spans: usize) -> Option<Item> {
    let &Frame::List { id, ordered } = stack.last()? else { return None };
    let parent = match stack.len().checked_sub(2).map(|idx| stack[idx]) {
        None => None,
        Some(Frame::Item(idx)) => Some(idx),
        Some(_) => return None,
    };
    let blanks = range.of(text).len() - range.of(text).trim_start().len();
    let spans = u32::try_from(spans).unwrap_or(u32::MAX);
    Some(Item {
        block: range,
        marker: u32::try_from(range.start() + blanks).unwrap_or(u32::MAX),
        head: TextRange::empty(range.start()),
        children: None,
        list: id,
        parent,
        ordered,
        task: false,
        has_list: false,
        spans: spans..spans,
        marks: Marks::default(),
    })
}

impl Item {
    /// Nothing of it was seen yet.
    fn is_fresh(&self) -> bool {
        self.head.is_empty() && self.children.is_none()
    }

    /// Snaps to lines and moves to the offsets of the whole text.
    fn finish(&mut self, text: &str, base: usize) {
        self.block = lines(text, TextRange::new(self.marker as usize, self.block.end()));
        self.end_at_table(text);
        self.head = self.head.trimmed(text);
        self.marks = Marks::of(self.head.of(text).as_bytes());
        self.settle(base);
    }

    /// A table right below an item's text is a block of its own.
    pub(super) fn end_at_table(&mut self, text: &str) {
        if let Some(table) = table::in_paragraph(text, self.head) {
            self.head = TextRange::new(self.head.start(), table.start().max(self.head.start())).trimmed(text);
            self.children = self.children.or(u32::try_from(table.start()).ok());
        }
    }

    /// Moves to the offsets of the whole text; the block has whole lines, and the own text no blanks at its ends.
    pub(super) fn settle(&mut self, base: usize) {
        self.head = self.head.shifted(base);
        self.block = self.block.shifted(base);
        let base = u32::try_from(base).unwrap_or(u32::MAX);
        self.marker = self.marker.saturating_add(base);
        self.children = self.children.map(|start| start.saturating_add(base));
    }
}

/// The whole lines of `range`, without blank lines at its end.
pub(super) fn lines(text: &str, range: TextRange) -> TextRange {
    let start = line_start(text, range.start());
    let end = trim_end_blanks(text, range.start(), range.end());
    TextRange::new(start, if end > range.start() { next_line(text, end - 1) } else { next_line(text, range.start()) })
}

fn depth(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

#[cfg(test)]
mod tests;
