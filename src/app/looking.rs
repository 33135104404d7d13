//! One text that need not be what is on disk, such as an open buffer: its findings, its facts, and where they stand, in one reading.
//!
//! In: a target. Out: a [`Look`], which owns all that it tells, with all that decided about it, so that a fix can be planned on the
//! same ground. Nothing is written.

use super::bases::FileBase;
use super::options::{BaseChoice, Mode, Options};
use super::reading::{Freshness, Read};
use super::session::Session;
use super::target::Target;
use crate::check::{Checked, Subject, check_with};
use crate::command::{Plan, Refusal, restore};
use crate::conserve;
use crate::diagnostic::{Applicability, Diagnostic, Severity};
use crate::fix::{Fixed, alone, fix};
use crate::io::IoError;
use crate::query::{Chain, Teller, Version, with_archive};
use crate::repair::Analysis;
use crate::syntax::{Bullet, Managed, Shape};
use crate::text::{LineIndex, Patch, TextRange, fold_blanks, strip_markup};
use chrono::NaiveDate;
use std::cell::OnceCell;

/// A text that was looked at.
#[derive(Debug)]
pub(super) struct Look {
    pub(super) target: Target,
    pub(super) base: FileBase,
    /// Findings and counts; ranges are those of the target's text.
    pub(super) checked: Checked,
    /// The facts: first those that `records` speak of, then those that are gone or stand only in the archive.
    pub(super) read: Read,
    /// The records of managed text, in text order.
    pub(super) records: Vec<Seen>,
    /// The headings, in text order.
    pub(super) headings: Vec<SeenHeading>,
    /// For each fact of the file its records, as numbers in `records`.
    members: Vec<Vec<usize>>,
    options: Options,
    /// The text after all safe fixes, once it was asked for: editors ask at each move of the cursor.
    fixed: OnceCell<Option<Fixed>>,
}

/// Where a record stands, and what it is a version of.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) block: TextRange,
    pub(super) head: TextRange,
    /// Empty for a statement.
    pub(super) parameter: TextRange,
    pub(super) value: TextRange,
    pub(super) bullet: Bullet,
    /// Its fact among the chains; none for a statement.
    pub(super) chain: Option<usize>,
    /// Its version in that chain.
    pub(super) version: Option<usize>,
}

/// A heading, outside or inside managed text.
#[derive(Debug, Clone)]
pub(super) struct SeenHeading {
    pub(super) range: TextRange,
    /// 1 to 6.
    pub(super) level: u8,
    /// Without marks, on one line.
    pub(super) text: String,
}

/// What is taken from one analysis.
struct Taken {
    chains: Vec<Chain>,
    records: Vec<(Seen, String)>,
    headings: Vec<SeenHeading>,
    is_managed: bool,
    managed: Managed,
}

impl Session {
    /// Looks at a text on one day.
    ///
    /// # Errors
    /// Those of git and the journal.
    pub(super) fn look(&self, target: Target, base: &BaseChoice, today: NaiveDate) -> Result<Look, IoError> {
        let mut found = self.bases(std::slice::from_ref(&target), base)?.into_iter().next().unwrap_or_default();
        if found.label.is_some() && !found.identical {
            found.accepted.declared = self.declared(&target.real)?;
        }
        let options = Options { base: base.clone(), ..Options::new(Mode::Check, today) };
        let (checked, taken) = self.with_subject(&target, &found, &options, &[], |subject| {
            check_with(&target.text, subject, |analysis, revisions| taken(&Teller::new(&target.name, analysis, revisions), analysis))
        });
        let mut chains = taken.chains;
        if let Some(archive) = self.archive(&target, &options) {
            with_archive(&mut chains, archive);
        }
        let lines = LineIndex::new(&target.text);
        let records = taken.records.into_iter().map(|(seen, value)| {
            let line = lines.line(&target.text, seen.head.start());
            let versions = seen.chain.map_or(&[][..], |chain| &chains[chain].versions);
            let is_own = |version: &Version| *version.file == *target.name;
            // Two lines with one value are one version, which has the line of the first.
            let by_line = versions.iter().position(|version| is_own(version) && version.line == Some(line));
            let by_value =
                || versions.iter().rposition(|version| is_own(version) && version.line.is_some() && version.content.value == value);
            Seen { version: by_line.or_else(by_value), ..seen }
        });
        let records: Vec<Seen> = records.collect();
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); chains.len()];
        for (idx, seen) in records.iter().enumerate() {
            seen.chain.into_iter().for_each(|chain| members[chain].push(idx));
        }
        let pending = checked.diagnostics.iter().filter(|diagnostic| diagnostic.rule.severity == Severity::Error).count();
        let read = Read {
            chains,
            freshness: Freshness { file: target.name.clone(), text: target.text.clone(), base: found.label.clone(), pending },
            is_managed: taken.is_managed,
            found: target.found.clone(),
            today,
            real: target.real.clone(),
            whole_file: target.whole_file,
            managed: taken.managed,
            is_tracked: !found.is_untracked,
            repository: found.repository.clone(),
        };
        Ok(Look { target, base: found, checked, read, records, headings: taken.headings, members, options, fixed: OnceCell::new() })
    }

    /// The text after all safe fixes, where there are any; nothing goes to an archive. `None` as well where the result could not be
    /// trusted.
    pub(super) fn fixed<'l>(&self, look: &'l Look) -> Option<&'l Fixed> {
        let is_safe = |found: &Diagnostic| found.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe);
        if !look.checked.diagnostics.iter().any(is_safe) {
            return None;
        }
        let text = &look.target.text;
        let fixed = || self.on(look, |subject| fix(text, subject, Applicability::Safe)).ok().filter(|fixed| fixed.text != *text);
        look.fixed.get_or_init(fixed).as_ref()
    }

    /// The fix of one finding by itself, if it has one that loses nothing.
    pub(super) fn fix_alone(&self, look: &Look, diagnostic: &Diagnostic) -> Option<Patch> {
        let patch = Some(alone(diagnostic)).filter(|patch| !patch.is_empty())?;
        let text = &look.target.text;
        let after = patch.apply(text);
        let is_kept = self.on(look, |subject| conserve::conserved(text, &after, &patch, subject, &[diagnostic.rule])).is_ok();
        is_kept.then_some(patch)
    }

    /// The text with what it lost against its baseline.
    ///
    /// # Errors
    /// [`Refusal`].
    pub(super) fn restored(&self, look: &Look) -> Result<Plan, Refusal> {
        let text = &look.target.text;
        let plan = self.on(look, |subject| restore(text, subject, None))?;
        let grown = |after: &String| conserve::grown(text, after, &look.target.found.config, look.target.whole_file).is_ok();
        match &plan.after {
            Some(after) if !grown(after) => Err(Refusal::No("what is lost cannot be brought back safely; nothing is written".to_owned())),
            _ => Ok(plan),
        }
    }

    fn on<R>(&self, look: &Look, use_it: impl FnOnce(&Subject) -> R) -> R {
        self.with_subject(&look.target, &look.base, &look.options, &[], use_it)
    }
}

impl Look {
    /// The record whose own text holds the byte `at`, or ends there.
    pub(super) fn record_at(&self, at: usize) -> Option<&Seen> {
        self.records.iter().find(|seen| seen.head.contains(at) || seen.head.end() == at)
    }

    /// The fact of a record.
    pub(super) fn chain(&self, seen: &Seen) -> Option<&Chain> {
        self.read.chains.get(seen.chain?)
    }

    /// The version that a record is.
    pub(super) fn version(&self, seen: &Seen) -> Option<&Version> {
        self.chain(seen)?.versions.get(seen.version?)
    }

    /// The records of one fact, in text order.
    pub(super) fn records_of(&self, chain: usize) -> impl Iterator<Item = &Seen> {
        self.members.get(chain).into_iter().flatten().map(|&idx| &self.records[idx])
    }
}

fn taken(teller: &Teller, analysis: &Analysis) -> Taken {
    let (facts, document) = (analysis.facts, analysis.facts.document);
    let text = document.text;
    let count = facts.groups.len();
    let mut chains: Vec<Chain> = (0..count).map(|number| teller.chain(number as u32)).collect();
    chains.extend(teller.gone());
    let records = document.records.iter().enumerate().map(|(idx, record)| {
        let seen = Seen {
            block: record.block,
            head: record.head,
            parameter: record.parameter,
            value: record.value,
            bullet: record.bullet,
            chain: facts.group_of(idx).filter(|_| record.shape != Shape::Statement).map(|group| group as usize),
            version: None,
        };
        (seen, facts.value_key(idx as u32))
    });
    let plain = |range: TextRange| fold_blanks(&strip_markup(range.of(text))).into_owned();
    let headings = document.headings.iter();
    let headings = headings.map(|found| SeenHeading { range: found.range, level: found.level, text: plain(found.text) }).collect();
    Taken { chains, records: records.collect(), headings, is_managed: document.is_managed(), managed: document.managed() }
}
