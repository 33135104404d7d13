//! `memfile lsp`: the language server (Language Server Protocol 3.17, over standard input and output).
//!
//! In: messages of an editor. Out: messages to it, and nothing else on standard output. A thin door: what is said of a buffer comes from
//! [`Look`](super::looking::Look), what changes it from the planners that `fix` and the commands use. An open buffer changes only
//! by edits that the editor applies itself; no file is ever written. The journal is told what a person declares (`accept`, a rename).
//!
//! In reading order: `transport` (frames), `wire` (parameters), `uri`, `client` (what the editor can), `documents` (the buffers),
//! `server` (the loop), `requests` (who answers what), then the answers: `findings`, `actions`, `commands`, `hover`, `outline`,
//! `rename`, `completion`. `edits` turns byte ranges into places.

mod actions;
mod client;
mod commands;
mod completion;
mod documents;
mod edits;
mod findings;
mod hover;
mod outline;
mod rename;
mod requests;
mod server;
mod transport;
mod uri;
mod wire;

use server::Server;
use std::path::PathBuf;

/// Serves until the editor says goodbye, or its end of the pipe closes. The exit code: 0 after `shutdown`, else 1.
pub(super) fn run(cwd: PathBuf) -> u8 {
    let (connection, writer) = transport::stdio();
    let code = Server::new(cwd, connection).run();
    // What was answered last is still on its way. A reader that has gone away is no failure.
    let _ = writer.join();
    code
}
