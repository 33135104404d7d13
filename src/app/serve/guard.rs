//! Who may ask: this machine's own browser, with the key of this run, and from these pages.
//!
//! In: the head of a request. Out: a verdict. Pure but for the random numbers, so that every refusal has a test.
//!
//! - Host must name this server: a foreign name that resolves to 127.0.0.1 (DNS rebinding) is refused.
//! - The key of the run, in the address that was printed, becomes a cookie; without that cookie nothing but the stylesheet is given.
//!   Cookies know no ports, so its name holds the port.
//! - What is sent (POST) must come from these pages: Origin is there and is this server, and `Sec-Fetch-Site`, where a browser
//!   says it, is `same-origin`. What is asked from elsewhere has no cookie (`SameSite=Strict`).

use super::site::hex;
use axum::http::header::{COOKIE, HOST, HeaderName, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, Method, Uri};
use std::net::SocketAddr;

/// The one file that is given to anyone who names the right host: it makes refusals readable, and says nothing.
pub(super) const STYLE: &str = "/assets/style.css";

/// The headers of every answer.
const HEADERS: [(&str, &str); 9] = [
    (
        "content-security-policy",
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; \
         frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    // With `no-referrer` browsers send `Origin: null` from forms; nothing leaves this origin with either.
    ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=(), clipboard-read=()"),
    ("cache-control", "no-store"),
];

/// What becomes of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// It is answered.
    Pass,
    /// It has the key: it gets this cookie, and goes on without the key in the address.
    Welcome(String),
    /// It is refused, for this reason.
    Refused(&'static str),
}

/// The keys of one run.
#[derive(Debug)]
pub(super) struct Gate {
    address: SocketAddr,
    token: String,
    session: String,
}

impl Gate {
    /// New keys for a server at `address`.
    ///
    /// # Errors
    /// A system without random numbers.
    pub(super) fn new(address: SocketAddr) -> Result<Self, String> {
        Ok(Self { address, token: random()?, session: random()? })
    }

    /// The address with the key.
    pub(super) fn url(&self) -> String {
        format!("http://{}/?token={}", self.address, self.token)
    }

    fn cookie_name(&self) -> String {
        format!("memfile_{}", self.address.port())
    }

    /// Looks at the head of a request.
    pub(super) fn judge(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Verdict {
        let Some(host) = self.host(uri, headers) else {
            return Verdict::Refused("This address is not the server's own. Open the address that memfile serve printed.");
        };
        let reads = *method == Method::GET || *method == Method::HEAD;
        if let Some(token) = token(uri).filter(|_| reads && uri.path() == "/") {
            if !same(token, &self.token) {
                return Verdict::Refused("The key in this address is not that of this run. Open the address that memfile serve printed.");
            }
            let attributes = "Path=/; HttpOnly; SameSite=Strict";
            return Verdict::Welcome(format!("{}={}; {attributes}", self.cookie_name(), self.session));
        }
        if reads && uri.path() == STYLE {
            return Verdict::Pass;
        }
        if !self.knows(headers) {
            return Verdict::Refused("This browser has no key for this run. Open the address that memfile serve printed.");
        }
        let from = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let is_own = |origin: &str| origin.strip_prefix("http://").is_some_and(|own| own.eq_ignore_ascii_case(&host));
        let origin = from(ORIGIN);
        let site = from(HeaderName::from_static("sec-fetch-site"));
        let allowed = match reads {
            true => origin.is_none_or(is_own) && site != Some("cross-site"),
            false => origin.is_some_and(is_own) && site.is_none_or(|site| site == "same-origin"),
        };
        if allowed { Verdict::Pass } else { Verdict::Refused("This request does not come from these pages. Nothing was done.") }
    }

    /// The host that the request names, where it is this server.
    fn host(&self, uri: &Uri, headers: &HeaderMap) -> Option<String> {
        let mut named = headers.get_all(HOST).iter();
        let host = named.next()?.to_str().ok()?.to_ascii_lowercase();
        let port = self.address.port();
        let own = |name: &str| host == format!("{name}:{port}") || (port == 80 && host == name);
        let fits = named.next().is_none() && ["127.0.0.1", "localhost", "[::1]"].into_iter().any(own);
        let agrees = uri.authority().is_none_or(|authority| authority.as_str().eq_ignore_ascii_case(&host));
        (fits && agrees).then_some(host)
    }

    /// True where the request has the cookie.
    fn knows(&self, headers: &HeaderMap) -> bool {
        let name = self.cookie_name();
        let cookies = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(';'));
        let mut values = cookies.filter_map(|cookie| cookie.trim().split_once('=')).filter(|(key, _)| *key == name);
        values.any(|(_, value)| same(value, &self.session))
    }
}

/// Adds the headers of every answer.
pub(super) fn harden(headers: &mut HeaderMap) {
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
}

fn token(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// Compares in a time that does not depend on where two texts differ.
fn same(given: &str, own: &str) -> bool {
    let differ = given.bytes().zip(own.bytes()).fold(0_u8, |seen, (a, b)| std::hint::black_box(seen | (a ^ b)));
    differ == 0 && given.len() == own.len()
}

/// 128 random bits of the system's.
fn random() -> Result<String, String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|error| format!("the system gives no random numbers: {error}"))?;
    Ok(hex(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate() -> Gate {
        Gate { address: SocketAddr::from(([127, 0, 0, 1], 4321)), token: "aa11".into(), session: "bb22".into() }
    }

    fn judge(method: Method, uri: &str, headers: &[(&'static str, &str)]) -> Verdict {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().expect("a header"));
        }
        gate().judge(&method, &uri.parse().expect("an address"), &map)
    }

    const HOST_: (&str, &str) = ("host", "127.0.0.1:4321");
    const KEY: (&str, &str) = ("cookie", "other=1; memfile_4321=bb22");

    #[test]
    fn the_key_becomes_a_cookie_and_only_the_right_one() {
        let welcome = Verdict::Welcome("memfile_4321=bb22; Path=/; HttpOnly; SameSite=Strict".to_owned());
        assert_eq!(judge(Method::GET, "/?token=aa11", &[HOST_]), welcome);
        for uri in ["/?token=aa12", "/?token=", "/?token=aa1", "/?token=aa111", "/", "/findings?token=aa11"] {
            assert!(matches!(judge(Method::GET, uri, &[HOST_]), Verdict::Refused(_)), "{uri}");
        }
        assert!(matches!(judge(Method::POST, "/?token=aa11", &[HOST_]), Verdict::Refused(_)));
    }

    #[test]
    fn a_foreign_host_is_refused_whatever_it_knows() {
        assert_eq!(judge(Method::GET, "/", &[HOST_, KEY]), Verdict::Pass);
        assert_eq!(judge(Method::GET, "/", &[("host", "LOCALHOST:4321"), KEY]), Verdict::Pass);
        for host in ["evil.example:4321", "127.0.0.1", "127.0.0.1:4322", "127.0.0.1:4321.evil.example", ""] {
            assert!(matches!(judge(Method::GET, "/", &[("host", host), KEY]), Verdict::Refused(_)), "{host}");
        }
        assert!(matches!(judge(Method::GET, "/", &[KEY]), Verdict::Refused(_)));
        assert!(matches!(judge(Method::GET, "/", &[HOST_, HOST_, KEY]), Verdict::Refused(_)));
        assert!(matches!(judge(Method::GET, "http://evil.example/", &[HOST_, KEY]), Verdict::Refused(_)));
    }

    #[test]
    fn what_is_sent_must_come_from_these_pages() {
        let own = ("origin", "http://127.0.0.1:4321");
        assert_eq!(judge(Method::POST, "/apply", &[HOST_, KEY, own]), Verdict::Pass);
        assert_eq!(judge(Method::POST, "/apply", &[HOST_, KEY, own, ("sec-fetch-site", "same-origin")]), Verdict::Pass);
        let refused: [&[(&str, &str)]; 6] = [
            &[HOST_, KEY],
            &[HOST_, own],
            &[HOST_, KEY, ("origin", "null")],
            &[HOST_, KEY, ("origin", "http://127.0.0.1:8080")],
            &[HOST_, KEY, ("origin", "https://127.0.0.1:4321")],
            &[HOST_, KEY, own, ("sec-fetch-site", "same-site")],
        ];
        for headers in refused {
            assert!(matches!(judge(Method::POST, "/apply", headers), Verdict::Refused(_)), "{headers:?}");
        }
        assert!(matches!(judge(Method::GET, "/", &[HOST_, KEY, ("origin", "http://evil.example")]), Verdict::Refused(_)));
    }

    #[test]
    fn keys_are_new_in_each_run() {
        let address = SocketAddr::from(([127, 0, 0, 1], 1));
        let (one, two) = (Gate::new(address).expect("random"), Gate::new(address).expect("random"));
        assert!(one.token != two.token && one.session != two.session && one.token != one.session);
        assert_eq!(one.token.len(), 32);
    }
}
