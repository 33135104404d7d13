//! What large files and large repositories cost: makes them, runs memfile over them, and prints a table.
//!
//! ```sh
//! cargo run --release --example scale [-- --records 1000000 --files 10000]
//! ```
//!
//! In: how many records the large files have, and how many memory files the repository. Out: for each command its time, the most memory
//! that the process held (as Linux counts it), that by the size of what was read and of what was written where it is another, the exit code, how much was written to stdout, and
//! the last line of what was said. Each command runs in a process of its own, which is this program as `memfile`; all of it in a
//! temporary folder with a state folder of its own.

#![allow(clippy::disallowed_methods)]

mod making;

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Where a child writes how much memory it held. It is what makes this program a child.
const PEAK: &str = "MEMFILE_SCALE_PEAK";

/// The day of all runs.
const DAY: &str = "2026-11-29";

fn main() -> ExitCode {
    if let Some(path) = std::env::var_os(PEAK) {
        let code = memfile::app::cli::main();
        // A system without /proc has no answer; the table says so.
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("");
        return if fs::write(path, peak).is_ok() { code } else { ExitCode::FAILURE };
    }
    match table() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("scale: {error}");
            ExitCode::from(2)
        }
    }
}

fn table() -> Result<(), Box<dyn std::error::Error>> {
    let (mut records, mut files) = (1_000_000, 10_000);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let number = args.next().and_then(|number| number.parse().ok()).ok_or("a number is missing")?;
        match arg.as_str() {
            "--records" => records = number,
            "--files" => files = number,
            _ => return Err(format!("`{arg}` is none of --records and --files").into()),
        }
    }
    let folder = std::env::temp_dir().join(format!("memfile-scale-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let folder = fs::canonicalize(folder)?;
    println!("| what | command | seconds | MB | × texts | exit | MB out | said last |");
    println!("|---|---|---|---|---|---|---|---|");
    let done = large_files(&folder, records).and_then(|()| repository(&folder, files));
    fs::remove_dir_all(&folder)?;
    done
}

/// One file with all the records, in each of its kinds.
fn large_files(folder: &Path, records: usize) -> Result<(), Box<dyn std::error::Error>> {
    for (name, what, write) in making::KINDS {
        let at = folder.join(name);
        fs::create_dir_all(&at)?;
        let path = at.join("AGENTS.md");
        write(&path, records)?;
        let runs: &[&[&str]] = match name {
            "wrong" | "mixed" => &[&["check"], &["check", "--output-format", "concise"], &["check", "--statistics"], &["fix"], &["check"]],
            _ => &[&["check"], &["check", "--statistics"], &["fix"], &["now", "Parameter 0000007"]],
        };
        for run in runs {
            row(folder, &at, what, &|| Ok(fs::metadata(&path)?.len()), run)?;
        }
        fs::remove_dir_all(at)?;
    }
    Ok(())
}

/// A repository with a history and some edits that are in no commit.
fn repository(folder: &Path, files: usize) -> Result<(), Box<dyn std::error::Error>> {
    let at = folder.join("repository");
    let bytes = making::repository(&at, files)?;
    let what = format!("{files} files");
    let runs: [&[&str]; 5] = [&["check"], &["check", "--statistics"], &["fix", "--diff"], &["fix"], &["check"]];
    for run in runs {
        row(folder, &at, &what, &|| Ok(bytes), run)?;
    }
    row(folder, &at, &what, &|| Ok(bytes), &["now", "-f", "AGENTS.md"])
}

/// Runs one command and prints its row. `size` is how large the texts are by now.
fn row(
    folder: &Path,
    at: &Path,
    what: &str,
    size: &dyn Fn() -> std::io::Result<u64>,
    run: &[&str],
) -> Result<(), Box<dyn std::error::Error>> {
    let [peak, out, said]: [PathBuf; 3] = ["peak", "out", "said"].map(|name| folder.join(name));
    let mut command = Command::new(std::env::current_exe()?);
    command.args(run).current_dir(at).stdout(File::create(&out)?).stderr(File::create(&said)?);
    command.env(PEAK, &peak).env("MEMFILE_TODAY", DAY).env("SOURCE_DATE_EPOCH", "1795910400").env("NO_COLOR", "1");
    making::alone(&mut command, folder);
    let bytes = size()?;
    let start = Instant::now();
    let status = command.status()?;
    let seconds = start.elapsed().as_secs_f64();
    let held = fs::read_to_string(&peak).unwrap_or_default();
    let held = held.split_whitespace().next().and_then(|kilobytes| kilobytes.parse::<u64>().ok()).map(|kilobytes| kilobytes * 1024);
    // A command that writes has the old text and the new one.
    let texts = bytes + Some(size()?).filter(|after| *after != bytes).unwrap_or(0);
    let million = |bytes: u64| format!("{:.1}", bytes as f64 / 1e6);
    let (memory, times) = held.map_or(("?".into(), "?".into()), |held| (million(held), format!("{:.1}", held as f64 / texts as f64)));
    let last = |path: &Path| Ok::<_, std::io::Error>(BufReader::new(File::open(path)?).lines().map_while(Result::ok).last());
    let told = last(&said)?.or(last(&out)?).unwrap_or_default();
    let code = status.code().map_or("killed".to_owned(), |code| code.to_string());
    println!(
        "| {what}, {} MB | `memfile {}` | {seconds:.1} | {memory} | {times} | {code} | {} | {told} |",
        million(bytes),
        run.join(" "),
        million(fs::metadata(&out)?.len())
    );
    Ok(())
}
