//! The commands that only read: `now`, `history`, `as-of`, `diff`, `search`, `why`, `present`.

use super::args::{AnswerFormat, AsOfArgs, DiffArgs, HistoryArgs, NowArgs, Order, PresentArgs, ReadArgs, SearchArgs, TagForm, WhyArgs};
use super::{CLEAN, Ended, FOUND, print, say};
use crate::app::Session;
use crate::app::asking::{Asked, Presented, Question, Unanswered};
use crate::io::clock;
use crate::query::Clock;

/// `memfile now [KEY]`
pub(super) fn now(session: &Session, args: &NowArgs) -> Ended {
    answer(session, &args.read, Question::Now { key: args.key.as_deref() })
}

/// `memfile history KEY`
pub(super) fn history(session: &Session, args: &HistoryArgs) -> Ended {
    answer(session, &args.read, Question::History { key: &args.key, clock: args.order.into(), git: args.git })
}

/// `memfile as-of DATE [KEY]`
pub(super) fn as_of(session: &Session, args: &AsOfArgs) -> Ended {
    answer(session, &args.read, Question::AsOf { date: &args.date, key: args.key.as_deref(), clock: args.clock.into() })
}

/// `memfile diff DATE DATE`
pub(super) fn diff(session: &Session, args: &DiffArgs) -> Ended {
    answer(session, &args.read, Question::Diff { from: &args.from, to: &args.to, clock: args.clock.into() })
}

/// `memfile search WORDS…`
pub(super) fn search(session: &Session, args: &SearchArgs) -> Ended {
    answer(session, &args.read, Question::Search { words: &args.words.join(" ") })
}

/// `memfile why KEY`
pub(super) fn why(session: &Session, args: &WhyArgs) -> Ended {
    answer(session, &args.read, Question::Why { key: &args.key })
}

/// `memfile present`: on stdout the block and nothing else.
pub(super) fn present(session: &Session, args: &PresentArgs) -> Ended {
    let wanted = Presented {
        question: args.question.as_deref(),
        limit: args.limit,
        max_tokens: args.max_tokens,
        rules: args.rules,
        full_tags: args.tags == TagForm::Full,
    };
    answer(session, &args.read, Question::Present(wanted))
}

impl From<Order> for Clock {
    fn from(order: Order) -> Self {
        match order {
            Order::Effective => Self::Effective,
            Order::Recorded => Self::Recorded,
        }
    }
}

/// Prints the answer; a key that means nothing is said and ends with 1.
fn answer(session: &Session, args: &ReadArgs, question: Question) -> Ended {
    let today = clock::today(args.today).map_err(|error| error.to_string())?;
    let dated = args.format == AnswerFormat::Json;
    let reply = match session.ask(&Asked { file: args.file.as_deref(), today, question, dated }) {
        Ok(reply) => reply,
        Err(Unanswered::Key(error)) => {
            say(&format!("memfile: {}", crate::report::visible(&error.to_string())));
            return Ok(FOUND);
        }
        Err(error) => return Err(error.to_string()),
    };
    match args.format {
        AnswerFormat::Json => print(reply.json().as_bytes())?,
        AnswerFormat::Text => {
            print(reply.text().as_bytes())?;
            say(&reply.freshness());
        }
    }
    Ok(CLEAN)
}
