//! memfile keeps the facts in an agent's memory file true over time.

pub mod config;
pub mod diagnostic;
pub mod text;
