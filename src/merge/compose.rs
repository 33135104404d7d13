//! Where records stand among the other lines after the merge.
//!
//! In: the three texts cut into pieces (records and single lines), and for each record whether it stays and what it says. Out:
//! [`Composed`]. Records are anchors for the lines around them, whatever a side made of their words; between two anchors the other
//! lines merge as git merges lines, and the records find their place beside those that they stood beside, ours before theirs.

use super::Terms;
use super::entries::Entries;
use super::hunks::{Hunk, Kind, parted, refined, standing, three_way};
use super::lines::{Numbers, lines_of};
use super::three::{Side, Three};
use crate::facts::Facts;
use crate::text::TextRange;
use rustc_hash::{FxHashMap, FxHashSet};

/// The merged text before its versions are put in order.
pub(super) struct Composed {
    pub(super) text: String,
    /// Each record with its bytes, in text order.
    pub(super) places: Vec<(u32, TextRange)>,
    /// Lines that both sides changed, each its own way: the bytes of ours, and what each version has.
    pub(super) prose: Vec<(TextRange, Three<String>)>,
}

/// A record, or a line that belongs to none.
struct Piece<'t> {
    number: u32,
    /// The entry, where it is a record.
    entry: Option<u32>,
    text: &'t str,
}

/// Cuts a text into pieces; `None` where a record is no whole lines.
fn pieces<'t>(facts: &Facts<'t, 't>, entries: &[u32], numbers: &mut Numbers<'t>, records: u32) -> Option<Vec<Piece<'t>>> {
    let text: &'t str = facts.document.text;
    let mut pieces = Vec::new();
    let mut at = 0;
    let mut put = |range: TextRange, pieces: &mut Vec<Piece<'t>>| {
        for line in lines_of(text.get(range.start()..range.end()).unwrap_or("")) {
            pieces.push(Piece { number: records + numbers.of(line), entry: None, text: line });
        }
    };
    for (record, &entry) in facts.document.records.iter().zip(entries) {
        let block = record.block;
        let is_whole = |at: usize| at == 0 || at == text.len() || text.as_bytes().get(at - 1) == Some(&b'\n');
        if block.start() < at || !is_whole(block.start()) || !is_whole(block.end()) || block.is_empty() {
            return None;
        }
        put(TextRange::new(at, block.start()), &mut pieces);
        pieces.push(Piece { number: entry, entry: Some(entry), text: text.get(block.start()..block.end())? });
        at = block.end();
    }
    put(TextRange::new(at, text.len()), &mut pieces);
    Some(pieces)
}

/// One piece of the merged text.
enum Element {
    Line(Side, usize),
    Prose(Box<Three<String>>),
    Record(u32),
}

/// Composes the text. `said` is what each entry says, for those that stay; `stands` for the place of each the one that stands there;
/// `heirs` what we put in the place of those that are gone.
pub(super) fn compose(
    entries: &Entries,
    said: &[Option<String>],
    stands: &[u32],
    heirs: &FxHashMap<u32, u32>,
    terms: &Terms,
) -> Option<Composed> {
    let mut numbers = Numbers::default();
    let count = entries.list.len() as u32;
    let pieces = Three {
        base: pieces(entries.facts.base, &entries.number.base, &mut numbers, count)?,
        ours: pieces(entries.facts.ours, &entries.number.ours, &mut numbers, count)?,
        theirs: pieces(entries.facts.theirs, &entries.number.theirs, &mut numbers, count)?,
    };
    let tokens = pieces.each().map(|pieces| pieces.iter().map(|piece| piece.number).collect::<Vec<u32>>());
    let mut weaver = Weaver {
        pieces: &pieces,
        tokens: &tokens,
        home: homes(entries, &pieces, &tokens),
        entries,
        heirs,
        said,
        terms,
        done: FxHashSet::default(),
        out: Vec::new(),
    };
    for hunk in three_way(tokens.each().map(Vec::as_slice)) {
        weaver.weave(&hunk);
    }
    let mut composed = Composed { text: String::new(), places: Vec::new(), prose: Vec::new() };
    for element in weaver.out {
        let start = composed.text.len();
        match element {
            Element::Line(side, at) => composed.text.push_str(pieces.of(side)[at].text),
            Element::Prose(lines) => {
                composed.text.push_str(&lines.ours);
                composed.prose.push((TextRange::new(start, composed.text.len()), *lines));
            }
            Element::Record(place) => {
                let entry = stands[place as usize];
                composed.text.push_str(said[entry as usize].as_deref().unwrap_or_default());
                composed.places.push((entry, TextRange::new(start, composed.text.len())));
            }
        }
    }
    Some(composed)
}

/// The side that tells the place of each entry: the one that moved it, else ours, else the one that has it.
fn homes(entries: &Entries, pieces: &Three<Vec<Piece>>, tokens: &Three<Vec<u32>>) -> Vec<Side> {
    let still = |side: Side| -> FxHashSet<u32> {
        let standing = standing(&tokens.base, tokens.of(side));
        pieces.of(side).iter().zip(standing).filter(|(_, still)| *still).filter_map(|(piece, _)| piece.entry).collect()
    };
    let (ours, theirs) = (still(Side::Ours), still(Side::Theirs));
    let home = |(entry, found): (usize, &super::entries::Entry)| {
        let entry = entry as u32;
        let moved = (entries.changes_section(entry, Side::Ours), entries.changes_section(entry, Side::Theirs));
        let moved_by_them = match moved {
            // Another section is more than another place.
            (true, false) => false,
            (false, true) => true,
            _ => found.base.is_some() && ours.contains(&entry) && !theirs.contains(&entry),
        };
        match (found.ours, found.theirs) {
            (Some(_), Some(_)) if moved_by_them => Side::Theirs,
            (Some(_), _) => Side::Ours,
            _ => Side::Theirs,
        }
    };
    entries.list.iter().enumerate().map(home).collect()
}

struct Weaver<'w, 't> {
    pieces: &'w Three<Vec<Piece<'t>>>,
    tokens: &'w Three<Vec<u32>>,
    home: Vec<Side>,
    entries: &'w Entries<'w>,
    heirs: &'w FxHashMap<u32, u32>,
    said: &'w [Option<String>],
    terms: &'w Terms<'w>,
    done: FxHashSet<u32>,
    out: Vec<Element>,
}

/// The lines of one hunk after the merge, and for each number of lines before a record the place among them.
struct Lines {
    items: Vec<Element>,
    ours: Vec<usize>,
    theirs: Vec<usize>,
}

impl Weaver<'_, '_> {
    fn weave(&mut self, hunk: &Hunk) {
        if self.sections(hunk) {
            return;
        }
        if hunk.kind == Kind::Conflict && hunk.base.is_empty() {
            // Both sides put something in at one place: the records that they have alike part the rest.
            let is_record = |number: u32| (number as usize) < self.entries.list.len();
            parted(hunk, &self.tokens.ours, &self.tokens.theirs, is_record).iter().for_each(|part| self.part(part));
        } else {
            self.part(hunk);
        }
    }

    fn part(&mut self, hunk: &Hunk) {
        let Lines { items, ours, theirs } = self.lines(hunk);
        let gaps = |side: Side, places: &[usize]| -> Vec<Vec<u32>> {
            let range = match side {
                Side::Ours => hunk.ours.clone(),
                Side::Theirs => hunk.theirs.clone(),
            };
            let mut gaps = vec![Vec::new(); items.len() + 1];
            let mut before = 0;
            for piece in &self.pieces.of(side)[range] {
                match piece.entry {
                    Some(entry) => gaps[places[before]].push(entry),
                    None => before += 1,
                }
            }
            gaps
        };
        let (own, other) = (gaps(Side::Ours, &ours), gaps(Side::Theirs, &theirs));
        let mut items = items.into_iter();
        for (own, other) in own.iter().zip(&other) {
            self.records(own, other);
            self.out.extend(items.next());
        }
    }

    /// The records between two lines: in our order, what they added behind what it stood behind, and behind what we added there; but
    /// another version of a fact directly behind the one before.
    fn records(&mut self, own: &[u32], other: &[u32]) {
        let stays = |entry: &&u32| self.said[**entry as usize].is_some();
        let ours: Vec<u32> = own.iter().filter(stays).copied().filter(|&entry| self.home[entry as usize] == Side::Ours).collect();
        let mut left = ours.as_slice();
        let mut waiting = Vec::new();
        let mut order: Vec<u32> = Vec::new();
        for entry in other {
            let own = if stays(&entry) { Some(*entry) } else { self.heirs.get(entry).copied() };
            let Some(entry) = own else { continue };
            if self.home[entry as usize] == Side::Theirs {
                // What they kept stands above what we put in its place, and above what stood below it in the base.
                let base = |entry: u32| self.entries.list[entry as usize].base;
                let stood_below = |own: u32| base(entry).is_some() && base(own) > base(entry);
                let heir = self.heirs.get(&entry).copied();
                if let Some(at) = left.iter().position(|&own| Some(own) == heir || stood_below(own)) {
                    self.join(&mut order, &left[..at], &mut waiting);
                    left = &left[at..];
                    order.push(entry);
                } else {
                    waiting.push(entry);
                }
            } else if let Some(at) = left.iter().position(|&own| own == entry) {
                self.join(&mut order, &left[..at], &mut waiting);
                order.push(entry);
                left = &left[at + 1..];
            }
        }
        self.join(&mut order, left, &mut waiting);
        for entry in order {
            if self.done.insert(entry) {
                self.out.push(Element::Record(entry));
            }
        }
    }

    /// Puts what both sides added behind one record.
    fn join(&self, order: &mut Vec<u32>, ours: &[u32], theirs: &mut Vec<u32>) {
        let before = order.last().copied().or(match self.out.last() {
            Some(Element::Record(entry)) => Some(*entry),
            _ => None,
        });
        let key = before.map(|entry| self.entries.key(entry)).filter(|key| key.is_fact());
        let near = |added: &[u32]| added.iter().take_while(|&&entry| Some(self.entries.key(entry)) == key).count();
        let (own, other) = (near(ours), near(theirs));
        order.extend(&ours[..own]);
        order.extend(&theirs[..other]);
        order.extend(&ours[own..]);
        order.extend(theirs.drain(..).skip(other));
    }

    /// Sections that both sides added at one place stand behind each other, the deeper ones first. True where that was done.
    fn sections(&mut self, hunk: &Hunk) -> bool {
        let level = |side: Side, range: &std::ops::Range<usize>| {
            let first = self.pieces.of(side)[range.clone()].iter().find(|piece| !piece.text.trim().is_empty())?;
            let level = first.text.bytes().take_while(|&byte| byte == b'#').count();
            let is_heading = first.entry.is_none() && (1..=6).contains(&level) && first.text[level..].starts_with(' ');
            is_heading.then(|| (level, first.text.trim().to_owned()))
        };
        if hunk.kind != Kind::Conflict || !hunk.base.is_empty() {
            return false;
        }
        let (Some(ours), Some(theirs)) = (level(Side::Ours, &hunk.ours), level(Side::Theirs, &hunk.theirs)) else { return false };
        if ours.1 == theirs.1 {
            return false;
        }
        let both = [(Side::Ours, hunk.ours.clone()), (Side::Theirs, hunk.theirs.clone())];
        let both = if ours.0 < theirs.0 { [both[1].clone(), both[0].clone()] } else { both };
        for (side, range) in both {
            for at in range {
                match self.pieces.of(side)[at].entry {
                    None => self.out.push(Element::Line(side, at)),
                    Some(entry) if self.said[entry as usize].is_some() && self.done.insert(entry) => self.out.push(Element::Record(entry)),
                    Some(_) => {}
                }
            }
        }
        true
    }

    fn lines(&self, hunk: &Hunk) -> Lines {
        let at = |pieces: &[Piece], range: &std::ops::Range<usize>| -> Vec<usize> {
            range.clone().filter(|&at| pieces[at].entry.is_none()).collect()
        };
        let lines = Three {
            base: at(&self.pieces.base, &hunk.base),
            ours: at(&self.pieces.ours, &hunk.ours),
            theirs: at(&self.pieces.theirs, &hunk.theirs),
        };
        let pick = |lines: &[usize], tokens: &[u32]| lines.iter().map(|&at| tokens[at]).collect::<Vec<u32>>();
        let tokens = Three {
            base: pick(&lines.base, &self.tokens.base),
            ours: pick(&lines.ours, &self.tokens.ours),
            theirs: pick(&lines.theirs, &self.tokens.theirs),
        };
        let mut hunks = three_way(tokens.each().map(Vec::as_slice));
        for hunk in hunks.iter_mut().filter(|hunk| hunk.kind == Kind::Conflict) {
            hunk.kind = self.beside_blanks(hunk, &lines);
        }
        let mut hunks = refined(hunks, &tokens.ours, &tokens.theirs, self.terms.style);
        for hunk in hunks.iter_mut().filter(|hunk| hunk.kind == Kind::Conflict) {
            let filled = self.filled(hunk, &lines);
            if filled.ours == filled.theirs {
                hunk.kind = Kind::Ours;
            }
        }
        let mut out =
            Lines { items: Vec::new(), ours: vec![usize::MAX; lines.ours.len() + 1], theirs: vec![usize::MAX; lines.theirs.len() + 1] };
        for hunk in hunks {
            let start = out.items.len();
            match hunk.kind {
                Kind::Same | Kind::Ours | Kind::Both => {
                    out.items.extend(lines.ours[hunk.ours.clone()].iter().map(|&at| Element::Line(Side::Ours, at)))
                }
                Kind::Theirs => out.items.extend(lines.theirs[hunk.theirs.clone()].iter().map(|&at| Element::Line(Side::Theirs, at))),
                Kind::Conflict => out.items.push(Element::Prose(Box::new(self.prose(&hunk, &lines)))),
            }
            let count = out.items.len() - start;
            for (places, range, is_shown) in [
                (&mut out.ours, &hunk.ours, matches!(hunk.kind, Kind::Same | Kind::Ours | Kind::Both)),
                (&mut out.theirs, &hunk.theirs, matches!(hunk.kind, Kind::Same | Kind::Theirs | Kind::Both)),
            ] {
                for (number, at) in range.clone().chain([range.end]).enumerate() {
                    let place = if number == 0 {
                        start
                    } else if is_shown {
                        start + number
                    } else {
                        start + count
                    };
                    // Where the other side put lines in, a record stays above them.
                    if places[at] == usize::MAX {
                        places[at] = place;
                    }
                }
            }
        }
        let end = out.items.len();
        out.ours.iter_mut().chain(&mut out.theirs).filter(|place| **place == usize::MAX).for_each(|place| *place = end);
        out
    }

    /// Who changed the lines of a conflict beside blank ones.
    fn beside_blanks(&self, hunk: &Hunk, lines: &Three<Vec<usize>>) -> Kind {
        let filled = self.filled(hunk, lines);
        if filled.base == filled.theirs {
            Kind::Ours
        } else if filled.base == filled.ours {
            Kind::Theirs
        } else {
            Kind::Conflict
        }
    }

    /// The lines of a hunk that are not blank.
    fn filled(&self, hunk: &Hunk, lines: &Three<Vec<usize>>) -> Three<Vec<u32>> {
        let filled = |pieces: &[Piece], lines: &[usize]| -> Vec<u32> {
            lines.iter().map(|&at| &pieces[at]).filter(|piece| !piece.text.trim().is_empty()).map(|piece| piece.number).collect()
        };
        Three {
            base: filled(&self.pieces.base, &lines.base[hunk.base.clone()]),
            ours: filled(&self.pieces.ours, &lines.ours[hunk.ours.clone()]),
            theirs: filled(&self.pieces.theirs, &lines.theirs[hunk.theirs.clone()]),
        }
    }

    fn prose(&self, hunk: &Hunk, lines: &Three<Vec<usize>>) -> Three<String> {
        let join = |pieces: &[Piece], lines: &[usize]| lines.iter().map(|&at| pieces[at].text).collect::<String>();
        Three {
            base: join(&self.pieces.base, &lines.base[hunk.base.clone()]),
            ours: join(&self.pieces.ours, &lines.ours[hunk.ours.clone()]),
            theirs: join(&self.pieces.theirs, &lines.theirs[hunk.theirs.clone()]),
        }
    }
}
