//! What is put into settings: for each agent its hooks, in the form in which it reads them, and the MCP server.

use super::super::Agent;
use serde_json::{Value, json};
use std::path::Path;

/// How long an agent waits for a hook, in seconds; an answer takes milliseconds.
const TIMEOUT: u64 = 10;
/// The name of the MCP server.
const SERVER: &str = "memfile";

/// One thing that is put in.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Piece {
    /// An element of the array at a path of keys.
    Element {
        /// The keys.
        path: [&'static str; 2],
        /// The element.
        value: Value,
    },
    /// A property of the object under a key.
    // Only servers are properties.
    #[cfg_attr(not(feature = "mcp"), allow(dead_code))]
    Property {
        /// The key.
        object: &'static str,
        /// The property's name.
        name: &'static str,
        /// Its value.
        value: Value,
    },
    /// A property of the top that the file must have; it is no use by itself.
    Frame {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: Value,
    },
}

/// The hooks of an agent. `program` is memfile as a shell finds it.
pub(super) fn hooks(agent: Agent, program: &str) -> Vec<Piece> {
    let command = format!("{program} agent-hook --agent {}", agent.as_str());
    let events: &[(&'static str, Option<&str>)] = match agent {
        Agent::Claude => &[
            ("PreToolUse", Some("Write|Edit|MultiEdit|Bash")),
            ("PostToolUse", Some("Write|Edit|MultiEdit|Bash")),
            ("SessionStart", None),
            ("Stop", None),
            ("SessionEnd", None),
        ],
        Agent::Codex => &[
            ("PreToolUse", Some("^(apply_patch|Bash)$")),
            ("PostToolUse", Some("^(apply_patch|Bash)$")),
            ("SessionStart", None),
            ("Stop", None),
        ],
        Agent::Cursor => &[
            ("preToolUse", Some("Write|Delete|Shell")),
            ("postToolUse", Some("Write|Delete|Shell")),
            ("afterFileEdit", None),
            ("sessionStart", None),
            ("sessionEnd", None),
        ],
        Agent::Gemini => &[
            ("BeforeTool", Some("write_file|replace|run_shell_command")),
            ("AfterTool", Some("write_file|replace|run_shell_command")),
            ("SessionStart", None),
            ("SessionEnd", None),
        ],
    };
    let element = |(event, matcher): &(&'static str, Option<&str>)| {
        let mut value = match agent {
            Agent::Claude | Agent::Codex => json!({ "hooks": [{ "type": "command", "command": command, "timeout": TIMEOUT }] }),
            // Milliseconds.
            Agent::Gemini => {
                json!({ "hooks": [{ "name": SERVER, "type": "command", "command": command, "timeout": TIMEOUT * 1000 }] })
            }
            Agent::Cursor => json!({ "command": command, "timeout": TIMEOUT }),
        };
        if let (Some(matcher), Some(object)) = (matcher, value.as_object_mut()) {
            object.shift_insert(0, "matcher".to_owned(), json!(matcher));
        }
        Piece::Element { path: ["hooks", event], value }
    };
    let frame = (agent == Agent::Cursor).then(|| Piece::Frame { name: "version", value: json!(1) });
    frame.into_iter().chain(events.iter().map(element)).collect()
}

/// The MCP server under the key that an agent reads.
#[cfg(feature = "mcp")]
pub(super) fn server(object: &'static str, program: &str) -> Piece {
    Piece::Property { object, name: SERVER, value: json!({ "command": program, "args": ["mcp"] }) }
}

/// True for a command line that calls this program's hook, whoever wrote it: `memfile agent-hook …`, perhaps with a path.
pub(super) fn is_own_hook(command: &str) -> bool {
    let Some((program, rest)) = command.split_once(" agent-hook") else { return false };
    (rest.is_empty() || rest.starts_with(' ')) && is_own_program(program.trim().trim_matches(['"', '\'']))
}

/// True for a server that is this program's.
pub(super) fn is_own_server(value: &Value) -> bool {
    value["command"].as_str().is_some_and(is_own_program) && value["args"] == json!(["mcp"])
}

fn is_own_program(program: &str) -> bool {
    // A path of another system, too.
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    Path::new(name).file_stem().is_some_and(|stem| stem == "memfile")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_hooks_are_ours() {
        for own in [
            "memfile agent-hook",
            "memfile agent-hook --agent claude",
            "\"/opt/my tools/memfile\" agent-hook",
            "C:\\bin\\memfile.exe agent-hook --agent codex",
        ] {
            assert!(is_own_hook(own), "{own}");
        }
        for other in ["memfile agent-hooks", "echo memfile agent-hook", "notmemfile agent-hook", "memfile check", "x; memfile-agent-hook"] {
            assert!(!is_own_hook(other), "{other}");
        }
        assert!(is_own_server(&json!({ "command": "memfile", "args": ["mcp"] })));
        assert!(!is_own_server(&json!({ "command": "npx", "args": ["mcp"] })));
    }
}
