//! Words of a question that shift what is shown of a fact: now, before, until, in 2025, why (SPEC 10).

use crate::syntax::date::{self, Date, Written};

/// What a question asks of a fact beside its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shift {
    /// What came before: the version before the current one is wanted.
    pub before: bool,
    /// How it began: the oldest version is wanted.
    pub first: bool,
    /// What holds, and nothing else.
    pub now: bool,
    /// What ended, or when.
    pub ended: bool,
    /// What will be.
    pub later: bool,
    /// The reason.
    pub why: bool,
    /// What held in that time.
    pub during: Option<Date>,
}

const BEFORE: [&str; 21] = [
    "before",
    "previous",
    "previously",
    "earlier",
    "former",
    "formerly",
    "prior",
    "past",
    "old",
    "used to",
    "change",
    "changed",
    "history",
    "last time",
    "раньше",
    "прежде",
    "прежний",
    "прежняя",
    "прежнее",
    "предыдущ",
    "бывш",
];
const BEFORE_RU: [&str; 6] = ["до этого", "до того", "измен", "истори", "сменил", "поменял"];
const FIRST: [&str; 8] = ["first", "originally", "initially", "original", "at the start", "сначала", "изначально", "первоначальн"];
const NOW: [&str; 10] = ["now", "current", "currently", "today", "at the moment", "сейчас", "теперь", "сегодня", "текущ", "нынешн"];
const ENDED: [&str; 10] = ["until", "till", "ended", "stopped", "no longer", "anymore", "не было", "закончил", "прекратил", "больше не"];
const LATER: [&str; 9] = ["will", "next", "upcoming", "planned", "scheduled", "будет", "следующ", "заплан", "предсто"];
const WHY: [&str; 6] = ["why", "reason", "because", "почему", "зачем", "причин"];

impl Shift {
    /// Reads the words of `question`.
    pub fn of(question: &str) -> Self {
        let folded = format!(
            " {} ",
            question.to_lowercase().split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
        );
        // Russian words are given by their beginnings, English ones whole.
        let has = |words: &[&str]| {
            words
                .iter()
                .any(|word| if word.is_ascii() { folded.contains(&format!(" {word} ")) } else { folded.contains(&format!(" {word}")) })
        };
        let during = during(question);
        let before = has(&BEFORE) || has(&BEFORE_RU);
        Self { before, first: has(&FIRST), now: has(&NOW) && !before, ended: has(&ENDED), later: has(&LATER), why: has(&WHY), during }
    }
}

/// The time that a question names; a bare year counts among words here.
fn during(question: &str) -> Option<Date> {
    if let Some(Written::Date(date)) = date::find(question, None).map(|found| found.written) {
        return Some(date);
    }
    let years = question.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() == 4);
    let mut years = years.filter_map(|word| word.parse::<i32>().ok()).filter(|year| (1900..2200).contains(year));
    years.next().and_then(Date::year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_shift() {
        assert!(Shift::of("What was the budget before?").before);
        assert!(Shift::of("Какой бюджет был раньше?").before);
        assert!(Shift::of("предыдущий адрес").before);
        assert!(Shift::of("what is it now").now);
        assert!(!Shift::of("what was it before now").now);
        assert!(Shift::of("Почему ушли с Amazon").why);
        assert!(!Shift::of("knowledge of beforehand").before);
        assert_eq!(Shift::of("where did Maya live in 2023?").during.map(Date::iso).as_deref(), Some("2023"));
        assert_eq!(Shift::of("the price in March 2026").during.map(Date::iso).as_deref(), Some("2026-03"));
        assert_eq!(Shift::of("port 8080").during, None);
    }
}
