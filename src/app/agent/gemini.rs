//! Gemini CLI: `BeforeTool`, `AfterTool`, `SessionStart` and `SessionEnd`.

use super::event::{Event, Moment, Verdict};
use super::payload::{Command, Payload};
use serde::Serialize;

/// The event of a call.
pub(super) fn event(mut payload: Payload) -> Option<Event> {
    let moment = match payload.hook_event_name.as_deref()? {
        "BeforeTool" => Moment::Before,
        "AfterTool" => Moment::After,
        "SessionStart" => Moment::Start,
        "SessionEnd" => Moment::SessionEnd,
        _ => return None,
    };
    let original = payload.original();
    let mut tool = payload.tool_input.take().unwrap_or_default();
    let command = tool.command.take().filter(|_| payload.tool_name.as_deref() == Some("run_shell_command")).map(Command::line);
    let is_edit = matches!(payload.tool_name.as_deref(), Some("write_file" | "replace"));
    let touches = tool.touch(is_edit, original).into_iter().collect();
    Some(payload.into_event(moment, touches, command))
}

/// What Gemini CLI reads from stdout.
#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
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
    additional_context: String,
}

/// The answer to an event.
pub(super) fn answer(event: &Event, verdict: Verdict) -> Option<String> {
    let answer = match verdict {
        Verdict::Silent => return None,
        Verdict::Deny(reason) if event.moment == Moment::Before => {
            Answer { decision: Some("deny"), reason: Some(reason), ..Answer::default() }
        }
        Verdict::Tell(text) if event.moment == Moment::After => {
            let output = Output { hook_event_name: event.name.clone(), additional_context: text };
            Answer { hook_specific_output: Some(output), ..Answer::default() }
        }
        Verdict::Tell(text) | Verdict::Warn(text) | Verdict::Deny(text) => Answer { system_message: Some(text), ..Answer::default() },
    };
    serde_json::to_string(&answer).ok()
}
