//! What a rule sees.

use crate::baseline::Comparison;
use crate::config::Config;
use crate::diagnostic::{Applicability, Diagnostic, RuleInfo};
use crate::facts::Facts;
use crate::repair::{Grouped, Need, Step};
use crate::syntax::Document;
use crate::text::{TextRange, shell_word};
use smol_str::SmolStr;

/// What the loader of a file reads of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Lines, if they are limited.
    pub lines: Option<usize>,
    /// Bytes.
    pub bytes: usize,
    /// The window is for this file alone. Else a loader shares it among a chain of files, and others read all of each: what stands
    /// behind it is no fault of the file.
    pub is_own: bool,
}

impl Budget {
    /// The window for a file of this name: 200 lines or 25 KB of a MEMORY.md, 32 KiB of any other; the configuration wins.
    pub fn of(name: &str, config: &Config) -> Self {
        let memory = name.rsplit('/').next().is_some_and(|base| base.eq_ignore_ascii_case("MEMORY.md"));
        let lines = config.max_lines.or(memory.then_some(200));
        let bytes = config.max_bytes.unwrap_or(if memory { 25_000 } else { 32 * 1024 });
        Self { lines, bytes, is_own: memory || config.max_lines.is_some() || config.max_bytes.is_some() }
    }

    /// The first byte that is not read any more, where `text` is larger than the window.
    pub fn end_in(self, text: &str) -> Option<usize> {
        let by_lines =
            self.lines.and_then(|lines| crate::text::LineIndex::new(text).start_of(text, lines + 1)).filter(|&at| at < text.len());
        let by_bytes = (text.len() > self.bytes).then_some(self.bytes);
        by_lines.into_iter().chain(by_bytes).min()
    }
}

/// A fact whose current value differs in another file.
#[derive(Clone, Debug)]
pub struct CrossFile {
    /// The record of this file, in `Document::records`.
    pub record: u32,
    /// The other file.
    pub other: String,
    /// Its line there.
    pub line: usize,
    /// The other value, where it may be shown.
    pub value: Option<String>,
}

/// A suppression comment that suppressed nothing.
#[derive(Clone, Debug)]
pub struct Unused {
    /// Its number in `Document::suppressions`.
    pub suppression: usize,
    /// The rule name that did not fire.
    pub name: String,
}

/// All that rules look at.
pub struct Context<'a> {
    /// The file.
    pub document: &'a Document<'a>,
    /// Its facts.
    pub facts: &'a Facts<'a, 'a>,
    /// The comparison with the baseline; empty without one.
    pub comparison: &'a Comparison,
    /// The configuration.
    pub config: &'a Config,
    /// The baseline's text and document, if there is one.
    pub base: Option<&'a Document<'a>>,
    /// What the loader reads of the file.
    pub budget: Budget,
    /// The first byte that a loader does not read any more, where the text is larger than its window.
    pub read_to: Option<usize>,
    /// Facts that other files of the run contradict.
    pub cross: &'a [CrossFile],
    /// Suppressions that did nothing; known when the other rules have run.
    pub unused: Vec<Unused>,
}

impl Context<'_> {
    /// The own text of a record of the file.
    pub(crate) fn head(&self, record: u32) -> TextRange {
        self.document.records[record as usize].head
    }
}

/// What a rule looks at, and the function that looks. The smallest thing that tells it is the right one: findings of steps and groups are
/// made one group after another, and none waits for the others.
pub enum Look {
    /// A step with this need; each is a finding.
    Step(Need, fn(&Step) -> Diagnostic),
    /// A group in order, with its steps.
    Group(fn(&Context, &Grouped, &mut Vec<Diagnostic>)),
    /// The text as a whole.
    Text(fn(&Context, &mut Vec<Diagnostic>)),
}

/// A diagnostic for a step, with its edits as a fix.
pub(super) fn of_step(rule: &'static RuleInfo, step: &Step, message: String, applicability: Applicability) -> Diagnostic {
    let mut found = Diagnostic::new(rule, step.range, message);
    found.key = step.key.as_deref().map(SmolStr::new);
    found.rank = step.rank;
    found.ranks.clone_from(&step.ranks);
    if let (Some(range), Some(value)) = (step.successor_range.filter(|range| *range != step.range), &step.successor) {
        found = found.with_related(range, SmolStr::from_iter(["replaced by `", value, "`"]));
    }
    match &step.edits {
        Some(edits) => found.with_fix(applicability, edits.clone()),
        None => found,
    }
}

/// `KEY` for a message.
pub(super) fn key_of<'s>(step: &'s Step) -> &'s str {
    step.key.as_deref().unwrap_or("this record")
}

/// The way out for findings against the baseline.
pub(super) fn accept_help(step: &Step) -> String {
    let key = step.key.as_deref().unwrap_or("FILE:LINE");
    format!("only wording, or meant? `memfile accept {}`", shell_word(key))
}
