//! Which page an address means. Pages are made on threads that may wait for disk and git; this one only hands out.

use super::guard::{STYLE, Verdict, harden};
use super::live;
use super::pages::{self, Asked};
use super::shell::{Answer, refusal};
use super::site::Site;
use axum::Router;
use axum::extract::rejection::FormRejection;
use axum::extract::{DefaultBodyLimit, Form, Path, Query, Request, State};
use axum::http::header::{CONTENT_TYPE, LOCATION, SET_COOKIE};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most that a form may hold, in bytes: a pasted file and its text before, with every character escaped.
const LIMIT: usize = 2 << 20;

const CSS: &str = include_str!("assets/style.css");
const JS: &str = include_str!("assets/app.js");
const ICON: &str = include_str!("assets/icon.svg");

type Fields = BTreeMap<String, String>;

/// The routes, behind the guard.
pub(super) fn router(site: &Arc<Site>) -> Router {
    Router::new()
        .route("/", page(pages::board))
        .route("/days", page(pages::days))
        .route("/compare", page(pages::compare))
        .route("/findings", page(pages::findings))
        .route("/journal", page(pages::journal))
        .route("/playground", page(pages::playground).merge(send(pages::played)))
        .route("/apply", send(pages::apply))
        .route("/fact/{file}/{fact}", get(fact))
        .route("/rule/{name}", get(rule))
        .route("/events", get(live::events))
        .route(STYLE, get(|| async { asset("text/css; charset=utf-8", CSS) }))
        .route("/assets/app.js", get(|| async { asset("text/javascript; charset=utf-8", JS) }))
        .route("/assets/icon.svg", get(|| async { asset("image/svg+xml", ICON) }))
        .fallback(|| async { refusal(StatusCode::NOT_FOUND, "There is no such page.") })
        .method_not_allowed_fallback(|| async { refusal(StatusCode::METHOD_NOT_ALLOWED, "This page is not asked in this way.") })
        .layer(DefaultBodyLimit::max(LIMIT))
        .layer(from_fn_with_state(Arc::clone(site), guard))
        .with_state(Arc::clone(site))
}

async fn guard(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let mut response = match site.gate.judge(request.method(), request.uri(), request.headers()) {
        Verdict::Pass => next.run(request).await,
        Verdict::Welcome(cookie) => match HeaderValue::from_str(&cookie) {
            Ok(cookie) => (StatusCode::SEE_OTHER, [(LOCATION, HeaderValue::from_static("/")), (SET_COOKIE, cookie)]).into_response(),
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        },
        Verdict::Refused(why) => refusal(StatusCode::FORBIDDEN, why),
    };
    harden(response.headers_mut());
    response
}

/// A page that is asked for with the fields of its address.
fn page(make: fn(&Site, &Asked) -> Answer) -> MethodRouter<Arc<Site>> {
    get(move |State(site): State<Arc<Site>>, Query(fields): Query<Fields>| made(site, Asked::new(fields), make))
}

/// A page that is made of what was sent.
fn send(make: fn(&Site, &Asked) -> Answer) -> MethodRouter<Arc<Site>> {
    post(move |State(site): State<Arc<Site>>, form: Result<Form<Fields>, FormRejection>| async move {
        match form {
            Ok(Form(fields)) => made(site, Asked::new(fields), make).await,
            Err(error) if error.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                refusal(StatusCode::PAYLOAD_TOO_LARGE, "This is more than the inspector takes (2 MB).")
            }
            Err(error) => refusal(error.status(), "This is no form of these pages."),
        }
    })
}

async fn fact(State(site): State<Arc<Site>>, place: Result<Path<(usize, String)>, axum::extract::rejection::PathRejection>) -> Response {
    let Ok(Path((file, fact))) = place else { return refusal(StatusCode::NOT_FOUND, "There is no such fact.") };
    let fields = Fields::from([("file".to_owned(), file.to_string()), ("fact".to_owned(), fact)]);
    made(site, Asked::new(fields), pages::fact).await
}

async fn rule(State(site): State<Arc<Site>>, name: Result<Path<String>, axum::extract::rejection::PathRejection>) -> Response {
    let Ok(Path(name)) = name else { return refusal(StatusCode::NOT_FOUND, "There is no such rule.") };
    made(site, Asked::new(Fields::from([("rule".to_owned(), name)])), pages::rule).await
}

/// Makes a page where waiting is allowed.
async fn made(site: Arc<Site>, asked: Asked, make: fn(&Site, &Asked) -> Answer) -> Response {
    let change = *site.changes.borrow();
    let page = tokio::task::spawn_blocking(move || make(&site, &asked).respond(&site, change)).await;
    page.unwrap_or_else(|_| refusal(StatusCode::INTERNAL_SERVER_ERROR, "This page could not be made. That is a fault of memfile."))
}

fn asset(kind: &'static str, text: &'static str) -> impl IntoResponse {
    ([(CONTENT_TYPE, kind)], text)
}
