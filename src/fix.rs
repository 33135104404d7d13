//! Fixes to a fixed point: check, choose, apply, parse again.
//!
//! In: a text and all that decides about it. Out: [`Fixed`], or the reason why the text was left alone. Before a result is
//! given out it is shown to have lost nothing (see [`crate::conserve`]).

mod proposals;

use self::proposals::{Proposals, name_of};
use crate::check::{Checked, Subject, check, check_in_pieces};
use crate::conserve::{self, Loss};
use crate::diagnostic::{Applicability, Diagnostic, RuleInfo};
use crate::text::{Patch, TextEdit, TextRange};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smol_str::SmolStr;
use std::borrow::Cow;
use std::hash::BuildHasher;

/// Most rounds; each one makes progress, so this is never met by a text that a person wrote.
const ROUNDS: usize = 64;

/// A text after its fixes.
#[derive(Debug)]
pub struct Fixed {
    /// The text.
    pub text: String,
    /// The edits from the text before to this one.
    pub patch: Patch,
    /// What remains.
    pub remaining: Vec<Diagnostic>,
    /// The rule of each fix that was applied.
    pub applied: Vec<&'static RuleInfo>,
    /// What the last check counted.
    pub checked: crate::check::Checked,
}

/// Why a text was left alone although something could be fixed. Each is a fault of memfile; the bytes stay as they were.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FixError {
    /// The fixes did not come to an end.
    Endless,
    /// A fix would have lost or changed something it must not.
    Loss(Loss),
}

impl std::fmt::Display for FixError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Endless => write!(f, "the fixes of this file do not come to an end; nothing is written. This is a fault of memfile"),
            Self::Loss(loss) => write!(f, "a fix of this file would {loss}; nothing is written. This is a fault of memfile"),
        }
    }
}

impl std::error::Error for FixError {}

/// Fixes `text` with all fixes of at least `least` applicability.
///
/// # Errors
/// [`FixError`], where the result could not be trusted.
pub fn fix(text: &str, subject: &Subject, least: Applicability) -> Result<Fixed, FixError> {
    fix_checked(text, subject, least, None)
}

/// As [`fix`]; `known` is what a check of the same text by the same subject found, which is half of the work.
///
/// # Errors
/// As [`fix`].
pub fn fix_checked(text: &str, subject: &Subject, least: Applicability, known: Option<Checked>) -> Result<Fixed, FixError> {
    let (mut fixed, mut is_whole) = pass(text, subject, least, known)?;
    for _ in 0..ROUNDS {
        // Where the rest has come to stand, what was withheld may have a place.
        if is_whole || fixed.text == text {
            break;
        }
        match pass(&fixed.text, subject, least, None) {
            Ok((next, whole)) if next.text != fixed.text => {
                let applied = fixed.applied.into_iter().chain(next.applied).collect();
                fixed = Fixed { applied, patch: between(text, &next.text), ..next };
                is_whole = whole;
            }
            _ => break,
        }
    }
    Ok(fixed)
}

/// Fixes `text` but for the facts whose fixes cannot be trusted. True beside it: there were none.
fn pass(text: &str, subject: &Subject, least: Applicability, mut known: Option<Checked>) -> Result<(Fixed, bool), FixError> {
    let mut terms = Terms { subject, least, withheld: FxHashSet::default() };
    loop {
        let (keys, error) = match rounds(text, &terms, known.take()) {
            Ok(fixed) => return Ok((fixed, terms.withheld.is_empty())),
            // What a fact's records and tags say goes in a circle: no order of them is right, and its bytes are left alone.
            Err(Stop::Circle(keys)) => (keys, FixError::Endless),
            // A fix would make the text read in another way, as where a tag closes what a value left open.
            Err(Stop::Harmful(keys, loss)) => (keys, FixError::Loss(loss)),
        };
        let before = terms.withheld.len();
        terms.withheld.extend(keys);
        if terms.withheld.len() == before {
            return Err(error);
        }
    }
}

/// What decides in all rounds.
struct Terms<'s> {
    subject: &'s Subject<'s>,
    least: Applicability,
    /// The facts whose fixes cannot be trusted.
    withheld: FxHashSet<SmolStr>,
}

/// Why the rounds stopped without a result.
enum Stop {
    /// A text came up a second time, or the rounds came to no end; the facts that were written to in between.
    Circle(Vec<SmolStr>),
    /// The fixes would have lost something; the facts whose fixes do.
    Harmful(Vec<SmolStr>, Loss),
}

fn rounds(text: &str, terms: &Terms, mut known: Option<Checked>) -> Result<Fixed, Stop> {
    let mut now = Cow::Borrowed(text);
    let mut seen: Vec<(Cow<str>, Vec<SmolStr>)> = Vec::new();
    let mut repeated = Repeated::default();
    let mut first = Patch::default();
    let mut applied = Vec::new();
    for round in 0..ROUNDS {
        let (mut checked, proposals) = terms.look(&now, known.take());
        let (patch, rules) = proposals.choose();
        if patch.is_empty() {
            let patch = if round <= 1 { first } else { between(text, &now) };
            let remaining = std::mem::take(&mut checked.diagnostics);
            return Ok(Fixed { text: now.into_owned(), patch, remaining, applied, checked });
        }
        // Nearly every text is done by then.
        let stuck = if round > 1 { repeated.of(&proposals) } else { Vec::new() };
        if !stuck.is_empty() {
            return Err(Stop::Circle(stuck));
        }
        // Many findings take more memory than the text, and so do the records of two texts.
        drop(checked);
        let keys = proposals.into_names();
        let next = patch.apply(&now);
        if let Err(loss) = conserve::conserved(&now, &next, &patch, terms.subject, &rules) {
            return Err(Stop::Harmful(terms.harmful(&now), loss));
        }
        applied.extend(rules);
        seen.push((now, keys));
        if let Some(start) = seen.iter().position(|(before, _)| *before == next) {
            return Err(Stop::Circle(seen.drain(start..).flat_map(|(_, keys)| keys).collect()));
        }
        now = Cow::Owned(next);
        if round == 0 {
            first = patch;
        }
    }
    // What is written to a fact is not read as it was meant, and written again.
    Err(Stop::Circle(seen.pop().map(|(_, keys)| keys).unwrap_or_default()))
}

impl Terms<'_> {
    /// Judges `now`: what is found that no fix mends, and the fixes of the rest. `known` is what a check of it found.
    fn look(&self, now: &str, known: Option<Checked>) -> (Checked, Proposals) {
        let (mut proposals, mut rest) = (Proposals::new(self.least), Vec::new());
        let mut take = |piece: Vec<Diagnostic>| {
            rest.extend(piece.into_iter().map(|found| self.trusted(found)).filter(|found| !proposals.take(found)));
        };
        let mut checked = match known {
            Some(mut checked) => {
                take(std::mem::take(&mut checked.diagnostics));
                checked
            }
            None => check_in_pieces(now, self.subject, &mut take),
        };
        checked.diagnostics = rest;
        (checked, proposals)
    }

    /// All that is found in `now`.
    fn findings(&self, now: &str) -> Vec<Diagnostic> {
        check(now, self.subject).diagnostics.into_iter().map(|found| self.trusted(found)).collect()
    }

    /// A finding, without its fix where that is withheld.
    fn trusted(&self, found: Diagnostic) -> Diagnostic {
        let is_withheld = !self.withheld.is_empty() && self.withheld.contains(&name_of(&found));
        Diagnostic { fix: found.fix.filter(|_| !is_withheld), ..found }
    }

    /// The facts whose fixes alone lose something.
    fn harmful(&self, now: &str) -> Vec<SmolStr> {
        let found = self.findings(now);
        let mut names: Vec<SmolStr> = found.iter().filter(|found| found.fix.is_some()).map(name_of).collect();
        names.sort();
        names.dedup();
        let loses = |name: &SmolStr| {
            let (patch, rules) = Proposals::of(found.iter().filter(|found| name_of(found) == *name), self.least).choose();
            conserve::conserved(now, &patch.apply(now), &patch, self.subject, &rules).is_err()
        };
        names.into_iter().filter(loses).collect()
    }
}

/// How many times the same may be written to a fact in rounds that follow each other. One that waits for another's is done sooner.
const REPEATS: usize = 8;

/// What was to be written to each fact in the last round: for each text how often, and for how many rounds at least as often as before.
/// Where a tag or a record is not read as it was meant, as behind a value that opens code or a comment, it is written again and again,
/// and the text grows.
#[derive(Default)]
struct Repeated(FxHashMap<(SmolStr, u64), (usize, usize)>);

impl Repeated {
    /// Takes one round; the facts that are written to in vain.
    fn of(&mut self, proposals: &Proposals) -> Vec<SmolStr> {
        let before = std::mem::take(&mut self.0);
        // What is only taken out cannot go on for ever.
        for (name, text) in proposals.written().filter(|(_, text)| !text.is_empty()) {
            self.0.entry((name.clone(), FxBuildHasher.hash_one(text))).or_default().0 += 1;
        }
        for (written, (count, times)) in &mut self.0 {
            *times = before.get(written).filter(|(before, _)| before <= count).map_or(1, |(_, times)| times + 1);
        }
        let mut stuck: Vec<SmolStr> = self.0.iter().filter(|(_, (_, times))| *times > REPEATS).map(|((name, _), _)| name.clone()).collect();
        stuck.sort_unstable();
        stuck.dedup();
        stuck
    }
}

/// The fix of one diagnostic by itself, its insertions in the order in which [`fix`] puts them; empty where it has none.
pub fn alone(diagnostic: &Diagnostic) -> Patch {
    Proposals::of([diagnostic], Applicability::Unsafe).choose().0
}

/// The edits between two texts, by lines.
pub fn between(before: &str, after: &str) -> Patch {
    let lines = |text: &str| -> Vec<usize> {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
        starts.push(text.len());
        starts
    };
    let (old, new) = (lines(before), lines(after));
    let old_lines: Vec<&str> = old.windows(2).map(|pair| &before[pair[0]..pair[1]]).collect();
    let new_lines: Vec<&str> = new.windows(2).map(|pair| &after[pair[0]..pair[1]]).collect();
    let mut patch = Patch::default();
    for op in similar::capture_diff_slices(similar::Algorithm::Patience, &old_lines, &new_lines) {
        if op.tag() == similar::DiffTag::Equal {
            continue;
        }
        let (gone, come) = (op.old_range(), op.new_range());
        let range = TextRange::new(old[gone.start], old[gone.end]);
        patch.try_add(&[TextEdit::replace(range, &after[new[come.start]..new[come.end]])]);
    }
    patch
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Selection;
    use crate::config::Config;
    use crate::text::Edit;
    use proptest::prelude::*;

    #[test]
    fn what_is_written_in_vain_is_noticed_early() {
        let text = "## Project memory\n\n- Start | `npm s [historical]` | source: ADR 4, 2026-02-01 [/historical] replaced by: `m 2026-07-15\n\
                    - Start | `make web` | source: ADR 9, 2026-07-15\n";
        let (config, selection) = (Config::default(), Selection::default());
        let subject = Subject::new(&config, &selection, chrono::NaiveDate::from_ymd_opt(2026, 11, 29).expect("a day"));
        let mut repeated = Repeated::default();
        let found = check(text, &subject).diagnostics;
        assert!(found.iter().any(|found| found.fix.is_some()));
        let proposals = |least| Proposals::of(&found, least);
        let stuck: Vec<bool> = (0..=REPEATS).map(|_| !repeated.of(&proposals(Applicability::Safe)).is_empty()).collect();
        assert_eq!(stuck.iter().filter(|stuck| **stuck).count(), 1, "only the last time");
        assert_eq!(repeated.of(&proposals(Applicability::Unsafe)), ["Start"]);
        assert!(repeated.of(&Proposals::new(Applicability::Safe)).is_empty());
    }

    #[test]
    fn what_is_written_less_often_each_time_is_progress() {
        let written = |count: usize, text: &str| {
            let found = |at| {
                let found = Diagnostic::new(crate::rules::RULES[0].info, TextRange::empty(at), "m").about("Fact");
                found.with_fix(Applicability::Safe, vec![TextEdit::insert(at, text)])
            };
            Proposals::of(&(0..count).map(found).collect::<Vec<_>>(), Applicability::Safe)
        };
        let rounds = |counts: &mut dyn Iterator<Item = usize>, text: &str| {
            let mut repeated = Repeated::default();
            counts.map(|count| repeated.of(&written(count, text))).position(|stuck| stuck == ["Fact"])
        };
        assert_eq!(rounds(&mut (1..20), "again"), Some(REPEATS));
        assert_eq!(rounds(&mut (0..20).map(|_| 3), "again"), Some(REPEATS));
        assert_eq!(rounds(&mut (1..20).rev(), "again"), None);
        assert_eq!(rounds(&mut (1..20), ""), None);
    }

    #[test]
    fn a_text_that_is_left_alone_says_why() {
        let loss = Loss::Record("Port".to_owned());
        let said = [FixError::Endless.to_string(), FixError::Loss(loss.clone()).to_string()];
        assert!(said.iter().all(|said| said.contains("nothing is written")) && said[1].contains(&loss.to_string()), "{said:?}");
    }

    #[test]
    fn the_fix_of_one_finding_can_be_had_alone() {
        let text = "## Project memory\n\n- Port: 1 (since 2026-01-01)\n- Port: 2 (since 2026-02-01)\n- Host: b\n- Host: b\n";
        let (config, selection) = (Config::default(), Selection::default());
        let subject = Subject::new(&config, &selection, chrono::NaiveDate::from_ymd_opt(2026, 11, 29).expect("a day"));
        let found = check(text, &subject).diagnostics;
        let alone: Vec<_> = found.iter().map(|found| (found.rule.name, alone(found).apply(text) != text)).collect();
        assert_eq!(alone, [("untagged-historical", true), ("repeat", false)]);
    }

    #[test]
    fn between_two_texts_whole_lines_change() {
        let patch = between("a\nb\nc\n", "a\nx\nc\n");
        assert!(patch.edits().map(Edit::owned).eq([TextEdit::replace(TextRange::new(2, 4), "x\n")]));
    }

    proptest! {
        #[test]
        fn between_gives_the_second_text(before in "[ab\n]{0,40}", after in "[ab\n]{0,40}") {
            prop_assert_eq!(between(&before, &after).apply(&before), after);
        }
    }
}
