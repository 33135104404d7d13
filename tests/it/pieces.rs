//! Findings that go out while the check looks on are those of a check that keeps them.

use crate::case::Case;
use memfile::check::{check, check_in_pieces};
use proptest::prelude::*;
use std::fmt::Write;

/// A text of so many records; each is of one of `apart` facts near it. They lack tags, stand in the wrong order, twice or side by side.
fn text(records: usize, apart: usize, seed: u64) -> String {
    let mut out = String::from("# Notes\n\n## Project memory\n\n");
    let mut state = seed;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for number in 0..records {
        let fact = number / 8 + next(apart);
        let value = next(6);
        let _ = match next(9) {
            0 => writeln!(out, "- Fact {fact}: {value}"),
            1 => writeln!(out, "- Fact {fact}: {value} (since last week)"),
            2 => writeln!(out, "- Fact {fact}: {value}; part: {value} (since 2026-{:02}-01)", 1 + next(9)),
            3 => writeln!(out, "- Fact {fact} | {value} | source: call 2026-{:02}-05 [historical]", 1 + next(9)),
            _ => writeln!(out, "- Fact {fact} | {value} | source: call 2026-{:02}-05", 1 + next(9)),
        };
    }
    out
}

/// How many pieces there are; they must make up the whole.
fn pieces(case: &Case, text: &str) -> usize {
    let mut pieces = Vec::new();
    let checked = check_in_pieces(text, &case.subject(), &mut |piece| pieces.push(piece));
    let whole = check(text, &case.subject());
    assert!(checked.diagnostics.is_empty() && whole.diagnostics.len() > 1500, "{}", whole.diagnostics.len());
    // Only the last one may be empty.
    let count = pieces.iter().filter(|piece| !piece.is_empty()).count();
    assert!(pieces.len() - count <= usize::from(pieces.last().is_some_and(Vec::is_empty)));
    assert!(pieces.into_iter().flatten().map(|found| format!("{found:?}")).eq(whole.diagnostics.iter().map(|found| format!("{found:?}"))));
    assert_eq!((checked.records, checked.facts), (whole.records, whole.facts));
    count
}

#[test]
fn what_must_be_known_first_makes_one_piece() {
    let case = Case::new(None, "", "");
    let text = text(6000, 3, 7);
    let count = pieces(&case, &text);
    assert!((3..10).contains(&count), "{count} pieces");
    // A secret must not be shown anywhere, and a suppression that does nothing is told where it stands.
    assert_eq!(pieces(&case, &format!("{text}- Hook: ghp_{}\n", "a1B2".repeat(9))), 1);
    assert_eq!(pieces(&case, &format!("{text}- Hook: a <!-- memfile: ignore repeat -->\n")), 1);
    // What is lost stood anywhere.
    let lost = Case::new(Some(&text), "", "");
    assert_eq!(pieces(&lost, &text.replacen("- Fact 5", "- Fakt 5", 3)), 1);
}

#[test]
fn what_stands_at_one_place_keeps_the_order_of_the_rules() {
    let mut text = String::from("## Project memory\n\n- Part: 7 (since 2026-05-01)\n");
    for fact in 0..800 {
        // The first record of each group is told by a step of the group, and by a rule that looks at the text.
        let _ = writeln!(text, "- Fact {fact}: a; part: 1 (since 2026-01-01)");
        for month in 2..7 {
            let _ = writeln!(text, "- Fact {fact}: b{month}; host: 1 (since 2026-{month:02}-01)");
        }
    }
    assert!(pieces(&Case::new(None, "", ""), &text) > 2);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn pieces_are_the_whole(apart in 1_usize..3000, seed: u64) {
        pieces(&Case::new(None, "", ""), &text(6000, apart, seed));
    }
}
