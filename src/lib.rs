//! memfile keeps the facts in an agent's memory file true over time.
//!
//! The core has no I/O: text goes in, findings and text come out. One file goes through the modules in this order:
//! [`syntax`] reads records, [`facts`] groups and orders them, [`baseline`] compares versions of the file, [`repair`] works out what
//! each record should carry, [`rules`] say what is wrong, [`check`](mod@check) asks them, [`fix`](mod@fix) repairs to a fixed point,
//! [`merge`](mod@merge) joins two versions that began as one. [`report`]
//! writes findings down; [`io`] and [`app`] are the shell around it.
//!
//! ```
//! use memfile::check::{Selection, Subject, check};
//! use memfile::config::Config;
//! use memfile::diagnostic::Applicability;
//! use memfile::facts::Facts;
//! use memfile::fix::fix;
//! use memfile::syntax::{Reading, parse};
//!
//! let text = "## Project memory\n\n- Port: 1 (2026-01-01)\n- Port: 2 (2026-02-01)\n";
//! let config = Config::default();
//!
//! let document = parse(text, Reading::new(&config));
//! assert_eq!(document.records.len(), 2);
//! let facts = Facts::new(&document, &config);
//! assert_eq!(facts.groups.len(), 1);
//!
//! let selection = Selection::default();
//! let today = "2026-11-29".parse()?;
//! let subject = Subject::new(&config, &selection, today);
//! let found = check(text, &subject).diagnostics;
//! assert_eq!(found[0].rule.name, "untagged-historical");
//!
//! let fixed = fix(text, &subject, Applicability::Safe)?;
//! assert!(fixed.text.contains("- Port: 1 (2026-01-01) [historical] replaced by: 2 as of 2026-02-01\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
pub mod merge;
pub mod query;
pub mod repair;
pub mod report;
pub mod rules;
pub mod syntax;
pub mod text;
