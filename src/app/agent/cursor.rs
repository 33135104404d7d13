//! Cursor: `preToolUse`, `postToolUse`, `afterFileEdit`, the events around shell commands, `sessionStart`, `stop` and `sessionEnd`;
//! also under the names of Claude Code, whose settings Cursor reads as well.

use super::event::{Event, Moment, Verdict};
use super::payload::{Command, Payload};
use serde::Serialize;

/// The event of a call.
pub(super) fn event(mut payload: Payload) -> Option<Event> {
    let name = payload.hook_event_name.as_deref()?;
    let moment = match name {
        "preToolUse" | "PreToolUse" | "beforeShellExecution" => Moment::Before,
        "postToolUse" | "PostToolUse" | "afterFileEdit" | "afterShellExecution" => Moment::After,
        "sessionStart" | "SessionStart" => Moment::Start,
        "stop" | "Stop" => Moment::TurnEnd,
        "sessionEnd" | "SessionEnd" => Moment::SessionEnd,
        _ => return None,
    };
    // These carry what they are about beside the other fields, and what is answered to them reaches no model for certain.
    let is_deaf = matches!(name, "afterFileEdit" | "afterShellExecution");
    let beside = is_deaf || name == "beforeShellExecution";
    let mut tool = if beside { std::mem::take(&mut payload.own) } else { payload.tool_input.take().unwrap_or_default() };
    let is_shell = beside || matches!(payload.tool_name.as_deref(), Some("Shell" | "Bash"));
    let command = tool.command.take().filter(|_| is_shell).map(Command::line);
    let is_edit = beside || matches!(payload.tool_name.as_deref(), Some("Write" | "Edit" | "MultiEdit" | "StrReplace"));
    let is_delete = payload.tool_name.as_deref() == Some("Delete");
    let mut touch = tool.touch(is_edit || is_delete, None);
    if let Some(touch) = touch.as_mut().filter(|_| is_delete) {
        touch.change = super::event::Change::Delete;
    }
    let event = payload.into_event(moment, touch.into_iter().collect(), command);
    Some(Event { is_deaf, ..event })
}

/// What Cursor reads from stdout.
#[derive(Serialize, Default)]
struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    permission: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_context: Option<String>,
}

/// The answer to an event. Before a tool every answer but a denial is silence: Cursor would take it for a permission, or block on
/// a field that it does not know. At the end there is no way to speak but to start another turn.
pub(super) fn answer(event: &Event, verdict: Verdict) -> Option<String> {
    let answer = match (event.moment, verdict) {
        (Moment::Before, Verdict::Deny(reason)) => {
            Answer { permission: Some("deny"), user_message: Some(reason.clone()), agent_message: Some(reason), ..Answer::default() }
        }
        (Moment::After, Verdict::Tell(text)) => Answer { additional_context: Some(text), ..Answer::default() },
        _ => return None,
    };
    serde_json::to_string(&answer).ok()
}
