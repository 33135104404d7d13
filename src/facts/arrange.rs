//! One group in order: which record is older, which one holds, what each tag should name, and where the text does not say.
//!
//! In: the versions of a group. Out: an [`Arrangement`]. The order follows SPEC 4: arrival, then written dates, then tags.

use super::following::follow_tags;
use super::insertion::{insertion_order, is_in_order};
use super::value::{is_secret, tag_value};
use super::version::{Life, Version};
use crate::config::Config;
use crate::syntax::{Form, Named, Status, Tag};
use crate::text::{fold_key, fold_value, is_same_key};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use smol_str::SmolStr;

/// Why a group cannot be repaired, if it cannot.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Verdict {
    /// It is in order, or can be put in order.
    #[default]
    Ordered,
    /// Nothing orders these two (numbers in `Arrangement::chain`).
    TwoCurrent(usize, usize),
    /// Both come from one source.
    SameSource(usize, usize),
    /// The tags contradict each other, the dates, or the values that are there: the version, and what is wrong.
    BrokenChain(usize, Break),
    /// All versions are tagged, and the last one is not ended.
    CurrentTagged(usize),
}

/// What is wrong with a chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Break {
    /// The tag names a value that no record of the group has.
    Dangling,
    /// The tags lead in a circle.
    Cycle,
    /// Two versions name the same successor, and nothing else orders them.
    Fork,
    /// By the written dates a tagged version is the last one.
    DatesAgainstTags,
}

/// For each version of a chain the number of another. Most chains are short, and then these need no memory of their own.
pub type Numbers = SmallVec<[Option<usize>; 4]>;

/// A group in order.
#[derive(Debug, Default)]
pub struct Arrangement<'a> {
    /// The versions of the chain, oldest first.
    pub chain: Vec<Version<'a>>,
    /// Retracted, redacted and scheduled records.
    pub aside: Vec<Version<'a>>,
    /// For each version of the chain: the first record of the next value.
    pub successor: Numbers,
    /// For each version of the chain: what its tag names; empty where none names anything.
    pub named: Vec<Option<Named>>,
    /// For each version of the chain whose tag names a value: the version of the chain that has it.
    pub names: Numbers,
    /// Where the last value of the chain begins.
    pub last: usize,
    /// Whether it can be trusted.
    pub verdict: Verdict,
}

/// Puts the versions of a group of cardinality one in order. `prefer_last`: position decides where nothing else does.
pub fn arrange<'a>(versions: Vec<Version<'a>>, config: &Config, prefer_last: bool) -> Arrangement<'a> {
    let values = Values::new(&versions, config);
    let versions = wake_named(versions, &values);
    let (mut chain, mut aside) = (versions, Vec::new());
    if !chain.iter().all(|version| version.life.is_version()) {
        (chain, aside) = chain.into_iter().partition(|version| version.life.is_version());
    }
    let positional = prefer_last || chain.iter().all(Version::is_positional);
    let mut verdict = Verdict::Ordered;
    if positional {
        chain.sort_by_key(|version| version.place);
    } else {
        chain.sort_by_key(|version| (version.came, version.stands_open(), version.position));
        if let Some(at) = follow_tags(&mut chain, &values) {
            verdict = Verdict::BrokenChain(at, Break::Cycle);
        }
    }
    due_behind_current(&mut chain);
    let chain = by_dates(chain, &mut verdict);
    let named: Vec<Option<Named>> = if values.are_named { chain.iter().map(|version| values.named(version)).collect() } else { Vec::new() };
    let (successor, last) = successors(&chain);
    let names = names(&chain, &named, &values);
    let mut arrangement = Arrangement { chain, aside, successor, named, names, last, verdict };
    if arrangement.verdict == Verdict::Ordered {
        arrangement.verdict = arrangement.judge(&values, positional);
    }
    arrangement
}

impl Arrangement<'_> {
    /// What the tag of version `idx` of the chain names.
    pub fn named(&self, idx: usize) -> Option<&Named> {
        self.named.get(idx)?.as_ref()
    }

    fn judge(&self, values: &Values, positional: bool) -> Verdict {
        if let Some((a, b)) = self.same_source() {
            return Verdict::SameSource(a, b);
        }
        if let Some(idx) = self.dangling(values) {
            return Verdict::BrokenChain(idx, Break::Dangling);
        }
        if !positional {
            // Tags that lead to several values that hold are no fork of one chain.
            if let Some((a, b)) = self.unordered() {
                return Verdict::TwoCurrent(a, b);
            }
            if let Some(idx) = self.fork() {
                return Verdict::BrokenChain(idx, Break::Fork);
            }
        }
        let open = self.chain.iter().any(|version| version.life.is_open());
        match self.chain.last() {
            Some(version) if !open && version.life == Life::Old && !is_quiet(version) => Verdict::CurrentTagged(self.chain.len() - 1),
            _ => Verdict::Ordered,
        }
    }

    /// Two open versions with one dated source and different values, not told apart by effective dates.
    fn same_source(&self) -> Option<(usize, usize)> {
        let source = |idx: usize| self.chain[idx].record.attributes.source().of(self.chain[idx].text);
        // A value that was overwritten is not a second one beside the new: it comes back with a tag.
        let is_beside = |version: &Version| version.stands_open() && version.in_file().is_some() && version.dates.recorded.is_some();
        let beside = (0..self.chain.len()).filter(|&idx| is_beside(&self.chain[idx]) && !source(idx).is_empty());
        let beside: SmallVec<[usize; 8]> = beside.collect();
        let mut known: FxHashMap<String, usize> = FxHashMap::default();
        for (count, &idx) in beside.iter().enumerate() {
            let first = if beside.spilled() {
                *known.entry(fold_key(source(idx))).or_insert(idx)
            } else {
                beside[..count].iter().copied().find(|&other| is_same_key(source(other), source(idx))).unwrap_or(idx)
            };
            let (a, b) = (&self.chain[first], &self.chain[idx]);
            let told_apart = matches!((a.dates.effective, b.dates.effective), (Some(a), Some(b)) if b.is_later_than(a));
            if a.value != b.value && !told_apart {
                return Some((first, idx));
            }
        }
        None
    }

    /// A version whose tag names a value that is not there. One that was erased or hidden can be named all the same.
    fn dangling(&self, values: &Values) -> Option<usize> {
        let redacted = self.aside.iter().any(|version| version.life == Life::Redacted);
        let is_nowhere = |named: &Named| !redacted && !values.has(&named.value) && named.value != "[redacted]";
        self.named.iter().position(|named| named.as_ref().is_some_and(is_nowhere))
    }

    /// A version that names another tagged one than the next, where only tags order the two that follow each other.
    fn fork(&self) -> Option<usize> {
        (0..self.chain.len()).find(|&idx| {
            let (Some(next), Some(target)) = (self.successor[idx], self.names[idx]) else { return false };
            let (a, b) = (&self.chain[idx], &self.chain[next]);
            self.chain[target].value != b.value && a.came == b.came && !by_written(a, b) && b.life == Life::Old
        })
    }

    /// Two open key-value records, neighbours in the order, that nothing but their position orders.
    fn unordered(&self) -> Option<(usize, usize)> {
        let mut open = self.chain.iter().enumerate().filter(|(_, version)| version.life.is_open());
        let (mut before, mut a) = open.next()?;
        for (idx, b) in open {
            let both = a.is_positional() && b.is_positional();
            let above = a.dates.is_undated() && b.dates.ordering().is_some() && a.place < b.place;
            // The baseline had it tagged, as older than what it had without a tag.
            let told = b.life == Life::Due || a.lost_tag.is_some();
            if a.value != b.value && !(both || told || a.came != b.came || by_written(a, b) || above) {
                return Some((before, idx));
            }
            (before, a) = (idx, b);
        }
        None
    }
}

/// An old tag of another form, without a successor: historical, and no finding.
fn is_quiet(version: &Version) -> bool {
    version.tag().is_some_and(|tag| tag.form != Form::Bracket && tag.named.is_none())
}

/// The written dates put `a` before `b`, or say that they are equal.
fn by_written(a: &Version, b: &Version) -> bool {
    matches!((a.dates.ordering(), b.dates.ordering()), (Some(a), Some(b)) if b.is_later_than(a) || b.is_same_as(a))
}

/// A scheduled value stands above the one that it will replace: on its day it comes behind it.
fn due_behind_current(chain: &mut [Version]) {
    for idx in (0..chain.len()).rev() {
        if chain[idx].life != Life::Due {
            continue;
        }
        let own = chain[idx].came;
        if let Some(ahead) = chain[idx..].iter().position(|next| next.life == Life::Live && next.came <= own) {
            chain[idx..=idx + ahead].rotate_left(1);
        }
    }
}

/// The insertion by written dates; where it leaves a tagged version last, tagged ones arrive first.
fn by_dates<'a>(chain: Vec<Version<'a>>, verdict: &mut Verdict) -> Vec<Version<'a>> {
    if is_in_order(chain.iter().map(|version| version.dates.ordering()))
        && (chain.last().is_none_or(|last| last.life.is_open()) || !chain.iter().any(|version| version.life.is_open()))
    {
        return chain;
    }
    let order = |chain: &[Version]| insertion_order(&chain.iter().map(|version| version.dates.ordering()).collect::<Vec<_>>());
    let ends_open = |chain: &[Version], order: &[usize]| order.last().is_none_or(|&last| chain[last].life.is_open());
    let put = |chain: Vec<Version<'a>>, order: Vec<usize>| {
        let mut slots: Vec<Option<Version>> = chain.into_iter().map(Some).collect();
        order.into_iter().filter_map(|idx| slots[idx].take()).collect::<Vec<_>>()
    };
    let first = order(&chain);
    if ends_open(&chain, &first) || !chain.iter().any(|version| version.life.is_open()) {
        return put(chain, first);
    }
    let mut arrivals = chain;
    arrivals.sort_by_key(Version::stands_open);
    let second = order(&arrivals);
    let is_open = ends_open(&arrivals, &second);
    let chain = put(arrivals, second);
    if !is_open {
        *verdict = Verdict::BrokenChain(chain.len() - 1, Break::DatesAgainstTags);
    }
    chain
}

/// For each version the first record of the next value, and where the last value begins.
fn successors(chain: &[Version]) -> (Numbers, usize) {
    let mut successor = Numbers::from_elem(None, chain.len());
    let mut next = None;
    let mut run = chain.len();
    let mut last = 0;
    for idx in (0..chain.len()).rev() {
        if run < chain.len() && chain[idx].value != chain[run].value {
            next = Some(run);
            last = last.max(run);
        }
        run = idx;
        successor[idx] = next;
    }
    (successor, last)
}

/// For each version the one that its tag names: the nearest behind it with that value, else any.
fn names(chain: &[Version], named: &[Option<Named>], values: &Values) -> Numbers {
    if named.iter().all(Option::is_none) {
        return Numbers::from_elem(None, chain.len());
    }
    let mut places: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (idx, version) in chain.iter().enumerate() {
        places.entry(version.value.as_str()).or_default().push(idx);
    }
    let find = |(idx, named): (usize, &Option<Named>)| {
        let value = values.resolve(&named.as_ref()?.value)?;
        let at = places.get(value)?;
        let behind = at.partition_point(|&place| place <= idx);
        at.get(behind).or_else(|| at.last()).copied()
    };
    named.iter().enumerate().map(find).collect()
}

/// A value that a historical tag names as successor holds already, whatever its date says.
fn wake_named<'a>(mut versions: Vec<Version<'a>>, values: &Values) -> Vec<Version<'a>> {
    let waits = |version: &Version| version.life == Life::Scheduled && version.record.tag.is_none();
    if !versions.iter().any(waits) {
        return versions;
    }
    let old = versions.iter().filter(|version| version.tag().is_some_and(|tag| tag.status == Status::Historical));
    let named: FxHashSet<SmolStr> = old.filter_map(|version| values.resolve(&values.named(version)?.value).map(SmolStr::new)).collect();
    // Where another record has the value, the tag speaks of that one.
    let held: FxHashSet<SmolStr> =
        versions.iter().filter(|version| version.life != Life::Scheduled).map(|version| version.value.clone()).collect();
    for version in versions.iter_mut().filter(|version| waits(version)) {
        if named.contains(&version.value) && !held.contains(&version.value) {
            version.life = Life::Live;
        }
    }
    versions
}

/// The values of a group, as tags may write them.
pub(super) struct Values<'c> {
    config: &'c Config,
    /// A tag names a value.
    are_named: bool,
    /// Folded forms of a value, whole and cut for a tag, to the value itself.
    forms: FxHashMap<SmolStr, SmolStr>,
}

impl<'c> Values<'c> {
    fn new(versions: &[Version], config: &'c Config) -> Self {
        let mut forms = FxHashMap::default();
        let are_named = versions.iter().any(|version| version.tag().or(version.lost_tag).is_some_and(|tag| tag.named.is_some()));
        if are_named {
            for version in versions.iter().filter(|version| !version.value.is_empty()) {
                forms.insert(version.value.clone(), version.value.clone());
                let cut = fold_value(&tag_value(version.raw_value(), false));
                forms.entry(cut.into()).or_insert_with(|| version.value.clone());
            }
            // Of several secrets a tag does not say which one it means.
            let secrets = versions.iter().filter(|version| is_secret(version.raw_value()));
            if secrets.map(|version| version.value.as_str()).collect::<FxHashSet<_>>().len() > 1 {
                forms.remove("[redacted]");
            }
        }
        Self { config, are_named, forms }
    }

    pub(super) fn resolve(&self, written: &str) -> Option<&str> {
        let folded = self.config.canonical_value(fold_value(written));
        self.forms.get(folded.as_str()).map(SmolStr::as_str)
    }

    fn has(&self, written: &str) -> bool {
        self.resolve(written).is_some()
    }

    pub(super) fn named(&self, version: &Version) -> Option<Named> {
        self.split(version.tag()?)
    }

    /// What its tag names, or the one that it had in the baseline.
    pub(super) fn told(&self, version: &Version) -> Option<Named> {
        self.split(version.tag().or(version.lost_tag)?)
    }

    fn split(&self, tag: &Tag) -> Option<Named> {
        let tag = Some(tag).filter(|tag| tag.status == Status::Historical)?;
        // `replaced by:` with nothing behind it names nothing.
        tag.split(&|text| self.has(text)).filter(|named| !named.value.is_empty())
    }
}
