//! The outline, held against the parser's reading of the whole text.

use super::*;
use proptest::prelude::*;

/// All of it but the numbers of lists, which only tell one list from another.
fn dump(outline: &Outline) -> String {
    let items = outline.items.iter().map(|item| {
        let first = outline.items.iter().position(|other| other.list == item.list);
        format!("{first:?} {:?} {:?} {:?} {:?} {:?}", item.block, item.head, item.children, item.parent, item.spans)
    });
    let rest = format!("{:?} {:?} {:?}", outline.headings, outline.tables, outline.spans);
    items.chain([rest]).collect::<Vec<_>>().join("\n")
}

const LINES: [&str; 26] = [
    "# a",
    "## b",
    "  # c",
    "> # d",
    "- # e",
    "- f: g",
    "  - h | i",
    "1. j",
    "> k",
    "l",
    "===",
    "---",
    "```",
    "~~~~",
    "    m",
    "<div>",
    "<!-- n",
    "-->",
    "<script>",
    "</script>",
    "",
    "",
    "| o | p |",
    "|---|---|",
    "- [q](r) `s: t`",
    "[u]: v",
];

/// What plain sections have, and what looks like it.
const PLAIN: [&str; 42] = [
    "# a",
    "### b #",
    "#c",
    "- d: `e`",
    "-   f ``g` h",
    "* **i**: j (k)",
    "+ l [historical: m]",
    "  - n",
    "    - o [p](q/r.md) [s]",
    "   - t",
    "\u{2003}- u",
    "        - v",
    "- 12) w",
    "- 12 x",
    "- [ ] y",
    "- [^z]",
    "- `open",
    "  close` a",
    "- ![b](c)",
    "- [d `e](f) g`",
    "- h\\i <j>",
    "-",
    "- - k",
    "***l",
    "_m_",
    "  n",
    "     o",
    "p | q",
    "- p | q",
    "  |--|--|",
    "- | -",
    "--|--",
    "",
    "",
    "",
    "```r",
    "```",
    "> s",
    "<!-- t -->",
    "<!---->",
    "\tu",
    "  ~~~",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn a_text_read_in_pieces_has_the_blocks_of_the_whole(lines in prop::collection::vec(0..LINES.len(), 0..60), end in 0..3_usize, size in 1..90_usize) {
        same(lines.iter().map(|&line| LINES[line]), ["\n", "\r\n", "\r"][end], size)?;
    }

    #[test]
    fn plain_sections_have_the_blocks_that_the_parser_sees(lines in prop::collection::vec(0..PLAIN.len(), 0..12), end in 0..2_usize) {
        same(lines.iter().map(|&line| PLAIN[line]), ["\n", "\r\n"][end], 1)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn whatever_stands_there_has_the_blocks_that_the_parser_sees(lines in prop::collection::vec(r"( {0,5}|- |\* |  - )[-ab0.)\[\]( `*+#>~|:!_=<\\\u{e9}\u{2003}\t^&1{\u{c}\r\u{b}]{0,9}", 1..7)) {
        same(lines.iter().map(String::as_str), "\n", 1)?;
    }
}

/// Where the lines of `text` start, which starts at `base`.
fn starts(text: &str, base: usize) -> Vec<u32> {
    let lines = (0..text.len()).filter(|&at| crate::text::line_start(text, at) == at);
    lines.map(|at| (base + at) as u32).collect()
}

fn same<'l>(lines: impl Iterator<Item = &'l str>, end: &str, size: usize) -> Result<(), TestCaseError> {
    let text: String = lines.flat_map(|line| [line, end]).collect();
    let (mut whole, mut pieces) = (Outline::default(), Outline::default());
    whole.piece(&text, 7);
    pieces.read_by(&text, 7, &starts(&text, 7), size);
    prop_assert_eq!(dump(&pieces), dump(&whole), "{}", text);
    Ok(())
}

#[test]
fn most_of_a_memory_file_is_plain() {
    let text = "# Memory\n\nWords of a person.\nMore.\n\n## Facts\n\n- Port: `8080` (since 2026-01-02)\n- Port: 9090\n  - why: see [plan](docs/plan.md)\n- **Base**: a [historical: b]\n\n| Key | Value |\n| --- | --- |\n| a | b |\n\n```sh\n# no heading\n```\n<!-- seen -->\n> quoted\n";
    let mut outline = Outline::default();
    assert_eq!(Plain::new(&mut outline, text, 0).read(0, &starts(text, 0)).section, text.len());
    assert_eq!((outline.headings.len(), outline.items.len(), outline.tables.len(), outline.spans.len()), (2, 4, 1, 2));
}

#[test]
fn code_that_nothing_closes_is_looked_for_once() {
    let text = format!("- a: {}\n", (1..60).map(|len| "`".repeat(len)).collect::<Vec<_>>().join(" "));
    let mut outline = Outline::default();
    assert_eq!(Plain::new(&mut outline, &text, 0).read(0, &starts(&text, 0)).section, 0, "the parser does it in one pass");
}
