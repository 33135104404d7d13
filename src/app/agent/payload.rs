//! What all agents send: the fields that they share, which agent it is, and what a tool is given.
//!
//! Each field is read by itself: one of another type than expected counts as missing, so that a new version of an agent costs a
//! field and not the hook.

use super::event::{Agent, Change, Event, Part, Touch};
use super::{claude, codex, cursor, gemini};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// The fields of a call.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Payload {
    #[serde(deserialize_with = "lenient")]
    pub(super) hook_event_name: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) session_id: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) conversation_id: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) cwd: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) workspace_roots: Option<Vec<String>>,
    #[serde(deserialize_with = "lenient")]
    pub(super) cursor_version: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) turn_id: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) tool_name: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) tool_input: Option<Tool>,
    #[serde(deserialize_with = "lenient")]
    pub(super) tool_response: Option<Response>,
    #[serde(deserialize_with = "lenient")]
    pub(super) stop_hook_active: Option<bool>,
    /// Cursor puts what its events are about beside the rest.
    #[serde(flatten)]
    pub(super) own: Tool,
}

/// What a tool is given.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Tool {
    #[serde(deserialize_with = "lenient")]
    file_path: Option<String>,
    #[serde(deserialize_with = "lenient")]
    path: Option<String>,
    #[serde(deserialize_with = "lenient")]
    content: Option<String>,
    #[serde(deserialize_with = "lenient")]
    contents: Option<String>,
    #[serde(deserialize_with = "lenient")]
    old_string: Option<String>,
    #[serde(deserialize_with = "lenient")]
    new_string: Option<String>,
    #[serde(deserialize_with = "lenient")]
    replace_all: Option<bool>,
    #[serde(deserialize_with = "lenient")]
    edits: Option<Vec<Edit>>,
    #[serde(deserialize_with = "lenient")]
    pub(super) command: Option<Command>,
}

/// One of several edits.
#[derive(Deserialize)]
struct Edit {
    old_string: String,
    new_string: String,
    #[serde(default)]
    replace_all: bool,
}

/// A command line, or its words.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Command {
    Line(String),
    Words(Vec<String>),
}

/// What a tool gave back.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Response {
    /// Claude Code: the whole text before an edit.
    #[serde(rename = "originalFile", deserialize_with = "lenient")]
    pub(super) original_file: Option<String>,
    /// Gemini CLI: what the person is shown.
    #[serde(rename = "returnDisplay", deserialize_with = "lenient")]
    pub(super) return_display: Option<Display>,
}

/// What Gemini CLI shows of an edit.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Display {
    #[serde(rename = "originalContent", deserialize_with = "lenient")]
    pub(super) original_content: Option<String>,
}

fn lenient<'de, T: DeserializeOwned, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    Value::deserialize(deserializer).map(|value| serde_json::from_value(value).ok())
}

/// Reads a call. Nothing comes back for an event that means nothing to memfile.
///
/// # Errors
/// What is no JSON object, in words.
pub(super) fn read(named: Option<Agent>, input: &[u8]) -> Result<Option<(Agent, Event)>, String> {
    let payload: Payload = serde_json::from_slice(input).map_err(|error| error.to_string())?;
    let agent = agent(named, &payload);
    let event = match agent {
        Agent::Claude => claude::event(payload),
        Agent::Codex => codex::event(payload),
        Agent::Cursor => cursor::event(payload),
        Agent::Gemini => gemini::event(payload),
    };
    Ok(event.map(|event| (agent, event)))
}

/// Who calls. Cursor also runs the hooks of Claude Code's settings, with payloads of its own: what only it sends decides before the
/// command line does.
fn agent(named: Option<Agent>, payload: &Payload) -> Agent {
    if payload.cursor_version.is_some() || payload.conversation_id.is_some() {
        return Agent::Cursor;
    }
    let guessed = match payload.hook_event_name.as_deref() {
        Some("BeforeTool" | "AfterTool" | "BeforeAgent" | "AfterAgent") => Agent::Gemini,
        Some(name) if name.starts_with(|c: char| c.is_ascii_lowercase()) => Agent::Cursor,
        _ if payload.turn_id.is_some() || payload.tool_name.as_deref() == Some("apply_patch") => Agent::Codex,
        _ => Agent::Claude,
    };
    named.unwrap_or(guessed)
}

impl Payload {
    /// The parts that every event has.
    pub(super) fn into_event(self, moment: super::event::Moment, touches: Vec<Touch>, command: Option<String>) -> Event {
        let folder = self.cwd.or_else(|| self.workspace_roots.and_then(|roots| roots.into_iter().next()));
        Event {
            name: self.hook_event_name.unwrap_or_default(),
            moment,
            cwd: folder.map(Into::into),
            session: self.session_id.or(self.conversation_id).unwrap_or_default(),
            tool: self.tool_name.unwrap_or_default(),
            touches,
            command,
            is_repeat: self.stop_hook_active.unwrap_or_default(),
            is_deaf: false,
        }
    }

    /// The whole text before an edit, where the agent sends it.
    pub(super) fn original(&mut self) -> Option<String> {
        let response = self.tool_response.take()?;
        response.original_file.or_else(|| response.return_display?.original_content)
    }
}

impl Tool {
    /// The file that is touched, by what the tool is given and not by its name: tools of other makers write files, too. `is_edit` is
    /// the agent's word that the tool changes the file that it names.
    pub(super) fn touch(self, is_edit: bool, original: Option<String>) -> Option<Touch> {
        let path = self.file_path.or(self.path)?;
        let change = if let Some(text) = self.content.or(self.contents) {
            Change::Whole(text)
        } else if let Some(edits) = self.edits {
            let part = |edit: Edit| Part { old: edit.old_string, new: edit.new_string, all: edit.replace_all };
            Change::Parts(edits.into_iter().map(part).collect())
        } else if let (Some(old), Some(new)) = (self.old_string, self.new_string) {
            Change::Parts(vec![Part { old, new, all: self.replace_all.unwrap_or_default() }])
        } else if is_edit {
            Change::Unknown
        } else {
            return None;
        };
        Some(Touch { path, change, original })
    }
}

impl Command {
    pub(super) fn line(self) -> String {
        match self {
            Self::Line(line) => line,
            Self::Words(words) => words.join(" "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::event::Moment;
    use super::*;

    fn read_text(text: &str) -> Option<(Agent, Event)> {
        read(None, text.as_bytes()).expect("JSON")
    }

    #[test]
    fn agents_are_told_apart() {
        let agent = |text: &str| read_text(text).map(|(agent, event)| (agent, event.moment));
        let claude = r#"{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"a","content":"b"}}"#;
        assert_eq!(agent(claude), Some((Agent::Claude, Moment::Before)));
        let codex =
            r#"{"hook_event_name":"PostToolUse","turn_id":"1","tool_name":"apply_patch","tool_input":{"command":"*** Update File: a"}}"#;
        assert_eq!(agent(codex), Some((Agent::Codex, Moment::After)));
        let cursor = r#"{"hook_event_name":"afterFileEdit","conversation_id":"1","file_path":"a","edits":[]}"#;
        assert_eq!(agent(cursor), Some((Agent::Cursor, Moment::After)));
        let gemini =
            r#"{"hook_event_name":"AfterTool","tool_name":"replace","tool_input":{"file_path":"a","old_string":"b","new_string":"c"}}"#;
        assert_eq!(agent(gemini), Some((Agent::Gemini, Moment::After)));
        let by_cursor = r#"{"hook_event_name":"PostToolUse","cursor_version":"2","tool_name":"Write","tool_input":{"file_path":"a"}}"#;
        assert_eq!(read(Some(Agent::Claude), by_cursor.as_bytes()).expect("JSON").map(|(agent, _)| agent), Some(Agent::Cursor));
    }

    #[test]
    fn a_field_of_another_type_is_missing_and_no_more() {
        let text = r#"{"hook_event_name":"PreToolUse","session_id":7,"cwd":[],"tool_name":"Edit","tool_input":{"file_path":"a","old_string":"b","new_string":"c","replace_all":"yes"},"tool_response":"x"}"#;
        let (_, event) = read_text(text).expect("an event");
        assert_eq!((event.session.as_str(), event.touches.len()), ("", 1));
        assert_eq!(
            read_text(r#"{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":7}}"#)
                .map(|(_, event)| event.touches),
            Some(vec![])
        );
        assert!(read_text(r#"{"hook_event_name":3}"#).is_none());
        assert!(read(None, b"[]").is_err());
        assert!(read(None, b"{\"a\":").is_err());
    }
}
