//! The loop of the watch: messages of the file system and the passing of time come in, looks at files go out. Nothing else here waits.

use super::act::File;
use super::gits::Gits;
use super::places::Places;
use super::settle::{Millis, Touch};
use super::signs::{Message, Sign, messages};
use super::sweep::{Sweeps, out_of_room};
use super::{Listener, Purpose, Told, Watching, Worst};
use crate::app::Session;
use crate::io::git::Repository;
use crate::io::{IoError, Stamp};
use notify::RecommendedWatcher;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Folders appear in swarms; the survey waits so long, in milliseconds, for the next one.
const SWARM: Millis = 50;

/// A running watch.
pub(super) struct Watch<'l> {
    pub(super) cwd: PathBuf,
    pub(super) watching: Watching,
    listener: &'l mut dyn Listener,
    started: Instant,
    sender: Sender<Message>,
    receiver: Receiver<Message>,
    pub(super) watcher: Option<RecommendedWatcher>,
    /// The folders that the system watches for us, those of git among them.
    pub(super) folders: BTreeSet<PathBuf>,
    /// For the names and configurations of the last survey.
    pub(super) session: Session,
    pub(super) places: Places,
    pub(super) files: BTreeMap<PathBuf, File>,
    pub(super) gits: Gits,
    pub(super) polling: bool,
    pub(super) survey_at: Option<Millis>,
    pub(super) sweeps: Sweeps,
    /// With `--once`: the files that have not settled yet.
    pub(super) waiting: BTreeSet<PathBuf>,
    pub(super) has_acted: bool,
    pub(super) worst: Worst,
    /// The first survey is done: what is found from now on came while the watch ran.
    pub(super) is_begun: bool,
    is_heard: bool,
}

impl<'l> Watch<'l> {
    pub(super) fn new(cwd: PathBuf, watching: Watching, listener: &'l mut dyn Listener) -> Result<Self, String> {
        let (sender, receiver) = channel();
        let stop = sender.clone();
        // A second signal finds nobody who listens; the first one has ended the loop.
        ctrlc::set_handler(move || drop(stop.send(Message::Stop))).map_err(|error| format!("signals cannot be caught: {error}"))?;
        let mut watch = Self {
            session: Session::new(cwd.clone()),
            cwd,
            watching,
            listener,
            started: Instant::now(),
            sender,
            receiver,
            watcher: None,
            folders: BTreeSet::new(),
            places: Places::default(),
            files: BTreeMap::new(),
            gits: Gits::default(),
            polling: false,
            survey_at: None,
            sweeps: Sweeps::default(),
            waiting: BTreeSet::new(),
            has_acted: false,
            worst: Worst::Clean,
            is_begun: false,
            is_heard: true,
        };
        if watch.watching.poll {
            watch.polling = true;
        } else {
            watch.listen();
        }
        Ok(watch)
    }

    /// Asks the system for events; where it has no room for more, the files are looked at from time to time.
    fn listen(&mut self) {
        let sender = self.sender.clone();
        let handler = move |event| messages(event).into_iter().for_each(|message| drop(sender.send(message)));
        match notify::recommended_watcher(handler) {
            Ok(watcher) => self.watcher = Some(watcher),
            Err(error) => self.poll_instead(&error),
        }
    }

    pub(super) fn poll_instead(&mut self, error: &notify::Error) {
        if !self.polling {
            self.polling = true;
            self.sweeps.next = self.now();
            let message = out_of_room(error);
            self.is_heard &= self.listener.hear(&Told::Problem { message });
        }
    }

    pub(super) fn run(mut self) -> Result<Worst, String> {
        self.survey();
        self.is_begun = true;
        let files = self.files.values().map(|file| self.session.name(&file.path)).collect();
        let told = Told::Watches { files, folders: self.places.folders.len(), polling: self.polling };
        self.is_heard = self.listener.hear(&told);
        self.waiting = self.files.keys().filter(|real| real.exists()).cloned().collect();
        while !self.is_done() {
            let message = match self.next_wake() {
                Some(wait) => match self.receiver.recv_timeout(wait) {
                    Ok(message) => Some(message),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                },
                None => self.receiver.recv().ok(),
            };
            let rest = std::iter::from_fn(|| self.receiver.try_recv().ok()).take(4096);
            let all: Vec<Message> = message.into_iter().chain(rest).collect();
            if all.iter().any(|message| matches!(message, Message::Stop)) {
                break;
            }
            all.into_iter().for_each(|message| self.take(message));
            self.act();
        }
        self.tell(&Told::Ends);
        Ok(if self.watching.once { self.worst } else { Worst::Clean })
    }

    fn is_done(&self) -> bool {
        // Nobody hears what a watch tells that does nothing else.
        let unheard = !self.is_heard && self.watching.purpose == Purpose::Report;
        unheard || (self.watching.once && self.has_acted && self.waiting.is_empty())
    }

    pub(super) fn now(&self) -> Millis {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    pub(super) fn quiet(&self) -> Millis {
        u64::try_from(self.watching.quiet.as_millis()).unwrap_or(u64::MAX / 2)
    }

    /// How long nothing is to be done; `None`: until something happens.
    fn next_wake(&self) -> Option<Duration> {
        let dues = self.files.values().filter_map(|file| file.settle.due());
        let next = dues.chain(self.survey_at).chain([self.sweeps.next]).min()?;
        Some(Duration::from_millis(next.saturating_sub(self.now())))
    }

    pub(super) fn tell(&mut self, told: &Told) {
        self.is_heard &= self.listener.hear(told);
        if matches!(told, Told::Problem { .. }) {
            self.worst = Worst::Failed;
        }
    }

    /// Takes note of what happened.
    fn take(&mut self, message: Message) {
        let now = self.now();
        match message {
            Message::At(path, sign) => self.at(now, &path, sign),
            Message::Lost => {
                self.survey_at = Some(now);
                self.sweeps.next = now;
            }
            Message::Failed(error) => {
                self.poll_instead(&error);
                self.sweeps.next = now;
            }
            Message::Stop => {}
        }
    }

    fn at(&mut self, now: Millis, path: &Path, sign: Sign) {
        if let Some(file) = self.files.get_mut(path) {
            file.settle.touch(now, if let Sign::File(touch) = sign { touch } else { Touch::Done });
            return;
        }
        if let Some(repository) = path.parent().and_then(|folder| self.gits.at(folder)) {
            if Repository::is_sign(path) {
                self.git(now, repository.root());
            }
            return;
        }
        if path.to_string_lossy().ends_with(".memfile-tmp") {
            return;
        }
        let is_folder = sign == Sign::Folder || (sign == Sign::Entry && (self.folders.contains(path) || path.is_dir()));
        if is_folder && self.folders.contains(path) {
            // The one that was watched is gone or has another name now, whatever stands there.
            self.forget_folder(path);
        }
        if is_folder || self.places.depends_on(path) {
            self.survey_at.get_or_insert(now + SWARM.max(self.sweeps.survey_cost * 4));
        } else if self.places.is_wanted(&self.session, path) && !path.is_symlink() {
            self.come(now, path, path.to_owned());
        } else if sign == Sign::Entry && path.is_symlink() {
            self.survey_at.get_or_insert(now + SWARM);
        }
    }

    /// Git did something in the repository at `root`.
    fn git(&mut self, now: Millis, root: &Path) {
        // A git that cannot be asked is told of when a file is looked at.
        let _ = self.refresh(root);
        for real in self.gits.files(root) {
            if let Some(file) = self.files.get_mut(&real) {
                file.settle.git_rests(now);
            }
        }
    }

    /// Learns how git has the files of a repository. A file that did not change meanwhile was not moved.
    pub(super) fn refresh(&mut self, root: &Path) -> Result<(), IoError> {
        if !self.gits.refresh(root)? {
            return Ok(());
        }
        for real in self.gits.files(root) {
            let standing = self.gits.standing(root, &real);
            if let Some(file) = self.files.get_mut(&real)
                && file.stamp.is_some()
                && file.stamp == Stamp::of(&real)
            {
                file.settle.staged(standing);
            }
        }
        Ok(())
    }

    /// Does what is due.
    fn act(&mut self) {
        if self.survey_at.is_some_and(|at| at <= self.now()) {
            self.survey();
        }
        if self.sweeps.next <= self.now() {
            self.sweep();
        }
        let now = self.now();
        let due: Vec<PathBuf> =
            self.files.iter().filter(|(_, file)| file.settle.due().is_some_and(|due| due <= now)).map(|(real, _)| real.clone()).collect();
        due.iter().for_each(|real| self.look(real));
    }
}
