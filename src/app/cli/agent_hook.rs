//! `agent-hook`: one call of an agent's hook on stdin, its answer on stdout.
//!
//! Whatever happens, the exit code is 0: an agent takes 2 for a denial, and denials are said in the answer.

use super::args::agent::AgentHookArgs;
use super::{CLEAN, Ended, print, say};
use crate::app::agent::{Agent, LIMIT, Reply, respond};
use crate::report::visible;
use std::io::{IsTerminal, Read, stdin};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// `memfile agent-hook`
pub(super) fn run(args: &AgentHookArgs, cwd: PathBuf) -> Ended {
    let reply = match read() {
        Ok(input) => {
            let named = args.agent.as_deref().and_then(Agent::of);
            // A defect of memfile must not stop the agent's work.
            catch_unwind(AssertUnwindSafe(|| respond(named, &input, cwd))).unwrap_or_default()
        }
        Err(note) => Reply { answer: None, note: Some(note) },
    };
    if let Some(note) = reply.note {
        say(&format!("memfile: {}", visible(&note)));
    }
    if let Some(answer) = reply.answer {
        // Nobody is left to tell.
        let _ = print(format!("{answer}\n").as_bytes());
    }
    Ok(CLEAN)
}

fn read() -> Result<Vec<u8>, String> {
    if stdin().is_terminal() {
        return Err("agent-hook is called by an agent, with JSON on its input; `memfile init --agent claude` sets it up".to_owned());
    }
    let mut input = Vec::new();
    let read = stdin().lock().take(LIMIT + 1).read_to_end(&mut input);
    read.map_err(|error| format!("agent-hook: the input cannot be read: {error}"))?;
    if input.len() as u64 > LIMIT {
        return Err("agent-hook: the input is too large to be an edit of a memory file; nothing was checked".to_owned());
    }
    Ok(input)
}
