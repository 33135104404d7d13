//! Tests that need more than the library: real programs, real files.

mod case;
mod pages;
mod report_patch;
