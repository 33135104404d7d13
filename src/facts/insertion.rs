//! Order inside a group is one insertion (SPEC 4): each record goes before the first one already placed whose written date
//! is provably later, else last.
//!
//! Written dates are intervals of mixed precision, some records have none, so no sort does it. The list is kept in chunks
//! that know their latest start: n records cost n times the square root of n.

use crate::syntax::date::Written;
use chrono::NaiveDate;

const CHUNK: usize = 256;

/// The latest points of a run of records; dates and sessions do not compare with each other.
#[derive(Clone, Copy, Default)]
struct Latest {
    date: Option<NaiveDate>,
    session: Option<u32>,
}

impl Latest {
    fn add(&mut self, written: Option<Written>) {
        match written {
            Some(Written::Date(date)) => self.date = self.date.max(Some(date.first())),
            Some(Written::Session(number)) => self.session = self.session.max(Some(number)),
            _ => {}
        }
    }

    /// True where one of the run may be later than `written`.
    fn may_follow(&self, written: Written) -> bool {
        match written {
            Written::Date(date) => self.date.is_some_and(|latest| latest >= date.past()),
            Written::Session(number) => self.session.is_some_and(|latest| latest > number),
            _ => false,
        }
    }
}

/// True where each of `arrivals` (dates by arrival) goes last.
pub(super) fn is_in_order(arrivals: impl Iterator<Item = Option<Written>>) -> bool {
    let mut latest = Latest::default();
    for written in arrivals {
        if written.is_some_and(|date| latest.may_follow(date)) {
            return false;
        }
        latest.add(written);
    }
    true
}

/// The order of `arrivals` (dates by arrival): indices into it.
pub(super) fn insertion_order(arrivals: &[Option<Written>]) -> Vec<usize> {
    let mut chunks: Vec<(Latest, Vec<usize>)> = vec![(Latest::default(), Vec::new())];
    for (idx, &written) in arrivals.iter().enumerate() {
        let place = written.and_then(|date| {
            let chunk = chunks.iter().position(|(latest, _)| latest.may_follow(date))?;
            let later = |&other: &usize| arrivals[other].is_some_and(|other| other.is_later_than(date));
            chunks[chunk].1.iter().position(later).map(|at| (chunk, at))
        });
        let (chunk, at) = place.unwrap_or((chunks.len() - 1, chunks[chunks.len() - 1].1.len()));
        chunks[chunk].0.add(written);
        chunks[chunk].1.insert(at, idx);
        if chunks[chunk].1.len() > 2 * CHUNK {
            let tail = chunks[chunk].1.split_off(CHUNK);
            let latest = |run: &[usize]| {
                let mut latest = Latest::default();
                run.iter().for_each(|&idx| latest.add(arrivals[idx]));
                latest
            };
            chunks[chunk].0 = latest(&chunks[chunk].1);
            chunks.insert(chunk + 1, (latest(&tail), tail));
        }
    }
    chunks.into_iter().flat_map(|(_, run)| run).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::date::read_whole;
    use proptest::prelude::*;

    /// The rule as SPEC words it.
    fn obvious(arrivals: &[Option<Written>]) -> Vec<usize> {
        let mut placed: Vec<usize> = Vec::new();
        for (idx, written) in arrivals.iter().enumerate() {
            let later = |&other: &usize| matches!((arrivals[other], written), (Some(a), Some(b)) if a.is_later_than(*b));
            let at = placed.iter().position(later).unwrap_or(placed.len());
            placed.insert(at, idx);
        }
        placed
    }

    fn written() -> impl Strategy<Value = Option<Written>> {
        prop_oneof![
            Just(None),
            (2020..2024).prop_map(|year| read_whole(&format!("{year}"), None)),
            (2020..2024, 1..13).prop_map(|(year, month)| read_whole(&format!("{year}-{month:02}"), None)),
            (2020..2024, 1..13, 1..29).prop_map(|(year, month, day)| read_whole(&format!("{year}-{month:02}-{day:02}"), None)),
            (1_u32..9).prop_map(|number| Some(Written::Session(number))),
        ]
    }

    proptest! {
        #[test]
        fn agrees_with_the_obvious_way(arrivals in prop::collection::vec(written(), 0..700)) {
            let order = insertion_order(&arrivals);
            prop_assert_eq!(is_in_order(arrivals.iter().copied()), order.is_sorted());
            prop_assert_eq!(order, obvious(&arrivals));
        }
    }
}
