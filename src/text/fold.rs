//! Normal forms: when two keys are one key, and two values one value (SPEC 3).

use super::without_hidden;
use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;

/// A parameter or subject for comparison: NFKC, case folded, markup removed, blanks folded.
///
/// ```
/// assert_eq!(memfile::text::fold_key("**Main  Sales** `channel`"), "main sales channel");
/// ```
pub fn fold_key(text: &str) -> String {
    let mut out = String::new();
    fold_key_into(text, &mut out);
    out
}

/// As [`fold_key`], in the place of what `out` held.
pub(crate) fn fold_key_into(text: &str, out: &mut String) {
    out.clear();
    match plain(text) {
        Some(text) => {
            out.push_str(text);
            out.make_ascii_lowercase();
        }
        None => out.push_str(&fold_blanks(&fold_case(&strip_markup(&without_hidden(text))))),
    }
}

/// True where the two have one [`fold_key`].
pub(crate) fn is_same_key(a: &str, b: &str) -> bool {
    match (plain(a), plain(b)) {
        (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
        _ => a == b || fold_key(a) == fold_key(b),
    }
}

/// A value for comparison: like a key, and without a closing full stop, thousands separators, quote style
/// and the leading zero of a time of day.
///
/// ```
/// use memfile::text::fold_value;
/// assert_eq!(fold_value("`9,900 req/min`."), fold_value("9900 req/min"));
/// assert_ne!(fold_value("C++"), fold_value("C#"));
/// ```
pub fn fold_value(text: &str) -> String {
    let mut out = String::new();
    fold_value_into(text, &mut out);
    out
}

/// As [`fold_value`], in the place of what `out` held.
pub(crate) fn fold_value_into(text: &str, out: &mut String) {
    fold_key_into(text, out);
    *out = fold_numbers(fold_quotes(std::mem::take(out)));
    let stop = out.strip_suffix('.').or_else(|| out.strip_suffix('。'));
    if let Some(rest) = stop.filter(|rest| !rest.is_empty() && !rest.ends_with(['.', '。'])) {
        out.truncate(rest.trim_end().len());
    }
}

/// The text without outer blanks, where it has no markup in it, ASCII and single spaces only: case is all there is to fold.
fn plain(text: &str) -> Option<&str> {
    const BLANK: u8 = 1;
    const ODD: u8 = 2;
    const KINDS: [u8; 256] = {
        let mut kinds = [ODD; 256];
        let mut byte = b' ';
        while byte < 0x80 {
            kinds[byte as usize] = match byte {
                b' ' => BLANK,
                b'*' | b'_' | b'`' | b'~' | b'\\' => ODD,
                _ => 0,
            };
            byte += 1;
        }
        kinds
    };
    let text = text.trim_ascii();
    // A value that is code as a whole.
    let code = text.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')).filter(|inner| !inner.is_empty());
    let text = code.map_or(text, str::trim_ascii);
    // No early return: most texts are plain, and short.
    let (mut found, mut last) = (0, 0);
    for &byte in text.as_bytes() {
        let kind = KINDS[usize::from(byte)];
        found |= kind & (last | ODD);
        last = kind;
    }
    (found == 0).then_some(text)
}

/// A heading for comparison: like a key, and without emoji, numbering and closing punctuation.
///
/// ```
/// assert_eq!(memfile::text::fold_heading("3. 🧠 PROJECT FACTS:"), "project facts");
/// ```
pub fn fold_heading(text: &str) -> String {
    let folded = fold_key(text);
    let mut rest = folded.trim_matches(|c: char| !c.is_alphanumeric());
    while let Some((word, behind)) = rest.split_once(' ') {
        let number = word.starts_with(|c: char| c.is_ascii_digit()) && word.chars().all(|c| c.is_ascii_digit() || ".)-:".contains(c));
        if !number {
            break;
        }
        rest = behind.trim_start_matches(|c: char| !c.is_alphanumeric());
    }
    rest.to_owned()
}

/// A piece of a key between the stars of a glob: folded like a key, with its outer blanks kept as they are.
pub(crate) fn fold_key_part(text: &str) -> String {
    fold_case(text)
}

/// NFKC and full case folding; ASCII on the fast path.
fn fold_case(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let folded = caseless::default_case_fold_str(&text.nfkc().collect::<String>());
    folded.nfkc().collect()
}

/// Runs of blanks become one space; none at the ends.
pub(crate) fn fold_blanks(text: &str) -> Cow<'_, str> {
    let mut last = b' ';
    let folded = text.bytes().all(|byte| {
        let is_plain = byte.is_ascii_graphic() || (byte == b' ' && last != b' ');
        last = byte;
        is_plain
    });
    if folded && (last != b' ' || text.is_empty()) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out.into()
}

/// Open runs of marks among which the one that a run closes is looked for. A hostile text may open thousands.
const DEEPEST: usize = 64;

/// Takes out the marks of emphasis, strike-through and code, and backslash escapes. Only marks that stand in pairs go:
/// `*.md` keeps its star, `a_b` its bar.
pub(crate) fn strip_markup(text: &str) -> Cow<'_, str> {
    if memchr::memchr3(b'*', b'_', b'`', text.as_bytes()).is_none() && memchr::memchr2(b'~', b'\\', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let mut dead = vec![false; bytes.len()];
    let mut open: Vec<(u8, usize, usize)> = Vec::new(); // mark, length, offset of a run that may open
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        match byte {
            b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) => {
                dead[at] = true;
                at += 2;
            }
            b'`' => {
                let run = run_len(bytes, at);
                let Some(close) = find_run(bytes, at + run, run) else {
                    at += run;
                    continue;
                };
                dead[at..at + run].fill(true);
                dead[close..close + run].fill(true);
                at = close + run;
            }
            b'*' | b'_' | b'~' => {
                let run = run_len(bytes, at);
                let before = text[..at].chars().next_back();
                let after = text[at + run..].chars().next();
                let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
                let blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
                let inside_word = byte == b'_' && word(before) && word(after);
                let may_close = !blank(before) && !inside_word;
                let may_open = !blank(after) && !inside_word && (byte != b'~' || run == 2);
                let near = open.len().saturating_sub(DEEPEST);
                let opener = open[near..].iter().rposition(|&(mark, len, _)| mark == byte && len == run).map(|idx| near + idx);
                match opener {
                    Some(idx) if may_close => {
                        let (_, _, start) = open[idx];
                        dead[start..start + run].fill(true);
                        dead[at..at + run].fill(true);
                        open.truncate(idx);
                    }
                    _ if may_open => open.push((byte, run, at)),
                    _ => {}
                }
                at += run;
            }
            _ => at += 1,
        }
    }
    let kept: Vec<u8> = bytes.iter().zip(&dead).filter(|&(_, &gone)| !gone).map(|(&byte, _)| byte).collect();
    String::from_utf8(kept).map_or(Cow::Borrowed(text), Cow::Owned)
}

fn run_len(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().take_while(|&&byte| byte == bytes[at]).count()
}

/// The next run of exactly `len` backticks at or behind `from`.
fn find_run(bytes: &[u8], from: usize, len: usize) -> Option<usize> {
    let mut at = from;
    while let Some(found) = memchr::memchr(b'`', bytes.get(at..)?) {
        let run = run_len(bytes, at + found);
        if run == len {
            return Some(at + found);
        }
        at += found + run;
    }
    None
}

fn fold_quotes(text: String) -> String {
    if text.is_ascii() {
        return text;
    }
    let fold = |c| match c {
        '“' | '”' | '„' | '‟' | '«' | '»' => '"',
        '‘' | '’' | '‚' | '‛' | '‹' | '›' => '\'',
        _ => c,
    };
    text.chars().map(fold).collect()
}

/// True where the middle one of three bytes may separate digits.
fn may_join(three: &[u8]) -> bool {
    let separates = matches!(three[1], b',' | b' ' | b'\'' | b':');
    separates && three[0].is_ascii_digit() && three[2].is_ascii_digit()
}

/// `9,900` and `9 900` become `9900`, `09:45` becomes `9:45`.
fn fold_numbers(text: String) -> String {
    let bytes = text.as_bytes();
    if !bytes.windows(3).any(may_join) {
        return text;
    }
    let mut out = Vec::with_capacity(bytes.len());
    let digits = |at: usize| bytes[at.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut at = 0;
    while at < bytes.len() {
        let starts_number = bytes[at].is_ascii_digit() && (at == 0 || !joins_number(bytes[at - 1]));
        if !starts_number {
            out.push(bytes[at]);
            at += 1;
            continue;
        }
        let mut run = digits(at);
        if run == 2 && bytes[at] == b'0' && bytes.get(at + 2) == Some(&b':') && digits(at + 3) == 2 {
            at += 1;
            run = 1;
        }
        out.extend_from_slice(&bytes[at..at + run]);
        at += run;
        while run <= 3 && matches!(bytes.get(at), Some(b',' | b' ' | b'\'')) && digits(at + 1) == 3 {
            out.extend_from_slice(&bytes[at + 1..at + 4]);
            at += 4;
        }
    }
    String::from_utf8(out).unwrap_or(text)
}

/// A digit behind one of these continues a number, a version or a word; separators are not looked for in it.
fn joins_number(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b',' | b'_' | b':' | b'-' | b'/') || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys() {
        for (a, b) in [("Ｍain  Sales", "main sales"), ("**DB** `url`", "db url"), ("_Порт_", "порт"), ("Straße", "STRASSE")] {
            assert_eq!(fold_key(a), fold_key(b));
        }
        assert_eq!(fold_key("DB_URL"), "db_url");
        assert_eq!([fold_key("`a` x `b`"), fold_key("x ``a`b``")], ["a x b", "x a`b"]);
        for marks in ["a ` b", "**a* b", "*a *b", "a_b_c", "a\\ b"] {
            assert_eq!(fold_key(marks), marks);
        }
        assert_eq!([fold_key("`a` x ` b"), fold_key("a*b*c"), fold_key("**a *b* c**")], ["a x ` b", "abc", "a b c"]);
        assert_eq!([fold_key("``"), fold_key("Main  sales")], ["``", "main sales"]);
        assert!(is_same_key("**DB**  url", "db url") && is_same_key("DB", "db") && !is_same_key("**DB**", "dbs"));
        // Tag characters belong to a flag only.
        assert_eq!(fold_key("x\u{e0067}\u{e0062}"), "x");
        assert_ne!(fold_key("🏴\u{e0067}\u{e007f}"), "🏴");
        // A joiner is seen only between letters or pictures that it joins.
        assert_eq!([fold_key("a\u{200d}é"), fold_key("é\u{200d}a")], ["aé", "éa"]);
        assert_ne!(fold_key("👩\u{200d}💻"), fold_key("👩💻"));
    }

    #[test]
    fn blanks() {
        for blank in ["a\tb", "a\nb", " a b", "a b ", "a  b"] {
            assert_eq!(fold_blanks(blank), fold_blanks(blank).split_whitespace().collect::<Vec<_>>().join(" "), "{blank:?}");
        }
        assert!(matches!(fold_blanks("a b"), Cow::Borrowed("a b")) && fold_blanks(" \n").is_empty());
    }

    #[test]
    fn headings() {
        for (heading, folded) in
            [("3. Project facts:", "project facts"), ("3. – (Facts)", "facts"), ("3D printers", "3d printers"), ("🧠 Facts", "facts")]
        {
            assert_eq!(fold_heading(heading), folded);
        }
    }

    #[test]
    fn equal_values() {
        for (a, b) in [
            ("9,900 req/min", "`9900 req/min`."),
            ("\"ship it\"", "“Ship it”"),
            ("'ship it'", "‘Ship it’"),
            ("1\u{a0}200\u{202f}500", "1,200,500"),
            ("09:45", "9:45"),
            ("up to 9,900", "up to 9900"),
            ("e \\| f", "e | f"),
            ("~~x~~", "x"),
        ] {
            assert_eq!(fold_value(a), fold_value(b), "{a} {b}");
        }
    }

    #[test]
    fn different_values() {
        for (a, b) in [
            ("C", "C++"),
            ("C#", "C++"),
            ("*.md", ".md"),
            ("1.5", "15"),
            ("38,20", "3820"),
            ("a_b", "ab"),
            ("...", ""),
            ("v1,000", "v1000"),
            ("2 * 3", "2 3"),
            ("2 * 3*", "2 3"),
            ("~5~", "5"),
            ("5` pipe", "5 pipe"),
            (".", ""),
            ("。", ""),
            ("12:30", "2:30"),
            ("12 boats at 9:30", "2 boats at 9:30"),
            ("09:5", "9:5"),
            ("12345,678", "12345678"),
            ("1,200 of 5/678", "1200 of 5678"),
            ("é9,900", "é9900"),
        ] {
            assert_ne!(fold_value(a), fold_value(b), "{a} {b}");
        }
    }
}
