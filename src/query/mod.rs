//! Questions to a memory file: which fact is meant, what holds, what held, what was believed.
//!
//! In: the facts of a file, in order. Out: answers as values; nothing is written and nothing is read here.
//! `chains` tells versions from groups, `archive` adds the older ones, `trace` finds in which text of the history each came;
//! `as_of` and `diff` ask for days, `days` tells which, `rank` for words, `present` makes the block that a model gets.

mod archive;
mod as_of;
mod chains;
mod days;
mod diff;
mod key;
mod present;
mod question;
mod rank;
#[cfg(test)]
mod testing;
mod trace;
mod version;
mod view;
mod words;

pub use archive::with_archive;
pub use as_of::{Answer, Clock, Moment, as_of};
pub use chains::Teller;
pub use days::{Span, days, spans};
pub use diff::{Change, diff};
pub use key::{KeyError, resolve, resolve_chain};
pub use present::{Block, Wish, dated_chains, present, tokens};
pub use question::Shift;
pub use rank::{matching, rank};
pub use trace::Trace;
pub use version::{Chain, Content, Standing, Version};
