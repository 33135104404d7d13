//! Claude Code: `PreToolUse`, `PostToolUse`, `SessionStart`, `Stop` and `SessionEnd`. Codex answers in the same words.

use super::event::{Event, Moment, Verdict};
use super::payload::{Command, Payload};
use serde::Serialize;

/// The moment of an event.
pub(super) fn moment(payload: &Payload) -> Option<Moment> {
    match payload.hook_event_name.as_deref()? {
        "PreToolUse" => Some(Moment::Before),
        "PostToolUse" => Some(Moment::After),
        "SessionStart" => Some(Moment::Start),
        "Stop" => Some(Moment::TurnEnd),
        "SessionEnd" => Some(Moment::SessionEnd),
        _ => None,
    }
}

/// The event of a call.
pub(super) fn event(mut payload: Payload) -> Option<Event> {
    let moment = moment(&payload)?;
    let original = payload.original();
    let mut tool = payload.tool_input.take().unwrap_or_default();
    let command = tool.command.take().filter(|_| payload.tool_name.as_deref() == Some("Bash")).map(Command::line);
    let is_edit = matches!(payload.tool_name.as_deref(), Some("Write" | "Edit" | "MultiEdit"));
    let touches = tool.touch(is_edit, original).into_iter().collect();
    Some(payload.into_event(moment, touches, command))
}

/// What Claude Code and Codex read from stdout.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hook_specific_output: Option<Output>,
}

/// The part of an answer that is for the event.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Output {
    hook_event_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_context: Option<String>,
}

/// The answer to an event.
pub(super) fn answer(event: &Event, verdict: Verdict) -> Option<String> {
    let output = |permission_decision, permission_decision_reason, additional_context| {
        let hook_event_name = event.name.clone();
        Some(Output { hook_event_name, permission_decision, permission_decision_reason, additional_context })
    };
    let is_tool = matches!(event.moment, Moment::Before | Moment::After);
    let (system_message, hook_specific_output) = match verdict {
        Verdict::Silent => return None,
        Verdict::Deny(reason) if event.moment == Moment::Before => (None, output(Some("deny"), Some(reason), None)),
        Verdict::Tell(text) if is_tool => (None, output(None, None, Some(text))),
        Verdict::Tell(text) | Verdict::Warn(text) | Verdict::Deny(text) => (Some(text), None),
    };
    serde_json::to_string(&Answer { system_message, hook_specific_output }).ok()
}
