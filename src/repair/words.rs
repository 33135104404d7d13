//! The words of the tags that memfile writes (SPEC 5).

use crate::config::TagLanguage;
use std::borrow::Cow;

/// What a written tag says. WHEN is the date as written, or ISO.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mark<'a> {
    /// Replaced by VALUE.
    Replaced {
        /// VALUE, ready for the tag.
        value: Cow<'a, str>,
        /// WHEN, if it is known.
        when: Option<Cow<'a, str>>,
    },
    /// Ended without a successor.
    Ended(Option<Cow<'a, str>>),
    /// Deleted by someone, put back.
    Removed(Option<Cow<'a, str>>),
    /// Never true.
    Retracted(Option<Cow<'a, str>>),
    /// Will hold.
    Scheduled(Option<Cow<'a, str>>),
    /// Erased.
    Redacted(Option<Cow<'a, str>>),
}

/// The status in its bracket, and the rest of the tag with the blank before it (empty where there is no rest).
pub fn tag_words(mark: &Mark, reason: Option<&str>, language: TagLanguage) -> (&'static str, String) {
    let (status, rest) = tag_parts(mark, reason, language);
    (status, rest.concat())
}

/// As [`tag_words`], the rest in pieces.
pub(super) fn tag_parts<'m>(mark: &'m Mark, reason: Option<&'m str>, language: TagLanguage) -> (&'static str, [&'m str; 6]) {
    let ru = language == TagLanguage::Ru;
    let (status, words, value, lead, when) = match mark {
        Mark::Replaced { value, when } if ru => ("[historical]", " заменено на: ", value.as_ref(), " от ", when),
        Mark::Replaced { value, when } => ("[historical]", " replaced by: ", value.as_ref(), " as of ", when),
        Mark::Ended(when) if ru => ("[historical]", " завершено", "", " ", when),
        Mark::Removed(when) if ru => ("[historical]", " удалено", "", " ", when),
        Mark::Ended(when) => ("[historical]", " ended", "", " as of ", when),
        Mark::Removed(when) => ("[historical]", " removed", "", " as of ", when),
        Mark::Retracted(when) => ("[retracted]", "", "", if ru { " " } else { " as of " }, when),
        Mark::Scheduled(when) => ("[scheduled]", "", "", if ru { " с " } else { " as of " }, when),
        Mark::Redacted(when) => ("[redacted]", "", "", if ru { " " } else { " as of " }, when),
    };
    let dated = when.as_deref().map_or(["", ""], |when| [lead, when]);
    let reasoned = reason.map_or(["", ""], |reason| [": ", reason]);
    (status, [words, value, dated[0], dated[1], reasoned[0], reasoned[1]])
}
