//! What findings point at: the words that an editor underlines, and what is said to do about them.

use crate::case::Case;

const HEAD: &str = "## Project memory\n\n";

/// For each finding its rule and the text that it stands on.
fn underlined(base: Option<&str>, config: &str, text: &str) -> Vec<(&'static str, String)> {
    let text = format!("{HEAD}{text}");
    let base = base.map(|base| format!("{HEAD}{base}"));
    let found = Case::new(base.as_deref(), config, "").check(&text).diagnostics;
    found.iter().map(|found| (found.rule.name, found.range.of(&text).to_owned())).collect()
}

fn expect<const N: usize>(found: [(&'static str, &str); N]) -> Vec<(&'static str, String)> {
    found.map(|(rule, text)| (rule, text.to_owned())).to_vec()
}

#[test]
fn what_is_ignored_at_the_end_of_a_text_is_what_stood_there() {
    let base = Some("- Port: 1\n- Owner: Kim\n");
    assert_eq!(underlined(base, "", "- Port: 1"), expect([("deleted", "")]));
    assert_eq!(underlined(base, "", "- Port: 1 <!-- memfile: ignore deleted -->"), []);
}

#[test]
fn findings_stand_on_what_they_speak_of() {
    assert_eq!(underlined(None, "", "- Berth: pier 3 [histroical]\n"), expect([("bad-tag", "[histroical]")]));
    let unnamed = "- Berth: pier 3 [historical] replaced by:\n- Berth: pier 4\n";
    assert!(underlined(None, "", unnamed).contains(&("bad-tag", "[historical] replaced by:".to_owned())));
    assert_eq!(underlined(None, "", "- Berth: pier 3 [scheduled]\n"), expect([("bad-tag", "[scheduled]")]));
    assert_eq!(underlined(None, "", "- Berth: pier\u{200b} 3\n"), expect([("hidden-characters", "\u{200b}")]));
    let both = "- Port: 1 (since 2026-01-01)\n- Port: 2 (since 2026-02-01)\n";
    assert_eq!(underlined(None, "", both), expect([("untagged-historical", "Port: 1 (since 2026-01-01)")]));
    assert_eq!(underlined(Some("- Port: 1\n"), "", "- Port: 2\n"), expect([("overwritten", "Port: 2")]));
    assert_eq!(underlined(Some("- Port: 1\n- Host: b\n"), "", "- Port: 1\n"), expect([("deleted", "")]));
}

#[test]
fn a_window_holds_as_many_bytes_as_it_has() {
    let text = "- Port: 8080\n- Host: a.example\n";
    assert_eq!(HEAD.len() + text.len(), 50);
    assert_eq!(underlined(None, "max-bytes = 50\n", text), []);
    assert_eq!(underlined(None, "max-bytes = 49\n", text), expect([("over-budget", "")]));
}

#[test]
fn findings_against_the_baseline_say_how_to_accept_them() {
    let text = format!("{HEAD}- Release day: Friday\n");
    let found = Case::new(Some(&format!("{HEAD}- Release day: Monday\n")), "", "").check(&text).diagnostics;
    assert!(found.iter().any(|found| found.help.iter().any(|help| help.contains("`memfile accept 'Release day'`"))), "{found:?}");
}

#[test]
fn findings_know_their_fact_and_what_else_to_look_at() {
    let found = |text: &str| Case::new(None, "", "").check(&format!("{HEAD}{text}")).diagnostics;
    let secret = found("- Hook: ghp_x7Kq2Vd9Lm4Rt8Wz3Bn6Yp1Hc5Jf0Gs2Qa7E\n");
    assert_eq!(secret.iter().map(|found| (found.rule.name, found.key.as_deref())).collect::<Vec<_>>(), [("possible-secret", Some("Hook"))]);
    let statement = found("- The hook is ghp_x7Kq2Vd9Lm4Rt8Wz3Bn6Yp1Hc5Jf0Gs2Qa7E by now.\n");
    assert!(statement.iter().all(|found| found.key.is_none()) && !statement.is_empty(), "{statement:?}");
    let twice = found("- Port | 1 | source: call 2026-01-01\n- Port | 2 | source: call 2026-01-01\n");
    assert_eq!(twice.iter().map(|found| (found.rule.name, found.related.len())).collect::<Vec<_>>(), [("same-source", 1)]);
    let older = found("- Port: 1 (since 2026-01-01)\n- Port: 2 (since 2026-02-01)\n");
    assert_eq!(older[0].related.iter().map(|related| related.label.as_str()).collect::<Vec<_>>(), ["replaced by `2`"]);
    let both = found("- Port: 1\n- Port: 2\n");
    assert_eq!(both.iter().map(|found| (found.rule.name, found.related.len())).collect::<Vec<_>>(), [("two-current", 1)]);
}
