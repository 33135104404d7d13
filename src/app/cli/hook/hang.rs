//! `hook install`, `status` and `remove`.

use super::super::args::{AnswerFormat, HookInstallArgs, HookRemoveArgs, HookStatusArgs};
use super::super::{CLEAN, Ended, FOUND, print, say};
use super::driver;
use crate::app::Session;
use crate::app::hook::{Change, Condition, Hooks, Installing, Placed, Reach};
use crate::report::visible;
use serde_json::json;

/// `memfile hook install`
pub(super) fn install(session: &Session, args: &HookInstallArgs) -> Ended {
    // Where the hooks have to be hung by hand, the driver is there all the same.
    if args.merge {
        driver::install(session)?;
    }
    let hooks = Hooks::of(&session.cwd).map_err(|error| error.to_string())?;
    let folder = shown(session, &hooks);
    let reason = match hooks.reach {
        Reach::Off => Some(format!("core.hooksPath is {folder}, which is no folder: git runs no hooks here; unset it, or add")),
        Reach::Husky => Some(format!("{folder} is made anew by husky; in the files of these names in the folder above it, add")),
        Reach::Shared if !args.shared => Some(format!(
            "core.hooksPath leads to {folder}, which other repositories use, too (--shared puts the lines there all the same); add"
        )),
        _ => None,
    };
    if let Some(reason) = reason {
        let status = hooks.status();
        if status.iter().all(|placed| placed.condition.works()) {
            return done(session, status.into_iter().map(|placed| (placed, Change::None)).collect());
        }
        say(&format!("memfile: {reason}"));
        by_hand(&status);
        return Ok(FOUND);
    }
    match hooks.install(session).map_err(|error| error.to_string())? {
        Installing::Done(placed) => {
            let code = done(session, placed)?;
            if hooks.reach == Reach::Tree {
                say(&format!("{folder} is part of the work tree: commit it, and others have the hooks, too"));
            }
            for placed in hooks.left_over() {
                say(&format!(
                    "{} runs memfile as well, but git does not look there; `memfile hook remove` takes it out",
                    session.name(&placed.path)
                ));
            }
            Ok(code)
        }
        Installing::Refused(refused) => {
            for placed in &refused {
                if let Condition::Refused(refusal) = placed.condition {
                    say(&format!("memfile: {} {}; nothing was changed", visible(&session.name(&placed.path)), refusal.words()));
                }
            }
            say("add by hand, as the first thing that is run, or what does the same in its language:");
            by_hand(&refused);
            Ok(FOUND)
        }
    }
}

fn shown(session: &Session, hooks: &Hooks) -> String {
    visible(&session.name(&hooks.folder)).into_owned()
}

/// The lines to add, on stdout.
fn by_hand(hooks: &[Placed]) {
    for placed in hooks {
        // A reader that has gone away is told by the exit code.
        let _ = print(format!("{}: {}\n", placed.hook.name(), placed.hook.line()).as_bytes());
    }
}

fn done(session: &Session, placed: Vec<(Placed, Change)>) -> Ended {
    for (placed, change) in placed {
        let name = visible(&session.name(&placed.path)).into_owned();
        let words = match change {
            Change::Made => "made",
            Change::Added => "memfile's lines added on top; what was there runs after them",
            Change::Updated => "memfile's lines brought up to date",
            Change::None if placed.condition == Condition::ByHand => "runs memfile already, by a line of its own",
            Change::None => "runs memfile already",
            Change::Cleared => "memfile's lines taken out",
            Change::Removed => "removed",
        };
        say(&format!("{name}: {words}"));
    }
    Ok(CLEAN)
}

/// `memfile hook status`
pub(super) fn status(session: &Session, args: &HookStatusArgs) -> Ended {
    let hooks = Hooks::of(&session.cwd).map_err(|error| error.to_string())?;
    let (status, left_over) = (hooks.status(), hooks.left_over());
    let works = status.iter().all(|placed| placed.condition.works()) && hooks.reach != Reach::Off;
    let code = if works { CLEAN } else { FOUND };
    let merging = session.merge_driver_status().map_err(|error| error.to_string())?;
    if args.format == AnswerFormat::Json {
        let row = |placed: &Placed| {
            let (state, help) = words(&placed.condition);
            json!({"hook": placed.hook.name(), "file": session.name(&placed.path), "works": placed.condition.works(), "state": state, "help": help})
        };
        let hooks_of = |rows: &[Placed]| rows.iter().map(row).collect::<Vec<_>>();
        let merge = json!({"installed": merging.is_installed(), "configured": merging.configured, "files": merging.covered, "other_files": merging.uncovered});
        let answer = json!({"installed": works, "folder": session.name(&hooks.folder), "hooks": hooks_of(&status), "left_over": hooks_of(&left_over), "merge": merge});
        print(crate::report::json_line(&answer).as_bytes())?;
        return Ok(code);
    }
    let mut out = String::new();
    for placed in &status {
        let (state, help) = words(&placed.condition);
        let help = help.map_or(String::new(), |help| format!(" ({help})"));
        out += &format!("{}: {state}{help}\n", visible(&session.name(&placed.path)));
    }
    for placed in &left_over {
        out += &format!(
            "{}: has memfile's lines, but git does not look there (`memfile hook remove`)\n",
            visible(&session.name(&placed.path))
        );
    }
    if let Some(words) = driver::words(&merging) {
        out += &format!("merge driver: {words}\n");
    }
    if hooks.reach == Reach::Off {
        out += "core.hooksPath leads to no folder: git runs no hooks here\n";
    }
    print(out.as_bytes())?;
    Ok(code)
}

/// The state of a hook, and what to do.
fn words(condition: &Condition) -> (String, Option<&'static str>) {
    match condition {
        Condition::Installed => ("runs memfile".to_owned(), None),
        Condition::ByHand => ("runs memfile, by a line of its own".to_owned(), None),
        Condition::Absent => ("does not run memfile".to_owned(), Some("`memfile hook install`")),
        Condition::Started(other) => {
            (format!("starts {other}, whose configuration tells whether memfile runs"), Some("or `memfile hook install`, which runs first"))
        }
        Condition::NotExecutable => ("has memfile's lines, but is not executable".to_owned(), Some("`memfile hook install`")),
        Condition::Stale(path) if path.is_empty() => ("memfile is not in PATH".to_owned(), Some("install it where PATH leads")),
        Condition::Stale(path) => (format!("memfile is neither in PATH nor at {}", visible(path)), Some("`memfile hook install`")),
        Condition::Refused(refusal) => (refusal.words().to_owned(), Some("`memfile hook install` prints the line to add")),
    }
}

/// `memfile hook remove`
pub(super) fn remove(session: &Session, args: &HookRemoveArgs) -> Ended {
    let hooks = Hooks::of(&session.cwd).map_err(|error| error.to_string())?;
    if hooks.reach == Reach::Shared && !args.shared && hooks.status().iter().any(|placed| placed.condition == Condition::Installed) {
        say(&format!(
            "memfile: {} serves other repositories, too; `memfile hook remove --shared` takes the lines out there",
            shown(session, &hooks)
        ));
        return Ok(FOUND);
    }
    let cleared = hooks.remove(session).map_err(|error| error.to_string())?;
    let merged = driver::remove(session)?;
    if cleared.is_empty() && !merged {
        say("no hook here has memfile's lines");
    }
    for (path, change) in cleared {
        let words = if change == Change::Removed { "removed" } else { "memfile's lines taken out, every other byte as it was" };
        say(&format!("{}: {words}", visible(&session.name(&path))));
    }
    let by_hand: Vec<Placed> = hooks.status().into_iter().filter(|placed| placed.condition == Condition::ByHand).collect();
    for placed in by_hand {
        say(&format!("{}: still runs memfile, by a line that memfile did not write", visible(&session.name(&placed.path))));
    }
    Ok(CLEAN)
}
