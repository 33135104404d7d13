//! What each record should carry and where it should stand: the repair of a group as steps, each with its edits.
//!
//! In: the facts of the file, the comparison with its baseline, the day. Out: [`Step`]s. Rules turn steps into diagnostics;
//! nothing else makes edits, so there is one road to a fix.

mod analysis;
mod blocks;
mod loose;
mod lost;
mod moves;
mod returning;
mod step;
mod steps;
mod tagging;
mod values;
mod when;
mod words;

pub use analysis::{Analysis, Day, Grouped, arrange_each};
pub(crate) use analysis::{arrange_group, arranged_group};
pub(crate) use blocks::{delete_block, indent, insert_block};
pub(crate) use lost::redaction;
pub use step::{Need, Step};
pub(crate) use tagging::{Edits, copy_tag, put_tag, take_tag};
pub(crate) use when::in_text;
pub use words::{Mark, tag_words};

pub(crate) use when::written as written_when;
