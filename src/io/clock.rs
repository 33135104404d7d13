//! The clock: an option or the environment comes in, a day goes out. Only `app` asks; everything below gets the day as a
//! parameter, so that the same input gives the same bytes.

use super::IoError;
use chrono::{DateTime, Local, NaiveDate};

/// The variable that fixes the day from outside, see <https://reproducible-builds.org/specs/source-date-epoch/>.
const EPOCH: &str = "SOURCE_DATE_EPOCH";

/// Today: `option`, else the UTC day of `SOURCE_DATE_EPOCH`, else the local calendar day.
///
/// # Errors
/// [`IoError::Variable`] where `SOURCE_DATE_EPOCH` is needed and is no number of seconds.
pub fn today(option: Option<NaiveDate>) -> Result<NaiveDate, IoError> {
    match option {
        Some(day) => Ok(day),
        None => Ok(fixed(epoch().as_deref())?.map_or_else(|| Local::now().date_naive(), |time| time.date_naive())),
    }
}

/// Now, in seconds since 1970 UTC: `SOURCE_DATE_EPOCH`, else the clock. For the journal.
///
/// # Errors
/// As [`today`].
pub fn now() -> Result<i64, IoError> {
    Ok(fixed(epoch().as_deref())?.map_or_else(|| Local::now().timestamp(), |time| time.timestamp()))
}

fn epoch() -> Option<String> {
    let value = std::env::var_os(EPOCH)?;
    Some(value.to_string_lossy().into_owned())
}

/// The moment that a value of `SOURCE_DATE_EPOCH` stands for. An empty value counts as unset, as in a shell's `VAR= cmd`.
fn fixed(value: Option<&str>) -> Result<Option<DateTime<chrono::Utc>>, IoError> {
    let Some(value) = value.filter(|value| !value.is_empty()) else {
        return Ok(None);
    };
    let time = value.trim().parse().ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    time.map(Some).ok_or_else(|| IoError::Variable { path: EPOCH.into(), value: value.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_wins_and_the_epoch_is_a_utc_day() {
        let day = NaiveDate::from_ymd_opt(2026, 11, 29);
        assert_eq!(today(day).ok(), day);
        let time = fixed(Some("1795953600")).expect("a number");
        assert_eq!(time.map(|time| time.date_naive()), day);
        assert_eq!(fixed(Some("")).expect("unset"), None);
        assert!(fixed(Some("soon")).expect_err("no number").to_string().contains("SOURCE_DATE_EPOCH"));
        assert!(fixed(Some("99999999999999999")).is_err());
    }
}
