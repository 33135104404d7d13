//! The whole road of a merge by records: read, pair, decide, compose, order, show that nothing is lost, mark conflicts.
//!
//! In: three texts whose last lines end. Out: the merged text with its conflicts, or why it cannot be made by records.

use super::Terms;
use super::compose::{Composed, compose};
use super::entries::{Entries, Key, of_side};
use super::fate::staying;
use super::groups::{Fact, Judgement, judge};
use super::hunks::standing;
use super::lines::{Lines, Numbers, lines_of};
use super::marked::{Disputed, marked};
use super::mending::{content, mend};
use super::own_text::{Said, said};
use super::three::{Side, Three};
use crate::check::{Selection, Subject, check};
use crate::diagnostic::Severity;
use crate::facts::{Facts, Group};
use crate::syntax::{Document, Managed, Reading, parse};
use crate::text::TextRange;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use std::borrow::Cow;

/// Why a merge by records is not made.
pub(super) enum Stop {
    /// There are no records.
    Unmanaged,
    /// Its result cannot be trusted.
    Untrusted(String),
}

fn untrusted(why: &str) -> Stop {
    Stop::Untrusted(why.to_owned())
}

/// Most rounds of decisions; each one settles a fact.
const ROUNDS: usize = 8;

/// Merges three texts by records.
pub(super) fn merge(texts: Three<&str>, terms: &Terms) -> Result<Lines, Stop> {
    let base = match texts.base {
        "" => Cow::Owned(shared(texts.ours, texts.theirs, terms)),
        base => without_markers(base),
    };
    let texts = Three { base: base.as_ref(), ..texts };
    let (documents, managed) = read(texts, terms);
    if documents.each().map(|document| document.records.is_empty()).settled() == Some(true) && documents.base.records.is_empty() {
        return Err(Stop::Unmanaged);
    }
    if documents.ours.conflict.is_some() || documents.theirs.conflict.is_some() {
        return Err(untrusted("conflict markers stand in it already"));
    }
    let facts = documents.each().map(|document| Facts::new(document, terms.config));
    let meant = [of_side(terms.meant_by_us, &facts.ours), of_side(terms.meant_by_them, &facts.theirs)];
    let terms = &Terms { meant_by_us: &meant[0], meant_by_them: &meant[1], ..*terms };
    let entries = Entries::new(facts.each(), [&meant[0], &meant[1]]);
    let mut plan = Plan::new(&entries, terms);
    for _ in 0..ROUNDS {
        let composed = compose(&entries, &plan.texts(), &plan.stands, &plan.heirs, terms)
            .ok_or_else(|| untrusted("a record does not stand on lines of its own"))?;
        match plan.settle(composed, &managed, texts)? {
            Some(done) => return Ok(done),
            None => continue,
        }
    }
    Err(untrusted("its facts do not come to rest"))
}

/// The lines that two texts which were written apart have alike stand for the base that there is none of. Records are no part of it: those
/// that both have pair by what they say.
fn shared(ours: &str, theirs: &str, terms: &Terms) -> String {
    let (own, other) = (lines_of(ours), lines_of(theirs));
    let mut numbers = Numbers::default();
    let a: Vec<u32> = own.iter().map(|line| numbers.of(line)).collect();
    let b: Vec<u32> = other.iter().map(|line| numbers.of(line)).collect();
    let document = parse(ours, Reading { config: terms.config, whole_file: terms.whole_file, also: None });
    let mut blocks = document.records.iter().map(|record| record.block).peekable();
    let mut at = 0;
    let is_free = |line: &&str| {
        let start = at;
        at += line.len();
        while blocks.next_if(|block| block.end() <= start).is_some() {}
        !blocks.peek().is_some_and(|block| block.contains(start))
    };
    let free: Vec<bool> = own.iter().map(is_free).collect();
    own.iter().zip(standing(&b, &a)).zip(free).filter(|((_, stands), free)| *stands && *free).map(|((line, _), _)| *line).collect()
}

/// A line ends with CR alone: git and its markers know no such lines.
fn has_bare_returns(text: &str) -> bool {
    memchr::memchr_iter(b'\r', text.as_bytes()).any(|at| text.as_bytes().get(at + 1) != Some(&b'\n'))
}

/// A merge base that is itself a merge with conflicts has both sides between markers: the markers are no text of the file.
fn without_markers(text: &str) -> Cow<'_, str> {
    let run = |line: &str, mark: char| {
        let rest = line.trim_start_matches(mark);
        line.len() - rest.len() >= 7 && rest.trim_end().chars().next().is_none_or(|next| next == ' ')
    };
    let marks = ['<', '=', '>'];
    if !marks.iter().all(|&mark| text.lines().any(|line| run(line, mark))) {
        return Cow::Borrowed(text);
    }
    let is_marker = |line: &&str| ['<', '|', '=', '>'].iter().any(|&mark| run(line, mark));
    Cow::Owned(text.split_inclusive('\n').filter(|line| !is_marker(line)).collect())
}

/// Reads three texts; what one of them manages is managed in all.
fn read<'t>(texts: Three<&'t str>, terms: &Terms) -> (Three<Document<'t>>, Managed) {
    let own = Reading { config: terms.config, whole_file: terms.whole_file, also: None };
    let alone = texts.map(|text| parse(text, own));
    let each = alone.each().map(Document::managed);
    let managed = each.base.with(each.ours).with(each.theirs);
    (texts.map(|text| parse(text, Reading { also: Some(&managed), ..own })), managed)
}

/// What is decided so far.
struct Plan<'e, 'a> {
    entries: &'e Entries<'a>,
    terms: &'e Terms<'e>,
    /// What each entry says, for those that stay.
    said: Vec<Option<Said>>,
    /// For the place of each entry the entry that stands there.
    stands: Vec<u32>,
    /// What we put in the place of entries that are gone.
    heirs: FxHashMap<u32, u32>,
    /// Facts and single records that a person must decide.
    conflicts: FxHashSet<Key>,
    clashes: Vec<Vec<u32>>,
}

impl<'e, 'a> Plan<'e, 'a> {
    fn new(entries: &'e Entries<'a>, terms: &'e Terms<'e>) -> Self {
        let fates = staying(entries, terms);
        let mut conflicts = FxHashSet::default();
        let mut clashes: Vec<Vec<u32>> = fates.reworded_apart(entries).map(Vec::from).collect();
        let mut texts = Vec::with_capacity(fates.stays.len());
        for (number, &stays) in fates.stays.iter().enumerate() {
            let number = number as u32;
            let said = stays.then(|| said(entries, number));
            if said == Some(Said::Clash) {
                let key = entries.key(number);
                if key.is_fact() {
                    conflicts.insert(key.clone());
                } else {
                    clashes.push(vec![number]);
                }
            }
            texts.push(said);
        }
        let stands = (0..entries.list.len() as u32).collect();
        Self { entries, terms, said: texts, stands, heirs: fates.ours, conflicts, clashes }
    }

    /// The blocks of the composed text; what clashes stands in ours for the time being.
    fn texts(&self) -> Vec<Option<String>> {
        let text = |(number, said): (usize, &Option<Said>)| match said.as_ref()? {
            Said::Text(text) | Said::Either(text, _) => Some(text.clone()),
            Said::Clash => self.entries.block(number as u32, Side::Ours).map(str::to_owned),
        };
        self.said.iter().enumerate().map(text).collect()
    }

    fn is_in_conflict(&self, entry: u32) -> bool {
        self.clashes.iter().any(|clash| clash.contains(&entry)) || self.conflicts.contains(self.entries.key(entry))
    }

    /// Orders the facts of a composed text and finishes it; `None` where something was decided and it must be composed anew.
    fn settle(&mut self, composed: Composed, managed: &Managed, texts: Three<&str>) -> Result<Option<Lines>, Stop> {
        let Composed { text, places, prose } = composed;
        let reading = Reading { config: self.terms.config, whole_file: self.terms.whole_file, also: Some(managed) };
        let document = parse(&text, reading);
        let facts = Facts::new(&document, self.terms.config);
        self.reads_as_composed(&facts, &places)?;
        let order: Vec<u32> = places.iter().map(|(entry, _)| *entry).collect();
        let Judgement { conflicts, flipped, gone, exchanged, mixed } = judge(&facts, &order, self.entries, &self.said, self.terms);
        if self.decide(conflicts, flipped, gone, &exchanged) {
            return Ok(None);
        }
        let is_free = |(_, own): &&(Fact, Vec<u32>)| !own.iter().any(|&entry| self.is_in_conflict(entry));
        let free: Vec<Fact> = mixed.iter().filter(is_free).map(|(fact, _)| fact.clone()).collect();
        let from_base: Vec<bool> = order.iter().map(|&entry| self.entries.list[entry as usize].base.is_some()).collect();
        let in_conflict: Vec<(u32, TextRange)> = places.iter().copied().filter(|(entry, _)| self.is_in_conflict(*entry)).collect();
        let mut ranges: Vec<TextRange> = in_conflict.iter().map(|(_, range)| *range).chain(prose.iter().map(|(range, _)| *range)).collect();
        let names: Vec<(String, &[u32])> = mixed.iter().map(|(fact, own)| (self.name(&facts, fact), own.as_slice())).collect();
        let mended = mend(text.clone(), &free, &from_base, managed, self.terms, &mut ranges);
        let mended = mended.ok_or_else(|| untrusted("the tags of a fact do not come to rest"))?;
        let new = self.new_errors(&mended, texts);
        let mut worse = FxHashSet::default();
        for key in new {
            let own = names.iter().filter(|(name, _)| *name == key).flat_map(|(_, own)| own.iter());
            let keys: Vec<_> = own.map(|&entry| self.entries.key(entry).clone()).collect();
            if keys.is_empty() {
                return Err(Stop::Untrusted(format!("`{key}` would break a rule that neither side breaks")));
            }
            worse.extend(keys.into_iter().filter(|key| !self.conflicts.contains(key)));
        }
        if !worse.is_empty() {
            self.conflicts.extend(worse);
            return Ok(None);
        }
        let (records, lines) = ranges.split_at(in_conflict.len());
        let records: Vec<(u32, TextRange)> = in_conflict.iter().zip(records).map(|((entry, _), range)| (*entry, *range)).collect();
        let prose: Vec<(TextRange, Three<String>)> = lines.iter().copied().zip(prose.into_iter().map(|(_, lines)| lines)).collect();
        if !(records.is_empty() && prose.is_empty()) && has_bare_returns(&mended) {
            return Err(untrusted("some lines end with CR alone, and conflict markers need lines of their own"));
        }
        let done = marked(&mended, self.entries, self.terms, &self.disputed(&records), &records, &prose);
        done.map(Some).ok_or_else(|| untrusted("two of its conflicts overlap"))
    }

    /// The conflicts of records, in the order of the composed text.
    fn disputed(&self, places: &[(u32, TextRange)]) -> Vec<Disputed> {
        let mut disputed: Vec<Disputed> = Vec::new();
        for (entry, _) in places {
            if let Some(clash) = self.clashes.iter().find(|clash| clash.contains(entry)) {
                if !disputed.iter().any(|known| known.entries == *clash) {
                    disputed.push(Disputed { key: None, entries: clash.clone() });
                }
                continue;
            }
            let key = self.entries.key(*entry);
            if disputed.iter().any(|known| known.key.as_ref() == Some(key)) {
                continue;
            }
            let entries = (0..self.entries.list.len() as u32).filter(|&entry| self.entries.key(entry) == key).collect();
            disputed.push(Disputed { key: Some(key.clone()), entries });
        }
        disputed
    }

    /// Takes over what was found; true where it is news.
    fn decide(&mut self, conflicts: FxHashSet<Key>, flipped: Vec<u32>, gone: Vec<u32>, exchanged: &[(u32, u32)]) -> bool {
        let known = self.conflicts.len();
        self.conflicts.extend(conflicts);
        let mut news = self.conflicts.len() > known;
        for entry in flipped {
            if let Some(Said::Either(_, theirs)) = self.said[entry as usize].clone() {
                self.said[entry as usize] = Some(Said::Text(theirs));
                news = true;
            }
        }
        for entry in gone {
            news |= self.said[entry as usize].take().is_some();
        }
        if !exchanged.is_empty() {
            // What stands in a place now may have come there by an exchange before.
            let home = |entry: u32| (0..self.stands.len() as u32).find(|&place| self.stands[place as usize] == entry).unwrap_or(entry);
            let moves: Vec<(u32, u32)> = exchanged.iter().map(|&(place, entry)| (home(place), entry)).collect();
            moves.into_iter().for_each(|(place, entry)| self.stands[place as usize] = entry);
            news = true;
        }
        news
    }

    /// Each record is read where it was put, says what it said, and belongs to the section that it belonged to; and there is no other.
    fn reads_as_composed(&self, facts: &Facts, places: &[(u32, TextRange)]) -> Result<(), Stop> {
        let records = &facts.document.records;
        if records.len() != places.len() {
            return Err(untrusted("its records would read otherwise than on either side"));
        }
        for (number, (entry, range)) in places.iter().enumerate() {
            let (space, parameter, value) = content(facts, number as u32);
            let says = |side: &Facts, record: Option<u32>| {
                record.is_some_and(|record| {
                    let (_, own, said) = content(side, record);
                    own == parameter && said == value
                })
            };
            let found = self.entries.list[*entry as usize];
            let sides = self.entries.facts;
            let same = says(sides.ours, found.ours) || says(sides.theirs, found.theirs);
            if records[number].block != *range || !same || !self.entries.homes(*entry).contains(&space) {
                return Err(Stop::Untrusted(format!("`{}` would read otherwise than on either side", facts.name(number as u32))));
            }
        }
        Ok(())
    }

    fn name(&self, facts: &Facts, fact: &Fact) -> String {
        let is_it = |group: &&Group| group.parameter == fact.parameter && facts.spaces[group.space() as usize].key == fact.space;
        facts.groups.iter().find(is_it).map_or(String::new(), |group| facts.name(group.records()[0]).into_owned())
    }

    /// The facts with errors that neither side has so many of; those that are in conflict anyway left out.
    fn new_errors(&self, merged: &str, texts: Three<&str>) -> Vec<String> {
        let selection = Selection::default();
        let subject = Subject { whole_file: self.terms.whole_file, ..Subject::new(self.terms.config, &selection, self.terms.today) };
        let errors = |text: &str| {
            let mut errors: FxHashMap<(&str, SmolStr), usize> = FxHashMap::default();
            for found in check(text, &subject).diagnostics {
                if found.rule.severity == Severity::Error {
                    *errors.entry((found.rule.name, found.key.unwrap_or_default())).or_default() += 1;
                }
            }
            errors
        };
        if self.terms.is_archive {
            return Vec::new();
        }
        let (ours, theirs) = (errors(texts.ours), errors(texts.theirs));
        let known = |key: &(&str, SmolStr)| ours.get(key).max(theirs.get(key)).copied().unwrap_or(0);
        let undecided: FxHashSet<String> = self.names_in_conflict();
        let mut new: Vec<String> =
            errors(merged).into_iter().filter(|(key, count)| *count > known(key)).map(|((_, key), _)| key.into()).collect();
        new.retain(|key| !undecided.contains(key));
        new.sort_unstable();
        new.dedup();
        new
    }

    fn names_in_conflict(&self) -> FxHashSet<String> {
        let sides = self.entries.facts;
        let numbers = (0..self.entries.list.len() as u32).filter(|&entry| self.is_in_conflict(entry));
        numbers
            .flat_map(|entry| {
                let found = self.entries.list[entry as usize];
                let ours = found.ours.map(|record| sides.ours.name(record));
                ours.into_iter().chain(found.theirs.map(|record| sides.theirs.name(record)))
            })
            .map(Cow::into_owned)
            .collect()
    }
}
