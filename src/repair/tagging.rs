//! Edits that put a tag on a record, change it, or take it off. Ranges are those of the record's own text.

use super::words::{Mark, tag_parts};
use crate::config::{Config, TagLanguage, TagPosition};
use crate::syntax::{Form, Record, Shape, Slot, Status};
use crate::text::{TextEdit, TextRange, trim_end_blanks};
use smallvec::{SmallVec, smallvec};

/// Edits of one record: mostly one.
pub(crate) type Edits = SmallVec<[TextEdit; 1]>;

/// Gives `record` the tag that `mark` says, in the place of any tag it has. A reason that the old tag gave stays.
pub(crate) fn put_tag(record: &Record, mark: &Mark, reason: Option<&str>, config: &Config) -> Edits {
    let (status, rest) = tag_parts(mark, reason, config.tag_language);
    let [a, b, c, d, e, f] = rest;
    let whole = |before: &str, behind: &str| [before, status, a, b, c, d, e, f, behind].concat();
    if let Some(tag) = record.tag.as_deref().filter(|tag| tag.form != Form::Struck && tag.form != Form::Word) {
        if let Some(opening) = tag.opening {
            let rest = rest.concat();
            let tail = if tag.range.is_empty() { rest } else { rest.trim_start().to_owned() };
            return smallvec![TextEdit::replace(opening, status), TextEdit::replace(tag.range, tail)];
        }
        return smallvec![TextEdit::replace(tag.range, whole("", ""))];
    }
    match record.slot_kind {
        Slot::Fill => smallvec![TextEdit::replace(record.slot, whole(" ", " "))],
        Slot::Word => smallvec![TextEdit::replace(record.slot, whole("", ""))],
        Slot::Behind if config.tag_position == TagPosition::Start && record.bullet != crate::syntax::Bullet::Row => {
            let mut edits: Edits = smallvec![TextEdit::insert(record.head.start(), format!("{status} "))];
            let rest = rest.concat();
            if !rest.is_empty() {
                edits.push(TextEdit::insert(record.slot.end(), rest));
            }
            edits
        }
        Slot::Behind => smallvec![TextEdit::insert(record.slot.end(), whole(" ", ""))],
    }
}

/// Takes the tag of `record` off, with the blanks before it.
pub(crate) fn take_tag(text: &str, record: &Record) -> Edits {
    let Some(tag) = &record.tag else { return Edits::new() };
    let blanks = |range: TextRange| {
        let before = &text[record.head.start()..range.start()];
        TextRange::new(record.head.start() + before.trim_end_matches([' ', '\t']).len(), range.end())
    };
    let mut edits = Edits::new();
    edits.extend(tag.opening.map(|opening| take_opening(text, record, opening)));
    match record.slot_kind {
        // A cell keeps the blanks around what it loses.
        Slot::Word if tag.range == record.slot => edits.push(TextEdit::delete(tag.range)),
        _ if !tag.range.is_empty() => edits.push(TextEdit::delete(blanks(tag.range))),
        _ => {}
    }
    edits
}

/// Takes the status off that opens the text of `record`, with the blanks behind it.
fn take_opening(text: &str, record: &Record, opening: TextRange) -> TextEdit {
    let behind = &text[opening.end()..record.head.end()];
    let skip = behind.len() - behind.trim_start_matches([' ', '\t']).len();
    TextEdit::delete(TextRange::new(opening.start(), opening.end() + skip))
}

/// Writes the day of a scheduled record as its own date, where only its tag gives it and the tag is to go: the day orders. A row has
/// no place for it.
pub(super) fn keep_day(text: &str, record: &Record, config: &Config) -> Option<TextEdit> {
    let tag = record.tag.as_deref().filter(|tag| tag.status == Status::Scheduled && record.attributes.since().is_empty())?;
    let day = tag.when.as_deref()?;
    let ru = config.tag_language == TagLanguage::Ru;
    let end = trim_end_blanks(text, record.head.start(), tag.range.start().max(record.head.start()));
    let has_others = !record.attributes.is_empty() && text[..end].ends_with(')');
    Some(match record.shape {
        Shape::Pipe => TextEdit::insert(end, format!(" | {}: {day}", if ru { "действует с" } else { "effective since" })),
        Shape::KeyValue if has_others => TextEdit::insert(end - 1, format!("; {}: {day}", if ru { "с" } else { "since" })),
        Shape::KeyValue => TextEdit::insert(end, format!(" ({} {day})", if ru { "с" } else { "since" })),
        Shape::Row | Shape::Statement => return None,
    })
}

/// Puts the tag of `before` (a record of `before_text`) on `record` (of `text`) as it was written, in the place of any tag it has.
pub(crate) fn copy_tag(text: &str, record: &Record, before_text: &str, before: &Record) -> Option<Vec<TextEdit>> {
    let tag = before.tag.as_deref()?;
    let words = tag.range.of(before_text);
    if tag.opening.is_some() || words.is_empty() || tag.form == Form::Word {
        return Some(vec![TextEdit::replace(record.head, before.head.of(before_text))]).filter(|_| record.shape == before.shape);
    }
    let now = record.tag.as_deref();
    let opening = now.and_then(|now| now.opening).map(|opening| take_opening(text, record, opening));
    let put = match now.filter(|now| !now.range.is_empty()) {
        Some(now) => TextEdit::replace(now.range, words),
        None => match record.slot_kind {
            Slot::Fill => TextEdit::replace(record.slot, format!(" {words} ")),
            Slot::Word => TextEdit::replace(record.slot, words),
            Slot::Behind => TextEdit::insert(record.slot.end(), format!(" {words}")),
        },
    };
    Some(opening.into_iter().chain([put]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Reading, parse};
    use crate::text::Patch;

    const TABLE: &str = "## Project memory\n\n| Parameter | Value | Status |\n|---|---|---|\n";

    /// `line`, the first record of its text, after the edits.
    fn after(line: &str, edits: impl Fn(&str, &Record) -> Edits) -> String {
        let head = if line.starts_with('|') { TABLE } else { "## Project memory\n\n" };
        let text = format!("{head}{line}\n");
        let config = Config::default();
        let document = parse(&text, Reading::new(&config));
        let mut patch = Patch::default();
        let edits = edits(&text, &document.records[0]);
        assert!(
            patch.try_add(&edits) && edits.iter().all(|edit| *edit != TextEdit::delete(TextRange::empty(edit.range.start()))),
            "{line}"
        );
        patch.apply(&text)[head.len()..].trim_end_matches('\n').to_owned()
    }

    #[test]
    fn a_tag_takes_the_place_of_another() {
        let mark = Mark::Removed(Some("2026-05-05".into()));
        for (line, tagged) in [
            ("- Port: 1 [historical] ended", "- Port: 1 [historical] removed as of 2026-05-05"),
            ("- [historical] Port: 1", "- [historical] Port: 1 removed as of 2026-05-05"),
            ("- ~~Port: 1~~", "- ~~Port: 1~~ [historical] removed as of 2026-05-05"),
            ("| Port | 1 | outdated |", "| Port | 1 | [historical] removed as of 2026-05-05 |"),
            ("| Port | 1 | |", "| Port | 1 | [historical] removed as of 2026-05-05 |"),
        ] {
            assert_eq!(after(line, |_, record| put_tag(record, &mark, None, &Config::default())), tagged);
        }
    }

    #[test]
    fn a_tag_is_taken_off() {
        for (line, bare) in [
            ("- Port: 1  [historical] ended", "- Port: 1"),
            ("- [historical]  Port: 1 ended as of 2026-05-05", "- Port: 1"),
            ("- [historical] Port: 1  <!-- memfile: many -->", "- Port: 1  <!-- memfile: many -->"),
            ("- ~~Port: 1~~", "- ~~Port: 1~~"),
            ("| Port | 1 | outdated |", "| Port | 1 |  |"),
            ("| Port | 1 [historical] ended | outdated |", "| Port | 1 | outdated |"),
        ] {
            assert_eq!(after(line, take_tag), bare);
        }
    }

    #[test]
    fn a_tag_is_copied_as_it_was_written() {
        let (text, config) = ("## Project memory\n\n- Port: 1 [historical] ended as of 5 May\n", Config::default());
        let document = parse(text, Reading::new(&config));
        for (line, tagged) in [
            ("- Port: 1", "- Port: 1 [historical] ended as of 5 May"),
            ("- Port: 1 [retracted]", "- Port: 1 [historical] ended as of 5 May"),
            ("- [retracted]  Port: 1", "- Port: 1 [historical] ended as of 5 May"),
            ("- [historical] Port: 1 replaced by: 2", "- Port: 1 [historical] ended as of 5 May"),
            ("- ~~Port: 1~~", "- ~~Port: 1~~ [historical] ended as of 5 May"),
            ("| Port | 1 | outdated |", "| Port | 1 | [historical] ended as of 5 May |"),
            ("| Port | 1 | |", "| Port | 1 | [historical] ended as of 5 May |"),
        ] {
            let copied = after(line, |own, record| copy_tag(own, record, text, &document.records[0]).expect("it has a tag").into());
            assert_eq!(copied, tagged);
        }
    }
}
