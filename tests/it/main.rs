//! Tests that need more than the library: real programs, real files.

// Tests read and write files, start programs, and may panic.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic)]

#[cfg(unix)]
mod accepting;
mod action;
mod agent;
#[cfg(feature = "mcp")]
mod agent_settings;
mod case;
mod commands;
mod crashers;
#[cfg(unix)]
mod doctor;
mod fixtures;
mod generate;
mod histories;
#[cfg(unix)]
mod hook;
#[cfg(unix)]
mod hook_install;
#[cfg(unix)]
mod hook_merge;
#[cfg(unix)]
mod hook_message;
mod living;
#[cfg(feature = "lsp")]
mod lsp;
#[cfg(unix)]
mod many;
#[cfg(all(unix, feature = "mcp"))]
mod mcp;
mod merge;
mod merge_git;
mod model;
mod pages;
mod pieces;
mod places;
mod properties;
mod queries;
mod report_patch;
#[cfg(unix)]
mod repository;
#[cfg(feature = "serve")]
mod serve;
mod settings;
mod smallest;
#[cfg(unix)]
mod threats;
mod tidy;
mod torture;
mod watch;
