//! The shell around the core: files in, findings and files out. One path, [`Session`], for every door.
//!
//! Load, check, fix, save: [`Session`] does them in this order, whoever asks. Doors translate: [`cli`] from arguments to
//! [`Options`], and from results to text and exit codes.

// This is the part that touches the world; clippy.toml forbids it everywhere else.
#![allow(clippy::disallowed_methods)]

mod accepting;
pub mod agent;
mod applying;
mod archiving;
mod asking;
mod bases;
pub mod cli;
mod doctor;
mod forgetting;
mod hook;
mod installations;
#[cfg(feature = "lsp")]
mod looking;
#[cfg(feature = "lsp")]
mod lsp;
#[cfg(feature = "mcp")]
mod mcp;
mod merge;
mod merge_driver;
mod options;
mod origins;
mod others;
mod reading;
mod run;
mod saving;
#[cfg(feature = "serve")]
mod serve;
mod session;
mod stepping;
mod target;
mod telling;
mod threads;
#[cfg(feature = "watch")]
mod watch;
mod writing;

pub use applying::Pick;
pub use archiving::Backfilled;
pub use forgetting::Forgotten;
pub use merge::{Joined, Merging};
pub use merge_driver::{DriverInstalled, DriverRemoved, DriverStatus};
pub use options::{BaseChoice, Mode, Options};
pub use origins::Origin;
pub use reading::{Freshness, Read, ReadError, Wanted};
pub use run::{Outcome, Ran};
pub use saving::TheFile;
pub use session::Session;
pub use stepping::Undone;
pub use target::Target;
pub use writing::{Unwritten, Written};
