//! Fixes to a fixed point: check, choose, apply, parse again.
//!
//! In: a text and all that decides about it. Out: [`Fixed`], or the reason why the text was left alone. Before a result is
//! given out it is shown to have lost nothing (see [`crate::conserve`]).

use crate::check::{Checked, Subject, check};
use crate::conserve::{self, Loss};
use crate::diagnostic::{Applicability, Diagnostic, Rank, RuleInfo};
use crate::text::{Patch, TextEdit, TextRange};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smallvec::SmallVec;
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
    let mut withheld: FxHashSet<SmolStr> = FxHashSet::default();
    loop {
        let round = rounds(text, subject, least, &withheld, known.take());
        let (keys, error) = match round {
            Ok(fixed) => return Ok((fixed, withheld.is_empty())),
            // What a fact's records and tags say goes in a circle: no order of them is right, and its bytes are left alone.
            Err(Stop::Circle(keys)) => (keys, FixError::Endless),
            // A fix would make the text read in another way, as where a tag closes what a value left open.
            Err(Stop::Harmful(keys, loss)) => (keys, FixError::Loss(loss)),
        };
        let before = withheld.len();
        withheld.extend(keys);
        if withheld.len() == before {
            return Err(error);
        }
    }
}

/// Why the rounds stopped without a result.
enum Stop {
    /// A text came up a second time, or the rounds came to no end; the facts that were written to in between.
    Circle(Vec<SmolStr>),
    /// The fixes would have lost something; the facts whose fixes do.
    Harmful(Vec<SmolStr>, Loss),
}

/// What a finding is withheld by: its fact, or what it says where it has none.
fn name_of(found: &Diagnostic) -> SmolStr {
    found.key.clone().unwrap_or_else(|| SmolStr::new(&found.message))
}

fn rounds(
    text: &str,
    subject: &Subject,
    least: Applicability,
    withheld: &FxHashSet<SmolStr>,
    mut known: Option<Checked>,
) -> Result<Fixed, Stop> {
    let mut now = Cow::Borrowed(text);
    let mut seen: Vec<(Cow<str>, Vec<SmolStr>)> = Vec::new();
    let mut repeated = Repeated::default();
    let mut first = Patch::default();
    let mut applied = Vec::new();
    let look = |now: &str, known: Option<Checked>| {
        let mut checked = known.unwrap_or_else(|| check(now, subject));
        checked.diagnostics.iter_mut().filter(|found| withheld.contains(&name_of(found))).for_each(|found| found.fix = None);
        checked
    };
    for round in 0..ROUNDS {
        let mut checked = look(&now, known.take());
        let (patch, rules) = choose(&checked.diagnostics, least);
        if patch.is_empty() {
            let patch = if round <= 1 { first } else { between(text, &now) };
            let remaining = std::mem::take(&mut checked.diagnostics);
            return Ok(Fixed { text: now.into_owned(), patch, remaining, applied, checked });
        }
        // Nearly every text is done by then.
        let stuck = if round > 1 { repeated.of(&checked.diagnostics, least) } else { Vec::new() };
        if !stuck.is_empty() {
            return Err(Stop::Circle(stuck));
        }
        let keys = checked.diagnostics.iter().filter(|found| found.fix.is_some()).map(name_of).collect();
        // Many findings take more memory than the text, and so do the records of two texts.
        drop(checked);
        let next = patch.apply(&now);
        if let Err(loss) = conserve::conserved(&now, &next, &patch, subject, &rules) {
            return Err(Stop::Harmful(harmful(&now, &look(&now, None).diagnostics, subject, least), loss));
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

/// How many times the same may be written to a fact in rounds that follow each other. One that waits for another's is done sooner.
const REPEATS: usize = 8;

/// What was to be written to each fact in the last round, and in how many rounds before: where a tag is not read as it was meant, as
/// behind a value that opens code, it is written again and again, and the text grows.
#[derive(Default)]
struct Repeated(FxHashMap<SmolStr, (u64, usize)>);

impl Repeated {
    /// Takes one round; the facts that are written to in vain.
    fn of(&mut self, diagnostics: &[Diagnostic], least: Applicability) -> Vec<SmolStr> {
        let mut now: FxHashMap<SmolStr, u64> = FxHashMap::default();
        for found in diagnostics {
            let fix = found.fix.as_ref().filter(|fix| fix.applicability >= least);
            for edit in fix.into_iter().flat_map(|fix| fix.edits.iter()) {
                let hash = now.entry(name_of(found)).or_default();
                *hash = FxBuildHasher.hash_one((*hash, edit.text.as_str()));
            }
        }
        let before = std::mem::take(&mut self.0);
        let next = now.into_iter().map(|(name, hash)| {
            let known = before.get(&name).filter(|(before, _)| *before == hash);
            (name, (hash, known.map_or(1, |(_, times)| times + 1)))
        });
        self.0 = next.collect();
        let mut stuck: Vec<SmolStr> = self.0.iter().filter(|(_, (_, times))| *times > REPEATS).map(|(name, _)| name.clone()).collect();
        stuck.sort_unstable();
        stuck
    }
}

/// The facts whose fixes alone lose something.
fn harmful(now: &str, diagnostics: &[Diagnostic], subject: &Subject, least: Applicability) -> Vec<SmolStr> {
    let mut names: Vec<SmolStr> = diagnostics.iter().filter(|found| found.fix.is_some()).map(name_of).collect();
    names.sort();
    names.dedup();
    let loses = |name: &SmolStr| {
        let own: Vec<Diagnostic> = diagnostics.iter().filter(|found| name_of(found) == *name).cloned().collect();
        let (patch, rules) = choose(&own, least);
        conserve::conserved(now, &patch.apply(now), &patch, subject, &rules).is_err()
    };
    names.into_iter().filter(loses).collect()
}

/// The fixes that can be applied together, in the order of their places.
fn choose(diagnostics: &[Diagnostic], least: Applicability) -> (Patch, Vec<&'static RuleInfo>) {
    let mut patch = Patch::default();
    let mut rules = Vec::new();
    if diagnostics.iter().any(|diagnostic| diagnostic.rule.stops_writing) {
        return (patch, rules);
    }
    let start = |edits: &[TextEdit]| edits.iter().map(|edit| edit.range.start()).min().unwrap_or(0);
    let inserts = |edits: &[TextEdit]| edits.iter().filter(|edit| edit.range.is_empty()).map(|edit| edit.range.start()).min();
    let fixes = diagnostics.iter().filter_map(|diagnostic| diagnostic.fix.as_ref().map(|fix| (diagnostic, fix)));
    let mut chosen: Vec<_> = fixes.filter(|(_, fix)| fix.applicability >= least && !fix.edits.is_empty()).collect();
    chosen.sort_by_key(|(diagnostic, fix)| (inserts(&fix.edits).unwrap_or_else(|| start(&fix.edits)), diagnostic.rank));
    // Their places alone: those that go together are looked for first.
    let mut places = Patch::default();
    chosen.retain(|(_, fix)| {
        let places_of: SmallVec<[TextEdit; 2]> = fix.edits.iter().map(|edit| TextEdit::delete(edit.range)).collect();
        places.try_add(&places_of)
    });
    drop(places);
    let mut edits: Vec<(usize, Rank, &TextEdit)> = Vec::with_capacity(chosen.len());
    for (diagnostic, fix) in chosen {
        rules.push(diagnostic.rule);
        let (below, rank) = diagnostic.rank;
        let rank_of = |idx: usize| (below, diagnostic.ranks.get(idx).copied().unwrap_or(rank));
        edits.extend(fix.edits.iter().enumerate().map(|(idx, edit)| (edit.range.start(), rank_of(idx), edit)));
    }
    // Now each in its turn.
    edits.sort_by_key(|&(start, rank, _)| (start, rank));
    edits.iter().for_each(|(_, _, edit)| {
        patch.try_add(std::slice::from_ref(*edit));
    });
    (patch, rules)
}

/// The fix of one diagnostic by itself, its insertions in the order in which [`fix`] puts them; empty where it has none.
pub fn alone(diagnostic: &Diagnostic) -> Patch {
    choose(std::slice::from_ref(diagnostic), Applicability::Unsafe).0
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
        let stuck: Vec<bool> = (0..=REPEATS).map(|_| !repeated.of(&found, Applicability::Safe).is_empty()).collect();
        assert_eq!(stuck.iter().filter(|stuck| **stuck).count(), 1, "only the last time");
        assert!(repeated.of(&found, Applicability::Unsafe) == ["Start"] && repeated.of(&[], Applicability::Safe).is_empty());
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
