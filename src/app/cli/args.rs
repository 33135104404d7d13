//! The arguments, as clap reads them.

pub(super) mod agent;
mod hook;
mod later;
#[cfg(feature = "lsp")]
pub(super) mod lsp;
#[cfg(feature = "mcp")]
mod mcp;
pub(super) mod merge;
mod query;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "watch")]
mod watch;
pub(super) mod write;

pub(super) use hook::{DoctorArgs, HookArgs, HookCommand, HookInstallArgs, HookRemoveArgs, HookRunArgs, HookStatusArgs};
use later::Later;
pub(super) use query::{
    AnswerFormat, AsOfArgs, DiffArgs, HistoryArgs, NowArgs, Order, PresentArgs, ReadArgs, SearchArgs, TagForm, WhyArgs,
};
#[cfg(feature = "serve")]
pub(super) use serve::ServeArgs;
#[cfg(feature = "watch")]
pub(super) use watch::{WatchArgs, WatchFormat};

use crate::report::Format;
use chrono::NaiveDate;
use clap::{ArgAction, Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Keeps the facts in an agent's memory file true over time.
#[derive(Parser)]
#[command(name = "memfile", version, about, long_about = LONG, max_term_width = 100, arg_required_else_help = true)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Command,
}

const LONG: &str = "Keeps the facts in an agent's memory file (AGENTS.md, CLAUDE.md, MEMORY.md, …) true over time.

A fact that changed is not erased: the old value stays, tagged [historical] with what replaced it and when; the current value \
carries no tag and stands at the bottom of its group. memfile edits only managed text: a section under \"## Project memory\", a \
<Memory> element, or what `memfile adopt` marks.";

#[derive(Subcommand)]
pub(super) enum Command {
    /// Report what breaks the rules; write nothing
    Check(Later<CheckArgs>),
    /// Repair what can be repaired, with the smallest diff
    Fix(Later<FixArgs>),
    /// Keep files true while agents, editors and git write them
    #[cfg(feature = "watch")]
    Watch(Later<WatchArgs>),
    /// Give a fact a new value; the old one stays as history
    Set(Later<write::SetArgs>),
    /// Add a new fact, or one more value of a parameter with several
    Add(Later<write::FactArgs>),
    /// Say that a value holds no more, and nothing replaces it
    End(Later<write::EndArgs>),
    /// Say that a value was never true
    Correct(Later<write::CorrectArgs>),
    /// Take back an end, or a change that was none
    Reopen(Later<write::ReopenArgs>),
    /// Put the same fact in better words; no history
    Reword(Later<write::RewordArgs>),
    /// Give a parameter another name, in all versions
    Rename(Later<write::RenameArgs>),
    /// Take a slip or a double out as if never written
    Drop(Later<write::EraseArgs>),
    /// Erase a value everywhere; one `[redacted]` record stays
    Forget(Later<write::EraseArgs>),
    /// Move old history to NAME.history.md beside the file
    Archive(Later<write::ArchiveArgs>),
    /// Bring back versions that were overwritten before memfile came, from git
    Backfill(Later<write::BackfillArgs>),
    /// What the loaders of agents read of the file, and which facts fall outside
    Budget(Later<write::Where>),
    /// Bring back what the file lost against its baseline, as it was
    Restore(Later<write::RestoreArgs>),
    /// Take back the last step that wrote a file, byte for byte
    Undo(Later<write::Where>),
    /// Show what memfile wrote, step by step, with the old and the new text
    Log(Later<write::Where>),
    /// What holds now
    Now(Later<NowArgs>),
    /// All versions of a fact, oldest first
    History(Later<HistoryArgs>),
    /// What was true on a day, or what the memory believed
    AsOf(Later<AsOfArgs>),
    /// What changed between two days
    Diff(Later<DiffArgs>),
    /// Find facts by words
    Search(Later<SearchArgs>),
    /// Source, commit, author and reason of a fact
    Why(Later<WhyArgs>),
    /// The block of facts for a model
    Present(Later<PresentArgs>),
    /// Merge three versions of a file by records: git's merge driver
    Merge(Later<merge::MergeArgs>),
    /// Say that a change was meant: its findings go, no byte changes
    Accept(Later<AcceptArgs>),
    /// Make the section under a heading managed text
    Adopt(Later<AdoptArgs>),
    /// Add a section for facts, with the rules for agents; with --agent set up the hooks of agents
    Init(Later<InitArgs>),
    /// Hang memfile into git's commits
    Hook(HookArgs),
    /// Take out all that memfile installed here: git hooks and what else it hung in
    Uninstall,
    /// Look whether all that memfile needs is in order; exit 1 with what to mend
    Doctor(Later<DoctorArgs>),
    /// Serve editors: findings, fixes, history, completion (language server)
    #[cfg(feature = "lsp")]
    Lsp(Later<lsp::LspArgs>),
    /// Look at the facts in a browser: board, timelines, findings, journal
    #[cfg(feature = "serve")]
    Serve(Later<ServeArgs>),
    /// Answer a hook of a coding agent: JSON on stdin, an answer on stdout
    AgentHook(Later<agent::AgentHookArgs>),
    /// Print the page of a rule
    Explain(Later<ExplainArgs>),
    /// Print the settings that hold here, and where they come from
    Config(Later<ConfigArgs>),
    /// Print the JSON Schema of memfile.toml
    Schema,
    /// Print a completion script for a shell
    #[cfg(feature = "comforts")]
    Completions(Later<CompletionsArgs>),
    /// Serve the memory files to agents (Model Context Protocol)
    #[cfg(feature = "mcp")]
    Mcp(Later<mcp::McpArgs>),
    /// Print the manual pages (roff), or write them to a folder
    #[cfg(feature = "comforts")]
    Man(Later<ManArgs>),
}

/// What `check` and `fix` share.
#[derive(ClapArgs, Clone)]
pub(super) struct JudgeArgs {
    /// Files and folders; `-` reads standard input [default: the memory files below the current folder]
    pub(super) paths: Vec<PathBuf>,
    /// Compare with a revision, a file, or `none` [default: HEAD; outside git the text that the last fix accepted]
    #[arg(long, value_name = "REV|PATH|none")]
    pub(super) base: Option<String>,
    /// Treat all text of the named files as managed, for this run
    #[arg(long)]
    pub(super) whole_file: bool,
    /// Where nothing orders two values, the last one holds
    #[arg(long, value_name = "WHICH")]
    pub(super) prefer: Option<Prefer>,
    /// Only these findings
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(super) select: Vec<String>,
    /// Not these findings
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(super) ignore: Vec<String>,
    /// The day to judge on [default: SOURCE_DATE_EPOCH, else today]
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(super) today: Option<NaiveDate>,
    /// Form of the report
    #[arg(long, value_enum, default_value_t = Format::Full, value_name = "FORMAT")]
    pub(super) output_format: Format,
    /// Name of the file on standard input
    #[arg(long, value_name = "PATH")]
    pub(super) stdin_filename: Option<PathBuf>,
    /// Count the findings of each rule instead of listing them
    #[arg(long)]
    pub(super) statistics: bool,
    /// The least severity that makes the exit code 1 [default: warning]
    #[arg(long, value_name = "SEVERITY")]
    pub(super) fail_on: Option<FailOn>,
    /// Exit 0 even if findings remain
    #[arg(long)]
    pub(super) exit_zero: bool,
    /// Apply fixes that a person should look at, too
    #[arg(long)]
    pub(super) unsafe_fixes: bool,
}

#[derive(ClapArgs)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    pub(super) judge: JudgeArgs,
}

#[derive(ClapArgs)]
pub(super) struct FixArgs {
    #[command(flatten)]
    pub(super) judge: JudgeArgs,
    /// Print the repair as a patch that `git apply` takes; write nothing
    #[arg(long)]
    pub(super) diff: bool,
    /// Write nothing; exit 1 if something would change
    #[arg(long)]
    pub(super) check: bool,
    /// Exit 1 if something was fixed
    #[arg(long, action = ArgAction::SetTrue)]
    pub(super) exit_non_zero_on_fix: bool,
}

#[derive(ClapArgs)]
pub(super) struct AcceptArgs {
    /// A fact (PARAMETER or SUBJECT/PARAMETER), a place (FILE:LINE), or a whole FILE
    #[arg(value_name = "KEY|FILE:LINE|FILE")]
    pub(super) what: String,
    /// The memory file [default: the one with managed text below the current folder]
    #[arg(short, long, value_name = "FILE")]
    pub(super) file: Option<PathBuf>,
    /// What the change is measured against, as in `check --base`
    #[arg(long, value_name = "REV|PATH")]
    pub(super) base: Option<String>,
}

#[derive(ClapArgs)]
pub(super) struct AdoptArgs {
    /// The memory file
    pub(super) file: PathBuf,
    /// The heading whose section becomes managed
    #[arg(long, value_name = "TEXT")]
    pub(super) heading: String,
    /// The day to judge on [default: SOURCE_DATE_EPOCH, else today]
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(super) today: Option<NaiveDate>,
}

#[derive(ClapArgs)]
pub(super) struct InitArgs {
    /// The memory file
    #[arg(default_value = "AGENTS.md")]
    pub(super) file: PathBuf,
    /// Language of the heading and the rules
    #[arg(long, value_enum)]
    pub(super) language: Option<Language>,
    #[command(flatten)]
    pub(super) agents: agent::AgentsArgs,
}

#[derive(ClapArgs)]
pub(super) struct ExplainArgs {
    /// A rule; all of them in a list where it is left out
    pub(super) rule: Option<String>,
}

#[derive(ClapArgs)]
pub(super) struct ConfigArgs {
    /// The file or folder that the settings are for
    #[arg(default_value = ".")]
    pub(super) path: PathBuf,
}

#[cfg(feature = "comforts")]
#[derive(ClapArgs)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(super) shell: clap_complete::Shell,
}

#[cfg(feature = "comforts")]
#[derive(ClapArgs)]
pub(super) struct ManArgs {
    /// Write a page for each command to this folder
    #[arg(long, value_name = "FOLDER")]
    pub(super) dir: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Prefer {
    /// The one that stands last in the file
    Last,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Language {
    /// English
    En,
    /// Russian
    Ru,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    Error,
    Warning,
    Hint,
}
