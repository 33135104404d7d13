//! Answers as tables for people. What stands in a file is shown in its visible form.

use super::table::table;
use super::wire::Fresh;
use crate::query::{Answer, Chain, Change, Moment, Standing, Version, as_of as ask};
use crate::report::{name, visible};
use crate::syntax::date::Date;

/// One line on how far the answer can be trusted.
pub fn freshness(fresh: Fresh) -> String {
    let file = visible(fresh.file);
    let base = fresh.base.map_or("compared with nothing".to_owned(), |base| format!("compared with {}", visible(base)));
    match fresh.pending {
        0 => format!("{file}: no error pending, {base}"),
        1 => format!("{file}: 1 error pending, {base}; `memfile fix {file}` or `memfile check {file}`"),
        many => format!("{file}: {many} errors pending, {base}; `memfile fix {file}` or `memfile check {file}`"),
    }
}

/// `now`
pub fn now(chains: &[Chain]) -> String {
    let current: Vec<&Version> = chains.iter().flat_map(Chain::current).collect();
    let mut out = facts(&current);
    for chain in chains.iter().filter(|chain| !chain.unsettled.is_empty()) {
        let values: Vec<String> = chain.unsettled.iter().map(|&idx| valued(&chain.versions[idx])).collect();
        out.push_str(&format!("{}: nothing says which holds: {}\n", visible(&chain.name()), values.join(" · ")));
    }
    if out.is_empty() { "nothing holds\n".to_owned() } else { out }
}

/// Versions, each with its fact: `now`, `search`.
pub fn facts(versions: &[&Version]) -> String {
    let row = |version: &&Version| {
        let status = if version.standing == Standing::Current { "" } else { version.standing.as_str() };
        vec![
            named(version),
            version.value.clone().unwrap_or_default(),
            status.to_owned(),
            iso(version.effective),
            version.source.clone().unwrap_or_default(),
            place(version),
        ]
    };
    table(&["FACT", "VALUE", "STATUS", "SINCE", "SOURCE", "LINE"], &versions.iter().map(row).collect::<Vec<_>>())
}

/// `history`
pub fn history(versions: &[&Version]) -> String {
    let is_one_file = versions.iter().all(|version| version.file == versions[0].file);
    let row = |version: &&Version| {
        vec![
            version.value.clone().unwrap_or_else(|| "[redacted]".to_owned()),
            version.standing.as_str().to_owned(),
            iso(version.effective),
            iso(version.recorded),
            ended(version),
            version.replaced_by.clone().unwrap_or_default(),
            version.reason.clone().unwrap_or_default(),
            version.source.clone().unwrap_or_default(),
            match version.line.filter(|_| !is_one_file) {
                Some(line) => format!("{}:{line}", version.file),
                None => place(version),
            },
        ]
    };
    let head = ["VALUE", "STATUS", "SINCE", "RECORDED", "AS OF", "REPLACED BY", "REASON", "SOURCE", "LINE"];
    table(&head, &versions.iter().map(row).collect::<Vec<_>>())
}

/// `as-of`
pub fn as_of(chains: &[Chain], moment: Moment) -> String {
    let mut rows = Vec::new();
    for chain in chains {
        for answer in ask(chain, moment) {
            let values = |numbers: &[usize]| numbers.iter().map(|&idx| valued(&chain.versions[idx])).collect::<Vec<_>>().join(" · ");
            let (word, value, note) = match &answer {
                Answer::Known(idx, true) => ("known", values(&[*idx]), String::new()),
                Answer::Known(idx, false) => ("known", values(&[*idx]), "its start is not written".to_owned()),
                Answer::Unknown(candidates) => ("unknown", values(candidates), String::new()),
                Answer::Ambiguous(candidates) => ("ambiguous", values(candidates), String::new()),
                Answer::Nothing => ("none", String::new(), String::new()),
            };
            rows.push(vec![chain.name(), value, word.to_owned(), note]);
        }
    }
    table(&["FACT", "VALUE", "ANSWER", ""], &rows)
}

/// `diff`
pub fn changes(changes: &[Change]) -> String {
    let row = |change: &Change| {
        let value = |version: Option<&Version>| version.map_or("–".to_owned(), valued);
        let name = change.after.or(change.before).map_or(String::new(), named);
        vec![name, value(change.before), value(change.after)]
    };
    let out = table(&["FACT", "BEFORE", "AFTER"], &changes.iter().map(row).collect::<Vec<_>>());
    if out.is_empty() { "no change\n".to_owned() } else { out }
}

/// `why`
pub fn why(version: &Version, commit: Option<&str>, author: Option<&str>, chain: &[Version]) -> String {
    let mut out = format!("{}: {} ({})\n", visible(&named(version)), visible(&valued(version)), version.standing.as_str());
    let mut tell = |label: &str, text: Option<&str>| {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            out.push_str(&format!("  {label:<10}{}\n", name(text)));
        }
    };
    tell("source", version.source.as_deref());
    tell("since", Some(&iso(version.effective)));
    tell("recorded", Some(&iso(version.recorded)));
    tell("commit", commit);
    tell("author", author);
    tell("reason", version.reason.as_deref());
    tell("place", Some(&format!("{}{}", version.file, version.line.map_or(String::new(), |line| format!(":{line}")))));
    out.push('\n');
    out + &history(&chain.iter().collect::<Vec<_>>())
}

fn iso(date: Option<Date>) -> String {
    date.map_or(String::new(), Date::iso)
}

fn ended(version: &Version) -> String {
    version.as_of.map(Date::iso).or_else(|| version.as_of_text.clone()).unwrap_or_default()
}

fn valued(version: &Version) -> String {
    version.value.clone().unwrap_or_else(|| "[redacted]".to_owned())
}

fn named(version: &Version) -> String {
    let own = version.parameter.as_deref().unwrap_or("");
    match &version.subject {
        Some(subject) if !own.is_empty() => format!("{subject}/{own}"),
        Some(subject) => subject.clone(),
        None => own.to_owned(),
    }
}

/// The line; of a record that only the baseline has, that.
fn place(version: &Version) -> String {
    version.line.map_or("not in the file".to_owned(), |line| line.to_string())
}
