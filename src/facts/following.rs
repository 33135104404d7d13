//! The order that tags tell: each names the version that came after its own.

use super::arrange::Values;
use super::version::Version;
use crate::syntax::date::{self, Written};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

/// Orders the tagged records of key-value groups along their tags, where they came together. The number of a version on a
/// circle, if there is one.
pub(super) fn follow_tags(chain: &mut [Version], values: &Values) -> Option<usize> {
    if chain.iter().filter(|version| !version.stands_open()).count() < 2 {
        return None;
    }
    let mut circle = None;
    let mut start = 0;
    // A value that stands twice says nothing about order: A, B, A is a return and no circle.
    let mut twice: FxHashMap<SmolStr, bool> = FxHashMap::default();
    for version in chain.iter() {
        twice.entry(version.value.clone()).and_modify(|twice| *twice = true).or_insert(false);
    }
    while start < chain.len() {
        let came = chain[start].came;
        let tagged = chain[start..].iter().take_while(|version| version.came == came && !version.stands_open()).count();
        // Dates come after this: they put right what they can compare, and say nothing of a session beside a day.
        if tagged > 1 {
            let (run, behind) = chain[start..].split_at_mut(tagged);
            circle = circle.or(follow_run(run, behind, values, &twice).map(|at| start + at));
        }
        start += tagged;
        start += chain[start..].iter().take_while(|version| version.came == came).count();
    }
    circle
}

/// Orders the tagged records `run`; `behind` are the versions that come later.
fn follow_run(run: &mut [Version], behind: &[Version], values: &Values, twice: &FxHashMap<SmolStr, bool>) -> Option<usize> {
    if tags_agree(run, behind, values) {
        return None;
    }
    if follow_dates(run, behind, values) {
        return None;
    }
    let by_value: FxHashMap<&str, usize> = run.iter().enumerate().map(|(idx, version)| (version.value.as_str(), idx)).collect();
    let target = |version: &Version| {
        let named = values.told(version)?;
        by_value.get(values.resolve(&named.value).filter(|value| twice.get(*value) == Some(&false))?).copied()
    };
    let targets: Vec<Option<usize>> = run.iter().map(target).collect();
    let mut incoming = vec![0; run.len()];
    targets.iter().flatten().for_each(|&idx| incoming[idx] += 1);
    // What leads to a value behind the run stands directly before it: below the chains that end without one.
    let behind: FxHashSet<&str> = behind.iter().map(|version| version.value.as_str()).collect();
    let leads_out = |idx: usize| {
        let named = values.told(&run[idx]);
        named.is_some_and(|named| values.resolve(&named.value).is_some_and(|value| behind.contains(value)))
    };
    let out = ends(&targets, leads_out);
    let mut ready: std::collections::BTreeSet<(bool, usize)> =
        (0..run.len()).filter(|&idx| incoming[idx] == 0).map(|idx| (out[idx], idx)).collect();
    let mut order = Vec::with_capacity(run.len());
    while let Some((_, first)) = ready.pop_first() {
        // A tag names the direct successor: what it leads to follows at once.
        let mut next = Some(first);
        while let Some(idx) = next {
            order.push(idx);
            next = targets[idx].filter(|&target| {
                incoming[target] -= 1;
                incoming[target] == 0
            });
        }
    }
    if order.len() < run.len() {
        let undated = |&idx: &usize| incoming[idx] > 0 && run[idx].dates.ordering().is_none();
        return (0..run.len()).find(undated);
    }
    let sorted: Vec<Version> = order.iter().map(|&idx| run[idx].clone()).collect();
    for (place, version) in run.iter_mut().zip(sorted) {
        *place = version;
    }
    None
}

/// Orders the tagged records `run` by the dates in their tags, where each has one and each then names the value that follows: so
/// a value that returned keeps its places, wherever its records stand.
fn follow_dates(run: &mut [Version], behind: &[Version], values: &Values) -> bool {
    let date = |version: &Version| {
        let closed = || version.tag().or(version.lost_tag)?.when.as_deref().map(str::to_owned);
        let when = values.told(version).and_then(|named| named.when).or_else(closed)?;
        match date::read_whole(&when, None)? {
            Written::Date(date) => Some(date.first()),
            _ => None,
        }
    };
    let Some(mut dated) = run.iter().map(|version| Some((date(version)?, version.clone()))).collect::<Option<Vec<_>>>() else {
        return false;
    };
    dated.sort_by_key(|(date, _)| *date);
    let dated: Vec<Version> = dated.into_iter().map(|(_, version)| version).collect();
    let agrees = tags_agree(&dated, behind, values);
    if agrees {
        run.iter_mut().zip(dated).for_each(|(place, version)| *place = version);
    }
    agrees
}

/// True where each tag of `run` names the value that follows as things stand.
fn tags_agree(run: &[Version], behind: &[Version], values: &Values) -> bool {
    let mut ahead = behind.first().map(|version| version.value.as_str());
    let mut beyond = behind.iter().map(|version| version.value.as_str()).find(|&value| Some(value) != ahead);
    run.iter().rev().all(|version| {
        let own = Some(version.value.as_str());
        if ahead != own {
            (beyond, ahead) = (ahead, own);
        }
        values.told(version).is_none_or(|named| values.resolve(&named.value) == beyond)
    })
}

/// For each version of a run what `judge` says of the last one that its tags lead to; false on a circle.
fn ends(targets: &[Option<usize>], judge: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut known: Vec<Option<bool>> = vec![None; targets.len()];
    for start in 0..targets.len() {
        let mut path = Vec::new();
        let mut at = start;
        let said = loop {
            if let Some(said) = known[at] {
                break said;
            }
            // Until the end is reached, what is on the path counts as on a circle.
            known[at] = Some(false);
            path.push(at);
            match targets[at] {
                Some(next) => at = next,
                None => break judge(at),
            }
        };
        path.into_iter().for_each(|idx| known[idx] = Some(said));
    }
    known.into_iter().map(|said| said.unwrap_or(false)).collect()
}
