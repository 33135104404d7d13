//! The board: what holds now, by file and section; what will hold, has ended or is not clear is marked.

use super::super::shell::Answer;
use super::super::shown::{self, badge, value};
use super::super::site::Site;
use super::{Asked, name, no_file, parameter, quoted, unmanaged};
use crate::app::Read;
use crate::query::{Chain, Standing, Version};
use maud::{Markup, html};

/// `/`
pub(in crate::app::serve) fn board(site: &Site, asked: &Asked) -> Answer {
    if site.files.is_empty() {
        return Answer::page("/", "Board", no_file());
    }
    let session = site.session();
    let words: Vec<String> = asked.text("q").to_lowercase().split_whitespace().map(str::to_owned).collect();
    let files: Vec<(usize, Result<Read, String>)> =
        (0..site.files.len()).map(|number| (number, site.read(&session, number, true))).collect();
    let all: usize = files.iter().filter_map(|(_, read)| read.as_ref().ok()).map(|read| read.chains.len()).sum();
    let body = html! {
        h1 class="hidden" { "What holds now" }
        form class="filter" action="/" role="search" {
            label for="filter" { "Filter" }
            input id="filter" type="search" name="q" value=(asked.text("q")) placeholder="a parameter, a value, “ended”" autocomplete="off"
                spellcheck="false" aria-keyshortcuts="/" aria-describedby="found" data-filter;
            kbd aria-hidden="true" { "/" }
            output id="found" for="filter" data-matches { (shown::count(all, "fact")) }
            noscript { button { "Show" } }
        }
        @for (number, read) in &files { (file(site, *number, read, &words)) }
        p class="empty" id="nothing" hidden { "Nothing on this board has these words." }
    };
    Answer::page("/", "Board", body)
}

fn file(site: &Site, number: usize, read: &Result<Read, String>, words: &[String]) -> Markup {
    let title = shown::text(&site.files[number].name);
    html! {
        section class="file" aria-labelledby={ "file-" (number) } data-file {
            header class="file-head" {
                h2 id={ "file-" (number) } { (title) }
                @if let Ok(read) = read { (freshness(read)) }
            }
            @match read {
                Err(why) => p class="notice error" { (shown::text(why)) },
                Ok(read) if read.chains.is_empty() && !read.is_managed => (unmanaged(site, number)),
                Ok(read) if read.chains.is_empty() => {
                    div class="empty" { p { "No fact yet. Add the first one:" } pre class="command" { "memfile add Database \"Postgres 16\" -f " (quoted(&read.freshness.file)) } }
                }
                Ok(read) => (sections(number, read, words)),
            }
        }
    }
}

/// How far the board can be trusted.
fn freshness(read: &Read) -> Markup {
    let fresh = &read.freshness;
    let base =
        fresh.base.as_deref().map_or_else(|| "compared with nothing".to_owned(), |base| format!("compared with {}", shown::text(base)));
    html! {
        p class="fresh" {
            @if fresh.pending == 0 { "no error pending" } @else { a href="/findings" { (shown::count(fresh.pending, "error")) " pending" } }
            ", " (base)
        }
    }
}

/// The facts under their headings, each section where its first fact stands.
fn sections(number: usize, read: &Read, words: &[String]) -> Markup {
    let own = |version: &&Version| *version.file == *read.freshness.file;
    let line = |chain: &Chain| chain.versions.iter().filter(own).filter_map(|version| version.line).min().unwrap_or(usize::MAX);
    let mut chains: Vec<&Chain> = read.chains.iter().collect();
    chains.sort_by_key(|chain| line(chain));
    let mut sections: Vec<(Option<&str>, Vec<&Chain>)> = Vec::new();
    let mut places: rustc_hash::FxHashMap<Option<&str>, usize> = rustc_hash::FxHashMap::default();
    for chain in chains {
        let subject = chain.subject.as_deref();
        let place = *places.entry(subject).or_insert_with(|| {
            sections.push((subject, Vec::new()));
            sections.len() - 1
        });
        sections[place].1.push(chain);
    }
    let shown = sections.iter().enumerate().map(|(at, (subject, chains))| {
        let rows: Vec<Markup> = chains.iter().map(|chain| row(number, chain, words)).filter(|row| !row.0.is_empty()).collect();
        html! {
            @if !rows.is_empty() {
                section class="group" data-section id={ "s" (number) "-" (at) } {
                    @if let Some(subject) = subject { h3 { (shown::own(subject)) } }
                    ul class="rows" { @for row in &rows { (row) } }
                }
            }
        }
    });
    let shown: Vec<Markup> = shown.filter(|section| !section.0.is_empty()).collect();
    html! {
        @for section in &shown { (section) }
        @if shown.is_empty() { p class="faint" { "Nothing here has these words." } }
    }
}

/// A fact that holds, or what is left of one; nothing where it has not all of `words`.
fn row(number: usize, chain: &Chain, words: &[String]) -> Markup {
    if chain.parameter.is_empty() {
        return statement(chain, words);
    }
    let name = name(chain);
    let shown = lines(chain);
    let row = html! {
        a class="name" href={ "/fact/" (number) "/" (name) } { (shown::own(parameter(chain))) }
        div class="vals" {
            @if !chain.unsettled.is_empty() { p class="val" { span class="badge ambiguous" { "ambiguous" } " nothing says which holds" } }
            @for version in &shown { p class={ "val " (version.standing.as_str()) } { (value(version)) " " (badge(version)) } }
        }
        (facts(chain, shown.first().copied()))
    };
    if !has(&row, words) {
        return Markup::default();
    }
    html! { li class="row" id={ "f" (number) "-" (name) } data-row { (row) } }
}

/// The versions that the board shows of a fact: what holds or could, and what will; else the one that speaks for it.
fn lines(chain: &Chain) -> Vec<&Version> {
    let mut shown: Vec<&Version> = if chain.unsettled.is_empty() {
        chain.current().collect()
    } else {
        chain.unsettled.iter().map(|&idx| &chain.versions[idx]).collect()
    };
    if shown.is_empty() {
        shown.extend(chain.head().filter(|version| version.standing != Standing::Scheduled));
    }
    shown.extend(chain.versions.iter().filter(|version| version.standing == Standing::Scheduled));
    shown
}

/// Since when, from whom, how often it changed, where it stands.
fn facts(chain: &Chain, first: Option<&Version>) -> Markup {
    let older = chain.versions.iter().filter(|version| version.standing.is_past() || version.standing == Standing::Retracted).count();
    let mut parts: Vec<Markup> = Vec::new();
    if let Some(version) = first {
        parts.extend(version.effective.map(|date| html! { "since " (date.iso()) }));
        parts.extend(version.source.as_deref().map(shown::own));
    }
    if older > 0 && chain.versions.len() > 1 {
        parts.push(html! { (older) " earlier" });
    }
    match first.and_then(|version| version.line) {
        Some(line) => parts.push(html! { "line " (line) }),
        None => parts.push(html! { "not in the file" }),
    }
    html! { p class="facts" { @for (at, part) in parts.iter().enumerate() { @if at > 0 { span class="dot" { " · " } } (part) } } }
}

fn statement(chain: &Chain, words: &[String]) -> Markup {
    let Some(version) = chain.versions.first() else { return Markup::default() };
    let row = html! {
        p class={ "said val " (version.standing.as_str()) } { (value(version)) " " (badge(version)) }
        p class="facts" {
            @if let Some(date) = version.effective { "since " (date.iso()) span class="dot" { " · " } }
            @if let Some(line) = version.line { "line " (line) } @else { "not in the file" }
        }
    };
    if has(&row, words) {
        html! { li class="row statement" data-row { (row) } }
    } else {
        Markup::default()
    }
}

/// True where the text that is shown holds all of `words`; without a script the filter of the page asks here.
fn has(row: &Markup, words: &[String]) -> bool {
    if words.is_empty() {
        return true;
    }
    let mut text = String::new();
    let mut inside = false;
    for c in row.0.chars() {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            _ if !inside => text.push(c),
            _ => {}
        }
    }
    let text = text.to_lowercase();
    words.iter().all(|word| text.contains(&html! { (word) }.into_string()))
}
