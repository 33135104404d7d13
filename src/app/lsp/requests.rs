//! Who answers which request, and what is done on a notification.

use super::documents::{Document, Seen};
use super::edits::View;
use super::server::{Refused, Server};
use super::wire::{Actions, At, Complete, DidChange, DidOpen, Execute, Named, Rename, Whole};
use super::{actions, commands, completion, findings, hover, outline, rename, uri};
use crate::io::journal::DeclaredKind;
use lsp_types::{DocumentDiagnosticReport, FullDocumentDiagnosticReport, MessageType, RelatedFullDocumentDiagnosticReport};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

impl Server {
    /// The answer to a request.
    ///
    /// # Errors
    /// [`Refused`]: the method is not there, its parameters cannot be read, or it cannot be done.
    pub(super) fn answer(&mut self, method: &str, params: Value) -> Result<Value, Refused> {
        match method {
            "textDocument/hover" => {
                let At { text_document, position } = read(params)?;
                self.with(&text_document, |view| json!(hover::at(view, view.offset(position))))
            }
            "textDocument/completion" => {
                let Complete { text_document, position, context } = read(params)?;
                Ok(self.complete(&text_document, position, context.and_then(|context| context.trigger_character).as_deref()))
            }
            "textDocument/definition" => {
                let At { text_document, position } = read(params)?;
                self.with(&text_document, |view| json!(outline::successor(view, view.offset(position))))
            }
            "textDocument/references" => {
                let At { text_document, position } = read(params)?;
                self.with(&text_document, |view| json!(outline::versions(view, view.offset(position))))
            }
            "textDocument/documentSymbol" => {
                let Whole { text_document } = read(params)?;
                self.with(&text_document, |view| json!(outline::symbols(view)))
            }
            "textDocument/codeLens" => {
                let Whole { text_document } = read(params)?;
                self.with(&text_document, |view| json!(outline::lenses(view)))
            }
            "textDocument/codeAction" => {
                let Actions { text_document, range, context } = read(params)?;
                self.with(&text_document, |view| json!(actions::at(view, range, context.only.as_deref())))
            }
            "textDocument/prepareRename" => {
                let At { text_document, position } = read(params)?;
                self.with(&text_document, |view| json!(rename::prepare(view, view.offset(position))))
            }
            "textDocument/rename" => self.rename(&read(params)?),
            "textDocument/diagnostic" => {
                let Whole { text_document } = read(params)?;
                let items = self.document(&text_document).map(|document| document.2).unwrap_or_default();
                let full = FullDocumentDiagnosticReport { result_id: None, items };
                let report = RelatedFullDocumentDiagnosticReport { related_documents: None, full_document_diagnostic_report: full };
                Ok(json!(DocumentDiagnosticReport::Full(report)))
            }
            "workspace/executeCommand" => self.execute(read(params)?),
            _ => Err(Refused::unknown(method)),
        }
    }

    /// Does what a notification asks for. One that is unknown or cannot be read is passed over: there is nobody to tell.
    pub(super) fn note(&mut self, method: &str, params: Value) {
        match method {
            "initialized" => self.watch(),
            "textDocument/didOpen" => {
                if let Ok(DidOpen { text_document }) = read(params) {
                    let key = uri::key(&text_document.uri);
                    // Another file may be where a record went, or come from.
                    self.renew();
                    self.documents.extend(Document::new(text_document).map(|document| (key, document)));
                }
            }
            "textDocument/didChange" => {
                if let Ok(DidChange { text_document, content_changes }) = read(params)
                    && let Some(document) = self.documents.get_mut(&uri::key(&text_document.uri))
                {
                    document.change(text_document.version, &content_changes, self.client.encoding);
                    self.declare_awaited(&text_document.uri);
                }
            }
            "textDocument/didClose" => {
                if let Ok(Whole { text_document }) = read(params)
                    && let Some(document) = self.documents.remove(&uri::key(&text_document.uri))
                {
                    self.publish(&document.uri, None, Vec::new());
                }
            }
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" | "workspace/didChangeConfiguration" => self.renew(),
            _ => {}
        }
    }

    /// Hands the buffer to `use_it`; `null` where it is no memory file, or not open.
    fn with(&mut self, name: &Named, use_it: impl FnOnce(&View) -> Value) -> Result<Value, Refused> {
        Ok(self.view(&name.uri).map_or(Value::Null, |view| use_it(&view)))
    }

    fn complete(&self, name: &Named, position: lsp_types::Position, trigger: Option<&str>) -> Value {
        let Some(document) = self.documents.get(&uri::key(&name.uri)) else { return Value::Null };
        let at = completion::Asked::offset(document, &self.client, position);
        let asked = completion::Asked { session: &self.session, client: &self.client, document, at, trigger };
        json!(completion::items(&asked))
    }

    fn rename(&mut self, asked: &Rename) -> Result<Value, Refused> {
        let Some(view) = self.view(&asked.text_document.uri) else {
            return Err(Refused::failed("this is no memory file"));
        };
        let (edit, awaited) = rename::rename(&view, view.offset(asked.position), &asked.new_name)?;
        if let Some(document) = self.documents.get_mut(&uri::key(&asked.text_document.uri)) {
            document.awaited = awaited;
        }
        Ok(json!(edit))
    }

    /// Tells the journal what a rename declares, once the buffer has the text that it makes.
    fn declare_awaited(&mut self, name: &str) {
        let Some(document) = self.documents.get_mut(&uri::key(name)) else { return };
        let Some(awaited) = document.awaited.take_if(|awaited| awaited.after == document.text) else { return };
        let told = document
            .target(&self.session)
            .and_then(|target| self.session.declare(&target.real, DeclaredKind::Reword, &awaited.key, &awaited.declared));
        if let Err(error) = told {
            self.show(MessageType::WARNING, &format!("memfile: the rename is not in the journal: {error}"));
        }
    }

    fn execute(&mut self, asked: Execute) -> Result<Value, Refused> {
        if !commands::ALL.contains(&asked.command.as_str()) {
            return Err(Refused::failed(&format!("there is no command `{}`", asked.command)));
        }
        let argument = asked.arguments.into_iter().next().unwrap_or_default();
        let commands::Argument { uri, what } = serde_json::from_value(argument).map_err(|error| Refused::params(&error))?;
        let Some(view) = self.view(&uri) else { return Err(Refused::failed("this is no memory file that is open")) };
        let done = commands::run(&view, &asked.command, what)?;
        self.show(MessageType::INFO, &done.said);
        if done.has_declared {
            self.renew();
        }
        Ok(json!(done.said))
    }

    /// What is found in a buffer: its name, its version, the findings; `None` where it is not open.
    pub(super) fn findings(&mut self, key: &str) -> Option<(lsp_types::Uri, Option<i32>, Vec<lsp_types::Diagnostic>)> {
        let document = self.documents.get_mut(key)?;
        document.look(&self.session);
        let (name, version) = (document.uri.clone(), document.version);
        let found = match &document.seen {
            Some(Ok(Seen::Memory(_))) => View::new(&self.session, &self.client, document).map_or(Vec::new(), |view| findings::all(&view)),
            Some(Err(error)) => vec![findings::failure(error)],
            _ => Vec::new(),
        };
        Some((name, version, found))
    }

    fn document(&mut self, name: &Named) -> Option<(lsp_types::Uri, Option<i32>, Vec<lsp_types::Diagnostic>)> {
        self.findings(&uri::key(&name.uri))
    }

    fn view(&mut self, name: &str) -> Option<View<'_>> {
        let document = self.documents.get_mut(&uri::key(name))?;
        View::new(&self.session, &self.client, document)
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, Refused> {
    serde_json::from_value(params).map_err(|error| Refused::params(&error))
}
