//! What the file system says: events of notify come in, messages of the watch go out. Opening, reading and changed modes say nothing.

use super::settle::Touch;
use notify::event::{AccessKind, AccessMode, CreateKind, ModifyKind};
use notify::{Event, EventKind};
use std::path::PathBuf;

/// What reaches the loop of the watch.
#[derive(Debug)]
pub(super) enum Message {
    /// Something happened at a path.
    At(PathBuf, Sign),
    /// Events were lost: everything must be looked at.
    Lost,
    /// Watching a folder failed.
    Failed(notify::Error),
    /// The process was asked to end.
    Stop,
}

/// What happened at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    /// A file there was touched.
    File(Touch),
    /// Something appeared or vanished there; it may be a folder.
    Entry,
    /// A folder appeared.
    Folder,
}

/// The messages of one event.
pub(super) fn messages(event: notify::Result<Event>) -> Vec<Message> {
    let event = match event {
        Ok(event) => event,
        Err(error) => return vec![Message::Failed(error)],
    };
    if event.need_rescan() {
        return vec![Message::Lost];
    }
    let Some(sign) = sign(event.kind) else { return Vec::new() };
    event.paths.into_iter().map(|path| Message::At(path, sign)).collect()
}

fn sign(kind: EventKind) -> Option<Sign> {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => Some(Sign::File(Touch::Done)),
        EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)) => None,
        EventKind::Create(CreateKind::Folder) => Some(Sign::Folder),
        // Its writer has it open still.
        EventKind::Create(_) | EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Any | ModifyKind::Other) => {
            Some(Sign::File(Touch::Writing))
        }
        EventKind::Modify(ModifyKind::Name(_)) | EventKind::Remove(_) | EventKind::Any | EventKind::Other => Some(Sign::Entry),
    }
}
