//! One text with all that decides about it, for tests: a baseline, a configuration, a day.

use memfile::baseline::{Accepted, Declared};
use memfile::check::{Baseline, Checked, Commit, Selection, Subject, check};
use memfile::config::Config;
use memfile::diagnostic::{Applicability, Diagnostic};
use memfile::fix::{FixError, Fixed, fix};
use memfile::text::LineIndex;

/// The day of a case that names none.
pub(crate) const TODAY: &str = "2026-11-29";

/// What decides about a text.
pub(crate) struct Case {
    pub(crate) config: Config,
    pub(crate) today: chrono::NaiveDate,
    revisions: Vec<Commit>,
    accepted: Accepted,
    selection: Selection,
}

impl Case {
    /// `base`: the baseline's text; `config`: TOML, perhaps empty; `today`: an ISO day, [`TODAY`] if empty.
    pub(crate) fn new(base: Option<&str>, config: &str, today: &str) -> Self {
        let today = if today.trim().is_empty() { TODAY } else { today.trim() };
        let config = Config::parse(config).expect("the configuration of a test is valid");
        Self {
            selection: Selection { select: config.select.clone(), ignore: config.ignore.clone() },
            config,
            today: today.parse().expect("the day of a test is an ISO date"),
            revisions: base.map(|text| (None, text.into())).into_iter().collect(),
            accepted: Accepted::default(),
        }
    }

    /// Puts a commit behind the baseline: its day, perhaps empty, and its text.
    pub(crate) fn then(mut self, day: &str, text: &str) -> Self {
        self.revisions.push((day.parse().ok(), text.into()));
        self
    }

    /// What a person declared to be meant: lines `OLD => NEW`, of which the new one may be empty.
    pub(crate) fn declaring(mut self, lines: &str) -> Self {
        let pairs = lines.lines().filter_map(|line| line.split_once("=>"));
        self.accepted.declared = pairs.map(|(old, new)| Declared { old: old.trim().to_owned(), new: new.trim().to_owned() }).collect();
        self
    }

    /// What commits said was meant: lines `NUMBER KEY`, a `Memfile-Accept` trailer of that commit behind the baseline.
    pub(crate) fn accepting(mut self, lines: &str) -> Self {
        let trailers = lines.lines().filter_map(|line| line.split_once(' '));
        self.accepted.trailers = trailers.map(|(number, key)| (key.to_owned(), number.parse().expect("the number of a commit"))).collect();
        self
    }

    /// What `check` and `fix` are asked with.
    pub(crate) fn subject(&self) -> Subject<'_> {
        let baseline = (!self.revisions.is_empty()).then_some(Baseline {
            revisions: &self.revisions,
            accepted: &self.accepted,
            commits: None,
            elsewhere: None,
        });
        Subject { baseline, ..Subject::new(&self.config, &self.selection, self.today) }
    }

    pub(crate) fn check(&self, text: &str) -> Checked {
        check(text, &self.subject())
    }

    pub(crate) fn fix(&self, text: &str, least: Applicability) -> Result<Fixed, FixError> {
        let fixed = fix(text, &self.subject(), least);
        if let Ok(fixed) = &fixed {
            assert_eq!(fixed.patch.apply(text), fixed.text, "the edits make the text");
        }
        fixed
    }
}

/// `LINE:COLUMN severity rule message [fix]`
pub(crate) fn line(text: &str, lines: &LineIndex, found: &Diagnostic) -> String {
    let position = lines.position(text, found.range.start());
    let fix = match &found.fix {
        Some(fix) if fix.applicability == Applicability::Safe => " [fix]",
        Some(_) => " [unsafe fix]",
        None => "",
    };
    format!("{}:{} {} {} {}{fix}", position.line, position.column, found.rule.severity.as_str(), found.rule.name, found.message)
}

/// All findings, a line each.
pub(crate) fn report(text: &str, found: &[Diagnostic]) -> String {
    let lines = LineIndex::new(text);
    found.iter().map(|found| line(text, &lines, found) + "\n").collect()
}
