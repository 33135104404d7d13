//! Texts made to be expensive: no crash, no output without bounds, and no byte changed that need not be. How long it takes is
//! asked by no test; how often something is read, by the benches.

use crate::repository::{Repository, facts};

const F: &str = "AGENTS.md";
/// Enough for a stack to run over, or for a square to take minutes.
const MANY: usize = 50_000;

fn texts() -> Vec<(&'static str, String)> {
    let wide = |cell: &str| cell.repeat(2_000);
    let list = |line: &dyn Fn(usize) -> String| (0..MANY).map(line).collect::<String>();
    vec![
        ("quotes", "> ".repeat(MANY)),
        ("lazy quotes", format!("{}a\n{}", "> ".repeat(MANY / 10), "lazy\n".repeat(MANY / 10))),
        ("nested lists", (0..1_000).map(|depth| format!("{}- Key{depth}: v\n", "  ".repeat(depth))).collect()),
        ("one line of lists", "- ".repeat(MANY) + "Key: v"),
        ("brackets", "- Key: ".to_owned() + &"[".repeat(MANY)),
        ("closed brackets", "- Key: ".to_owned() + &"[".repeat(MANY) + &"]".repeat(MANY)),
        ("links", "- Key: ".to_owned() + &"[a](".repeat(MANY)),
        ("references", list(&|number| format!("[{number}]: x\n"))),
        ("stars", "- Key: ".to_owned() + &"*a_ ".repeat(MANY)),
        ("backticks", "- Key: ".to_owned() + &(1..300).map(|number| "`".repeat(number) + " ").collect::<String>()),
        ("tags", "- Key: ".to_owned() + &"[historical] replaced by: ".repeat(MANY / 5)),
        ("bars", "- ".to_owned() + &"a | ".repeat(MANY)),
        ("parentheses", "- Key: v ".to_owned() + &"(since 2026-01-01".repeat(MANY / 5)),
        ("dates", "- Key: v (source: ".to_owned() + &"Jan 1 ".repeat(MANY / 5) + ")"),
        ("entities", "- Key: ".to_owned() + &"&lt;".repeat(MANY)),
        ("elements", "- Key: ".to_owned() + &"<a <b ".repeat(MANY)),
        ("comments", "<!-- memfile".repeat(MANY / 10)),
        ("markers", "<Memory>\n".repeat(MANY / 10) + "- Key: v\n"),
        ("a wide table", format!("|{}\n|{}\n|{}\n", wide("Parameter|Value|"), wide("---|---|"), wide("a|b|"))),
        ("headings", list(&|number| format!("### H{number}\n\n"))),
        ("one long value", format!("- Key: {}\n", "x".repeat(1 << 21))),
        ("one long key", format!("- {}: v\n", "x".repeat(1 << 20))),
        ("accents", format!("- Key: e{}\n", "\u{301}".repeat(MANY))),
        ("zero", "\0".repeat(MANY)),
    ]
}

#[test]
fn no_text_breaks_it_or_fills_the_terminal() {
    let repository = Repository::new("r");
    repository.write(F, &facts(&["Port: 1", "Key: old"]));
    repository.commit("facts");
    for (name, text) in texts() {
        repository.write(F, &(facts(&["Port: 1", "Port: 1"]) + &text));
        let said = repository.memfile(&["check"]);
        assert!((0..=1).contains(&said.code), "{name} ends with {}: {}", said.code, said.err.chars().take(500).collect::<String>());
        let longest = said.both().lines().map(|line| line.chars().count()).max().unwrap_or(0);
        assert!(longest <= 500, "{name}: a line of {longest} characters");
        assert!(said.out.len() < 1 << 20, "{name}: {} bytes", said.out.len());
    }
}

#[test]
fn a_fix_of_such_a_text_touches_its_own_lines_only() {
    let repository = Repository::new("r");
    repository.write(F, &facts(&["Port: 1"]));
    repository.commit("facts");
    for (name, text) in texts().into_iter().filter(|(name, _)| matches!(*name, "lazy quotes" | "closed brackets" | "one long value")) {
        repository.write(F, &(facts(&["Port: 2"]) + &text));
        repository.ends(0, &["fix", "--exit-zero"]);
        let fixed = repository.read(F);
        assert!(fixed.contains("- Port: 1 [historical] replaced by: 2 as of 2026-11-29\n- Port: 2\n"), "{name}");
        assert!(fixed.ends_with(&text), "{name}");
    }
}
