//! What a watch costs: how long an agent waits for the fixed file, and what a watch of a thousand folders takes while nothing happens.
//!
//! `cargo bench --bench watch` prints figures. Machines are noisy; so the first is a ratio of medians of one run. Measured is the time from
//! an agent's write of 20 KB to the fixed file under a watch with `--quiet 0`. The reference is the sum of what no watch can do without:
//!
//! - receipt: from the same write, of another file, until notify tells this process that the file was closed;
//! - fix: this process reads that file, fixes its text by itself (no baseline, no lock, no journal, no process to start), writes it beside,
//!   flushes it, and renames it into its place.
//!
//! With `MEMFILE_FLOOR=PROGRAM`, `PROGRAM fix FILE` takes the place of the second, its start included. `MEMFILE_ROUNDS` sets how often
//! (default 60), `MEMFILE_IDLE_SECONDS` how long nothing happens (default 110).

// A bench reads and writes files, and starts programs.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use memfile::check::{Selection, Subject};
use memfile::config::Config;
use memfile::diagnostic::Applicability;
use notify::{RecursiveMode, Watcher};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// Between two writes, so that what one round keeps for `undo` does not wait for the next.
const PAUSE: Duration = Duration::from_millis(200);
const SIZE: usize = 20_000;
const FOLDERS: usize = 1_000;

/// A memory file of about 20 KB; in each tenth group the older version lacks its tag. `round` makes each text another one.
fn memory(round: usize) -> String {
    let mut text = format!("# Project memory\n\nRound {round}.\n\n");
    let mut fact = 0;
    while text.len() < SIZE {
        fact += 1;
        let tag = if fact % 10 == 0 { String::new() } else { format!(" [historical] replaced by: new-{fact} as of 2026-05-01") };
        let _ = writeln!(text, "- Region {fact}: old-{fact} (since 2026-02-01){tag}");
        let _ = writeln!(text, "- Region {fact}: new-{fact} (since 2026-05-01)");
    }
    text
}

/// memfile in `folder`, with a home of its own.
fn memfile(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memfile"));
    let home = folder.parent().unwrap_or(folder).join("home");
    command.args(args).current_dir(folder).env("HOME", &home).env("XDG_STATE_HOME", home.join("state")).stdin(Stdio::null());
    command
}

/// A watch that has begun to watch; it is killed when dropped.
struct Watch(Child);

impl Watch {
    fn start(folder: &Path, args: &[&str], settled: usize) -> Self {
        let all: Vec<&str> = ["watch", "--format", "json"].iter().chain(args).copied().collect();
        let mut child = memfile(folder, &all).stdout(Stdio::piped()).spawn().expect("it starts");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let mut left = settled;
        while left > 0 {
            let line = lines.next().expect("it runs").expect("UTF-8");
            left -= usize::from(line.contains("\"settled\"") || line.contains("\"fixed\""));
        }
        // Read on, so that it never waits for a reader.
        std::thread::spawn(move || lines.for_each(drop));
        Self(child)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Until the file at `path` is another one than that with the text `written`.
fn until_fixed(path: &Path, written: &str) {
    loop {
        if fs::metadata(path).is_ok_and(|meta| meta.len() > written.len() as u64) {
            return;
        }
        std::thread::sleep(Duration::from_micros(50));
    }
}

fn fixed(text: &str) -> String {
    let (config, selection) = (Config::default(), Selection::default());
    let subject = Subject::new(&config, &selection, "2026-11-29".parse().expect("a day"));
    memfile::fix::fix(text, &subject, Applicability::Safe).expect("it can be fixed").text
}

fn replace(path: &Path, text: &str) {
    let temp = path.with_extension("tmp");
    let mut file = File::create(&temp).expect("made");
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).expect("written");
    // Closed first: else its closing would be an event of the file that it became.
    drop(file);
    fs::rename(&temp, path).expect("replaced");
}

/// A number that the environment may set.
fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e3
}

/// From an agent's write to the fixed file, by the watch and by the least that does it.
fn latency(name: &str, prepare: &dyn Fn(&Path)) {
    let top = tempfile::tempdir().expect("temp");
    let (ours, least) = (top.path().join("ours"), top.path().join("least"));
    for folder in [&ours, &least, &top.path().join("home")] {
        fs::create_dir(folder).expect("made");
    }
    let (path, other, alone) = (ours.join("AGENTS.md"), least.join("AGENTS.md"), top.path().join("home/AGENTS.md"));
    fs::write(&path, fixed(&memory(0))).expect("written");
    fs::write(&other, fixed(&memory(0))).expect("written");
    prepare(&ours);
    let _watch = Watch::start(&ours, &["AGENTS.md", "--quiet", "0"], 1);
    // The least: a thread that is told, and fixes. It ends with the watcher, whose sender ends its channel.
    let (sender, events) = channel();
    let (told, receipts) = channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let closed = notify::EventKind::Access(notify::event::AccessKind::Close(notify::event::AccessMode::Write));
        if event.is_ok_and(|event| event.kind == closed && event.paths.iter().any(|path| path.ends_with("AGENTS.md"))) {
            let _ = sender.send(());
        }
    })
    .expect("a watcher");
    watcher.watch(&least, RecursiveMode::NonRecursive).expect("watched");
    let target = other.clone();
    std::thread::spawn(move || {
        for () in events {
            let start = Instant::now();
            replace(&target, &fixed(&fs::read_to_string(&target).expect("there")));
            let _ = told.send((start, start.elapsed()));
        }
    });
    let floor = std::env::var_os("MEMFILE_FLOOR");

    let (mut mine, mut receipt, mut fix) = (Vec::new(), Vec::new(), Vec::new());
    for round in 1..=number("MEMFILE_ROUNDS", 60) {
        let text = memory(usize::try_from(round).expect("a small number"));
        let write = |path: &Path| {
            let start = Instant::now();
            fs::write(path, &text).expect("written");
            start
        };
        let start = write(&path);
        until_fixed(&path, &text);
        mine.push(start.elapsed());
        std::thread::sleep(PAUSE);
        let start = write(&other);
        let (told, took) = receipts.recv().expect("the thread runs");
        receipt.push(told.duration_since(start));
        fix.push(match &floor {
            None => took,
            Some(program) => {
                write(&alone);
                let start = Instant::now();
                let status = Command::new(program).arg("fix").arg(&alone).stdout(Stdio::null()).stderr(Stdio::null()).status();
                assert!(status.is_ok(), "{} starts", program.display());
                start.elapsed()
            }
        });
        std::thread::sleep(PAUSE);
    }
    let (mine, receipt, fix) = (median(mine), median(receipt), median(fix));
    let reference = if floor.is_some() { "the floor's fix, a process" } else { "the same fix in this process, flushed and renamed" };
    println!(
        "latency, 20 KB, {name}: watch {mine:.2} ms; notify's receipt {receipt:.2} ms + {reference}, {fix:.2} ms: ratio {:.2}",
        mine / (receipt + fix)
    );
}

/// Processor time of all threads of a process so far, in milliseconds. Linux only: nanoseconds, where `getrusage` may count ticks.
fn processor(id: u32) -> Option<f64> {
    let mut sum = 0.0;
    for task in fs::read_dir(format!("/proc/{id}/task")).ok()?.flatten() {
        let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
        sum += text.split_whitespace().next()?.parse::<f64>().ok()?;
    }
    Some(sum / 1e6)
}

/// What a watch of many folders takes while nothing happens.
fn idle() {
    let top = tempfile::tempdir().expect("temp");
    let tree: PathBuf = top.path().join("tree");
    for number in 0..FOLDERS {
        let folder = tree.join(format!("{}/{number}", number % 10));
        fs::create_dir_all(&folder).expect("made");
        fs::write(folder.join("AGENTS.md"), "## Project memory\n\n- Port: 1\n").expect("written");
    }
    fs::create_dir(top.path().join("home")).expect("made");
    let watch = Watch::start(&tree, &["--quiet", "100ms"], FOLDERS);
    std::thread::sleep(Duration::from_secs(2));
    let seconds = number("MEMFILE_IDLE_SECONDS", 110);
    let Some(before) = processor(watch.0.id()) else {
        println!("idle: this system does not tell the time of a process in nanoseconds");
        return;
    };
    std::thread::sleep(Duration::from_secs(seconds));
    let after = processor(watch.0.id()).unwrap_or(before);
    println!("idle, {FOLDERS} folders with a file each, {seconds} s: {:.4} ms of a processor a second", (after - before) / seconds as f64);
}

fn git(folder: &Path, args: &[&str]) {
    let status = Command::new("git").args(["-c", "user.name=a", "-c", "user.email=a@x"]).args(args).current_dir(folder).status();
    assert!(status.is_ok_and(|status| status.success()));
}

fn main() {
    latency("outside of git", &|_| {});
    latency("in a repository", &|folder| {
        git(folder, &["init", "-q"]);
        git(folder, &["add", "-A"]);
        git(folder, &["commit", "-q", "-m", "first"]);
    });
    idle();
}
