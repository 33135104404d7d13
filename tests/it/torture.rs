//! Eight writers on one file, some of them killed at random: no line is lost, no text is torn, nothing is left behind, no lock blocks.
//!
//! Three append lines, as agents do; one saves by a rename, as editors do; two set facts by command; one fixes; a watch acts at once. The
//! processes of memfile are killed with SIGKILL now and then. An editor that saves what it read before somebody else wrote destroys
//! that by itself; so the editor, and nobody else, waits for the appending and the setting ones, as one that asks "changed on disk,
//! reload?" does. All of them run against memfile's own writes without any such care: what is lost, memfile lost.
//!
//! `MEMFILE_TORTURE_SEED` takes a seed; each run prints its own.

#![cfg(all(unix, feature = "watch"))]

use crate::living::{Home, Watch};
use std::fs::OpenOptions;
use std::io::Write;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, RwLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

const FILE: &str = "AGENTS.md";
/// Each appending writer writes so many lines.
const LINES: usize = 800;
/// The editor saves so often.
const SAVES: usize = 150;
/// Each setting writer sets its fact so often.
const SETS: usize = 12;

/// xorshift64*: the same numbers for the same seed.
struct Random(u64);

impl Random {
    fn new(seed: u64, writer: u64) -> Self {
        Self((seed ^ writer.wrapping_mul(0x9E37_79B9_7F4A_7C15)) | 1)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % limit
    }

    fn pause(&mut self, most: u64) {
        std::thread::sleep(Duration::from_micros(self.below(most * 1_000)));
    }
}

/// What the writers share.
struct Table {
    home: Home,
    /// The editor writes, appending and setting ones read.
    editing: RwLock<()>,
    is_over: AtomicBool,
    /// Facts that a command said it had set.
    set: Mutex<Vec<(usize, usize)>>,
}

impl Table {
    fn append(&self, mut random: Random, writer: usize) {
        for number in 0..LINES {
            {
                let _shared = self.editing.read().expect("no writer panics");
                let mut file = OpenOptions::new().append(true).open(self.home.at(FILE)).expect("it is never away");
                file.write_all(format!("- Log {writer}-{number}: done\n").as_bytes()).expect("appended");
            }
            random.pause(6);
        }
    }

    fn edit(&self, mut random: Random) {
        for number in 1..=SAVES {
            {
                let _alone = self.editing.write().expect("no writer panics");
                let text = self.home.read(FILE);
                // One more version each time: the one before it must be tagged.
                let (above, below) = text.split_once("- Fact 0").expect("what follows the editor's own lines");
                self.home.rename_over(FILE, &format!("{above}- Editor | n{number} | source: me\n- Fact 0{below}"));
            }
            random.pause(30);
        }
    }

    /// Runs memfile, and kills it now and then; true where it ended by itself and well.
    fn run(&self, random: &mut Random, args: &[&str]) -> bool {
        let mut child = self.home.memfile(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        if random.below(3) == 0 {
            random.pause(40);
            let _ = child.kill();
        }
        child.wait().expect("it ends").success()
    }

    fn set(&self, mut random: Random, writer: usize) {
        for number in 1..=SETS {
            let _shared = self.editing.read().expect("no writer panics");
            if self.run(&mut random, &["set", &format!("Fact {writer}"), &format!("v{number}"), "-f", FILE]) {
                self.set.lock().expect("no writer panics").push((writer, number));
            }
        }
    }

    fn fix(&self, mut random: Random) {
        while !self.is_over.load(Ordering::Relaxed) {
            self.run(&mut random, &["fix", FILE]);
            random.pause(20);
        }
    }

    fn watch(&self, mut random: Random) {
        while !self.is_over.load(Ordering::Relaxed) {
            let watch = Watch::of(self.home.memfile(&["watch", FILE, "--quiet", "0", "--format", "json"]));
            let end = Instant::now() + Duration::from_millis(200 + random.below(1_200));
            while Instant::now() < end && !self.is_over.load(Ordering::Relaxed) {
                random.pause(40);
            }
            // Dropping kills it.
            drop(watch);
        }
    }

    /// Reads all the time: every text is a whole one.
    fn read(&self) {
        while !self.is_over.load(Ordering::Relaxed) {
            let text = self.home.read(FILE);
            // A line that is appended may be seen half, by the system's own doing.
            assert!(text.starts_with("# Notes\n\n<Memory>\n- Editor | n0") && text.contains("</Memory>\n\n"), "torn: {text:?}");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

fn seed() -> u64 {
    let given = std::env::var("MEMFILE_TORTURE_SEED").ok().and_then(|seed| seed.parse().ok());
    given.unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64 % 1_000_000_007))
}

#[test]
fn eight_writers_lose_nothing() {
    let seed = seed();
    println!("MEMFILE_TORTURE_SEED={seed}");
    let home = Home::new();
    // What is appended is no fact, but a line as good as any.
    home.write(FILE, "# Notes\n\n<Memory>\n- Editor | n0 | source: me\n- Fact 0: v0\n- Fact 1: v0\n</Memory>\n\n");
    home.commit("first");
    let table = Table { home, editing: RwLock::default(), is_over: AtomicBool::new(false), set: Mutex::default() };
    let random = |writer| Random::new(seed, writer);
    std::thread::scope(|scope| {
        let table = &table;
        let work = [
            scope.spawn(move || table.append(random(1), 0)),
            scope.spawn(move || table.append(random(2), 1)),
            scope.spawn(move || table.append(random(3), 2)),
            scope.spawn(move || table.edit(random(4))),
            scope.spawn(move || table.set(random(5), 0)),
            scope.spawn(move || table.set(random(6), 1)),
        ];
        let beside =
            [scope.spawn(move || table.fix(random(7))), scope.spawn(move || table.watch(random(8))), scope.spawn(move || table.read())];
        let done: Vec<_> = work.into_iter().map(|writer| writer.join()).collect();
        table.is_over.store(true, Ordering::Relaxed);
        let beside: Vec<_> = beside.into_iter().map(|other| other.join()).collect();
        assert!(done.iter().chain(&beside).all(Result::is_ok), "a writer failed; MEMFILE_TORTURE_SEED={seed}");
    });
    // What killed ones left is put right by the next run on the file, which no lock holds up.
    // A value of the editor's that nobody saw settle can break its chain; that is reported, and no failure.
    let last = table.home.run(&["fix", FILE]);
    assert!(last.status.code().is_some_and(|code| code < 2), "{}", String::from_utf8_lossy(&last.stderr));
    let text = table.home.read(FILE);
    let count = |line: &str| text.lines().filter(|other| *other == line).count();
    let mut wrong = Vec::new();
    for line in (0..3).flat_map(|writer| (0..LINES).map(move |number| format!("- Log {writer}-{number}: done"))) {
        if count(&line) != 1 {
            wrong.push(format!("{line} stands there {} times", count(&line)));
        }
    }
    for number in 0..=SAVES {
        let line = format!("- Editor | n{number} | source: me");
        let tagged = format!("{line} [historical]");
        if text.lines().filter(|other| **other == line || other.starts_with(&tagged)).count() != 1 {
            wrong.push(format!("{line} is not there once"));
        }
    }
    for (writer, number) in table.set.lock().expect("no writer panics").iter() {
        let value = format!("- Fact {writer}: v{number}");
        if !text.lines().any(|line| line == value || line.starts_with(&format!("{value} [historical]"))) {
            wrong.push(format!("{value} is gone"));
        }
    }
    for line in text.lines().filter(|line| !line.is_empty() && !["# Notes", "<Memory>", "</Memory>"].contains(line)) {
        if !["- Log ", "- Editor | ", "- Fact "].iter().any(|start| line.starts_with(start)) {
            wrong.push(format!("a line that nobody wrote: {line:?}"));
        }
    }
    if table.home.names() != [".git", FILE] {
        wrong.push(format!("left behind: {:?}", table.home.names()));
    }
    assert!(wrong.is_empty(), "MEMFILE_TORTURE_SEED={seed}\n{}\n{text}", wrong.join("\n"));
}
