//! The pages, one file each: what was asked comes in, an [`Answer`] goes out.

mod board;
mod compare;
mod days;
mod fact;
mod findings;
mod journal;
mod playground;
mod rule;
mod timeline;

pub(super) use board::board;
pub(super) use compare::compare;
pub(super) use days::days;
pub(super) use fact::fact;
pub(super) use findings::{apply, findings};
pub(super) use journal::journal;
pub(super) use playground::{playground, sent as played};
pub(super) use rule::rule;

use super::shell::Answer;
use super::shown;
use super::site::{Site, digest};
use crate::app::{Mode, Options, Read};
use crate::query::Chain;
use crate::text::shell_word;
use axum::http::StatusCode;
use chrono::NaiveDate;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// The fields of an address or a form; as hostile as any text.
pub(super) struct Asked {
    fields: BTreeMap<String, String>,
}

impl Asked {
    pub(super) fn new(fields: BTreeMap<String, String>) -> Self {
        Self { fields }
    }

    /// A field; empty where it is not there.
    fn text(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.text(name).parse().ok()
    }

    /// A day; none where nothing was given or what was given is none.
    fn day(&self, name: &str) -> Option<NaiveDate> {
        self.text(name).parse().ok()
    }

    /// The number of the file that is meant; the first where none is named.
    ///
    /// # Errors
    /// The page that says so.
    fn file(&self, place: &'static str) -> Result<usize, Answer> {
        match self.text("file") {
            "" => Ok(0),
            number => number.parse().map_err(|_| Answer::failed(StatusCode::NOT_FOUND, place, "There is no such file here.")),
        }
    }

    /// The page of a long list, from 1.
    fn page(&self) -> usize {
        self.number("page").filter(|page| *page > 0).unwrap_or(1)
    }
}

/// The name of a fact in addresses: it says nothing, and holds as long as the fact keeps its section and its parameter.
fn name(chain: &Chain) -> String {
    let space = chain.versions.first().map_or("", |version| version.content.space.as_str());
    digest(&[space, &chain.parameter], 8)
}

/// The parameter as written.
fn parameter(chain: &Chain) -> &str {
    chain.versions.last().and_then(|version| version.parameter.as_deref()).unwrap_or(&chain.parameter)
}

/// Reads a file with its days, or makes the page that says why not.
fn read_dated(site: &Site, place: &'static str, file: usize) -> Result<Read, Answer> {
    if site.files.is_empty() {
        return Err(Answer::page(place, "No file", no_file()));
    }
    site.read_dated(&site.session(), file).map_err(|why| unread(site, place, file, &why))
}

/// The page for a file that is not there, or that cannot be read.
fn unread(site: &Site, place: &'static str, file: usize, why: &str) -> Answer {
    let status = if file < site.files.len() { StatusCode::INTERNAL_SERVER_ERROR } else { StatusCode::NOT_FOUND };
    Answer::failed(status, place, why)
}

/// Which file a page speaks of, where there are several.
fn files(site: &Site, address: &str, now: usize) -> Markup {
    html! {
        @if site.files.len() > 1 {
            nav class="files" aria-label="Files" {
                @for (number, file) in site.files.iter().enumerate() {
                    a href={ (address) "?file=" (number) } aria-current=[(number == now).then_some("page")] { (shown::text(&file.name)) }
                }
            }
        }
    }
}

/// Links to the page before and the page after of a list of `all`, of which each page shows `each`.
fn pager(address: &str, page: usize, all: usize, each: usize) -> Markup {
    let last = all.div_ceil(each).max(1);
    html! {
        @if last > 1 {
            nav class="pager" aria-label="Parts of this list" {
                @if page > 1 { a href={ (address) "?page=" (page - 1) } rel="prev" { "Newer" } } @else { span class="faint" { "Newer" } }
                span { "Page " (page) " of " (last) }
                @if page < last { a href={ (address) "?page=" (page + 1) } rel="next" { "Older" } } @else { span class="faint" { "Older" } }
            }
        }
    }
}

/// What to do where no file is open.
fn no_file() -> Markup {
    html! {
        div class="empty" {
            h1 { "No memory file here" }
            p { "There is no AGENTS.md, CLAUDE.md, CLAUDE.local.md, GEMINI.md or MEMORY.md below the folder that memfile serve was started in." }
            p { "Start one, then start the inspector again:" }
            pre class="command" { "memfile init\nmemfile serve" }
            p { "Or try what memfile does on a text of your own in the " a href="/playground" { "playground" } "." }
        }
    }
}

/// What to do where a file has no managed text: the heading above most of what looks like facts is the one to adopt.
fn unmanaged(site: &Site, number: usize) -> Markup {
    let Some(file) = site.files.get(number) else { return Markup::default() };
    let options = site.today().map(|today| Options { paths: vec![file.path.clone()], ..Options::new(Mode::Check, today) });
    let checked = options.ok().and_then(|options| site.session().run(&options, &|_, _| ()).outcomes.into_iter().next());
    let (seen, heading) = checked.map_or((0, None), |outcome| (outcome.checked.observed, outcome.checked.observed_heading));
    let name = quoted(&file.name);
    html! {
        div class="empty" {
            h2 { "No managed text" }
            p {
                "memfile edits, and shows here, only text that is in its care. "
                @if seen > 0 { (shown::count(seen, "line")) @if seen == 1 { " looks like a fact. " } @else { " look like facts. " } }
                "Put a section into its care:"
            }
            pre class="command" { "memfile adopt " (name) " --heading " (quoted(heading.as_deref().unwrap_or("Tech stack"))) }
            p { "Or add a new section for facts, with five lines of rules for the agent:" }
            pre class="command" { "memfile init " (name) }
        }
    }
}

/// A text as one word of a command line.
fn quoted(word: &str) -> String {
    shell_word(&shown::text(word)).into_owned()
}
