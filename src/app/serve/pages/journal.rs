//! The journal: what memfile wrote to the open files, newest first, each step with its diff.

use super::super::patch::diff;
use super::super::shell::Answer;
use super::super::shown;
use super::super::site::Site;
use super::{Asked, no_file, pager};
use crate::fix::between;
use crate::io::journal::{Step, StepFile};
use axum::http::StatusCode;
use chrono::DateTime;
use maud::{Markup, html};
use std::collections::BTreeMap;
use std::path::Path;

/// Steps on one page.
const EACH: usize = 10;

/// `/journal?page=`
pub(in crate::app::serve) fn journal(site: &Site, asked: &Asked) -> Answer {
    if site.files.is_empty() {
        return Answer::page("/journal", "Journal", no_file());
    }
    let session = site.session();
    // A step may have written several of the files.
    let mut steps: BTreeMap<i64, Step> = BTreeMap::new();
    for file in &site.files {
        match session.steps_of(&file.path) {
            Ok(found) => steps.extend(found.into_iter().map(|step| (step.id, step))),
            Err(why) => return Answer::failed(StatusCode::INTERNAL_SERVER_ERROR, "/journal", &why.to_string()),
        }
    }
    let page = asked.page();
    let body = html! {
        h1 { "Journal" span class="faint" { " newest first" } }
        @if steps.is_empty() {
            div class="empty" {
                p { "memfile has written nothing here yet. Each fix and each command leaves a step, with the text before and after:" }
                pre class="command" { "memfile fix\nmemfile set Database \"Postgres 17\"" }
            }
        }
        ol class="steps-list" reversed {
            @for step in steps.values().rev().skip((page - 1).saturating_mul(EACH)).take(EACH) {
                (told(step, &|part| session.name(Path::new(&part.file))))
            }
        }
        (pager("/journal", page, steps.len(), EACH))
        @if !steps.is_empty() { p class="faint" { code { "memfile undo" } " takes back the last step, byte for byte." } }
    };
    Answer::page("/journal", "Journal", body)
}

fn told(step: &Step, name: &dyn Fn(&StepFile) -> String) -> Markup {
    let time = DateTime::from_timestamp(step.time, 0);
    html! {
        li class={ "card step" @if step.is_undone { " undone" } } id={ "step-" (step.id) } {
            header {
                @if let Some(time) = time { time datetime=(time.format("%Y-%m-%dT%H:%MZ")) { (time.format("%Y-%m-%d %H:%M")) " UTC" } }
                span class="place" { (shown::own(&step.actor)) }
                @if step.is_undone { span class="badge removed" { "undone" } }
            }
            h2 { code { "memfile " (shown::text(&step.command)) } }
            @for part in &step.files {
                @let (old, new) = (part.old.as_deref().unwrap_or(""), part.new.as_deref().unwrap_or(""));
                p class="label" {
                    (shown::text(&name(part)))
                    @if part.old.is_none() { " was made" } @else if part.new.is_none() { " was removed" }
                }
                (diff(&name(part), old, new, &between(old, new)))
            }
        }
    }
}
