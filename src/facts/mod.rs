//! From records to facts: which records are versions of one fact, in which order, and which of them holds.
//!
//! In: a [`Document`](crate::syntax::Document), today's date, and what the baseline adds. Out: groups, and for each group that
//! needs a thought an [`Arrangement`]. No edits are made here and nothing is judged: rules do that.

mod arrange;
mod dating;
mod following;
mod group;
mod insertion;
mod value;
mod version;

pub use arrange::{Arrangement, Break, Numbers, Verdict, arrange};
pub use dating::Dating;
pub use group::{Facts, Group, Space};

pub(crate) use value::{has_separator, tag_value_of};
pub use value::{is_secret, one_line, tag_value};
pub use version::{Dates, Life, Origin, Version};

pub(crate) use group::{value_key, value_key_into};
pub(crate) use value::escape_bars;
pub(crate) use version::life;
