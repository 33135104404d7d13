//! The commands that only read: `now`, `history`, `as-of`, `diff`, `search`, `why`, `present`.

mod ask;
mod show;

pub(super) use ask::{as_of, diff, history, now, search, why};
pub(super) use show::present;

use super::args::{AnswerFormat, ReadArgs};
use super::{CLEAN, Ended, FOUND, print, say};
use crate::app::{Read, ReadError, Session, Wanted};
use crate::io::clock;
use crate::report::queries::{Fresh, freshness};
use crate::syntax::date::{Date, Written, read_whole};

/// Reads the file and hands it to `answer`; a key that means nothing is said and ends with 1.
fn with_file<'a>(
    session: &Session,
    args: &'a ReadArgs,
    wanted: impl FnOnce(Wanted<'a>) -> Wanted<'a>,
    answer: impl FnOnce(&mut Read) -> Result<String, String>,
) -> Ended {
    let today = clock::today(args.today).map_err(|error| error.to_string())?;
    let plain = Wanted { file: args.file.as_deref(), key: None, git: false, statements: false, today };
    let mut read = match session.read(&wanted(plain)) {
        Ok(read) => read,
        Err(ReadError::Key(error)) => {
            say(&format!("memfile: {}", crate::report::visible(&error.to_string())));
            return Ok(FOUND);
        }
        Err(error) => return Err(error.to_string()),
    };
    let text = answer(&mut read)?;
    print(text.as_bytes())?;
    if args.format == AnswerFormat::Text {
        let name = read.freshness.file.as_str();
        if read.is_managed || read.freshness.pending > 0 {
            say(&freshness(fresh(&read)));
        } else {
            say(&format!("{name}: no managed text; `memfile adopt {name} --heading HEADING` puts a section under memfile's care"));
        }
    }
    Ok(CLEAN)
}

fn fresh(read: &Read) -> Fresh<'_> {
    let freshness = &read.freshness;
    Fresh {
        file: &freshness.file,
        text: &freshness.text,
        base: freshness.base.as_deref(),
        pending: freshness.pending,
        is_current: freshness.pending == 0,
    }
}

/// A date on the command line, in any form that a file may hold.
fn date(read: &Read, text: &str) -> Result<Date, String> {
    match read_whole(text, read.found.config.date_order) {
        Some(Written::Date(date)) => Ok(date),
        Some(Written::Ambiguous) => Err(format!("`{text}`: which field is the day? Write it as YYYY-MM-DD")),
        Some(Written::Yearless) => Err(format!("`{text}` has no year")),
        _ => Err(format!("`{text}` is no date; write it as YYYY, YYYY-MM or YYYY-MM-DD")),
    }
}
