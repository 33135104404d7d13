//! Which record of the baseline is which record of the file.
//!
//! Headings pair first (by text, else by most records equal), then records by exact key and value, in their section and then
//! anywhere, then by value at the same place: a rename. Text similarity pairs nothing.

use super::accepted::Accepted;
use super::place::Gaps;
use crate::facts::{Facts, value_key_into};
use crate::syntax::{Record, RegionKind, Status};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use smol_str::SmolStr;
use std::hash::Hash;

/// Pairs of records of two versions of a file.
#[derive(Debug)]
pub(crate) struct Pairing {
    /// For each record of the baseline the file's record.
    pub(crate) to_file: Vec<Option<u32>>,
    /// For each record of the file the baseline's record.
    pub(crate) to_base: Vec<Option<u32>>,
    /// For each space of the baseline the file's space.
    pub(crate) spaces: Vec<Option<u32>>,
}

/// A record's parameter and value for comparison; a statement has no parameter.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Content {
    pub(super) parameter: SmolStr,
    pub(super) value: SmolStr,
}

/// The contents of all records.
pub(super) fn contents(facts: &Facts) -> Vec<Content> {
    let mut value = String::new();
    let of = |(idx, record): (usize, &Record)| {
        let parameter = facts.group_of(idx).map_or(SmolStr::default(), |group| facts.groups[group as usize].parameter.clone());
        value_key_into(facts.document, record, facts.config, &mut value);
        Content { parameter, value: SmolStr::new(&value) }
    };
    facts.document.records.iter().enumerate().map(of).collect()
}

/// Pairs the records of `base` and `file`.
/// `meant` tells which record of the file a record of the baseline is declared to be, and of which that they are meant to be gone.
pub(super) fn pair(
    base: &Facts,
    base_contents: &[Content],
    file: &Facts,
    file_contents: &[Content],
    meant: &[(usize, Option<usize>)],
) -> Pairing {
    let mut pairing = Pairing {
        to_file: vec![None; base_contents.len()],
        to_base: vec![None; file_contents.len()],
        spaces: spaces(base, base_contents, file, file_contents),
    };
    let gone: FxHashSet<usize> = meant.iter().filter(|(_, file)| file.is_none()).map(|(base, _)| *base).collect();
    for (base_idx, file_idx) in meant.iter().filter_map(|&(base, file)| Some((base, file?))) {
        if pairing.to_file[base_idx].is_none() && pairing.to_base[file_idx].is_none() {
            pairing.set(base_idx, file_idx);
        }
    }
    let spaces = pairing.spaces.clone();
    let in_space = |idx: usize| Some((spaces[base.space_of(idx) as usize].filter(|_| !gone.contains(&idx))?, &base_contents[idx]));
    pairing.equal(base, &in_space, file, &|idx| (file.space_of(idx), &file_contents[idx]));
    pairing.returns(base, file);
    let anywhere = |idx: usize| Some(&base_contents[idx]).filter(|_| !gone.contains(&idx));
    pairing.equal(base, &anywhere, file, &|idx| &file_contents[idx]);
    pairing.returns(base, file);
    pairing.renames(base, base_contents, file, file_contents, &gone);
    pairing
}

/// The contents of a revision, each with a record that has it.
pub(super) fn contents_by_place(facts: &Facts) -> FxHashMap<Content, u32> {
    contents(facts).into_iter().enumerate().map(|(idx, content)| (content, idx as u32)).collect()
}

/// Pairs the records of two versions of a file for doors that compare nothing else.
pub(crate) fn pair_records(base: &Facts, file: &Facts, accepted: &Accepted) -> Pairing {
    pair(base, &contents(base), file, &contents(file), &accepted.meant(base, file))
}

impl Pairing {
    fn set(&mut self, base: usize, file: usize) {
        self.to_file[base] = Some(file as u32);
        self.to_base[file] = Some(base as u32);
    }

    /// Pairs what has the same key; of several, those with the same own text first, then those of the same status, then by place.
    fn equal<K: Hash + Eq>(&mut self, base: &Facts, base_key: &dyn Fn(usize) -> Option<K>, file: &Facts, file_key: &dyn Fn(usize) -> K) {
        let mut free: FxHashMap<K, SmallVec<[u32; 4]>> = FxHashMap::default();
        for idx in (0..self.to_base.len()).filter(|&idx| self.to_base[idx].is_none()) {
            free.entry(file_key(idx)).or_default().push(idx as u32);
        }
        if free.is_empty() {
            return;
        }
        // Of a value that stood several times the last one is the last one still: A, B, A.
        let mut last: FxHashMap<K, (usize, usize)> = FxHashMap::default();
        if free.values().any(|candidates| !matches!(candidates[..], [_])) {
            for idx in 0..self.to_file.len() {
                if let Some(key) = base_key(idx) {
                    last.entry(key).and_modify(|(last, count)| (*last, *count) = (idx, *count + 1)).or_insert((idx, 1));
                }
            }
        }
        let status = |facts: &Facts, idx: usize| facts.document.records[idx].tag.as_ref().map(|tag| tag.status);
        let same_text = |idx: usize, file_idx: usize| {
            base.document.records[idx].head.of(base.document.text) == file.document.records[file_idx].head.of(file.document.text)
        };
        for alike in [2, 1, 0] {
            for idx in 0..self.to_file.len() {
                let Some(key) = base_key(idx).filter(|_| self.to_file[idx].is_none()) else { continue };
                let Some(candidates) = free.get_mut(&key) else { continue };
                let fits = |&file_idx: &u32| match alike {
                    2 => same_text(idx, file_idx as usize),
                    1 => status(base, idx) == status(file, file_idx as usize),
                    _ => true,
                };
                let is_last = last.get(&key).is_some_and(|(last, count)| *last == idx && *count > 1);
                let at = if is_last { candidates.iter().rposition(fits) } else { candidates.iter().position(fits) };
                if let Some(at) = at {
                    let file_idx = candidates.remove(at);
                    self.set(idx, file_idx as usize);
                }
            }
        }
    }

    /// A tagged record of the baseline that stands untagged while the group's current one is gone is no old record without its
    /// tag: the value returned, and the old record is missing.
    fn returns(&mut self, base: &Facts, file: &Facts) {
        for group in &base.groups {
            let open = |&&idx: &&u32| base.document.records[idx as usize].tag.is_none();
            let mut current = group.records().iter().filter(open).peekable();
            if current.peek().is_none() || current.any(|&idx| self.to_file[idx as usize].is_some()) {
                continue;
            }
            for &idx in group.records() {
                let tag = base.document.records[idx as usize].tag.as_ref();
                let Some(file_idx) = self.to_file[idx as usize] else { continue };
                let untagged = file.document.records[file_idx as usize].tag.is_none();
                if untagged && tag.is_some_and(|tag| tag.status == Status::Historical) {
                    self.to_file[idx as usize] = None;
                    self.to_base[file_idx as usize] = None;
                }
            }
        }
    }

    /// Same value, other key at the same place, and neither key on the other side.
    fn renames(&mut self, base: &Facts, base_contents: &[Content], file: &Facts, file_contents: &[Content], gone: &FxHashSet<usize>) {
        let lost = (0..base_contents.len()).filter(|&idx| self.to_file[idx].is_none() && !gone.contains(&idx));
        let lost: Vec<usize> = lost.filter(|&idx| base.group_of(idx).is_some()).collect();
        if lost.is_empty() {
            return;
        }
        let new: Vec<usize> = (0..file_contents.len()).filter(|&idx| self.to_base[idx].is_none() && file.group_of(idx).is_some()).collect();
        if new.is_empty() {
            return;
        }
        let gaps = Gaps::new(base, file, self);
        let mut by_value: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        new.iter().for_each(|&idx| by_value.entry(file_contents[idx].value.as_str()).or_default().push(idx));
        let (base_keys, file_keys) = (keys(base_contents), keys(file_contents));
        for idx in lost {
            let content = &base_contents[idx];
            if content.value.is_empty() || file_keys.contains(content.parameter.as_str()) {
                continue;
            }
            let Some(candidates) = by_value.get(content.value.as_str()) else { continue };
            let fits = |&&file_idx: &&usize| {
                self.to_base[file_idx].is_none()
                    && !base_keys.contains(file_contents[file_idx].parameter.as_str())
                    && gaps.same(idx, file_idx)
            };
            if let Some(&file_idx) = candidates.iter().find(fits) {
                self.set(idx, file_idx);
            }
        }
    }
}

fn keys(contents: &[Content]) -> FxHashSet<&str> {
    contents.iter().map(|content| content.parameter.as_str()).collect()
}

/// Pairs spaces: by key, those left over by most records equal, and the last by their own headings.
fn spaces(base: &Facts, base_contents: &[Content], file: &Facts, file_contents: &[Content]) -> Vec<Option<u32>> {
    let by_key: FxHashMap<&str, u32> = file.spaces.iter().enumerate().map(|(idx, space)| (space.key.as_str(), idx as u32)).collect();
    let mut pairs: Vec<Option<u32>> = base.spaces.iter().map(|space| by_key.get(space.key.as_str()).copied()).collect();
    let mut taken = vec![false; file.spaces.len()];
    pairs.iter().flatten().for_each(|&idx| taken[idx as usize] = true);
    if pairs.iter().all(Option::is_some) || taken.iter().all(|&taken| taken) {
        return pairs;
    }
    let mut places: FxHashMap<&Content, Vec<u32>> = FxHashMap::default();
    for (idx, content) in file_contents.iter().enumerate() {
        let space = file.space_of(idx);
        if !taken[space as usize] && !file.spaces[space as usize].explicit {
            places.entry(content).or_default().push(space);
        }
    }
    let mut votes: FxHashMap<(u32, u32), usize> = FxHashMap::default();
    for (idx, content) in base_contents.iter().enumerate() {
        let space = base.space_of(idx);
        if pairs[space as usize].is_none() && !base.spaces[space as usize].explicit {
            let spaces = places.get(content).map_or(&[][..], |spaces| spaces.as_slice());
            spaces.iter().take(8).for_each(|&other| *votes.entry((space, other)).or_default() += 1);
        }
    }
    let mut ranked: Vec<_> = votes.into_iter().collect();
    ranked.sort_by_key(|&((a, b), count)| (std::cmp::Reverse(count), a, b));
    for ((a, b), _) in ranked {
        if pairs[a as usize].is_none() && !taken[b as usize] {
            pairs[a as usize] = Some(b);
            taken[b as usize] = true;
        }
    }
    by_own_headings(base, &mut pairs, file, &taken);
    pairs
}

/// Pairs spaces without partners that differ in the headings above their region alone, as where a title came or was renamed while
/// all values below changed. Where several do, none is.
fn by_own_headings(base: &Facts, pairs: &mut [Option<u32>], file: &Facts, taken: &[bool]) {
    let named = |facts: &Facts, is_free: &dyn Fn(usize) -> bool| {
        let mut named: FxHashMap<_, Vec<u32>> = FxHashMap::default();
        for idx in (0..facts.spaces.len()).filter(|&idx| is_free(idx)) {
            named.entry(own_headings(facts, idx)).or_default().push(idx as u32);
        }
        named
    };
    let free = named(file, &|idx| !taken[idx]);
    for (name, own) in named(base, &|idx| pairs[idx].is_none()) {
        if let (Some(_), [one], Some([other])) = (&name, &own[..], free.get(&name).map(Vec::as_slice)) {
            pairs[*one as usize] = Some(*other);
        }
    }
}

/// The kind of a space's region, its heading, and the headings below that; `None` under an explicit subject.
fn own_headings(facts: &Facts, space: usize) -> Option<(RegionKind, String, String)> {
    let scope = &facts.document.scopes[facts.spaces[space].scope? as usize];
    let region = &facts.document.regions[scope.region? as usize];
    Some((region.kind, region.nearest().to_owned(), scope.key.clone()))
}
