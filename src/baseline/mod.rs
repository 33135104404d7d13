//! Two versions of a file, record by record: what was lost between them, and what was only moved, renamed or reworded.
//!
//! In: the facts of the baseline (and of the revisions behind it) and of the file. Out: [`Comparison`]. Pure; which texts are
//! compared is decided by `io` and `app`.

mod accepted;
mod between;
mod compare;
mod doubles;
mod elided;
mod erased;
mod pairing;
mod place;

pub use accepted::{Accepted, Declared};
pub use compare::{Comparison, Fate, Lost, Revision, compare};
pub use elided::elided;
pub use place::Stood;

pub(crate) use pairing::pair_records;
