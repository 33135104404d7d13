//! Three versions of a sequence, cut as git cuts them (xdiff/xmerge.c): what only one side changed is that side's, changes that
//! overlap or touch are a conflict.
//!
//! In: three sequences of numbers, equal numbers for equal things. Out: [`Hunk`]s that cover all three from start to end.

use super::Style;
use super::three::Three;
use similar::{Algorithm, DiffTag, capture_diff_slices};
use std::ops::Range;

/// Who changed what a hunk covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Nobody.
    Same,
    /// We alone.
    Ours,
    /// They alone.
    Theirs,
    /// Both, in the same way.
    Both,
    /// Both, each in an own way.
    Conflict,
}

/// A piece of all three sequences.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Hunk {
    pub(super) kind: Kind,
    pub(super) base: Range<usize>,
    pub(super) ours: Range<usize>,
    pub(super) theirs: Range<usize>,
}

impl Hunk {
    fn reach(&mut self, next: &Self) {
        self.base.end = next.base.end;
        self.ours.end = next.ours.end;
        self.theirs.end = next.theirs.end;
    }
}

/// What a version changed: ranges of the base and of the version.
type Change = (Range<usize>, Range<usize>);

/// Cuts three versions of a sequence into hunks.
pub(super) fn three_way(all: Three<&[u32]>) -> Vec<Hunk> {
    let (ours, theirs) = (changes(all.base, all.ours), changes(all.base, all.theirs));
    let (mut ours, mut theirs) = (ours.as_slice(), theirs.as_slice());
    let mut hunks = Vec::new();
    // Where the next hunk starts in each version.
    let mut at = Three { base: 0, ours: 0, theirs: 0 };
    while let Some(start) = [ours, theirs].iter().filter_map(|changes| changes.first().map(|(base, _)| base.start)).min() {
        let same = start - at.base;
        at = push(&mut hunks, at, Kind::Same, (start, at.ours + same, at.theirs + same));
        let mut end = start;
        let (mut own, mut other) = (0, 0);
        loop {
            let before = (own, other);
            for (changes, taken) in [(ours, &mut own), (theirs, &mut other)] {
                while let Some((base, _)) = changes.get(*taken).filter(|(base, _)| base.start <= end) {
                    end = end.max(base.end);
                    *taken += 1;
                }
            }
            if before == (own, other) {
                break;
            }
        }
        let grown = |changes: &[Change], taken: usize, from: usize| {
            let grown = changes[..taken].iter().map(|(base, version)| version.len() as isize - base.len() as isize).sum::<isize>();
            from.saturating_add_signed((end - start) as isize + grown)
        };
        let ends = (end, grown(ours, own, at.ours), grown(theirs, other, at.theirs));
        let kind = match (own, other) {
            (_, 0) => Kind::Ours,
            (0, _) => Kind::Theirs,
            _ if all.ours[at.ours..ends.1] == all.theirs[at.theirs..ends.2] => Kind::Both,
            _ => Kind::Conflict,
        };
        at = push(&mut hunks, at, kind, ends);
        (ours, theirs) = (&ours[own..], &theirs[other..]);
    }
    push(&mut hunks, at, Kind::Same, (all.base.len(), all.ours.len(), all.theirs.len()));
    hunks
}

fn push(hunks: &mut Vec<Hunk>, at: Three<usize>, kind: Kind, ends: (usize, usize, usize)) -> Three<usize> {
    let hunk = Hunk { kind, base: at.base..ends.0, ours: at.ours..ends.1, theirs: at.theirs..ends.2 };
    if kind != Kind::Same || !hunk.base.is_empty() {
        hunks.push(hunk);
    }
    Three { base: ends.0, ours: ends.1, theirs: ends.2 }
}

fn changes(before: &[u32], after: &[u32]) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    for op in capture_diff_slices(Algorithm::Histogram, before, after) {
        if op.tag() == DiffTag::Equal {
            continue;
        }
        let (base, version) = (op.old_range(), op.new_range());
        match changes.last_mut() {
            Some(last) if last.0.end == base.start && last.1.end == version.start => {
                (last.0.end, last.1.end) = (base.end, version.end);
            }
            _ => changes.push((base, version)),
        }
    }
    changes
}

/// For each place of `version` whether it stands there as in the base.
pub(super) fn standing(base: &[u32], version: &[u32]) -> Vec<bool> {
    let mut standing = vec![true; version.len()];
    for (_, range) in changes(base, version) {
        standing[range].fill(false);
    }
    standing
}

/// Makes conflicts as small as git shows them in `style`: without what both sides have alike; and joined again where at most
/// three lines lie between two of them.
pub(super) fn refined(hunks: Vec<Hunk>, ours: &[u32], theirs: &[u32], style: Style) -> Vec<Hunk> {
    let mut small = Vec::with_capacity(hunks.len());
    for hunk in hunks {
        if hunk.kind != Kind::Conflict || hunk.ours.is_empty() || hunk.theirs.is_empty() {
            small.push(hunk);
            continue;
        }
        match style {
            Style::Diff3 => small.push(hunk),
            Style::Zdiff3 => trim(hunk, ours, theirs, &mut small),
            Style::Merge => split(hunk, ours, theirs, &mut small),
        }
    }
    if style == Style::Merge { joined(small) } else { small }
}

/// Takes what both sides begin and end with alike out of a conflict.
fn trim(hunk: Hunk, ours: &[u32], theirs: &[u32], small: &mut Vec<Hunk>) {
    let (own, other) = (&ours[hunk.ours.clone()], &theirs[hunk.theirs.clone()]);
    let head = own.iter().zip(other).take_while(|(a, b)| a == b).count();
    let tail = own[head..].iter().rev().zip(other[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    let Hunk { base, ours, theirs, .. } = hunk;
    let (starts, ends) = ((ours.start + head, theirs.start + head), (ours.end - tail, theirs.end - tail));
    let both = |base: Range<usize>, ours: Range<usize>, theirs: Range<usize>| Hunk { kind: Kind::Both, base, ours, theirs };
    if head > 0 {
        small.push(both(base.start..base.start, ours.start..starts.0, theirs.start..starts.1));
    }
    small.push(Hunk { kind: Kind::Conflict, base: base.clone(), ours: starts.0..ends.0, theirs: starts.1..ends.1 });
    if tail > 0 {
        small.push(both(base.end..base.end, ends.0..ours.end, ends.1..theirs.end));
    }
}

/// Splits a conflict at what both sides have alike.
fn split(hunk: Hunk, ours: &[u32], theirs: &[u32], small: &mut Vec<Hunk>) {
    let differences = changes(&ours[hunk.ours.clone()], &theirs[hunk.theirs.clone()]);
    let mut at = (hunk.base.clone(), hunk.ours.start, hunk.theirs.start);
    let mut put = |kind: Kind, ours_end: usize, theirs_end: usize| {
        // The base is shown in no such conflict; it is all in the first piece.
        let piece = Hunk { kind, base: at.0.clone(), ours: at.1..ours_end, theirs: at.2..theirs_end };
        if piece.ours.is_empty() && piece.theirs.is_empty() {
            return;
        }
        at = (hunk.base.end..hunk.base.end, ours_end, theirs_end);
        small.push(piece);
    };
    for (own, other) in differences {
        put(Kind::Both, hunk.ours.start + own.start, hunk.theirs.start + other.start);
        put(Kind::Conflict, hunk.ours.start + own.end, hunk.theirs.start + other.end);
    }
    put(Kind::Both, hunk.ours.end, hunk.theirs.end);
}

/// Parts a conflict without a base at the most of what both sides have alike, in the order of both, of those numbers that `parts`, each
/// of which stands once on a side.
pub(super) fn parted(hunk: &Hunk, ours: &[u32], theirs: &[u32], parts: impl Fn(u32) -> bool) -> Vec<Hunk> {
    let place = |number: u32| hunk.theirs.clone().find(|&at| theirs[at] == number);
    let pairs = hunk.ours.clone().filter(|&at| parts(ours[at])).filter_map(|at| Some((at, place(ours[at])?)));
    let pairs: Vec<(usize, usize)> = pairs.collect();
    // For each pair the longest run that it ends, and the pair before it there.
    let mut runs: Vec<(usize, Option<usize>)> = Vec::with_capacity(pairs.len());
    for (idx, pair) in pairs.iter().enumerate() {
        let before = (0..idx).filter(|&before| pairs[before].1 < pair.1).max_by_key(|&before| (runs[before].0, std::cmp::Reverse(before)));
        runs.push((before.map_or(1, |before| runs[before].0 + 1), before));
    }
    let mut next = (0..pairs.len()).max_by_key(|&idx| (runs[idx].0, std::cmp::Reverse(idx)));
    let mut chosen = Vec::new();
    while let Some(idx) = next {
        chosen.push(pairs[idx]);
        next = runs[idx].1;
    }
    chosen.reverse();
    let mut out = Vec::new();
    let mut at = (hunk.ours.start, hunk.theirs.start);
    let mut put = |kind: Kind, ends: (usize, usize)| {
        let piece = Hunk { kind, base: hunk.base.clone(), ours: at.0..ends.0, theirs: at.1..ends.1 };
        at = ends;
        if !(piece.ours.is_empty() && piece.theirs.is_empty()) {
            out.push(piece);
        }
    };
    for (own, other) in chosen {
        put(Kind::Conflict, (own, other));
        put(Kind::Both, (own + 1, other + 1));
    }
    put(Kind::Conflict, (hunk.ours.end, hunk.theirs.end));
    out
}

/// Joins conflicts that at most three unchanged lines part.
fn joined(hunks: Vec<Hunk>) -> Vec<Hunk> {
    const APART: usize = 3;
    let mut out: Vec<Hunk> = Vec::with_capacity(hunks.len());
    for hunk in hunks {
        let calm = |hunk: &Hunk| matches!(hunk.kind, Kind::Same | Kind::Both);
        if hunk.kind == Kind::Conflict
            && let Some(at) = out.iter().rposition(|hunk| !calm(hunk))
            && out[at].kind == Kind::Conflict
            && hunk.ours.start - out[at].ours.end <= APART
        {
            out.truncate(at + 1);
            out[at].reach(&hunk);
            continue;
        }
        out.push(hunk);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kinds(base: &[u32], ours: &[u32], theirs: &[u32]) -> Vec<Kind> {
        three_way(Three { base, ours, theirs }).into_iter().map(|hunk| hunk.kind).collect()
    }

    #[test]
    fn changes_that_touch_are_a_conflict() {
        assert_eq!(kinds(&[1, 2, 3], &[9, 2, 3], &[1, 2, 8]), [Kind::Ours, Kind::Same, Kind::Theirs]);
        assert_eq!(kinds(&[1, 2], &[9, 2], &[1, 8]), [Kind::Conflict]);
        assert_eq!(kinds(&[1, 2], &[1, 9, 2], &[1, 9, 2]), [Kind::Same, Kind::Both, Kind::Same]);
        assert_eq!(kinds(&[], &[1], &[2]), [Kind::Conflict]);
    }

    proptest! {
        #[test]
        fn hunks_cover_everything(
            base in prop::collection::vec(0_u32..4, 0..12),
            ours in prop::collection::vec(0_u32..4, 0..12),
            theirs in prop::collection::vec(0_u32..4, 0..12),
        ) {
            let plain = three_way(Three { base: &base, ours: &ours, theirs: &theirs });
            for style in [Style::Merge, Style::Diff3, Style::Zdiff3] {
                let hunks = refined(plain.clone(), &ours, &theirs, style);
                let mut at = (0, 0, 0);
                for hunk in &hunks {
                    prop_assert_eq!((hunk.base.start, hunk.ours.start, hunk.theirs.start), at, "{:?}", hunks);
                    at = (hunk.base.end, hunk.ours.end, hunk.theirs.end);
                    let (own, other) = (&ours[hunk.ours.clone()], &theirs[hunk.theirs.clone()]);
                    match hunk.kind {
                        Kind::Same | Kind::Both => prop_assert_eq!(own, other),
                        Kind::Ours => prop_assert_eq!(other, &base[hunk.base.clone()]),
                        Kind::Theirs => prop_assert_eq!(own, &base[hunk.base.clone()]),
                        Kind::Conflict => {}
                    }
                }
                prop_assert_eq!(at, (base.len(), ours.len(), theirs.len()));
            }
        }
    }
}
