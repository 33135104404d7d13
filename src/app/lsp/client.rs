//! What the editor can, read from `initialize`; and what the server says that it can.
//!
//! Each ability is looked up by itself: an editor that says something odd about one loses no other.

use super::super::Session;
use super::{commands, uri};
use crate::text::Encoding;
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions, CompletionOptions, DiagnosticOptions,
    DiagnosticServerCapabilities, ExecuteCommandOptions, HoverProviderCapability, OneOf, PositionEncodingKind, RenameOptions, SaveOptions,
    ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
    WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities,
};
use serde_json::{Value, json};
use std::path::PathBuf;

/// The kind of the action that fixes all.
pub(super) const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.memfile");

/// What an editor can.
#[derive(Debug, Default)]
pub(super) struct Client {
    pub(super) encoding: Encoding,
    /// Edits may name the version of the buffer that they are for.
    pub(super) has_versioned_edits: bool,
    pub(super) has_related: bool,
    pub(super) has_markdown: bool,
    pub(super) has_snippets: bool,
    pub(super) has_symbol_tree: bool,
    /// Asks for findings and takes none that are sent.
    pub(super) only_pulls: bool,
    pub(super) can_watch: bool,
    pub(super) can_refresh_lenses: bool,
    /// The first folder that is open, if one is.
    pub(super) folder: Option<PathBuf>,
}

impl Client {
    /// Reads the parameters of `initialize`.
    pub(super) fn new(params: &Value) -> Self {
        let ability = |path: &str| params.pointer(&format!("/capabilities/{path}"));
        let can = |path: &str| ability(path).and_then(Value::as_bool).unwrap_or(false);
        let names = |path: &str, name: &str| {
            let list = ability(path).and_then(Value::as_array);
            list.is_some_and(|list| list.iter().any(|entry| entry.as_str() == Some(name)))
        };
        let is_there = |path: &str| ability(path).is_some_and(|found| !found.is_null());
        let hover = "textDocument/hover/contentFormat";
        Self {
            encoding: if names("general/positionEncodings", "utf-8") { Encoding::Utf8 } else { Encoding::Utf16 },
            has_versioned_edits: can("workspace/workspaceEdit/documentChanges"),
            has_related: can("textDocument/publishDiagnostics/relatedInformation"),
            has_markdown: names(hover, "markdown") || !is_there(hover),
            has_snippets: can("textDocument/completion/completionItem/snippetSupport"),
            has_symbol_tree: can("textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            only_pulls: is_there("textDocument/diagnostic") && !is_there("textDocument/publishDiagnostics"),
            can_watch: can("workspace/didChangeWatchedFiles/dynamicRegistration"),
            can_refresh_lenses: can("workspace/codeLens/refreshSupport"),
            folder: folder(params),
        }
    }

    /// The answer to `initialize`.
    pub(super) fn answer(&self) -> Value {
        let capabilities = ServerCapabilities {
            position_encoding: Some(match self.encoding {
                Encoding::Utf8 => PositionEncodingKind::UTF8,
                Encoding::Utf16 => PositionEncodingKind::UTF16,
            }),
            text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::INCREMENTAL),
                save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
                ..TextDocumentSyncOptions::default()
            })),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            completion_provider: Some(CompletionOptions {
                trigger_characters: Some(vec!["[".to_owned(), " ".to_owned()]),
                ..CompletionOptions::default()
            }),
            definition_provider: Some(OneOf::Left(true)),
            references_provider: Some(OneOf::Left(true)),
            document_symbol_provider: Some(OneOf::Left(true)),
            code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
                code_action_kinds: Some(vec![CodeActionKind::QUICKFIX, CodeActionKind::SOURCE_FIX_ALL, FIX_ALL]),
                ..CodeActionOptions::default()
            })),
            code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
            rename_provider: Some(OneOf::Right(RenameOptions {
                prepare_provider: Some(true),
                work_done_progress_options: lsp_types::WorkDoneProgressOptions::default(),
            })),
            execute_command_provider: Some(ExecuteCommandOptions {
                commands: commands::ALL.map(str::to_owned).to_vec(),
                ..ExecuteCommandOptions::default()
            }),
            // An editor that takes findings as they are sent would show those that it asks for a second time.
            diagnostic_provider: self.only_pulls.then(|| DiagnosticServerCapabilities::Options(DiagnosticOptions::default())),
            workspace: Some(WorkspaceServerCapabilities {
                workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                    supported: Some(true),
                    change_notifications: Some(OneOf::Left(true)),
                }),
                file_operations: None,
            }),
            ..ServerCapabilities::default()
        };
        json!({ "capabilities": capabilities, "serverInfo": { "name": "memfile", "version": env!("CARGO_PKG_VERSION") } })
    }

    /// A session in the folder that is open, else in `cwd`.
    pub(super) fn session(&self, cwd: &std::path::Path) -> Session {
        Session::new(self.folder.clone().unwrap_or_else(|| cwd.to_owned()))
    }
}

/// What decides about findings beside the buffers: settings and other memory files.
pub(super) fn watchers() -> Value {
    let globs = ["**/*.md", "**/memfile.toml", "**/.memfile.toml"].map(|glob| json!({ "globPattern": glob }));
    json!({ "registrations": [{
        "id": "memfile-files",
        "method": "workspace/didChangeWatchedFiles",
        "registerOptions": { "watchers": globs },
    }] })
}

fn folder(params: &Value) -> Option<PathBuf> {
    let first = params.pointer("/workspaceFolders/0/uri").or_else(|| params.get("rootUri")).and_then(Value::as_str);
    let root = params.get("rootPath").and_then(Value::as_str).map(PathBuf::from);
    let found = first.and_then(uri::path).or(root).filter(|path| path.is_absolute())?;
    Some(std::fs::canonicalize(&found).unwrap_or(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abilities_are_read_one_by_one() {
        let params = json!({ "rootUri": null, "capabilities": {
            "general": { "positionEncodings": ["utf-32", "utf-8"] },
            "workspace": { "workspaceEdit": { "documentChanges": true } },
            "textDocument": { "hover": { "contentFormat": ["plaintext"] }, "completion": 7 },
        } });
        let client = Client::new(&params);
        assert_eq!(client.encoding, Encoding::Utf8);
        assert!(client.has_versioned_edits && !client.has_markdown && !client.has_snippets && !client.has_related);
        let none = Client::new(&Value::Null);
        assert!(none.encoding == Encoding::Utf16 && none.has_markdown && none.folder.is_none());
    }
}
