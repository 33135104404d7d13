//! What can be done about findings: their own fixes, all fixes at once, saying that a change was meant, bringing back what is lost,
//! and a comment that keeps a finding quiet.
//!
//! All but one are edits that the editor applies. To say that a change was meant writes to the journal, so it is a command.

use super::client::FIX_ALL;
use super::commands::{self, Finding};
use super::edits::View;
use super::findings::shown;
use crate::check::Change;
use crate::diagnostic::{Applicability, Diagnostic, Needs, Severity};
use crate::syntax::Bullet;
use crate::text::{Patch, TextEdit, TextRange};
use lsp_types::{CodeAction, CodeActionKind, Range, WorkspaceEdit};

/// The actions for a part of the buffer; `only`: the kinds that are asked for, all where none are.
pub(super) fn at(view: &View, range: Range, only: Option<&[String]>) -> Vec<CodeAction> {
    let is_wanted = |kind: &CodeActionKind| {
        let names = |wanted: &String| {
            let rest = kind.as_str().strip_prefix(wanted.as_str());
            wanted.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        only.is_none_or(|only| only.iter().any(names))
    };
    let mut actions = Vec::new();
    if is_wanted(&CodeActionKind::QUICKFIX) {
        let asked = view.bytes(range);
        let touches = |found: &&Diagnostic| found.range.start() <= asked.end() && asked.start() <= found.range.end();
        for found in view.look.checked.diagnostics.iter().filter(touches) {
            actions.extend(quick(view, found));
        }
    }
    if is_wanted(&FIX_ALL) {
        actions.extend(fix_all(view));
    }
    actions
}

/// The actions of one finding, the best one first.
fn quick(view: &View, found: &Diagnostic) -> Vec<CodeAction> {
    let about = found.key.as_deref().map_or(String::new(), |key| format!(" of {}", crate::report::visible(key)));
    let action = |title: String| CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![shown(view, found)]),
        ..CodeAction::default()
    };
    let edited = |title: String, edit: WorkspaceEdit| CodeAction { edit: Some(edit), ..action(title) };
    let mut actions = Vec::new();
    let rule = found.rule.name;
    if let Some((fix, patch)) = found.fix.as_ref().and_then(|fix| Some((fix, view.session.fix_alone(view.look, found)?))) {
        let is_safe = fix.applicability == Applicability::Safe;
        let label = if is_safe { "" } else { " (unsafe: look at the result)" };
        let fixed = edited(format!("Fix {rule}{about}{label}"), view.edit(&patch));
        actions.push(CodeAction { is_preferred: is_safe.then_some(true), ..fixed });
    }
    if found.rule.stops_writing
        && found.rule.needs == Needs::Baseline
        && let Some(after) = view.session.restored(view.look).ok().and_then(|plan| plan.after)
    {
        actions.push(edited("Bring back what was lost, as it was".to_owned(), view.edit_to(&after)));
    }
    if view.is_file && !meant(view, found).is_empty() {
        let whole = if found.rule.stops_writing { " to the whole file" } else { "" };
        let title = format!("Accept this change{about}{whole}");
        let command = commands::accept(title.clone(), view, &Finding::of(view, found));
        actions.push(CodeAction { command: Some(command), ..action(title) });
    }
    if let Some(patch) = quiet(view, found) {
        actions.push(edited(format!("Ignore {rule} here"), view.edit(&patch)));
    }
    actions
}

/// The changes against the baseline that a finding is about.
pub(super) fn meant<'a>(view: &View<'a>, found: &Diagnostic) -> Vec<&'a Change> {
    let changes = &view.look.checked.changes;
    if found.rule.stops_writing && found.rule.needs == Needs::Baseline {
        return changes.iter().collect();
    }
    let is_it = |change: &&Change| change.at == found.range.start() && change.key.as_deref() == found.key.as_deref();
    let is_against = found.rule.needs == Needs::Baseline && found.rule.severity > Severity::Hint;
    changes.iter().filter(|_| is_against).filter(is_it).collect()
}

/// All safe fixes, to the fixed point.
fn fix_all(view: &View) -> Option<CodeAction> {
    let fixed = view.session.fixed(view.look)?;
    let is_safe = |found: &&Diagnostic| found.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe);
    let solved = view.look.checked.diagnostics.iter().filter(is_safe);
    Some(CodeAction {
        title: "Fix all in this memory file".to_owned(),
        kind: Some(FIX_ALL),
        diagnostics: Some(solved.map(|found| shown(view, found)).collect()),
        edit: Some(view.edit(&fixed.patch)),
        ..CodeAction::default()
    })
}

/// A comment on the record that keeps the finding quiet. A row of a table has no place for one, and a change against the baseline is
/// accepted instead.
fn quiet(view: &View, found: &Diagnostic) -> Option<Patch> {
    if found.rule.stops_writing || found.rule.needs != Needs::File || found.rule.severity == Severity::Hint {
        return None;
    }
    let at = found.range.start();
    let seen = view.look.records.iter().find(|seen| seen.head.contains(at)).filter(|seen| seen.bullet != Bullet::Row)?;
    let own = seen.head.of(view.text());
    let end = seen.head.start() + own.trim_end().len();
    let mut patch = Patch::default();
    let comment = TextEdit::replace(TextRange::empty(end), format!(" <!-- memfile: ignore {} -->", found.rule.name));
    patch.try_add(&[comment]).then_some(patch)
}
