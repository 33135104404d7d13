//! A record makes several claims, and only one of them was replaced.

use super::context::{Context, Look};
use crate::diagnostic::{Diagnostic, Fixable, Needs, RuleInfo, Severity};
use crate::facts::Facts;
use crate::repair::Grouped;
use crate::text::{fold_key, fold_value};
use rustc_hash::FxHashMap;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "multi-claim",
    severity: Severity::Warning,
    fixable: Fixable::No,
    needs: Needs::File,
    stops_writing: false,
    summary: "one record makes several claims, and one of them was replaced",
    page: include_str!("pages/multi-claim.md"),
};

pub(super) static LOOKS: &[Look] = &[Look::Group(claims_left), Look::Text(claims_of_others)];

/// `Stack: Python 3.11; Postgres 15` above a newer `Stack: Python 3.12`.
fn claims_left(context: &Context, group: &Grouped, out: &mut Vec<Diagnostic>) {
    for &at in &group.partial {
        let version = &group.arrangement.chain[at];
        let (Some(record), Some(next)) = (version.in_file(), group.arrangement.successor[at]) else { continue };
        let key = context.facts.name(record);
        let message = format!("this value of {key} makes several claims, and the newer record speaks of fewer");
        let mut found = Diagnostic::new(&INFO, context.head(record), message).about(&key);
        if let Some(newer) = group.arrangement.chain[next].in_file() {
            found = found.with_related(context.head(newer), "the newer record");
        }
        out.push(found.with_help("write the newer record out in full, or give each claim a record of its own"));
    }
}

/// `Database: Postgres 16; cache: Redis 7` beside `Cache: Valkey 8`.
fn claims_of_others(context: &Context, out: &mut Vec<Diagnostic>) {
    let facts = context.facts;
    let document = context.document;
    let mut current: Option<FxHashMap<(u32, &str), u32>> = None;
    for (idx, record) in document.records.iter().enumerate() {
        let value = record.value.of(document.text);
        let bytes = value.as_bytes();
        let claims_more = || bytes.contains(&b':') && memchr::memchr2(b';', b',', bytes).is_some();
        if record.tag.is_some() || record.parameter.is_empty() || !claims_more() {
            continue;
        }
        let own = facts.group_of(idx);
        for claim in value.split([';', ',']) {
            let Some((parameter, claimed)) = claim.split_once(':') else { continue };
            let current = current.get_or_insert_with(|| current_records(facts));
            let parameter = facts.config.canonical_parameter(fold_key(parameter));
            let Some(&other) = current.get(&(facts.space_of(idx), parameter.as_str())) else { continue };
            let older = facts.dates[idx].ordering().zip(facts.dates[other as usize].ordering());
            let newer_elsewhere = older.is_none_or(|(own, other)| !own.is_later_than(other));
            let differs = facts.value_key(other) != facts.config.canonical_value(fold_value(claimed));
            if facts.group_of(other as usize) != own && newer_elsewhere && differs {
                let key = facts.name(idx as u32);
                let message =
                    format!("this value of {key} also says what {} is, and another record says it differently", facts.name(other));
                let found = Diagnostic::new(&INFO, record.head, message).about(&key);
                let found = found.with_related(context.head(other), "the record of its own");
                out.push(found.with_help("give each claim a record of its own"));
                break;
            }
        }
    }
}

/// For each group the untagged record that stands last.
fn current_records<'a>(facts: &'a Facts) -> FxHashMap<(u32, &'a str), u32> {
    let open = |&&idx: &&u32| facts.document.records[idx as usize].tag.is_none();
    let groups = facts.groups.iter();
    groups.filter_map(|group| Some(((group.space(), group.parameter.as_str()), *group.records().iter().rfind(open)?))).collect()
}
