//! Rename: on a value the same fact in better words (`reword`), on a parameter the name of the fact in all its versions (`rename`).
//!
//! The editor applies the edits itself. What they declare is told to the journal when the buffer has the text that they make, so that a
//! rename that was thrown away declares nothing.

use super::super::looking::Seen;
use super::super::{Session, Unwritten};
use super::documents::Awaited;
use super::edits::View;
use super::server::Refused;
use crate::command::{Plan, Refusal, World, rename_at, reword_at};
use crate::text::{TextRange, fold_blanks, strip_markup};
use lsp_types::{PrepareRenameResponse, WorkspaceEdit};

/// What a place in a record is.
enum Part {
    Value(TextRange),
    Parameter(TextRange),
}

/// The value or the parameter at the byte `at`, with the words that are there now.
pub(super) fn prepare(view: &View, at: usize) -> Option<PrepareRenameResponse> {
    let seen = view.look.record_at(at)?;
    let (range, placeholder) = match part(seen, at)? {
        Part::Value(range) => (range, fold_blanks(range.of(view.text())).replace("\\|", "|")),
        Part::Parameter(range) => (range, fold_blanks(&strip_markup(range.of(view.text()))).into_owned()),
    };
    Some(PrepareRenameResponse::RangeWithPlaceholder { range: view.range(range), placeholder })
}

fn part(seen: &Seen, at: usize) -> Option<Part> {
    let is_in = |range: TextRange| !range.is_empty() && range.start() <= at && at <= range.end();
    seen.chain?;
    if is_in(seen.value) {
        return Some(Part::Value(seen.value));
    }
    is_in(seen.parameter).then_some(Part::Parameter(seen.parameter))
}

/// The edits that put `new` in the place of the value or the parameter at the byte `at`, and what is declared when they are made.
///
/// # Errors
/// No value and no parameter stands there, or the command that it is refuses.
pub(super) fn rename(view: &View, at: usize, new: &str) -> Result<(WorkspaceEdit, Option<Awaited>), Refused> {
    let seen = view.look.record_at(at);
    let part = seen.and_then(|seen| part(seen, at));
    let part = part.ok_or_else(|| Refused::failed("a value or the name of a fact can be renamed; none stands here"))?;
    let plan = match part {
        Part::Value(_) => planned(view.session, view, &|text, world| reword_at(text, world, at, new)),
        Part::Parameter(_) => planned(view.session, view, &|text, world| rename_at(text, world, at, new)),
    }?;
    let Plan { after: Some(after), key, declared, .. } = plan else { return Ok((WorkspaceEdit::default(), None)) };
    let edit = view.edit_to(&after);
    let awaited = Awaited { after, key, declared };
    Ok((edit, Some(awaited).filter(|awaited| view.is_file && !awaited.declared.is_empty())))
}

fn planned(session: &Session, view: &View, plan: &dyn Fn(&str, &World) -> Result<Plan, Refusal>) -> Result<Plan, Refused> {
    session.planned(&view.look.target, view.look.read.today, plan).map_err(|error| match error {
        Unwritten::Refused(refusal) => Refused::failed(&crate::report::visible(&refusal.to_string())),
        Unwritten::Loss(loss) => Refused::failed(&format!("this rename would {loss}; nothing is changed. This is a fault of memfile")),
        Unwritten::Io(error) => Refused::failed(&error.to_string()),
    })
}
