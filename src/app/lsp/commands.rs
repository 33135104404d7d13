//! Commands that the editor asks the server to run: what actions and lenses name.

use super::actions::meant;
use super::edits::View;
use super::hover;
use super::server::Refused;
use crate::diagnostic::Diagnostic;
use crate::text::Place;
use lsp_types::{Command, Position};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const ACCEPT: &str = "memfile.accept";
const SHOW_HISTORY: &str = "memfile.showHistory";

/// All of them.
pub(super) const ALL: [&str; 2] = [ACCEPT, SHOW_HISTORY];

/// The argument of each command: a document, and what is meant in it.
#[derive(Serialize, Deserialize)]
pub(super) struct Argument {
    pub(super) uri: String,
    #[serde(flatten)]
    pub(super) what: Value,
}

/// A finding, so that it is found again when the command runs.
#[derive(Serialize, Deserialize, PartialEq, Eq)]
pub(super) struct Finding {
    rule: String,
    key: Option<String>,
    /// From 0.
    line: u32,
}

impl Finding {
    pub(super) fn of(view: &View, found: &Diagnostic) -> Self {
        let Place { line, .. } = view.lines.place(view.text(), found.range.start(), view.client.encoding);
        Self { rule: found.rule.name.to_owned(), key: found.key.as_deref().map(str::to_owned), line }
    }
}

/// What a command did.
pub(super) struct Done {
    /// For people.
    pub(super) said: String,
    /// The journal has changed, and with it what is found.
    pub(super) has_declared: bool,
}

/// The command that says that the change behind a finding was meant.
pub(super) fn accept(title: String, view: &View, finding: &Finding) -> Command {
    command(title, ACCEPT, view, json!(finding))
}

/// The command that shows the versions of the fact at a line (from 0).
pub(super) fn show_history(title: String, view: &View, line: u32) -> Command {
    command(title, SHOW_HISTORY, view, json!({ "line": line }))
}

fn command(title: String, command: &str, view: &View, what: Value) -> Command {
    let argument = Argument { uri: view.uri.as_str().to_owned(), what };
    Command { title, command: command.to_owned(), arguments: Some(vec![json!(argument)]) }
}

/// Runs the command `name`.
///
/// # Errors
/// There is no such command, what it is about is not there any more, or the journal cannot be written.
pub(super) fn run(view: &View, name: &str, what: Value) -> Result<Done, Refused> {
    match name {
        ACCEPT => {
            let finding: Finding = serde_json::from_value(what).map_err(|error| Refused::params(&error))?;
            let found = view.look.checked.diagnostics.iter().find(|found| Finding::of(view, found) == finding);
            let changes = found.map_or(Vec::new(), |found| meant(view, found));
            if changes.is_empty() || !view.is_file {
                return Err(Refused::failed("this finding is not there any more; nothing was accepted"));
            }
            let accepted = view.session.accept(&view.look.target.real, &changes);
            let names = accepted.map_err(|error| Refused::failed(&error.to_string()))?.join(", ");
            let said = format!("{}: accepted: {names}; no byte changed", view.look.target.name);
            Ok(Done { said: crate::report::visible(&said).into_owned(), has_declared: true })
        }
        SHOW_HISTORY => {
            #[derive(Deserialize)]
            struct Where {
                line: u32,
            }
            let Where { line } = serde_json::from_value(what).map_err(|error| Refused::params(&error))?;
            let start = view.offset(Position { line, character: 0 });
            let end = view.offset(Position { line, character: u32::MAX });
            let is_here = |head: crate::text::TextRange| (start..=end).contains(&head.start());
            let seen = view.look.records.iter().find(|seen| is_here(seen.head));
            let said = seen.and_then(|seen| hover::line(view, seen));
            said.map(|said| Done { said, has_declared: false }).ok_or_else(|| Refused::failed("no fact stands here any more"))
        }
        _ => Err(Refused::failed(&format!("there is no command `{name}`"))),
    }
}
