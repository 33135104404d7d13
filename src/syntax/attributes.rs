//! Attributes: who said it and when, since when, until when, and why (SPEC 3).
//!
//! In pipe records each stands in a cell of its own, in key-value records they stand in a closing parenthesis.

use super::date::{self, Written};
use super::record::inside;
use crate::config::{Config, DateOrder, Labels};
use crate::text::{TextRange, fold_key};
use memchr::{memchr2_iter, memrchr2_iter};

/// What an attribute says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Source,
    Since,
    Until,
    Reason,
}

/// Where the attributes' texts stand; empty ranges stand for those that are not there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Attributes(Few);

/// Most records have one attribute or none, and a text may have a million records: more of them have memory of their own.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
enum Few {
    #[default]
    None,
    One(Kind, TextRange),
    /// By their kinds.
    Several(Box<[TextRange; 4]>),
}

impl Attributes {
    /// Who or when it was said: the recorded clock.
    pub fn source(&self) -> TextRange {
        self.of(Kind::Source)
    }

    /// When it became true: the effective clock.
    pub fn since(&self) -> TextRange {
        self.of(Kind::Since)
    }

    /// The last day on which it holds.
    pub fn until(&self) -> TextRange {
        self.of(Kind::Until)
    }

    /// Why.
    pub fn reason(&self) -> TextRange {
        self.of(Kind::Reason)
    }

    /// True where none is written, not even one without a text.
    pub fn is_empty(&self) -> bool {
        matches!(self.0, Few::None)
    }

    fn of(&self, kind: Kind) -> TextRange {
        match &self.0 {
            Few::One(own, range) if *own == kind => *range,
            Few::Several(ranges) => ranges[kind as usize],
            _ => TextRange::default(),
        }
    }

    /// Takes the first text of each kind; a second one is left alone.
    pub(super) fn set(&mut self, kind: Kind, range: TextRange) {
        if !self.of(kind).is_empty() {
            return;
        }
        match &mut self.0 {
            Few::None => self.0 = Few::One(kind, range),
            Few::One(own, known) if *own == kind => *known = range,
            Few::One(own, known) => {
                let mut ranges = Box::new([TextRange::default(); 4]);
                ranges[*own as usize] = *known;
                ranges[kind as usize] = range;
                self.0 = Few::Several(ranges);
            }
            Few::Several(ranges) => ranges[kind as usize] = range,
        }
    }
}

/// The kind that a folded label names.
pub(super) fn kind_of(label: &str, labels: &Labels) -> Option<Kind> {
    Some(match label {
        "source" | "источник" | "来源" => Kind::Source,
        "since" | "effective since" | "from" | "effective from" | "effective" | "valid from" | "valid since" => Kind::Since,
        "с" | "со" | "действует с" | "действует со" | "начиная с" | "生效日期" => Kind::Since,
        "until" | "valid until" | "effective until" | "till" | "до" | "действует до" | "截止日期" => Kind::Until,
        "reason" | "причина" | "原因" => Kind::Reason,
        other => {
            let has = |words: &[String]| words.iter().any(|word| word == other);
            if has(&labels.source) {
                Kind::Source
            } else if has(&labels.since) {
                Kind::Since
            } else if has(&labels.until) {
                Kind::Until
            } else if has(&labels.reason) {
                Kind::Reason
            } else {
                return None;
            }
        }
    })
}

/// Labels have less characters: the longest that ships has 17, and those of a configuration are short as well.
const LABEL: usize = 48;

/// The offset of the first colon in `part`, a full-width one too.
pub(super) fn colon(text: &str, part: TextRange) -> Option<usize> {
    let body = part.of(text);
    let is_colon = |&at: &usize| body.as_bytes()[at] == b':' || body[at..].starts_with('：');
    memchr::memchr2_iter(b':', 0xef, body.as_bytes()).find(is_colon).map(|at| part.start() + at)
}

/// Reads `label: text`.
pub(super) fn labelled(text: &str, part: TextRange, labels: &Labels) -> Option<(Kind, TextRange)> {
    let body = part.of(text);
    if let Some(rest) = body.strip_prefix("source:") {
        return Some((Kind::Source, TextRange::new(part.end() - rest.len(), part.end()).trimmed(text)));
    }
    let bytes = body.as_bytes();
    let colon = colon(text, part)? - part.start();
    if colon >= LABEL && body[..colon].chars().count() >= LABEL {
        return None;
    }
    let kind = kind_of(&fold_key(&body[..colon]), labels)?;
    let len = if bytes[colon] == b':' { 1 } else { '：'.len_utf8() };
    let value = TextRange::new(part.start() + colon + len, part.end()).trimmed(text);
    Some((kind, value))
}

/// Reads `since D` and its like without a colon, or a date alone.
fn bare(text: &str, part: TextRange, config: &Config) -> Option<(Kind, TextRange)> {
    let body = part.of(text);
    if body.len() > 80 {
        return None;
    }
    // `effective since D`: the label is all but the date.
    let after_label = body.match_indices(' ').take(3).find_map(|(at, _)| {
        let kind = kind_of(&fold_key(&body[..at]), &config.labels).filter(|kind| matches!(kind, Kind::Since | Kind::Until))?;
        let rest = TextRange::new(part.start() + at, part.end()).trimmed(text);
        date::read_whole(rest.of(text), config.date_order).map(|_| (kind, rest))
    });
    after_label.or_else(|| match date::read_whole(body, config.date_order)? {
        Written::Session(_) => Some((Kind::Source, part)),
        _ => Some((Kind::Since, part)),
    })
}

/// Splits a closing parenthesis with attributes off the value of a key-value record.
pub(super) fn closing(text: &str, value: TextRange, spans: &[TextRange], config: &Config) -> (TextRange, Attributes) {
    let none = (value, Attributes::default());
    let body = value.of(text);
    if !body.ends_with(')') {
        return none;
    }
    let Some(open) = opening_parenthesis(body, value.start(), spans) else { return none };
    let before = TextRange::new(value.start(), value.start() + open).trimmed(text);
    if before.is_empty() {
        return none;
    }
    let inner = TextRange::new(value.start() + open + 1, value.end() - 1);
    let mut attributes = Attributes::default();
    let mut start = inner.start();
    for at in memchr2_iter(b';', b'|', inner.of(text).as_bytes()).chain([inner.len()]) {
        let end = inner.start() + at;
        let part = TextRange::new(start, end).trimmed(text);
        if let Some((kind, range)) = labelled(text, part, &config.labels).or_else(|| bare(text, part, config)) {
            attributes.set(kind, range);
        }
        start = end + 1;
    }
    if attributes.is_empty() { none } else { (before, attributes) }
}

/// The offset in `body` of the parenthesis that its last byte closes.
fn opening_parenthesis(body: &str, base: usize, spans: &[TextRange]) -> Option<usize> {
    let mut depth = 0_usize;
    let first = body.len().saturating_sub(2000);
    for at in memrchr2_iter(b'(', b')', &body.as_bytes()[first..]).map(|at| first + at) {
        match body.as_bytes()[at] {
            _ if inside(spans, base + at) => {}
            b')' => depth += 1,
            _ => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
        }
        if depth == 0 {
            // The last parenthesis stands in code or a link.
            return None;
        }
    }
    None
}

/// The date of a statement like `(2025-01-14) Maya lives in London.`
pub(super) fn leading_date(text: &str, core: TextRange, order: Option<DateOrder>) -> Attributes {
    let body = core.of(text);
    let inner = body.strip_prefix('(').and_then(|rest| rest.find(')').map(|len| &rest[..len]));
    match inner {
        Some(inner) if inner.len() <= 40 && date::read_whole(inner, order).is_some() => {
            Attributes(Few::One(Kind::Since, TextRange::new(core.start() + 1, core.start() + 1 + inner.len())))
        }
        _ => Attributes::default(),
    }
}
