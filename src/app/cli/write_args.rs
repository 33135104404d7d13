//! The arguments of the commands that write, as clap reads them.

use chrono::NaiveDate;
use clap::Args as ClapArgs;
use std::path::PathBuf;

/// Which file, on which day.
#[derive(ClapArgs, Clone)]
pub(super) struct Where {
    /// The memory file [default: the one with managed text below the current folder]
    #[arg(short, long, value_name = "FILE")]
    pub(super) file: Option<PathBuf>,
    /// The day to write on [default: SOURCE_DATE_EPOCH, else today]
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(super) today: Option<NaiveDate>,
}

#[derive(ClapArgs)]
pub(super) struct SetArgs {
    #[command(flatten)]
    pub(super) fact: FactArgs,
    /// Of a parameter with several values: this one holds, all others have ended
    #[arg(long)]
    pub(super) only: bool,
}

#[derive(ClapArgs)]
pub(super) struct FactArgs {
    /// The fact: PARAMETER, or SUBJECT/PARAMETER
    pub(super) key: String,
    /// Its value
    #[arg(allow_hyphen_values = true)]
    pub(super) value: String,
    /// Whose parameter it is
    #[arg(long, value_name = "SUBJECT")]
    pub(super) subject: Option<String>,
    /// Who said it, and when
    #[arg(long, value_name = "SOURCE")]
    pub(super) source: Option<String>,
    /// When it became true; a day to come makes it scheduled
    #[arg(long, value_name = "DATE")]
    pub(super) since: Option<String>,
    /// Why it changed
    #[arg(long, value_name = "TEXT")]
    pub(super) reason: Option<String>,
    #[command(flatten)]
    pub(super) place: Where,
}

#[derive(ClapArgs)]
pub(super) struct EndArgs {
    /// The fact: PARAMETER, or SUBJECT/PARAMETER
    pub(super) key: String,
    /// Which of its values
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub(super) value: Option<String>,
    /// The day of the end [default: today]
    #[arg(long, value_name = "DATE")]
    pub(super) as_of: Option<String>,
    /// Why it ended
    #[arg(long, value_name = "TEXT")]
    pub(super) reason: Option<String>,
    #[command(flatten)]
    pub(super) place: Where,
}

#[derive(ClapArgs)]
pub(super) struct CorrectArgs {
    /// The fact: PARAMETER, or SUBJECT/PARAMETER
    pub(super) key: String,
    /// What is true instead
    #[arg(allow_hyphen_values = true)]
    pub(super) new: Option<String>,
    /// Which of its values was never true [default: the one that holds]
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub(super) value: Option<String>,
    /// The day of the correction [default: today]
    #[arg(long, value_name = "DATE")]
    pub(super) as_of: Option<String>,
    #[command(flatten)]
    pub(super) place: Where,
}

#[derive(ClapArgs)]
pub(super) struct ReopenArgs {
    /// The fact: PARAMETER, or SUBJECT/PARAMETER
    pub(super) key: String,
    /// Which of its values holds again
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub(super) value: Option<String>,
    /// The day of the correction [default: today]
    #[arg(long, value_name = "DATE")]
    pub(super) as_of: Option<String>,
    #[command(flatten)]
    pub(super) place: Where,
}

#[derive(ClapArgs)]
pub(super) struct RewordArgs {
    /// The fact: PARAMETER, or SUBJECT/PARAMETER
    pub(super) key: String,
    /// The value in better words
    #[arg(allow_hyphen_values = true)]
    pub(super) value: String,
    /// Which of its values, in its present words [default: the one that holds]
    #[arg(long = "value", value_name = "VALUE", allow_hyphen_values = true)]
    pub(super) which: Option<String>,
    #[command(flatten)]
    pub(super) place: Where,
}

#[derive(ClapArgs)]
pub(super) struct RenameArgs {
    /// The fact: PARAMETER, or SUBJECT/PARAMETER
    pub(super) key: String,
    /// The parameter's new name
    pub(super) new: String,
    #[command(flatten)]
    pub(super) place: Where,
}

#[derive(ClapArgs)]
pub(super) struct EraseArgs {
    /// The fact: PARAMETER, or SUBJECT/PARAMETER; or the place of a record: FILE:LINE
    #[arg(value_name = "KEY|FILE:LINE")]
    pub(super) key: String,
    /// Which of its values
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub(super) value: Option<String>,
    /// It is meant
    #[arg(long)]
    pub(super) yes: bool,
    #[command(flatten)]
    pub(super) place: Where,
}

#[derive(ClapArgs)]
pub(super) struct RestoreArgs {
    /// Only this fact: PARAMETER, or SUBJECT/PARAMETER
    pub(super) key: Option<String>,
    /// Where from: a revision or a file [default: HEAD; outside git the text that the last fix accepted]
    #[arg(long, value_name = "REV|PATH")]
    pub(super) base: Option<String>,
    #[command(flatten)]
    pub(super) place: Where,
}

#[derive(ClapArgs)]
pub(super) struct ArchiveArgs {
    /// How many historical versions of each fact stay [default: `keep` of the configuration, else 0]
    #[arg(long, value_name = "N")]
    pub(super) keep: Option<usize>,
    #[command(flatten)]
    pub(super) place: Where,
}

#[derive(ClapArgs)]
pub(super) struct BackfillArgs {
    /// Print what would come back; write nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    #[command(flatten)]
    pub(super) place: Where,
}
