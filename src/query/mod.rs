//! Questions to a memory file: which fact is meant, what holds, what held, what was believed.
//!
//! In: the facts of a file, in order. Out: answers as values; nothing is written and nothing is read here.

mod key;

pub use key::{KeyError, resolve};
