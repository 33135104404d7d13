//! What a rule says of a text: a diagnostic, and the fix that hangs on it.

use crate::text::{TextEdit, TextRange};
use smallvec::SmallVec;
use smol_str::SmolStr;
use std::sync::Arc;
use thin_vec::ThinVec;

/// How much a finding weighs; ordered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Severity {
    /// Worth knowing; never fails a run by default.
    Hint,
    /// Something a person should decide.
    Warning,
    /// A rule of the format is broken.
    Error,
}

impl Severity {
    /// The word used in all outputs and in `fail-on`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hint => "hint",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Whether a fix may be applied without asking; ordered, as in ruff.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Applicability {
    /// Only with `--unsafe-fixes`: a person should look at it.
    Unsafe,
    /// Applied by `fix`.
    Safe,
}

impl Applicability {
    /// The word used in all outputs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unsafe => "unsafe",
            Self::Safe => "safe",
        }
    }
}

/// The repair of one diagnostic. It goes in whole or not at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// Whether `fix` applies it on its own.
    pub applicability: Applicability,
    /// Disjoint edits of the text the diagnostic speaks of.
    pub edits: Arc<[TextEdit]>,
}

/// Whether a rule's diagnostics can carry a fix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fixable {
    /// A person decides.
    No,
    /// With `--unsafe-fixes`.
    Unsafe,
    /// By `fix`.
    Safe,
}

/// What a rule looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    /// The file alone decides.
    File,
    /// The file and its baseline.
    Baseline,
    /// The other memory files of the run.
    Others,
    /// What the other rules found.
    Findings,
}

/// What is known of a rule before it looks at any text.
#[derive(Debug)]
pub struct RuleInfo {
    /// Stable name, as in `explain NAME`.
    pub name: &'static str,
    /// Weight of all its findings.
    pub severity: Severity,
    /// Whether its findings can be fixed.
    pub fixable: Fixable,
    /// What decides it.
    pub needs: Needs,
    /// Where it is found, nothing is written to the file.
    pub stops_writing: bool,
    /// The rule in half a line.
    pub summary: &'static str,
    /// The page that `explain` prints: Markdown with the headings What it does, Why, Example.
    pub page: &'static str,
}

impl RuleInfo {
    /// True where what it finds must not be shown (SPEC 7): not in its own report, and not where another finding shows the line.
    pub fn hides(&self) -> bool {
        self.name == "possible-secret"
    }
}

/// A second place that helps to understand a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Related {
    /// Bytes of the same text.
    pub range: TextRange,
    /// What stands there, in a few words.
    pub label: SmolStr,
}

/// The place of an edit among those that insert at one offset: those that belong to the record above (false) stand first, and of each
/// kind those of a lower number.
pub(crate) type Rank = (bool, (u32, u32));

/// One finding in one text. Lists that most lack take one word each: a text may have a hundred thousand findings.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The rule that found it.
    pub rule: &'static RuleInfo,
    /// Where: bytes of the text.
    pub range: TextRange,
    /// The fact it is about, `parameter` or `subject/parameter`, where there is one.
    pub key: Option<SmolStr>,
    /// What is wrong, one sentence without a full stop. Never holds a value that looks like a secret.
    pub message: String,
    /// Other places, the most helpful first.
    pub related: SmallVec<[Related; 1]>,
    /// What to do, one line each.
    pub help: ThinVec<String>,
    /// The repair, if memfile can make it.
    pub fix: Option<Fix>,
    /// The order of insertions at one place: those that belong to the record above stand first, and of each kind those of a lower
    /// number.
    pub(crate) rank: Rank,
    /// The numbers for each edit, where the edits are of several records; else empty.
    pub(crate) ranks: ThinVec<(u32, u32)>,
}

impl Diagnostic {
    /// A finding without help and fix.
    pub fn new(rule: &'static RuleInfo, range: TextRange, message: impl Into<String>) -> Self {
        Self {
            rule,
            range,
            key: None,
            message: message.into(),
            related: SmallVec::new(),
            help: ThinVec::new(),
            fix: None,
            rank: (false, (0, 0)),
            ranks: ThinVec::new(),
        }
    }

    /// The same finding about the fact `key`.
    #[must_use]
    pub fn about(mut self, key: impl AsRef<str>) -> Self {
        self.key = Some(SmolStr::new(key));
        self
    }

    /// The same finding with a second place.
    #[must_use]
    pub fn with_related(mut self, range: TextRange, label: impl Into<SmolStr>) -> Self {
        self.related.push(Related { range, label: label.into() });
        self
    }

    /// The same finding with a line of help.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// The same finding with a repair.
    #[must_use]
    pub fn with_fix(mut self, applicability: Applicability, edits: impl Into<Arc<[TextEdit]>>) -> Self {
        self.fix = Some(Fix { applicability, edits: edits.into() });
        self
    }
}

/// How many findings there are of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Of [`Severity::Error`].
    pub errors: usize,
    /// Of [`Severity::Warning`].
    pub warnings: usize,
    /// Of [`Severity::Hint`].
    pub hints: usize,
    /// With a fix that is applied without asking.
    pub safe: usize,
    /// With a fix that is applied only where someone asks for it.
    pub risky: usize,
}

impl Tally {
    /// Counts `diagnostics`.
    pub fn of(diagnostics: &[Diagnostic]) -> Self {
        let mut tally = Self::default();
        for diagnostic in diagnostics {
            match diagnostic.rule.severity {
                Severity::Error => tally.errors += 1,
                Severity::Warning => tally.warnings += 1,
                Severity::Hint => tally.hints += 1,
            }
            match diagnostic.fix.as_ref().map(|fix| fix.applicability) {
                Some(Applicability::Safe) => tally.safe += 1,
                Some(Applicability::Unsafe) => tally.risky += 1,
                None => {}
            }
        }
        tally
    }

    /// All findings.
    pub fn all(self) -> usize {
        self.errors + self.warnings + self.hints
    }

    /// The worst severity among them, if there are any.
    pub fn worst(self) -> Option<Severity> {
        let counts = [(Severity::Error, self.errors), (Severity::Warning, self.warnings), (Severity::Hint, self.hints)];
        counts.into_iter().find(|(_, count)| *count > 0).map(|(severity, _)| severity)
    }
}

impl std::iter::Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), |sum, one| Self {
            errors: sum.errors + one.errors,
            warnings: sum.warnings + one.warnings,
            hints: sum.hints + one.hints,
            safe: sum.safe + one.safe,
            risky: sum.risky + one.risky,
        })
    }
}
