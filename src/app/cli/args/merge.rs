//! The arguments of `merge`.

use chrono::NaiveDate;
use clap::Args;
use std::path::PathBuf;

/// What git's placeholders give: `%O %A %B`, and perhaps `%L`, `%P`, `%S`, `%X`, `%Y`.
#[derive(Args)]
pub(in crate::app::cli) struct MergeArgs {
    /// The common ancestor's version (%O)
    pub(in crate::app::cli) base: PathBuf,
    /// Our version (%A); the result is written here
    pub(in crate::app::cli) ours: PathBuf,
    /// Their version (%B)
    pub(in crate::app::cli) theirs: PathBuf,
    /// Length of conflict markers (%L) [default: 7]
    #[arg(value_name = "SIZE")]
    pub(in crate::app::cli) size: Option<String>,
    /// The file that these are versions of (%P)
    #[arg(value_name = "FILE")]
    pub(in crate::app::cli) file: Option<PathBuf>,
    /// Length of conflict markers (%L)
    #[arg(long, value_name = "SIZE", conflicts_with = "size", allow_hyphen_values = true)]
    pub(in crate::app::cli) marker_size: Option<String>,
    /// The file that these are versions of (%P): its configuration holds
    #[arg(long, value_name = "FILE", conflicts_with = "file", allow_hyphen_values = true)]
    pub(in crate::app::cli) path: Option<PathBuf>,
    /// Words behind the marker of the common ancestor (%S)
    #[arg(long, value_name = "WORDS", allow_hyphen_values = true)]
    pub(in crate::app::cli) base_label: Option<String>,
    /// Words behind the marker of our side (%X)
    #[arg(long, value_name = "WORDS", allow_hyphen_values = true)]
    pub(in crate::app::cli) ours_label: Option<String>,
    /// Words behind the marker of their side (%Y)
    #[arg(long, value_name = "WORDS", allow_hyphen_values = true)]
    pub(in crate::app::cli) theirs_label: Option<String>,
    /// The day to judge on [default: SOURCE_DATE_EPOCH, else today]
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(in crate::app::cli) today: Option<NaiveDate>,
}
