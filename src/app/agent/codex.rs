//! OpenAI Codex: the events of Claude Code, but files are edited by one tool, `apply_patch`, whose paths stand in the patch.

use super::event::{Event, Touch};
use super::payload::{Command, Payload};
use super::{claude, patch};

/// The event of a call.
pub(super) fn event(mut payload: Payload) -> Option<Event> {
    let moment = claude::moment(&payload)?;
    let original = payload.original();
    let mut tool = payload.tool_input.take().unwrap_or_default();
    let command = tool.command.take().map(Command::line);
    let of_file: Vec<Touch> = tool.touch(false, original).into_iter().collect();
    // A shell may be asked to run `apply_patch` as well; what it does is seen from the patch it is given.
    let patched = command.as_deref().filter(|line| line.contains("*** Begin Patch")).map_or(Vec::new(), patch::touches);
    let is_shell = payload.tool_name.as_deref() != Some("apply_patch") && patched.is_empty();
    let touches = of_file.into_iter().chain(patched).collect();
    Some(payload.into_event(moment, touches, command.filter(|_| is_shell)))
}
