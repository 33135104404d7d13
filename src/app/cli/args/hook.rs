//! The arguments of `hook`, `uninstall` and `doctor`.

use super::{AnswerFormat, FailOn};
use chrono::NaiveDate;
use clap::{Args as ClapArgs, Subcommand};
use std::path::PathBuf;

#[derive(ClapArgs)]
pub(in crate::app::cli) struct HookArgs {
    #[command(subcommand)]
    pub(in crate::app::cli) command: HookCommand,
}

#[derive(Subcommand)]
pub(in crate::app::cli) enum HookCommand {
    /// Let git run memfile before each commit; a hook that is there stays and runs too
    Install(HookInstallArgs),
    /// Judge what is staged; what the hook runs
    Run(HookRunArgs),
    /// Tell which hooks run memfile; exit 1 if not all do
    Status(HookStatusArgs),
    /// Take out what `install` put in, byte for byte
    Remove(HookRemoveArgs),
}

#[derive(ClapArgs)]
pub(in crate::app::cli) struct HookInstallArgs {
    /// Also where core.hooksPath leads to a folder that other repositories use
    #[arg(long)]
    pub(in crate::app::cli) shared: bool,
    /// Also make memfile git's merge driver for memory files: lines in .gitattributes, settings of this repository
    #[arg(long)]
    pub(in crate::app::cli) merge: bool,
}

#[derive(ClapArgs)]
pub(in crate::app::cli) struct HookRunArgs {
    /// Compare with a revision [default: PRE_COMMIT_FROM_REF, else HEAD]
    #[arg(long, value_name = "REV")]
    pub(in crate::app::cli) base: Option<String>,
    /// The least severity that stops the commit [default: error]
    #[arg(long, value_name = "SEVERITY")]
    pub(in crate::app::cli) fail_on: Option<FailOn>,
    /// Only judge; fix nothing in the work tree
    #[arg(long)]
    pub(in crate::app::cli) no_fix: bool,
    /// Print the repair of the staged texts as a patch that `git apply --cached` takes; write nothing
    #[arg(long)]
    pub(in crate::app::cli) diff: bool,
    /// The day to judge on [default: SOURCE_DATE_EPOCH, else today]
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(in crate::app::cli) today: Option<NaiveDate>,
    /// As prepare-commit-msg hook: add the Memfile-Accept trailers that are due to the message in FILE
    #[arg(long, value_name = "FILE", conflicts_with_all = ["base", "fail_on", "no_fix", "diff"])]
    pub(in crate::app::cli) message: Option<PathBuf>,
    /// As commit-msg hook: empty the message in FILE if it holds nothing but such trailers
    #[arg(long, value_name = "FILE", conflicts_with_all = ["base", "fail_on", "no_fix", "diff", "message"])]
    pub(in crate::app::cli) edited: Option<PathBuf>,
    /// With --message: where the message comes from, as git tells the hook
    #[arg(requires = "message")]
    pub(in crate::app::cli) source: Option<String>,
    /// With --message: the commit it was taken from
    #[arg(requires = "message")]
    pub(in crate::app::cli) commit: Option<String>,
}

#[derive(ClapArgs)]
pub(in crate::app::cli) struct HookStatusArgs {
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text, value_name = "FORMAT")]
    pub(in crate::app::cli) format: AnswerFormat,
}

#[derive(ClapArgs)]
pub(in crate::app::cli) struct HookRemoveArgs {
    /// Also where core.hooksPath leads to a folder that other repositories use
    #[arg(long)]
    pub(in crate::app::cli) shared: bool,
}

#[derive(ClapArgs)]
pub(in crate::app::cli) struct DoctorArgs {
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text, value_name = "FORMAT")]
    pub(in crate::app::cli) format: AnswerFormat,
}
