//! The rules, in reading order. A rule is a row in [`RULES`]: what is known of it, and a function that looks at the text, at a group, or
//! at a step of its repair.
//!
//! In: a [`Context`], groups in order, steps. Out: diagnostics. No rule names another; what several rules see is worked out before, in `repair`.

mod context;
mod page;
mod registry;

mod ambiguous_date;
mod bad_tag;
mod broken_chain;
mod conflict_markers;
mod cross_file_conflict;
mod current_not_last;
mod current_outside_window;
mod current_tagged;
mod deleted;
mod draft;
mod elided;
mod hidden_characters;
mod history_edited;
mod invalid_date;
mod mass_loss;
mod missing_successor;
mod multi_claim;
mod over_budget;
mod overwritten;
mod pasted_context;
mod possible_secret;
mod ragged_row;
mod relative_date;
mod repeat;
mod same_source;
mod scheduled_due;
mod scheduled_untagged;
mod stale_source;
mod statement_changed;
mod tag_on_heading;
mod two_current;
mod unmanaged_change;
mod untagged_historical;
mod unused_suppression;
mod wrong_successor;

pub use context::{Budget, Context, CrossFile, Look, Unused};
pub use page::{Example, example};
pub use registry::{RULES, Rule, find, nearest};
