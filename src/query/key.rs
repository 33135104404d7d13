//! KEY: which fact is meant (SPEC 8).
//!
//! A parameter, or `subject/parameter` where the parameter alone is not unique. It compares like group keys do; a near miss is
//! suggested, never taken.

use crate::facts::{Facts, Group};
use crate::text::fold_key;

/// Why a key means no fact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KeyError {
    /// No fact has it; the name most like it, if one is.
    Unknown {
        /// The key as given.
        key: String,
        /// A name that is close to it.
        near: Option<String>,
    },
    /// Several facts have it.
    Ambiguous {
        /// The key as given.
        key: String,
        /// `subject/parameter` of each.
        candidates: Vec<String>,
    },
}

impl std::fmt::Display for KeyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unknown { key, near: Some(near) } => write!(f, "there is no fact `{key}`; did you mean `{near}`?"),
            Self::Unknown { key, near: None } => write!(f, "there is no fact `{key}`"),
            Self::Ambiguous { key, candidates } => write!(f, "`{key}` is not unique; name one of: {}", candidates.join(", ")),
        }
    }
}

impl std::error::Error for KeyError {}

/// The number of the group that `key` means, in `Facts::groups`.
///
/// # Errors
/// [`KeyError`], with a suggestion or the candidates.
pub fn resolve(facts: &Facts, key: &str) -> Result<u32, KeyError> {
    let parameter = |text: &str| facts.config.canonical_parameter(fold_key(text));
    let whole = parameter(key);
    let mut found: Vec<u32> = matching(facts, |group| group.parameter == whole);
    if found.is_empty() {
        // A parameter may hold a slash, and so may a subject: every cut is tried.
        let cuts = key.match_indices('/').map(|(at, _)| (fold_key(&key[..at]), parameter(&key[at + 1..])));
        for (subject, parameter) in cuts {
            let has_subject =
                |group: &Group| facts.spaces[group.space as usize].subject.as_deref().is_some_and(|name| fold_key(name) == subject);
            found.extend(matching(facts, |group| group.parameter == parameter && has_subject(group)));
        }
        found.sort_unstable();
        found.dedup();
    }
    match found.as_slice() {
        [only] => Ok(*only),
        [] => Err(KeyError::Unknown { key: key.to_owned(), near: near(facts, &whole) }),
        many => Err(KeyError::Ambiguous { key: key.to_owned(), candidates: many.iter().map(|&group| name(facts, group)).collect() }),
    }
}

fn matching(facts: &Facts, fits: impl Fn(&Group) -> bool) -> Vec<u32> {
    facts.groups.iter().enumerate().filter(|(_, group)| fits(group)).map(|(number, _)| number as u32).collect()
}

/// `subject/parameter`, or the parameter of a group without a subject.
fn name(facts: &Facts, number: u32) -> String {
    let group = &facts.groups[number as usize];
    let own = facts.name(group.records[0]);
    match &facts.spaces[group.space as usize] {
        space if space.explicit => own,
        space => space.subject.as_ref().map_or(own.clone(), |subject| format!("{subject}/{own}")),
    }
}

fn near(facts: &Facts, folded: &str) -> Option<String> {
    let ranked = facts.groups.iter().enumerate().map(|(number, group)| (strsim::jaro_winkler(folded, &group.parameter), number as u32));
    let best = ranked.filter(|(likeness, _)| *likeness > 0.8).max_by(|a, b| a.0.total_cmp(&b.0));
    best.map(|(_, number)| name(facts, number))
}
