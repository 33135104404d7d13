//! The diff of a fix is the smallest that satisfies the rules: on small groups it is compared with all there is.
//!
//! The lines of a fixed file are right one by one (their tags are). Every order of them that the rules accept, and in which
//! nothing more is found, is another answer; none of them may be nearer to the text before.

use crate::case::{Case, report};
use crate::generate::small;
use memfile::diagnostic::{Applicability, Diagnostic};
use proptest::prelude::*;

/// Lines that go and lines that come.
fn distance(before: &[&str], after: &[&str]) -> usize {
    // The longest common subsequence, by the book.
    let mut row = vec![0; after.len() + 1];
    for line in before {
        let mut corner = 0;
        for (at, other) in after.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if line == other { corner + 1 } else { above.max(row[at]) };
            corner = above;
        }
    }
    before.len() + after.len() - 2 * row[after.len()]
}

/// Calls `look` with every order of `lines`.
fn orders<'t>(lines: &mut Vec<&'t str>, from: usize, look: &mut impl FnMut(&[&'t str])) {
    if from == lines.len() {
        look(lines);
        return;
    }
    for at in from..lines.len() {
        lines.swap(from, at);
        orders(lines, from + 1, look);
        lines.swap(from, at);
    }
}

fn findings(found: &[Diagnostic]) -> Vec<&'static str> {
    let mut names: Vec<&str> = found.iter().map(|found| found.rule.name).collect();
    names.sort_unstable();
    names
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 2000, ..ProptestConfig::default() })]

    #[test]
    fn no_smaller_diff_will_do((base, text) in small()) {
        let case = Case::new(base.as_deref(), "", "");
        let fixed = case.fix(&text, Applicability::Safe).map_err(|error| TestCaseError::fail(error.to_string()))?;
        if fixed.text == text {
            return Ok(());
        }
        const HEAD: &str = "# Otter\n\n## Project memory\n\n";
        let before: Vec<&str> = text[HEAD.len()..].lines().collect();
        let mut lines: Vec<&str> = fixed.text[HEAD.len()..].lines().collect();
        // Of a group whose tags contradict each other, or that says a thing twice, nothing is asked.
        if lines.len() > 6 || fixed.remaining.iter().any(|found| matches!(found.rule.name, "broken-chain" | "repeat")) {
            return Ok(());
        }
        let made = distance(&before, &lines);
        let allowed = findings(&fixed.remaining);
        let mut least: Option<(usize, String)> = None;
        let mut look = |order: &[&str]| {
            let made_by_this = distance(&before, order);
            if made_by_this < least.as_ref().map_or(made, |(least, _)| *least) {
                let other = format!("{HEAD}{}\n", order.join("\n"));
                if findings(&case.check(&other).diagnostics) == allowed {
                    least = Some((made_by_this, other));
                }
            }
        };
        orders(&mut lines, 0, &mut look);
        if let Some((least, other)) = least {
            let found = case.check(&text);
            return Err(TestCaseError::fail(format!(
                "{made} lines change, and {least} would do\n{text}{}\n--- fixed\n{}\n--- smaller\n{other}",
                report(&text, &found.diagnostics), fixed.text
            )));
        }
    }
}
