//! From text to records: what stands in a memory file, and where.
//!
//! In: the text and the configuration. Out: a [`Document`] of ranges. Total: whatever the bytes, parsing never fails.
//! First lines are scanned for markers (`scan`), then `plain` and pulldown-cmark find the blocks (`outline`), then regions and scopes
//! are laid over them (`regions`), and last each item is read by a hand scanner (`record`, `attributes`, `tag`, `table`).

mod attributes;
pub mod date;
mod depth;
mod document;
mod key;
mod marks;
mod outline;
mod parse;
mod plain;
mod record;
mod regions;
mod scan;
mod table;
mod tag;
mod tiles;

pub use attributes::Attributes;
pub(crate) use document::HEADINGS;
pub use document::{Bullet, Document, Heading, Managed, Record, Region, RegionKind, Scope, Sign, Slot, Suppression};
pub use parse::{Reading, parse};
pub use record::Shape;
pub(crate) use table::cells as row_cells;
pub use tag::{Form, Named, Status, Tag};
pub use tiles::{Tile, TileKind, tiles};
