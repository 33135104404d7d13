//! Which fact a command means, and its versions in order.

use super::settle::name_of;
use super::{Name, Refusal, World};
use crate::baseline::Accepted;
use crate::check::{Baseline, Commit, Selection, Subject, analyse};
use crate::config::{Cardinality, Config};
use crate::facts::{Arrangement, Facts, Life, Verdict, Version};
use crate::query::{KeyError, resolve};
use crate::repair::arrange_group;
use crate::syntax::{Document, Record};
use crate::text::{LineIndex, fold_key, fold_value};

/// A fact that a command means.
pub(super) struct View<'v> {
    /// The facts of the text.
    pub(super) facts: &'v Facts<'v, 'v>,
    /// The group's number.
    pub(super) number: u32,
    /// Its versions in order: one chain, or one for each record of a parameter that is not `one`.
    pub(super) chains: &'v [Arrangement<'v>],
}

/// Finds the fact `key` (below the explicit subject or heading `subject`, if one is given) in `text` and hands it to `use_it`.
pub(super) fn with_fact<R>(
    text: &str,
    world: &World,
    key: &str,
    subject: Option<&str>,
    use_it: impl FnOnce(&View) -> Result<R, Refusal>,
) -> Result<R, Refusal> {
    with_group(text, world, &|facts| find(facts, key, subject), use_it)
}

/// Hands the group that `find` names to `use_it`. Where the text alone does not order its versions, the baseline is asked.
pub(super) fn with_group<R>(
    text: &str,
    world: &World,
    find: &dyn Fn(&Facts) -> Result<u32, Refusal>,
    use_it: impl FnOnce(&View) -> Result<R, Refusal>,
) -> Result<R, Refusal> {
    let mut use_it = Some(use_it);
    let mut look = |revisions: &[Commit], last: bool| {
        let accepted = Accepted::default();
        let selection = Selection::default();
        analyse(text, &subject_of(world, revisions, &accepted, &selection), |analysis, revisions| {
            let number = find(analysis.facts)?;
            let chains = arrange_group(analysis, revisions, number);
            let view = View { facts: analysis.facts, number, chains: &chains };
            let doubt = (view.cardinality() == Cardinality::One).then(|| view.doubt()).flatten();
            match (doubt, use_it.take()) {
                (Some(_), asked) if !last => {
                    use_it = asked;
                    Ok(None)
                }
                (Some(doubt), _) => Err(Refusal::No(doubt)),
                (None, Some(asked)) => asked(&view).map(Some),
                (None, None) => Ok(None),
            }
        })
    };
    if let Some(found) = look(&[], false)? {
        return Ok(found);
    }
    let revisions = (world.revisions)();
    look(&revisions, true)?.ok_or_else(|| Refusal::No("the versions of this fact cannot be put in order".to_owned()))
}

/// The record that stands at line `number`.
pub(super) fn at_line(document: &Document, number: usize) -> Result<u32, Refusal> {
    let index = LineIndex::new(document.text);
    let line = |offset: usize| index.line(document.text, offset);
    let is_at = |record: &Record| (line(record.head.start())..=line(record.head.end())).contains(&number);
    let found = document.records.iter().position(is_at);
    found.map(|idx| idx as u32).ok_or_else(|| Refusal::No(format!("no record stands at line {number}")))
}

/// The subject of an analysis against `revisions`.
pub(super) fn subject_of<'s>(world: &'s World, revisions: &'s [Commit], accepted: &'s Accepted, selection: &'s Selection) -> Subject<'s> {
    let baseline = Baseline { revisions, accepted, commits: world.commits, elsewhere: None };
    let baseline = Some(baseline).filter(|_| !revisions.is_empty());
    Subject { whole_file: world.whole_file, baseline, ..Subject::new(world.config, selection, world.today) }
}

/// The group that `key` means; `subject` is an explicit subject or the headings of a section.
pub(super) fn find(facts: &Facts, key: &str, subject: Option<&str>) -> Result<u32, Refusal> {
    let unknown = |error: KeyError| {
        let hint = match &error {
            KeyError::Unknown { near: None, .. } => "; a new one comes by `memfile add`",
            KeyError::Unknown { .. } => " (a new one comes by `memfile add`)",
            KeyError::Ambiguous { .. } => "",
        };
        Refusal::No(format!("{error}{hint}"))
    };
    let Some(subject) = subject else { return resolve(facts, key).map_err(unknown) };
    let parameter = facts.config.canonical_parameter(fold_key(key));
    let found: Vec<u32> = (0..facts.groups.len() as u32)
        .filter(|&number| {
            let group = &facts.groups[number as usize];
            group.parameter == parameter && is_of(facts, number, subject)
        })
        .collect();
    match found.as_slice() {
        [only] => Ok(*only),
        [] => {
            let near = facts.groups.iter().enumerate().filter(|(number, _)| is_of(facts, *number as u32, subject));
            let ranked = near.map(|(_, group)| (strsim::jaro_winkler(&parameter, &group.parameter), group.records()[0]));
            let best = ranked.filter(|(likeness, _)| *likeness > 0.8).max_by(|a, b| a.0.total_cmp(&b.0));
            let near = best.map(|(_, record)| facts.name(record).into_owned());
            Err(unknown(KeyError::Unknown { key: format!("{subject}/{key}"), near }))
        }
        _ => Err(Refusal::No(format!("`{key}` of {subject} is not unique"))),
    }
}

fn is_of(facts: &Facts, number: u32, subject: &str) -> bool {
    let space = &facts.spaces[facts.groups[number as usize].space() as usize];
    space.subject.as_deref().is_some_and(|name| fold_key(name) == fold_key(subject))
}

impl<'v> View<'v> {
    pub(super) fn document(&self) -> &'v Document<'v> {
        self.facts.document
    }

    pub(super) fn text(&self) -> &'v str {
        self.facts.document.text
    }

    pub(super) fn config(&self) -> &'v Config {
        self.facts.config
    }

    pub(super) fn cardinality(&self) -> Cardinality {
        self.facts.groups[self.number as usize].cardinality()
    }

    pub(super) fn record(&self, number: u32) -> &'v Record {
        &self.facts.document.records[number as usize]
    }

    /// The group's name over versions of the text.
    pub(super) fn name(&self) -> Name {
        let group = &self.facts.groups[self.number as usize];
        Name { space: self.facts.spaces[group.space() as usize].key.clone(), parameter: group.parameter.to_string() }
    }

    /// The fact's name for people.
    pub(super) fn key(&self) -> String {
        self.facts.name(self.facts.groups[self.number as usize].records()[0]).into_owned()
    }

    /// All versions: those of the chains in order, then those aside.
    pub(super) fn versions(&self) -> impl Iterator<Item = &'v Version<'v>> {
        self.chains.iter().flat_map(|chain| chain.chain.iter().chain(&chain.aside))
    }

    /// The one chain of a parameter of which one value holds.
    pub(super) fn chain(&self) -> &'v Arrangement<'v> {
        &self.chains[0]
    }

    /// The fact's name, if a value that is no longer the last one carries no tag yet. What came due is not asked: `set` moves it.
    pub(super) fn untagged_behind(&self) -> Option<Name> {
        let due = |chain: &Arrangement| chain.chain.iter().any(|version| version.life == Life::Due);
        let old = |chain: &Arrangement| {
            !due(chain) && chain.chain[..chain.last.min(chain.chain.len())].iter().any(|version| version.life.is_open())
        };
        let is_behind = self.cardinality() == Cardinality::One && old(self.chain());
        is_behind.then(|| name_of(self.facts, self.number as usize))
    }

    /// Records of the group, in text order.
    pub(super) fn records(&self) -> &'v [u32] {
        self.facts.groups[self.number as usize].records()
    }

    /// The group's record that stands lowest.
    pub(super) fn lowest(&self) -> u32 {
        self.records().last().copied().unwrap_or_default()
    }

    /// The folded form of a value, aliases resolved.
    pub(super) fn fold(&self, value: &str) -> String {
        self.config().canonical_value(fold_value(value))
    }

    /// The versions with `value`.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn with_value(&self, value: &str) -> Result<Vec<&'v Version<'v>>, Refusal> {
        let folded = self.fold(value);
        let found: Vec<_> = self.versions().filter(|version| version.in_file().is_some() && version.value == folded).collect();
        if found.is_empty() {
            return Err(Refusal::No(format!("`{}` has no value `{}`; it has: {}", self.key(), value.trim(), self.listed(self.versions()))));
        }
        Ok(found)
    }

    /// The open versions.
    pub(super) fn open(&self) -> Vec<&'v Version<'v>> {
        self.versions().filter(|version| version.life.is_open() && version.in_file().is_some()).collect()
    }

    /// Several versions could be meant.
    pub(super) fn several<'x>(&self, versions: impl Iterator<Item = &'x Version<'x>>) -> Refusal {
        Refusal::No(format!("`{}` has several values; pick one with --value: {}", self.key(), self.listed(versions)))
    }

    fn listed<'x>(&self, versions: impl Iterator<Item = &'x Version<'x>>) -> String {
        let mut values: Vec<String> = versions.map(shown).collect();
        values.dedup();
        values.join(" · ")
    }

    /// Why the versions are in no order, if so.
    fn doubt(&self) -> Option<String> {
        let chain = self.chains.first()?;
        let value = |idx: usize| shown(&chain.chain[idx]);
        let key = self.key();
        match &chain.verdict {
            Verdict::Ordered | Verdict::CurrentTagged(_) => None,
            Verdict::TwoCurrent(a, b) | Verdict::SameSource(a, b) => Some(format!(
                "`{key}` has two values that nothing orders, `{}` and `{}`; nothing is written. Several may hold at once? `many` in the \
                 configuration. The last one holds? `memfile fix --prefer last`",
                value(*a),
                value(*b)
            )),
            Verdict::BrokenChain(idx, _) => {
                Some(format!("the tags of `{key}` contradict each other at `{}`; nothing is written. See `memfile check`", value(*idx)))
            }
        }
    }
}

/// A version's value for a message.
pub(super) fn shown(version: &Version) -> String {
    if version.life == Life::Redacted { "[redacted]".to_owned() } else { crate::facts::tag_value(version.raw_value(), false).into_owned() }
}
