//! Tests of tags.

use super::*;

fn tag(text: &str) -> Option<(Status, String, Option<Named>)> {
    let read = read(text, TextRange::new(0, text.len()), &[], false)?;
    let named = read.tag.split(&|value| value == "full: price as of delivery");
    Some((read.tag.status, read.core.of(text).to_owned(), named))
}

fn named(value: &str, when: &str, reason: &str) -> Option<Named> {
    let filled = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Some(Named { value: value.into(), when: filled(when), reason: filled(reason) })
}

#[test]
fn written_forms() {
    for (text, status, core, expected) in [
        ("Port: 1 [historical] replaced by: 2 as of 2026-02-01", Status::Historical, "Port: 1", named("2", "2026-02-01", "")),
        ("Port: 1 [historical] replaced by: 2 as of Oct 3: ops cost", Status::Historical, "Port: 1", named("2", "Oct 3", "ops cost")),
        (
            "R: x [historical] replaced by: full: price as of delivery as of 2026-03-01",
            Status::Historical,
            "R: x",
            named("full: price as of delivery", "2026-03-01", ""),
        ),
        ("Port: 1 [historical] заменено на: 2 от 2026-02-01", Status::Historical, "Port: 1", named("2", "2026-02-01", "")),
        ("Port: 1 [historical] ended as of 2026-02-01: unused", Status::Ended, "Port: 1", None),
        ("Port: 1 [historical] завершено 2026-02-01", Status::Ended, "Port: 1", None),
        ("Port: 1 [historical] удалено 2026-02-01", Status::Removed, "Port: 1", None),
        ("Port: 1 [retracted] 2026-02-01", Status::Retracted, "Port: 1", None),
        ("Port: 1 [scheduled] с 2026-02-01", Status::Scheduled, "Port: 1", None),
        ("Port: [redacted] as of 2026-02-01", Status::Redacted, "Port:", None),
        ("[historical] Port: 1 replaced by: 2 as of 2026-02-01", Status::Historical, "Port: 1", named("2", "2026-02-01", "")),
        ("[scheduled] Port: 1 as of 2026-02-01", Status::Scheduled, "Port: 1", None),
        ("Host: ant [superseded by bee]", Status::Historical, "Host: ant", named("bee", "", "")),
        ("C: redis [historical: replaced by valkey as of 2026-03-01]", Status::Historical, "C: redis", named("valkey", "2026-03-01", "")),
        ("Maya lives here. [outdated as of March 3, 2025]", Status::Historical, "Maya lives here.", None),
        ("~~Port: 1~~", Status::Historical, "Port: 1", None),
    ] {
        let want = Some((status, core.to_owned(), expected));
        assert_eq!(tag(text), want, "{text}");
    }
}

#[test]
fn prose_is_no_tag() {
    for text in [
        "Rule: tag the old line `[historical]` and move on",
        "Rule: put the [historical] tag behind the old value",
        "Greeting: Hi [historical joke]",
        "Style: the historical module",
        "see [this] and [that]",
        "a [outdated] word in the middle",
    ] {
        let spans: Vec<TextRange> = text.find('`').map(|at| TextRange::new(at, text.len() - 12)).into_iter().collect();
        assert!(read(text, TextRange::new(0, text.len()), &spans, false).is_none(), "{text}");
    }
}
