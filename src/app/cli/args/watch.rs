//! The arguments of `watch`, as clap reads them.

use chrono::NaiveDate;
use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

#[derive(ClapArgs)]
pub(in crate::app::cli) struct WatchArgs {
    /// Files and folders; they need not exist yet [default: the memory files below the current folder]
    pub(in crate::app::cli) paths: Vec<PathBuf>,
    /// How long a file must be left alone before memfile acts: 2, 2s, 500ms; 0 acts at once
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = duration)]
    pub(in crate::app::cli) quiet: Duration,
    /// Act once for what is there, then end with the exit code of `fix`; where nothing is there, wait for the first file
    #[arg(long)]
    pub(in crate::app::cli) once: bool,
    /// Tell what is found; write nothing
    #[arg(long)]
    pub(in crate::app::cli) report: bool,
    /// Look at the files from time to time instead of listening to the system: for network and container file systems
    #[arg(long)]
    pub(in crate::app::cli) poll: bool,
    /// The day to judge on [default: SOURCE_DATE_EPOCH, else today]
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(in crate::app::cli) today: Option<NaiveDate>,
    /// Form of what is told
    #[arg(long, visible_alias = "format", value_enum, default_value_t = WatchFormat::Full, value_name = "FORMAT")]
    pub(in crate::app::cli) output_format: WatchFormat,
}

/// What a watch tells, and how.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::app::cli) enum WatchFormat {
    /// Lines for people
    #[value(alias = "text", alias = "concise")]
    Full,
    /// One JSON object a line for each event
    #[value(alias = "jsonl")]
    Json,
}

/// `2`, `2s`, `1.5s`, `500ms`, `1m`.
fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = text.split_at(text.find(|char: char| char.is_ascii_alphabetic()).unwrap_or(text.len()));
    let scale = match unit {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        _ => return Err("write seconds (2, 2s), milliseconds (500ms) or minutes (1m)".to_owned()),
    };
    let seconds: f64 = number.trim().parse().map_err(|_| "write a number of seconds (2, 2s) or milliseconds (500ms)".to_owned())?;
    let day = 86_400.0;
    let seconds = seconds * scale;
    if (0.0..=day).contains(&seconds) { Ok(Duration::from_secs_f64(seconds)) } else { Err("write a time from 0 to a day".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn times_have_units() {
        let millis = |text: &str| duration(text).map(|time| time.as_millis());
        assert_eq!((millis("2"), millis("2s"), millis("500ms"), millis("0")), (Ok(2000), Ok(2000), Ok(500), Ok(0)));
        assert_eq!((millis("1.5s"), millis("1m")), (Ok(1500), Ok(60_000)));
        for wrong in ["", "s", "-1", "2h", "NaN", "inf", "1e9"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
