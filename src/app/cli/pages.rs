//! Man pages and completions: made from the arguments, so that they cannot say anything else.

use super::args::{Args, CompletionsArgs, ManArgs};
use super::{CLEAN, Ended, print, say};
use crate::app::Session;
use clap::{Command, CommandFactory};

/// `memfile completions SHELL`
pub(super) fn completions(args: &CompletionsArgs) -> Ended {
    let mut out = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "memfile", &mut out);
    print(&out)?;
    Ok(CLEAN)
}

/// `memfile man [--dir FOLDER]`
pub(super) fn man(session: &Session, args: &ManArgs) -> Ended {
    let mut command = Args::command().disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    page(&command, &mut pages)?;
    let Some(folder) = &args.dir else {
        print(&pages.into_iter().flat_map(|(_, text)| text).collect::<Vec<u8>>())?;
        return Ok(CLEAN);
    };
    let real = session.absolute(folder);
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(&real).map_err(failed)?;
    for (name, text) in &pages {
        std::fs::write(real.join(name), text).map_err(failed)?;
    }
    say(&format!("{}: {} pages", session.name(folder), pages.len()));
    Ok(CLEAN)
}

/// The page of a command, then those of the commands below it, each with its file name.
fn page(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) -> Result<(), String> {
    let man = clap_mangen::Man::new(command.clone());
    let mut text = Vec::new();
    man.render(&mut text).map_err(|error| error.to_string())?;
    pages.push((man.get_filename(), text));
    command.get_subcommands().filter(|below| !below.is_hide_set()).try_for_each(|below| page(below, pages))
}
