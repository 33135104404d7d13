//! Live updates: the files are watched, and pages that are open hear the number of the last change.
//!
//! A look at the files every few seconds stands behind the notices of the system: notices can be missed, or not be had at all.

use super::site::Site;
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{Stream, unfold};
use notify::{RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::time::{Duration, SystemTime};

/// How often the files are looked at where no notice comes.
const SWEEP: Duration = Duration::from_secs(2);
/// A save comes as several notices; pages hear of it once.
const QUIET: Duration = Duration::from_millis(80);

/// What tells one state of a file from another without reading it.
type Stamp = Option<(SystemTime, u64, u64)>;

/// Watches the files of `site` on a thread of its own, as long as the process lives.
pub(super) fn watch(site: &Arc<Site>) {
    let site = Arc::clone(site);
    let paths = watched(&site);
    // Before any page is made: what changes after that is told, however late the watcher comes.
    let mut before: Vec<Stamp> = paths.iter().map(stamp).collect();
    std::thread::spawn(move || {
        let (told, notices) = mpsc::channel();
        let watcher = notify::recommended_watcher(move |_| _ = told.send(()));
        let folders: BTreeSet<PathBuf> = paths.iter().filter_map(|path| path.parent().map(PathBuf::from)).collect();
        // Without notices the sweep alone remains; so it does for a folder that cannot be watched. The folder, not the file: editors
        // put a new file in the place of the old one.
        let _kept = watcher.ok().map(|mut watcher| {
            folders.iter().for_each(|folder| _ = watcher.watch(folder, RecursiveMode::NonRecursive));
            watcher
        });
        loop {
            let now: Vec<Stamp> = paths.iter().map(stamp).collect();
            if now != before {
                before = now;
                site.changes.send_modify(|number| *number += 1);
            }
            match notices.recv_timeout(SWEEP) {
                Ok(()) => while notices.recv_timeout(QUIET).is_ok() {},
                // A watcher that could not be made has dropped its end at once.
                Err(mpsc::RecvTimeoutError::Disconnected) => std::thread::sleep(SWEEP),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
            }
        }
    });
}

/// The open files and their archives; their configurations; the log of `HEAD`, as a commit changes what they are compared with.
fn watched(site: &Site) -> Vec<PathBuf> {
    let session = site.session();
    let mut paths: Vec<PathBuf> = Vec::new();
    for file in &site.files {
        paths.extend([file.real.clone(), file.real.with_extension("history.md")]);
        if let Some(folder) = file.real.parent() {
            paths.extend(session.configs.of(folder).ok().and_then(|found| found.path.clone()));
            paths.extend(session.repository(&file.real).map(|repository| repository.git_dir().join("logs/HEAD")));
        }
    }
    paths.sort();
    paths.dedup();
    paths
}

fn stamp(path: &PathBuf) -> Stamp {
    let data = std::fs::metadata(path).ok()?;
    #[cfg(unix)]
    let inode = std::os::unix::fs::MetadataExt::ino(&data);
    #[cfg(not(unix))]
    let inode = 0;
    Some((data.modified().ok()?, data.len(), inode))
}

/// `/events`: the number of the last change, at once and whenever it grows.
pub(super) async fn events(State(site): State<Arc<Site>>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let mut changes = site.changes.subscribe();
    changes.mark_changed();
    let stream = unfold(changes, |mut changes| async move {
        changes.changed().await.ok()?;
        let number = *changes.borrow_and_update();
        Some((Ok(Event::default().event("change").data(number.to_string())), changes))
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(Duration::from_secs(20)))
}
