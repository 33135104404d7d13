//! Workflow commands of GitHub Actions: a log line that GitHub shows as an annotation at its place in the file.
//!
//! The escapes are those of `@actions/core`, `packages/core/src/command.ts`.

use super::place::Places;
use super::visible;
use crate::diagnostic::{Diagnostic, Severity};
use std::borrow::Cow;
use std::io::{self, Write};

/// Writes one command for each finding of a file.
pub(super) fn pieces<'a>(name: &'a str, text: &'a str) -> impl FnMut(&mut dyn Write, &[Diagnostic]) -> io::Result<()> + 'a {
    let (name, mut places) = (property(name), Places::new(text));
    move |out, found| {
        found.iter().try_for_each(|finding| {
            let span = places.span(finding.range);
            let command = match finding.rule.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Hint => "notice",
            };
            // The name of a rule is a word that needs no escapes.
            let rule = finding.rule.name;
            writeln!(
                out,
                "::{command} file={name},line={},col={},endLine={},endColumn={},title=memfile {rule}::{rule} {}",
                span.line,
                span.column,
                span.end_line,
                span.end_column,
                data(&finding.message),
            )
        })
    }
}

/// The text behind the second `::`. Line breaks survive as escapes, other controls are spelled: the log is shown raw.
fn data(text: &str) -> Cow<'_, str> {
    if visible::is_plain(text.as_bytes()) && !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let lines: Vec<_> = text.split('\r').map(|part| visible(part).replace('%', "%25").replace('\n', "%0A")).collect();
    Cow::Owned(lines.join("%0D"))
}

/// A value between `=` and `,`.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::{Format, sample};
    use super::*;
    use crate::text::TextRange;

    #[test]
    fn commands_are_escaped() {
        let finding = Diagnostic::new(&sample::LARGE, TextRange::new(0, 4), "100 %: a, b\r\nc\u{1b}");
        let mut out = Vec::new();
        pieces("a,b:c%\n.md", "a\nbc\n")(&mut out, &[finding]).expect("a Vec takes all");
        assert_eq!(
            String::from_utf8_lossy(&out),
            "::notice file=a%2Cb%3Ac%25%0A.md,line=1,col=1,endLine=2,endColumn=3,title=memfile over-budget\
             ::over-budget 100 %25: a, b%0D%0Ac\\u{1b}\n"
        );
    }

    #[test]
    fn severities_have_their_commands() {
        let findings = [&sample::UNTAGGED, &sample::REPEAT].map(|rule| Diagnostic::new(rule, TextRange::empty(0), "m"));
        let report = sample::render(Format::Github, "", &findings);
        let commands: Vec<_> = report.lines().filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(commands, ["::error", "::warning"]);
    }
}
