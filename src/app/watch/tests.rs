//! The settle logic, driven by the scripts in `testdata/watch`: each is a world in miniature with a clock of its own. The folder is
//! walked, so that no script can be forgotten.
//!
//! A line is a setting, an event at a time in milliseconds, or an outcome that is expected then. Texts are words; `_` stands for a blank.
//!
//! ```text
//! quiet 2000                 the quiet time
//! comes                      the file came while the watch ran
//! mends two against one -> both   what the fix makes of a text, compared with another (`HEAD`: the default baseline); others break no rule
//! loses two against one      the loss stays: a person must decide
//! is TEXT / head TEXT        what stands there, and in HEAD and the index, at the start
//! 0 write TEXT               in place, and closed
//! 0 writing TEXT             in place, not closed yet
//! 0 rename-over TEXT
//! 0 delete
//! 0 torn                     what is read next is torn
//! 0 commit TEXT / stage TEXT      HEAD or the index has this text
//! 0 git-busy / git-idle
//! 0 command TEXT             a command of memfile writes and journals it
//! 0 undo                     the last command is taken back
//! 0 forget TEXT              a text from which something was erased
//! 0 formatter TEXT           from now on another program answers each write with it, 100 ms later
//! => 2000 fix BASE           written, compared with BASE
//! => 2000 clean BASE | held BASE | rest WHY
//! ```

use super::meant::Moves;
use super::settle::{Against, Decision, Judged, Look, Millis, Seen, Settle, Touch};
use crate::io::git::Standing;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

#[derive(Default)]
struct World {
    there: Option<String>,
    is_torn: bool,
    is_busy: bool,
    head: Option<String>,
    staged: Option<String>,
    /// Steps of commands since the last look, and all of them for `undo`.
    moves: Moves,
    steps: Vec<(String, String)>,
    formatter: Option<String>,
    mends: BTreeMap<(String, String), String>,
    loses: Vec<(String, String)>,
}

impl World {
    fn event(&mut self, settle: &mut Settle, now: Millis, words: &[&str]) {
        let text = || words.get(1).map(|word| word.replace('_', " "));
        match words[0] {
            "write" | "rename-over" => {
                self.there = text();
                settle.touch(now, Touch::Done);
            }
            "writing" => {
                self.there = text();
                settle.touch(now, Touch::Writing);
            }
            "delete" => {
                self.there = None;
                settle.touch(now, Touch::Done);
            }
            "torn" => self.is_torn = true,
            "commit" | "stage" => {
                self.staged = text();
                if words[0] == "commit" {
                    self.head = text();
                }
                if self.there.as_deref() == settle.last().map(|last| &**last) {
                    settle.staged(self.standing());
                }
            }
            "git-busy" => self.is_busy = true,
            "git-idle" => {
                self.is_busy = false;
                settle.git_rests(now);
            }
            "command" => {
                let step = (self.there.clone().unwrap_or_default(), text().expect("a text"));
                self.there = Some(step.1.clone());
                self.steps.push(step.clone());
                self.moves.steps.push(step);
                settle.touch(now, Touch::Done);
            }
            "undo" => {
                let (from, to) = self.steps.pop().expect("a step");
                assert_eq!(self.there.as_ref(), Some(&to), "only what stands there is undone");
                self.there = Some(from.clone());
                self.moves.steps.push((to, from));
                settle.touch(now, Touch::Done);
            }
            "forget" => {
                self.there = text();
                self.moves.has_forgotten = true;
                settle.touch(now, Touch::Done);
            }
            "formatter" => self.formatter = text(),
            other => panic!("no such event: {other}"),
        }
    }

    fn standing(&self) -> Standing {
        Standing { head: self.head.clone(), staged: self.staged.clone() }
    }

    /// Looks at the file and does what is decided; says what that was.
    fn look(&mut self, settle: &mut Settle, now: Millis) -> String {
        let seen = match &self.there {
            _ if std::mem::take(&mut self.is_torn) => Seen::Torn,
            None => Seen::Missing,
            Some(text) if text.trim().is_empty() => Seen::Empty,
            Some(text) => Seen::Text(text.as_str().into()),
        };
        let is_blob = self.there.is_some() && (self.there == self.head || self.there == self.staged);
        let is_changed = self.there.as_deref() != settle.last().map(|last| &**last);
        let moves = if self.is_busy || !is_changed { Moves::default() } else { std::mem::take(&mut self.moves) };
        let look = Look { seen, is_busy: self.is_busy, standing: self.standing(), is_blob, moves };
        let (text, against) = match settle.look(now, look) {
            Decision::Rest(why) => return format!("{now} rest {}", why.word()),
            Decision::Judge(text, against) => (text, against),
        };
        let base = match against {
            Against::Default => "HEAD".to_owned(),
            Against::Settled(text) => text.replace(' ', "_"),
        };
        let case = (text.replace(' ', "_"), base.clone());
        let wrote = self.mends.get(&case).map(|after| after.replace('_', " "));
        let is_held = self.loses.contains(&case);
        let word = if wrote.is_some() {
            "fix"
        } else if is_held {
            "held"
        } else {
            "clean"
        };
        if let Some(after) = &wrote {
            self.there = Some(after.clone());
            self.steps.push((text.to_string(), after.clone()));
            self.moves.steps.push((text.to_string(), after.clone()));
        }
        let has_written = wrote.is_some();
        settle.judged(now, &text, Judged::Settled { wrote: wrote.map(Into::into), is_held });
        if has_written {
            settle.touch(now, Touch::Done);
        }
        format!("{now} {word} {base}")
    }
}

/// What a script expects, and what came.
fn play(script: &str) -> (Vec<String>, Vec<String>) {
    let (mut world, mut quiet, mut has_come) = (World::default(), 2_000, false);
    let (mut events, mut expected) = (Vec::new(), Vec::new());
    for line in script.lines().map(|line| line.split('#').next().unwrap_or_default()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [] => {}
            ["quiet", millis] => quiet = millis.parse().expect("milliseconds"),
            ["comes"] => has_come = true,
            ["head", text] => (world.head, world.staged) = (Some(text.replace('_', " ")), Some(text.replace('_', " "))),
            ["is", text] => world.there = Some(text.replace('_', " ")),
            ["mends", text, "against", base, "->", after] => {
                world.mends.insert(((*text).to_owned(), (*base).to_owned()), (*after).to_owned());
            }
            ["loses", text, "against", base] => world.loses.push(((*text).to_owned(), (*base).to_owned())),
            ["=>", rest @ ..] => expected.push(rest.join(" ")),
            [time, event @ ..] => events.push((time.parse::<Millis>().expect("a time"), event.to_vec())),
        }
    }
    let mut settle = Settle::new(quiet, 0, has_come);
    let mut came = Vec::new();
    let mut answer: Option<Millis> = None;
    let mut events = events.into_iter().peekable();
    loop {
        let event = events.peek().map(|(time, _)| *time);
        let Some(now) = [event, settle.due(), answer].into_iter().flatten().min().filter(|now| *now < 1_000_000) else { break };
        if event == Some(now) {
            let (_, words) = events.next().expect("it was there");
            world.event(&mut settle, now, &words);
        } else if answer == Some(now) {
            answer = None;
            world.there = world.formatter.clone();
            settle.touch(now, Touch::Done);
        } else {
            let said = world.look(&mut settle, now);
            if said.contains(" fix ") && world.formatter.is_some() {
                answer = Some(now + 100);
            }
            // A file that is as it was is no news.
            if !said.ends_with("rest unchanged") {
                came.push(said);
            }
        }
        assert!(came.len() < 200, "no end: {came:?}");
    }
    (expected, came)
}

#[test]
fn scripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/watch");
    let mut names: Vec<_> = fs::read_dir(&folder).expect("there").flatten().map(|entry| entry.path()).collect();
    names.sort();
    assert!(names.len() > 10, "the scripts are gone");
    let mut wrong = String::new();
    for path in names.iter().filter(|path| path.extension().is_some_and(|ending| ending == "txt")) {
        let script = fs::read_to_string(path).expect("UTF-8");
        let (expected, came) = play(&script);
        assert!(!expected.is_empty(), "{}: nothing is expected", path.display());
        if came != expected {
            wrong += &format!("{}\n  expected {expected:?}\n  came     {came:?}\n", path.display());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
