//! Operations on strings; whole sequences are played by `tests/it/commands.rs`.

use super::*;
use proptest::prelude::*;

const HEAD: &str = "# Notes\n\n## Project memory\n\n";

fn world<R>(config: &Config, use_it: impl FnOnce(&World) -> R) -> R {
    let today = NaiveDate::from_ymd_opt(2026, 11, 29).unwrap_or_default();
    use_it(&World { config, whole_file: false, today, revisions: &Vec::new, commits: None })
}

fn after(body: &str, plan: impl FnOnce(&str, &World) -> Result<Plan, Refusal>) -> String {
    let text = format!("{HEAD}{body}");
    let config = Config::default();
    let plan = world(&config, |world| plan(&text, world)).expect("it is allowed");
    plan.after.unwrap_or(text)[HEAD.len()..].to_owned()
}

fn fact<'a>(key: &'a str, value: &'a str) -> Fact<'a> {
    Fact { key, value, ..Fact::default() }
}

#[test]
fn a_new_value_tags_the_old_one() {
    let text = after("- City: A\n", |text, world| set(text, world, &fact("city", "B"), false));
    assert_eq!(text, "- City: A [historical] replaced by: B as of 2026-11-29\n- City: B\n");
}

#[test]
fn what_is_older_by_its_date_is_history_from_the_start() {
    let fact = Fact { since: Some("2020"), ..fact("City", "A") };
    let text = after("- City: B (since 2024)\n", |text, world| set(text, world, &fact, false));
    assert_eq!(text, "- City: A (since 2020) [historical] replaced by: B as of 2024\n- City: B (since 2024)\n");
}

#[test]
fn a_correction_of_the_current_value_restores_the_one_before() {
    let body = "- City: A [historical] replaced by: B as of 2025-01-01\n- Team: core\n- City: B\n";
    let text = after(body, |text, world| correct(text, world, "City", None, None, None));
    assert_eq!(text, "- City: B [retracted] as of 2026-11-29\n- City: A\n- Team: core\n");
}

#[test]
fn refusals_name_the_way_out() {
    let config = Config::parse("many = [\"Tool\"]").expect("valid");
    let text = format!("{HEAD}- Tool: a\n- Tool: b\n- City: A\n");
    let refused = |plan: Result<Plan, Refusal>| plan.expect_err("refused").to_string();
    world(&config, |world| {
        assert!(refused(set(&text, world, &fact("Tool", "c"), false)).contains("memfile add"));
        assert!(refused(add(&text, world, &fact("City", "B"))).contains("memfile set"));
        assert!(refused(end(&text, world, "Tool", None, None, None)).contains("a · b"));
        assert!(refused(set(&text, world, &fact("Ctiy", "B"), false)).contains("City"));
    });
}

#[test]
fn what_is_restored_comes_back_as_it_was() {
    use crate::baseline::Accepted;
    use crate::check::{Baseline, Selection, Subject};
    let base = format!("{HEAD}- Host: a\n- Boats leave at seven.\n- Port: 1\n- Port: 2 (since 2026-02-02)\n");
    let text = format!("{HEAD}- Port: 1\n");
    let (config, selection, accepted) = (Config::default(), Selection::default(), Accepted::default());
    let revisions = [(None, base.as_str().into())];
    let baseline = Baseline { revisions: &revisions, accepted: &accepted, commits: None, elsewhere: None };
    let today = NaiveDate::from_ymd_opt(2026, 11, 29).expect("a day");
    let subject = Subject { baseline: Some(baseline), ..Subject::new(&config, &selection, today) };
    let plan = restore(&text, &subject, None).expect("something is lost");
    assert_eq!(plan.after, Some(base));
}

#[test]
fn erasing_takes_the_value_out_of_tags_and_text() {
    let body = "- Hook: x [historical] replaced by: tok-123456 as of 2025-01-01\n- Hook: tok-123456\n\nUse tok-123456, not tok-1234567.\n";
    let text = after(body, |text, world| forget(text, world, Which::Fact("Hook", Some("tok-123456"))).map(|(plan, _)| plan));
    let want = "- Hook: x [historical] replaced by: [redacted] as of 2025-01-01\n- Hook: [redacted] as of 2026-11-29\n\nUse [redacted], not tok-1234567.\n";
    assert_eq!(text, want);
}

proptest! {
    /// Whatever is asked for, a plan comes back, and what it wrote reads as the value that was given.
    #[test]
    fn odd_values_are_written_so_that_they_read_back(value in "[a-c|`*~\\[\\]():;=<>!\\\\ .-]{0,14}", pipe in any::<bool>()) {
        let body = if pipe { "- City | A | source: call 2026-01-01\n" } else { "- City: A\n" };
        let text = format!("{HEAD}{body}");
        let config = Config::default();
        world(&config, |world| {
            let Ok(plan) = set(&text, world, &fact("City", &value), false) else { return };
            let Some(after) = plan.after else { return };
            let again = set(&after, world, &fact("City", &value), false).expect("it is there");
            assert_eq!(again.after, None, "{value:?} in {after}");
        });
    }
}
