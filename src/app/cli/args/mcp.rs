//! The arguments of `mcp`.

use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(ClapArgs)]
pub(in crate::app::cli) struct McpArgs {
    /// The folder whose memory files are served; nothing outside is read or written [default: the current folder]
    #[arg(long, value_name = "DIR")]
    pub(in crate::app::cli) root: Option<PathBuf>,
    /// Leave out the tools that write
    #[arg(long)]
    pub(in crate::app::cli) read_only: bool,
}
