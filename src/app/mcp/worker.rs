//! The one thread that touches files and git: jobs go in, their results come back, in the order in which they were asked.
//!
//! The protocol loop never waits for a disk or a lock, so a ping is answered at once; and a write is never overtaken by a question
//! that was asked after it.

use crate::app::Session;
use rmcp::ErrorData;
use rmcp::RoleServer;
use rmcp::service::RequestContext;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use tokio::sync::oneshot;

type Job = Box<dyn FnOnce(&Session) + Send>;

/// The way to the thread.
#[derive(Clone, Debug)]
pub(super) struct Worker {
    jobs: Sender<Job>,
}

/// A session on the folder that the door was opened on. Each request gets a new one: what a session keeps of configuration and git
/// could be out of date a minute later.
pub(super) fn session(root: &Path) -> Session {
    Session::new(root.to_owned()).fenced()
}

impl Worker {
    /// Starts the thread; it ends when every way to it is dropped.
    ///
    /// # Errors
    /// Those of the system.
    pub(super) fn start(root: PathBuf) -> std::io::Result<(Self, JoinHandle<()>)> {
        let (jobs, todo): (Sender<Job>, Receiver<Job>) = channel();
        let work = move || {
            for job in todo {
                // What one request breaks must not take the others with it.
                let _ = catch_unwind(AssertUnwindSafe(|| job(&session(&root))));
            }
        };
        let thread = std::thread::Builder::new().name("memfile-mcp".to_owned()).spawn(work)?;
        Ok((Self { jobs }, thread))
    }

    /// Runs `work` on the thread, unless the client has taken its request back by then.
    ///
    /// # Errors
    /// A protocol error where `work` broke, or was not begun.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        work: impl FnOnce(&Session) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        let (done, result) = oneshot::channel();
        let cancelled = context.ct.clone();
        let job = move |session: &Session| {
            if !cancelled.is_cancelled() {
                // Nobody waits any more for the result of a request that was taken back meanwhile.
                let _ = done.send(work(session));
            }
        };
        let broken = |_| ErrorData::internal_error("memfile could not finish this request; others are not affected", None);
        self.jobs.send(Box::new(job)).map_err(|_| broken(()))?;
        result.await.map_err(|_| broken(()))
    }
}
