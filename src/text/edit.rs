//! Edits: a fix is a few of them, a patch is many that do not disturb each other.

use super::TextRange;
use std::ops::Range;

/// One replacement: the bytes of `range` give way to `text`. An empty range is an insertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextEdit {
    /// What goes, in bytes of the text before.
    pub range: TextRange,
    /// What comes in its place.
    pub text: String,
}

impl TextEdit {
    /// An edit that puts `text` before the byte at `offset`.
    pub fn insert(offset: usize, text: impl Into<String>) -> Self {
        Self { range: TextRange::empty(offset), text: text.into() }
    }

    /// An edit that takes `range` out.
    pub fn delete(range: TextRange) -> Self {
        Self { range, text: String::new() }
    }

    /// An edit that puts `text` in the place of `range`.
    pub fn replace(range: TextRange, text: impl Into<String>) -> Self {
        Self { range, text: text.into() }
    }
}

/// One replacement of a patch, as [`TextEdit`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edit<'p> {
    /// What goes, in bytes of the text before.
    pub range: TextRange,
    /// What comes in its place.
    pub text: &'p str,
}

impl Edit<'_> {
    /// The edit with a text of its own.
    pub fn owned(self) -> TextEdit {
        TextEdit { range: self.range, text: self.text.to_owned() }
    }
}

/// Edits of one text that can be applied together. There may be a million of them: their texts are one.
///
/// Invariant: sorted by start; no two share a byte; no insertion lies strictly inside another edit's range.
/// Insertions at one offset stay in the order in which they were added and stand before a replacement that starts there.
#[derive(Clone, Default, Debug)]
pub struct Patch {
    edits: Vec<(TextRange, Range<usize>)>,
    /// What comes, edit after edit as they were added; each has its range of it.
    texts: String,
}

impl Patch {
    /// Adds all of `edits` or, where one of them disturbs an edit that is already in, none. Edits may touch.
    pub fn try_add(&mut self, edits: &[TextEdit]) -> bool {
        let fits = edits.iter().enumerate().all(|(idx, edit)| {
            let clash = |other: TextRange| disturbs(edit.range, other);
            // The edits of one fix are few; against the patch, only the neighbours can clash.
            let at = self.edits.partition_point(|(other, _)| other.end() < edit.range.start());
            let near = self.edits[at..].iter().map(|(other, _)| *other).take_while(|other| other.start() <= edit.range.end());
            !near.chain(edits[..idx].iter().map(|edit| edit.range)).any(clash)
        });
        for edit in edits.iter().filter(|_| fits) {
            let key = |range: TextRange| (range.start(), range.end());
            let at = self.edits.partition_point(|(other, _)| key(*other) <= key(edit.range));
            let start = self.texts.len();
            self.texts.push_str(&edit.text);
            self.edits.insert(at, (edit.range, start..self.texts.len()));
        }
        fits
    }

    /// The edits, in order.
    pub fn edits(&self) -> impl Iterator<Item = Edit<'_>> {
        self.edits.iter().map(|(range, text)| Edit { range: *range, text: &self.texts[text.clone()] })
    }

    /// True where nothing would change.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// The same change of `text` in as few and as small edits as its shape allows: those that touch are one, and none replaces bytes by
    /// themselves. No two of them touch; line endings stay whole.
    pub fn smallest(&self, text: &str) -> Vec<TextEdit> {
        let mut joined: Vec<TextEdit> = Vec::new();
        for edit in self.edits() {
            match joined.last_mut() {
                Some(last) if last.range.end() == edit.range.start() => {
                    last.range = TextRange::new(last.range.start(), edit.range.end());
                    last.text.push_str(edit.text);
                }
                _ => joined.push(edit.owned()),
            }
        }
        joined.iter_mut().for_each(|edit| trim(edit, text));
        joined.retain(|edit| !edit.range.is_empty() || !edit.text.is_empty());
        joined
    }

    /// The text after all edits.
    pub fn apply(&self, text: &str) -> String {
        self.apply_within(text, TextRange::new(0, text.len()))
    }

    /// What stands in `range` of the text after all edits, of which none reaches out of it.
    pub(crate) fn apply_within(&self, text: &str, range: TextRange) -> String {
        let mut out = String::with_capacity(range.len() + self.texts.len());
        let mut at = range.start();
        for edit in self.edits() {
            out.push_str(TextRange::new(at, edit.range.start()).of(text));
            out.push_str(edit.text);
            at = edit.range.end();
        }
        out.push_str(TextRange::new(at, range.end()).of(text));
        out
    }
}

/// Takes from both ends of an edit what it does not change.
fn trim(edit: &mut TextEdit, text: &str) {
    let old = edit.range.of(text);
    let whole = |text: &str, at: usize| text.is_char_boundary(at) && !(text[..at].ends_with('\r') && text[at..].starts_with('\n'));
    let mut front = old.bytes().zip(edit.text.bytes()).take_while(|(a, b)| a == b).count();
    while !(whole(old, front) && whole(&edit.text, front)) {
        front -= 1;
    }
    let (rest, new) = (&old[front..], &edit.text[front..]);
    let mut back = rest.bytes().rev().zip(new.bytes().rev()).take_while(|(a, b)| a == b).count();
    while !(whole(rest, rest.len() - back) && whole(new, new.len() - back)) {
        back -= 1;
    }
    let new = new[..new.len() - back].to_owned();
    edit.range = TextRange::new(edit.range.start() + front, edit.range.end() - back);
    edit.text = new;
}

/// True where two edits cannot stand in one patch: they share a byte, or one inserts inside the other.
fn disturbs(a: TextRange, b: TextRange) -> bool {
    if a.is_empty() {
        return b.start() < a.start() && a.start() < b.end();
    }
    if b.is_empty() {
        return a.start() < b.start() && b.start() < a.end();
    }
    a.overlaps(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch(edits: &[TextEdit]) -> (Patch, Vec<bool>) {
        let mut patch = Patch::default();
        let taken = edits.iter().map(|edit| patch.try_add(std::slice::from_ref(edit))).collect();
        (patch, taken)
    }

    #[test]
    fn touching_edits_go_together() {
        let (patch, taken) =
            patch(&[TextEdit::delete(TextRange::new(2, 4)), TextEdit::insert(2, "x"), TextEdit::insert(4, "y"), TextEdit::insert(2, "z")]);
        assert_eq!(taken, [true; 4]);
        assert_eq!(patch.apply("abcdef"), "abxzyef");
        let (patch, taken) = self::patch(&[TextEdit::insert(2, "x"), TextEdit::insert(4, "y"), TextEdit::delete(TextRange::new(2, 4))]);
        assert_eq!((patch.apply("abcdef").as_str(), taken), ("abxyef", vec![true; 3]));
    }

    #[test]
    fn disturbing_edits_wait() {
        let (patch, taken) =
            patch(&[TextEdit::delete(TextRange::new(2, 4)), TextEdit::insert(3, "x"), TextEdit::replace(TextRange::new(3, 5), "y")]);
        assert_eq!(taken, [true, false, false]);
        assert_eq!(patch.apply("abcdef"), "abef");
    }

    #[test]
    fn the_smallest_edits_make_the_same_text() {
        let text = "- a: 1\r\n- б: 2\r\n";
        let (patch, _) = patch(&[
            TextEdit::replace(TextRange::new(0, 8), "- a: 1 old\r\n"),
            TextEdit::insert(8, "- a: 3\r\n"),
            TextEdit::replace(TextRange::new(10, 12), "в"),
        ]);
        let smallest = patch.smallest(text);
        assert_eq!(smallest[0], TextEdit::insert(6, " old\r\n- a: 3"));
        // The two letters share their first byte.
        assert_eq!(smallest[1..], [TextEdit::replace(TextRange::new(10, 12), "в")]);
        let mut again = Patch::default();
        assert!(again.try_add(&smallest));
        assert_eq!(again.apply(text), patch.apply(text));
    }

    #[test]
    fn the_smallest_edits_are_none_where_nothing_changes() {
        let (patch, _) = patch(&[TextEdit::delete(TextRange::new(0, 2)), TextEdit::replace(TextRange::new(3, 5), "de")]);
        assert_eq!(patch.smallest("abcdef"), [TextEdit::delete(TextRange::new(0, 2))]);
    }

    #[test]
    fn the_smallest_edits_leave_line_endings_whole() {
        for (text, new, smallest) in [
            ("a\n", "b\n", TextEdit::replace(TextRange::new(0, 1), "b")),
            ("a\r\n", "a\rb", TextEdit::replace(TextRange::new(1, 3), "\rb")),
            ("a\rb", "a\r\n", TextEdit::replace(TextRange::new(1, 3), "\r\n")),
            ("a\r\n", "a\n", TextEdit::replace(TextRange::new(1, 3), "\n")),
        ] {
            let (patch, _) = patch(&[TextEdit::replace(TextRange::new(0, text.len()), new)]);
            assert_eq!(patch.smallest(text), [smallest], "{text:?} {new:?}");
        }
    }

    #[test]
    fn a_fix_goes_in_whole_or_not_at_all() {
        let mut patch = Patch::default();
        assert!(patch.try_add(&[TextEdit::delete(TextRange::new(0, 2))]));
        assert!(!patch.try_add(&[TextEdit::insert(5, "x"), TextEdit::insert(1, "y")]));
        assert_eq!(patch.apply("abcdef"), "cdef");
    }
}
