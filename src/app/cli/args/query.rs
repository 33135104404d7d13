//! The arguments of the commands that only read.

use chrono::NaiveDate;
use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

/// What all queries share.
#[derive(ClapArgs)]
pub(in crate::app::cli) struct ReadArgs {
    /// The memory file [default: the one with managed text below the current folder]
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::app::cli) file: Option<PathBuf>,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text, value_name = "FORMAT")]
    pub(in crate::app::cli) format: AnswerFormat,
    /// The day to answer on [default: SOURCE_DATE_EPOCH, else today]
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(in crate::app::cli) today: Option<NaiveDate>,
}

#[derive(ClapArgs)]
pub(in crate::app::cli) struct NowArgs {
    /// A fact (PARAMETER or SUBJECT/PARAMETER) [default: all]
    pub(in crate::app::cli) key: Option<String>,
    #[command(flatten)]
    pub(in crate::app::cli) read: ReadArgs,
}

#[derive(ClapArgs)]
pub(in crate::app::cli) struct HistoryArgs {
    /// A fact (PARAMETER or SUBJECT/PARAMETER)
    pub(in crate::app::cli) key: String,
    /// Which clock orders the versions
    #[arg(long, value_enum, default_value_t = Order::Effective, value_name = "CLOCK")]
    pub(in crate::app::cli) order: Order,
    /// Values that only the git history of the file has, too; nothing is written
    #[arg(long)]
    pub(in crate::app::cli) git: bool,
    #[command(flatten)]
    pub(in crate::app::cli) read: ReadArgs,
}

#[derive(ClapArgs)]
pub(in crate::app::cli) struct AsOfArgs {
    /// The day; of a month or a year the last one
    pub(in crate::app::cli) date: String,
    /// A fact (PARAMETER or SUBJECT/PARAMETER) [default: all]
    pub(in crate::app::cli) key: Option<String>,
    /// What was true on that day, or what the memory believed
    #[arg(long, value_enum, default_value_t = Order::Effective, value_name = "CLOCK")]
    pub(in crate::app::cli) clock: Order,
    #[command(flatten)]
    pub(in crate::app::cli) read: ReadArgs,
}

#[derive(ClapArgs)]
pub(in crate::app::cli) struct DiffArgs {
    /// The first day
    pub(in crate::app::cli) from: String,
    /// The second day
    pub(in crate::app::cli) to: String,
    /// What was true on these days, or what the memory believed
    #[arg(long, value_enum, default_value_t = Order::Effective, value_name = "CLOCK")]
    pub(in crate::app::cli) clock: Order,
    #[command(flatten)]
    pub(in crate::app::cli) read: ReadArgs,
}

#[derive(ClapArgs)]
pub(in crate::app::cli) struct SearchArgs {
    /// Words of a parameter, subject, value or reason
    #[arg(required = true)]
    pub(in crate::app::cli) words: Vec<String>,
    #[command(flatten)]
    pub(in crate::app::cli) read: ReadArgs,
}

#[derive(ClapArgs)]
pub(in crate::app::cli) struct WhyArgs {
    /// A fact (PARAMETER or SUBJECT/PARAMETER)
    pub(in crate::app::cli) key: String,
    #[command(flatten)]
    pub(in crate::app::cli) read: ReadArgs,
}

#[derive(ClapArgs)]
pub(in crate::app::cli) struct PresentArgs {
    /// Rank the facts by the words of a question
    #[arg(short, long, value_name = "QUESTION")]
    pub(in crate::app::cli) question: Option<String>,
    /// At most this many records
    #[arg(long, default_value_t = 15, value_name = "N")]
    pub(in crate::app::cli) limit: usize,
    /// At most this many tokens, by an upper estimate: the larger of words and characters / 4
    #[arg(long, value_name = "N")]
    pub(in crate::app::cli) max_tokens: Option<usize>,
    /// Add the rules for answering
    #[arg(long)]
    pub(in crate::app::cli) rules: bool,
    /// How tags are printed
    #[arg(long, value_enum, default_value_t = TagForm::Bare, value_name = "FORM")]
    pub(in crate::app::cli) tags: TagForm,
    #[command(flatten)]
    pub(in crate::app::cli) read: ReadArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::app::cli) enum AnswerFormat {
    /// For people
    Text,
    /// For programs
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::app::cli) enum Order {
    /// When it was true
    Effective,
    /// When the memory learned it
    Recorded,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::app::cli) enum TagForm {
    /// The status word only
    Bare,
    /// As the file has them
    Full,
}
