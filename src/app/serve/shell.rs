//! The frame around a page: head, navigation, notices; and refusals, which have no navigation.

use super::site::Site;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderValue, LOCATION};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

/// The pages of the navigation: address and name.
const PAGES: [(&str, &str); 6] = [
    ("/", "Board"),
    ("/days", "Days"),
    ("/compare", "Compare"),
    ("/findings", "Findings"),
    ("/journal", "Journal"),
    ("/playground", "Playground"),
];

/// What a page answers.
pub(super) struct Answer {
    status: StatusCode,
    /// The address in the navigation that it belongs to.
    place: &'static str,
    title: String,
    body: Markup,
    is_live: bool,
    elsewhere: Option<String>,
}

impl Answer {
    /// A page that is made anew when a file changes.
    pub(super) fn page(place: &'static str, title: impl Into<String>, body: Markup) -> Self {
        Self { status: StatusCode::OK, place, title: title.into(), body, is_live: true, elsewhere: None }
    }

    /// The same page as an answer to what was sent: it cannot be asked for again.
    pub(super) fn sent(self, status: StatusCode) -> Self {
        Self { status, is_live: false, ..self }
    }

    /// A page that says why there is none.
    pub(super) fn failed(status: StatusCode, place: &'static str, why: &str) -> Self {
        let body = html! {
            div class="empty" {
                h1 { (reason(status)) }
                p { (super::shown::text(why)) }
                p { a href="/" { "Back to the board" } }
            }
        };
        Self { status, ..Self::page(place, reason(status), body) }
    }

    /// The way to another page, after something was done.
    pub(super) fn go(to: String) -> Self {
        Self { status: StatusCode::SEE_OTHER, elsewhere: Some(to), ..Self::page("/", "", Markup::default()) }
    }

    /// The answer as bytes. `change`: the number of the last change before the page was made.
    pub(super) fn respond(self, site: &Site, change: u64) -> Response {
        if let Some(to) = self.elsewhere.as_deref().and_then(|to| HeaderValue::from_str(to).ok()) {
            return (self.status, [(LOCATION, to)]).into_response();
        }
        let live = if self.is_live { "on" } else { "off" };
        let page = html! {
            (DOCTYPE)
            html lang="en" data-change=(change) data-live=(live) {
                (head(&self.title))
                body {
                    a class="skip" href="#main" { "Skip to the page" }
                    header class="top" {
                        a class="mark" href="/" { "memfile" }
                        nav aria-label="Pages" {
                            @for (address, name) in PAGES {
                                a href=(address) aria-current=[(address == self.place).then_some("page")] { (name) }
                            }
                        }
                        span class="state" id="state" role="status" data-quiet=(mode(site)) { (mode(site)) }
                    }
                    main id="main" tabindex="-1" { (self.body) }
                }
            }
        };
        (self.status, [(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"))], page.into_string()).into_response()
    }
}

fn mode(site: &Site) -> &'static str {
    if site.write { "can write" } else { "read-only" }
}

/// A page for those who may not see any, or who ask for none that there is.
pub(super) fn refusal(status: StatusCode, why: &str) -> Response {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head(reason(status)))
            body {
                header class="top" { span class="mark" { "memfile" } }
                main id="main" {
                    div class="empty" {
                        h1 { (reason(status)) }
                        p { (why) }
                        p { a href="/" { "To the board" } }
                    }
                }
            }
        }
    };
    (status, [(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"))], page.into_string()).into_response()
}

fn head(title: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            title { (super::shown::text(title)) " · memfile" }
            link rel="stylesheet" href="/assets/style.css";
            link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
            script src="/assets/app.js" defer {}
        }
    }
}

fn reason(status: StatusCode) -> &'static str {
    match status {
        StatusCode::FORBIDDEN => "Not allowed",
        StatusCode::NOT_FOUND => "Not found",
        StatusCode::CONFLICT => "Nothing was written",
        StatusCode::PAYLOAD_TOO_LARGE => "Too much",
        StatusCode::INTERNAL_SERVER_ERROR => "This did not work",
        _ => "Not understood",
    }
}
