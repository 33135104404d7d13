//! Answers of queries: as JSON that others build on (SPEC 8), and as tables for people.
//!
//! `wire` holds the shapes of the JSON, `text` the tables.

mod table;
mod text;
mod wire;

pub use text::{as_of, changes, facts, freshness, history, now, why};
pub use wire::{Fresh, as_of_json, diff_json, history_json, now_json, present_json, search_json, why_json};
