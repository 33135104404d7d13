//! One line a finding, and the counts.

use super::place::Places;
use super::visible;
use crate::diagnostic::{Applicability, Diagnostic, Severity};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Writes `FILE:LINE:COLUMN: SEVERITY RULE MESSAGE` for each finding of a file.
pub(super) fn pieces<'a>(name: &'a str, text: &'a str) -> impl FnMut(&mut dyn Write, &[Diagnostic]) -> io::Result<()> + 'a {
    let (name, mut places) = (visible::name(name), Places::new(text));
    move |out, found| {
        found.iter().try_for_each(|finding| {
            let start = places.start(finding.range);
            let (severity, rule) = (finding.rule.severity.as_str(), finding.rule.name);
            writeln!(out, "{name}:{}:{}: {severity} {rule} {}", start.line, start.column, visible::one_line(&finding.message))
        })
    }
}

/// How often each rule found something.
#[derive(Default)]
pub struct Statistics(BTreeMap<&'static str, (usize, Severity, bool)>);

impl Statistics {
    /// Counts findings.
    pub fn add(&mut self, found: &[Diagnostic]) {
        for finding in found {
            let (count, _, fixable) = self.0.entry(finding.rule.name).or_insert((0, finding.rule.severity, false));
            *count += 1;
            *fixable |= is_fixable(finding);
        }
    }

    /// Writes the counts, the most frequent first: `  2  error  untagged-historical  [*]`.
    /// The mark stands where `memfile fix` can repair at least one of them.
    ///
    /// # Errors
    /// Only those of `out`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut rows: Vec<_> = self.0.iter().collect();
        // The sort is stable: equal counts stay in the order of names.
        rows.sort_by_key(|(_, (count, ..))| std::cmp::Reverse(*count));
        let digits = rows.first().map_or(0, |(_, (count, ..))| count.to_string().len()).max(3);
        let words = rows.iter().map(|(_, (_, severity, _))| severity.as_str().len()).max().unwrap_or(0);
        let names = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, (count, severity, fixable)) in rows {
            let row = format!("{count:>digits$}  {:<words$}  {name:<names$}  {}", severity.as_str(), if *fixable { "[*]" } else { "" });
            writeln!(out, "{}", row.trim_end())?;
        }
        Ok(())
    }
}

/// True where `memfile fix` repairs the finding without being asked.
pub(super) fn is_fixable(finding: &Diagnostic) -> bool {
    finding.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe)
}

#[cfg(test)]
mod tests {
    use super::super::{Format, sample};
    use super::*;
    use crate::text::TextRange;

    #[test]
    fn one_line_a_finding() {
        let text = "# Facts\r\n- né | 漢\r\n";
        let mut finding = sample::untagged(TextRange::new(17, 20));
        finding.message = "line\nand line".into();
        assert_eq!(sample::render(Format::Concise, text, &[finding]), "docs/AGENTS.md:2:8: error untagged-historical line and line\n");
    }

    #[test]
    fn counts_are_sorted_and_marked() {
        let range = TextRange::empty(0);
        let repeats = vec![Diagnostic::new(&sample::REPEAT, range, "twice"); 12];
        let others =
            [sample::untagged(range), Diagnostic::new(&sample::UNTAGGED, range, "no fix"), Diagnostic::new(&sample::LARGE, range, "big")];
        let mut statistics = Statistics::default();
        [&repeats[..], &others].into_iter().for_each(|found| statistics.add(found));
        let mut out = Vec::new();
        statistics.write(&mut out).expect("a Vec takes all");
        let expected = " 12  warning  repeat\n  2  error    untagged-historical  [*]\n  1  hint     over-budget\n";
        assert_eq!(String::from_utf8_lossy(&out), expected);
    }
}
