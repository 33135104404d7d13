//! What a value says of itself: whether it may be shown, and how many claims it makes.

use crate::facts::{is_secret, tag_value_of};
use std::borrow::Cow;

/// A value for a message; none where it must not be shown.
pub(super) fn shown(value: &str) -> Option<Cow<'_, str>> {
    (!value.is_empty() && !is_secret(value)).then(|| tag_value_of(value, false))
}

/// How many claims a value makes: parts behind semicolons, or behind commas where the parameter names several things.
pub(super) fn claims(value: &str, parameter: &str) -> usize {
    // Most make one.
    if !value.bytes().any(|byte| matches!(byte, b';' | b',')) {
        return 1;
    }
    let code = value.contains('`');
    let parts = |mark: &str| value.split(mark).filter(|part| !part.trim().is_empty()).count();
    if !code && value.contains("; ") {
        return parts("; ");
    }
    let joins = |word: &str| word == "&" || word == "и" || word == "И" || word.eq_ignore_ascii_case("and");
    // A word that joins has one before and one behind it.
    let inner = parameter.find(' ').zip(parameter.rfind(' '));
    let several = inner.is_some_and(|(first, last)| parameter[first..last].split(' ').any(joins));
    if several && !code { parts(", ") } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_counted_where_the_parameter_names_several() {
        for (value, parameter, count) in [
            ("Tove, Ines", "Lead & deputy", 2),
            ("Tove, Ines", "Lead AND deputy", 2),
            ("Анна, Олег", "Повар и пекарь", 2),
            ("Анна, Олег", "ПОВАР И ПЕКАРЬ", 2),
            ("Tove, Ines", "Leads", 1),
            ("Tove, Ines", "Andy or deputy", 1),
            ("Tove, Ines", "and deputy", 1),
            ("`a, b`", "Lint and test", 1),
            ("red; green; ", "Colour", 2),
        ] {
            assert_eq!(claims(value, parameter), count, "{parameter}: {value}");
        }
    }
}
