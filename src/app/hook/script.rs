//! memfile's lines in a hook file: a text comes in, the text with them or without them goes out; pure.
//!
//! The lines stand between two markers, at the top, behind the shebang and the comments below it: what another tool wrote
//! there may end in `exec`. The first marker says how to take them out again, so that every byte of the rest comes back.

use crate::text::TextRange;

/// The hooks that memfile uses, by what they are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hook {
    /// Judges the index.
    PreCommit,
    /// Writes trailers into the message.
    PrepareCommitMsg,
    /// Empties a message that holds nothing but those, so that git gives the commit up.
    CommitMsg,
}

impl Hook {
    /// In the order in which git runs them.
    pub(crate) const ALL: [Self; 3] = [Self::PreCommit, Self::PrepareCommitMsg, Self::CommitMsg];

    /// The name of the file.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::PreCommit => "pre-commit",
            Self::PrepareCommitMsg => "prepare-commit-msg",
            Self::CommitMsg => "commit-msg",
        }
    }

    /// The line for a hook that is written by hand.
    pub(crate) fn line(self) -> &'static str {
        match self {
            Self::PreCommit => "memfile hook run || exit $?",
            Self::PrepareCommitMsg => "memfile hook run --message \"$@\"",
            Self::CommitMsg => "memfile hook run --edited \"$1\"",
        }
    }

    /// What of that line tells that it is there.
    fn mark(self) -> &'static str {
        match self {
            Self::PreCommit => "hook run",
            Self::PrepareCommitMsg => "hook run --message",
            Self::CommitMsg => "hook run --edited",
        }
    }

    /// The command, behind the name of the program. Only what is wrong with the commit stops it.
    fn command(self) -> &'static str {
        match self {
            Self::PreCommit => "hook run || exit $?",
            Self::PrepareCommitMsg => "hook run --message \"$@\" || :",
            Self::CommitMsg => "hook run --edited \"$1\" || :",
        }
    }
}

const OPEN: &str = "# >>> memfile hook >>> `memfile hook remove` takes these lines out";
const CLOSE: &str = "# <<< memfile hook <<<";
/// The shebang of a file that memfile makes.
const SHEBANG: &str = "#!/bin/sh\n";

/// What else is to be undone with the lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Undo {
    /// Nothing.
    Lines,
    /// The file was made for them.
    File,
    /// The line above had no end.
    LineEnd,
    /// The file was not executable, and what stands in it still does not run.
    Mode,
    /// Both.
    LineEndAndMode,
}

impl Undo {
    const ALL: [Self; 5] = [Self::Lines, Self::File, Self::LineEnd, Self::Mode, Self::LineEndAndMode];

    fn words(self) -> &'static str {
        match self {
            Self::Lines => "",
            Self::File => ", and this file",
            Self::LineEnd => ", and the line break above",
            Self::Mode => ", and the right to run this file",
            Self::LineEndAndMode => ", and the line break above, and the right to run this file",
        }
    }

    fn mode(self) -> bool {
        matches!(self, Self::Mode | Self::LineEndAndMode)
    }
}

/// Why a hook file is not touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refusal {
    /// It is not for a POSIX shell.
    NotShell,
    /// A link, or no regular file.
    NotAFile,
    /// Not UTF-8.
    NotUtf8,
    /// One of the markers is missing.
    Broken,
}

impl Refusal {
    /// The reason, for people.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::NotShell => "is no shell script",
            Self::NotAFile => "is a link or no regular file",
            Self::NotUtf8 => "is not UTF-8",
            Self::Broken => "has only one of the two markers of memfile's lines; take what is left of them out by hand",
        }
    }
}

/// memfile's lines in a text.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Block {
    range: TextRange,
    undo: Undo,
}

/// The block of `text`, if it has one.
fn find(text: &str) -> Result<Option<Block>, Refusal> {
    let mut at = 0;
    let (mut open, mut close) = (None, None);
    for line in text.split_inclusive('\n') {
        let said = line.trim_end_matches(['\r', '\n']);
        if let Some(rest) = said.strip_prefix(OPEN).filter(|_| open.is_none()) {
            open = Some((at, Undo::ALL.into_iter().find(|undo| undo.words() == rest).unwrap_or(Undo::Lines)));
        } else if said == CLOSE && close.is_none() {
            close = Some(at + line.len());
        }
        at += line.len();
    }
    match (open, close) {
        (None, None) => Ok(None),
        (Some((start, undo)), Some(end)) if start < end => Ok(Some(Block { range: TextRange::new(start, end), undo })),
        _ => Err(Refusal::Broken),
    }
}

/// True where `text` runs memfile by a line of its own, written by hand.
pub(super) fn is_by_hand(text: &str, hook: Hook) -> bool {
    let runs = |line: &str| line.contains("memfile") && line.contains(hook.mark());
    find(text) == Ok(None) && text.lines().map(str::trim_start).any(|line| !line.starts_with('#') && runs(line))
}

/// The program that made `text`, and runs what its own configuration names.
pub(super) fn manager(text: &str) -> Option<&'static str> {
    let made = |word: &str| text.contains(word);
    if made("call_lefthook") { Some("lefthook") } else { made("File generated by pre-commit").then_some("pre-commit") }
}

/// What a hook file is to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Planned {
    pub(super) text: String,
    /// It has to be made executable.
    pub(super) make_executable: bool,
}

/// The text of a hook file with memfile's lines. `path`: the program, for where its name leads nowhere.
pub(super) fn install(old: Option<&str>, is_executable: bool, hook: Hook, path: Option<&str>) -> Result<Planned, Refusal> {
    let Some(old) = old else {
        return Ok(Planned { text: format!("{SHEBANG}{}", block(hook, path, Undo::File)), make_executable: true });
    };
    if let Some(found) = find(old)? {
        let text = format!("{}{}{}", &old[..found.range.start()], block(hook, path, found.undo), &old[found.range.end()..]);
        return Ok(Planned { text, make_executable: !is_executable });
    }
    if !is_shell(old) {
        return Err(Refusal::NotShell);
    }
    let head: usize = old.split_inclusive('\n').take_while(|line| line.starts_with('#')).map(str::len).sum();
    let is_open = !old[..head].ends_with('\n');
    let undo = match (is_open, is_executable) {
        (false, true) => Undo::Lines,
        (true, true) => Undo::LineEnd,
        (false, false) => Undo::Mode,
        (true, false) => Undo::LineEndAndMode,
    };
    let end = if is_open { "\n" } else { "" };
    let text = format!("{}{end}{}{}", &old[..head], block(hook, path, undo), &old[head..]);
    Ok(Planned { text, make_executable: !is_executable })
}

/// What is left of a hook file without memfile's lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Removed {
    /// `None` where the file was made for them and holds nothing else.
    pub(super) text: Option<String>,
    /// It was not executable before.
    pub(super) make_not_executable: bool,
}

/// Takes memfile's lines out; `None` where there are none.
pub(super) fn remove(old: &str) -> Result<Option<Removed>, Refusal> {
    let Some(found) = find(old)? else { return Ok(None) };
    let (mut before, after) = (&old[..found.range.start()], &old[found.range.end()..]);
    if matches!(found.undo, Undo::LineEnd | Undo::LineEndAndMode) && after.is_empty() {
        before = before.strip_suffix('\n').unwrap_or(before);
    }
    let text = format!("{before}{after}");
    let is_made = found.undo == Undo::File && text == SHEBANG;
    Ok(Some(Removed { text: (!is_made).then_some(text), make_not_executable: found.undo.mode() }))
}

/// The path of the program in the block of `text`.
pub(super) fn path_in(text: &str) -> Option<String> {
    let found = find(text).ok()??;
    let line = found.range.of(text).lines().find_map(|line| line.strip_prefix("elif [ -x '"))?;
    Some(line.strip_suffix("' ]; then")?.replace(r"'\''", "'"))
}

fn block(hook: Hook, path: Option<&str>, undo: Undo) -> String {
    let command = hook.command();
    let mut out = format!("{OPEN}{}\nif command -v memfile >/dev/null 2>&1; then\n    memfile {command}\n", undo.words());
    if let Some(path) = path {
        let quoted = format!("'{}'", path.replace('\'', r"'\''"));
        out += &format!("elif [ -x {quoted} ]; then\n    {quoted} {command}\n");
    }
    if hook == Hook::PreCommit {
        out += "else\n    echo 'memfile is not found: the memory files of this commit were not checked; ";
        out += "install it, or take this hook out of .git/hooks' >&2\n";
    }
    out += "fi\n";
    if undo.mode() {
        out += "exit 0 # the lines below could not run before memfile came\n";
    }
    out + CLOSE + "\n"
}

/// True for a script with the shebang of a POSIX shell.
fn is_shell(text: &str) -> bool {
    let Some(line) = text.lines().next().and_then(|line| line.strip_prefix("#!")) else { return false };
    let names = line.split_whitespace().filter(|word| !word.starts_with('-') && !word.contains('='));
    let mut names = names.map(|word| word.rsplit('/').next().unwrap_or(word)).skip_while(|name| matches!(*name, "env" | "busybox"));
    names.next().is_some_and(|name| matches!(name, "sh" | "bash" | "dash" | "ash" | "zsh" | "ksh" | "mksh" | "yash"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: Option<&str> = Some("/opt/it's here/memfile");

    fn there_and_back(text: &str, is_executable: bool) -> String {
        let planned = install(Some(text), is_executable, Hook::PreCommit, PATH).expect("a shell script");
        assert_eq!(planned.make_executable, !is_executable);
        let again = install(Some(&planned.text), true, Hook::PreCommit, PATH).expect("the same");
        assert_eq!(again.text, planned.text);
        let removed = remove(&planned.text).expect("whole").expect("there");
        assert_eq!((removed.text.as_deref(), removed.make_not_executable), (Some(text), !is_executable));
        assert_eq!(path_in(&planned.text).as_deref(), PATH);
        planned.text
    }

    #[test]
    fn every_byte_comes_back() {
        for text in
            ["#!/bin/sh\n", "#!/bin/sh", "#!/usr/bin/env -S bash -e\n# a\n\n# b\nexec x\n", "#! /bin/dash\r\n# a\r\nx\r\n", "#!/bin/zsh\nx"]
        {
            for is_executable in [true, false] {
                there_and_back(text, is_executable);
            }
        }
    }

    #[test]
    fn the_lines_stand_on_top() {
        let text = there_and_back("#!/usr/bin/env bash\n# File generated by x\n\nexec x\n", true);
        assert!(text.starts_with("#!/usr/bin/env bash\n# File generated by x\n# >>> memfile"), "{text}");
        assert!(text.ends_with("# <<< memfile hook <<<\n\nexec x\n"), "{text}");
        assert!(text.contains(r"'/opt/it'\''s here/memfile' hook run || exit $?"), "{text}");
    }

    #[test]
    fn a_file_of_its_own_goes_with_the_lines_and_what_was_added_stays() {
        let made = install(None, false, Hook::CommitMsg, None).expect("new");
        assert_eq!(remove(&made.text), Ok(Some(Removed { text: None, make_not_executable: false })));
        let more = remove(&format!("{}x\n", made.text)).expect("whole").expect("there");
        assert_eq!(more.text.as_deref(), Some("#!/bin/sh\nx\n"));
        // The line that was open is open no more.
        let text = install(Some("#!/bin/sh"), true, Hook::PreCommit, None).expect("a shell script").text;
        assert_eq!(remove(&format!("{text}x\n")).expect("whole").expect("there").text.as_deref(), Some("#!/bin/sh\nx\n"));
        assert_eq!(remove("#!/bin/sh\nx\n"), Ok(None));
    }

    #[test]
    fn what_is_no_shell_script_is_left_alone() {
        for text in ["", "x\n", "#!/usr/bin/env python3\n", "#!/usr/bin/fish\n", "#!/usr/bin/env -S node --x\n"] {
            assert_eq!(install(Some(text), true, Hook::PreCommit, None), Err(Refusal::NotShell), "{text}");
        }
        let text = install(None, true, Hook::PreCommit, None).expect("new").text;
        let broken = text.replace(CLOSE, "");
        assert_eq!((remove(&broken), install(Some(&broken), true, Hook::PreCommit, None)), (Err(Refusal::Broken), Err(Refusal::Broken)));
    }

    #[test]
    fn lines_by_hand_are_seen() {
        assert!(is_by_hand("#!/bin/sh\n  memfile hook run || exit 1\n", Hook::PreCommit));
        assert!(!is_by_hand("#!/bin/sh\n# memfile hook run\n", Hook::PreCommit));
        assert!(!is_by_hand("#!/bin/sh\nmemfile hook run\n", Hook::PrepareCommitMsg));
        assert!(!is_by_hand(&install(None, true, Hook::PreCommit, None).expect("new").text, Hook::PreCommit));
    }
}
