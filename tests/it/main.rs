//! Tests that need more than the library: real programs, real files.

// Tests read and write files, start programs, and may panic.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic)]

mod case;
mod commands;
mod fixtures;
mod generate;
mod living;
mod pages;
mod properties;
mod queries;
mod report_patch;
mod smallest;
mod tidy;
mod torture;
mod watch;
