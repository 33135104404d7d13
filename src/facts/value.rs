//! Values: on one line, cut for a tag, and whether they should be shown at all.

use crate::text::{TextRange, fold_blanks};
use std::borrow::Cow;

/// Longest VALUE in a tag, in characters (SPEC 5).
const TAG_VALUE: usize = 80;

/// A value as written, on one line.
pub fn one_line(text: &str) -> Cow<'_, str> {
    if memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_some() { fold_blanks(text) } else { text.into() }
}

/// The VALUE of a tag: one line, at most 80 characters, the last one `…` if cut; `[redacted]` for what looks like a secret.
/// In a pipe record or a table (`cells`) a bar that would separate is escaped.
pub fn tag_value(value: &str, cells: bool) -> Cow<'_, str> {
    if is_secret(value) { "[redacted]".into() } else { tag_value_of(value, cells) }
}

/// The VALUE of a tag, of a value that looks like no secret.
pub(crate) fn tag_value_of(value: &str, cells: bool) -> Cow<'_, str> {
    let mut line = one_line(value);
    if line.len() > TAG_VALUE
        && let Some((end, _)) = line.char_indices().nth(TAG_VALUE - 1)
        && line[end..].chars().nth(1).is_some()
    {
        line = [line[..end].trim_end(), "…"].concat().into();
    }
    if cells && line.contains('|') { escape_bars(&line).into() } else { line }
}

/// True where a bar of `value` would separate cells: one with a blank beside it, as the words of a tag put beside its first and last.
pub(crate) fn has_separator(value: &str) -> bool {
    let bytes = value.as_bytes();
    let blank = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_none_or(u8::is_ascii_whitespace);
    memchr::memchr_iter(b'|', bytes).any(|at| blank(at.checked_sub(1)) || blank(Some(at + 1)))
}

/// Escapes bars that stand in no code span.
pub(crate) fn escape_bars(value: &str) -> String {
    let mut out = String::with_capacity(value.len() + 4);
    let mut code_end = 0;
    let mut before = ' ';
    for (at, c) in value.char_indices() {
        if c == '`' && !matches!(before, '`' | '\\') && at >= code_end {
            // A cut may have left a code span open; then nothing in it protects.
            code_end = end_of_code(value, at).unwrap_or(code_end);
        }
        if c == '|' && at >= code_end && before != '\\' {
            out.push('\\');
        }
        out.push(c);
        // What a backslash escapes begins nothing, and escapes nothing.
        before = if before == '\\' { ' ' } else { c };
    }
    out
}

/// Where the code span ends whose run of backticks begins at `start`: behind the next run of the same length.
fn end_of_code(value: &str, start: usize) -> Option<usize> {
    let run = |at: usize| value[at..].bytes().take_while(|&byte| byte == b'`').count();
    let len = run(start);
    let mut at = start + len;
    while let Some(next) = value[at..].find('`').map(|found| at + found) {
        let found = run(next);
        if found == len {
            return Some(next + found);
        }
        at = next + found;
    }
    None
}

/// True for what looks like a secret: a token with a known prefix, a private key, or a long mixed string under no name of its own.
/// Such a value is never put back, quoted or journaled. Commit ids, paths, and words about where a secret is kept are none.
pub fn is_secret(value: &str) -> bool {
    if value.len() < 16 || is_plain(value) {
        return false;
    }
    if value.contains("PRIVATE KEY-----") || has_password(value) {
        return true;
    }
    value.split(|c: char| !u8::try_from(c).is_ok_and(is_of_token)).any(token)
}

/// Shorter tokens are no secrets.
const TOKEN: usize = 20;

/// True where no token is long enough, and where neither an address nor the frame of a key can stand.
fn is_plain(value: &str) -> bool {
    let (mut run, mut last) = (0, 0);
    value.bytes().all(|byte| {
        run = if is_of_token(byte) { run + 1 } else { 0 };
        let is_doubled = byte == last && matches!(byte, b'/' | b'-');
        last = byte;
        run < TOKEN && !is_doubled
    })
}

fn is_of_token(byte: u8) -> bool {
    static OF_TOKEN: [bool; 256] = {
        let (mut of_token, mut byte) = ([false; 256], 0);
        while byte < of_token.len() {
            let own = byte as u8;
            of_token[byte] = own.is_ascii_alphanumeric() || matches!(own, b'_' | b'-' | b'.' | b'/' | b'+' | b'=' | b'~' | b':');
            byte += 1;
        }
        of_token
    };
    OF_TOKEN[usize::from(byte)]
}

/// `scheme://user:password@host`
fn has_password(value: &str) -> bool {
    value.match_indices("://").any(|(at, _)| {
        let rest = &value[at + 3..];
        let authority = &rest[..rest.find(['/', ' ', '?', '#']).unwrap_or(rest.len())];
        let password = authority.split_once('@').and_then(|(user, _)| user.split_once(':')).map(|(_, password)| password);
        password.is_some_and(|password| password.len() >= 6 && !password.contains(['<', '{', '$', '*']) && password != "password")
    })
}

/// Known prefixes of credentials and the least length of the whole.
const PREFIXES: [(&str, usize); 22] = [
    ("ghp_", 20),
    ("gho_", 20),
    ("ghu_", 20),
    ("ghs_", 20),
    ("ghr_", 20),
    ("github_pat_", 30),
    ("glpat-", 20),
    ("sk-", 24),
    ("sk_live_", 20),
    ("sk_test_", 20),
    ("rk_live_", 20),
    ("pk_live_", 20),
    ("xoxb-", 20),
    ("xoxp-", 20),
    ("xoxa-", 20),
    ("xapp-", 20),
    ("AKIA", 20),
    ("ASIA", 20),
    ("AIza", 35),
    ("npm_", 30),
    ("pypi-", 30),
    ("hf_", 30),
];

fn token(token: &str) -> bool {
    let token = token.trim_matches(['.', ':', '-', '=', '/']);
    if token.len() < TOKEN {
        return false;
    }
    if PREFIXES.iter().any(|(prefix, least)| token.starts_with(prefix) && token.len() >= *least) && digits(token) > 0 {
        return true;
    }
    // Three dotted base64 parts: a JSON web token.
    if token.starts_with("eyJ") && token.matches('.').count() == 2 {
        return true;
    }
    let plain = token.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'=' | b'_' | b'-'));
    let hex = token.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    let upper = token.bytes().filter(u8::is_ascii_uppercase).count();
    let lower = token.bytes().filter(u8::is_ascii_lowercase).count();
    plain && !hex && token.len() >= 32 && digits(token) >= 4 && upper >= 4 && lower >= 4 && changes(token) * 4 >= token.len()
}

fn digits(token: &str) -> usize {
    token.bytes().filter(u8::is_ascii_digit).count()
}

/// How often the kind of character changes: random strings change all the time, names of things do not.
fn changes(token: &str) -> usize {
    let kind = |byte: u8| (byte.is_ascii_digit(), byte.is_ascii_uppercase());
    token.as_bytes().windows(2).filter(|pair| kind(pair[0]) != kind(pair[1])).count()
}

/// The range's text on one line.
pub(crate) fn line_of(text: &str, range: TextRange) -> Cow<'_, str> {
    one_line(range.of(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_cut_at_eighty_characters() {
        let exact = "ä".repeat(80);
        assert_eq!(tag_value(&exact, false), exact);
        let long = "ä".repeat(81);
        assert_eq!(tag_value(&long, false).chars().count(), 80);
        assert!(tag_value(&long, false).ends_with('…'));
        assert_eq!(tag_value("a\n  b", false), "a b");
    }

    #[test]
    fn bars_are_escaped_outside_code() {
        assert_eq!(tag_value("a | b `c|d` \\|", true), "a \\| b `c|d` \\|");
        assert_eq!(tag_value("a | b", false), "a | b");
        assert_eq!(tag_value("`a` | `b`", true), "`a` \\| `b`");
        // A backslash behind a backslash escapes nothing.
        assert_eq!(tag_value(r"a \\| b", true), r"a \\\| b");
        // A backtick that is escaped begins no code, and none of two closes the one behind it.
        assert_eq!(tag_value(r"\``a | b\``", true), r"\``a \| b\``");
        // Two backticks that nothing closes begin no code, nor does the second of them.
        assert_eq!(tag_value("``a | b`", true), "``a \\| b`");
    }

    #[test]
    fn a_bar_separates_beside_a_blank() {
        assert_eq!(["a | b", "a|\u{c}b", "|a", "a|"].map(has_separator), [true; 4]);
        assert_eq!(["a|b", "a||b", "ab"].map(has_separator), [false; 3]);
    }

    #[test]
    fn secrets() {
        for value in [
            "ghp_x7Kq2Vd9Lm4Rt8Wz3Bn6Yp1Hc5Jf0Gs2Qa7E",
            "AKIAIOSFODNN7EXAMPL3",
            "postgres://app:s3cr3tpw@db.internal/x",
            "x7Kq2Vd9Lm4Rt8Wz3Bn6Yp1Hc5Jf0Gs2Qa7E",
            "-----BEGIN RSA PRIVATE KEY-----",
            "pg://u:123456@hh",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
            "Kqv2Vdm9Lmt4Rtw8Wzn3Bny6Ypc1Hcf5Jfs0",
        ] {
            assert!(is_secret(value), "{value}");
        }
        for value in [
            "stored in the vault",
            "3f786850e387550fdab836ed7e6dc881de23001b",
            "~/.ssh/id_ed25519.pub",
            "a://b:123456@c",
            "postgres://localhost/app",
            "postgres://app:x@db.internal/x",
            "postgres://app:password@db.internal/x",
            "postgres://app:<password>@db.internal/x",
            "3F786850E387550FDAb836ed7e6dc881de23001b",
            "eyJhbGciOiJIUzI1NiJ9 begins a token",
            "https://example.org/a/very/long/path/with/Many/Parts/2026",
            "blue/green on Fogbank, three replicas, rollback by tag",
            "sk-learn is used for all of the models",
            "sk-learn-is-used-for-all-of-the-models",
            "arn:aws:iam::123456789012:role/DeployRole",
        ] {
            assert!(!is_secret(value), "{value}");
        }
    }
}
