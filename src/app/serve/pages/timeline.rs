//! A fact's time, drawn: one lane for each clock, one bar for each answer that lasts.
//!
//! Lengths are shares of the width, so that the drawing fits any screen; inline style is not allowed, attributes of SVG are.

use super::super::shown;
use crate::query::{Answer, Chain, Clock, Span, days, spans};
use chrono::{Days, NaiveDate};
use maud::{Markup, html};

/// The least distance of two dates under the drawing, in percent of the width.
const GAP: f64 = 24.0;

/// The stretch of time that is drawn.
struct Scale {
    from: NaiveDate,
    days: f64,
}

impl Scale {
    fn at(&self, day: NaiveDate) -> f64 {
        let passed = (day - self.from).num_days() as f64;
        (100.0 * passed / self.days).clamp(0.0, 100.0)
    }
}

/// Both lanes of `chain`, or nothing where no version has a date.
pub(super) fn timeline(chain: &Chain, today: NaiveDate) -> Markup {
    let borders = days(std::slice::from_ref(chain), today);
    let (Some(&first), Some(&last)) = (borders.first(), borders.last()) else {
        return html! { p class="faint" { "No version of this fact has a date, so there is no time to draw." } };
    };
    let (first, end) = (first.min(today), last.max(today));
    // A bar that begins on the last day wants room, too.
    let room = ((end - first).num_days() / 8).clamp(1, 3650) as u64;
    let from = first.checked_sub_days(Days::new(room)).unwrap_or(first);
    let to = end.checked_add_days(Days::new(room)).unwrap_or(end);
    let scale = Scale { from, days: ((to - from).num_days() as f64).max(1.0) };
    html! {
        figure class="timeline" {
            (lane("Was true", "effective clock", &spans(chain, Clock::Effective, today), chain, &scale))
            (lane("Was believed", "recorded clock", &spans(chain, Clock::Recorded, today), chain, &scale))
            (axis(&borders, today, &scale))
        }
    }
}

fn lane(title: &str, clock: &str, spans: &[Span], chain: &Chain, scale: &Scale) -> Markup {
    html! {
        div class="lane" {
            p class="lane-name" { (title) " " span class="faint" { (clock) } }
            svg width="100%" height="30" role="img" aria-label={ (title) ": " (words(spans, chain)) } {
                @for span in spans { (bar(span, chain, scale)) }
            }
        }
    }
}

fn bar(span: &Span, chain: &Chain, scale: &Scale) -> Markup {
    let Some((kind, label)) = label(span, chain) else { return Markup::default() };
    let (start, end) = (scale.at(span.from), span.to.map_or(100.0, |to| scale.at(to)));
    let until = span.to.map_or_else(String::new, |to| format!(" to {}", to.pred_opt().unwrap_or(to)));
    html! {
        svg x={ (percent(start)) } width={ (percent((end - start).max(0.4))) } height="30" class={ "bar " (kind) } {
            title { (label) " – from " (span.from) (until) }
            rect width="100%" height="100%" rx="3" {}
            text x="8" y="19.5" { (label) }
        }
    }
}

/// How a span is drawn, and its words; nothing where nothing is known or holds.
fn label(span: &Span, chain: &Chain) -> Option<(&'static str, String)> {
    let value = |idx: usize| chain.versions[idx].value.as_deref().map_or_else(|| "erased".to_owned(), shown::text);
    let told = |answer: &Answer| match answer {
        Answer::Known(idx, _) => Some(value(*idx)),
        Answer::Ambiguous(candidates) => Some(candidates.iter().map(|&idx| value(idx)).collect::<Vec<_>>().join(" or ")),
        Answer::Unknown(_) | Answer::Nothing => None,
    };
    let values: Vec<String> = span.answers.iter().filter_map(told).collect();
    let is_sure = span.answers.iter().all(|answer| matches!(answer, Answer::Known(..)));
    let holds =
        |answer: &Answer| matches!(answer, Answer::Known(idx, _) if chain.current().any(|now| std::ptr::eq(now, &chain.versions[*idx])));
    let kind = match (is_sure, span.answers.iter().any(holds)) {
        (false, _) => "unsure",
        (true, true) => "now",
        (true, false) => "past",
    };
    (!values.is_empty()).then(|| (kind, values.join(" · ")))
}

/// The lane for those who do not see it.
fn words(spans: &[Span], chain: &Chain) -> String {
    let told = spans.iter().filter_map(|span| label(span, chain).map(|(_, label)| format!("{label} from {}", span.from)));
    let words: Vec<String> = told.collect();
    if words.is_empty() { "nothing known".to_owned() } else { words.join(", then ") }
}

fn axis(borders: &[NaiveDate], today: NaiveDate, scale: &Scale) -> Markup {
    let mut labels: Vec<(f64, NaiveDate)> = vec![(scale.at(today), today)];
    for &day in borders {
        let at = scale.at(day);
        if labels.iter().all(|(other, _)| (other - at).abs() >= GAP) {
            labels.push((at, day));
        }
    }
    let anchor = |at: f64| match at {
        _ if at < 12.0 => "start",
        _ if at > 88.0 => "end",
        _ => "middle",
    };
    html! {
        svg class="axis" width="100%" height="30" aria-hidden="true" {
            @for &day in borders { line x1=(percent(scale.at(day))) x2=(percent(scale.at(day))) y1="0" y2="6" {} }
            line class="today" x1=(percent(scale.at(today))) x2=(percent(scale.at(today))) y1="0" y2="10" {}
            @for (at, day) in labels {
                text x=(percent(at)) y="23" text-anchor=(anchor(at)) { @if day == today { "today" } @else { (day) } }
            }
        }
    }
}

fn percent(share: f64) -> String {
    format!("{share:.3}%")
}
