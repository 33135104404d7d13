//! What held on a day, and what the memory believed on it (SPEC 4 and 8).
//!
//! Intervals are half-open: from a version's start to the start of the next, or to its end. A start that is a month or a year is
//! known before its interval and behind it, and inside it the answer is `ambiguous`. A start that no one wrote is unknown: the
//! version surely holds today, and before that it may.

use super::version::{Chain, Standing};
use crate::config::Cardinality;
use crate::syntax::date::{Date, Precision};
use chrono::NaiveDate;

/// Which clock is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clock {
    /// When it was true.
    Effective,
    /// When the memory knew it.
    Recorded,
}

impl Clock {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Effective => "effective",
            Self::Recorded => "recorded",
        }
    }
}

/// What is known of a fact on a day.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// This version (a number in `Chain::versions`), and whether its start on the clock is written.
    Known(usize, bool),
    /// Before the first start. The versions, if any, whose start no one knows.
    Unknown(Vec<usize>),
    /// One of these.
    Ambiguous(Vec<usize>),
    /// It ended, and nothing holds.
    Nothing,
}

/// A day on a clock, as seen on the day of the run.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// The day asked for; of an imprecise date the last one.
    pub day: NaiveDate,
    /// The clock.
    pub clock: Clock,
    /// The day of the run.
    pub today: NaiveDate,
}

impl Moment {
    /// The moment that a date means: the last day of its interval.
    pub fn new(date: Date, clock: Clock, today: NaiveDate) -> Self {
        Self { day: date.past().pred_opt().unwrap_or(date.first()), clock, today }
    }
}

/// Yes, no, or not to be told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sure {
    Yes,
    /// Within an imprecise date.
    Perhaps,
    /// There is no date.
    Undated,
    No,
}

/// The answers of `chain` at `moment`: one, or of a `many` parameter one for each value that holds or could.
pub fn as_of(chain: &Chain, moment: Moment) -> Vec<Answer> {
    if chain.cardinality != Cardinality::Many {
        return vec![Asked { chain, moment }.one(&(0..chain.versions.len()).collect::<Vec<_>>())];
    }
    let asked = Asked { chain, moment };
    let mut answers: Vec<Answer> = (0..chain.versions.len()).map(|idx| asked.one(&[idx])).collect();
    if answers.iter().any(|answer| matches!(answer, Answer::Known(..) | Answer::Ambiguous(_))) {
        answers.retain(|answer| matches!(answer, Answer::Known(..) | Answer::Ambiguous(_)));
        return answers;
    }
    let ended = answers.contains(&Answer::Nothing);
    vec![if ended { Answer::Nothing } else { Answer::Unknown(Vec::new()) }]
}

struct Asked<'a> {
    chain: &'a Chain,
    moment: Moment,
}

impl Asked<'_> {
    /// The answer among the versions `numbers`, which are in order.
    fn one(&self, numbers: &[usize]) -> Answer {
        let versions = &self.chain.versions;
        let counts = |&&idx: &&usize| !matches!(versions[idx].standing, Standing::Redacted | Standing::Retracted);
        let chain: Vec<usize> = numbers.iter().filter(counts).copied().collect();
        let mut certain: Option<usize> = None;
        let mut perhaps: Vec<usize> = Vec::new();
        let mut only_undated = true;
        for (at, &idx) in chain.iter().enumerate() {
            match self.started(&chain, at) {
                Sure::Yes => {
                    (certain, only_undated) = (Some(idx), true);
                    perhaps.clear();
                }
                Sure::No => {}
                sure => {
                    perhaps.push(idx);
                    only_undated &= sure == Sure::Undated;
                }
            }
        }
        if self.moment.clock == Clock::Recorded
            && let Some(answer) = self.believed(numbers, certain)
        {
            return answer;
        }
        self.settle(&chain, certain, perhaps, only_undated)
    }

    fn settle(&self, chain: &[usize], certain: Option<usize>, mut perhaps: Vec<usize>, only_undated: bool) -> Answer {
        perhaps.retain(|&idx| self.ended(chain, idx) != Sure::Yes);
        if perhaps.is_empty() {
            let Some(idx) = certain else { return Answer::Unknown(Vec::new()) };
            return match self.ended(chain, idx) {
                Sure::Yes if self.chain.versions[idx].standing == Standing::Historical => Answer::Unknown(Vec::new()),
                Sure::Yes => Answer::Nothing,
                Sure::No => self.known(idx),
                Sure::Perhaps | Sure::Undated => Answer::Ambiguous(vec![idx]),
            };
        }
        if certain.is_none() && only_undated {
            return Answer::Unknown(perhaps);
        }
        let still = certain.filter(|&idx| self.ended(chain, idx) != Sure::Yes);
        Answer::Ambiguous(still.into_iter().chain(perhaps).collect())
    }

    /// A version that holds; among versions that nothing orders all that have begun.
    fn known(&self, idx: usize) -> Answer {
        let unsettled = &self.chain.unsettled;
        if unsettled.contains(&idx) {
            return Answer::Ambiguous(
                unsettled.iter().copied().filter(|&other| self.start(other).is_none_or(|date| date.first() <= self.moment.day)).collect(),
            );
        }
        let version = &self.chain.versions[idx];
        let written = match self.moment.clock {
            Clock::Effective => version.effective.is_some(),
            Clock::Recorded => version.recorded.is_some(),
        };
        Answer::Known(idx, written)
    }

    /// The start of a version on the clock, as far as it is written or traced.
    fn start(&self, idx: usize) -> Option<Date> {
        let version = &self.chain.versions[idx];
        let learned = version.recorded.or(version.is_new.then(|| Date::day(self.moment.today)));
        match (self.moment.clock, version.standing) {
            (_, Standing::Scheduled) => version.effective.or(version.as_of),
            (Clock::Effective, _) => version.effective.or(learned),
            (Clock::Recorded, _) => learned,
        }
    }

    /// Whether the version `chain[at]` had begun. Where its own record does not say, the tag of the one before does.
    fn started(&self, chain: &[usize], at: usize) -> Sure {
        let idx = chain[at];
        let before = || at.checked_sub(1).and_then(|at| self.chain.versions[chain[at]].as_of);
        let start = match self.chain.versions[idx].standing {
            Standing::Scheduled => self.start(idx),
            _ => self.start(idx).or_else(before),
        };
        match start {
            Some(start) => since(start, self.moment.day),
            None if self.chain.versions[idx].standing == Standing::Scheduled => Sure::No,
            None if self.moment.day >= self.moment.today => Sure::Yes,
            None => Sure::Undated,
        }
    }

    /// Whether the version had ended, by what is said of it itself.
    fn ended(&self, chain: &[usize], idx: usize) -> Sure {
        let version = &self.chain.versions[idx];
        let Moment { day, today, .. } = self.moment;
        let is_last = chain.last() == Some(&idx);
        match version.standing {
            Standing::Ended | Standing::Removed => {}
            // Of the last version of a chain only its tag can say that it ended: its successor is not told.
            Standing::Historical if is_last => {}
            _ => return if version.until.is_some_and(|until| until.past() <= day) { Sure::Yes } else { Sure::No },
        }
        if let Some(until) = version.until {
            return if until.past() <= day { Sure::Yes } else { Sure::No };
        }
        match version.as_of {
            Some(end) => since(end, day),
            None if day >= today => Sure::Yes,
            None => Sure::Undated,
        }
    }

    /// A retracted version was believed from the day it was recorded to the day it was retracted.
    fn believed(&self, numbers: &[usize], certain: Option<usize>) -> Option<Answer> {
        let versions = &self.chain.versions;
        let day = self.moment.day;
        let retracted = numbers.iter().rev().filter(|&&idx| versions[idx].standing == Standing::Retracted);
        let mut found: Option<(Date, usize, Sure)> = None;
        for &idx in retracted {
            let version = &versions[idx];
            let Some(recorded) = version.recorded.filter(|recorded| since(*recorded, day) == Sure::Yes) else { continue };
            let over = version.as_of.map_or(if day >= self.moment.today { Sure::Yes } else { Sure::Undated }, |end| since(end, day));
            // What was learned later was believed instead, if it did not speak of an earlier time.
            let newer = certain.map(|certain| &versions[certain]).is_some_and(|certain| {
                let later = certain.recorded.is_some_and(|other| other.first() >= recorded.past());
                let earlier = matches!((version.effective, certain.effective), (Some(this), Some(other)) if other.first() >= this.past());
                later || earlier
            });
            if over != Sure::Yes && !newer && found.is_none_or(|(date, _, _)| recorded.first() > date.first()) {
                found = Some((recorded, idx, over));
            }
        }
        let (_, idx, over) = found?;
        Some(match over {
            Sure::No => Answer::Known(idx, true),
            _ => Answer::Ambiguous(certain.into_iter().chain([idx]).collect()),
        })
    }
}

/// Whether something that began on `date` had begun on `day`.
fn since(date: Date, day: NaiveDate) -> Sure {
    if date.first() > day {
        Sure::No
    } else if date.precision() == Precision::Day || date.past() <= day {
        Sure::Yes
    } else {
        Sure::Perhaps
    }
}
