//! Doubles: two untagged records that say the same are one version (SPEC 3), and the one that goes is no loss while the other stands.

use super::pairing::{Content, Pairing};
use crate::facts::Facts;

/// True where record `idx` of the baseline, which the file lacks, said the same as an untagged neighbour in its group (for a
/// statement: in its section) that the file still has, or that went with it and comes back for both. With another value between
/// them they are two versions: A, B, A.
pub(super) fn is_double(base: &Facts, contents: &[Content], pairing: &Pairing, idx: usize) -> bool {
    let untagged = |idx: usize| base.document.records[idx].tag.is_none();
    if !untagged(idx) {
        return false;
    }
    let head = |idx: usize| base.document.records[idx].head.of(base.document.text);
    let stands = |&other: &usize| {
        // Where all of them go, the last one stands for those that are written like it.
        let stands = pairing.to_file[other].is_some() || (other > idx && head(other) == head(idx));
        other != idx && untagged(other) && stands
    };
    let same = |&other: &usize| contents[other] == contents[idx];
    match base.group_of[idx] {
        Some(group) => {
            let members = &base.groups[group as usize].records;
            let Some(at) = members.iter().position(|&member| member as usize == idx) else { return false };
            let (above, below) = (members[..at].iter().rev(), members[at + 1..].iter());
            let run =
                |side: &mut dyn Iterator<Item = &u32>| side.map(|&member| member as usize).take_while(same).any(|other| stands(&other));
            run(&mut above.clone()) || run(&mut below.clone())
        }
        None => {
            let mut all = (0..contents.len()).filter(|&other| base.space_of[other] == base.space_of[idx]);
            all.any(|other| same(&other) && stands(&other))
        }
    }
}
