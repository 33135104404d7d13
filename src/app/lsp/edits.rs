//! Byte ranges and edits of a buffer in the terms of the editor.

use super::super::Session;
use super::super::looking::Look;
use super::client::Client;
use super::documents::{Document, place};
use crate::fix::between;
use crate::text::{LineIndex, Patch, Place, TextRange};
use lsp_types::{
    DocumentChanges, Location, OneOf, OptionalVersionedTextDocumentIdentifier, Position, Range, TextDocumentEdit, TextEdit, Uri,
    WorkspaceEdit,
};

/// A memory file that was looked at, and whom it is told.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) session: &'a Session,
    pub(super) client: &'a Client,
    pub(super) look: &'a Look,
    pub(super) uri: &'a Uri,
    pub(super) version: Option<i32>,
    pub(super) lines: &'a LineIndex,
    /// The buffer is a file, so that it has a history and a journal.
    pub(super) is_file: bool,
}

impl<'a> View<'a> {
    /// The buffer, if it is a memory file that could be read.
    pub(super) fn new(session: &'a Session, client: &'a Client, document: &'a mut Document) -> Option<Self> {
        document.look(session)?;
        let document: &'a Document = document;
        let Some(Ok(super::documents::Seen::Memory(look))) = &document.seen else { return None };
        let Document { uri, version, lines, path, .. } = document;
        Some(Self { session, client, look, uri, version: *version, lines, is_file: path.is_some() })
    }

    pub(super) fn text(&self) -> &'a str {
        &self.look.target.text
    }

    /// The byte that the editor means.
    pub(super) fn offset(&self, position: Position) -> usize {
        self.lines.offset(self.text(), place(position), self.client.encoding)
    }

    /// The bytes that the editor means.
    pub(super) fn bytes(&self, range: Range) -> TextRange {
        self.lines.range(self.text(), place(range.start), place(range.end), self.client.encoding)
    }

    pub(super) fn range(&self, range: TextRange) -> Range {
        let position = |offset: usize| {
            let Place { line, character } = self.lines.place(self.text(), offset, self.client.encoding);
            Position { line, character }
        };
        Range { start: position(range.start()), end: position(range.end()) }
    }

    pub(super) fn location(&self, range: TextRange) -> Location {
        Location { uri: self.uri.clone(), range: self.range(range) }
    }

    /// A patch of the text as edits that the editor applies, all or none.
    pub(super) fn edit(&self, patch: &Patch) -> WorkspaceEdit {
        let edits: Vec<TextEdit> =
            patch.smallest(self.text()).into_iter().map(|edit| TextEdit { range: self.range(edit.range), new_text: edit.text }).collect();
        if !self.client.has_versioned_edits {
            return WorkspaceEdit { changes: Some([(self.uri.clone(), edits)].into()), ..WorkspaceEdit::default() };
        }
        let text_document = OptionalVersionedTextDocumentIdentifier { uri: self.uri.clone(), version: self.version };
        let edits = edits.into_iter().map(OneOf::Left).collect();
        let document_changes = Some(DocumentChanges::Edits(vec![TextDocumentEdit { text_document, edits }]));
        WorkspaceEdit { document_changes, ..WorkspaceEdit::default() }
    }

    /// The edits that make `after` of the text.
    pub(super) fn edit_to(&self, after: &str) -> WorkspaceEdit {
        self.edit(&by_line(self.text(), &between(self.text(), after)))
    }
}

/// The same patch, lines that give way to as many others each by itself: so an editor keeps the cursor and what stands around a word.
fn by_line(text: &str, patch: &Patch) -> Patch {
    let mut fine = Patch::default();
    for edit in patch.edits() {
        let old: Vec<&str> = edit.range.of(text).split_inclusive('\n').collect();
        let new: Vec<&str> = edit.text.split_inclusive('\n').collect();
        if old.len() != new.len() {
            fine.try_add(&[edit.owned()]);
            continue;
        }
        let mut at = edit.range.start();
        for (old, new) in old.into_iter().zip(new) {
            if old != new {
                fine.try_add(&[crate::text::TextEdit::replace(TextRange::new(at, at + old.len()), new)]);
            }
            at += old.len();
        }
    }
    fine
}
