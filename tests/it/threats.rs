//! What a hostile file, repository, payload or path can do: the claims of `docs/threats.md`, with real processes.

mod blocks;
mod doors;
mod escapes;
mod gits;
mod page;
mod paths;
mod sizes;
mod state;
