//! One step of a repair.

use crate::text::{TextEdit, TextRange};
use std::borrow::Cow;
use std::sync::Arc;
use thin_vec::ThinVec;

/// What is wrong with a record, seen from its group and the baseline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// An older version, or one whose `until` is past, carries no tag.
    Untagged,
    /// Its tag does not say what replaced it.
    Successor,
    /// Its tag names another version, or another date than the successor gives.
    RightSuccessor,
    /// It will hold and does not say so.
    ScheduledTag,
    /// It says that it will hold, and its day has come.
    Due,
    /// The current record is not the last one of its group.
    Place,
    /// The baseline's value was overwritten.
    Overwritten,
    /// The baseline's record was deleted.
    Deleted,
    /// History was altered, untagged or deleted.
    History,
    /// A statement was reworded.
    Reworded,
    /// A leftover of an edit taken back.
    Draft,
}

/// A repair of one record.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// What is wrong.
    pub need: Need,
    /// Where: the record, or for a lost one the place where it stood.
    pub range: TextRange,
    /// The fact's name.
    pub key: Option<Cow<'a, str>>,
    /// The value concerned, as written; `None` where it must not be shown or there is none.
    pub value: Option<Cow<'a, str>>,
    /// What replaces it: the successor's value.
    pub successor: Option<Cow<'a, str>>,
    /// The successor's record, where the file has it.
    pub successor_range: Option<TextRange>,
    /// The edits; `None` where a person must do it.
    pub edits: Option<Arc<[TextEdit]>>,
    /// The lost record that it brings back: its number in `Comparison::lost`.
    pub lost: Option<u32>,
    /// The order of insertions at one place: what belongs to the record above stands before what belongs to the record below; of
    /// each kind lost records as they stood in the baseline, then the versions of a group oldest first.
    pub rank: (bool, (u32, u32)),
    /// The numbers for each edit, where the edits are of several records; else empty.
    pub ranks: ThinVec<(u32, u32)>,
}
