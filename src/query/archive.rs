//! The archive `NAME.history.md` beside a file: older versions, which come before the file's own.

use super::version::{Chain, Standing};
use crate::text::fold_key;

/// Puts the versions of the archive before those of the file. Facts that only the archive has come last.
///
/// The archive is a file of its own with headings of its own: a fact of it is the one with the same parameter and the same
/// explicit subject, else the one whose heading path ends the archive's path.
pub fn with_archive(chains: &mut Vec<Chain>, archived: Vec<Chain>) {
    let count = chains.len();
    for mut old in archived {
        let best =
            chains[..count].iter().enumerate().filter_map(|(idx, chain)| fit(chain, &old).map(|fit| (fit, idx))).max_by_key(|best| best.0);
        let Some((_, idx)) = best else {
            chains.push(old);
            continue;
        };
        let chain = &mut chains[idx];
        let space = chain.versions.first().map(|version| version.content.space.clone());
        for version in &mut old.versions {
            version.subject = chain.subject.clone();
            version.content.space = space.clone().unwrap_or_default();
        }
        let older = old.versions.len();
        old.versions.append(&mut chain.versions);
        chain.versions = old.versions;
        chain.unsettled.iter_mut().for_each(|number| *number += older);
        link(chain, older);
        chain.number_values();
    }
}

/// How well the fact `old` of the archive fits the fact `chain` of the file; `None`: not at all.
fn fit(chain: &Chain, old: &Chain) -> Option<usize> {
    if chain.parameter != old.parameter {
        return None;
    }
    let parts = |subject: &Option<String>| -> Vec<String> {
        subject.as_deref().map_or(Vec::new(), |subject| subject.split(" / ").map(fold_key).collect())
    };
    let (own, theirs) = (parts(&chain.subject), parts(&old.subject));
    if chain.is_explicit && old.is_explicit {
        return (own == theirs).then_some(usize::MAX);
    }
    theirs.ends_with(&own).then_some(own.len())
}

/// An archived version was replaced by the next value, wherever that stands now.
fn link(chain: &mut Chain, older: usize) {
    for idx in 0..older {
        if chain.versions[idx].standing != Standing::Historical {
            continue;
        }
        let own = &chain.versions[idx].content.value;
        let told = |standing: Standing| standing.is_past() || standing == Standing::Current;
        let next = chain.versions[idx + 1..].iter().find(|version| told(version.standing) && version.content.value != *own);
        if let Some(value) = next.map(|version| version.value.clone()) {
            chain.versions[idx].replaced_by = value;
        }
    }
}
