//! `memfile serve`: a local inspector for a browser. Requests come in, pages go out; every answer comes through [`Session`].
//!
//! In reading order: `site` (what is open), `guard` (who may ask), `router` (which page), `live` (what changed meanwhile), `shell`
//! (the frame of a page), `shown`, `patch`, `rendered` (how a text, a diff, Markdown is shown), then the pages, one file each.
//! Nothing here knows a rule or a fact: pages ask [`crate::query`] and the runs of [`Session`].
//!
//! Absent on purpose: a path in an address (files have numbers), inline script or style, anything fetched from elsewhere.

mod guard;
mod live;
mod pages;
mod patch;
mod rendered;
mod router;
mod shell;
mod shown;
mod site;

use super::Session;
use chrono::NaiveDate;
use site::Site;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

/// Room for the deepest Markdown that a reader of nested blocks walks through.
const STACK: usize = 16 << 20;

/// What a server is asked to do.
#[derive(Clone, Debug)]
pub(super) struct Serving {
    /// Files and folders; empty is the current folder.
    pub(super) paths: Vec<PathBuf>,
    /// The port; 0 is any.
    pub(super) port: u16,
    /// Fixes can be applied.
    pub(super) write: bool,
    /// The day to answer on; none is the day of each request.
    pub(super) today: Option<NaiveDate>,
}

/// A server that listens, and has not answered yet.
pub(super) struct Server {
    listener: TcpListener,
    site: Arc<Site>,
}

impl Server {
    /// Opens the files and listens on the loopback interface.
    ///
    /// # Errors
    /// A path that cannot be read, a port that is taken, a system without random numbers.
    pub(super) fn bind(session: &Session, serving: &Serving) -> Result<Self, String> {
        let listener = listen(serving.port)?;
        let address = listener.local_addr().map_err(|error| format!("the port cannot be told: {error}"))?;
        let site = Site::open(session, serving, address)?;
        Ok(Self { listener, site: Arc::new(site) })
    }

    /// The address, with the key that a browser exchanges for a cookie.
    pub(super) fn url(&self) -> String {
        self.site.gate.url()
    }

    /// How many files are open.
    pub(super) fn files(&self) -> usize {
        self.site.files.len()
    }

    /// Answers until the process is told to end. What is being written then is written to its end.
    ///
    /// # Errors
    /// Those of the system.
    pub(super) fn run(self) -> Result<(), String> {
        let failed = |what: &str, error: &dyn std::fmt::Display| format!("{what}: {error}");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().thread_stack_size(STACK).build();
        let runtime = runtime.map_err(|error| failed("the server cannot start", &error))?;
        let (told, mut end) = tokio::sync::mpsc::channel::<()>(1);
        // A second signal finds the channel full, which says the same.
        ctrlc::set_handler(move || _ = told.try_send(())).map_err(|error| failed("signals cannot be handled", &error))?;
        live::watch(&self.site);
        runtime.block_on(async {
            self.listener.set_nonblocking(true).map_err(|error| failed("the server cannot start", &error))?;
            let listener = tokio::net::TcpListener::from_std(self.listener).map_err(|error| failed("the server cannot start", &error))?;
            // Pages that wait for changes never end by themselves, so nobody waits for them.
            tokio::select! {
                ended = axum::serve(listener, router::router(&self.site)).into_future() => {
                    ended.map_err(|error| failed("the server ended", &error))
                }
                _ = end.recv() => Ok(()),
            }
        })
    }
}

/// A listener on the loopback interface, and on no other.
fn listen(port: u16) -> Result<TcpListener, String> {
    let four = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    // A machine may have the newer protocol alone.
    let found = match four {
        Err(error) if error.kind() == std::io::ErrorKind::AddrNotAvailable => {
            TcpListener::bind(SocketAddr::from((Ipv6Addr::LOCALHOST, port)))
        }
        other => other,
    };
    found.map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => format!("port {port} is in use; name another with --port, or leave it out"),
        _ => format!("port {port} on 127.0.0.1: {error}"),
    })
}
