//! A file that is drawn: its name, what of its text is hidden, and where the last finding stood.

use super::super::place::Places;
use super::super::visible;
use super::super::window::Veil;
use crate::diagnostic::Diagnostic;
use std::borrow::Cow;

/// A file whose findings come one after another.
pub(super) struct Sheet<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) veil: Veil,
    pub(super) places: Places<'a>,
}

impl<'a> Sheet<'a> {
    pub(super) fn new(name: &'a str, text: &'a str) -> Self {
        Self { name: visible::name(name), veil: Veil::default(), places: Places::new(text) }
    }

    /// Hides from now on what `found` say must not be shown.
    pub(super) fn hide(&mut self, found: &[Diagnostic]) {
        if found.iter().any(|found| found.rule.hides()) {
            self.veil = Veil::new(self.places.text, found);
        }
    }
}
