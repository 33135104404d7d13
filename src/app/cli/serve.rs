//! `serve`: the inspector, until the process is told to end. One line on stdout: the address with the key of this run.

use super::args::ServeArgs;
use super::{CLEAN, Ended, print, say};
use crate::app::Session;
use crate::app::serve::{Server, Serving};

/// `memfile serve [PATHS]`
pub(super) fn run(session: &Session, args: &ServeArgs) -> Ended {
    let serving = Serving { paths: args.paths.clone(), port: args.port, write: args.write, today: args.today };
    let server = Server::bind(session, &serving)?;
    print(format!("{}\n", server.url()).as_bytes())?;
    let mode = if args.write { "fixes can be applied" } else { "read-only; --write lets fixes be applied" };
    say(&format!("memfile: {} open, {mode}; Ctrl-C ends it", crate::text::count(server.files(), "file")));
    server.run()?;
    Ok(CLEAN)
}
