//! The door: requests of the protocol in, answers out. Tools, resources, one prompt.

use super::arguments::Arguments;
use super::calls;
use super::notices::Notices;
use super::resources::{self, MemoryFile};
use super::tools;
use super::worker::Worker;
use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, GetPromptRequestParams, GetPromptResponse, GetPromptResult, Implementation, ListPromptsResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, Prompt, PromptArgument, PromptMessage, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, Role, ServerCapabilities, ServerConfig, SubscribeRequestParams, SubscriptionFilter,
    UnsubscribeRequestParams,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Value, json};
use tokio::sync::watch;

/// What a model is told about the server as a whole.
const READING: &str = "Facts of this project, kept true over time. Ask memory_now (or memory_search) before you rely on a remembered value. \
Where `freshness.is_current` is false, the file has errors that nobody fixed yet.";
/// And about writing.
const WRITING: &str = " When a fact has changed, write it with memory_set: the old value stays as history; do not edit old values in the \
file. A fact that is new comes by memory_add, one that holds no more ends by memory_end, one that was never true goes by memory_correct.";

/// One session with one client.
pub(super) struct Door {
    pub(super) worker: Worker,
    pub(super) notices: Notices,
    pub(super) read_only: bool,
    /// True at the end of stdin.
    pub(super) ended: watch::Receiver<bool>,
}

type Context = RequestContext<RoleServer>;

impl ServerHandler for Door {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_resources_list_changed()
            .build();
        let own = Implementation::new("memfile", env!("CARGO_PKG_VERSION")).with_title("memfile");
        let about = if self.read_only { READING.to_owned() } else { format!("{READING}{WRITING}") };
        ServerConfig::new(capabilities).with_server_info(own).with_instructions(about)
    }

    async fn list_tools(&self, _: Option<PaginatedRequestParams>, _: Context) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::declared(self.read_only)))
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: Context) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = tools::find(&request.name, self.read_only) else {
            return Err(ErrorData::invalid_params(format!("there is no tool `{}`", crate::report::visible(&request.name)), None));
        };
        let arguments = match Arguments::new(tool, request.arguments) {
            Ok(arguments) => arguments,
            Err(sentence) => return Ok(calls::failed(&sentence).into()),
        };
        Ok(self.worker.run(&context, move |session| calls::call(session, tool, &arguments)).await?.into())
    }

    async fn list_resources(&self, _: Option<PaginatedRequestParams>, context: Context) -> Result<ListResourcesResult, ErrorData> {
        self.notices.of_the_list(&context.peer).await;
        let files = self.worker.run(&context, resources::files).await?;
        Ok(ListResourcesResult::with_all_items(files.iter().map(MemoryFile::declare).collect()))
    }

    async fn read_resource(&self, request: ReadResourceRequestParams, context: Context) -> Result<ReadResourceResponse, ErrorData> {
        let file = self.resource(&context, &request.uri).await?;
        // Seen from before it is read, no change is missed by a client that subscribes after reading.
        self.notices.see(vec![request.uri]).await;
        let contents = self.worker.run(&context, move |session| file.read(session)).await?;
        let contents = contents.map_err(|sentence| ErrorData::internal_error(sentence, None))?;
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn subscribe(&self, request: SubscribeRequestParams, context: Context) -> Result<(), ErrorData> {
        self.resource(&context, &request.uri).await?;
        self.notices.subscribe(&context.peer, request.uri).await;
        Ok(())
    }

    async fn unsubscribe(&self, request: UnsubscribeRequestParams, _: Context) -> Result<(), ErrorData> {
        self.notices.unsubscribe(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        // What the server does not announce is taken out behind this.
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let _listening = self.notices.listen(&context).await;
        let mut ended = self.ended.clone();
        tokio::select! {
            () = context.cancelled() => {}
            // At the end of stdin nobody cancels, and the process must not wait for it.
            _ = ended.wait_for(|ended| *ended) => {}
        }
        Ok(())
    }

    async fn list_prompts(&self, _: Option<PaginatedRequestParams>, _: Context) -> Result<ListPromptsResult, ErrorData> {
        let argument = |name: &str, about: &str| PromptArgument::new(name).with_description(about).with_required(false);
        let arguments = vec![
            argument("question", "Only facts that this question is about."),
            argument("file", "The memory file, where several hold facts."),
        ];
        let about = "The facts of the project as one block, oldest first, with the rules for answering from it.";
        Ok(ListPromptsResult::with_all_items(vec![Prompt::new("present", Some(about), Some(arguments)).with_title("Project facts")]))
    }

    async fn get_prompt(&self, request: GetPromptRequestParams, context: Context) -> Result<GetPromptResponse, ErrorData> {
        if request.name != "present" {
            return Err(ErrorData::invalid_params(format!("there is no prompt `{}`", crate::report::visible(&request.name)), None));
        }
        let arguments = request.arguments.unwrap_or_default();
        let text = |name: &str| arguments.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty()).map(str::to_owned);
        let (question, file) = (text("question"), text("file"));
        let asked = question.clone();
        let block = self.worker.run(&context, move |session| calls::block(session, asked.as_deref(), file.as_deref())).await?;
        let block = block.map_err(|sentence| ErrorData::invalid_params(sentence, None))?;
        let mut messages = vec![PromptMessage::new_text(Role::User, block)];
        messages.extend(question.map(|question| PromptMessage::new_text(Role::User, question)));
        Ok(GetPromptResult::new(messages).with_description("Facts of the project").into())
    }
}

impl Door {
    /// The memory file with an address.
    async fn resource(&self, context: &Context, uri: &str) -> Result<MemoryFile, ErrorData> {
        let wanted = uri.to_owned();
        let found = self.worker.run(context, move |session| resources::find(session, &wanted)).await?;
        let missing = || ErrorData::resource_not_found("there is no such memory file below the opened folder", Some(json!({ "uri": uri })));
        found.ok_or_else(missing)
    }
}
