//! The whole road from text to [`Document`].

use super::document::{Bullet, Document, Managed, Record, Sign, Slot, Suppression};
use super::marks::Marks;
use super::outline::{Item, Outline};
use super::record::{self, Parts, Shape};
use super::regions::{Place, Regions};
use super::scan::{self, Scan};
use super::table::{self, Columns};
use super::{depth, tag};
use crate::config::{Cardinality, Config};
use crate::text::{TextRange, fold_key, line_start, next_line};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// How to read a text.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    /// The configuration.
    pub config: &'a Config,
    /// All of the text is managed.
    pub whole_file: bool,
    /// What another version of the file manages; managed here too.
    pub also: Option<&'a Managed>,
}

impl<'a> Reading<'a> {
    /// Reads by the text and the configuration alone.
    pub fn new(config: &'a Config) -> Self {
        Self { config, whole_file: false, also: None }
    }
}

/// Reads `text`. Never fails: what is no record is observed text or nothing.
pub fn parse<'t>(text: &'t str, reading: Reading) -> Document<'t> {
    let mut scan = scan::scan(text);
    let masked = (!scan.masked.is_empty()).then(|| depth::masked_copy(text, &scan.masked));
    let mut outline = Outline::default();
    let starts = std::mem::take(&mut scan.starts);
    for segment in &scan.segments {
        outline.read(segment.of(masked.as_deref().unwrap_or(text)), segment.start(), &starts);
    }
    drop(starts);
    let nothing = Managed::default();
    let also = reading.also.unwrap_or(&nothing);
    let whole = reading.whole_file || scan.whole_file || also.whole_file;
    let mut regions = Regions::new(text, &scan, &outline, reading.config, whole, also);
    let (records, observed, ragged, comments) = {
        let mut reader =
            Reader { text, config: reading.config, scan: &scan, outline: &outline, regions: &mut regions, out: Out::default() };
        reader.read(also);
        (reader.out.records, reader.out.observed, reader.out.ragged, reader.out.comments)
    };
    // Of a large text it is half as large as the records.
    drop(outline);
    let scopes = regions.take_scopes();
    let mut document = Document {
        text,
        regions: regions.regions,
        scopes,
        headings: regions.headings,
        records,
        observed,
        ragged,
        pasted: scan.memories.iter().filter(|memory| memory.generated).map(|memory| memory.open).collect(),
        conflict: scan.conflict,
        suppressions: Vec::new(),
        excluded: regions.excluded,
    };
    // They nearly always are: a sort that has nothing to do asks for memory all the same.
    for records in [&mut document.records, &mut document.observed] {
        if !records.is_sorted_by_key(|record| record.block.start()) {
            records.sort_by_key(|record| record.block.start());
        }
    }
    directives(&mut document, &scan, &comments);
    document
}

#[derive(Default)]
struct Out {
    records: Vec<Record>,
    observed: Vec<Record>,
    ragged: Vec<TextRange>,
    /// Trailing comments by the start of the record's block.
    comments: FxHashMap<usize, TextRange>,
}

struct Reader<'r, 't> {
    text: &'t str,
    config: &'r Config,
    scan: &'r Scan,
    outline: &'r Outline,
    regions: &'r mut Regions,
    out: Out,
}

impl Reader<'_, '_> {
    /// Reads items and tables as they come in the text.
    fn read(&mut self, also: &Managed) {
        let lists = self.speaking_lists(also);
        let outline = self.outline;
        self.out.records.reserve(outline.items.len());
        let mut tables = outline.tables.iter().copied().enumerate().peekable();
        // For an item that is only a label: the labels down to it.
        let mut labels: FxHashMap<u32, Vec<String>> = FxHashMap::default();
        for (idx, item) in outline.items.iter().enumerate() {
            while let Some((number, table)) = tables.next_if(|(_, table)| table.start() < item.block.start()) {
                self.table(number, table);
            }
            let label = item.parent.and_then(|parent| labels.get(&parent).map(|path| (parent, path.clone())));
            if item.task || item.head.is_empty() || self.is_masked(item) || (item.parent.is_some() && label.is_none()) {
                continue;
            }
            let place = match self.regions.place(item.block.start()) {
                Place::Observed => lists.get(&item.list).map_or(Place::Observed, |&region| Place::Managed(region)),
                place => place,
            };
            let region = match place {
                Place::Managed(region) => Some(region),
                Place::Observed => None,
                Place::Excluded => continue,
            };
            let Some(parts) = record::read(self.text, item.head, item.marks, self.spans(item), self.config) else { continue };
            if item.has_list && parts.shape == Shape::KeyValue && parts.value.is_empty() && parts.tag.is_none() {
                let mut path = label.map(|(_, path)| path).unwrap_or_default();
                path.push(crate::text::strip_markup(parts.parameter.of(self.text)).into_owned());
                labels.insert(idx as u32, path);
                continue;
            }
            let scope =
                self.regions.scope(self.text, region, item.block.start(), label.as_ref().map(|(item, path)| (*item, path.as_slice())));
            let record = self.record(item, parts, scope);
            if region.is_some() { self.out.records.push(record) } else { self.out.observed.push(record) }
        }
        tables.for_each(|(number, table)| self.table(number, table));
    }

    /// Lists outside regions in which one item is a pipe record with a source, or carries a memfile tag.
    fn speaking_lists(&mut self, also: &Managed) -> FxHashMap<u32, u32> {
        let mut speaking: FxHashSet<u32> = FxHashSet::default();
        for item in &self.outline.items {
            let candidate = item.marks.has(Marks::BAR) || item.marks.has(Marks::TAG) || !also.lists.is_empty();
            if !candidate || item.task || speaking.contains(&item.list) || self.is_masked(item) {
                continue;
            }
            if self.regions.place(item.block.start()) != Place::Observed {
                continue;
            }
            let Some(parts) = record::read(self.text, item.head, item.marks, self.spans(item), self.config) else { continue };
            let tagged = parts.tag.as_ref().is_some_and(|tag| tag.form == tag::Form::Bracket && !parts.parameter.is_empty());
            let sourced = parts.shape == Shape::Pipe && !parts.attributes.source().is_empty();
            let known = || {
                let keys = also.lists.get(&self.regions.key_above(self.text, item.block.start()));
                !parts.parameter.is_empty() && keys.is_some_and(|keys| keys.contains(&fold_key(parts.parameter.of(self.text))))
            };
            if tagged || sourced || (!also.lists.is_empty() && known()) {
                speaking.insert(item.list);
            }
        }
        let mut ranges: BTreeMap<u32, TextRange> = BTreeMap::new();
        for item in self.outline.items.iter().filter(|item| speaking.contains(&item.list)) {
            let range = ranges.entry(item.list).or_insert(item.block);
            *range = TextRange::new(range.start(), item.block.end());
        }
        ranges.into_iter().map(|(list, range)| (list, self.regions.add_list(self.text, range))).collect()
    }

    fn spans(&self, item: &Item) -> &[TextRange] {
        &self.outline.spans[item.spans.start as usize..item.spans.end as usize]
    }

    fn is_masked(&self, item: &Item) -> bool {
        !self.scan.masked.is_empty() && self.scan.masked.iter().any(|line| line.overlaps(item.head) || line.contains(item.marker as usize))
    }

    fn record(&mut self, item: &Item, parts: Parts, scope: u32) -> Record {
        if !parts.comments.is_empty() {
            self.out.comments.insert(item.block.start(), parts.comments);
        }
        let own_end = item
            .children
            .map_or(item.block.end(), |_| next_line(self.text, item.head.end().max(item.head.start() + 1) - 1).min(item.block.end()));
        let bullet = if item.ordered {
            Bullet::Number
        } else {
            Bullet::Mark(match self.text.as_bytes().get(item.marker as usize) {
                Some(b'*') => Sign::Star,
                Some(b'+') => Sign::Plus,
                _ => Sign::Dash,
            })
        };
        Record {
            block: item.block,
            head: item.head,
            own_end: u32::try_from(own_end).unwrap_or(u32::MAX),
            shape: parts.shape,
            bullet,
            scope,
            container: item.list,
            subject: parts.subject,
            parameter: parts.parameter,
            value: parts.value,
            attributes: parts.attributes,
            tag: parts.tag,
            slot: TextRange::empty(parts.slot),
            slot_kind: Slot::Behind,
            cardinality: None,
        }
    }

    fn table(&mut self, number: usize, range: TextRange) {
        let place = self.regions.place(range.start());
        let Some(columns) = table::columns(self.text, range, &self.config.labels) else { return };
        let region = match place {
            Place::Excluded => return,
            Place::Managed(region) => Some(region),
            Place::Observed if columns.speaks_format() => Some(self.regions.add_list(self.text, range)),
            Place::Observed => None,
        };
        let scope = self.regions.scope(self.text, region, range.start(), None);
        for line in table::rows(self.text, range) {
            let cells = table::cells(self.text, line);
            if cells.len() != columns.count {
                if region.is_some() {
                    self.out.ragged.push(line);
                }
                continue;
            }
            let Some(record) = self.row(line, &cells, &columns, scope, u32::MAX - number as u32) else { continue };
            if region.is_some() { self.out.records.push(record) } else { self.out.observed.push(record) }
        }
    }

    fn row(&self, line: TextRange, cells: &[TextRange], columns: &Columns, scope: u32, container: u32) -> Option<Record> {
        let text = self.text;
        let cell = |idx: usize| cells[idx].trimmed(text);
        let parameter = cell(columns.parameter);
        let date = super::date::read_whole(parameter.of(text), self.config.date_order);
        if parameter.is_empty() || date.is_some() {
            return None;
        }
        let mut value = cell(columns.value);
        let mut record_tag = tag::read(text, value, &[], true).map(|read| {
            value = read.core;
            read.tag
        });
        let (mut slot, mut slot_kind) = (TextRange::empty(cell(columns.value).end()), Slot::Behind);
        if slot.start() == cells[columns.value].start() || cell(columns.value).is_empty() {
            (slot, slot_kind) = (cells[columns.value], Slot::Fill);
        }
        if let Some(status) = columns.status {
            let (inner, words) = (cells[status], cell(status));
            (slot, slot_kind) = if words.is_empty() { (inner, Slot::Fill) } else { (TextRange::empty(words.end()), Slot::Behind) };
            match tag::cell_word(&fold_key(words.of(text))) {
                Some(found) => {
                    (slot, slot_kind) = (words, Slot::Word);
                    record_tag = record_tag.or(found.map(|status| Box::new(tag::word_tag(status, words))));
                }
                None => {
                    if let Some(read) = tag::read(text, words, &[], true) {
                        (slot, slot_kind) = (read.tag.range, Slot::Word);
                        record_tag = record_tag.or(Some(read.tag));
                    }
                }
            }
        }
        let mut attributes = super::Attributes::default();
        for &(kind, idx) in &columns.attributes {
            attributes.set(kind, cell(idx));
        }
        Some(Record {
            block: TextRange::new(line_start(text, line.start()), next_line(text, line.start())),
            head: line,
            own_end: u32::try_from(next_line(text, line.start())).unwrap_or(u32::MAX),
            shape: Shape::Row,
            bullet: Bullet::Row,
            scope,
            container,
            subject: columns.subject.map_or(TextRange::default(), cell),
            parameter,
            value,
            attributes,
            tag: record_tag,
            slot,
            slot_kind,
            cardinality: None,
        })
    }
}

/// Reads the comments on records and on the lines above them.
fn directives(document: &mut Document, scan: &Scan, trailing: &FxHashMap<usize, TextRange>) {
    if scan.comments.is_empty() && trailing.is_empty() {
        return;
    }
    let text = document.text;
    let above: FxHashMap<usize, TextRange> = scan.comments.iter().map(|&comment| (next_line(text, comment.start()), comment)).collect();
    for (idx, record) in document.records.iter_mut().enumerate() {
        let mut take = |range: TextRange, gone: TextRange| {
            for inner in range.of(text).split("<!--").filter_map(|part| part.split("-->").next()) {
                let Some(words) = inner.trim().strip_prefix("memfile:") else { continue };
                let words = words.split(" -- ").next().unwrap_or("").trim();
                match words {
                    "many" => record.cardinality = Some(Cardinality::Many),
                    "volatile" => record.cardinality = record.cardinality.or(Some(Cardinality::Volatile)),
                    _ => {
                        let Some(names) = words.strip_prefix("ignore") else { continue };
                        let names = names.split([',', ' ']).filter(|name| !name.is_empty()).map(str::to_owned).collect();
                        document.suppressions.push(Suppression { range: gone, names, record: idx as u32 });
                    }
                }
            }
        };
        if let Some(&range) = trailing.get(&record.block.start()) {
            take(range, TextRange::new(crate::text::trim_end_blanks(text, record.head.start(), range.start()), range.end()));
        }
        let mut start = record.block.start();
        while let Some(&range) = above.get(&start) {
            start = line_start(text, range.start());
            take(range, TextRange::new(start, next_line(text, start)));
        }
    }
}
