//! Tests that need more than the library: real programs, real files.

mod commands;
mod queries;
mod report_patch;
