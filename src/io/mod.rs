//! Everything that touches the world: files, folders, git, the journal, the clock.
//!
//! What comes in are paths, revisions and texts; what goes out are texts and [`IoError`]s that name a file and a way out.
//! Nothing here knows a rule or a fact, so that the rest of memfile can be read, and tested, without a disk.
//!
//! In reading order: `error` (what can fail), [`clock`] (which day it is), [`state`] (where memfile keeps what is not in
//! the tree), `file` (read), `lock`, `save`, `exchange`, `in_place`, `pair` and `preserve` (write: all or nothing), [`config`] (which
//! configuration holds for a folder), [`discover`] (which files there are), [`git`] (what they were), [`journal`] (what a
//! person decided), [`sessions`] (what the sessions of agents saw).
//!
//! Absent on purpose: no function here prints, asks, waits for anything but the lock, or reads an option. The environment is read only
//! by the constructors that say so ([`State::from_env`], [`clock::today`], [`git::Repository::discover`]).

// This is the part that touches the world; clippy.toml forbids it everywhere else.
#![allow(clippy::disallowed_methods)]

pub mod clock;
pub mod config;
pub mod discover;
mod error;
mod exchange;
mod file;
pub mod git;
mod in_place;
pub mod journal;
mod lock;
mod nearest;
mod pair;
mod preserve;
mod save;
pub mod sessions;
pub mod state;

pub use error::IoError;
pub(crate) use exchange::is_appended;
pub(crate) use file::not_a_link;
pub use file::{Loaded, load, load_found};
pub use journal::Journal;
pub use lock::{Lock, has_leftovers, has_stale_temp};
pub use pair::{Beside, Note};
pub use preserve::Stamp;
pub use save::replace_unshared;
pub use state::State;
