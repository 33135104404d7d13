//! A diff as a page shows it: the patch that the reports print, line by line.

use super::shown;
use crate::report;
use crate::text::Patch;
use maud::{Markup, html};

/// Lines of a diff that a page shows; a whole new file is read better in an editor.
const MOST: usize = 400;

/// What `patch` does to `before`; `after` is `patch.apply(before)`.
pub(super) fn diff(name: &str, before: &str, after: &str, patch: &Patch) -> Markup {
    let mut bytes = Vec::new();
    let written = report::diff(&mut bytes, name, before, after, patch, false);
    debug_assert!(written.is_ok());
    let text = String::from_utf8_lossy(&bytes);
    // The two lines that name the file say nothing here.
    let lines: Vec<&str> = text.lines().skip(2).collect();
    if lines.is_empty() {
        return html! { p class="faint" { "No line differs." } };
    }
    html! {
        pre class="diff" tabindex="0" aria-label="Diff" {
            @for line in lines.iter().take(MOST) {
                @match line.split_at_checked(1) {
                    Some(("+", rest)) => ins { (shown::text(rest)) "\n" },
                    Some(("-", rest)) => del { (shown::text(rest)) "\n" },
                    Some(("@", _)) => span class="hunk" { (place(line)) "\n" },
                    Some((" ", rest)) => span { (shown::text(rest)) "\n" },
                    _ => span class="faint" { (shown::text(line)) "\n" },
                }
            }
            @if lines.len() > MOST { span class="faint" { "… " (shown::count(lines.len() - MOST, "more line")) "\n" } }
        }
    }
}

/// `@@ -12,3 +12,4 @@` as words.
fn place(head: &str) -> String {
    let after = head.split('+').nth(1).and_then(|rest| rest.split([',', ' ']).next());
    after.map_or_else(|| head.to_owned(), |line| format!("line {line}"))
}
