//! Changes of a buffer against a naive model that counts units one by one.

use super::*;
use lsp_types::Range;
use proptest::prelude::*;

/// The text as an editor has it: units of one encoding. Bytes for UTF-8, so that both are lists of numbers.
fn units(text: &str, encoding: Encoding) -> Vec<u16> {
    match encoding {
        Encoding::Utf8 => text.bytes().map(u16::from).collect(),
        Encoding::Utf16 => text.encode_utf16().collect(),
    }
}

/// The unit that a place means, counted on foot.
fn unit(text: &[u16], place: Position, encoding: Encoding) -> usize {
    let (lf, cr) = (u16::from(b'\n'), u16::from(b'\r'));
    let mut at = 0;
    for _ in 0..place.line {
        while at < text.len() && text[at] != lf && text[at] != cr {
            at += 1;
        }
        if at == text.len() {
            return at;
        }
        at += if text[at] == cr && text.get(at + 1) == Some(&lf) { 2 } else { 1 };
    }
    let mut left = place.character;
    while left > 0 && at < text.len() && text[at] != lf && text[at] != cr {
        at += 1;
        left -= 1;
    }
    // Inside a character its start is meant.
    let is_inside = |at: usize| match encoding {
        Encoding::Utf8 => text.get(at).is_some_and(|byte| byte & 0xc0 == 0x80),
        Encoding::Utf16 => text.get(at).is_some_and(|unit| (0xdc00..0xe000).contains(unit)),
    };
    while is_inside(at) {
        at -= 1;
    }
    at
}

fn changes() -> impl Strategy<Value = Vec<Changed>> {
    let position = (0u32..6, 0u32..8).prop_map(|(line, character)| Position { line, character });
    let range = prop::option::weighted(0.9, (position.clone(), position).prop_map(|(start, end)| Range { start, end }));
    prop::collection::vec((range, "[aя😀\r\n]{0,4}").prop_map(|(range, text)| Changed { range, text }), 0..12)
}

proptest! {
    #[test]
    fn after_changes_the_text_is_the_editors(text in "[aя😀\r\n]{0,24}", changes in changes()) {
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            let mut own = text.clone();
            let mut lines = LineIndex::new(&own);
            let mut model = units(&text, encoding);
            for change in &changes {
                apply(&mut own, &mut lines, change, encoding);
                let new = units(&change.text, encoding);
                match change.range {
                    None => model = new,
                    Some(range) => {
                        let (a, b) = (unit(&model, range.start, encoding), unit(&model, range.end, encoding));
                        model.splice(a.min(b)..a.max(b), new);
                    }
                }
                prop_assert_eq!(units(&own, encoding), model.clone());
            }
        }
    }
}
