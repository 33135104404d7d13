//! Trailers in a commit message: bytes come in, bytes go out; pure.
//!
//! They go where git puts its own (git-interpret-trailers(1)): after the body, in its last paragraph where that is one of
//! trailers, before comments and what stands below the scissors.

use crate::io::git::accepted;
use crate::text::fold_key;

/// The key of the trailer.
const KEY: &str = "Memfile-Accept";
/// What git draws into the line above the text that it cuts off.
const SCISSORS: &[u8] = b" ------------------------ >8 ------------------------";
/// The characters that `core.commentChar=auto` chooses from.
const CANDIDATES: &[u8] = b"#;@!$%^&|:";

/// What begins a line that is no part of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Comment {
    /// Nothing: all lines are.
    None,
    /// These bytes.
    Prefix(Vec<u8>),
    /// What git chose; the last line shows it.
    Auto,
}

impl Comment {
    fn prefix<'a>(&'a self, lines: &[&'a [u8]]) -> Option<&'a [u8]> {
        match self {
            Self::None => None,
            Self::Prefix(prefix) => Some(prefix),
            Self::Auto => {
                let cut = lines.iter().find(|line| without_end(line).strip_suffix(SCISSORS).is_some_and(|before| before.len() == 1));
                let last = cut.or_else(|| lines.iter().rev().find(|line| !line.trim_ascii().is_empty()));
                Some(last.and_then(|line| line.get(..1)).filter(|first| CANDIDATES.contains(&first[0])).unwrap_or(b"#"))
            }
        }
    }
}

/// A message taken apart.
struct Parts<'a> {
    lines: Vec<&'a [u8]>,
    /// The number of lines up to the end of what git keeps.
    end: usize,
    prefix: Option<&'a [u8]>,
}

impl<'a> Parts<'a> {
    fn new(text: &'a [u8], comment: &'a Comment) -> Self {
        let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
        let prefix = comment.prefix(&lines);
        let is_cut = |line: &&[u8]| prefix.is_some_and(|prefix| without_end(line).strip_prefix(prefix) == Some(SCISSORS));
        let mut end = lines.iter().position(is_cut).unwrap_or(lines.len());
        let parts = Self { lines, end, prefix };
        while end > 0 && !parts.is_said(end - 1) {
            end -= 1;
        }
        Self { end, ..parts }
    }

    /// True for a line of the message itself that is not blank.
    fn is_said(&self, idx: usize) -> bool {
        !self.lines[idx].trim_ascii().is_empty() && !self.is_comment(idx)
    }

    fn is_comment(&self, idx: usize) -> bool {
        self.prefix.is_some_and(|prefix| self.lines[idx].starts_with(prefix))
    }

    /// The lines that git keeps, as text.
    fn body(&self) -> String {
        let kept = (0..self.end).filter(|&idx| !self.is_comment(idx)).flat_map(|idx| self.lines[idx]).copied().collect::<Vec<u8>>();
        String::from_utf8_lossy(&kept).into_owned()
    }

    /// True where the last paragraph is one of trailers: all its lines are, or a quarter of them and one that git writes.
    fn ends_in_trailers(&self) -> bool {
        let said: Vec<usize> = (0..self.end).filter(|&idx| !self.is_comment(idx)).collect();
        let start = said.iter().rposition(|&idx| self.lines[idx].trim_ascii().is_empty()).map_or(0, |at| at + 1);
        // The first paragraph is the subject.
        if !said[..start].iter().any(|&idx| self.is_said(idx)) {
            return false;
        }
        let lines: Vec<&[u8]> = said[start..].iter().map(|&idx| self.lines[idx]).filter(|line| !line.starts_with(b" ")).collect();
        let of_git = |line: &[u8]| line.starts_with(b"Signed-off-by: ") || line.starts_with(b"(cherry picked from commit ");
        let trailers = lines.iter().filter(|line| is_trailer(line) || of_git(line)).count();
        trailers > 0 && (trailers == lines.len() || (4 * trailers >= lines.len() && lines.iter().any(|line| of_git(line))))
    }
}

/// The message with a trailer for each of `keys` that it lacks; `None` where it lacks none.
pub(super) fn add(text: &[u8], keys: &[String], comment: &Comment) -> Option<Vec<u8>> {
    let parts = Parts::new(text, comment);
    let mut told: Vec<String> = accepted(&parts.body()).iter().map(|key| fold_key(key)).collect();
    let mut missing = Vec::new();
    for key in keys {
        let folded = fold_key(key);
        if !folded.is_empty() && !told.contains(&folded) {
            told.push(folded);
            missing.push(key);
        }
    }
    if missing.is_empty() {
        return None;
    }
    let eol: &[u8] = if parts.lines.first().is_some_and(|line| line.ends_with(b"\r\n")) { b"\r\n" } else { b"\n" };
    let mut out: Vec<u8> = parts.lines[..parts.end].concat();
    if parts.end == 0 {
        // The subject is still to be written; git leaves two lines for it above its own trailers.
        out.extend([eol, eol].concat());
    } else {
        if !out.ends_with(b"\n") {
            out.extend(eol);
        }
        if !parts.ends_in_trailers() {
            out.extend(eol);
        }
    }
    for key in missing {
        out.extend(format!("{KEY}: {key}").as_bytes());
        out.extend(eol);
    }
    out.extend(parts.lines[parts.end..].concat());
    Some(out)
}

/// The keys of trailers in quoted messages: `git merge --squash` sets those of the squashed commits in.
pub(super) fn quoted(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let lines = text.lines().filter(|line| line.starts_with([' ', '\t'])).map(str::trim_start);
    // The reader of trailers passes over the subject.
    accepted(&std::iter::once("").chain(lines).collect::<Vec<_>>().join("\n"))
}

/// True for a message that says nothing but what its `Memfile-Accept` trailers say.
pub(super) fn is_only_trailers(text: &[u8], comment: &Comment) -> bool {
    let parts = Parts::new(text, comment);
    let said: Vec<&[u8]> = (0..parts.end).filter(|&idx| parts.is_said(idx)).map(|idx| parts.lines[idx]).collect();
    let is_ours = |line: &&[u8]| line.get(..KEY.len()).is_some_and(|key| key.eq_ignore_ascii_case(KEY.as_bytes())) && is_trailer(line);
    !said.is_empty() && said.iter().all(is_ours)
}

/// `Token: value`, where blanks may stand before the colon.
fn is_trailer(line: &[u8]) -> bool {
    let token = line.split(|&byte| byte == b':').next().unwrap_or_default();
    let name = token.trim_ascii_end();
    token.len() < line.len() && !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
}

fn without_end(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\n").map_or(line, |line| line.strip_suffix(b"\r").unwrap_or(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(text: &str, keys: &[&str], comment: &Comment) -> String {
        let keys: Vec<String> = keys.iter().map(|&key| key.to_owned()).collect();
        let text = add(text.as_bytes(), &keys, comment).unwrap_or_else(|| text.into());
        // Once more changes nothing.
        assert_eq!(add(&text, &keys, comment), None);
        String::from_utf8(text).expect("UTF-8")
    }

    fn hash() -> Comment {
        Comment::Prefix(b"#".to_vec())
    }

    #[test]
    fn trailers_follow_the_body() {
        assert_eq!(with("a\n", &["DB", "Host"], &hash()), "a\n\nMemfile-Accept: DB\nMemfile-Accept: Host\n");
        assert_eq!(with("a", &["DB", "db"], &hash()), "a\n\nMemfile-Accept: DB\n");
        assert_eq!(with("a\r\n\r\nb\r\n", &["DB"], &hash()), "a\r\n\r\nb\r\n\r\nMemfile-Accept: DB\r\n");
        assert_eq!(with("a\n\nmemfile-accept: db\n", &["DB"], &hash()), "a\n\nmemfile-accept: db\n");
    }

    #[test]
    fn a_block_of_trailers_grows() {
        assert_eq!(with("a\n\nRefs: 1\n x\n", &["DB"], &hash()), "a\n\nRefs: 1\n x\nMemfile-Accept: DB\n");
        assert_eq!(with("fix: a\n", &["DB"], &hash()), "fix: a\n\nMemfile-Accept: DB\n");
        let mixed = "a\n\nSigned-off-by: A <a@x>\n[b: words]\n";
        assert_eq!(with(mixed, &["DB"], &hash()), format!("{mixed}Memfile-Accept: DB\n"));
        assert_eq!(with("a\n\nsee: this\nand that\n", &["DB"], &hash()), "a\n\nsee: this\nand that\n\nMemfile-Accept: DB\n");
    }

    #[test]
    fn comments_and_what_is_cut_off_stay_below() {
        let rest = "\n# Please enter\n# a\n";
        assert_eq!(with(&format!("a\n{rest}"), &["DB"], &hash()), format!("a\n\nMemfile-Accept: DB\n{rest}"));
        assert_eq!(with(rest, &["DB"], &hash()), format!("\n\nMemfile-Accept: DB\n{rest}"));
        let cut = "; ------------------------ >8 ------------------------\n; x\ndiff\nMemfile-Accept: DB\n";
        for comment in [Comment::Prefix(b";".to_vec()), Comment::Auto] {
            assert_eq!(with(&format!("a\n{cut}"), &["DB"], &comment), format!("a\n\nMemfile-Accept: DB\n{cut}"));
        }
        assert_eq!(with("a\n\n#12 is done\n", &["DB"], &Comment::None), "a\n\n#12 is done\n\nMemfile-Accept: DB\n");
        assert_eq!(with("#1\n\n; Please\n;\n", &["DB"], &Comment::Auto), "#1\n\nMemfile-Accept: DB\n\n; Please\n;\n");
    }

    #[test]
    fn trailers_of_squashed_commits_are_found() {
        let text =
            b"Squashed commit of the following:\n\ncommit 1\n\n    one\n\n    Memfile-Accept: DB\n    Refs: 1\n\n    Memfile-Accept: A\n";
        assert_eq!(quoted(text), ["DB", "A"]);
    }

    #[test]
    fn a_message_of_trailers_alone_says_nothing() {
        let lone = |text: &str| is_only_trailers(text.as_bytes(), &hash());
        assert!(lone("\n\nMemfile-Accept: DB\n\n# Please\n"));
        assert!(!lone("a\n\nMemfile-Accept: DB\n"));
        assert!(!lone("\n# Please\n"));
        assert!(!lone("Memfile-Acceptance is high\n"));
    }
}
