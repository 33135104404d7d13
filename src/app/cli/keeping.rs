//! `forget`, `archive`, `backfill` and `budget`.

use super::args::write::{ArchiveArgs, BackfillArgs, EraseArgs, Where};
use super::write::{file, located, refused};
use super::{CLEAN, Ended, print, say};
use crate::app::{Backfilled, Session, Target};
use crate::check::Selection;
use crate::command::Which;
use crate::facts::{Facts, tag_value};
use crate::io::clock;
use crate::report;
use crate::rules::Budget;
use crate::syntax::{Reading, Shape, parse};
use crate::text::{LineIndex, count};
use std::fmt::Write;
use std::path::Path;

/// `memfile forget KEY --yes`
pub(super) fn forget(session: &Session, args: &EraseArgs) -> Ended {
    if !args.yes {
        return Err("`forget` erases a value for good, in the file, its archive and the journal; say --yes if that is meant".to_owned());
    }
    let (place, line) = located(session, args);
    let today = clock::today(place.today).map_err(|error| error.to_string())?;
    let path = file(session, &place)?;
    let which = line.map_or(Which::Fact(&args.key, args.value.as_deref()), Which::Line);
    let done = match session.forget(&path, today, which) {
        Ok(done) => done,
        Err(unwritten) => return refused(unwritten),
    };
    say(&format!("{}: {}", done.name, report::visible(&done.said)));
    if done.commits > 0 || done.staged {
        let index = if done.staged { " and the index" } else { "" };
        let commits = count(done.commits, "commit");
        say(&format!(
            "git still holds it: {commits} of {}{index}, and every clone; memfile never writes git's objects. To rewrite history see \
             git-filter-repo(1); a secret must be changed where it is used",
            done.name
        ));
    }
    if !done.others.is_empty() {
        say(&format!("other memory files hold it as well: {}", done.others.join(", ")));
    }
    Ok(CLEAN)
}

/// `memfile archive`
pub(super) fn archive(session: &Session, args: &ArchiveArgs, command: &str) -> Ended {
    let today = clock::today(args.place.today).map_err(|error| error.to_string())?;
    let path = file(session, &args.place)?;
    match session.move_out(&path, today, command, args.keep) {
        Ok(written) => {
            say(&format!("{}: {}", written.name, report::visible(&written.said)));
            Ok(CLEAN)
        }
        Err(unwritten) => refused(unwritten),
    }
}

/// `memfile backfill`
pub(super) fn backfill(session: &Session, args: &BackfillArgs, command: &str) -> Ended {
    let today = clock::today(args.place.today).map_err(|error| error.to_string())?;
    let path = file(session, &args.place)?;
    match session.backfill(&path, today, command, args.dry_run) {
        Ok((written, versions)) => {
            let mut out = String::new();
            for Backfilled { found, date, commit, author } in &versions {
                let date = date.map_or("unknown day".to_owned(), |date| date.to_string());
                let commit = commit.get(..10).unwrap_or(commit);
                let line = format!("{}: {} · {date} · {commit} · {author}", found.key, found.value);
                let _ = writeln!(out, "{}", report::visible(&line));
            }
            print(out.as_bytes())?;
            let said = if args.dry_run && !versions.is_empty() {
                format!("{} could come back; nothing is written", count(versions.len(), "version"))
            } else {
                written.said
            };
            say(&format!("{}: {}", written.name, report::visible(&said)));
            Ok(CLEAN)
        }
        Err(unwritten) => refused(unwritten),
    }
}

/// `memfile budget`
pub(super) fn budget(session: &Session, args: &Where) -> Ended {
    let path = file(session, args)?;
    let target = Target::load(session, &path, false, &Selection::default()).map_err(|error| error.to_string())?;
    let config = &target.found.config;
    let own = Budget::of(&target.name, config);
    // Loaders read a chain of AGENTS.md, from the top of the repository down, in one window.
    let above = session.above(&target);
    let before: usize = above.iter().map(|(_, bytes)| bytes).sum();
    let window = Budget { bytes: own.bytes.saturating_sub(before), ..own };
    let text = &target.text;
    let mut out = String::new();
    let lines = own.lines.map_or(String::new(), |lines| format!("{lines} lines or "));
    let lines_here = count(text.lines().count(), "line");
    let file_name = report::name(&target.name);
    let _ = writeln!(out, "{file_name}: {lines_here}, {} bytes; its loader reads {lines}{} bytes", text.len(), own.bytes);
    for (name, bytes) in &above {
        let _ = writeln!(out, "  read before it: {}, {bytes} bytes", report::name(name));
    }
    match window.end_in(text) {
        None => {
            let _ = writeln!(out, "all of it is read; {} bytes are free", window.bytes.saturating_sub(text.len()));
        }
        Some(end) => {
            let document = parse(text, Reading { config, whole_file: target.whole_file, also: None });
            let facts = Facts::new(&document, config);
            let index = LineIndex::new(text);
            let outside: Vec<usize> = (0..document.records.len()).filter(|&idx| document.records[idx].head.end() > end).collect();
            let verb = if outside.len() == 1 { "falls" } else { "fall" };
            let _ =
                writeln!(out, "not read: all from line {} on; {} {verb} outside", index.line(text, end), count(outside.len(), "record"));
            for idx in outside {
                let record = &document.records[idx];
                let status = if record.tag.is_some() { "tagged" } else { "current" };
                let value = tag_value(record.value.of(text), false);
                let line = match record.shape {
                    Shape::Statement => value,
                    _ => format!("{}: {value}", facts.name(idx as u32)).into(),
                };
                let number = index.line(text, record.head.start());
                let _ = writeln!(out, "  {file_name}:{number} ({status}) {}", report::visible(&line));
            }
        }
    }
    print(out.as_bytes())?;
    Ok(CLEAN)
}

impl Session {
    /// Files named AGENTS.md in the folders above a file of that name, up to the top of its repository: names and sizes.
    fn above(&self, target: &Target) -> Vec<(String, usize)> {
        let is_chain = |path: &Path| path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("AGENTS.md"));
        let Some(repository) = self.repository(&target.real).filter(|_| is_chain(&target.real)) else { return Vec::new() };
        let folders = target.real.ancestors().skip(2).take_while(|folder| folder.starts_with(repository.root()));
        let files =
            folders.map(|folder| folder.join("AGENTS.md")).filter_map(|path| crate::io::load(&path).ok().map(|loaded| (path, loaded)));
        let mut found: Vec<(String, usize)> = files.map(|(path, loaded)| (self.name(&path), loaded.text.len())).collect();
        found.reverse();
        found
    }
}
