//! The arguments of `serve`.

use chrono::NaiveDate;
use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(ClapArgs)]
pub(in crate::app::cli) struct ServeArgs {
    /// Files and folders [default: the memory files below the current folder]
    pub(in crate::app::cli) paths: Vec<PathBuf>,
    /// The port on 127.0.0.1 [default: one that is free]
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    pub(in crate::app::cli) port: u16,
    /// Fixes can be applied from the pages; without it nothing is written
    #[arg(long)]
    pub(in crate::app::cli) write: bool,
    /// The day to answer on [default: SOURCE_DATE_EPOCH, else today]
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(in crate::app::cli) today: Option<NaiveDate>,
}
