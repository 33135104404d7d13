//! The table of rules.

use super::context::Look;
use crate::diagnostic::RuleInfo;

/// A rule: what is known of it, and how it looks.
pub struct Rule {
    /// Name, weight, page.
    pub info: &'static RuleInfo,
    /// What it looks at, mostly one thing.
    pub looks: &'static [Look],
}

macro_rules! rules {
    ($($module:ident),* $(,)?) => {
        /// All rules: what stops all work first, then a file by itself, then against its baseline, then beside other files.
        pub static RULES: &[Rule] = &[$(Rule { info: &super::$module::INFO, looks: super::$module::LOOKS }),*];
    };
}

rules![
    conflict_markers,
    mass_loss,
    elided,
    untagged_historical,
    missing_successor,
    wrong_successor,
    current_not_last,
    current_tagged,
    scheduled_untagged,
    scheduled_due,
    two_current,
    same_source,
    broken_chain,
    repeat,
    multi_claim,
    relative_date,
    ambiguous_date,
    invalid_date,
    bad_tag,
    tag_on_heading,
    ragged_row,
    hidden_characters,
    possible_secret,
    pasted_context,
    over_budget,
    current_outside_window,
    overwritten,
    deleted,
    history_edited,
    stale_source,
    statement_changed,
    draft,
    cross_file_conflict,
    unmanaged_change,
    unused_suppression,
];

/// The rule with this name.
pub fn find(name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.info.name == name)
}

/// The name most like `name`, for a message.
pub fn nearest(name: &str) -> Option<&'static str> {
    let ranked = RULES.iter().map(|rule| (strsim::jaro_winkler(name, rule.info.name), rule.info.name));
    ranked.filter(|(likeness, _)| *likeness > 0.75).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_slip_is_understood() {
        assert_eq!((nearest("overwriten"), nearest("two_current"), nearest("x")), (Some("overwritten"), Some("two-current"), None));
        // Three letters of twelve, in their order, are three quarters alike: too little.
        assert_eq!(nearest("rok"), None);
    }
}
