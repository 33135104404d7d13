//! `hook`: the door that git opens before a commit, and the commands that hang it.

mod driver;
mod hang;
mod run;

use super::Ended;
use super::args::{HookArgs, HookCommand};
use crate::app::Session;

/// `memfile hook …`
pub(super) fn main(session: &Session, args: &HookArgs, command: &str) -> Ended {
    match &args.command {
        HookCommand::Install(args) => hang::install(session, args),
        HookCommand::Status(args) => hang::status(session, args),
        HookCommand::Remove(args) => hang::remove(session, args),
        HookCommand::Run(args) => match (&args.message, &args.edited) {
            (Some(file), _) => run::message(session, file, args),
            (None, Some(file)) => run::edited(session, file),
            (None, None) => run::judge(session, args, command),
        },
    }
}
