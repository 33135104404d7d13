//! Which records of a group change their place so that the current one is last (SPEC 12).
//!
//! As few lines as possible: a record that gets a tag anyway moves rather than one that does not; on a tie the older one moves
//! up, directly above its successor. Tagged records out of order among themselves stay.

use super::blocks::indent;
use crate::facts::{Arrangement, Life, Version};
use crate::syntax::{Bullet, Document, Record};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// In a fact with more versions it is not looked for what a move does to records that only their places order.
const MOST_PLACES: usize = 1000;

/// Where a record goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// Directly before this record of the file.
    Before(u32),
    /// Directly behind this record of the file.
    Behind(u32),
}

/// The moves of one group.
#[derive(Default, Debug)]
pub(super) struct Moves {
    /// For each record of the file that moves, where to.
    pub(super) targets: FxHashMap<u32, Target>,
    /// The current record stands wrong, and no move can help.
    pub(super) stuck: bool,
}

/// Plans the moves of a group in order. `changes`: records of the file that get another tag in any case; `stays`: records that
/// must not be touched.
pub(super) fn plan(document: &Document, arrangement: &Arrangement, changes: &dyn Fn(u32) -> bool, stays: &FxHashSet<u32>) -> Moves {
    let mut moves = Moves::default();
    let chain = &arrangement.chain;
    let (before, last) = chain.split_at(arrangement.last.min(chain.len()));
    let current = open_records(last);
    let place = |record: u32| document.records[record as usize].block.start();
    let Some(bottom) = current.iter().copied().max_by_key(|&record| place(record)) else { return moves };
    let top = current.iter().copied().min_by_key(|&record| place(record)).unwrap_or(bottom);
    // A closed record of the very value that holds is older too.
    let closed = last.iter().filter(|version| !version.life.is_open());
    let older = before.iter().chain(closed).filter_map(Version::in_file);
    let waiting = arrangement.aside.iter().filter(|version| version.life == Life::Scheduled).filter_map(Version::in_file);
    let below = |record: &u32| place(*record) > place(bottom) && !stays.contains(record);
    let movers: Vec<u32> = older.filter(below).chain(waiting.filter(below)).collect();
    let Some(&lowest) = movers.iter().max_by_key(|&&record| place(record)) else { return moves };
    let lines = |record: &u32| document.records[*record as usize].block.of(document.text).lines().count();
    let up: usize = movers.iter().filter(|record| !changes(**record)).map(lines).sum();
    let down: usize = current.iter().map(lines).sum();
    if down < up && current.iter().all(|&record| fits(document, record, lowest)) {
        current.iter().for_each(|&record| {
            moves.targets.insert(record, Target::Behind(lowest));
        });
        return moves;
    }
    let moving: FxHashSet<u32> = movers.iter().copied().collect();
    // Directly above the next version that stays where it is; above the current record where there is none.
    let mut next = top;
    let mut wanted = Vec::new();
    for (idx, version) in before.iter().enumerate().rev() {
        match version.in_file() {
            Some(record) if moving.contains(&record) => wanted.push((idx, record, next)),
            Some(record) => next = record,
            None => {}
        }
    }
    let mut gone: Vec<(usize, usize)> = Vec::new();
    for (idx, record, next) in wanted.into_iter().rev() {
        let version = &chain[idx];
        let stays = |version: &Version| version.in_file().filter(|record| !moving.contains(record));
        // Where only the place says that a record is older, it must not come to stand below this one.
        let beside = if chain.len() <= MOST_PLACES { &chain[..idx] } else { &[] };
        let older = beside.iter().filter(|older| is_older_by_place(older, version)).filter_map(stays);
        let moved = gone.iter().filter(|(older, _)| is_older_by_place(&chain[*older], version)).map(|&(_, place)| place);
        let floor = older.map(place).chain(moved).max().unwrap_or(0);
        let later = chain[idx..arrangement.last].iter().filter_map(stays).chain(current.iter().copied());
        let target = std::iter::once(next).chain(later).find(|&record| place(record) >= floor).unwrap_or(next);
        if chain.len() <= MOST_PLACES {
            gone.push((idx, place(target)));
        }
        moves.targets.insert(record, Target::Before(target));
    }
    for record in movers {
        moves.targets.entry(record).or_insert(Target::Before(top));
    }
    moves.targets.retain(|&record, target| match *target {
        Target::Before(other) | Target::Behind(other) => {
            let fits = fits(document, record, other);
            moves.stuck |= !fits;
            fits
        }
    });
    moves
}

/// True where no date says that `older`, which stands before `version` in the order, is the older one.
fn is_older_by_place(older: &Version, version: &Version) -> bool {
    let is_dated = matches!((older.dates.ordering(), version.dates.ordering()), (Some(a), Some(b)) if b.is_later_than(a));
    older.is_positional() && !is_dated
}

/// The records of the file among `versions` that hold.
fn open_records(versions: &[Version]) -> SmallVec<[u32; 4]> {
    versions.iter().filter(|version| version.life.is_open()).filter_map(Version::in_file).collect()
}

/// True where `record` can stand beside `other`: in the same table, or as an item with the same mark and indentation.
/// Numbered items never move.
fn fits(document: &Document, record: u32, other: u32) -> bool {
    let (a, b): (&Record, &Record) = (&document.records[record as usize], &document.records[other as usize]);
    match (a.bullet, b.bullet) {
        (Bullet::Row, Bullet::Row) => a.container == b.container,
        (Bullet::Mark(mark), Bullet::Mark(other)) => mark == other && indent(document.text, a) == indent(document.text, b),
        _ => false,
    }
}
