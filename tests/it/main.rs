//! Tests that need more than the library: real programs, real files.

mod case;
mod fixtures;
mod generate;
mod pages;
mod properties;
mod queries;
mod report_patch;
mod smallest;
mod tidy;
