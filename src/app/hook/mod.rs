//! The commit hook: the index comes in, what the commit would lose goes out.
//!
//! Texts are those of the index, and all that lies beside them (other memory files, archives) is read from there, too: a
//! commit is judged as it will be, whatever the work tree holds. A file that is staged whole is fixed in the work tree by
//! the road of every fix; one that is staged in part gets a patch. Nothing is staged, and git only reads.
//!
//! In reading order: `staged` (the memory files that the index changes), `judging` (what is wrong with them, and the way
//! out), `brought` (what a merge brought in and lost), `accepts` (what was declared, for the trailer); `message` (trailers in
//! a message) and `script` (lines in a hook file) are pure; `place` puts the hooks in, tells of them and takes them out, `installed` does so for
//! `uninstall` and `doctor`.

mod accepts;
mod brought;
mod installed;
mod judging;
mod message;
mod place;
mod script;
mod staged;

pub(super) use accepts::Written;
pub(super) use installed::INSTALLATION;
pub(super) use judging::{HookOptions, Judged, Work};
pub(super) use place::{Change, Condition, Hooks, Installing, Placed, Reach, in_path};
pub(super) use staged::IndexView;
