//! Tests that need more than the library: real programs, real files.

mod commands;
mod report_patch;
