//! URIs of documents: what an editor sends comes in, a path on disk and a URI that is valid go out.
//!
//! Editors differ in what they encode (`c%3A`, blanks, letters beyond ASCII), so nothing is refused: what is no path of this machine is a
//! document without a file, like `untitled:`.

use lsp_types::Uri;
use std::path::PathBuf;
use std::str::FromStr;

/// One name for all spellings of a URI.
pub(super) fn key(uri: &str) -> String {
    String::from_utf8_lossy(&decoded(uri)).into_owned()
}

/// The path that a `file:` URI names; `None` for other schemes and other machines.
pub(super) fn path(uri: &str) -> Option<PathBuf> {
    let (scheme, rest) = uri.split_once(':')?;
    if !scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    let encoded = match rest.strip_prefix("//") {
        Some(rest) => {
            let (host, _) = rest.split_once('/')?;
            if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
                return None;
            }
            &rest[host.len()..]
        }
        None => rest,
    };
    let bytes = decoded(encoded);
    if bytes.contains(&0) || bytes.first() != Some(&b'/') {
        return None;
    }
    #[cfg(unix)]
    let path = PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes));
    #[cfg(not(unix))]
    let path = PathBuf::from(with_drive(&String::from_utf8_lossy(&bytes)));
    Some(path)
}

/// `/c:/x` is `c:/x` where drives have letters.
#[cfg(any(not(unix), test))]
fn with_drive(path: &str) -> &str {
    let bare = path.strip_prefix('/').unwrap_or(path);
    let has_drive = bare.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) && bare[1..].starts_with(':');
    if has_drive { bare } else { path }
}

/// The URI as a type that answers carry: as it came where it is valid, else with what must be encoded encoded.
pub(super) fn wire(uri: &str) -> Option<Uri> {
    Uri::from_str(uri).or_else(|_| Uri::from_str(&encoded(uri))).ok()
}

fn decoded(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match escape(&bytes[at..]) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    out
}

/// The byte that `%XX` at the start of `bytes` stands for.
fn escape(bytes: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = bytes else { return None };
    let digit = |byte: &u8| (*byte as char).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

/// Encodes what RFC 3986 has no place for.
fn encoded(uri: &str) -> String {
    let mut out = String::with_capacity(uri.len() + 16);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#@!$&'()*+,;=".contains(&byte);
    for (at, byte) in uri.bytes().enumerate() {
        if is_plain(byte) || escape(&uri.as_bytes()[at..]).is_some() {
            out.push(byte as char);
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn paths_are_found_in_all_spellings() {
        let is = |uri: &str, want: Option<&str>| assert_eq!(path(uri), want.map(PathBuf::from), "{uri}");
        is("file:///a/AGENTS.md", Some("/a/AGENTS.md"));
        is("FILE://localhost/a%20b/%D0%9F%d0%B0.md", Some("/a b/Па.md"));
        is("file:///a b/Па.md", Some("/a b/Па.md"));
        is("file:///100%/%zz.md", Some("/100%/%zz.md"));
        is("file:/a.md", Some("/a.md"));
        is("file:///c%3A/Users/x/AGENTS.md", Some("/c:/Users/x/AGENTS.md"));
        is("file://server/share/AGENTS.md", None);
        is("untitled:Untitled-1", None);
        is("file:///a%00b", None);
        is("file:", None);
        is("file://", None);
        is("AGENTS.md", None);
        is("", None);
    }

    #[test]
    fn drives_have_letters_on_some_systems() {
        assert_eq!(with_drive("/c:/Users/x"), "c:/Users/x");
        assert_eq!(with_drive("/code/x"), "/code/x");
        assert_eq!(with_drive("/"), "/");
    }

    #[test]
    fn one_document_has_one_name_and_a_valid_uri() {
        assert_eq!(key("file:///c%3A/a%20b.md"), key("file:///c:/a b.md"));
        let valid = |uri: &str| wire(uri).map(|uri| uri.as_str().to_owned());
        assert_eq!(valid("file:///a%20b.md").as_deref(), Some("file:///a%20b.md"));
        assert_eq!(valid("file:///a b/Я[1]%.md").as_deref(), Some("file:///a%20b/%D0%AF%5B1%5D%25.md"));
        assert_eq!(valid("untitled:Untitled-1").as_deref(), Some("untitled:Untitled-1"));
    }
}
