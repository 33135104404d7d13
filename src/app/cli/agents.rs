//! `init --agent`: memfile in the settings of agents, and out of them again.

use super::args::agent::AgentsArgs;
use super::{CLEAN, Ended, FAILED, say};
use crate::app::Session;
use crate::app::agent::Agent;
use crate::app::agent::settings::{Done, Scope, Setup, install, remove};
use crate::app::hook::in_path;
use crate::report::visible;

/// `memfile init --agent …`
pub(super) fn run(session: &Session, args: &AgentsArgs) -> Ended {
    let mut code = CLEAN;
    let mut changed = false;
    for agent in args.agents() {
        let setup = Setup { agent, scope: args.scope, hooks_only: args.hooks_only };
        let done = if args.remove { remove(session, setup) } else { install(session, setup) };
        match done {
            // The others are set up all the same.
            Err(error) => {
                say(&format!("memfile: {}: {}", agent.name(), visible(&error.to_string())));
                code = FAILED;
            }
            Ok(files) => {
                if files.is_empty() {
                    say(&format!("{}: nothing of memfile's is there", agent.name()));
                }
                for file in &files {
                    let what = match (file.done, args.remove) {
                        (Done::Made, _) => "made, with memfile's entries",
                        (Done::Changed, false) => "memfile's entries were added",
                        (Done::Changed, true) => "memfile's entries were taken out",
                        (Done::Unchanged, false) => "has memfile's entries already; nothing changed",
                        (Done::Unchanged, true) => "holds nothing of memfile's; nothing changed",
                        (Done::Removed, _) => "removed, as it held nothing else",
                    };
                    say(&format!("{}: {what} ({})", visible(&file.name), agent.name()));
                    changed |= file.done != Done::Unchanged;
                }
                if !args.remove {
                    hint(agent, args, files.iter().any(|file| file.done != Done::Unchanged));
                }
            }
        }
    }
    if changed && !args.remove && args.scope == Scope::Project && in_path().is_none() {
        say("memfile is not on the PATH: the hooks call it by its name, so put it there");
    }
    Ok(code)
}

/// What a person still has to do.
fn hint(agent: Agent, args: &AgentsArgs, changed: bool) {
    if !changed {
        return;
    }
    match agent {
        Agent::Claude if args.scope != Scope::Project && !args.hooks_only && cfg!(feature = "mcp") => {
            say("next: `claude mcp add --scope user memfile -- memfile mcp` registers the MCP server; Claude Code keeps those itself");
        }
        Agent::Codex => say("next: Codex asks once whether to trust the hooks (`/hooks`); settings of a project count in trusted projects"),
        _ => {}
    }
}
