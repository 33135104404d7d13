//! The words of the tags that memfile writes (SPEC 5).

use crate::config::TagLanguage;

/// What a written tag says. WHEN is the date as written, or ISO.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    /// Replaced by VALUE.
    Replaced {
        /// VALUE, ready for the tag.
        value: String,
        /// WHEN, if it is known.
        when: Option<String>,
    },
    /// Ended without a successor.
    Ended(Option<String>),
    /// Deleted by someone, put back.
    Removed(Option<String>),
    /// Never true.
    Retracted(Option<String>),
    /// Will hold.
    Scheduled(Option<String>),
    /// Erased.
    Redacted(Option<String>),
}

/// The status in its bracket, and the rest of the tag with the blank before it (empty where there is no rest).
pub fn tag_words(mark: &Mark, reason: Option<&str>, language: TagLanguage) -> (&'static str, String) {
    let ru = language == TagLanguage::Ru;
    let dated = |lead: &str, when: &Option<String>| when.as_ref().map_or(String::new(), |when| [" ", lead, when].concat());
    let (status, mut rest) = match mark {
        Mark::Replaced { value, when } => {
            let lead = if ru { "заменено на" } else { "replaced by" };
            let as_of = if ru { "от " } else { "as of " };
            ("[historical]", [" ", lead, ": ", value, &dated(as_of, when)].concat())
        }
        Mark::Ended(when) if ru => ("[historical]", when.as_ref().map_or(" завершено".into(), |when| format!(" завершено {when}"))),
        Mark::Removed(when) if ru => ("[historical]", when.as_ref().map_or(" удалено".into(), |when| format!(" удалено {when}"))),
        Mark::Ended(when) => ("[historical]", format!(" ended{}", dated("as of ", when))),
        Mark::Removed(when) => ("[historical]", format!(" removed{}", dated("as of ", when))),
        Mark::Retracted(when) => ("[retracted]", dated(if ru { "" } else { "as of " }, when)),
        Mark::Scheduled(when) => ("[scheduled]", dated(if ru { "с " } else { "as of " }, when)),
        Mark::Redacted(when) => ("[redacted]", dated(if ru { "" } else { "as of " }, when)),
    };
    if let Some(reason) = reason {
        rest.push_str(": ");
        rest.push_str(reason);
    }
    (status, rest)
}
