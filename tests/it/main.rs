//! Tests that need more than the library: real programs, real files.

// A test says by a panic what is wrong; clippy knows that only of functions marked as tests.
#![allow(clippy::panic)]

mod case;
mod fixtures;
mod generate;
mod pages;
mod properties;
mod queries;
mod report_patch;
mod smallest;
mod tidy;
