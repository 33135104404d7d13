//! KEY: which fact is meant (SPEC 8).
//!
//! A parameter, or `subject/parameter` where the parameter alone is not unique. It compares like group keys do; a near miss is
//! suggested, never taken.

use super::version::Chain;
use crate::config::Config;
use crate::facts::{Facts, Space};
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
    let names = Names {
        config: facts.config,
        count: facts.groups.len(),
        parameter: &|idx| facts.groups[idx].parameter.as_str(),
        subject: &|idx| facts.spaces[facts.groups[idx].space() as usize].subject.as_deref(),
        name: &|idx| name(facts, idx),
    };
    names.resolve(key).map(|idx| idx as u32)
}

/// The number of the chain that `key` means, in `chains`.
///
/// # Errors
/// As [`resolve`].
pub fn resolve_chain(chains: &[Chain], config: &Config, key: &str) -> Result<usize, KeyError> {
    let names = Names {
        config,
        count: chains.len(),
        parameter: &|idx| chains[idx].parameter.as_str(),
        subject: &|idx| chains[idx].subject.as_deref(),
        name: &|idx| chains[idx].name(),
    };
    names.resolve(key)
}

/// The facts that a key is looked up among, by number.
struct Names<'a> {
    config: &'a Config,
    count: usize,
    /// Folded, aliases resolved.
    parameter: &'a dyn Fn(usize) -> &'a str,
    /// As written.
    subject: &'a dyn Fn(usize) -> Option<&'a str>,
    /// For people.
    name: &'a dyn Fn(usize) -> String,
}

impl Names<'_> {
    fn resolve(&self, key: &str) -> Result<usize, KeyError> {
        let parameter = |text: &str| self.config.canonical_parameter(fold_key(text));
        let whole = parameter(key);
        let mut found: Vec<usize> = (0..self.count).filter(|&idx| (self.parameter)(idx) == whole).collect();
        if found.is_empty() {
            // A parameter may hold a slash, and so may a subject: every cut is tried.
            let cuts = key.match_indices('/').map(|(at, _)| (fold_key(&key[..at]), parameter(&key[at + 1..])));
            for (subject, parameter) in cuts {
                let fits =
                    |&idx: &usize| (self.parameter)(idx) == parameter && (self.subject)(idx).is_some_and(|name| fold_key(name) == subject);
                found.extend((0..self.count).filter(fits));
            }
            found.sort_unstable();
            found.dedup();
        }
        match found.as_slice() {
            [only] => Ok(*only),
            [] => Err(KeyError::Unknown { key: key.to_owned(), near: self.near(&whole) }),
            many => Err(KeyError::Ambiguous { key: key.to_owned(), candidates: many.iter().map(|&idx| (self.name)(idx)).collect() }),
        }
    }

    /// The name most like the key, else the only one that holds it as a part.
    fn near(&self, folded: &str) -> Option<String> {
        let ranked = (0..self.count).map(|idx| (strsim::jaro_winkler(folded, (self.parameter)(idx)), idx));
        let best = ranked.filter(|(likeness, _)| *likeness > 0.8).max_by(|a, b| a.0.total_cmp(&b.0));
        let part = || {
            let mut holders = (0..self.count).filter(|&idx| folded.len() > 2 && (self.parameter)(idx).contains(folded));
            holders.next().filter(|_| holders.next().is_none())
        };
        best.map(|(_, idx)| idx).or_else(part).map(|idx| (self.name)(idx))
    }
}

/// `subject/parameter`, or the parameter of a group without a subject.
fn name(facts: &Facts, idx: usize) -> String {
    let group = &facts.groups[idx];
    let own = facts.name(group.records()[0]);
    match &facts.spaces[group.space() as usize] {
        Space { subject: Some(subject), explicit: false, .. } => format!("{subject}/{own}"),
        _ => own.into_owned(),
    }
}
