//! A day: what was true on it, and what the memory believed, side by side; a slider over all days on which something changed.

use super::super::shell::Answer;
use super::super::shown::{self, agree, answers};
use super::super::site::Site;
use super::{Asked, files, name, parameter, read_dated, unmanaged};
use crate::app::Read;
use crate::query::{Answer as Known, Clock, Moment, as_of, days as changes};
use chrono::{Days, NaiveDate};
use maud::{Markup, html};

/// Marks on the slider at most; more of them would be a bar.
const MARKS: i64 = 300;

/// `/days?file=&day=` or `/days?file=&n=`: the n-th day since the first change.
pub(in crate::app::serve) fn days(site: &Site, asked: &Asked) -> Answer {
    let read = asked.file("/days").and_then(|file| Ok((file, read_dated(site, "/days", file)?)));
    let (file, read) = match read {
        Ok(read) => read,
        Err(answer) => return answer,
    };
    let body = html! {
        (files(site, "/days", file))
        @if read.chains.is_empty() { (unmanaged(site, file)) } @else { (days_of(&read, file, asked)) }
    };
    Answer::page("/days", "Days", body)
}

fn days_of(read: &Read, file: usize, asked: &Asked) -> Markup {
    let today = read.today;
    let marks = changes(&read.chains, today);
    let first = marks.first().copied().unwrap_or(today).min(today);
    let last = marks.last().copied().unwrap_or(today).max(today);
    let nth = asked.number("n").and_then(|days| first.checked_add_days(Days::new(days as u64)));
    let day = asked.day("day").or(nth).unwrap_or(today).clamp(first.pred_opt().unwrap_or(first), last);
    let number = |day: NaiveDate| (day - first).num_days().max(0);
    html! {
        header class="day-head" {
            h1 { time id="day" datetime=(day) { (day) } @if day == today { span class="faint" id="is-today" { " today" } } }
            (steps(&marks, day, today, file))
        }
        form class="slider" action="/days" data-slider data-first=(first) data-today=(today) {
            @if file > 0 { input type="hidden" name="file" value=(file); }
            label for="n" class="hidden" { "Day" }
            input type="range" id="n" name="n" min="0" max=(number(last)) value=(number(day)) step="1" list="marks" autocomplete="off"
                aria-valuetext=(day);
            datalist id="marks" { @for mark in spread(&marks, first, last) { option value=(number(mark)) {} } }
            p class="ends" { span { (first) } span { (last) } }
            noscript { button { "Show this day" } }
        }
        form class="pick" action="/days" {
            @if file > 0 { input type="hidden" name="file" value=(file); }
            label { "Day " input type="date" name="day" value=(day) required; }
            button { "Show" }
        }
        div id="answer" { (table(read, day, file)) }
    }
}

/// Links to the days on which something changed.
fn steps(marks: &[NaiveDate], day: NaiveDate, today: NaiveDate, file: usize) -> Markup {
    let earlier = marks.iter().rev().find(|mark| **mark < day);
    let later = marks.iter().find(|mark| **mark > day);
    let link = |to: Option<&NaiveDate>, rel: &str, word: &str| {
        html! {
            @match to {
                Some(to) => a class="button" rel=(rel) href={ "/days?file=" (file) "&day=" (to) } { (word) },
                None => span class="button off" { (word) },
            }
        }
    };
    html! {
        nav class="steps" id="steps" aria-label="Changes" {
            (link(earlier, "prev", "← Earlier"))
            (link(later, "next", "Later →"))
            @if day == today { span class="button off" { "Today" } } @else { a class="button" href={ "/days?file=" (file) } { "Today" } }
        }
    }
}

/// The changes that get a mark: of many that would stand on one spot of the slider, the first.
fn spread(marks: &[NaiveDate], first: NaiveDate, last: NaiveDate) -> Vec<NaiveDate> {
    let step = (last - first).num_days() / MARKS;
    let mut shown: Vec<NaiveDate> = Vec::new();
    for &mark in marks {
        if shown.last().is_none_or(|before| (mark - *before).num_days() > step) {
            shown.push(mark);
        }
    }
    shown
}

fn table(read: &Read, day: NaiveDate, file: usize) -> Markup {
    let at = |clock: Clock| Moment { day, clock, today: read.today };
    let is_empty = |known: &[Known]| known.iter().all(|answer| matches!(answer, Known::Unknown(candidates) if candidates.is_empty()));
    let rows = read.chains.iter().map(|chain| {
        let (held, believed) = (as_of(chain, at(Clock::Effective)), as_of(chain, at(Clock::Recorded)));
        let class = match (is_empty(&held) && is_empty(&believed), agree(&held, &believed)) {
            (true, _) => "row both dim",
            (false, false) => "row both differs",
            (false, true) => "row both",
        };
        html! {
            li class=(class) id={ "d-" (name(chain)) } {
                a class="name" href={ "/fact/" (file) "/" (name(chain)) } {
                    (shown::own(parameter(chain)))
                    @if let Some(subject) = &chain.subject { span class="of" { (shown::own(subject)) } }
                }
                div class="vals" { (answers(chain, &held)) }
                div class="vals" { (answers(chain, &believed)) }
            }
        }
    });
    html! {
        div class="row both head" aria-hidden="true" { span { "Fact" } span { "Was true" } span { "Was believed" } }
        ul class="rows" { @for row in rows { (row) } }
    }
}
