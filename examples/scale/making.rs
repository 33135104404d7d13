//! Large files and a large repository.
//!
//! In: a place and how many. Out: what `check` reads there. The same numbers give the same bytes.

use std::fs::{self, File};
use std::io::{BufWriter, Result, Write};
use std::path::Path;
use std::process::Command;

/// Writes one file with so many records.
type Make = fn(&Path, usize) -> Result<()>;

/// The kinds of a large file: its folder, what it is, and who writes it.
pub(crate) const KINDS: [(&str, &str, Make); 5] = [
    ("facts", "facts of one section", |path, records| file(path, records, usize::MAX, fact)),
    ("sections", "facts in sections", |path, records| file(path, records, 100, fact)),
    ("history", "chains of ten versions, in order", |path, records| file(path, records, 100, version)),
    ("wrong", "the same without a tag", |path, records| file(path, records, 100, untagged)),
    ("mixed", "one of eight replaced, without a tag", |path, records| file(path, records, 100, mixed)),
];

fn file(path: &Path, records: usize, section: usize, record: fn(usize) -> String) -> Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    out.write_all(b"# Notes\n\n## Project memory\n")?;
    for number in 0..records {
        if number % section == 0 {
            write!(out, "\n### Part {number}\n\n")?;
        }
        writeln!(out, "- {}", record(number))?;
    }
    out.flush()
}

fn fact(number: usize) -> String {
    format!("Parameter {number:07}: value {number:07} (since 2026-01-{:02})", number % 28 + 1)
}

fn untagged(number: usize) -> String {
    format!("Parameter {:07} | value {number:07} | source: call 2026-{:02}-05", number / 10, number % 10 + 1)
}

fn mixed(number: usize) -> String {
    let is_newer = number % 8 == 7;
    format!("Parameter {:07} | value {number:07} | source: call 2026-{:02}-05", number - usize::from(is_newer), 1 + usize::from(is_newer))
}

fn version(number: usize) -> String {
    let next = number + 1;
    match next % 10 {
        0 => untagged(number),
        month => format!("{} [historical] replaced by: value {next:07} as of 2026-{:02}-05", untagged(number), month + 1),
    }
}

/// Keeps a process away from the settings and the state of whoever runs this.
pub(crate) fn alone(command: &mut Command, folder: &Path) {
    command.env("HOME", folder).env("XDG_STATE_HOME", folder.join("state")).env("XDG_CONFIG_HOME", folder.join("config"));
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
}

/// Makes a repository with so many memory files in four layouts, a commit for each fifth of what changed in them, and edits in a
/// hundredth of them that are in no commit. Returns the bytes of the files.
pub(crate) fn repository(at: &Path, files: usize) -> std::result::Result<u64, Box<dyn std::error::Error>> {
    const STEPS: usize = 5;
    let path = |number: usize| match number % 4 {
        _ if number == 0 => at.join("AGENTS.md"),
        0 => at.join(format!("services/{}/{number}/AGENTS.md", number / 100)),
        1 => at.join(format!("packages/{number}/CLAUDE.md")),
        2 => at.join(format!("teams/{}/{}/{number}/MEMORY.md", number / 1000, number / 100)),
        _ => at.join(format!("tools/{number}/GEMINI.md")),
    };
    fs::create_dir_all(at)?;
    git(at, &["init", "-q", "-b", "main"])?;
    for step in 0..=STEPS {
        for number in (0..files).filter(|number| step == 0 || number % STEPS == step - 1) {
            let path = path(number);
            fs::create_dir_all(path.parent().unwrap_or(at))?;
            fs::write(path, memory(number, step, false))?;
        }
        git(at, &["add", "-A"])?;
        git(at, &["commit", "-q", "-m", &format!("Step {step}")])?;
    }
    for number in (0..files).step_by(100) {
        fs::write(path(number), memory(number, number % STEPS + 1, true))?;
    }
    (0..files).try_fold(0, |sum, number| Ok(sum + fs::metadata(path(number))?.len()))
}

/// A memory file: prose, facts of several shapes, a chain that grows with each step; perhaps with a value that overwrites one.
fn memory(number: usize, step: usize, overwrites: bool) -> String {
    let mut text = format!("# Part {number}\n\nWhat it is for, in a sentence.\n\n## Project memory\n\n");
    for fact in 0..12 {
        text.push_str(&format!("- Port {fact}: {}\n", 8000 + fact));
    }
    let host = if overwrites { "b" } else { "a" };
    text.push_str(&format!("- **Host**: {host}.example\n- Owner | Kim {number} | source: call 2026-01-05"));
    for version in 1..=step {
        let day = version + 1;
        text.push_str(&format!(" [historical] replaced by: Lee {version} as of 2026-{day:02}-05\n"));
        text.push_str(&format!("- Owner | Lee {version} | source: call 2026-{day:02}-05"));
    }
    text.push_str("\n\n## Commands\n\n- Build: make\n- Test: make test\n");
    text
}

fn git(at: &Path, arguments: &[&str]) -> std::result::Result<(), Box<dyn std::error::Error>> {
    let mut command = Command::new("git");
    command.current_dir(at).args(["-c", "user.name=A", "-c", "user.email=a@example.invalid", "-c", "gc.auto=0"]).args(arguments);
    alone(&mut command, at.parent().unwrap_or(at));
    if command.status()?.success() { Ok(()) } else { Err(format!("git {} failed", arguments.join(" ")).into()) }
}
