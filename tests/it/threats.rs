//! What a hostile file, repository, payload or path can do: the claims of `docs/threats.md`, with real processes.

mod agents;
mod blocks;
mod doors;
mod escapes;
mod gits;
mod merges;
mod page;
mod paths;
mod sizes;
mod state;
