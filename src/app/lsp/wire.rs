//! The parameters of messages as they are read: only what is used, and URIs as text, since not every editor sends valid ones.

use lsp_types::{Position, Range};
use serde::Deserialize;
use serde_json::Value;

/// A document by its name.
#[derive(Deserialize)]
pub(super) struct Named {
    pub(super) uri: String,
    #[serde(default)]
    pub(super) version: Option<i32>,
}

/// `didClose`, `didSave`, `documentSymbol`, `codeLens`, `diagnostic`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Whole {
    pub(super) text_document: Named,
}

/// `hover`, `definition`, `references`, `prepareRename`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct At {
    pub(super) text_document: Named,
    pub(super) position: Position,
}

/// `rename`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rename {
    pub(super) text_document: Named,
    pub(super) position: Position,
    pub(super) new_name: String,
}

/// `completion`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Complete {
    pub(super) text_document: Named,
    pub(super) position: Position,
    #[serde(default)]
    pub(super) context: Option<Trigger>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Trigger {
    #[serde(default)]
    pub(super) trigger_character: Option<String>,
}

/// `codeAction`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Actions {
    pub(super) text_document: Named,
    pub(super) range: Range,
    #[serde(default)]
    pub(super) context: Asked,
}

#[derive(Deserialize, Default)]
pub(super) struct Asked {
    #[serde(default)]
    pub(super) only: Option<Vec<String>>,
}

/// `executeCommand`
#[derive(Deserialize)]
pub(super) struct Execute {
    pub(super) command: String,
    #[serde(default)]
    pub(super) arguments: Vec<Value>,
}

/// `didOpen`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DidOpen {
    pub(super) text_document: Opened,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Opened {
    pub(super) uri: String,
    #[serde(default)]
    pub(super) language_id: String,
    #[serde(default)]
    pub(super) version: Option<i32>,
    pub(super) text: String,
}

/// `didChange`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DidChange {
    pub(super) text_document: Named,
    pub(super) content_changes: Vec<Changed>,
}

/// One change; without a range the whole text.
#[derive(Deserialize, Debug, Clone)]
pub(super) struct Changed {
    #[serde(default)]
    pub(super) range: Option<Range>,
    pub(super) text: String,
}
