//! The playground: a pasted text goes through the stages of a run and nothing of it is kept: facts, findings, the text after a fix.

use super::super::patch::diff;
use super::super::rendered::rendered;
use super::super::shell::Answer;
use super::super::shown::{self, badge, value};
use super::super::site::Site;
use super::findings::repair;
use super::{Asked, parameter};
use crate::app::{BaseChoice, Mode, Options, Outcome, Session, Target};
use crate::check::{Selection, Subject, analyse};
use crate::query::{Chain, Standing, Teller};
use crate::text::LineIndex;
use axum::http::StatusCode;
use maud::{Markup, html};
use std::path::Path;

/// The name of the text. A file with it is never read or written.
const NAME: &str = "playground.md";

/// What the field holds at first.
const SAMPLE: &str = "## Project memory

- Database: MySQL 8 (source: Maya 2026-01-14)
- Database: Postgres 16 (source: Maya 2026-06-20)
- Deploy day: Friday
- Deploy day: Tuesday (since: 2026-05-01)
- Region: eu-west-1 (since: 2026-02)
";

/// `/playground`
pub(in crate::app::serve) fn playground(_: &Site, _: &Asked) -> Answer {
    let body = html! { (form(SAMPLE, "", false)) };
    Answer::page("/playground", "Playground", body).sent(StatusCode::OK)
}

/// `POST /playground`: `text`, `before`, `whole`.
pub(in crate::app::serve) fn sent(site: &Site, asked: &Asked) -> Answer {
    // Forms send line ends as CRLF, whatever was pasted.
    let plain = |name: &str| asked.text(name).replace("\r\n", "\n");
    let (text, before, whole) = (plain("text"), plain("before"), !asked.text("whole").is_empty());
    match played(site, &text, &before, whole) {
        Ok(result) => {
            let body = html! { (form(&text, &before, whole)) section id="result" aria-label="Result" { (result) } };
            Answer::page("/playground", "Playground", body).sent(StatusCode::OK)
        }
        Err(why) => Answer::failed(StatusCode::INTERNAL_SERVER_ERROR, "/playground", &why),
    }
}

fn form(text: &str, before: &str, whole: bool) -> Markup {
    let field = |name: &str, rows: usize, text: &str| {
        // A browser drops the first line break of a field.
        html! { textarea id=(name) name=(name) rows=(rows) spellcheck="false" { "\n" (text) } }
    };
    html! {
        h1 { "Playground" }
        p class="summary" { "Paste Markdown and see what memfile makes of it. Nothing is kept or written." }
        form class="play" method="post" action="/playground#result" data-play {
            label for="text" { "Text" }
            (field("text", 14, text))
            details open[!before.is_empty()] {
                summary { "Compare with the text before an edit" }
                label for="before" class="hidden" { "Text before" }
                (field("before", 8, before))
            }
            p class="send" {
                button class="main" { "Look" }
                label { input type="checkbox" name="whole" value="yes" checked[whole]; " All of it is managed" }
                span class="faint keys" { kbd { "Ctrl" } " " kbd { "Enter" } }
            }
        }
    }
}

fn played(site: &Site, text: &str, before: &str, whole: bool) -> Result<Markup, String> {
    let (session, today) = (site.session(), site.today()?);
    let place = session.absolute(Path::new(NAME));
    let target =
        Target::new(&session, Path::new(NAME), place, text.to_owned(), whole, &Selection::default()).map_err(|error| error.to_string())?;
    let subject = Subject { whole_file: target.whole_file, ..Subject::new(&target.found.config, &target.selection, today) };
    let chains = analyse(text, &subject, |analysis, revisions| Teller::new(NAME, analysis, revisions).all());
    let base = if before.trim().is_empty() { BaseChoice::None } else { BaseChoice::Settled(before.into()) };
    let run = |mode: Mode| one(&session, target.clone(), &Options { base: base.clone(), ..Options::new(mode, today) });
    let (found, fixed) = (run(Mode::Check)?, run(Mode::Preview)?);
    if found.checked.records == 0 && found.diagnostics.is_empty() {
        return Ok(html! {
            div class="empty" {
                h2 { "No managed text" }
                p { "Put the facts below a heading " code { "## Project memory" } ", or tick “All of it is managed”." }
            }
            h2 { "As it stands" }
            (rendered(text))
        });
    }
    Ok(html! {
        (facts(&chains))
        h2 { (shown::count(found.diagnostics.len(), "finding")) }
        @for finding in found.diagnostics.iter().take(100) {
            article class={ "card " (finding.rule.severity.as_str()) } {
                header {
                    span class={ "badge " (finding.rule.severity.as_str()) } { (finding.rule.severity.as_str()) }
                    a class="rule" href={ "/rule/" (finding.rule.name) } { (finding.rule.name) }
                    span class="place" { "line " (LineIndex::new(text).line(text, finding.range.start())) }
                }
                h3 { (shown::prose(&finding.message)) }
                (repair(NAME, text, finding))
            }
        }
        (after(&fixed))
    })
}

fn one(session: &Session, target: Target, options: &Options) -> Result<Outcome, String> {
    let ran = session.run_targets(vec![target], options, &|_, _| ());
    let failure = ran.errors.first().map(ToString::to_string);
    let outcome = ran.outcomes.into_iter().next().ok_or_else(|| failure.unwrap_or_else(|| "nothing came of it".to_owned()))?;
    outcome.failure.as_ref().map_or(Ok(()), |failure| Err(failure.to_string())).map(|()| outcome)
}

/// The groups, each with its versions as the rules order them.
fn facts(chains: &[Chain]) -> Markup {
    html! {
        h2 { (shown::count(chains.len(), "fact")) }
        ul class="rows" {
            @for chain in chains.iter().take(500) {
                li class="row" {
                    span class="name" {
                        (shown::own(parameter(chain)))
                        @if let Some(subject) = &chain.subject { span class="of" { (shown::own(subject)) } }
                    }
                    div class="vals" {
                        @for (idx, version) in chain.versions.iter().enumerate() {
                            p class={ "val " (version.standing.as_str()) } {
                                (value(version)) " "
                                @if chain.unsettled.contains(&idx) { span class="badge ambiguous" { "ambiguous" } }
                                @else if version.standing != Standing::Current { (badge(version)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The text after a fix: what changed, and how it reads.
fn after(fixed: &Outcome) -> Markup {
    html! {
        h2 { "After a fix" }
        @match &fixed.after {
            None => p class="faint" { "A fix changes nothing." },
            Some(after) => (diff(NAME, &fixed.before, after, &fixed.patch)),
        }
        details { summary { "The whole text" } pre class="source" tabindex="0" { (shown::text(fixed.text())) } }
        h2 { "Rendered" }
        (rendered(fixed.text()))
    }
}
