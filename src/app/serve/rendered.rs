//! Markdown as HTML. Raw HTML in it is shown as text, and no link runs a script.

use super::shown;
use comrak::{Options, markdown_to_html};
use maud::{Markup, PreEscaped, html};

/// Containers of a line that are shown as such; more of them say nothing to a reader, and cost a walk for each line.
const DEEPEST: usize = 60;

/// `markdown`, rendered.
pub(super) fn rendered(markdown: &str) -> Markup {
    if markdown.lines().any(is_too_deep) {
        return html! { pre class="source" tabindex="0" { (shown::text(markdown)) } };
    }
    let mut options = Options::default();
    options.extension.strikethrough = true;
    options.extension.table = true;
    options.extension.tasklist = true;
    options.render.escape = true;
    options.render.r#unsafe = false;
    html! { div class="rendered" { (PreEscaped(markdown_to_html(&shown::text(markdown), &options))) } }
}

/// True where a line opens more quotes and lists than a page shows.
fn is_too_deep(line: &str) -> bool {
    let opens = |c: &char| matches!(c, '>' | '-' | '*' | '+' | ' ' | '\t');
    line.chars().take_while(opens).filter(|c| !matches!(c, ' ' | '\t')).count() > DEEPEST
        || line.chars().take_while(|c| matches!(c, ' ' | '\t')).count() > 4 * DEEPEST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_runs_comes_out() {
        let page = |markdown: &str| rendered(markdown).into_string();
        assert!(page("a <script>alert(1)</script>\n\n<script>x</script>\n").contains("&lt;script&gt;x&lt;/script&gt;"));
        for markdown in ["<script>x</script>", "a <img src=x onerror=y>", "[a](javascript:x)", "<javascript:x>", "![a](data:text/html,x)"] {
            let html = page(markdown);
            assert!(!html.contains("<script") && !html.contains("onerror=y>") && !html.contains("=\"javascript"), "{html}");
        }
        assert!(page("a\u{202e}b").contains("\\u{202e}"));
    }

    #[test]
    fn depth_is_no_stack() {
        assert!(rendered(&"> ".repeat(50_000)).into_string().starts_with("<pre"));
        assert!(rendered(&format!("{}x", "[".repeat(50_000))).into_string().starts_with("<div"));
    }
}
