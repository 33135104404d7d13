//! What a person meant: the texts that commands of memfile found and left come in, and the text that stands there now; whether commands
//! alone made it goes out, else how far they led.
//!
//! A command journals the text it found and the one it left, and `undo` goes the same way back. A text that such steps lead to, from the
//! text that settled last, was made by commands alone: whatever is gone from it is gone on purpose.

use std::sync::Arc;

/// What commands did to a file since the last look.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Moves {
    /// The texts found and left, in order; without what looks like a secret.
    pub(super) steps: Vec<(String, String)>,
    /// Something was forgotten: no text from before may be held against what stands there now.
    pub(super) has_forgotten: bool,
}

/// Where the steps led.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Reached {
    /// To the text that stands there.
    pub(super) is_meant: bool,
    /// To this text, on which somebody else wrote; `None` where they led nowhere.
    pub(super) base: Option<Arc<str>>,
}

/// Follows the steps from `last` to `now`.
pub(super) fn follow(last: &str, now: &str, moves: &Moves) -> Reached {
    if moves.has_forgotten {
        return Reached { is_meant: true, base: None };
    }
    // No text is gone through for secrets that no step began with; most steps are the watch's own.
    if !moves.steps.iter().any(|(from, _)| from == last || from.contains("[redacted]")) {
        return Reached { is_meant: false, base: None };
    }
    let plain = crate::app::saving::without_secrets;
    let start = plain(last);
    let mut here = start.as_str();
    // A step that begins elsewhere is the watch's own, or stands on an edit that was not judged yet.
    for (from, to) in &moves.steps {
        if from == here {
            here = to;
        }
    }
    let is_meant = here != start && here == plain(now);
    // What was hidden from the journal is no text to compare with.
    let is_base = !is_meant && here != start && !here.contains("[redacted]");
    Reached { is_meant, base: is_base.then(|| here.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(last: &str, now: &str, steps: &[(&str, &str)]) -> (bool, Option<String>) {
        let steps = steps.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect();
        let Reached { is_meant, base } = follow(last, now, &Moves { steps, has_forgotten: false });
        (is_meant, base.map(|text| text.to_string()))
    }

    #[test]
    fn commands_alone_are_meant_and_edits_are_not() {
        assert_eq!(reached("a", "b", &[]), (false, None));
        assert_eq!(reached("a", "c", &[("a", "b"), ("b", "c")]), (true, None));
        assert_eq!(reached("a", "x", &[("a", "b"), ("b", "c")]), (false, Some("c".into())));
        // An edit, then a command: the edit is judged against what there was before it.
        assert_eq!(reached("a", "c", &[("b", "c")]), (false, None));
        // The watch's own step does not lead on; what a command did to its result does.
        assert_eq!(reached("b", "c", &[("x", "b"), ("b", "c")]), (true, None));
        // Two steps are undone.
        assert_eq!(reached("c", "a", &[("c", "b"), ("b", "a")]), (true, None));
    }

    #[test]
    fn what_the_journal_hid_still_leads_on() {
        let secret = "- Key: ghp_abcdefghijklmnopqrstuvwxyz0123456789\n";
        let hidden = crate::app::saving::without_secrets(secret);
        assert!(hidden.contains("[redacted]"), "{hidden}");
        assert_eq!(reached(secret, "b", &[(&hidden, "b")]), (true, None));
        assert_eq!(reached(secret, "x", &[(&hidden, "b")]), (false, Some("b".into())));
    }

    #[test]
    fn a_round_trip_stays_where_it_began() {
        assert_eq!(reached("a", "x", &[("a", "b"), ("b", "a")]), (false, None));
    }

    #[test]
    fn a_text_on_the_way_is_an_edit_of_the_last_one() {
        assert_eq!(reached("a", "b", &[("a", "b"), ("b", "c")]), (false, Some("c".into())));
    }
}
