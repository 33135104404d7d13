//! Tests of the full report.

use super::super::{Format, sample};
use super::*;

const TEXT: &str = "# Facts\n\n- Database | MySQL\n- Port | 80\n- Database | Postgres\n";

fn at(text: &str, needle: &str) -> TextRange {
    let start = text.find(needle).expect("the needle is in the text");
    TextRange::new(start, start + needle.len())
}

fn check(text: &str, finding: Diagnostic, expected: &str) {
    assert_eq!(sample::render(Format::Full, text, &[finding]), format!("{}\n\n", expected.trim_matches('\n')));
}

fn note(range: TextRange) -> Diagnostic {
    Diagnostic::new(&sample::LARGE, range, "odd")
}

#[test]
fn the_finding_its_successor_and_its_help() {
    let old =
        sample::untagged(at(TEXT, "Database | MySQL")).with_related(at(TEXT, "Database | Postgres"), "replaced it").with_help("tag it");
    let repeat = Diagnostic::new(&sample::REPEAT, at(TEXT, "80"), "equal value twice");
    let expected = "\
error[untagged-historical]: an older version of `database` carries no tag
 --> docs/AGENTS.md:3:3
  |
3 | - Database | MySQL
  |   ^^^^^^^^^^^^^^^^
4 | - Port | 80
5 | - Database | Postgres
  |   ------------------- replaced it
  |
  = help: tag it

warning[repeat]: equal value twice
 --> docs/AGENTS.md:4:10
  |
4 | - Port | 80
  |          ^^

help: 1 fixable with `memfile fix`
";
    assert_eq!(sample::render(Format::Full, TEXT, &[old, repeat]), expected);
}

#[test]
fn a_far_place_stands_in_the_same_picture() {
    let text = format!("- a | 1\n{}- a | 2\n", "filler\n".repeat(100));
    let expected = "
hint[over-budget]: odd
   --> docs/AGENTS.md:1:3
    |
  1 | - a | 1
    |   ^^^^^
...
102 | - a | 2
    |   ----- replaced it
";
    check(&text, note(at(&text, "a | 1")).with_related(at(&text, "a | 2"), "replaced it"), expected);
    let mut finding = note(at(&text, "a | 1"));
    for _ in 0..RELATED + 4 {
        finding = finding.with_related(at(&text, "a | 2"), "replaced it");
    }
    let report = sample::render(Format::Full, &text, &[finding]);
    assert_eq!(report.matches(" replaced it\n").count(), RELATED);
    assert!(report.contains("= note: and 4 more places"), "{report}");
}

#[test]
fn long_lines_are_cut_and_tabs_are_wide() {
    let text = format!("-\t{}end | {}\n", "abc ".repeat(1500), "value ".repeat(1000));
    let finding = note(at(&text, "end"));
    let files = [FileReport { name: "a.md", text: &text, diagnostics: &[finding] }];
    let mut out = Vec::new();
    write(&mut out, &files, Style { color: false, width: 50 }).expect("a Vec takes all");
    let expected = "\
hint[over-budget]: odd
 --> a.md:1:6003
  |
1 | ... abc abc abc end | value value value val...
  |                 ^^^

";
    assert_eq!(String::from_utf8_lossy(&out), expected);
    let expected = "
hint[over-budget]: odd
 --> docs/AGENTS.md:1:3
  |
1 | -    a    b
  |      ^^^^^^
";
    check("-\ta\tb\r\n", note(TextRange::new(2, 5)), expected);
}

#[test]
fn ranges_over_several_lines_and_at_the_end() {
    let several = "
hint[over-budget]: odd
 --> docs/AGENTS.md:3:1
  |
3 | - Database | MySQL
  | ^^^^^^^^^^^^^^^^^^ up to line 4
";
    check(&TEXT.replace('\n', "\r\n"), note(TextRange::new(11, 44)), several);
    check(&TEXT.replace('\n', "\r"), note(TextRange::new(9, 40)), several);
    let end = "
hint[over-budget]: odd
 --> docs/AGENTS.md:6:1
  |
6 |
  | ^
";
    check(TEXT, note(TextRange::empty(TEXT.len())), end);
    check(TEXT, note(TextRange::new(TEXT.len() + 7, TEXT.len() + 9)), end);
    let tall = "
hint[over-budget]: odd
 --> docs/AGENTS.md:1:1
  |
1 | # Facts
  | ^^^^^^^ up to line 101
";
    let text = format!("# Facts{}", "\nx".repeat(100));
    check(&text, note(TextRange::new(0, text.len())), tall);
}

#[test]
fn several_labels_in_one_line() {
    let text = "- left | middle | right\n- next\n- third\n- fourth | x\n";
    let finding = note(at(text, "middle"))
        .with_related(at(text, "right"), "the last")
        .with_related(at(text, "fourth | x\n"), "behind a line")
        .with_related(at(text, "left"), "the first")
        .with_related(at(text, "left | middle"), "both")
        .with_related(at(text, "next\n- third"), "two lines");
    let expected = "
hint[over-budget]: odd
 --> docs/AGENTS.md:1:10
  |
1 | - left | middle | right
  |   -------^^^^^^   ----- the last
  |   |
  |   the first
  |   both
2 | - next
  |   ---- two lines (up to line 3)
3 | - third
4 | - fourth | x
  |   ---------- behind a line
";
    check(text, finding, expected);
    let finding = note(at(text, "right")).with_related(at(text, "middle"), "hangs").with_related(at(text, "left"), "too");
    let expected = "
hint[over-budget]: odd
 --> docs/AGENTS.md:1:19
  |
1 | - left | middle | right
  |   ----   ------   ^^^^^
  |   |      |
  |   |      hangs
  |   too
";
    check(text, finding, expected);
}

#[test]
fn places_far_apart_in_one_line_have_a_piece_each() {
    let text = format!("first {}second\n", "abc ".repeat(3000));
    let report = sample::render(Format::Full, &text, &[note(at(&text, "second")).with_related(at(&text, "first"), "here")]);
    let lines: Vec<_> = report.lines().collect();
    assert_eq!(lines[1], " --> docs/AGENTS.md:1:12007");
    assert!(lines[3].starts_with("1 | first abc") && lines[3].ends_with("...") && lines[3].len() <= 140, "{report}");
    assert_eq!(lines[4], "  | ----- here");
    assert!(lines[5].starts_with("1 | ...") && lines[5].ends_with(" second") && lines[5].len() <= 140, "{report}");
    assert_eq!(lines[5].find("second"), lines[6].find("^^^^^^"));
}

#[test]
fn marks_stand_under_wide_and_hidden_characters() {
    let text = "\u{feff}- 数据库 | 👍 e\u{301} x\u{202e} | ende\n";
    let finding = note(at(text, "数据库")).with_related(at(text, "👍"), "thumb").with_related(at(text, "ende"), "end");
    let expected = "
hint[over-budget]: odd
 --> docs/AGENTS.md:1:4
  |
1 | - 数据库 | 👍 e\u{301} x\\u{202e} | ende
  |   ^^^^^^   --               ---- end
  |            |
  |            thumb
";
    check(text, finding, expected);
}

/// A report on a file with many findings in one line of 2 MB takes no time for the parts that nobody sees.
#[test]
fn a_huge_line_is_not_read_for_each_finding() {
    let text = "é | value ".repeat(200_000);
    let findings: Vec<_> = (0..SHOWN).map(|idx| note(TextRange::new(idx * 1100, idx * 1100 + 500))).collect();
    let report = sample::render(Format::Full, &text, &findings);
    assert_eq!(report.matches("hint[over-budget]").count(), SHOWN);
    assert!(report.lines().all(|line| line.chars().count() <= 140));
}

#[test]
fn a_secret_is_in_no_picture() {
    let text = "- Key | sk-123\n- Key | sk-456\n";
    let secret = Diagnostic::new(&sample::SECRET, at(text, "sk-123"), "looks like a secret");
    let repeat = Diagnostic::new(&sample::REPEAT, at(text, "Key"), "equal value twice");
    let report = sample::render(Format::Full, text, &[repeat.with_related(secret.range, "here"), secret]);
    assert_eq!(report.matches("1 | - Key | ******\n").count(), 2, "{report}");
    assert!(!report.contains("123"), "{report}");
}

#[test]
fn colours_only_on_demand() {
    let files = [FileReport { name: "a.md", text: "evil \u{1b}[2J\n", diagnostics: &[note(TextRange::new(0, 9))] }];
    let render = |color| {
        let mut out = Vec::new();
        write(&mut out, &files, Style { color, width: 80 }).expect("a Vec takes all");
        String::from_utf8(out).expect("UTF-8")
    };
    assert!(!render(false).contains('\u{1b}'));
    assert!(render(true).contains("\u{1b}[") && !render(true).contains("\u{1b}[2J"));
    assert!(render(true).contains("evil \\u{1b}[2J"));
    assert!(
        render(true).starts_with("\u{1b}[1;96mhint[over-budget]\u{1b}[0m\u{1b}[1m: odd\u{1b}[0m\n \u{1b}[1;94m-->\u{1b}[0m a.md:1:1\n")
    );
    let plain = [RED, YELLOW, CYAN, BLUE, BOLD, RESET].iter().fold(render(true), |text, code| text.replace(code, ""));
    assert_eq!(plain, render(false));
}

#[test]
fn a_flood_of_findings_ends_with_their_number() {
    let text = "- a | 1\n".repeat(SHOWN + 2);
    let findings: Vec<Diagnostic> = (0..SHOWN + 2).map(|number| note(TextRange::new(number * 8 + 2, number * 8 + 7))).collect();
    let all = sample::render(Format::Full, &text, &findings);
    assert_eq!(all.matches("hint[over-budget]: odd").count(), SHOWN);
    let last = "note: 2 more findings: `--statistics` counts them, `--output-format concise` has a line for each";
    assert!(all.lines().any(|line| line == last), "{}", &all[all.len() - 300..]);
    assert!(!sample::render(Format::Full, &text, &findings[..SHOWN]).contains("note:"));
    let mut piped = Vec::new();
    let files = [FileReport { name: "a.md", text: &text, diagnostics: &findings }];
    write(&mut piped, &files, Style { color: false, width: 0 }).expect("a Vec takes all");
    assert_eq!(String::from_utf8_lossy(&piped).matches("hint[over-budget]: odd").count(), SHOWN + 2);
}
