//! Who is told of changes: subscriptions in, notices to the clients that asked for them out.
//!
//! Up to revision 2025-11-25 a session subscribes to resources one by one and is told of the list without asking. Since 2026-07-28 a
//! client listens on a request of its own, which names what it wants.

use super::watching::{Notice, Watch};
use rmcp::RoleServer;
use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::{Peer, SubscriptionContext, SubscriptionSendError, SubscriptionSink};
use rustc_hash::FxHashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Those who are told.
#[derive(Default)]
struct Listeners {
    /// The session that began with `initialize`, once it has asked for resources.
    session: Option<Peer<RoleServer>>,
    /// What it subscribed to.
    subscribed: FxHashSet<String>,
    /// The open requests of newer clients.
    sinks: Vec<SubscriptionSink>,
}

/// Changes of memory files, for those who want to know. Nothing is watched before someone asks.
pub(super) struct Notices {
    root: PathBuf,
    watch: Mutex<Option<Watch>>,
    seen: UnboundedSender<Notice>,
    listeners: Arc<Mutex<Listeners>>,
}

impl Notices {
    /// Notices of the memory files below `root`. Must be called where tasks can be started.
    pub(super) fn new(root: PathBuf) -> Self {
        let (seen, notices) = unbounded_channel();
        let listeners = Arc::default();
        tokio::spawn(pass_on(notices, Arc::clone(&listeners)));
        Self { root, watch: Mutex::default(), seen, listeners }
    }

    /// Tells a session of changes of the list from now on; a client without `initialize` asks by a request of its own.
    pub(super) async fn of_the_list(&self, peer: &Peer<RoleServer>) {
        if peer.peer_info().is_some() {
            locked(&self.listeners).session = Some(peer.clone());
        }
        self.see(Vec::new()).await;
    }

    /// Tells a session of changes of one resource from now on.
    pub(super) async fn subscribe(&self, peer: &Peer<RoleServer>, uri: String) {
        self.see(vec![uri.clone()]).await;
        let mut listeners = locked(&self.listeners);
        listeners.session = Some(peer.clone());
        listeners.subscribed.insert(uri);
    }

    /// Takes that back.
    pub(super) fn unsubscribe(&self, uri: &str) {
        locked(&self.listeners).subscribed.remove(uri);
    }

    /// Tells a listening request of what it asked for, until it drops what is returned.
    pub(super) async fn listen(&self, context: &SubscriptionContext) -> Listening<'_> {
        let uris = context.accepted().resource_subscriptions.clone().unwrap_or_default();
        locked(&self.listeners).sinks.push(context.sink().clone());
        let listening = Listening { notices: self, sink: context.sink().clone() };
        self.see(uris).await;
        listening
    }

    /// Sees changes of these resources, and of the list, whoever may want to know.
    pub(super) async fn see(&self, uris: Vec<String>) {
        let watch = {
            let mut watch = locked(&self.watch);
            if watch.is_none() {
                *watch = Watch::start(self.root.clone(), self.seen.clone()).ok();
            }
            watch.clone()
        };
        if let Some(watch) = watch {
            watch.want(uris).await;
        }
    }
}

/// An open request that is told of changes.
pub(super) struct Listening<'a> {
    notices: &'a Notices,
    sink: SubscriptionSink,
}

impl Drop for Listening<'_> {
    fn drop(&mut self) {
        locked(&self.notices.listeners).sinks.retain(|sink| sink.id() != self.sink.id());
    }
}

/// Passes notices on as they come.
async fn pass_on(mut notices: UnboundedReceiver<Notice>, listeners: Arc<Mutex<Listeners>>) {
    while let Some(notice) = notices.recv().await {
        let (session, sinks) = {
            let listeners = locked(&listeners);
            let wanted = match &notice {
                Notice::Updated(uri) => listeners.subscribed.contains(uri),
                Notice::Listed => true,
            };
            (listeners.session.clone().filter(|_| wanted), listeners.sinks.clone())
        };
        // A client that has gone needs no notice.
        if let Some(peer) = session {
            let _ = match &notice {
                Notice::Updated(uri) => peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await,
                Notice::Listed => peer.notify_resource_list_changed().await,
            };
        }
        for sink in sinks {
            // A request gets what it asked for, and no more; the sink says no to the rest.
            let _: Result<(), SubscriptionSendError> = match &notice {
                Notice::Updated(uri) => sink.notify_resource_updated(uri).await,
                Notice::Listed => sink.notify_resource_list_changed().await,
            };
        }
    }
}

/// What the lock holds is whole even where a thread broke while it held it: each change is one step.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
