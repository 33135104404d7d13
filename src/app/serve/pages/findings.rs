//! Findings, each with what its fix would change; and the one page that writes: a fix that a person chose is applied.

use super::super::patch::diff;
use super::super::shell::Answer;
use super::super::shown;
use super::super::site::{Site, digest};
use super::{Asked, no_file, pager};
use crate::app::{Mode, Options, Outcome, Ran, Unwritten};
use crate::command::Refusal;
use crate::diagnostic::{Applicability, Diagnostic};
use crate::fix::alone;
use crate::io::IoError;
use crate::text::{LineIndex, TextRange};
use axum::http::StatusCode;
use maud::{Markup, html};

/// Findings on one page.
const EACH: usize = 50;
/// Lines of a finding that are shown where it has no diff.
const LINES: usize = 3;

/// `/findings?page=`
pub(in crate::app::serve) fn findings(site: &Site, asked: &Asked) -> Answer {
    let done = asked.number("done").map(|number| match number {
        0 => html! { p class="notice" role="status" { "There was nothing left to fix." } },
        number => html! {
            p class="notice good" role="status" {
                (number) @if number == 1 { " fix was" } @else { " fixes were" } " applied. "
                a href="/journal" { "The journal" } " has the step; " code { "memfile undo" } " takes it back."
            }
        },
    });
    show(site, asked, done.unwrap_or_default())
}

fn show(site: &Site, asked: &Asked, notice: Markup) -> Answer {
    if site.files.is_empty() {
        return Answer::page("/findings", "Findings", no_file());
    }
    let ran = match run(site, Mode::Check, (0..site.files.len()).collect()) {
        Ok(ran) => ran,
        Err(why) => return Answer::failed(StatusCode::INTERNAL_SERVER_ERROR, "/findings", &why),
    };
    let all: Vec<(&Outcome, &Diagnostic)> =
        ran.outcomes.iter().flat_map(|outcome| outcome.diagnostics.iter().map(move |found| (outcome, found))).collect();
    let page = asked.page();
    let shown: Vec<_> = all.iter().skip((page - 1).saturating_mul(EACH)).take(EACH).collect();
    let body = html! {
        (notice)
        h1 { @if all.is_empty() { "Nothing found" } @else { (shown::count(all.len(), "finding")) } }
        p class="summary" { (compared(&ran)) }
        @for error in &ran.errors { p class="notice error" { (shown::text(&error.to_string())) } }
        @for outcome in &ran.outcomes {
            @if let Some(failure) = &outcome.failure { p class="notice error" { (shown::text(&format!("{}: {failure}", outcome.name))) } }
        }
        @for outcome in &ran.outcomes { (all_at_once(site, number_of(site, outcome), outcome)) }
        @for (outcome, found) in shown { (card(site, number_of(site, outcome), outcome, found)) }
        (pager("/findings", page, all.len(), EACH))
    };
    Answer::page("/findings", "Findings", body)
}

/// The files by number, those that can be read.
fn run(site: &Site, mode: Mode, numbers: Vec<usize>) -> Result<Ran, String> {
    let mut paths = Vec::new();
    for number in numbers {
        paths.push(site.file(number)?.path.clone());
    }
    let options = Options { paths, command: "serve --write".to_owned(), ..Options::new(mode, site.today()?) };
    Ok(site.session().run(&options, &|_, _| ()))
}

fn number_of(site: &Site, outcome: &Outcome) -> usize {
    site.files.iter().position(|file| file.real == outcome.real).unwrap_or(usize::MAX)
}

/// What the files were compared with.
fn compared(ran: &Ran) -> Markup {
    html! {
        @for (at, outcome) in ran.outcomes.iter().enumerate() {
            @if at > 0 { span class="dot" { " · " } }
            (shown::text(&outcome.name)) ": " (shown::count(outcome.checked.records, "record")) ", compared with "
            (outcome.base.as_deref().map_or_else(|| "nothing".to_owned(), shown::text)) @if outcome.identical { ": identical" }
        }
    }
}

fn is_safe(found: &Diagnostic) -> bool {
    found.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe)
}

/// All safe fixes of a file in one step, where there are several.
fn all_at_once(site: &Site, number: usize, outcome: &Outcome) -> Markup {
    let safe = outcome.diagnostics.iter().filter(|found| is_safe(found)).count();
    if safe < 2 || outcome.diagnostics.iter().any(|found| found.rule.stops_writing) {
        return Markup::default();
    }
    let planned = run(site, Mode::Preview, vec![number]).ok().and_then(|ran| ran.outcomes.into_iter().next());
    html! {
        section class="card all" {
            h2 { (safe) " safe fixes in " (shown::text(&outcome.name)) }
            @if let Some(outcome) = planned {
                @if let Some(after) = &outcome.after {
                    details { summary { "What they change together" } (diff(&outcome.name, &outcome.before, after, &outcome.patch)) }
                }
            }
            (button(site, number, outcome, "all", "Apply all"))
        }
    }
}

/// A finding: what is wrong, where, what to do, and what its fix would change.
fn card(site: &Site, number: usize, outcome: &Outcome, found: &Diagnostic) -> Markup {
    let text = outcome.text();
    let line = LineIndex::new(text).line(text, found.range.start());
    let id = name(number, found);
    html! {
        article class={ "card " (found.rule.severity.as_str()) } id={ "x-" (id) } aria-labelledby={ "t-" (id) } {
            header {
                span class={ "badge " (found.rule.severity.as_str()) } { (found.rule.severity.as_str()) }
                a class="rule" href={ "/rule/" (found.rule.name) } { (found.rule.name) }
                span class="place" { (shown::text(&outcome.name)) ", line " (line) }
            }
            h2 id={ "t-" (id) } { (shown::prose(&found.message)) }
            (repair(&outcome.name, text, found))
            @if !found.help.is_empty() { ul class="help" { @for help in &found.help { li { (shown::prose(help)) } } } }
            @if found.fix.is_some() {
                (button(site, number, outcome, &id, if is_safe(found) { "Apply" } else { "Apply – look at it first" }))
            }
        }
    }
}

/// The diff of a finding's fix; the lines it speaks of where it has none.
pub(super) fn repair(file: &str, text: &str, found: &Diagnostic) -> Markup {
    let patch = alone(found);
    if !patch.is_empty() {
        return diff(file, text, &patch.apply(text), &patch);
    }
    html! {
        div class="excerpt" {
            (excerpt(text, found.range, None))
            @for related in found.related.iter().take(LINES) { (excerpt(text, related.range, Some(&related.label))) }
        }
    }
}

/// The lines of a place, cut after a few.
fn excerpt(text: &str, range: TextRange, label: Option<&str>) -> Markup {
    let index = LineIndex::new(text);
    let first = index.line(text, range.start());
    let start = index.start_of(text, first).unwrap_or(0);
    let end = text.get(range.end()..).and_then(|rest| rest.find('\n')).map_or(text.len(), |at| range.end() + at);
    let lines: Vec<&str> = TextRange::new(start, end.max(start)).of(text).lines().collect();
    html! {
        @if let Some(label) = label { p class="label" { (shown::own(label)) } }
        pre class="source" tabindex="0" {
            @for (at, line) in lines.iter().take(LINES).enumerate() { span class="n" { (first + at) } (shown::text(line)) "\n" }
            @if lines.len() > LINES { span class="faint" { "… " (shown::count(lines.len() - LINES, "more line")) "\n" } }
        }
    }
}

/// The name of a finding, the same as long as what it says and does stays the same.
fn name(file: usize, found: &Diagnostic) -> String {
    let edits: String = found.fix.iter().flat_map(|fix| fix.edits.iter()).map(|edit| format!("{:?} {}\n", edit.range, edit.text)).collect();
    let range = format!("{file} {:?}", found.range);
    digest(&[found.rule.name, found.key.as_deref().unwrap_or(""), &found.message, &range, &edits], 8)
}

fn button(site: &Site, number: usize, outcome: &Outcome, finding: &str, word: &str) -> Markup {
    if !site.write {
        return html! { p class="faint" { "Read-only: start " code { "memfile serve --write" } " to apply fixes here." } };
    }
    html! {
        form method="post" action="/apply" {
            input type="hidden" name="file" value=(number);
            input type="hidden" name="seen" value=(seen(outcome.text()));
            button name="finding" value=(finding) class=[(finding == "all").then_some("main")] { (word) }
        }
    }
}

/// The text that a page was made of.
fn seen(text: &str) -> String {
    digest(&[text], 16)
}

/// `POST /apply`: `file`, `finding` (or `all`), `seen`.
pub(in crate::app::serve) fn apply(site: &Site, asked: &Asked) -> Answer {
    let refused = |status: StatusCode, why: &str| {
        let notice = html! { p class="notice error" role="alert" { (shown::text(why)) } };
        show(site, &Asked::new(Default::default()), notice).sent(status)
    };
    if !site.write {
        return refused(StatusCode::FORBIDDEN, "This inspector is read-only; start it with --write. Nothing was written.");
    }
    let Some(number) = asked.number("file").filter(|number| *number < site.files.len()) else {
        return refused(StatusCode::NOT_FOUND, "There is no such file here. Nothing was written.");
    };
    match write(site, number, asked) {
        Ok(count) => Answer::go(format!("/findings?done={count}")),
        Err(Unwritten::Io(IoError::Changed { .. })) => {
            refused(StatusCode::CONFLICT, "The file changed since this page was made. Nothing was written; below is what is found now.")
        }
        Err(Unwritten::Refused(refusal)) => refused(StatusCode::CONFLICT, &format!("{refusal}. Nothing was written.")),
        Err(Unwritten::Loss(loss)) => refused(StatusCode::CONFLICT, &format!("This fix would {loss}. Nothing was written.")),
        Err(Unwritten::Io(error)) => refused(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
    }
}

/// Applies what was chosen; how many fixes that was.
fn write(site: &Site, number: usize, asked: &Asked) -> Result<usize, Unwritten> {
    let refuse = |why: String| Unwritten::Refused(Refusal::No(why));
    let file = site.file(number).map_err(refuse)?;
    let changed = || Unwritten::Io(IoError::Changed { path: file.real.clone() });
    let (wanted, was) = (asked.text("finding"), asked.text("seen"));
    if wanted == "all" {
        let now = crate::io::load(&site.session().absolute(&file.path))?;
        if seen(&now.text) != was {
            return Err(changed());
        }
        let ran = run(site, Mode::Fix, vec![number]).map_err(refuse)?;
        let failure = ran.outcomes.iter().find_map(|outcome| outcome.failure.as_ref());
        return match (failure, ran.errors.first()) {
            (Some(failure), _) => Err(refuse(failure.to_string())),
            (None, Some(error)) => Err(refuse(error.to_string())),
            (None, None) => Ok(ran.outcomes.iter().map(|outcome| outcome.applied.len()).sum()),
        };
    }
    let today = site.today().map_err(refuse)?;
    site.session().apply(&file.path, today, "serve --write", &|text, found| {
        if seen(text) != was {
            return Err(changed());
        }
        let gone = || refuse("This finding is not there any more".to_owned());
        found.iter().position(|found| name(number, found) == wanted).ok_or_else(gone)
    })?;
    Ok(1)
}
