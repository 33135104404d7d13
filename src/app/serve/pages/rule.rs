//! The page of a rule, as `explain` prints it.

use super::super::rendered::rendered;
use super::super::shell::Answer;
use super::super::site::Site;
use super::Asked;
use crate::diagnostic::Fixable;
use crate::rules::{find, nearest};
use axum::http::StatusCode;
use maud::html;

/// `/rule/NAME`
pub(in crate::app::serve) fn rule(_: &Site, asked: &Asked) -> Answer {
    let name = asked.text("rule");
    let Some(rule) = find(name) else {
        let near = nearest(name).map_or_else(String::new, |near| format!(" Did you mean {near}?"));
        return Answer::failed(StatusCode::NOT_FOUND, "/findings", &format!("There is no rule of that name.{near}"));
    };
    let fix = match rule.info.fixable {
        Fixable::Safe => "a fix repairs it",
        Fixable::Unsafe => "a fix repairs it, but a person should look at it first",
        Fixable::No => "a person decides",
    };
    let severity = rule.info.severity.as_str();
    let body = html! {
        p class="crumbs" { a href="/findings" { "Findings" } " / " (rule.info.name) }
        p class="summary" { span class={ "badge " (severity) } { (severity) } " " (fix) }
        (rendered(rule.info.page))
    };
    Answer::page("/findings", rule.info.name, body)
}
