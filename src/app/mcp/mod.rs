//! `memfile mcp`: the memory files for an agent, by the Model Context Protocol on stdin and stdout.
//!
//! The protocol is the official SDK's part (`rmcp`); this door translates. In reading order: `wire` (one message a line), `tools` and
//! `schema` (what is offered), `arguments` and `calls` (what a call does, through [`Session`](super::Session)), `resources` (memory
//! files as they are), `watching` and `notices` (that they changed), `worker` (the one thread that touches files), `door` (all of it as
//! the SDK wants it).
//!
//! stdout belongs to the protocol: nothing here prints.

mod arguments;
mod calls;
mod door;
mod notices;
mod resources;
mod schema;
mod tools;
mod watching;
mod wire;
mod worker;

use door::Door;
use notices::Notices;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use std::path::{Path, PathBuf};
use tokio::sync::{mpsc, watch};
use wire::Wire;
use worker::Worker;

/// Serves the memory files below `root`, else below the current folder, until stdin ends or the process is asked to end.
///
/// # Errors
/// A sentence: the folder, or what the system refuses.
pub(super) fn serve(root: Option<&Path>, read_only: bool) -> Result<(), String> {
    if let Some(root) = root {
        // Names in answers are relative to the current folder, and so are paths in questions.
        std::env::set_current_dir(root).map_err(|error| format!("{}: cannot be opened: {error}", root.display()))?;
    }
    let root = std::env::current_dir().and_then(std::fs::canonicalize);
    let root = root.map_err(|error| format!("the current folder cannot be read: {error}"))?;
    let (stop, stopped) = mpsc::unbounded_channel();
    // Asked to end, a request that is being worked on is finished: no file is left in the middle of a step.
    ctrlc::set_handler(move || _ = stop.send(())).map_err(|error| format!("signals cannot be handled: {error}"))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("the protocol cannot be served: {error}"))?;
    let (worker, thread) = Worker::start(root.clone()).map_err(|error| format!("the protocol cannot be served: {error}"))?;
    let served = runtime.block_on(session(root, worker, read_only, stopped));
    // A read of stdin that still waits must not hold up the end.
    runtime.shutdown_background();
    let _ = thread.join();
    served
}

/// One session, from the first message to the last.
async fn session(root: PathBuf, worker: Worker, read_only: bool, mut stopped: mpsc::UnboundedReceiver<()>) -> Result<(), String> {
    let (ending, ended) = watch::channel(false);
    let door = Door { worker, notices: Notices::new(root), read_only, ended };
    let running = tokio::select! {
        running = door.serve(Wire::new(ending)) => running,
        _ = stopped.recv() => return Ok(()),
    };
    let running = match running {
        Ok(running) => running,
        // The client went away before it said anything, or while it was answered.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::TransportError { .. }) => return Ok(()),
        Err(error) => return Err(format!("the session could not be opened: {error}")),
    };
    let cancel = running.cancellation_token();
    let mut waiting = std::pin::pin!(running.waiting());
    let quit = tokio::select! {
        quit = &mut waiting => quit,
        _ = stopped.recv() => {
            cancel.cancel();
            waiting.await
        }
    };
    quit.map(|_| ()).map_err(|error| format!("the session broke off: {error}"))
}
