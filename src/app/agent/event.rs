//! One call of a hook, whoever made it, and what is answered.

use super::patch::Hunk;
use std::path::PathBuf;

/// An agent whose hooks are understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Agent {
    /// Claude Code
    Claude,
    /// OpenAI Codex
    Codex,
    /// Cursor
    Cursor,
    /// Gemini CLI
    Gemini,
}

impl Agent {
    /// All of them, in the order in which they are set up.
    pub const ALL: [Self; 4] = [Self::Claude, Self::Codex, Self::Cursor, Self::Gemini];

    /// The word on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Cursor => "cursor",
            Self::Gemini => "gemini",
        }
    }

    /// The name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Claude => "Claude Code",
            Self::Codex => "Codex",
            Self::Cursor => "Cursor",
            Self::Gemini => "Gemini CLI",
        }
    }

    /// The agent that a word means.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|agent| agent.as_str() == word)
    }
}

/// When a hook is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Moment {
    /// A session begins.
    Start,
    /// A tool is about to run.
    Before,
    /// A tool has run.
    After,
    /// The agent has ended its turn.
    TurnEnd,
    /// The session is over.
    SessionEnd,
}

/// One call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Event {
    /// The event's name as the agent wrote it.
    pub(super) name: String,
    pub(super) moment: Moment,
    /// The folder that paths are relative to.
    pub(super) cwd: Option<PathBuf>,
    /// The session, as the agent names it.
    pub(super) session: String,
    /// The tool, as the agent names it; empty for events without one.
    pub(super) tool: String,
    /// The files that the tool is known to touch.
    pub(super) touches: Vec<Touch>,
    /// The command line of a shell tool.
    pub(super) command: Option<String>,
    /// The hook runs again because of what a hook said.
    pub(super) is_repeat: bool,
    /// The agent is known to drop what is told it after this event.
    pub(super) is_deaf: bool,
}

/// A file that a tool touches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Touch {
    /// The path as the agent wrote it.
    pub(super) path: String,
    /// What is done to the file.
    pub(super) change: Change,
    /// The whole text before, where the payload has it.
    pub(super) original: Option<String>,
}

/// What a tool does to a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Change {
    /// The file gets this text.
    Whole(String),
    /// Parts are replaced, one after the other.
    Parts(Vec<Part>),
    /// Parts are replaced by a patch.
    Patch(Vec<Hunk>),
    /// The file goes.
    Delete,
    /// The payload does not say.
    Unknown,
}

/// One part of a file that is replaced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Part {
    pub(super) old: String,
    pub(super) new: String,
    /// Everywhere, not once.
    pub(super) all: bool,
}

impl Change {
    /// The text after, if it can be told.
    pub(super) fn apply(&self, text: &str) -> Option<String> {
        match self {
            Self::Whole(new) => Some(new.clone()),
            Self::Delete => Some(String::new()),
            Self::Unknown => None,
            Self::Patch(hunks) => super::patch::apply(text, hunks),
            Self::Parts(parts) => {
                let mut text = text.to_owned();
                for part in parts {
                    if part.old.is_empty() || !text.contains(&part.old) {
                        return None;
                    }
                    text = if part.all { text.replace(&part.old, &part.new) } else { text.replacen(&part.old, &part.new, 1) };
                }
                Some(text)
            }
        }
    }

    /// The text before, if it can be told from the text after without doubt: each new part stands there once.
    pub(super) fn revert(&self, text: &str) -> Option<String> {
        let Self::Parts(parts) = self else { return None };
        let mut text = text.to_owned();
        for part in parts.iter().rev() {
            if part.all || part.new.is_empty() || text.matches(&part.new).count() != 1 {
                return None;
            }
            text = text.replacen(&part.new, &part.old, 1);
        }
        Some(text)
    }
}

/// What is answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// Nothing.
    Silent,
    /// Something that the model should know.
    Tell(String),
    /// The tool must not run, and why.
    Deny(String),
    /// Something that the person should know.
    Warn(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(old: &str, new: &str) -> Part {
        Part { old: old.into(), new: new.into(), all: false }
    }

    #[test]
    fn an_edit_is_taken_back_only_where_it_is_certain() {
        let change = Change::Parts(vec![part("MySQL 8", "Postgres 16"), part("core", "data")]);
        let (before, after) = ("DB: MySQL 8\nTeam: core\n", "DB: Postgres 16\nTeam: data\n");
        assert_eq!(change.apply(before).as_deref(), Some(after));
        assert_eq!(change.revert(after).as_deref(), Some(before));
        assert_eq!(change.revert("DB: Postgres 16\nDB: Postgres 16\nTeam: data\n"), None);
        assert_eq!(Change::Parts(vec![part("gone", "")]).revert(after), None);
        assert_eq!(change.apply("other"), None);
        assert_eq!(Change::Whole("x".into()).revert("x"), None);
    }
}
