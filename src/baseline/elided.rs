//! Placeholders that stand for text an agent left out: `... rest unchanged ...`, `[existing content]`.

use crate::text::{TextRange, fold_blanks, line_end, next_line};
use aho_corasick::packed::{self, Searcher};
use rustc_hash::FxHashSet;
use std::sync::LazyLock;

/// Phrases that stand for left-out text when they are all that a line says.
const PHRASES: [&str; 34] = [
    "rest unchanged",
    "rest of file unchanged",
    "rest of the file unchanged",
    "rest of file",
    "rest of the file",
    "rest of the file is unchanged",
    "rest of the file remains unchanged",
    "rest of document unchanged",
    "rest of the document unchanged",
    "rest of section unchanged",
    "rest of the section unchanged",
    "rest of content unchanged",
    "rest of the content unchanged",
    "rest of existing content",
    "rest stays the same",
    "rest as before",
    "remaining content unchanged",
    "remaining sections unchanged",
    "remaining entries unchanged",
    "existing content",
    "existing content here",
    "existing content unchanged",
    "existing entries",
    "existing records",
    "existing facts",
    "keep existing content",
    "unchanged",
    "no changes",
    "same as before",
    "omitted for brevity",
    "content omitted",
    "остальное без изменений",
    "без изменений",
    "остальное как было",
];

/// The first line of `text` that is a placeholder and does not stand in `base`. Without a base the line must also look like
/// one: dots, brackets or a comment around the phrase.
pub fn elided(text: &str, base: Option<&str>) -> Option<TextRange> {
    if !may_hold_placeholder(text) {
        return None;
    }
    let mut known: Option<FxHashSet<&str>> = None;
    let mut at = 0;
    while at < text.len() {
        let line = TextRange::new(at, line_end(text, at)).trimmed(text);
        at = next_line(text, at);
        let body = line.of(text);
        if body.len() > 160 || !is_placeholder(body, base.is_some()) {
            continue;
        }
        let known = known.get_or_insert_with(|| base.unwrap_or("").lines().map(str::trim).collect());
        if !known.contains(body) {
            return Some(line);
        }
    }
    None
}

/// Every phrase has one of these pieces; nearly no memory file does.
const PIECES: [&str; 8] = ["nchanged", "xisting ", "mitted", " as before", "o changes", "ore lines", "est of ", "tays the same"];
const RUSSIAN: [&str; 2] = ["изменений", "как было"];

/// All pieces in one pass; none where the processor has no instructions for that.
static ANY: LazyLock<Option<Searcher>> = LazyLock::new(|| packed::Config::new().builder().extend(PIECES).build());

fn may_hold_placeholder(text: &str) -> bool {
    let any = |pieces: &[&str]| pieces.iter().any(|piece| memchr::memmem::find(text.as_bytes(), piece.as_bytes()).is_some());
    let has_piece = match &*ANY {
        Some(searcher) => searcher.find(text).is_some(),
        None => any(&PIECES),
    };
    has_piece || (!text.is_ascii() && any(&RUSSIAN))
}

fn is_placeholder(line: &str, bare: bool) -> bool {
    // Cheap first: a placeholder is short and has one of these letters pairs in every phrase.
    let dotted = line.contains("...") || line.contains('…');
    let wrapped = line.starts_with(['[', '(', '<', '#', '/', '*', '{', '_']);
    if !(dotted || wrapped || bare) {
        return false;
    }
    let decoration = |c: char| !c.is_alphanumeric();
    let mut inner = line.trim_matches(decoration);
    let folded = inner.to_lowercase();
    let folded = fold_blanks(&folded);
    inner = &folded;
    if !(dotted || wrapped) && line.starts_with(['-', '+']) {
        // A list item that says no more than that is a rule of its own.
        return false;
    }
    let inner = inner.strip_prefix("the ").unwrap_or(inner);
    let inner = inner.strip_suffix(" here").unwrap_or(inner);
    if PHRASES.contains(&inner) {
        return true;
    }
    // `[... 42 lines omitted ...]`
    (dotted || wrapped)
        && inner.split(' ').next().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
        && (inner.ends_with("lines omitted") || inner.ends_with("lines unchanged") || inner.ends_with("more lines"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders() {
        for line in [
            "... rest unchanged ...",
            "[... rest of the file unchanged ...]",
            "<!-- existing content -->",
            "# ... existing content ...",
            "// ... keep existing content ...",
            "... (rest of the section unchanged) ...",
            "[... 42 lines omitted ...]",
            "... 42 lines omitted",
            "(7 lines unchanged)",
            "… 7 more lines",
            "- ... rest unchanged ...",
            "(остальное без изменений)",
        ] {
            assert!(elided(line, None).is_some(), "{line}");
        }
    }

    #[test]
    fn rules_about_the_rest_are_none() {
        for line in [
            "- rest unchanged",
            "- Edit one line and leave the rest of the file unchanged.",
            "Unchanged values stay.",
            "[unchanged](x.md) files are listed",
            "7 more lines",
            "... seven more lines",
            "... 7 lines follow, unchanged",
        ] {
            assert!(elided(line, Some("")).is_none(), "{line}");
        }
        assert!(elided("... rest unchanged ...", Some("x\n... rest unchanged ...\n")).is_none());
    }
}
