//! What changed between two days.

use super::as_of::{Answer, Moment, as_of};
use super::version::{Chain, Version};

/// A fact that is another one on the later day; `None` where nothing was known or held.
#[derive(Clone, Debug)]
pub struct Change<'a> {
    /// What held on the first day.
    pub before: Option<&'a Version>,
    /// What held on the second day.
    pub after: Option<&'a Version>,
}

/// The changes of all `chains` from one moment to another, in file order. Where one of the answers is ambiguous, only what is
/// surely another value is a change.
pub fn diff<'a>(chains: &'a [Chain], from: Moment, to: Moment) -> Vec<Change<'a>> {
    chains.iter().flat_map(|chain| of_chain(chain, from, to)).collect()
}

fn of_chain(chain: &Chain, from: Moment, to: Moment) -> Vec<Change<'_>> {
    let (before, after) = (as_of(chain, from), as_of(chain, to));
    let version = |idx: usize| &chain.versions[idx];
    let values = |answers: &[Answer]| -> Vec<(usize, bool)> {
        let each = answers.iter().flat_map(|answer| match answer {
            Answer::Known(idx, _) => vec![(*idx, true)],
            Answer::Ambiguous(candidates) => candidates.iter().map(|&idx| (idx, false)).collect(),
            Answer::Unknown(_) | Answer::Nothing => Vec::new(),
        });
        each.collect()
    };
    let (before, after) = (values(&before), values(&after));
    let lacks =
        |others: &[(usize, bool)], idx: usize| others.iter().all(|(other, _)| version(*other).content.value != version(idx).content.value);
    let gone: Vec<usize> = before.iter().filter(|(idx, sure)| *sure && lacks(&after, *idx)).map(|(idx, _)| *idx).collect();
    let come: Vec<usize> = after.iter().filter(|(idx, sure)| *sure && lacks(&before, *idx)).map(|(idx, _)| *idx).collect();
    let pairs = gone.len().max(come.len());
    (0..pairs).map(|at| Change { before: gone.get(at).map(|&idx| version(idx)), after: come.get(at).map(|&idx| version(idx)) }).collect()
}
