//! Tests that need more than the library: real programs, real files.

// Tests read and write files, start programs, and may panic.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic)]

mod action;
mod case;
mod commands;
mod crashers;
mod fixtures;
mod generate;
mod model;
mod pages;
mod properties;
mod queries;
mod report_patch;
mod settings;
mod smallest;
mod tidy;
