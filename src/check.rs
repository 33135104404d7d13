//! One text judged: parse, group, compare, ask every rule.
//!
//! In: a [`Subject`], the text with all that decides about it. Out: [`Checked`]. Pure; the same for every door.

use crate::baseline::{Accepted, Comparison, Declared, Fate, Revision, compare};
use crate::config::{Cardinality, Config};
use crate::diagnostic::{Diagnostic, Needs, RuleInfo, Severity};
use crate::facts::{Facts, Life, Verdict, is_secret, value_key};
use crate::repair::{Analysis, Day};
use crate::rules::{Budget, Context, CrossFile, RULES, Unused};
use crate::syntax::{Document, Managed, Reading, parse};
use crate::text::{fold_blanks, fold_key};
use chrono::NaiveDate;
use rustc_hash::FxHashSet;
use std::cell::OnceCell;
use std::sync::Arc;

/// A commit that touched the file: its author's day where it is known, and the text.
pub type Commit = (Option<NaiveDate>, Arc<str>);

/// Records, as folded parameter and value, that other memory files have won against their own baselines.
pub type Elsewhere = FxHashSet<(String, String)>;

/// What a text is compared with.
#[derive(Clone, Copy)]
pub struct Baseline<'a> {
    /// The baseline's text, then those of the revisions behind it, oldest first, each with its day. Empty where the file has
    /// the baseline's bytes: nothing is compared, and what stands there is dated all the same.
    pub revisions: &'a [Commit],
    /// What a person declared to be meant.
    pub accepted: &'a Accepted,
    /// The commits of the file, newest first, read as they are asked for; none outside git.
    pub commits: Option<&'a dyn Fn(usize) -> Option<Commit>>,
    /// Asked only when a record is missing.
    pub elsewhere: Option<&'a dyn Fn() -> Elsewhere>,
}

/// Which findings are wanted.
#[derive(Clone, Default, Debug)]
pub struct Selection {
    /// Only these rules; `None` is all.
    pub select: Option<Vec<String>>,
    /// Not these.
    pub ignore: Vec<String>,
}

impl Selection {
    /// True where findings of `rule` are wanted.
    pub fn has(&self, rule: &RuleInfo) -> bool {
        let named = |names: &[String]| names.iter().any(|name| name == rule.name || name == "all");
        self.select.as_ref().is_none_or(|names| named(names)) && !named(&self.ignore)
    }
}

/// A text and all that decides about it.
#[derive(Clone)]
pub struct Subject<'a> {
    /// The file's name, for the window that its loader reads.
    pub name: &'a str,
    /// The configuration.
    pub config: &'a Config,
    /// Which findings are wanted.
    pub selection: &'a Selection,
    /// All of the text is managed.
    pub whole_file: bool,
    /// The day.
    pub today: NaiveDate,
    /// Position orders key-value records where nothing else does.
    pub prefer_last: bool,
    /// What the text is compared with.
    pub baseline: Option<Baseline<'a>>,
    /// What other files of the run say otherwise.
    pub cross: &'a [CrossFile],
    /// The values that hold are wanted.
    pub wants_currents: bool,
}

impl<'a> Subject<'a> {
    /// A text by itself on one day.
    pub fn new(config: &'a Config, selection: &'a Selection, today: NaiveDate) -> Self {
        Self { name: "AGENTS.md", config, selection, whole_file: false, today, prefer_last: false, baseline: None, cross: &[], wants_currents: false }
    }
}

/// What was found.
#[derive(Debug, Default)]
pub struct Checked {
    /// The findings, in text order.
    pub diagnostics: Vec<Diagnostic>,
    /// Records in managed text.
    pub records: usize,
    /// Facts: groups in managed text.
    pub facts: usize,
    /// Key-value records and rows in observed text.
    pub observed: usize,
    /// The heading above most of them.
    pub observed_heading: Option<String>,
    /// What was done to records of the baseline.
    pub changes: Vec<Change>,
    /// The values that hold, for comparing files; only where the subject asks for them.
    pub currents: Vec<Current>,
}

/// What was done to one record of the baseline, for `accept`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The fact's name; `None` for a statement.
    pub key: Option<String>,
    /// The folded names by which the fact can be meant: parameter, and with its subject.
    pub names: Vec<String>,
    /// Where its finding stands, an offset of the text.
    pub at: usize,
    /// The own text that the baseline had, blanks folded.
    pub old: String,
    /// The own text that stands there now, blanks folded; empty where the record is gone.
    pub new: String,
}

/// A value that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Current {
    /// Hash of space and parameter.
    pub key: u64,
    /// Hash of the folded value.
    pub value: u64,
    /// The subject is explicit: the fact reaches over all files, not only those of one folder.
    pub explicit: bool,
    /// The record in `Document::records`.
    pub record: u32,
    /// Where it stands, an offset of the text.
    pub at: usize,
}

/// The documents of one check.
struct Documents<'a> {
    file: Document<'a>,
    revisions: Vec<Document<'a>>,
}

/// Judges `text`.
pub fn check(text: &str, subject: &Subject) -> Checked {
    let documents = read(text, subject);
    let config = subject.config;
    let file = Facts::new(&documents.file, config);
    let revision_facts: Vec<Facts> = documents.revisions.iter().map(|document| Facts::new(document, config)).collect();
    let commits = subject.baseline.map_or(&[][..], |baseline| baseline.revisions);
    let revisions: Vec<Revision> =
        revision_facts.iter().zip(commits).map(|(facts, (date, _))| Revision { facts, date: *date }).collect();
    let comparison = compared(&revisions, &file, text, subject);
    let dates = CommitDates::new(subject, &file);
    let commit_of = |record: u32| dates.of(record);
    let day = Day {
        today: subject.today,
        prefer_last: subject.prefer_last,
        revisions: match subject.baseline {
            Some(_) if commits.is_empty() => vec![None],
            _ => commits.iter().map(|(date, _)| *date).collect(),
        },
        commit_of: dates.commits.is_some().then_some(&commit_of),
    };
    let analysis = Analysis::new(&file, &comparison, &revisions, &day);
    let context = Context {
        document: &documents.file,
        analysis: &analysis,
        config,
        base: documents.revisions.first(),
        budget: Budget::of(subject.name, config),
        cross: subject.cross,
        unused: Vec::new(),
    };
    let diagnostics = judge(context, subject.selection);
    let (observed, observed_heading) = observed(&documents.file);
    let changes = changes(&comparison, &revisions, &analysis);
    let currents = if subject.wants_currents { currents(&analysis) } else { Vec::new() };
    let (records, facts) = (documents.file.records.len(), file.groups.len());
    Checked { diagnostics, records, facts, observed, observed_heading, changes, currents }
}

/// What one version of a file manages counts as managed in the other.
fn read<'a>(text: &'a str, subject: &'a Subject) -> Documents<'a> {
    let own = Reading { config: subject.config, whole_file: subject.whole_file, also: None };
    let mut file = parse(text, own);
    let Some(baseline) = subject.baseline else { return Documents { file, revisions: Vec::new() } };
    if baseline.revisions.iter().all(|(_, revision)| **revision == *text) {
        return Documents { file, revisions: Vec::new() };
    }
    let managed = file.managed();
    let read = |text: &'a str, managed: &Managed| parse(text, Reading { also: Some(managed), ..own });
    let mut revisions: Vec<Document> = baseline.revisions.iter().map(|(_, text)| read(text, &managed)).collect();
    let before = revisions.first().map(Document::managed).unwrap_or_default();
    if !before.is_within(&managed) {
        let both = before.with(managed);
        file = read(text, &both);
        revisions = baseline.revisions.iter().map(|(_, text)| read(text, &both)).collect();
    }
    Documents { file, revisions }
}

fn compared(revisions: &[Revision], file: &Facts, text: &str, subject: &Subject) -> Comparison {
    let Some(baseline) = subject.baseline.filter(|_| !revisions.is_empty()) else { return Comparison::default() };
    let first = compare(revisions, file, baseline.accepted, &Elsewhere::default());
    let missing = first.lost.iter().any(|lost| lost.revision == 0);
    let mut comparison = match baseline.elsewhere.filter(|_| missing) {
        Some(elsewhere) => {
            let elsewhere = elsewhere();
            if elsewhere.is_empty() { first } else { compare(revisions, file, baseline.accepted, &elsewhere) }
        }
        None => first,
    };
    let elided = crate::baseline::elided(text, Some(revisions[0].facts.document.text)).is_some();
    if elided && comparison.mass_loss.is_none() && !comparison.lost.is_empty() {
        comparison.mass_loss = Some((comparison.lost.len(), revisions[0].facts.groups.len()));
    }
    comparison
}

/// Asks the rules, takes out what is suppressed, and asks what the suppressions did.
fn judge(mut context: Context, selection: &Selection) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let wanted = |last: bool| RULES.iter().filter(move |rule| selection.has(rule.info) && (rule.info.needs == Needs::Findings) == last);
    for rule in wanted(false) {
        (rule.check)(&context, &mut found);
        if rule.info.stops_writing && !found.is_empty() {
            break;
        }
    }
    if found.iter().any(|diagnostic| diagnostic.rule.stops_writing) {
        // What else is wrong is a consequence; but a second reason to stop is worth knowing.
        let mut others = Vec::new();
        wanted(false).filter(|rule| rule.info.stops_writing).for_each(|rule| (rule.check)(&context, &mut others));
        return others;
    }
    suppress(&mut context, &mut found, selection);
    for rule in wanted(true) {
        (rule.check)(&context, &mut found);
    }
    found.sort_by_key(|diagnostic| diagnostic.range.start());
    found
}

fn suppress(context: &mut Context, found: &mut Vec<Diagnostic>, selection: &Selection) {
    let document = context.document;
    for (idx, suppression) in document.suppressions.iter().enumerate() {
        let record = &document.records[suppression.record as usize];
        for name in &suppression.names {
            let before = found.len();
            let covers = |at: usize| record.block.start() <= at && at < record.block.end().max(record.head.end() + 1);
            found.retain(|diagnostic| diagnostic.rule.name != name || !covers(diagnostic.range.start()));
            let rule = crate::rules::find(name);
            let judged = rule.is_none_or(|rule| rule.info.needs == Needs::File && selection.has(rule.info));
            if found.len() == before && judged {
                context.unused.push(Unused { suppression: idx, name: name.clone() });
            }
        }
    }
}

fn observed(document: &Document) -> (usize, Option<String>) {
    if document.is_managed() {
        return (0, None);
    }
    let mut counts: rustc_hash::FxHashMap<u32, usize> = rustc_hash::FxHashMap::default();
    let keyed = document.observed.iter().filter(|record| !record.parameter.is_empty());
    let mut total = 0;
    for record in keyed {
        total += 1;
        *counts.entry(record.scope).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|&(scope, count)| (count, std::cmp::Reverse(scope)));
    (total, most.and_then(|(scope, _)| document.scopes[scope as usize].path.last().cloned()))
}

/// What was done to the records of the baseline.
fn changes(comparison: &Comparison, revisions: &[Revision], analysis: &Analysis) -> Vec<Change> {
    let file = analysis.facts;
    let own = |facts: &Facts, record: u32| fold_blanks(facts.document.records[record as usize].head.of(facts.document.text));
    let change = |facts: &Facts, record: u32, at: usize, new: String| {
        let parameter = content(facts, record as usize).0;
        let subject = facts.spaces[facts.space_of[record as usize] as usize].subject.as_deref();
        let mut names = Vec::new();
        if !parameter.is_empty() {
            names.extend(subject.map(|subject| format!("{}/{parameter}", fold_key(subject))));
            names.push(parameter);
        }
        let old = Declared::text_of(&own(facts, record), is_secret(facts.document.records[record as usize].value.of(facts.document.text)));
        Change { key: (!names.is_empty()).then(|| facts.name(record)), names, at, old, new }
    };
    let mut changes = Vec::new();
    for (idx, lost) in comparison.lost.iter().enumerate() {
        let facts = revisions[lost.revision as usize].facts;
        let new = match lost.fate {
            Fate::Altered(record) | Fate::Reworded(record) => own(file, record),
            Fate::Overwritten => {
                let members = lost.group.map_or(&[][..], |group| file.groups[group as usize].records.as_slice());
                let came = |record: &u32| comparison.came[*record as usize];
                let open = members.iter().filter(|&&record| file.document.records[record as usize].tag.is_none());
                open.max_by_key(|record| came(record)).map_or(String::new(), |&record| own(file, record))
            }
            Fate::Deleted | Fate::History => String::new(),
        };
        let at = analysis.steps().find(|step| step.lost == Some(idx as u32)).map_or(0, |step| step.range.start());
        changes.push(change(facts, lost.record, at, new));
    }
    for &(record, base) in &comparison.reopened {
        let at = file.document.records[record as usize].head.start();
        changes.push(change(revisions[0].facts, base, at, own(file, record)));
    }
    changes
}

/// The values that hold: one for each group in which nothing is doubtful.
fn currents(analysis: &Analysis) -> Vec<Current> {
    let facts = analysis.facts;
    let hash = |parts: [&str; 2]| {
        use std::hash::{Hash, Hasher};
        let mut hasher = rustc_hash::FxHasher::default();
        parts.hash(&mut hasher);
        hasher.finish()
    };
    let current = |group: &crate::facts::Group, record: u32| {
        let space = &facts.spaces[group.space as usize];
        // The number of a region and its own heading do not count between files: the headings below it do.
        let place = if space.explicit { space.key.as_str() } else { space.subject.as_deref().unwrap_or("") };
        Current {
            key: hash([place, &group.parameter]),
            value: hash([&facts.value_key(record), ""]),
            explicit: space.explicit,
            record,
            at: facts.document.records[record as usize].head.start(),
        }
    };
    let mut doubtful: FxHashSet<u32> = FxHashSet::default();
    let mut found = Vec::new();
    for grouped in &analysis.groups {
        let Some(number) = grouped.group else { continue };
        doubtful.insert(number);
        let chain = &grouped.arrangement.chain;
        let last = chain.last().filter(|version| version.life == Life::Live && grouped.arrangement.verdict == Verdict::Ordered);
        let group = &facts.groups[number as usize];
        if let Some(record) = last.and_then(|version| version.in_file()).filter(|_| group.cardinality == Cardinality::One) {
            found.push(current(group, record));
        }
    }
    let single = |group: &&crate::facts::Group| group.records.len() == 1 && group.cardinality == Cardinality::One;
    for (number, group) in facts.groups.iter().enumerate().filter(|(_, group)| single(group)) {
        let record = &facts.document.records[group.records[0] as usize];
        if !doubtful.contains(&(number as u32)) && record.tag.is_none() && !record.value.is_empty() {
            found.push(current(group, group.records[0]));
        }
    }
    found
}

/// The day of the commit that brought a record in, found by walking the commits from the newest back.
struct CommitDates<'a, 's> {
    commits: Option<&'s dyn Fn(usize) -> Option<Commit>>,
    config: &'s Config,
    whole_file: bool,
    file: &'a Facts<'a, 'a>,
    read: std::cell::RefCell<Vec<(Option<NaiveDate>, FxHashSet<(String, String)>)>>,
    managed: OnceCell<Managed>,
}

impl<'a, 's> CommitDates<'a, 's> {
    fn new(subject: &'s Subject<'s>, file: &'a Facts<'a, 'a>) -> Self {
        let commits = subject.baseline.and_then(|baseline| baseline.commits);
        let (config, whole_file) = (subject.config, subject.whole_file);
        Self { commits, config, whole_file, file, read: std::cell::RefCell::default(), managed: OnceCell::new() }
    }

    fn of(&self, record: u32) -> Option<NaiveDate> {
        let key = content(self.file, record as usize);
        let mut date = None;
        let mut seen = false;
        for number in 0.. {
            let Some((day, has)) = self.commit(number, &key) else { break };
            if has {
                (date, seen) = (day, true);
            } else if seen {
                break;
            }
        }
        date
    }

    /// The day of commit `number`, and whether its text has the record.
    fn commit(&self, number: usize, key: &(String, String)) -> Option<(Option<NaiveDate>, bool)> {
        let mut read = self.read.borrow_mut();
        if read.len() <= number {
            let (day, text) = self.commits?(number)?;
            let managed = self.managed.get_or_init(|| self.file.document.managed());
            let reading = Reading { config: self.config, whole_file: self.whole_file, also: Some(managed) };
            let document = parse(&text, reading);
            let facts = Facts::new(&document, self.config);
            read.push((day, (0..document.records.len()).map(|idx| content(&facts, idx)).collect()));
        }
        let (day, records) = &read[number];
        Some((*day, records.contains(key)))
    }
}

/// A record's folded parameter and value.
pub(crate) fn content(facts: &Facts, idx: usize) -> (String, String) {
    let parameter = facts.group_of[idx].map_or(String::new(), |group| facts.groups[group as usize].parameter.clone());
    (parameter, value_key(facts.document, &facts.document.records[idx], facts.config))
}

/// The worst severity among findings, if there are any.
pub fn worst(diagnostics: &[Diagnostic]) -> Option<Severity> {
    diagnostics.iter().map(|diagnostic| diagnostic.rule.severity).max()
}
