//! Tests that need more than the library: real programs, real files.

mod report_patch;
mod queries;
