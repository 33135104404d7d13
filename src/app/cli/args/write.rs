//! The arguments of the commands that write, as clap reads them.

use chrono::NaiveDate;
use clap::Args as ClapArgs;
use std::path::PathBuf;

/// Which file, on which day.
#[derive(ClapArgs, Clone)]
pub(in crate::app::cli) struct Where {
    /// The memory file [default: the one with managed text below the current folder]
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::app::cli) file: Option<PathBuf>,
    /// The day [default: SOURCE_DATE_EPOCH, else today]
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(in crate::app::cli) today: Option<NaiveDate>,
}

#[derive(ClapArgs)]
pub(in crate::app::cli) struct SetArgs {
    #[command(flatten)]
    pub(in crate::app::cli) fact: FactArgs,
    /// Of a parameter with several values: this one holds, all others have ended
    #[arg(long)]
    pub(in crate::app::cli) only: bool,
}

#[derive(ClapArgs)]
pub(in crate::app::cli) struct FactArgs {
    /// The fact: PARAMETER, or SUBJECT/PARAMETER
    pub(in crate::app::cli) key: String,
    /// Its value
    #[arg(allow_hyphen_values = true)]
    pub(in crate::app::cli) value: String,
    /// Whose parameter it is
    #[arg(long, value_name = "SUBJECT")]
    pub(in crate::app::cli) subject: Option<String>,
    /// Who said it, and when
    #[arg(long, value_name = "SOURCE")]
    pub(in crate::app::cli) source: Option<String>,
    /// When it became true; a day to come makes it scheduled
    #[arg(long, value_name = "DATE")]
    pub(in crate::app::cli) since: Option<String>,
    /// Why it changed
    #[arg(long, value_name = "TEXT")]
    pub(in crate::app::cli) reason: Option<String>,
    #[command(flatten)]
    pub(in crate::app::cli) place: Where,
}

#[derive(ClapArgs)]
pub(in crate::app::cli) struct EndArgs {
    /// The fact: PARAMETER, or SUBJECT/PARAMETER
    pub(in crate::app::cli) key: String,
    /// Which of its values
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub(in crate::app::cli) value: Option<String>,
    /// The day of the end [default: today]
    #[arg(long, value_name = "DATE")]
    pub(in crate::app::cli) as_of: Option<String>,
    /// Why it ended
    #[arg(long, value_name = "TEXT")]
    pub(in crate::app::cli) reason: Option<String>,
    #[command(flatten)]
    pub(in crate::app::cli) place: Where,
}

#[derive(ClapArgs)]
pub(in crate::app::cli) struct CorrectArgs {
    /// The fact: PARAMETER, or SUBJECT/PARAMETER
    pub(in crate::app::cli) key: String,
    /// What is true instead
    #[arg(allow_hyphen_values = true)]
    pub(in crate::app::cli) new: Option<String>,
    /// Which of its values was never true [default: the one that holds]
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub(in crate::app::cli) value: Option<String>,
    /// The day of the correction [default: today]
    #[arg(long, value_name = "DATE")]
    pub(in crate::app::cli) as_of: Option<String>,
    #[command(flatten)]
    pub(in crate::app::cli) place: Where,
}

#[derive(ClapArgs)]
pub(in crate::app::cli) struct ReopenArgs {
    /// The fact: PARAMETER, or SUBJECT/PARAMETER
    pub(in crate::app::cli) key: String,
    /// Which of its values holds again
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub(in crate::app::cli) value: Option<String>,
    /// The day of the correction [default: today]
    #[arg(long, value_name = "DATE")]
    pub(in crate::app::cli) as_of: Option<String>,
    #[command(flatten)]
    pub(in crate::app::cli) place: Where,
}

#[derive(ClapArgs)]
pub(in crate::app::cli) struct RewordArgs {
    /// The fact: PARAMETER, or SUBJECT/PARAMETER
    pub(in crate::app::cli) key: String,
    /// The value in better words
    #[arg(allow_hyphen_values = true)]
    pub(in crate::app::cli) value: String,
    /// Which of its values, in its present words [default: the one that holds]
    #[arg(long = "value", value_name = "VALUE", allow_hyphen_values = true)]
    pub(in crate::app::cli) which: Option<String>,
    #[command(flatten)]
    pub(in crate::app::cli) place: Where,
}

#[derive(ClapArgs)]
pub(in crate::app::cli) struct RenameArgs {
    /// The fact: PARAMETER, or SUBJECT/PARAMETER
    pub(in crate::app::cli) key: String,
    /// The parameter's new name
    pub(in crate::app::cli) new: String,
    #[command(flatten)]
    pub(in crate::app::cli) place: Where,
}

#[derive(ClapArgs)]
pub(in crate::app::cli) struct EraseArgs {
    /// The fact: PARAMETER, or SUBJECT/PARAMETER; or the place of a record: FILE:LINE
    #[arg(value_name = "KEY|FILE:LINE")]
    pub(in crate::app::cli) key: String,
    /// Which of its values
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub(in crate::app::cli) value: Option<String>,
    /// It is meant
    #[arg(long)]
    pub(in crate::app::cli) yes: bool,
    #[command(flatten)]
    pub(in crate::app::cli) place: Where,
}

#[derive(ClapArgs)]
pub(in crate::app::cli) struct RestoreArgs {
    /// Only this fact: PARAMETER, or SUBJECT/PARAMETER
    pub(in crate::app::cli) key: Option<String>,
    /// Where from: a revision or a file [default: HEAD; outside git the text that the last fix accepted]
    #[arg(long, value_name = "REV|PATH")]
    pub(in crate::app::cli) base: Option<String>,
    #[command(flatten)]
    pub(in crate::app::cli) place: Where,
}

#[derive(ClapArgs)]
pub(in crate::app::cli) struct ArchiveArgs {
    /// How many historical versions of each fact stay [default: `keep` of the configuration, else 0]
    #[arg(long, value_name = "N")]
    pub(in crate::app::cli) keep: Option<usize>,
    #[command(flatten)]
    pub(in crate::app::cli) place: Where,
}

#[derive(ClapArgs)]
pub(in crate::app::cli) struct BackfillArgs {
    /// Print what would come back; write nothing
    #[arg(long)]
    pub(in crate::app::cli) dry_run: bool,
    #[command(flatten)]
    pub(in crate::app::cli) place: Where,
}
