//! Visible forms: what stands in a file must neither steer the terminal that shows it nor hide in it.

use crate::text::signs;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;

/// `text` with each control, bidi and zero-width character but tab and newline written out: `\u{202e}`.
///
/// ```
/// assert_eq!(memfile::report::visible("\u{1b}[2J"), "\\u{1b}[2J");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    spell(text, |c| is_hidden(c) && c != '\n' && c != '\t')
}

/// `text` as one line: line breaks and tabs become a space, the rest is [`visible`].
pub(super) fn one_line(text: &str) -> Cow<'_, str> {
    if is_plain(text.as_bytes()) {
        return Cow::Borrowed(text);
    }
    let broken = |c| matches!(c, '\n' | '\r' | '\t');
    if !text.contains(broken) {
        return spell(text, is_hidden);
    }
    let words: Vec<_> = text.split(broken).filter(|word| !word.is_empty()).collect();
    Cow::Owned(spell(&words.join(" "), is_hidden).into_owned())
}

/// The name of a file, of which nothing may be folded away: a line break is spelled, too, as a line of its own could be a command
/// to what reads the log; and so is the colon that begins one, as names begin lines.
pub fn name(name: &str) -> Cow<'_, str> {
    let shown = spell(name, is_hidden);
    match no_command(&shown) {
        Cow::Borrowed(_) => shown,
        Cow::Owned(plain) => Cow::Owned(plain),
    }
}

/// What begins a workflow command where GitHub Actions reads the log, after any blanks.
const COMMAND: &str = "::";

/// Text for people in [`visible`] form, in which no line is a workflow command: what git or a file says stands in lines of its own.
///
/// ```
/// assert_eq!(memfile::report::talk("failed:\n ::stop-commands::x"), "failed:\n \\u{3a}:stop-commands::x");
/// ```
pub fn talk(text: &str) -> String {
    let shown = visible(text);
    if !shown.contains(COMMAND) {
        return shown.into_owned();
    }
    shown.split_inclusive('\n').map(no_command).collect()
}

/// `line`, which is [`visible`] already, with the colon spelled that would begin a command.
fn no_command(line: &str) -> Cow<'_, str> {
    match line.trim_start().strip_prefix(COMMAND) {
        Some(rest) => Cow::Owned(format!("{}\\u{{3a}}:{rest}", &line[..line.len() - COMMAND.len() - rest.len()])),
        None => Cow::Borrowed(line),
    }
}

/// A patch or a text as a terminal may show it: every line in [`visible`] form, without the `\r` of its end. What reads bytes, as
/// `git apply` does, gets them as they are: only a terminal is steered by them.
///
/// ```
/// assert_eq!(memfile::report::for_terminal("+- a\u{1b}[2J\r\n"), "+- a\\u{1b}[2J\n");
/// ```
pub fn for_terminal(text: &str) -> String {
    let line = |line: &str| match line.strip_suffix('\n') {
        Some(own) => format!("{}\n", visible(own.strip_suffix('\r').unwrap_or(own))),
        None => visible(line).into_owned(),
    };
    text.split_inclusive('\n').map(line).collect()
}

/// A value as one line of JSON that is harmless in a terminal.
pub fn json_line(value: &serde_json::Value) -> String {
    json(value.to_string()) + "\n"
}

/// Adds `c` to `out` as [`visible`] shows it.
pub(super) fn push(out: &mut String, c: char) {
    if is_hidden(c) && c != '\t' {
        push_spelled(out, c);
    } else {
        out.push(c);
    }
}

/// Writes JSON text as [`json`] gives it.
pub(crate) fn write_json(out: &mut dyn io::Write, text: &[u8]) -> io::Result<()> {
    // Of ASCII, JSON leaves only DEL as it is.
    if text.is_ascii() && memchr::memchr(0x7f, text).is_none() {
        return out.write_all(text);
    }
    out.write_all(json(String::from_utf8_lossy(text).into_owned()).as_bytes())
}

/// JSON text in which the hidden characters of strings are escapes: the same document, harmless in a terminal.
pub(super) fn json(text: String) -> String {
    // JSON has escaped the C0 controls itself; a newline in it is layout.
    let raw = |c| is_hidden(c) && c >= ' ';
    if !text.contains(raw) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if raw(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// True for a character that steers a terminal or that nobody sees: the controls C0, DEL and C1, and of Unicode's
/// `Default_Ignorable_Code_Point` and line separators all but the variation selectors, which emoji are full of.
pub(super) fn is_hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    matches!(c,
        '\u{80}'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// True where `bytes` are printable ASCII: one column each, and nothing to spell.
pub(super) fn is_plain(bytes: &[u8]) -> bool {
    signs(bytes, |byte| u8::from(!(b' '..=b'~').contains(&byte))) == 0
}

fn spell(text: &str, spelled: fn(char) -> bool) -> Cow<'_, str> {
    if is_plain(text.as_bytes()) || !text.contains(spelled) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if spelled(c) {
            push_spelled(&mut out, c);
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

fn push_spelled(out: &mut String, c: char) {
    out.extend(c.escape_unicode());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_spelled() {
        assert_eq!(visible("tab\tline\nCR\r\n"), "tab\tline\nCR\\u{d}\n");
        assert_eq!(visible("\u{9b}31m\u{200d}\u{ad}"), "\\u{9b}31m\\u{200d}\\u{ad}");
        assert!(matches!(visible("порт ⚠\u{fe0f} 漢字"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_message_is_one_line_and_a_name_keeps_all() {
        assert_eq!(one_line("two\r\n\tlines\u{7}\n"), "two lines\\u{7}");
        assert_eq!(name("a\nb"), "a\\u{a}b");
        assert_eq!(name(" ::error::\u{7}/AGENTS.md"), " \\u{3a}:error::\\u{7}/AGENTS.md");
        assert!(matches!(name("a::b"), Cow::Borrowed(_)));
    }

    #[test]
    fn json_stays_the_same_document() {
        let value = serde_json::json!({ "x": "\u{1b}\u{9b}\u{202e}\u{e0041}é\u{7f}" });
        let text = json(value.to_string());
        assert_eq!(text, r#"{"x":"\u001b\u009b\u202e\udb40\udc41é\u007f"}"#);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).expect("JSON"), value);
    }
}
