//! What `report::diff` writes is taken by `git apply` and by `patch -p1`, and gives the text that the fix gives.

use memfile::report::diff;
use memfile::text::{Patch, TextEdit, TextRange};
use proptest::prelude::*;
use std::path::Path;
use std::process::{Command, Stdio};

fn patch(edits: &[TextEdit]) -> Patch {
    let mut patch = Patch::default();
    for edit in edits {
        patch.try_add(std::slice::from_ref(edit));
    }
    patch
}

/// Runs `program` in `folder` with the patch on its standard input; `None` where it is not installed.
fn run(program: &str, args: &[&str], folder: &Path, input: &str) -> Option<String> {
    let mut command = Command::new(program);
    command.args(args).current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    command.env("GIT_CEILING_DIRECTORIES", folder.parent().expect("a temporary folder has a parent"));
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.ok()?;
    let mut stdin = child.stdin.take().expect("stdin is piped");
    std::io::Write::write_all(&mut stdin, input.as_bytes()).expect("the program reads its input");
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{program}: {said}\n{input}");
    Some(said)
}

/// Both programs make of `before` what the patch makes of it.
fn agree(name: &str, before: &str, patch: &Patch) {
    let after = patch.apply(before);
    let mut out = Vec::new();
    diff(&mut out, name, before, &after, patch, false).expect("a Vec takes all");
    let report = String::from_utf8(out).expect("UTF-8");
    assert_eq!(report.is_empty(), before == after, "{report}");
    if report.is_empty() {
        return;
    }
    for (program, args) in [("git", &["apply", "--whitespace=nowarn", "-"][..]), ("patch", &["-p1", "--fuzz=0"])] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a folder");
        std::fs::write(&path, before).expect("a file");
        if let Some(said) = run(program, args, folder.path(), &report) {
            let patched = std::fs::read(&path).expect("the file is still there");
            assert_eq!(String::from_utf8_lossy(&patched), after, "{program}: {said}\n{report}");
            assert!(!said.contains("offset") && !said.contains("fuzz"), "{program}: {said}\n{report}");
        }
    }
}

#[test]
fn all_names_are_understood() {
    for name in ["a.md", "docs/my notes.md", "память.md", "a\"b.md", "a\\b.md", "a\tb\u{1}.md", "new\nline here.md"] {
        agree(name, "1\n2\n3\n", &patch(&[TextEdit::insert(2, "x\n")]));
    }
}

#[test]
fn missing_ends_and_empty_texts() {
    let all = |before: &str, edit| agree("a.md", before, &patch(&[edit]));
    all("a", TextEdit::insert(1, "\n"));
    all("a\n", TextEdit::delete(TextRange::new(1, 2)));
    all("a", TextEdit::insert(0, "b\n"));
    all("a\r\nb", TextEdit::insert(4, "\r\nc"));
    all("", TextEdit::insert(0, "b\n"));
    all("\u{feff}a\rb\r\n", TextEdit::insert(4, "c"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_patch_is_taken(
        lines in prop::collection::vec("[abé\t ]{0,3}(\n|\n|\r\n|\r)", 0..40),
        last in "[ab]{0,2}",
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..6, "[ab\r\n]{0,4}"), 1..6),
    ) {
        let before = lines.concat() + &last;
        let edits = edits.iter().map(|(start, len, new)| {
            let start = before.floor_char_boundary(start.index(before.len() + 1));
            TextEdit::replace(TextRange::new(start, before.floor_char_boundary(start + len)), new.as_str())
        });
        let patch = patch(&edits.collect::<Vec<_>>());
        agree("docs/a.md", &before, &patch);
    }
}
