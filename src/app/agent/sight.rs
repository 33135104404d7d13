//! What a session saw of a file, kept from one call to the next. A text with what looks like a secret is never kept.

use super::event::Event;
use crate::app::{BaseChoice, Session, Target};
use crate::facts::is_secret;
use crate::io::sessions::{self, Sight};
use chrono::NaiveDate;
use std::sync::Arc;

/// What `event`'s session saw of a file before this call.
pub(super) fn load(session: &Session, event: &Event, target: &Target) -> Sight {
    let seen = sessions::load(&session.state, &event.session, &target.real);
    seen.unwrap_or_else(|| Sight { path: target.real.clone(), ..Sight::default() })
}

/// Keeps `sight`, if anything of it has changed. That it cannot be kept costs precision and no more: the baseline is known anyway.
pub(super) fn keep(session: &Session, event: &Event, old: &Sight, mut sight: Sight) {
    for text in [&mut sight.start, &mut sight.before, &mut sight.note] {
        *text = text.take().filter(|text| !text.lines().any(is_secret));
    }
    if *old != sight {
        let _ = sessions::save(&session.state, &event.session, &sight);
    }
}

/// What the file is compared with after an edit.
pub(super) fn base(start: Option<&String>, before: Option<&String>, today: NaiveDate) -> BaseChoice {
    let text = |text: Option<&String>| text.map(|text| Arc::from(text.as_str()));
    BaseChoice::Seen { start: text(start), before: text(before), today }
}
