//! The wire: stdin and stdout, one JSON-RPC message a line, as the SDK reads and writes it.
//!
//! Two things are added. Before a session is open, what is no request is passed over, where the SDK would end. And the end of stdin
//! is told to whoever waits, so that an open subscription does not hold up the end of the process.

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, GetMeta, ProtocolVersion, ServerJsonRpcMessage};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::{StdioReader, StdioWriter, Transport, stdio_pipes};
use tokio::sync::watch;

/// stdin and stdout.
pub(super) struct Wire {
    inner: AsyncRwTransport<RoleServer, StdioReader, StdioWriter>,
    is_open: bool,
    ended: watch::Sender<bool>,
}

impl Wire {
    /// Takes stdin and stdout; `ended` becomes true at the end of stdin.
    pub(super) fn new(ended: watch::Sender<bool>) -> Self {
        let (reader, writer) = stdio_pipes();
        Self { inner: AsyncRwTransport::new(reader, writer), is_open: false, ended }
    }
}

impl Transport<RoleServer> for Wire {
    type Error = std::io::Error;

    fn send(&mut self, item: ServerJsonRpcMessage) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            // The SDK drops this future now and then; nothing is held across its only await.
            let Some(message) = self.inner.receive().await else {
                self.ended.send_replace(true);
                return None;
            };
            match &message {
                _ if self.is_open => return Some(message),
                ClientJsonRpcMessage::Request(request) => {
                    self.is_open = opens(&request.request);
                    return Some(message);
                }
                _ => {}
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}

/// True for the request that a session begins with: `initialize`, or, since revision 2026-07-28, any that carries what it needs.
fn opens(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        other => other.get_meta().missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty(),
    }
}
