//! The arguments of the language server, as clap reads them.

use clap::Args as ClapArgs;

/// What editors put on the command line of every server. There is nothing to choose.
#[derive(ClapArgs)]
pub(in crate::app::cli) struct LspArgs {
    /// Speak over standard input and output; the only way there is
    #[arg(long)]
    pub(in crate::app::cli) stdio: bool,
    /// The editor's process; its end closes standard input, so it is not needed
    #[arg(long = "clientProcessId", value_name = "PID", hide = true)]
    pub(in crate::app::cli) client_process_id: Option<u32>,
}
