//! Tests that need more than the library: real programs, real files.

mod case;
mod fixtures;
mod pages;
mod report_patch;
