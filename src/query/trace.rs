//! When did it come? The texts of a file, the newest first, are walked until each content has been seen to be absent.
//!
//! Pure: which texts these are (commits, steps of the journal) and what their dates are is the caller's.

use super::version::Content;
use crate::facts::{Facts, value_key};
use rustc_hash::{FxHashMap, FxHashSet};

/// A walk back through the texts of a file.
#[derive(Debug)]
pub struct Trace {
    wanted: Vec<Content>,
    found: Vec<Found>,
    /// How many texts were walked.
    texts: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Found {
    /// Not met yet.
    Waiting,
    /// In all texts since it was met; the oldest of them.
    Met(usize),
    /// The oldest text that has it; none has.
    Done(Option<usize>),
}

impl Trace {
    /// A walk that looks for `wanted`.
    pub fn new(wanted: Vec<Content>) -> Self {
        let found = vec![Found::Waiting; wanted.len()];
        Self { wanted, found, texts: 0 }
    }

    /// Takes the next older text. False where no more are needed.
    pub fn add(&mut self, facts: &Facts) -> bool {
        let text = Text::new(facts, &self.wanted);
        let mut is_open = false;
        for (content, found) in self.wanted.iter().zip(&mut self.found) {
            *found = match (*found, text.has(content)) {
                (Found::Done(number), _) => Found::Done(number),
                (_, true) => Found::Met(self.texts),
                (Found::Met(number), false) => Found::Done(Some(number)),
                // What is untagged now and was not in the newest text is new; history may have come back.
                (Found::Waiting, false) if content.is_tagged => Found::Waiting,
                (Found::Waiting, false) => Found::Done(None),
            };
            is_open |= !matches!(found, Found::Done(_));
        }
        self.texts += 1;
        is_open
    }

    /// For each wanted content the number of the text that brought it in, the newest being 0.
    pub fn finish(self) -> Vec<Option<usize>> {
        let number = |found: Found| match found {
            Found::Met(number) => Some(number),
            Found::Done(number) => number,
            Found::Waiting => None,
        };
        self.found.into_iter().map(number).collect()
    }
}

/// What one text says of the wanted contents.
struct Text<'f> {
    /// How often a space, parameter and value stand there.
    exact: FxHashMap<(&'f str, &'f str, String), usize>,
    /// The same wherever it stands: a section that was renamed brought nothing in.
    anywhere: FxHashMap<(&'f str, String), usize>,
    spaces: FxHashSet<&'f str>,
}

impl<'f> Text<'f> {
    fn new(facts: &'f Facts, wanted: &[Content]) -> Self {
        let parameters: FxHashSet<&str> = wanted.iter().map(|content| content.parameter.as_str()).collect();
        let mut this = Self { exact: FxHashMap::default(), anywhere: FxHashMap::default(), spaces: FxHashSet::default() };
        this.spaces.extend(facts.spaces.iter().map(|space| space.key.as_str()));
        for (idx, record) in facts.document.records.iter().enumerate() {
            let parameter = facts.group_of(idx).map_or("", |group| facts.groups[group as usize].parameter.as_str());
            if !parameters.contains(parameter) {
                continue;
            }
            let value = value_key(facts.document, record, facts.config);
            let space = facts.spaces[facts.space_of(idx) as usize].key.as_str();
            *this.anywhere.entry((parameter, value.clone())).or_default() += 1;
            *this.exact.entry((space, parameter, value)).or_default() += 1;
        }
        this
    }

    fn has(&self, content: &Content) -> bool {
        let Content { space, parameter, value, nth, .. } = content;
        let exact = self.exact.get(&(space.as_str(), parameter.as_str(), value.clone())).copied().unwrap_or(0);
        let moved = || {
            !self.spaces.contains(space.as_str())
                && self.anywhere.get(&(parameter.as_str(), value.clone())).is_some_and(|count| count >= nth)
        };
        exact >= *nth || moved()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{chains, with_facts};
    use super::*;

    /// For each version of the newest text the number of the text that brought it in.
    fn trace(texts: &[&str]) -> Vec<Option<usize>> {
        let wanted = chains(texts[0]).iter().flat_map(|chain| chain.versions.iter().map(|version| version.content.clone())).collect();
        let mut trace = Trace::new(wanted);
        for text in texts {
            if !with_facts(text, |facts| trace.add(facts)) {
                break;
            }
        }
        trace.finish()
    }

    #[test]
    fn the_oldest_text_in_a_row_brought_it_in() {
        assert_eq!(trace(&["- A: 1\n- B: 2\n", "- A: 1\n", "- A: 1\n", "- A: 0\n"]), [Some(2), Some(0)]);
        // A return is another version, and what is new in the newest text is in none.
        assert_eq!(trace(&["- A: 1\n", "- A: 2\n", "- A: 1\n"]), [Some(0)]);
        let chain = "- A: 1 [historical] replaced by: 2\n- A: 2 [historical] replaced by: 1\n- A: 1\n";
        assert_eq!(trace(&[chain, "- A: 1 [historical] replaced by: 2\n- A: 2\n", "- A: 1\n"]), [Some(2), Some(1), Some(0)]);
    }

    #[test]
    fn a_renamed_section_brings_nothing_in() {
        assert_eq!(trace(&["### New\n\n- A: 1\n", "### Old\n\n- A: 1\n"]), [Some(1)]);
        assert_eq!(trace(&["### Two\n\n- A: 1\n", "### One\n\n- A: 1\n\n### Two\n\n- B: 1\n"]), [Some(0)]);
    }
}
