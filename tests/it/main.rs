//! Tests that need more than the library: real programs, real files.

mod queries;
mod report_patch;
