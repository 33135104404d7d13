//! What holds, what held, what changed, and why.

use super::super::Ended;
use super::super::args::{AnswerFormat, AsOfArgs, DiffArgs, HistoryArgs, NowArgs, Order, SearchArgs, WhyArgs};
use super::{date, fresh, with_file};
use crate::app::{Read, Session, Wanted};
use crate::query::{Chain, Clock, Moment, Version, diff as changes_between, matching, rank};
use crate::report::queries as report;
use crate::syntax::date::{Date, Written};

/// `memfile now [KEY]`
pub(in crate::app::cli) fn now(session: &Session, args: &NowArgs) -> Ended {
    with_file(
        session,
        &args.read,
        |wanted| Wanted { key: args.key.as_deref(), ..wanted },
        |read| {
            if args.read.format == AnswerFormat::Text {
                return Ok(report::now(&read.chains));
            }
            dated(session, read)?;
            Ok(report::now_json(&read.chains, fresh(read)))
        },
    )
}

/// `memfile history KEY`
pub(in crate::app::cli) fn history(session: &Session, args: &HistoryArgs) -> Ended {
    with_file(
        session,
        &args.read,
        |wanted| Wanted { key: Some(&args.key), git: args.git, ..wanted },
        |read| {
            dated(session, read)?;
            let mut versions: Vec<&Version> = read.chains.iter().flat_map(|chain| &chain.versions).collect();
            if args.order == Order::Recorded {
                by_record(&mut versions);
            }
            Ok(match args.read.format {
                AnswerFormat::Text => report::history(&versions),
                AnswerFormat::Json => report::history_json(&versions, fresh(read)),
            })
        },
    )
}

/// Orders versions by the day, else by the session, on which the memory learned them; those that neither orders keep their place
/// behind the one before.
fn by_record(versions: &mut Vec<&Version>) {
    let later = |a: &Version, b: &Version| match (a.recorded, b.recorded, a.said, b.said) {
        (Some(a), Some(b), ..) => a.first() >= b.past(),
        (_, _, Some(Written::Session(a)), Some(Written::Session(b))) => a > b,
        _ => false,
    };
    let mut placed: Vec<&Version> = Vec::with_capacity(versions.len());
    for version in std::mem::take(versions) {
        let at = placed.iter().position(|other| later(other, version)).unwrap_or(placed.len());
        placed.insert(at, version);
    }
    *versions = placed;
}

/// `memfile as-of DATE [KEY]`
pub(in crate::app::cli) fn as_of(session: &Session, args: &AsOfArgs) -> Ended {
    with_file(
        session,
        &args.read,
        |wanted| Wanted { key: args.key.as_deref(), ..wanted },
        |read| {
            let day = date(read, &args.date)?;
            dated(session, read)?;
            let moment = Moment::new(day, clock(args.clock), read.today);
            Ok(match args.read.format {
                AnswerFormat::Text => report::as_of(&read.chains, moment),
                AnswerFormat::Json => report::as_of_json(&read.chains, moment, &day.iso(), fresh(read)),
            })
        },
    )
}

/// `memfile diff DATE DATE`
pub(in crate::app::cli) fn diff(session: &Session, args: &DiffArgs) -> Ended {
    with_file(
        session,
        &args.read,
        |wanted| wanted,
        |read| {
            let (from, to) = (date(read, &args.from)?, date(read, &args.to)?);
            dated(session, read)?;
            let moment = |day: Date| Moment::new(day, clock(args.clock), read.today);
            let changes = changes_between(&read.chains, moment(from), moment(to));
            Ok(match args.read.format {
                AnswerFormat::Text => report::changes(&changes),
                AnswerFormat::Json => report::diff_json(&changes, fresh(read)),
            })
        },
    )
}

/// `memfile search WORDS…`
pub(in crate::app::cli) fn search(session: &Session, args: &SearchArgs) -> Ended {
    let words = args.words.join(" ");
    with_file(
        session,
        &args.read,
        |wanted| Wanted { statements: true, ..wanted },
        |read| {
            if args.read.format == AnswerFormat::Json {
                dated(session, read)?;
            }
            let found: Vec<&Version> = rank(&read.chains, &words).into_iter().flat_map(|idx| hits(&read.chains[idx], &words)).collect();
            Ok(match (args.read.format, found.is_empty()) {
                (AnswerFormat::Json, _) => report::search_json(&found, fresh(read)),
                (AnswerFormat::Text, true) => "nothing found\n".to_owned(),
                (AnswerFormat::Text, false) => report::facts(&found),
            })
        },
    )
}

/// What holds of a fact that was found, then its other versions with one of the words.
fn hits<'a>(chain: &'a Chain, words: &str) -> Vec<&'a Version> {
    let mut found: Vec<&Version> = chain.current().collect();
    found.extend(matching(chain, words).into_iter().map(|idx| &chain.versions[idx]));
    if found.is_empty() {
        found.extend(chain.head());
    }
    let mut told: Vec<&Version> = Vec::new();
    for version in found {
        if !told.iter().any(|other| std::ptr::eq(*other, version)) {
            told.push(version);
        }
    }
    told
}

/// `memfile why KEY`
pub(in crate::app::cli) fn why(session: &Session, args: &WhyArgs) -> Ended {
    with_file(
        session,
        &args.read,
        |wanted| Wanted { key: Some(&args.key), ..wanted },
        |read| {
            dated(session, read)?;
            let chain = read.chains.first().ok_or("the fact has no version")?;
            let version = chain.head().ok_or("the fact has no version")?;
            let origin = session.origins(read, vec![version.content.clone()]).map_err(|error| error.to_string())?;
            let origin = origin.into_iter().next().flatten().unwrap_or_default();
            let (commit, author) = (origin.commit.as_deref(), origin.author.as_deref());
            Ok(match args.read.format {
                AnswerFormat::Text => report::why(version, commit, author, &chain.versions),
                AnswerFormat::Json => report::why_json(version, commit, author, &chain.versions, fresh(read)),
            })
        },
    )
}

fn clock(order: Order) -> Clock {
    match order {
        Order::Effective => Clock::Effective,
        Order::Recorded => Clock::Recorded,
    }
}

/// Dates the versions that do not say when they were recorded.
fn dated(session: &Session, read: &mut Read) -> Result<(), String> {
    let mut chains = std::mem::take(&mut read.chains);
    let result = session.date(read, &mut chains).map_err(|error| error.to_string());
    read.chains = chains;
    result
}
