//! The thread that sees memory files change: events of the system in, notices out.
//!
//! Folders are watched, not files, so that a file that is renamed over or made anew is seen. What counts is the content: an event
//! without a new text is no notice. Where the system has no watches left, the folders are polled.

use super::resources::{files, path_of};
use super::worker::session;
use crate::app::Session;
use crate::io;
use notify::event::{AccessKind, AccessMode, EventKind};
use notify::{Config, Event, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use tokio::sync::{mpsc::UnboundedSender, oneshot};

/// How long nothing must happen before files are looked at: an editor writes in several steps.
const QUIET: Duration = Duration::from_millis(100);
/// Where something happens all the time, they are looked at nevertheless.
const LONGEST: Duration = Duration::from_secs(1);
/// How often folders are polled where they cannot be watched.
const POLL: Duration = Duration::from_secs(2);

/// What a client is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Notice {
    /// The resource has another text.
    Updated(String),
    /// There are other resources.
    Listed,
}

/// What the thread is told.
enum Signal {
    Touched(Event),
    /// The resources with these addresses are wanted; the answer comes when their changes are seen.
    Want(Vec<String>, oneshot::Sender<()>),
}

/// The way to the thread.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    signals: Sender<Signal>,
}

impl Watch {
    /// Starts the thread for the memory files below `root`. It ends with the process: it writes nothing.
    ///
    /// # Errors
    /// Those of the system.
    pub(super) fn start(root: PathBuf, notices: UnboundedSender<Notice>) -> std::io::Result<Self> {
        let (signals, received) = channel();
        let events = signals.clone();
        let work = move || Watching::new(root, notices, events).run(&received);
        std::thread::Builder::new().name("memfile-watch".to_owned()).spawn(work)?;
        Ok(Self { signals })
    }

    /// Sees changes of these resources from now on, and of the list.
    pub(super) async fn want(&self, uris: Vec<String>) {
        let (seen, told) = oneshot::channel();
        if self.signals.send(Signal::Want(uris, seen)).is_ok() {
            // Where the thread is gone there will be no notices, and reading works all the same.
            let _ = told.await;
        }
    }
}

struct Watching {
    root: PathBuf,
    notices: UnboundedSender<Notice>,
    events: Sender<Signal>,
    native: Option<RecommendedWatcher>,
    polled: Option<PollWatcher>,
    folders: FxHashSet<PathBuf>,
    /// The memory files at the last look; none before the first.
    listed: Option<Vec<PathBuf>>,
    /// For each wanted resource its file and the hash of its text at the last look.
    wanted: FxHashMap<String, (PathBuf, Option<u64>)>,
}

impl Watching {
    fn new(root: PathBuf, notices: UnboundedSender<Notice>, events: Sender<Signal>) -> Self {
        let native = notify::recommended_watcher(handler(&events)).ok();
        let (folders, wanted) = (FxHashSet::default(), FxHashMap::default());
        Self { root, notices, events, native, polled: None, folders, listed: None, wanted }
    }

    fn run(&mut self, signals: &Receiver<Signal>) {
        let mut busy: Option<(Instant, Instant)> = None;
        loop {
            let signal = match busy {
                None => signals.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some((first, last)) => {
                    let due = (last + QUIET).min(first + LONGEST);
                    signals.recv_timeout(due.saturating_duration_since(Instant::now()))
                }
            };
            match signal {
                Ok(Signal::Touched(event)) if self.concerns(&event) => {
                    let now = Instant::now();
                    busy = Some((busy.map_or(now, |(first, _)| first), now));
                }
                Ok(Signal::Touched(_)) => {}
                Ok(Signal::Want(uris, seen)) => {
                    self.want(uris);
                    // The client may have gone meanwhile.
                    let _ = seen.send(());
                }
                Err(RecvTimeoutError::Timeout) => {
                    busy = None;
                    self.look();
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn want(&mut self, uris: Vec<String>) {
        let session = session(&self.root);
        if self.listed.is_none() {
            self.listed = Some(self.list(&session));
        }
        for uri in uris {
            if let Some(path) = path_of(&uri).filter(|_| !self.wanted.contains_key(&uri)) {
                let hash = content(&session, &path);
                self.wanted.insert(uri, (path, hash));
            }
        }
    }

    /// Compares what there is with the last look.
    fn look(&mut self) {
        let session = session(&self.root);
        let listed = self.list(&session);
        if self.listed.as_ref() != Some(&listed) {
            self.listed = Some(listed);
            self.tell(Notice::Listed);
        }
        let mut updated = Vec::new();
        for (uri, (path, hash)) in &mut self.wanted {
            let now = content(&session, path);
            if now != *hash {
                *hash = now;
                updated.push(uri.clone());
            }
        }
        updated.sort();
        updated.into_iter().for_each(|uri| self.tell(Notice::Updated(uri)));
    }

    fn tell(&self, notice: Notice) {
        // Nobody listens any more: the process is about to end.
        let _ = self.notices.send(notice);
    }

    /// The memory files; their folders, and those of the files behind links, are watched from then on.
    fn list(&mut self, session: &Session) -> Vec<PathBuf> {
        self.watch_folder(&self.root.clone());
        loop {
            let found: Vec<PathBuf> = files(session).into_iter().map(|file| file.path).collect();
            let behind = found.iter().filter_map(|path| std::fs::canonicalize(path).ok());
            let folders: Vec<PathBuf> = found.iter().cloned().chain(behind).filter_map(|path| path.parent().map(Path::to_owned)).collect();
            let mut any_new = false;
            for folder in folders {
                any_new |= self.watch_folder(&folder);
            }
            // What came into a folder before it was watched is seen by listing again.
            if !any_new {
                return found;
            }
        }
    }

    /// Watches a folder; true where that is new.
    fn watch_folder(&mut self, folder: &Path) -> bool {
        if !self.folders.insert(folder.to_owned()) {
            return false;
        }
        let native = self.native.as_mut().is_some_and(|watcher| watcher.watch(folder, RecursiveMode::NonRecursive).is_ok());
        if !native {
            let config = Config::default().with_poll_interval(POLL);
            let events = &self.events;
            self.polled = self.polled.take().or_else(|| PollWatcher::new(handler(events), config).ok());
            if let Some(watcher) = &mut self.polled {
                // A folder that went away meanwhile has nothing to tell.
                let _ = watcher.watch(folder, RecursiveMode::NonRecursive);
            }
        }
        true
    }

    /// True where an event can mean another text or another list.
    fn concerns(&mut self, event: &Event) -> bool {
        match event.kind {
            // Reading a file is an event as well, and this thread reads.
            EventKind::Access(kind) => kind == AccessKind::Close(AccessMode::Write) && self.names_one(event),
            EventKind::Remove(_) => {
                // A folder that comes back must be watched anew.
                event.paths.iter().for_each(|path| _ = self.folders.remove(path));
                self.names_one(event)
            }
            _ => self.names_one(event),
        }
    }

    /// Memory files, what could be one, configurations, folders; and where the system lost events, anything.
    fn names_one(&self, event: &Event) -> bool {
        let known = |path: &PathBuf| {
            self.listed.as_ref().is_some_and(|listed| listed.contains(path)) || self.wanted.values().any(|(file, _)| file == path)
        };
        let ending = |path: &Path| path.extension().is_none_or(|ending| ending == "md" || ending == "toml");
        event.need_rescan() || event.paths.is_empty() || event.paths.iter().any(|path| ending(path) || known(path))
    }
}

fn handler(events: &Sender<Signal>) -> impl Fn(notify::Result<Event>) + Send + 'static {
    let events = events.clone();
    move |event| {
        if let Ok(event) = event {
            // The thread lives as long as the process.
            let _ = events.send(Signal::Touched(event));
        }
    }
}

/// A hash of the text, for comparing within this process; none where it cannot be read.
fn content(session: &Session, path: &Path) -> Option<u64> {
    session.allow(path).ok()?;
    let text = io::load(path).ok()?.text;
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    Some(hasher.finish())
}
