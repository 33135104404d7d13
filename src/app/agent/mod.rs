//! The hooks of coding agents: the JSON of one call comes in, an answer in the same agent's protocol goes out.
//!
//! `payload` reads what all agents send; `claude`, `codex`, `cursor` and `gemini` know what is special to each, and turn it into one
//! `Event`; `before`, `after` and `ending` judge it through [`Session`] and give one `Verdict`, which the same four files write
//! down. `docs/agents.md` says which versions of the protocols were followed.
//!
//! A hook must never break the agent it serves: what is not understood is passed over in silence, and where memfile itself fails it
//! says so to the person and lets the agent go on. It denies, and it tells; it never grants.

mod after;
mod before;
mod claude;
mod codex;
mod cursor;
mod ending;
mod event;
mod gemini;
mod installed;
mod locate;
mod patch;
mod payload;
pub mod settings;
mod sight;
mod words;

pub use event::Agent;
pub(in crate::app) use installed::INSTALLATION;

use super::Session;
use crate::io::clock;
use event::{Event, Moment, Verdict};
use std::path::PathBuf;

/// The largest input that is read, in bytes; no edit of a memory file is larger.
pub const LIMIT: u64 = 64 << 20;

/// What the process prints.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reply {
    /// The answer in the agent's protocol, one JSON object; nothing where there is nothing to say.
    pub answer: Option<String>,
    /// A word for the person, for stderr.
    pub note: Option<String>,
}

/// Answers one call. `named` is the agent as the command line names it, `cwd` the folder of the process, where the payload names
/// none.
pub fn respond(named: Option<Agent>, input: &[u8], cwd: PathBuf) -> Reply {
    if input.iter().all(u8::is_ascii_whitespace) {
        return Reply::default();
    }
    let (agent, event) = match payload::read(named, input) {
        Ok(Some(event)) => event,
        Ok(None) => return Reply::default(),
        Err(error) => return Reply { answer: None, note: Some(format!("agent-hook: the input is not understood: {error}")) },
    };
    let cwd = event.cwd.clone().filter(|folder| folder.is_absolute() && folder.is_dir()).unwrap_or(cwd);
    let verdict = judge(agent, &event, &Session::new(cwd));
    let said = match &verdict {
        Verdict::Warn(text) | Verdict::Tell(text) => Some(text.clone()),
        Verdict::Silent | Verdict::Deny(_) => None,
    };
    let is_warning = matches!(verdict, Verdict::Warn(_));
    let answer = match agent {
        Agent::Claude | Agent::Codex => claude::answer(&event, verdict),
        Agent::Cursor => cursor::answer(&event, verdict),
        Agent::Gemini => gemini::answer(&event, verdict),
    };
    // What the protocol has no place for is said to the person at least.
    let note = said.filter(|_| is_warning || answer.is_none());
    Reply { answer, note }
}

fn judge(agent: Agent, event: &Event, session: &Session) -> Verdict {
    let today = match clock::today(None) {
        Ok(today) => today,
        Err(error) => return Verdict::Warn(format!("memfile did nothing: {error}")),
    };
    match event.moment {
        Moment::Before => before::judge(session, event, today),
        Moment::After => after::judge(session, agent, event, today),
        Moment::Start => ending::start(session, event),
        Moment::TurnEnd | Moment::SessionEnd => ending::judge(session, event, today),
    }
}
