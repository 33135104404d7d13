//! Where the settings of agents lie: an agent and a scope come in, files go out, each with what belongs into it.

use super::super::Agent;
use super::pieces::{self, Piece};
use super::{SettingsError, Setup};
use crate::app::Session;
use crate::app::hook::in_path;
use std::env;
use std::path::PathBuf;

/// Whose settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Scope {
    /// The project's, which its repository holds
    Project,
    /// Your own, for all projects
    User,
    /// Your own, for this project (Claude Code only)
    Local,
}

/// How a settings file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// JSON, perhaps with comments and trailing commas.
    Json,
    /// TOML.
    Toml,
}

/// A settings file and what belongs into it.
pub(super) struct Place {
    pub(super) path: PathBuf,
    pub(super) form: Form,
    pub(super) pieces: Vec<Piece>,
}

/// The settings files of an agent.
pub(super) fn of(session: &Session, setup: Setup) -> Result<Vec<Place>, SettingsError> {
    let Setup { agent, scope, hooks_only } = setup;
    if scope == Scope::Local && agent != Agent::Claude {
        return Err(SettingsError::Nowhere(format!("{} has no settings of scope `local`; take `project` or `user`", agent.name())));
    }
    let folder = match agent {
        Agent::Claude => ".claude",
        Agent::Codex => ".codex",
        Agent::Cursor => ".cursor",
        Agent::Gemini => ".gemini",
    };
    let top = if scope == Scope::User { home()? } else { project(session, folder) };
    let moved = match agent {
        Agent::Claude => env::var_os("CLAUDE_CONFIG_DIR"),
        Agent::Codex => env::var_os("CODEX_HOME"),
        _ => None,
    };
    let moved = moved.map(PathBuf::from).filter(|path| scope == Scope::User && path.is_absolute());
    let folder = moved.unwrap_or_else(|| top.join(folder));
    let program = program(scope);
    let hooks = pieces::hooks(agent, &program);
    let json = |path: PathBuf, pieces| Place { path, form: Form::Json, pieces };
    let server = |object| server(object, scope, &program).filter(|_| !hooks_only);
    let only = |path: PathBuf, piece: Option<Piece>| piece.map(|piece| json(path, vec![piece]));
    Ok(match agent {
        Agent::Claude => {
            let name = if scope == Scope::Local { "settings.local.json" } else { "settings.json" };
            // The servers of a person stand in a file that Claude Code writes all the time; its own command has to do that.
            let server = server("mcpServers").filter(|_| scope == Scope::Project);
            [Some(json(folder.join(name), hooks)), only(top.join(".mcp.json"), server)].into_iter().flatten().collect()
        }
        Agent::Codex => {
            let toml = |pieces| Place { path: folder.join("config.toml"), form: Form::Toml, pieces };
            let server = server("mcp_servers");
            // Codex warns of hooks in both files.
            if folder.join("hooks.json").is_file() {
                [Some(json(folder.join("hooks.json"), hooks)), server.map(|server| toml(vec![server]))].into_iter().flatten().collect()
            } else {
                vec![toml(hooks.into_iter().chain(server).collect())]
            }
        }
        Agent::Cursor => [Some(json(folder.join("hooks.json"), hooks)), only(folder.join("mcp.json"), server("mcpServers"))]
            .into_iter()
            .flatten()
            .collect(),
        Agent::Gemini => vec![json(folder.join("settings.json"), hooks.into_iter().chain(server("mcpServers")).collect())],
    })
}

#[cfg(feature = "mcp")]
fn server(object: &'static str, _scope: Scope, program: &str) -> Option<Piece> {
    Some(pieces::server(object, program.trim_matches('"')))
}

#[cfg(not(feature = "mcp"))]
fn server(_object: &'static str, _scope: Scope, _program: &str) -> Option<Piece> {
    None
}

fn home() -> Result<PathBuf, SettingsError> {
    let home = env::home_dir().filter(|home| home.is_absolute());
    home.ok_or_else(|| SettingsError::Nowhere("there is no home folder; set HOME".to_owned()))
}

/// The top of the project: the current folder where it has settings of the agent, else the top of the repository, else the current
/// folder.
fn project(session: &Session, folder: &str) -> PathBuf {
    let here = std::fs::canonicalize(&session.cwd).unwrap_or_else(|_| session.cwd.clone());
    if here.join(folder).is_dir() {
        return session.cwd.clone();
    }
    session.repositories.of(&here).map_or_else(|| session.cwd.clone(), |repository| repository.root().to_owned())
}

/// memfile as a shell finds it. Settings of a project are for everyone who has it, so no path of one machine goes into them.
fn program(scope: Scope) -> String {
    let name = "memfile".to_owned();
    if scope == Scope::Project || in_path().is_some() {
        return name;
    }
    let Ok(own) = env::current_exe() else { return name };
    let own = own.to_string_lossy().into_owned();
    if own.contains(char::is_whitespace) { format!("\"{own}\"") } else { own }
}
