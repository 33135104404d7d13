//! Two days compared: which facts are others on the second.

use super::super::shell::Answer;
use super::super::shown::{self, value};
use super::super::site::Site;
use super::{Asked, files, name, parameter, read_dated, unmanaged};
use crate::app::Read;
use crate::query::{Chain, Change, Clock, Moment, Version, days, diff};
use chrono::NaiveDate;
use maud::{Markup, html};

/// `/compare?file=&from=&to=&clock=`
pub(in crate::app::serve) fn compare(site: &Site, asked: &Asked) -> Answer {
    let read = asked.file("/compare").and_then(|file| Ok((file, read_dated(site, "/compare", file)?)));
    let (file, read) = match read {
        Ok(read) => read,
        Err(answer) => return answer,
    };
    let body = html! {
        (files(site, "/compare", file))
        h1 { "What changed between two days" }
        @if read.chains.is_empty() { (unmanaged(site, file)) } @else { (compared(&read, file, asked)) }
    };
    Answer::page("/compare", "Compare", body)
}

fn compared(read: &Read, file: usize, asked: &Asked) -> Markup {
    let today = read.today;
    let clock = if asked.text("clock") == "recorded" { Clock::Recorded } else { Clock::Effective };
    let to = asked.day("to").unwrap_or(today);
    let from = asked.day("from").unwrap_or_else(|| before(&days(&read.chains, today), to));
    let at = |day: NaiveDate| Moment { day, clock, today };
    let changes = diff(&read.chains, at(from), at(to));
    let option = |of: Clock, word: &str| html! { option value=(of.as_str()) selected[of == clock] { (word) } };
    html! {
        form class="pick" action="/compare" {
            @if file > 0 { input type="hidden" name="file" value=(file); }
            label { "From " input type="date" name="from" value=(from) required; }
            label { "to " input type="date" name="to" value=(to) required; }
            label { "by " select name="clock" {
                (option(Clock::Effective, "what was true"))
                (option(Clock::Recorded, "what was believed"))
            } }
            button { "Compare" }
        }
        p class="summary" { (shown::count(changes.len(), "fact")) @if changes.len() == 1 { " differs" } @else { " differ" } " on the second day." }
        @if changes.is_empty() {
            p class="empty" { "Nothing that is surely another value. Choose days further apart, or the other clock." }
        } @else {
            div class="row both head" aria-hidden="true" { span { "Fact" } span { (from) } span { (to) } }
            ul class="rows" { @for change in &changes { (row(read, change, file)) } }
        }
    }
}

/// The day before the last change up to `to`, so that the first look shows something.
fn before(days: &[NaiveDate], to: NaiveDate) -> NaiveDate {
    let last = days.iter().rev().find(|day| **day <= to).copied().unwrap_or(to);
    last.pred_opt().unwrap_or(last)
}

fn row(read: &Read, change: &Change, file: usize) -> Markup {
    let version = change.after.or(change.before);
    let owns = |chain: &&Chain| chain.versions.iter().any(|own| version.is_some_and(|version| std::ptr::eq(own, version)));
    let chain = read.chains.iter().find(owns);
    let side = |version: Option<&Version>, class: &str| {
        html! { div class={ "vals " (class) } { p class="val" {
            @match version { Some(version) => (value(version)), None => span class="faint" { "nothing" } }
        } } }
    };
    html! {
        li class="row both" {
            @if let Some(chain) = chain {
                a class="name" href={ "/fact/" (file) "/" (name(chain)) } {
                    (shown::own(parameter(chain)))
                    @if let Some(subject) = &chain.subject { span class="of" { (shown::own(subject)) } }
                }
            }
            (side(change.before, "was"))
            (side(change.after, "is"))
        }
    }
}
