//! How often to look without being told: what a look costs comes in, when the next one is due goes out.
//!
//! Events can be missed: a queue that overflows, a network file system, a folder that came and went. So all files are looked at from time
//! to time, by one `stat` each, and rarely the folders are searched anew. A thousand files and folders shall cost less than a ten-thousandth
//! of a processor; where the system has no room for watches, looking is all there is, and may cost ten times as much.

use super::settle::Millis;
use std::time::Duration;

/// The next looks.
#[derive(Debug)]
pub(super) struct Sweeps {
    /// When the files are looked at.
    pub(super) next: Millis,
    /// What the last search of the folders took, in milliseconds.
    pub(super) survey_cost: Millis,
    last_survey: Millis,
    micros: Millis,
}

impl Default for Sweeps {
    fn default() -> Self {
        // The first one learns how many files there are.
        Self { next: 1_000, survey_cost: 0, last_survey: 0, micros: 0 }
    }
}

impl Sweeps {
    /// The folders were searched.
    pub(super) fn surveyed(&mut self, cost: Duration, now: Millis) {
        self.micros = u64::try_from(cost.as_micros()).unwrap_or(u64::MAX / 32);
        self.survey_cost = self.micros / 1_000;
        self.last_survey = now;
    }

    /// The files were looked at; true where the folders should be searched, too.
    pub(super) fn swept(&mut self, now: Millis, files: usize, polling: bool) -> bool {
        let files = u64::try_from(files).unwrap_or(u64::MAX);
        let (files, survey) = match polling {
            true => ((files * 10).clamp(1_000, 60_000), self.micros.max(5_000)),
            false => ((files * 50).clamp(5_000, 300_000), (self.micros * 20).max(300_000)),
        };
        self.next = now + files;
        now >= self.last_survey + survey
    }
}

/// What to say where the system watches no more folders.
pub(super) fn out_of_room(error: &notify::Error) -> String {
    let is_full = match &error.kind {
        notify::ErrorKind::MaxFilesWatch => true,
        notify::ErrorKind::Io(error) => matches!(error.raw_os_error(), Some(24 | 28)),
        _ => false,
    };
    let why = if is_full {
        "the system has no room for more watched folders (inotify)".to_owned()
    } else {
        format!("the system does not tell of changes: {error}")
    };
    let way = if is_full { "; to be told at once, raise fs.inotify.max_user_watches and max_user_instances with sysctl" } else { "" };
    format!("{why}; the files are looked at from time to time instead{way}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_files_are_looked_at_rarely() {
        let mut sweeps = Sweeps::default();
        sweeps.surveyed(Duration::from_millis(20), 0);
        assert!(!sweeps.swept(1_000, 1_000, false));
        assert_eq!(sweeps.next, 51_000);
        assert!(sweeps.swept(400_000, 1, false));
        assert_eq!(sweeps.next, 405_000);
        assert!(sweeps.swept(20_000, 1, true));
        assert_eq!(sweeps.next, 21_000);
    }
}
