//! Random memory files: a few parameters, a few values, dates of all precisions, tags, sources, tables, children, blank lines;
//! and a random edit of such a file as its second version.

use proptest::prelude::*;

const PARAMETERS: [&str; 4] = ["Port", "Host", "**Lamp**", "Ad budget"];
const VALUES: [&str; 5] = ["8080", "quay", "$4,500/mo", "a, b: c", "`x | y`"];
const DATES: [&str; 8] = ["2025", "2025-03", "2025-03-14", "March 2026", "Oct 3, 2026", "12.02.2025", "session 3", "2027-01-01"];
const STATEMENTS: [&str; 3] = ["Dogs stay on deck.", "(2025-01-14) Maya lives in Leeds.", "The night ferry carries bicycles only."];

/// How a record is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Pipe,
    KeyValue,
    Statement,
}

/// What a record says of its status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    None,
    Bare,
    Replaced(usize),
    Ended,
    Retracted,
}

#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) form: Form,
    pub(crate) parameter: usize,
    pub(crate) value: usize,
    pub(crate) date: Option<usize>,
    pub(crate) mark: Mark,
    pub(crate) child: bool,
    pub(crate) blank: bool,
}

impl Item {
    /// Its lines, with `\n`.
    pub(crate) fn lines(&self) -> String {
        let (parameter, value) = (PARAMETERS[self.parameter], VALUES[self.value]);
        let date = self.date.map(|date| DATES[date]);
        let mut line = match self.form {
            Form::Pipe => format!("- {parameter} | {value}{}", date.map_or(String::new(), |date| format!(" | source: call {date}"))),
            Form::KeyValue => format!("- {parameter}: {value}{}", date.map_or(String::new(), |date| format!(" (since {date})"))),
            Form::Statement => format!("- {}", STATEMENTS[self.value % STATEMENTS.len()]),
        };
        match self.mark {
            Mark::None => {}
            Mark::Bare => line.push_str(" [historical]"),
            Mark::Replaced(value) => line.push_str(&format!(" [historical] replaced by: {} as of 2026-05-05", VALUES[value])),
            Mark::Ended => line.push_str(" [historical] ended as of 2026-05-05: sold"),
            Mark::Retracted => line.push_str(" [retracted] as of 2026-05-05"),
        }
        let child = if self.child { "\n  - detail: of this record" } else { "" };
        let blank = if self.blank { "\n" } else { "" };
        format!("{line}{child}\n{blank}")
    }

    /// A table row with four cells.
    fn row(&self) -> String {
        let (parameter, value) = (PARAMETERS[self.parameter], VALUES[self.value].replace('|', "\\|"));
        let date = self.date.map_or(String::new(), |date| format!("call {}", DATES[date]));
        let status = match self.mark {
            Mark::None => String::new(),
            Mark::Bare => "historical".to_owned(),
            Mark::Replaced(value) => format!("[historical] replaced by: {}", VALUES[value].replace('|', "\\|")),
            Mark::Ended => "[historical] ended as of 2026-05-05".to_owned(),
            Mark::Retracted => "[retracted]".to_owned(),
        };
        format!("| {parameter} | {value} | {date} | {status} |\n")
    }
}

/// A file: records in two sections.
#[derive(Clone, Debug)]
struct File {
    sections: [Vec<Item>; 2],
    table: bool,
    crlf: bool,
    ended: bool,
}

impl File {
    fn text(&self) -> String {
        let mut text = String::from("# Otter\n\n## Project memory\n\n");
        if self.table {
            text.push_str("| Parameter | Value | Source | Status |\n|---|---|---|---|\n");
            self.sections[0].iter().filter(|item| item.form != Form::Statement).for_each(|item| text.push_str(&item.row()));
        } else {
            self.sections[0].iter().for_each(|item| text.push_str(&item.lines()));
        }
        if !self.sections[1].is_empty() {
            text.push_str("\n### Staging\n\n");
            self.sections[1].iter().for_each(|item| text.push_str(&item.lines()));
        }
        if !self.ended {
            text.truncate(text.trim_end().len());
        }
        if self.crlf { text.replace('\n', "\r\n") } else { text }
    }
}

/// One record.
pub(crate) fn item() -> impl Strategy<Value = Item> {
    let form = prop_oneof![4 => Just(Form::Pipe), 4 => Just(Form::KeyValue), 1 => Just(Form::Statement)];
    let mark = prop_oneof![
        10 => Just(Mark::None),
        1 => Just(Mark::Bare),
        3 => (0..VALUES.len()).prop_map(Mark::Replaced),
        1 => Just(Mark::Ended),
        1 => Just(Mark::Retracted),
    ];
    let date = prop_oneof![1 => Just(None), 3 => (0..DATES.len()).prop_map(Some)];
    let rare = || prop::bool::weighted(0.1);
    (form, 0..PARAMETERS.len(), 0..VALUES.len(), date, mark, rare(), rare())
        .prop_map(|(form, parameter, value, date, mark, child, blank)| Item { form, parameter, value, date, mark, child, blank })
}

/// A file of up to a dozen records.
fn file() -> impl Strategy<Value = File> {
    let section = |most| prop::collection::vec(item(), 0..most);
    (section(8), section(4), prop::bool::weighted(0.2), prop::bool::weighted(0.2), prop::bool::weighted(0.8))
        .prop_map(|(first, second, table, crlf, ended)| File { sections: [first, second], table, crlf, ended })
}

/// What an agent does to a file.
#[derive(Clone, Debug)]
enum Change {
    Remove(prop::sample::Index),
    Value(prop::sample::Index, usize),
    Date(prop::sample::Index, usize),
    Untag(prop::sample::Index),
    Insert(prop::sample::Index, Item),
    Swap(prop::sample::Index, prop::sample::Index),
}

fn change() -> impl Strategy<Value = (usize, Change)> {
    let at = any::<prop::sample::Index>;
    let change = prop_oneof![
        at().prop_map(Change::Remove),
        (at(), 0..VALUES.len()).prop_map(|(at, value)| Change::Value(at, value)),
        (at(), 0..DATES.len()).prop_map(|(at, date)| Change::Date(at, date)),
        at().prop_map(Change::Untag),
        (at(), item()).prop_map(|(at, item)| Change::Insert(at, item)),
        (at(), at()).prop_map(|(a, b)| Change::Swap(a, b)),
    ];
    (prop_oneof![3 => Just(0_usize), 1 => Just(1_usize)], change)
}

fn apply(file: &mut File, section: usize, change: &Change) {
    let items = &mut file.sections[section];
    if let Change::Insert(at, item) = change {
        items.insert(at.index(items.len() + 1), item.clone());
        return;
    }
    if items.is_empty() {
        return;
    }
    let len = items.len();
    match change {
        Change::Remove(at) => {
            items.remove(at.index(len));
        }
        Change::Value(at, value) => items[at.index(len)].value = *value,
        Change::Date(at, date) => items[at.index(len)].date = Some(*date),
        Change::Untag(at) => items[at.index(len)].mark = Mark::None,
        Change::Swap(a, b) => items.swap(a.index(len), b.index(len)),
        Change::Insert(..) => {}
    }
}

/// The text of a random file.
pub(crate) fn text() -> impl Strategy<Value = String> {
    file().prop_map(|file| file.text())
}

/// The texts of a file and of what was made of it.
pub(crate) fn edited() -> impl Strategy<Value = (String, String)> {
    (file(), prop::collection::vec(change(), 0..4)).prop_map(|(before, changes)| {
        let mut after = before.clone();
        changes.iter().for_each(|(section, change)| apply(&mut after, *section, change));
        (before.text(), after.text())
    })
}

/// A small group in one list, with a line of another fact: a text and its baseline. Its records are all dated by days or months, or
/// none is: what stands between has an order that hangs on each single step.
pub(crate) fn small() -> impl Strategy<Value = (Option<String>, String)> {
    const DAYS: [usize; 5] = [1, 2, 3, 4, 7];
    let record = |pipe: bool, dated: bool| {
        let form = if pipe { Form::Pipe } else { Form::KeyValue };
        let day = prop::sample::select(DAYS.to_vec());
        (item(), day).prop_map(move |(item, day)| Item {
            form,
            parameter: 0,
            child: false,
            blank: false,
            date: dated.then_some(day),
            ..item
        })
    };
    let other = Item { form: Form::KeyValue, parameter: 1, value: 1, date: None, mark: Mark::None, child: false, blank: false };
    let records = any::<(bool, bool)>().prop_flat_map(move |(pipe, dated)| prop::collection::vec(record(pipe, dated), 1..5));
    (records, 0..5_usize, prop::option::of((0..5_usize, 0..VALUES.len()))).prop_map(move |(mut records, place, change)| {
        records.insert(place.min(records.len()), other.clone());
        let text = |items: &[Item]| File { sections: [items.to_vec(), Vec::new()], table: false, crlf: false, ended: true }.text();
        let base = text(&records);
        match change {
            Some((at, value)) => {
                let at = at.min(records.len() - 1);
                if records[at].parameter == 0 {
                    records[at].value = value;
                }
                (Some(base), text(&records))
            }
            None => (None, base),
        }
    })
}

/// The texts of a file and of what two people made of it.
pub(crate) fn edited_apart() -> impl Strategy<Value = (String, String, String)> {
    let changes = || prop::collection::vec(change(), 0..3);
    (file(), changes(), changes()).prop_map(|(base, ours, theirs)| {
        let after = |changes: &[(usize, Change)]| {
            let mut after = base.clone();
            changes.iter().for_each(|(section, change)| apply(&mut after, *section, change));
            after.text()
        };
        (base.text(), after(&ours), after(&theirs))
    })
}
