//! The patches of Codex' `apply_patch`: the text of a patch comes in, the files it touches and what it does to them go out.
//!
//! The format is line-wise: `*** Add File: PATH` with lines behind `+`; `*** Delete File: PATH`; `*** Update File: PATH`, perhaps
//! `*** Move to: PATH`, with hunks that begin with `@@` and hold lines behind a blank, `-` or `+`. What does not fit ends a section.

use super::event::{Change, Touch};

/// One place of a patch: lines that must stand there, and what stands there afterwards.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Hunk {
    pub(super) old: Vec<String>,
    pub(super) new: Vec<String>,
}

/// The files that a patch touches.
pub(super) fn touches(patch: &str) -> Vec<Touch> {
    let mut found: Vec<Touch> = Vec::new();
    for line in patch.lines() {
        if let Some(rest) = line.strip_prefix("*** ") {
            let section = |word: &str| rest.strip_prefix(word).map(|path| path.trim().to_owned());
            let touch = |path, change| Touch { path, change, original: None };
            if let Some(path) = section("Add File:") {
                found.push(touch(path, Change::Whole(String::new())));
            } else if let Some(path) = section("Delete File:") {
                found.push(touch(path, Change::Delete));
            } else if let Some(path) = section("Update File:") {
                found.push(touch(path, Change::Patch(Vec::new())));
            } else if let Some(path) = section("Move to:") {
                // The text goes on under another name; what that means is seen afterwards.
                found.push(touch(path, Change::Unknown));
            }
            continue;
        }
        match found.last_mut().map(|touch| &mut touch.change) {
            Some(Change::Whole(text)) => {
                text.push_str(line.strip_prefix('+').unwrap_or(line));
                text.push('\n');
            }
            Some(Change::Patch(hunks)) => add(hunks, line),
            _ => {}
        }
    }
    found
}

fn add(hunks: &mut Vec<Hunk>, line: &str) {
    if line.starts_with("@@") || hunks.is_empty() {
        hunks.push(Hunk::default());
        if line.starts_with("@@") {
            return;
        }
    }
    let Some(hunk) = hunks.last_mut() else { return };
    match line.split_at_checked(1) {
        Some(("+", text)) => hunk.new.push(text.to_owned()),
        Some(("-", text)) => hunk.old.push(text.to_owned()),
        Some((" ", text)) => {
            hunk.old.push(text.to_owned());
            hunk.new.push(text.to_owned());
        }
        // An empty line of context may have lost its blank.
        _ => {
            hunk.old.push(line.to_owned());
            hunk.new.push(line.to_owned());
        }
    }
}

/// The text after all hunks, each found behind the one before; nothing where one is not found.
pub(super) fn apply(text: &str, hunks: &[Hunk]) -> Option<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut at = 0;
    for hunk in hunks {
        let found = if hunk.old.is_empty() {
            lines.len()
        } else {
            at + lines.get(at..)?.windows(hunk.old.len()).position(|window| window == hunk.old)?
        };
        lines.splice(found..found + hunk.old.len(), hunk.new.iter().cloned());
        at = found + hunk.new.len();
    }
    Some(lines.into_iter().map(|line| line + "\n").collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = "*** Begin Patch\n*** Update File: AGENTS.md\n@@ ## Project memory\n - Team: core\n-- DB: MySQL 8\n+- DB: Postgres 16\n@@\n - Port: 80\n+- Host: a\n*** Add File: b/CLAUDE.md\n+# B\n+\n*** Delete File: GEMINI.md\n*** Update File: old.md\n*** Move to: MEMORY.md\n*** End Patch\n";

    #[test]
    fn all_files_of_a_patch_are_found() {
        let touches = touches(PATCH);
        let paths: Vec<&str> = touches.iter().map(|touch| touch.path.as_str()).collect();
        assert_eq!(paths, ["AGENTS.md", "b/CLAUDE.md", "GEMINI.md", "old.md", "MEMORY.md"]);
        let text = "- Team: core\n- DB: MySQL 8\n- Port: 80\n";
        assert_eq!(touches[0].change.apply(text).as_deref(), Some("- Team: core\n- DB: Postgres 16\n- Port: 80\n- Host: a\n"));
        assert_eq!(touches[0].change.apply("- Team: core\n"), None);
        assert_eq!(touches[1].change, Change::Whole("# B\n\n".into()));
        assert_eq!(touches[2].change, Change::Delete);
    }

    #[test]
    fn what_is_no_patch_touches_nothing() {
        for text in ["", "echo hi", "*** Begin Patch", "*** Update Fil", "@@\n-a\n+b\n"] {
            assert!(touches(text).is_empty(), "{text:?}");
        }
    }
}
