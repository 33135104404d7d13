//! Facts for the tests of this folder, read from text.

use super::chains::Teller;
use super::version::Chain;
use crate::check::{Selection, Subject, analyse};
use crate::config::Config;
use crate::facts::Facts;
use chrono::NaiveDate;

/// The day of the run.
pub(super) const TODAY: NaiveDate = NaiveDate::from_ymd_opt(2026, 11, 29).expect("a day");

/// The facts below a managed heading.
pub(super) fn chains(facts: &str) -> Vec<Chain> {
    read(facts, |teller| teller.all())
}

/// Hands the facts below a managed heading to `use_it`.
pub(super) fn with_facts<R>(facts: &str, use_it: impl FnOnce(&Facts) -> R) -> R {
    let (config, selection) = (Config::default(), Selection::default());
    analyse(&page(facts), &Subject::new(&config, &selection, TODAY), |analysis, _| use_it(analysis.facts))
}

fn read<R>(facts: &str, use_it: impl FnOnce(&Teller) -> R) -> R {
    let (config, selection) = (Config::default(), Selection::default());
    analyse(&page(facts), &Subject::new(&config, &selection, TODAY), |analysis, revisions| {
        use_it(&Teller::new("AGENTS.md", analysis, revisions))
    })
}

fn page(facts: &str) -> String {
    format!("## Project memory\n\n{facts}")
}
