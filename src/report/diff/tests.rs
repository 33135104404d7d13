//! Tests of the patch: examples, and an applier that takes nothing on trust.

use super::*;
use crate::text::TextEdit;
use proptest::prelude::*;

fn patch(edits: &[TextEdit]) -> Patch {
    let mut patch = Patch::default();
    for edit in edits {
        patch.try_add(std::slice::from_ref(edit));
    }
    patch
}

fn render(name: &str, before: &str, patch: &Patch, color: bool) -> String {
    let mut out = Vec::new();
    diff(&mut out, name, before, &patch.apply(before), patch, color).expect("a Vec takes all");
    String::from_utf8(out).expect("UTF-8")
}

fn of(before: &str, edits: &[TextEdit]) -> String {
    render("a.md", before, &patch(edits), false)
}

/// Applies a unified patch strictly: each line where its head says, each count right, context around each hunk.
fn apply(before: &str, patch: &str) -> String {
    let old: Vec<_> = before.split_inclusive('\n').collect();
    let mut out: Vec<String> = Vec::new();
    let (mut at, mut lines) = (0, patch.split_inclusive('\n').peekable());
    if lines.peek().is_some() {
        assert!(lines.next().expect("a head").starts_with("--- a/") && lines.next().expect("a head").starts_with("+++ b/"));
    }
    while let Some(head) = lines.next() {
        let extents: Vec<_> = head.strip_prefix("@@ -").and_then(|rest| rest.strip_suffix(" @@\n")).expect("a head").split(" +").collect();
        let [(old_start, mut old_left), (new_start, mut new_left)] = [extents[0], extents[1]].map(|extent| {
            let (start, count) = extent.split_once(',').unwrap_or((extent, "1"));
            let (start, count): (usize, usize) = (start.parse().expect("a number"), count.parse().expect("a number"));
            (if count == 0 { start } else { start - 1 }, count)
        });
        assert!(old_start >= at);
        out.extend(old[at..old_start].iter().map(|&line| line.to_owned()));
        at = old_start;
        assert_eq!(out.len(), new_start, "{patch}");
        let mut changed = false;
        while old_left + new_left > 0 {
            let mut line = lines.next().expect("a line").to_owned();
            let sign = line.remove(0);
            if lines.next_if(|&next| next == "\\ No newline at end of file\n").is_some() {
                line.pop();
            }
            changed |= sign != ' ';
            if sign != '+' {
                assert_eq!(old[at], line, "{patch}");
                at += 1;
                old_left -= 1;
            }
            if sign != '-' {
                out.push(line);
                new_left -= 1;
            }
        }
        assert!(changed, "an empty hunk: {patch}");
    }
    out.extend(old[at..].iter().map(|&line| line.to_owned()));
    out.concat()
}

#[test]
fn three_lines_of_context() {
    let before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n";
    let edits = [TextEdit::replace(TextRange::new(8, 9), "five"), TextEdit::insert(24, "x\n"), TextEdit::delete(TextRange::new(30, 33))];
    assert_eq!(
        of(before, &edits),
        "--- a/a.md\n+++ b/a.md\n@@ -2,14 +2,14 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n 9\n 10\n 11\n+x\n 12\n 13\n-14\n 15\n"
    );
    assert_eq!(of(before, &edits[..1]), "--- a/a.md\n+++ b/a.md\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

#[test]
fn the_last_line_may_lack_its_end() {
    let note = "\\ No newline at end of file\n";
    let head = "--- a/a.md\n+++ b/a.md\n";
    assert_eq!(of("a", &[TextEdit::insert(1, "\n")]), format!("{head}@@ -1 +1 @@\n-a\n{note}+a\n"));
    assert_eq!(of("a\n", &[TextEdit::delete(TextRange::new(1, 2))]), format!("{head}@@ -1 +1 @@\n-a\n+a\n{note}"));
    assert_eq!(of("a", &[TextEdit::insert(0, "b\n")]), format!("{head}@@ -1 +1,2 @@\n+b\n a\n{note}"));
    assert_eq!(of("a", &[TextEdit::insert(1, "b")]), format!("{head}@@ -1 +1 @@\n-a\n{note}+ab\n{note}"));
    assert_eq!(of("a\n", &[TextEdit::insert(2, "b")]), format!("{head}@@ -1 +1,2 @@\n a\n+b\n{note}"));
    assert_eq!(of("", &[TextEdit::insert(0, "b\n")]), format!("{head}@@ -0,0 +1 @@\n+b\n"));
    assert_eq!(of("b\r\n", &[TextEdit::delete(TextRange::new(0, 3))]), format!("{head}@@ -1 +0,0 @@\n-b\r\n"));
}

#[test]
fn only_what_changes_is_in_it() {
    let text = "same\nsame\nsame\nother\n";
    assert_eq!(of(text, &[TextEdit::replace(TextRange::new(0, 5), "same\n")]), "");
    assert_eq!(of(text, &[TextEdit::delete(TextRange::new(0, 5)), TextEdit::insert(15, "same\n")]), "");
    // One edit over many lines: only those that differ are shown as changed.
    let edit = TextEdit::replace(TextRange::new(0, text.len()), "same\nnew\nsame\nsame\nother one\n");
    assert_eq!(of(text, &[edit]), "--- a/a.md\n+++ b/a.md\n@@ -1,4 +1,5 @@\n same\n+new\n same\n same\n-other\n+other one\n");
}

#[test]
fn names_are_quoted_as_git_does() {
    assert_eq!(label("a/", "docs/память.md"), "a/docs/память.md");
    assert_eq!(label("a/", "my notes.md"), "a/my notes.md\t");
    assert_eq!(label("b/", "a\tb\"c\\d\u{1}.md"), r#""b/a\tb\"c\\d\001.md""#);
}

#[test]
fn colours_are_for_the_eye() {
    let report = render("a.md", "a\u{1b}[2J\r\n", &patch(&[TextEdit::insert(5, "b")]), true);
    let expected = "{1m--- a/a.md{m\n{1m+++ b/a.md{m\n{36m@@ -1 +1 @@{m\n{31m-a\\u{1b}[2J{m\r\n{32m+a\\u{1b}[2Jb{m\r\n";
    assert_eq!(
        report,
        expected.replace("{1m", BOLD).replace("{36m", CYAN).replace("{31m", RED).replace("{32m", GREEN).replace("{m", RESET)
    );
}

proptest! {
    #[test]
    fn applied_it_gives_the_text_after(
        text in "([ab\u{e9}]{0,3}(\n|\n|\r\n|\r|)){0,30}",
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..6, "[ab\r\n]{0,4}"), 0..8),
    ) {
        let edits: Vec<_> = edits
            .iter()
            .map(|(start, len, new)| {
                let start = text.floor_char_boundary(start.index(text.len() + 1));
                TextEdit::replace(TextRange::new(start, text.floor_char_boundary(start + len)), new.as_str())
            })
            .collect();
        let patch = patch(&edits);
        let report = render("a.md", &text, &patch, false);
        prop_assert_eq!(apply(&text, &report), patch.apply(&text), "{}", report);
    }
}
