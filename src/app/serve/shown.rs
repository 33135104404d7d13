//! How what stands in a file is shown: escaped by maud, hidden characters spelled, what looks like a secret left out.

use crate::app::saving::without_secrets;
use crate::query::{Answer, Chain, Standing, Version};
use crate::report::visible;
use crate::syntax::date::Date;
use maud::{Markup, html};

/// A text of a file.
pub(super) fn text(text: &str) -> String {
    visible(&without_secrets(text)).into_owned()
}

/// A text of a file beside others: its direction is its own.
pub(super) fn own(words: &str) -> Markup {
    html! { bdi { (text(words)) } }
}

/// A sentence of memfile's own, which sets names and values in backticks.
pub(super) fn prose(sentence: &str) -> Markup {
    let shown = text(sentence);
    let parts: Vec<&str> = shown.split('`').collect();
    // A value with a backtick of its own leaves the sentence as it is.
    if parts.len().is_multiple_of(2) {
        return html! { bdi { (shown) } };
    }
    html! { @for (at, part) in parts.iter().enumerate() { @if at % 2 == 1 { code { bdi { (part) } } } @else { (part) } } }
}

/// A value.
pub(super) fn value(version: &Version) -> Markup {
    match &version.value {
        Some(value) => own(value),
        None => html! { span class="faint" { "erased" } },
    }
}

/// Where a version stands, in a word with its day; nothing for what holds.
pub(super) fn badge(version: &Version) -> Markup {
    let when = version.as_of.map(Date::iso).or_else(|| version.as_of_text.as_deref().map(text));
    let word = version.standing.as_str();
    match (version.standing, when) {
        (Standing::Current, _) => Markup::default(),
        (Standing::Scheduled, when) => match version.effective.map(Date::iso).or(when) {
            Some(when) => html! { span class={ "badge " (word) } { (word) " from " (when) } },
            None => html! { span class={ "badge " (word) } { (word) } },
        },
        (_, Some(when)) => html! { span class={ "badge " (word) } { (word) " as of " (when) } },
        (_, None) => html! { span class={ "badge " (word) } { (word) } },
    }
}

/// A date, or that there is none.
pub(super) fn date(date: Option<Date>) -> Markup {
    match date {
        Some(date) => html! { time datetime=(date.iso()) { (date.iso()) } },
        None => html! { span class="faint" { "not written" } },
    }
}

/// True where two answers say the same of a fact, however well their starts are known.
pub(super) fn agree(one: &[Answer], other: &[Answer]) -> bool {
    let same = |(a, b): (&Answer, &Answer)| match (a, b) {
        (Answer::Known(a, _), Answer::Known(b, _)) => a == b,
        _ => a == b,
    };
    one.len() == other.len() && one.iter().zip(other).all(same)
}

/// What is known of a fact on a day; one line for each answer.
pub(super) fn answers(chain: &Chain, answers: &[Answer]) -> Markup {
    let version = |idx: usize| value(&chain.versions[idx]);
    let each = |candidates: &[usize]| {
        html! { @for (at, &idx) in candidates.iter().enumerate() { @if at > 0 { span class="faint" { " or " } } (version(idx)) } }
    };
    html! {
        @for answer in answers {
            p class="val" {
                @match answer {
                    Answer::Known(idx, true) => (version(*idx)),
                    Answer::Known(idx, false) => { (version(*idx)) " " span class="faint" { "no start written" } },
                    Answer::Ambiguous(candidates) => { (each(candidates)) " " span class="badge ambiguous" { "ambiguous" } },
                    Answer::Unknown(candidates) if candidates.is_empty() => span class="faint" { "unknown" },
                    Answer::Unknown(candidates) => { span class="faint" { "perhaps " (each(candidates)) } },
                    Answer::Nothing => span class="faint" { "nothing: it had ended" },
                }
            }
        }
    }
}

/// A number with a comma for thousands, and what is counted.
pub(super) fn count(number: usize, word: &str) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + 4);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    format!("{out} {word}{}", if number == 1 { "" } else { "s" })
}
