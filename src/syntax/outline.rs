//! The blocks of one piece of Markdown, as pulldown-cmark sees them: headings, list items, tables.
//!
//! In: text. Out: [`Outline`], offsets of that text. Block starts come from the parser, ends are snapped to lines:
//! pulldown-cmark's item swallows the blank lines behind it, and an item nested by tab begins one byte early.

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
    lists: u32,
    /// The list that the next piece begins in the middle of.
    open: Option<u32>,
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

/// How much of a text the parser gets at once, in bytes. Its tree is seven times as large, and one that fits the cache costs half.
const PIECE: usize = 32 * 1024;

impl Outline {
    /// Reads `text` (which starts at `base` of the whole) and adds its blocks.
    pub(super) fn read(&mut self, text: &str, base: usize) {
        self.read_by(text, base, PIECE);
    }

    /// Reads `text` in pieces of about `size` bytes.
    ///
    /// A piece may end anywhere: a heading at the left margin closes all that is open, and an item there all but its list. So what
    /// stands before the last one that the parser saw is read as in the whole, and the next piece begins with it. References alone
    /// reach further than that.
    fn read_by(&mut self, text: &str, base: usize, size: usize) {
        if text.len() <= size || memchr::memmem::find(text.as_bytes(), b"]:").is_some() {
            return self.piece(text, base);
        }
        let (mut from, mut length) = (0, size);
        while from + length < text.len() {
            let end = next_line(text, from + length);
            let (headings, items, open) = (self.headings.len(), self.items.len(), self.open);
            self.piece(&text[from..end], base + from);
            let starts = self.headings[headings..].iter().map(|heading| heading.range.start() - base);
            let heading = starts.rev().find(|&start| start > from && text.as_bytes()[start] == b'#');
            let mut outer = self.items[items..].iter().rev().filter(|item| item.parent.is_none());
            let item = outer.find(|item| item.block.start() == item.marker as usize && item.block.start() > base + from);
            match (heading, item.map(|item| (item.block.start() - base, item.list))) {
                (heading, Some((start, list))) if heading.is_none_or(|heading| heading < start) => {
                    (from, length, self.open) = (start, size, Some(list));
                }
                (Some(start), _) => (from, length, self.open) = (start, size, None),
                (None, _) => (length, self.open) = (length * 2, open),
            }
            self.cut(base + from);
        }
        self.piece(&text[from..], base + from);
        self.open = None;
    }

    /// Takes out what starts at `offset` or behind.
    fn cut(&mut self, offset: usize) {
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
                let id = self.open.take().filter(|_| range.start() == 0).unwrap_or_else(|| {
                    self.lists += 1;
                    self.lists
                });
                Frame::List { id, ordered: start.is_some() }
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
        if let Some(table) = table::in_paragraph(text, self.head) {
            // A table right below an item's text is a block of its own.
            self.head = TextRange::new(self.head.start(), table.start().max(self.head.start()));
            self.children = self.children.or(u32::try_from(table.start()).ok());
        }
        self.head = self.head.trimmed(text).shifted(base);
        self.block = self.block.shifted(base);
        let base = u32::try_from(base).unwrap_or(u32::MAX);
        self.marker = self.marker.saturating_add(base);
        self.children = self.children.map(|start| start.saturating_add(base));
    }
}

/// The whole lines of `range`, without blank lines at its end.
fn lines(text: &str, range: TextRange) -> TextRange {
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
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All of it but the numbers of lists, which only tell one list from another.
    fn dump(outline: &Outline) -> String {
        let items = outline.items.iter().map(|item| {
            let first = outline.items.iter().position(|other| other.list == item.list);
            format!("{first:?} {:?} {:?} {:?} {:?} {:?}", item.block, item.head, item.children, item.parent, item.spans)
        });
        let rest = format!("{:?} {:?} {:?}", outline.headings, outline.tables, outline.spans);
        items.chain([rest]).collect::<Vec<_>>().join("\n")
    }

    const LINES: [&str; 26] = [
        "# a",
        "## b",
        "  # c",
        "> # d",
        "- # e",
        "- f: g",
        "  - h | i",
        "1. j",
        "> k",
        "l",
        "===",
        "---",
        "```",
        "~~~~",
        "    m",
        "<div>",
        "<!-- n",
        "-->",
        "<script>",
        "</script>",
        "",
        "",
        "| o | p |",
        "|---|---|",
        "- [q](r) `s: t`",
        "[u]: v",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn a_text_read_in_pieces_has_the_blocks_of_the_whole(lines in prop::collection::vec(0..LINES.len(), 0..60), end in 0..3_usize, size in 1..90_usize) {
            let text: String = lines.iter().map(|&line| format!("{}{}", LINES[line], ["\n", "\r\n", "\r"][end])).collect();
            let (mut whole, mut pieces) = (Outline::default(), Outline::default());
            whole.piece(&text, 7);
            pieces.read_by(&text, 7, size);
            prop_assert_eq!(dump(&pieces), dump(&whole), "{}", text);
        }
    }
}
