//! One finding's fix, for doors in which a person chooses: found anew under the lock, shown to lose nothing, written as one step.

use super::options::{BaseChoice, Mode, Options};
use super::session::Session;
use super::writing::{Unwritten, Written};
use crate::check::Currents;
use crate::check::Selection;
use crate::command::{Plan, Refusal};
use crate::conserve;
use crate::diagnostic::{Applicability, Diagnostic};
use crate::fix::alone;
use crate::io::journal::DeclaredKind;
use chrono::NaiveDate;
use std::path::Path;

/// Chooses a finding: the text and what is found in it come in, the number of one of them goes out.
pub type Pick<'a> = dyn Fn(&str, &[Diagnostic]) -> Result<usize, Unwritten> + 'a;

impl Session {
    /// Applies the fix of the one finding that `pick` chooses among those of the file at `path`, as its text is under the lock.
    ///
    /// # Errors
    /// [`Unwritten`]: that of `pick`, a finding without a fix, a fix that would lose something, the world. Then no byte has changed.
    pub fn apply(&self, path: &Path, today: NaiveDate, command: &str, pick: &Pick) -> Result<Written, Unwritten> {
        let options = Options { command: command.to_owned(), ..Options::new(Mode::Check, today) };
        let written = self.write_planned(path, command, DeclaredKind::Accept, &|target| {
            let bases = self.bases(std::slice::from_ref(target), &options.base)?;
            let mut base = bases.into_iter().next().unwrap_or_default();
            if base.label.is_some() && !base.identical {
                base.accepted.declared = self.declared(&target.real)?;
            }
            let found = self.judge(target, &base, &options, &[], Currents::None)?.diagnostics;
            let idx = pick(&target.text, &found)?;
            let patch = found.get(idx).map(alone).unwrap_or_default();
            let Some(finding) = found.get(idx).filter(|_| !patch.is_empty()) else {
                return Err(Refusal::No("this finding has no fix; a person decides".to_owned()).into());
            };
            let after = patch.apply(&target.text);
            let lost = self.with_subject(target, &base, &options, &[], |subject| {
                conserve::conserved(&target.text, &after, &patch, subject, &[finding.rule])
            });
            lost.map_err(Unwritten::Loss)?;
            let said = format!("{}: fixed", finding.rule.name);
            let key = finding.key.clone().unwrap_or_default();
            Ok(Plan { after: Some(after), said, key: key.into(), ..Plan::default() })
        })?;
        self.accept_clean(path, &options);
        Ok(written)
    }

    /// Outside git a file that has nothing left to fix is accepted as `fix` would accept it: the next edit is compared with it.
    fn accept_clean(&self, path: &Path, options: &Options) {
        let options = |mode: Mode| Options {
            mode,
            paths: vec![path.to_owned()],
            base: BaseChoice::Default,
            selection: Selection::default(),
            ..options.clone()
        };
        let ran = self.run(&options(Mode::Check), &|_, _| ());
        let fixable = |finding: &Diagnostic| finding.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe);
        let is_clean = ran.outcomes.iter().all(|outcome| {
            outcome.is_untracked && outcome.failure.is_none() && !outcome.fails() && !outcome.diagnostics.iter().any(fixable)
        });
        if is_clean && ran.errors.is_empty() {
            self.run(&options(Mode::Fix), &|_, _| ());
        }
    }
}
