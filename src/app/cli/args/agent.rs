//! The arguments of `agent-hook`, and those of `init` that are about agents.

use crate::app::agent::Agent;
use crate::app::agent::settings::Scope;
use clap::Args as ClapArgs;

/// Nothing here may make clap fail: its exit code 2 would be taken for a denial by the agent that calls.
#[derive(ClapArgs)]
pub(crate) struct AgentHookArgs {
    /// The agent that calls: claude, codex, cursor or gemini [default: told from the input]
    #[arg(long, num_args = 0..=1, overrides_with = "agent", value_name = "AGENT")]
    pub(crate) agent: Option<String>,
    /// What other versions of memfile may have put into the settings
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    rest: Vec<String>,
}

/// Agents that `init` sets up.
#[derive(ClapArgs)]
pub(crate) struct AgentsArgs {
    /// Set up the hooks of an agent, and the MCP server, in its settings: claude, codex, cursor, gemini, or all
    #[arg(long, value_name = "AGENT", value_delimiter = ',', conflicts_with = "file")]
    pub(crate) agent: Vec<Wanted>,
    /// Whose settings: the project's, your own, or your own for this project (Claude Code only)
    #[arg(long, value_enum, default_value_t = Scope::Project, requires = "agent")]
    pub(crate) scope: Scope,
    /// Take out exactly what was put in
    #[arg(long, requires = "agent")]
    pub(crate) remove: bool,
    /// The hooks alone, without the MCP server
    #[arg(long, requires = "agent")]
    pub(crate) hooks_only: bool,
}

/// One agent, or all.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    One(Agent),
    All,
}

impl std::str::FromStr for Wanted {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        match word {
            "all" => Ok(Self::All),
            word => Agent::of(word).map(Self::One).ok_or_else(|| "known are claude, codex, cursor, gemini and all".to_owned()),
        }
    }
}

impl AgentsArgs {
    /// The agents, each once.
    pub(crate) fn agents(&self) -> Vec<Agent> {
        Agent::ALL
            .into_iter()
            .filter(|agent| self.agent.iter().any(|wanted| matches!(wanted, Wanted::All) || *wanted == Wanted::One(*agent)))
            .collect()
    }
}
