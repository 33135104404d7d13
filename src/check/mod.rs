//! One text judged: parse, group, compare, ask every rule.
//!
//! In: a [`Subject`], the text with all that decides about it. Out: [`Checked`]. Pure; the same for every door.

mod commits;
mod judging;
mod survey;

pub use judging::Take;
pub use survey::{Change, Current, Currents};

use crate::baseline::{Accepted, Comparison, Revision, compare};
use crate::config::Config;
use crate::diagnostic::{Diagnostic, RuleInfo, Severity};
use crate::facts::{Facts, value_key};
use crate::repair::{Analysis, Day, arrange_each};
use crate::rules::{Budget, Context, CrossFile};
use crate::syntax::{Document, Managed, Reading, Record, Shape, parse};
use crate::text::fold_key;
use chrono::NaiveDate;
use commits::CommitDates;
use judging::Judging;
use rustc_hash::FxHashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
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
    /// Which of the values that hold are wanted.
    pub currents: Currents,
    /// What was deleted comes back as it was, not as removed.
    pub restoring: bool,
}

impl<'a> Subject<'a> {
    /// A text by itself on one day.
    pub fn new(config: &'a Config, selection: &'a Selection, today: NaiveDate) -> Self {
        Self {
            name: "AGENTS.md",
            config,
            selection,
            whole_file: false,
            today,
            prefer_last: false,
            baseline: None,
            cross: &[],
            currents: Currents::None,
            restoring: false,
        }
    }
}

/// What was found.
#[derive(Clone, Debug, Default)]
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
    /// The values that hold, for comparing files: those that the subject asks for.
    pub currents: Vec<Current>,
}

/// The documents of one check.
struct Documents<'a> {
    file: Document<'a>,
    revisions: Vec<Document<'a>>,
}

/// Judges `text`.
pub fn check(text: &str, subject: &Subject) -> Checked {
    judged(text, subject, false, None, |_, _| ()).0
}

/// Judges `text`, and hands out what it finds while it looks on: `take` gets all findings, in text order, and what comes back has none.
/// Of a text with very many findings they need not be held all at once.
pub fn check_in_pieces(text: &str, subject: &Subject, take: Take) -> Checked {
    let (mut checked, ()) = judged(text, subject, false, Some(&mut *take), |_, _| ());
    take(std::mem::take(&mut checked.diagnostics));
    checked
}

/// Judges `text`, and hands what was read to `use_it`, as [`analyse`] does: for doors that want both and read once.
pub fn check_with<R>(text: &str, subject: &Subject, use_it: impl FnOnce(&Analysis, &[Revision]) -> R) -> (Checked, R) {
    judged(text, subject, true, None, use_it)
}

/// As [`check_with`], for who looks at one group, by himself: the analysis keeps none.
pub(crate) fn check_for_one<R>(text: &str, subject: &Subject, use_it: impl FnOnce(&Analysis, &[Revision]) -> R) -> (Checked, R) {
    judged(text, subject, false, None, use_it)
}

fn judged<R>(
    text: &str,
    subject: &Subject,
    keeps_groups: bool,
    take: Option<Take>,
    use_it: impl FnOnce(&Analysis, &[Revision]) -> R,
) -> (Checked, R) {
    prepared(text, subject, |ready| {
        let Ready { facts, comparison, revisions, day } = ready;
        let budget = Budget::of(subject.name, subject.config);
        let context = Context {
            document: facts.document,
            facts,
            comparison,
            config: subject.config,
            base: revisions.first().map(|revision| revision.facts.document),
            budget,
            read_to: budget.end_in(text),
            cross: subject.cross,
            unused: Vec::new(),
        };
        let mut judging = Judging::new(context, subject.selection, take);
        let mut currents = survey::Gathering::new(facts, subject.currents);
        let mut places = survey::Places::default();
        let mut groups = Vec::new();
        let loose = arrange_each(facts, comparison, revisions, day, &mut |grouped| {
            judging.group(&grouped);
            currents.add(&grouped);
            places.add(&grouped.steps);
            if keeps_groups {
                groups.push(grouped);
            }
        });
        judging.steps(&loose);
        places.add(&loose);
        let (observed, observed_heading) = survey::observed(facts.document);
        let checked = Checked {
            diagnostics: judging.finish(),
            records: facts.document.records.len(),
            facts: facts.groups.len(),
            observed,
            observed_heading,
            changes: survey::changes(comparison, revisions, facts, &places),
            currents: currents.finish(),
        };
        let analysis = Analysis { facts, config: facts.config, comparison, groups, loose, today: day.today };
        let used = use_it(&analysis, revisions);
        (checked, used)
    })
}

/// Reads `text` and what it is compared with, puts its groups in order, and hands them to `use_it` with the revisions that they
/// were compared with (none without a baseline, or where the file has the baseline's bytes).
pub fn analyse<R>(text: &str, subject: &Subject, use_it: impl FnOnce(&Analysis, &[Revision]) -> R) -> R {
    prepared(text, subject, |Ready { facts, comparison, revisions, day }| {
        use_it(&Analysis::new(facts, comparison, revisions, day), revisions)
    })
}

/// All that groups are put in order by.
struct Ready<'a> {
    facts: &'a Facts<'a, 'a>,
    comparison: &'a Comparison,
    revisions: &'a [Revision<'a>],
    day: &'a Day<'a>,
}

fn prepared<R>(text: &str, subject: &Subject, use_it: impl FnOnce(Ready) -> R) -> R {
    let documents = read(text, subject);
    let config = subject.config;
    let facts = Facts::new(&documents.file, config);
    let revision_facts: Vec<Facts> = documents.revisions.iter().map(|document| Facts::new(document, config)).collect();
    let commits = subject.baseline.map_or(&[][..], |baseline| baseline.revisions);
    let revisions: Vec<Revision> = revision_facts.iter().zip(commits).map(|(facts, (date, _))| Revision { facts, date: *date }).collect();
    let comparison = compared(&revisions, &facts, text, subject);
    let dates = CommitDates::new(subject, &facts);
    let commit_of = |record: u32| dates.of(record);
    let day = Day {
        today: subject.today,
        prefer_last: subject.prefer_last,
        revisions: match subject.baseline {
            Some(_) if commits.is_empty() => vec![None],
            _ => commits.iter().map(|(date, _)| *date).collect(),
        },
        commit_of: dates.commits.is_some().then_some(&commit_of),
        restoring: subject.restoring,
    };
    use_it(Ready { facts: &facts, comparison: &comparison, revisions: &revisions, day: &day })
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
    let missing = !first.lost.is_empty();
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

/// A record's folded parameter, which a statement has not, and its folded value; aliases resolved.
pub(crate) fn content(document: &Document, record: &Record, config: &Config) -> (String, String) {
    let parameter = match record.shape {
        Shape::Statement => String::new(),
        _ => config.canonical_parameter(fold_key(record.parameter.of(document.text))),
    };
    (parameter, value_key(document, record, config))
}

/// A hash of [`content`]: what the records of a large text say takes more memory than the text. Of a million records two are one with a
/// chance of 3 in 100 million.
pub(crate) fn content_hash(document: &Document, record: &Record, config: &Config) -> u64 {
    let mut hasher = DefaultHasher::new();
    content(document, record, config).hash(&mut hasher);
    hasher.finish()
}

/// The worst severity among findings, if there are any.
pub fn worst(diagnostics: &[Diagnostic]) -> Option<Severity> {
    diagnostics.iter().map(|diagnostic| diagnostic.rule.severity).max()
}
