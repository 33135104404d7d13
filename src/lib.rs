//! memfile keeps the facts in an agent's memory file true over time.

pub mod app;
pub mod baseline;
pub mod check;
pub mod command;
pub mod config;
pub mod conserve;
pub mod diagnostic;
pub mod facts;
pub mod fix;
pub mod io;
pub mod query;
pub mod repair;
pub mod report;
pub mod rules;
pub mod syntax;
pub mod text;
