//! What is found by line, before Markdown is parsed: front matter, memfile's own markers, blocks of other tools,
//! conflict markers, and lines that are nested too deeply.
//!
//! In: the whole text. Out: [`Scan`], ranges of that text. Lines inside fenced code and multi-line comments are no markers.

use super::depth;
use crate::text::{TextRange, fold_key, line_end, next_line};

/// A `<Memory>` element.
#[derive(Debug)]
pub(super) struct Memory {
    /// The opening tag's line.
    pub(super) open: TextRange,
    /// The lines between the tags.
    pub(super) inner: TextRange,
    /// True for output of `present`, which never holds facts.
    pub(super) generated: bool,
}

/// What the lines say.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// The front matter with its two rules.
    pub(super) front_matter: Option<TextRange>,
    /// `memfile: true` stands in it.
    pub(super) whole_file: bool,
    /// Pieces that are Markdown of their own, in order.
    pub(super) segments: Vec<TextRange>,
    pub(super) memories: Vec<Memory>,
    /// Between `memfile:begin` and `memfile:end`, the markers not included.
    pub(super) blocks: Vec<TextRange>,
    /// Blocks of other tools, their markers included.
    pub(super) foreign: Vec<TextRange>,
    /// Lines that are `<!-- memfile -->`.
    pub(super) heading_markers: Vec<TextRange>,
    /// Lines that are one `<!-- memfile: … -->` comment: the comment.
    pub(super) comments: Vec<TextRange>,
    /// `Facts about X` lines: the subject.
    pub(super) facts_about: Vec<TextRange>,
    /// The first line of a set of conflict markers.
    pub(super) conflict: Option<TextRange>,
    /// Lines in which markers were masked.
    pub(super) masked: Vec<TextRange>,
    /// Where each line of the segments starts that stands behind another.
    pub(super) starts: Vec<u32>,
}

/// Reads the lines of `text`.
pub(super) fn scan(text: &str) -> Scan {
    let mut scan = Scan::default();
    let mut at = body_start(text, &mut scan);
    let mut state = State { segment: at, ..State::default() };
    let bytes = text.as_bytes();
    // About as many as there will be.
    scan.starts.reserve(text.len() / 40);
    for end in memchr::memchr2_iter(b'\n', b'\r', &bytes[at..]).map({
        let base = at;
        move |end| base + end
    }) {
        if end < at {
            // The second byte of a pair.
            continue;
        }
        let next = if bytes[end] == b'\r' && bytes.get(end + 1) == Some(&b'\n') { end + 2 } else { end + 1 };
        scan.starts.push(u32::try_from(next).unwrap_or(u32::MAX));
        if state.in_comment || !is_plain(&bytes[at..end]) {
            state.line(text, TextRange::new(at, end), next, &mut scan);
        }
        at = next;
    }
    state.line(text, TextRange::new(at, text.len()), text.len(), &mut scan);
    state.finish(text, &mut scan);
    scan
}

/// True for words and items that say nothing here, which most lines are.
fn is_plain(line: &[u8]) -> bool {
    let is_words = matches!(line, [] | [b'a'..=b'e' | b'g'..=b'z' | b'A'..=b'E' | b'G'..=b'Z' | b'|', ..]);
    is_words || matches!(line, [b'-' | b'*', b' ', b'a'..=b'z' | b'A'..=b'Z' | b'`' | b'*', ..])
}

/// The offset behind the BOM and the front matter.
fn body_start(text: &str, scan: &mut Scan) -> usize {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let first = TextRange::new(start, line_end(text, start)).of(text);
    let mut at = next_line(text, start);
    if first.trim_end() != "---" {
        return start;
    }
    // A leading thematic break is no front matter: the next line must look like YAML.
    let second = TextRange::new(at, line_end(text, at)).of(text);
    if !(second.contains(':') || second.starts_with(['#', '-'])) {
        return start;
    }
    let mut whole_file = false;
    while at < text.len() {
        let line = TextRange::new(at, line_end(text, at)).of(text).trim_end();
        at = next_line(text, at);
        if line == "---" || line == "..." {
            scan.front_matter = Some(TextRange::new(start, at));
            scan.whole_file = whole_file;
            return at;
        }
        whole_file |= line.strip_prefix("memfile:").is_some_and(|value| value.trim() == "true");
    }
    start
}

/// A marker of another tool that waits for its end.
struct Opened {
    start: usize,
    name: String,
}

#[derive(Default)]
struct State {
    /// Where the current segment began.
    segment: usize,
    fence: Option<(u8, usize)>,
    in_comment: bool,
    memory: Option<Memory>,
    block: Option<usize>,
    opened: Vec<Opened>,
    /// Start of a `<<<<<<<` line, and whether `=======` followed.
    conflict: Option<(TextRange, bool)>,
}

impl State {
    fn line(&mut self, text: &str, line: TextRange, next: usize, scan: &mut Scan) {
        let raw = line.of(text);
        let body = raw.trim_start_matches([' ', '\t']);
        let indent = raw.len() - body.len();
        let Some(&first) = body.as_bytes().first() else { return };
        if self.in_comment {
            self.in_comment = !body.contains("-->");
            return;
        }
        if matches!(first, b'>' | b'-' | b'*' | b'+') || indent > depth::MAX_INDENT || first.is_ascii_digit() {
            if depth::too_deep(raw.as_bytes()) {
                scan.masked.push(line);
            }
            if first == b'>' && body.starts_with(">>>>>>>") {
                self.conflict_mark(line, raw, scan);
            }
            return;
        }
        if !matches!(first, b'`' | b'~' | b'<' | b'=' | b'#' | b'[' | b'F' | b'f') && first < 0x80 {
            return;
        }
        if self.fenced(body, indent, first) || indent > 3 {
            return;
        }
        match first {
            b'=' => self.conflict_mark(line, raw, scan),
            b'<' if body.starts_with("<<<<<<<") => self.conflict_mark(line, raw, scan),
            b'<' if body.starts_with("<!--") => self.comment(text, line, next, scan),
            b'<' => self.element(text, line, next, scan),
            b'#' | b'[' => self.foreign_mark(body, line, next, scan),
            _ => {
                if let Some(subject) = facts_about(body) {
                    let start = line.start() + indent + subject.start();
                    scan.facts_about.push(TextRange::new(start, start + subject.len()));
                }
            }
        }
    }

    /// Follows fenced code; true for its lines.
    fn fenced(&mut self, body: &str, indent: usize, first: u8) -> bool {
        let run = body.bytes().take_while(|&byte| byte == first).count();
        match self.fence {
            Some((mark, len)) => {
                if first == mark && run >= len && body[run..].trim().is_empty() {
                    self.fence = None;
                }
                true
            }
            None if matches!(first, b'`' | b'~') && run >= 3 && !(first == b'`' && body[run..].contains('`')) => {
                // Deeper than a nested list would put it, it is indented code.
                self.fence = (indent < 12).then_some((first, run));
                true
            }
            None => matches!(first, b'`' | b'~'),
        }
    }

    fn conflict_mark(&mut self, line: TextRange, raw: &str, scan: &mut Scan) {
        let named = |mark: &str| raw.strip_prefix(mark).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
        if self.fence.is_some() {
            return;
        }
        if named("<<<<<<<") {
            self.conflict = Some((line, false));
        } else if raw.trim_end() == "=======" {
            self.conflict = self.conflict.map(|(start, _)| (start, true));
        } else if named(">>>>>>>")
            && let Some((start, true)) = self.conflict.take()
        {
            scan.conflict.get_or_insert(start);
        }
    }

    fn comment(&mut self, text: &str, line: TextRange, next: usize, scan: &mut Scan) {
        let trimmed = line.trimmed(text);
        let Some(inner) = trimmed.of(text).strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->")) else {
            self.in_comment = !trimmed.of(text).contains("-->");
            return;
        };
        if inner.contains("-->") {
            return;
        }
        match inner.trim() {
            "memfile" => scan.heading_markers.push(line),
            "memfile:begin" => self.block = Some(next),
            "memfile:end" => {
                if let Some(start) = self.block.take() {
                    scan.blocks.push(TextRange::new(start, line.start()));
                }
            }
            other if other.starts_with("memfile:") => scan.comments.push(trimmed),
            other => self.mark(other, line, next, scan),
        }
    }

    fn element(&mut self, text: &str, line: TextRange, next: usize, scan: &mut Scan) {
        let body = line.of(text).trim().to_ascii_lowercase();
        if body == "</memory>" {
            if let Some(mut memory) = self.memory.take() {
                memory.inner = TextRange::new(memory.inner.start(), line.start());
                scan.segments.push(memory.inner);
                scan.memories.push(memory);
                self.segment = next;
            }
            return;
        }
        let Some(rest) = body.strip_prefix("<memory").and_then(|rest| rest.strip_suffix('>')) else { return };
        if self.memory.is_some() || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
            return;
        }
        let generated = rest.split_whitespace().any(|attribute| matches!(attribute, "generated=\"memfile\"" | "generated='memfile'"));
        scan.segments.push(TextRange::new(self.segment, line.start()));
        self.memory = Some(Memory { open: line, inner: TextRange::empty(next), generated });
        self.segment = next;
    }

    /// `# >>> name >>>` and `[//]: # (BEGIN name)`.
    fn foreign_mark(&mut self, body: &str, line: TextRange, next: usize, scan: &mut Scan) {
        let body = body.trim_end();
        if let Some(inner) = body.strip_prefix("[//]: # (").and_then(|rest| rest.strip_suffix(')')) {
            self.mark(inner, line, next, scan);
        } else if let Some(name) = body.strip_prefix("# >>>").and_then(|rest| rest.strip_suffix(">>>")) {
            self.opened.push(Opened { start: line.start(), name: fold_key(name) });
        } else if let Some(name) = body.strip_prefix("# <<<").and_then(|rest| rest.strip_suffix("<<<")) {
            self.close(&fold_key(name), next, scan);
        }
    }

    /// A marker with one of the words begin, start, end, stop; the first other word is its name.
    fn mark(&mut self, inner: &str, line: TextRange, next: usize, scan: &mut Scan) {
        if inner.len() > 200 {
            return;
        }
        let lower = inner.to_lowercase();
        let mut words = lower.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
        let mut edge = None;
        let mut name = None;
        for word in words.by_ref() {
            match word {
                "begin" | "start" if edge.is_none() => edge = Some(true),
                "end" | "stop" if edge.is_none() => edge = Some(false),
                _ if name.is_none() => name = Some(word),
                _ => {}
            }
        }
        let name = name.unwrap_or("");
        match edge {
            Some(true) => self.opened.push(Opened { start: line.start(), name: name.to_owned() }),
            Some(false) => self.close(name, next, scan),
            None => {}
        }
    }

    /// An end closes the nearest start of its name; starts without an end open nothing.
    fn close(&mut self, name: &str, next: usize, scan: &mut Scan) {
        if let Some(idx) = self.opened.iter().rposition(|opened| opened.name == name) {
            let range = TextRange::new(self.opened[idx].start, next);
            self.opened.truncate(idx);
            scan.foreign.retain(|inner| !range.covers(*inner));
            scan.foreign.push(range);
        }
    }

    fn finish(self, text: &str, scan: &mut Scan) {
        match self.memory {
            // Without its end tag the element is no region; its text is Markdown like the rest.
            Some(memory) => scan.segments.push(TextRange::new(memory.open.start(), text.len())),
            None => scan.segments.push(TextRange::new(self.segment, text.len())),
        }
        scan.segments.retain(|segment| !segment.is_empty());
    }
}

/// The subject of a line like `Facts about Maya, in order of appearance (oldest to newest).`
fn facts_about(body: &str) -> Option<TextRange> {
    const LEADS: [&str; 4] = ["facts about ", "факты о ", "факты об ", "факты про "];
    let head: String = body.chars().take(12).collect::<String>().to_lowercase();
    let lead = LEADS.iter().find(|lead| head.starts_with(**lead))?;
    let rest_at = body.char_indices().nth(lead.chars().count())?.0;
    let rest = &body[rest_at..];
    let lower = rest.to_ascii_lowercase();
    let cut = [", in order", ", в порядке"].iter().filter_map(|end| lower.find(end)).min().unwrap_or(rest.len());
    let subject = rest[..cut].trim_end().trim_end_matches(['.', ':']);
    (!subject.trim().is_empty()).then(|| TextRange::new(rest_at, rest_at + subject.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, ranges: &[TextRange]) -> Vec<String> {
        ranges.iter().map(|range| range.of(text).to_owned()).collect()
    }

    #[test]
    fn memory_elements_are_segments_of_their_own() {
        let text = "a\n<Memory>\n- x\n</Memory>\nb\n```\n<Memory>\n```\n<memory generated=\"memfile\">\ny\n</MEMORY>\n";
        let scan = scan(text);
        assert_eq!(texts(text, &scan.segments), ["a\n", "- x\n", "b\n```\n<Memory>\n```\n", "y\n"]);
        assert_eq!(scan.memories.iter().map(|memory| memory.generated).collect::<Vec<_>>(), [false, true]);
    }

    #[test]
    fn foreign_blocks_need_an_end_of_their_name() {
        let text = "<!-- BEGIN:kit rules v3 -->\nx\n<!-- END:kit -->\n<!-- start here -->\n# >>> w >>>\n# <<< w <<<\n[//]: # (BEGIN b)\n[//]: # (END b)\n";
        assert_eq!(scan(text).foreign.len(), 3);
    }

    #[test]
    fn front_matter_is_yaml_between_rules() {
        assert!(scan("\u{feff}---\nmemfile: true\n---\nx").whole_file);
        assert!(scan("---\n\n**Subject: x**\n\n---\n").front_matter.is_none());
    }

    #[test]
    fn subjects() {
        for (line, subject) in [
            ("Facts about Maya, in order of appearance (oldest to newest).", "Maya"),
            ("Facts about the client “Cozy Home Co.”, in order", "the client “Cozy Home Co.”"),
            ("Факты о проекте:", "проекте"),
        ] {
            assert_eq!(facts_about(line).map(|range| range.of(line).to_owned()).as_deref(), Some(subject));
        }
    }

    #[test]
    fn conflicts_need_all_three_marks() {
        assert!(scan("<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n").conflict.is_some());
        assert!(scan("Title\n=======\n").conflict.is_none());
    }
}
