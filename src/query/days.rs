//! The days on which an answer can change, and the spans between them: for doors that draw time.
//!
//! In: dated chains. Out: days, in order, and for one chain the answer of [`as_of`] from each day to the next that differs.

use super::as_of::{Answer, Clock, Moment, as_of};
use super::version::Chain;
use crate::syntax::date::{Date, Precision};
use chrono::NaiveDate;

/// One answer that does not change from `from` to before `to`.
#[derive(Clone, PartialEq, Debug)]
pub struct Span {
    /// Its first day.
    pub from: NaiveDate,
    /// The first day after it; `None` for the last span.
    pub to: Option<NaiveDate>,
    /// What is known of the fact on these days (numbers in `Chain::versions`).
    pub answers: Vec<Answer>,
}

/// The days on which some answer about `chains` can be another one than the day before, in order, on either clock. The day of the
/// run is one of them where a version came that no commit has yet.
pub fn days(chains: &[Chain], today: NaiveDate) -> Vec<NaiveDate> {
    let mut days = Vec::new();
    for version in chains.iter().flat_map(|chain| &chain.versions) {
        // Where `until` says the last day, it weighs more than the day of the end.
        let end = version.as_of.filter(|_| version.until.is_none());
        for date in [version.effective, version.recorded, end].into_iter().flatten() {
            days.push(date.first());
            if date.precision() != Precision::Day {
                days.push(date.past());
            }
        }
        days.extend(version.until.map(Date::past));
        days.extend(version.is_new.then_some(today));
    }
    days.sort_unstable();
    days.dedup();
    days
}

/// The answers about `chain` on `clock`, from the day before the first change on.
pub fn spans(chain: &Chain, clock: Clock, today: NaiveDate) -> Vec<Span> {
    // What nobody dated is known to hold from today on, so today is a border of its own.
    let mut borders = days(std::slice::from_ref(chain), today);
    borders.push(today);
    borders.sort_unstable();
    borders.dedup();
    let before = borders.first().and_then(|first| first.pred_opt());
    let mut spans: Vec<Span> = Vec::new();
    for from in before.into_iter().chain(borders) {
        let answers = as_of(chain, Moment { day: from, clock, today });
        match spans.last_mut() {
            Some(last) if last.answers == answers => {}
            Some(last) => {
                last.to = Some(from);
                spans.push(Span { from, to: None, answers });
            }
            None => spans.push(Span { from, to: None, answers }),
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::super::testing::{TODAY, chains};
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a day")
    }

    #[test]
    fn a_month_changes_what_is_known_twice_and_until_on_the_day_after() {
        let chains = chains("- Port: 1 (since: 2026-03; until: 2026-05-10)\n- Host: a (2026-04-02)\n");
        assert_eq!(days(&chains, TODAY), ["2026-03-01", "2026-04-01", "2026-04-02", "2026-05-11"].map(day));
        assert_eq!(days(&[], TODAY), []);
    }

    #[test]
    fn spans_cover_the_time_and_each_differs_from_the_one_before() {
        let text =
            "- DB | MySQL | source: call 2026-01-05 | since: 2025-12-01\n- DB | Postgres | source: call 2026-06-20 | since: 2026-06-01\n";
        let chain = &chains(text)[0];
        let seen = |clock: Clock| -> Vec<(String, Option<usize>)> {
            let known = |span: &Span| match span.answers[..] {
                [Answer::Known(idx, _)] => Some(idx),
                _ => None,
            };
            spans(chain, clock, TODAY).iter().map(|span| (span.from.to_string(), known(span))).collect()
        };
        let told = |days: [&str; 3]| days.map(str::to_owned).into_iter().zip([None, Some(0), Some(1)]).collect::<Vec<_>>();
        assert_eq!(seen(Clock::Effective), told(["2025-11-30", "2025-12-01", "2026-06-01"]));
        assert_eq!(seen(Clock::Recorded), told(["2025-11-30", "2026-01-05", "2026-06-20"]));
        let spans = spans(chain, Clock::Effective, TODAY);
        assert!(spans.windows(2).all(|pair| pair[0].to == Some(pair[1].from)) && spans[2].to.is_none());
    }
}
