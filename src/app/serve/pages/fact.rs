//! A fact: what holds, its time on both clocks, and all its versions as the file orders them.

use super::super::shell::Answer;
use super::super::shown::{self, badge, date, value};
use super::super::site::Site;
use super::timeline::timeline;
use super::{Asked, name, parameter, unread};
use crate::app::Origin;
use crate::query::{Chain, Standing, Version};
use axum::http::StatusCode;
use maud::{Markup, html};

/// `/fact/FILE/FACT`
pub(in crate::app::serve) fn fact(site: &Site, asked: &Asked) -> Answer {
    let file = match asked.file("/") {
        Ok(file) => file,
        Err(answer) => return answer,
    };
    let session = site.session();
    let mut read = match site.read(&session, file, false) {
        Ok(read) => read,
        Err(why) => return unread(site, "/", file, &why),
    };
    let wanted = asked.text("fact");
    let Some(found) = read.chains.iter().position(|chain| name(chain) == wanted) else {
        return Answer::failed(
            StatusCode::NOT_FOUND,
            "/",
            "There is no such fact in the file any more. Its section or its name may have changed.",
        );
    };
    let mut chains = vec![read.chains.swap_remove(found)];
    let dated = session.date(&read, &mut chains).and_then(|()| {
        let contents = chains[0].versions.iter().map(|version| version.content.clone()).collect();
        session.origins(&read, contents)
    });
    let origins = match dated {
        Ok(origins) => origins,
        Err(why) => return Answer::failed(StatusCode::INTERNAL_SERVER_ERROR, "/", &why.to_string()),
    };
    let chain = &chains[0];
    let title = parameter(chain);
    let body = html! {
        header class="fact-head" {
            p class="crumbs" {
                a href={ "/#file-" (file) } { (shown::text(&read.freshness.file)) }
                @if let Some(subject) = &chain.subject { span class="dot" { " / " } (shown::own(subject)) }
            }
            h1 { (shown::own(title)) }
            (holds(chain))
        }
        (timeline(chain, read.today))
        h2 { (shown::count(chain.versions.len(), "version")) span class="faint" { " oldest first" } }
        ol class="versions" {
            @for (idx, (version, origin)) in chain.versions.iter().zip(&origins).enumerate() {
                (told(version, origin.as_ref(), chain.unsettled.contains(&idx)))
            }
        }
    };
    Answer::page("/", title.to_owned(), body)
}

/// What holds now, in large.
fn holds(chain: &Chain) -> Markup {
    let current: Vec<&Version> = chain.current().collect();
    html! {
        div class="now" {
            @if !chain.unsettled.is_empty() {
                p { span class="badge ambiguous" { "ambiguous" } " Nothing says which of these holds:" }
                @for &idx in &chain.unsettled { p class="big" { (value(&chain.versions[idx])) } }
            } @else if current.is_empty() {
                p class="big faint" { "Nothing holds now." }
            }
            @for version in current { p class="big" { (value(version)) } }
        }
    }
}

fn told(version: &Version, origin: Option<&Origin>, is_unsettled: bool) -> Markup {
    let commit = origin.and_then(|origin| origin.commit.as_deref()).map(|commit| commit.get(..9).unwrap_or(commit));
    let author = origin.and_then(|origin| origin.author.as_deref());
    let words =
        [("replaced by", version.replaced_by.as_deref()), ("reason", version.reason.as_deref()), ("source", version.source.as_deref())];
    html! {
        li class={ "version " (version.standing.as_str()) } {
            p class="val" {
                (value(version)) " "
                @if is_unsettled { span class="badge ambiguous" { "ambiguous" } }
                @else if version.standing == Standing::Current { span class="badge current" { "holds" } } @else { (badge(version)) }
            }
            dl {
                div { dt { "true since" } dd { (date(version.effective)) } }
                div { dt { "recorded" } dd { @if version.is_new { "not committed yet" } @else { (date(version.recorded)) } } }
                @if version.until.is_some() { div { dt { "until" } dd { (date(version.until)) } } }
                @for (word, text) in words {
                    @if let Some(text) = text { div { dt { (word) } dd { (shown::own(text)) } } }
                }
                @if let Some(commit) = commit {
                    div { dt { "commit" } dd { code { (shown::text(commit)) } @if let Some(author) = author { " by " (shown::own(author)) } } }
                }
                div { dt { "place" } dd {
                    @match version.line {
                        Some(line) => { (shown::text(&version.file)) ", line " (line) },
                        None => "lost from the file; a fix brings it back",
                    }
                } }
            }
        }
    }
}
