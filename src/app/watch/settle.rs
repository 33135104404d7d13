//! When a file under watch has come to rest, and what it is then compared with: events and looks with their times come in, decisions
//! go out. No clock, no file, no git here; so that every case is a script in `testdata/watch`.
//!
//! A look is due a quiet time after the last touch. What it finds is one of these:
//!
//! - nothing to go by: no file, an empty or torn one, git at work. The text that settled last stays what it was.
//! - a text that somebody meant: git put it there, or a command of memfile did. It is the new text to compare with, and nothing is
//!   written.
//! - any other text: it is judged, against the default baseline at first and after git moved the file, else against the text that
//!   settled last. Texts that came and went between two looks were never seen; their values are drafts.

use super::meant::{Moves, follow};
use super::rounds::Rounds;
use crate::io::git::Standing;
use std::sync::Arc;

/// Milliseconds since the watch began.
pub(super) type Millis = u64;

/// How long a file that is open for writing is left alone after its last bytes.
const OPEN: Millis = 300;
/// When a file is looked at again while git works, if nothing tells of its end.
const BUSY: Millis = 5_000;
/// When a file that could not be handled is tried again.
const RETRY: Millis = 30_000;
/// When a torn read is tried again, at least.
const TORN: Millis = 50;

/// What the file system tells of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Touch {
    /// Bytes were written; the writer has not closed the file.
    Writing,
    /// It was written and closed, put in its place, or taken away.
    Done,
}

/// What stands at the path of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Seen {
    /// Nothing.
    Missing,
    /// No byte, or nothing but blanks.
    Empty,
    /// It changed while it was read.
    Torn,
    /// A text.
    Text(Arc<str>),
}

/// What a look finds.
#[derive(Debug)]
pub(super) struct Look {
    /// What stands there.
    pub(super) seen: Seen,
    /// Git works on the tree.
    pub(super) is_busy: bool,
    /// How git has the file.
    pub(super) standing: Standing,
    /// The text is one of the two blobs.
    pub(super) is_blob: bool,
    /// What commands of memfile did since the last look.
    pub(super) moves: Moves,
}

/// What a text is compared with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Against {
    /// The default baseline.
    Default,
    /// A text that settled.
    Settled(Arc<str>),
}

/// Why a file is left alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::app) enum Rest {
    /// There is none.
    Missing,
    /// It is empty.
    Empty,
    /// It was read while it was written.
    Torn,
    /// Git is at work.
    Busy,
    /// It is as it was.
    Unchanged,
    /// Git put the text there.
    Git,
    /// A command of memfile did.
    Meant,
    /// Another program takes back what memfile writes, again and again.
    PingPong,
}

impl Rest {
    /// The reason in one word, for programs.
    pub(in crate::app) fn word(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Empty => "empty",
            Self::Torn => "torn",
            Self::Busy => "git-busy",
            Self::Unchanged => "unchanged",
            Self::Git => "git",
            Self::Meant => "meant",
            Self::PingPong => "ping-pong",
        }
    }
}

/// What to do after a look.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Decision {
    /// Nothing.
    Rest(Rest),
    /// Check the text, and write it where a rule is broken.
    Judge(Arc<str>, Against),
}

/// What became of a text that was judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Judged {
    /// It was checked, and stands as it was or as memfile wrote it.
    Settled {
        /// What was written in its place.
        wrote: Option<Arc<str>>,
        /// A loss remains that a person must decide about.
        is_held: bool,
    },
    /// It changed before anything was written.
    Changed,
    /// It could not be handled.
    Failed,
}

/// One file under watch.
#[derive(Debug)]
pub(super) struct Settle {
    quiet: Millis,
    due: Option<Millis>,
    /// The text that was judged last, or left alone as meant.
    last: Option<Arc<str>>,
    against: Against,
    standing: Standing,
    /// The file came while the watch ran.
    has_come: bool,
    waits_for_git: bool,
    rounds: Rounds,
}

impl Settle {
    /// A file that is known since `now`: at the start of the watch, or because it came.
    pub(super) fn new(quiet: Millis, now: Millis, has_come: bool) -> Self {
        let (against, standing, rounds) = (Against::Default, Standing::default(), Rounds::default());
        Self { quiet, due: Some(now + quiet), last: None, against, standing, has_come, waits_for_git: false, rounds }
    }

    /// When the file should be looked at.
    pub(super) fn due(&self) -> Option<Millis> {
        self.due
    }

    /// The text that settled last, if any.
    pub(super) fn last(&self) -> Option<&Arc<str>> {
        self.last.as_ref()
    }

    /// Something happened to the file.
    pub(super) fn touch(&mut self, now: Millis, touch: Touch) {
        let rest = match touch {
            Touch::Writing => self.quiet.max(OPEN),
            Touch::Done => self.quiet,
        };
        self.due = Some(now + rest);
    }

    /// Git changed how it has the file while the text stayed: that moves nothing.
    pub(super) fn staged(&mut self, standing: Standing) {
        if self.last.is_some() {
            self.standing = standing;
        }
    }

    /// Git has come to an end: a file that waits for it is due.
    pub(super) fn git_rests(&mut self, now: Millis) {
        if self.waits_for_git {
            self.due = Some(now + self.quiet);
        }
    }

    /// Decides about what was found.
    pub(super) fn look(&mut self, now: Millis, look: Look) -> Decision {
        self.due = None;
        self.waits_for_git = look.is_busy;
        let text = match look.seen {
            _ if look.is_busy => {
                self.due = Some(now + self.quiet.max(BUSY));
                return Decision::Rest(Rest::Busy);
            }
            Seen::Missing => {
                self.has_come |= self.last.is_none();
                return Decision::Rest(Rest::Missing);
            }
            Seen::Empty => return Decision::Rest(Rest::Empty),
            Seen::Torn => {
                self.due = Some(now + self.quiet.max(TORN));
                return Decision::Rest(Rest::Torn);
            }
            Seen::Text(text) => text,
        };
        let before = std::mem::replace(&mut self.standing, look.standing);
        let Some(last) = &self.last else {
            if self.has_come && look.is_blob {
                return self.rest(text, Against::Default, Rest::Git);
            }
            return Decision::Judge(text, Against::Default);
        };
        if *last == text {
            return Decision::Rest(Rest::Unchanged);
        }
        if look.is_blob {
            return self.rest(text, Against::Default, Rest::Git);
        }
        let reached = follow(last, &text, &look.moves);
        if reached.is_meant {
            let against = Against::Settled(text.clone());
            return self.rest(text, against, Rest::Meant);
        }
        if before != self.standing {
            self.against = Against::Default;
        } else if let Some(text) = reached.base {
            self.against = Against::Settled(text);
        }
        if self.rounds.is_ping_pong(&text, now) {
            return Decision::Rest(Rest::PingPong);
        }
        Decision::Judge(text, self.against.clone())
    }

    fn rest(&mut self, text: Arc<str>, against: Against, why: Rest) -> Decision {
        (self.last, self.against) = (Some(text), against);
        Decision::Rest(why)
    }

    /// Takes note of what became of `text`.
    pub(super) fn judged(&mut self, now: Millis, text: &Arc<str>, judged: Judged) {
        match judged {
            Judged::Changed => self.due = Some(now + self.quiet),
            Judged::Failed => self.due = Some(now + self.quiet.max(RETRY)),
            Judged::Settled { wrote, is_held } => {
                if let Some(after) = &wrote {
                    self.rounds.wrote(text, after, now, self.quiet);
                }
                let stands = wrote.unwrap_or_else(|| text.clone());
                // While a loss stands, the next text is compared with what there was before it.
                if !is_held {
                    self.against = Against::Settled(stands.clone());
                }
                self.last = Some(stands);
            }
        }
    }
}
