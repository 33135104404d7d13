//! The blocks of a document, without a gap: for tests and for people who want to see what memfile sees.

use super::Document;
use crate::text::TextRange;

/// What a tile is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TileKind {
    /// A heading.
    Heading,
    /// A record of managed text.
    Record,
    /// An item or row of observed text.
    Observed,
    /// Text that never holds facts: front matter, blocks of other tools, pasted output.
    Excluded,
    /// Everything else.
    Text,
}

/// One piece of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tile {
    /// What it is.
    pub kind: TileKind,
    /// Whole lines.
    pub range: TextRange,
}

/// Cuts the document into tiles: in order, none empty, none overlapping, together the whole text.
pub fn tiles(document: &Document) -> Vec<Tile> {
    let tile = |kind| move |range: TextRange| Tile { kind, range };
    let mut found: Vec<Tile> = document.records.iter().map(|record| record.block).map(tile(TileKind::Record)).collect();
    found.extend(document.observed.iter().map(|record| record.block).map(tile(TileKind::Observed)));
    found.extend(document.headings.iter().map(|heading| heading.range).map(tile(TileKind::Heading)));
    found.extend(document.excluded.iter().copied().map(tile(TileKind::Excluded)));
    found.sort_by_key(|tile| (tile.range.start(), std::cmp::Reverse(tile.range.end())));
    let mut tiles: Vec<Tile> = Vec::with_capacity(2 * found.len() + 1);
    let mut at = 0;
    for tile in found {
        if tile.range.start() < at {
            // A heading inside excluded text belongs to it.
            continue;
        }
        if tile.range.start() > at {
            tiles.push(Tile { kind: TileKind::Text, range: TextRange::new(at, tile.range.start()) });
        }
        at = tile.range.end();
        tiles.push(tile);
    }
    if at < document.text.len() {
        tiles.push(Tile { kind: TileKind::Text, range: TextRange::new(at, document.text.len()) });
    }
    tiles.retain(|tile| !tile.range.is_empty());
    tiles
}
