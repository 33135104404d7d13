//! The questions of SPEC 8 to one memory file: a question in, a reply out that tells itself as text or as JSON.
//!
//! Every door asks here, so that an answer is the same whoever gets it. Nothing is written.

use super::origins::Origin;
use super::reading::{Read, ReadError, Wanted};
use super::session::Session;
use crate::io::IoError;
use crate::query::{Block, Chain, Clock, KeyError, Moment, Version, Wish, dated_chains, diff, matching, present, rank};
use crate::report::queries::{self as report, Fresh};
use crate::report::visible;
use crate::syntax::date::{Date, Written, read_whole};
use crate::text::shell_word;
use chrono::NaiveDate;
use std::path::Path;

/// What is asked.
#[derive(Clone, Debug)]
pub(super) enum Question<'a> {
    /// What holds: of one fact, or of all.
    Now { key: Option<&'a str> },
    /// All versions of a fact, in the order of a clock; with `git` those that only the history of the file has, too.
    History { key: &'a str, clock: Clock, git: bool },
    /// What held on a day, or what the memory believed.
    AsOf { date: &'a str, key: Option<&'a str>, clock: Clock },
    /// What changed between two days.
    Diff { from: &'a str, to: &'a str, clock: Clock },
    /// Facts with these words.
    Search { words: &'a str },
    /// Where a fact comes from.
    Why { key: &'a str },
    /// The block for a model.
    Present(Presented<'a>),
}

/// What the block for a model should hold.
#[derive(Clone, Debug)]
pub(super) struct Presented<'a> {
    pub(super) question: Option<&'a str>,
    pub(super) limit: usize,
    pub(super) max_tokens: Option<usize>,
    pub(super) rules: bool,
    pub(super) full_tags: bool,
}

/// A question, the file it is put to, and the day.
#[derive(Clone, Debug)]
pub(super) struct Asked<'a> {
    /// The one memory file where there is none.
    pub(super) file: Option<&'a Path>,
    pub(super) today: NaiveDate,
    pub(super) question: Question<'a>,
    /// Every version tells when it was recorded, as JSON does; tables of what holds do without, and git is not asked.
    pub(super) dated: bool,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Unanswered {
    /// The key means no fact, or several.
    Key(KeyError),
    /// Which file is meant cannot be told.
    File(super::saving::TheFile),
    /// The world.
    Io(IoError),
    /// The question cannot be put like that.
    Usage(String),
}

impl From<ReadError> for Unanswered {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Key(error) => Self::Key(error),
            ReadError::File(error) => Self::File(error),
            ReadError::Io(error) => Self::Io(error),
        }
    }
}

impl From<IoError> for Unanswered {
    fn from(error: IoError) -> Self {
        Self::Io(error)
    }
}

impl std::fmt::Display for Unanswered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Key(error) => error.fmt(f),
            Self::File(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
            Self::Usage(sentence) => f.write_str(sentence),
        }
    }
}

/// An answer.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) read: Read,
    told: Told,
}

/// What is told of the chains that were read.
#[derive(Debug)]
enum Told {
    Now,
    History(Clock),
    AsOf(Date, Moment),
    Diff(Moment, Moment),
    Search(String),
    Why(Box<Version>, Origin),
    Present(Block),
}

impl Session {
    /// Answers a question.
    ///
    /// # Errors
    /// [`Unanswered`].
    pub(super) fn ask(&self, asked: &Asked) -> Result<Reply, Unanswered> {
        let plain = Wanted { file: asked.file, key: None, git: false, statements: false, today: asked.today };
        let mut read = self.read(&match asked.question {
            Question::Now { key } | Question::AsOf { key, .. } => Wanted { key, ..plain },
            Question::History { key, git, .. } => Wanted { key: Some(key), git, ..plain },
            Question::Why { key } => Wanted { key: Some(key), ..plain },
            Question::Search { .. } | Question::Present(_) => Wanted { statements: true, ..plain },
            Question::Diff { .. } => plain,
        })?;
        let told = match &asked.question {
            Question::Now { .. } => {
                self.dated(&mut read, asked.dated)?;
                Told::Now
            }
            Question::History { clock, .. } => {
                self.dated(&mut read, true)?;
                Told::History(*clock)
            }
            Question::AsOf { date, clock, .. } => {
                let day = read_date(&read, date)?;
                self.dated(&mut read, true)?;
                Told::AsOf(day, Moment::new(day, *clock, read.today))
            }
            Question::Diff { from, to, clock } => {
                let (from, to) = (read_date(&read, from)?, read_date(&read, to)?);
                self.dated(&mut read, true)?;
                Told::Diff(Moment::new(from, *clock, read.today), Moment::new(to, *clock, read.today))
            }
            Question::Search { words } => {
                self.dated(&mut read, asked.dated)?;
                Told::Search((*words).to_owned())
            }
            Question::Why { .. } => {
                self.dated(&mut read, true)?;
                let head = read.chains.first().and_then(Chain::head).cloned();
                let head = head.ok_or_else(|| Unanswered::Usage("the fact has no version".to_owned()))?;
                let origin = self.origins(&read, vec![head.content.clone()])?.into_iter().next().flatten();
                Told::Why(Box::new(head), origin.unwrap_or_default())
            }
            Question::Present(wanted) => Told::Present(self.block(&mut read, wanted)?),
        };
        Ok(Reply { read, told })
    }

    /// Dates the versions that do not say when they were recorded.
    fn dated(&self, read: &mut Read, wanted: bool) -> Result<(), IoError> {
        if !wanted {
            return Ok(());
        }
        let mut chains = std::mem::take(&mut read.chains);
        let result = self.date(read, &mut chains);
        read.chains = chains;
        result
    }

    fn block(&self, read: &mut Read, wanted: &Presented) -> Result<Block, IoError> {
        let mut chains = std::mem::take(&mut read.chains);
        // Statements among the facts where they stand; what only the archive or the baseline has comes last.
        let own = |version: &&Version| *version.file == *read.freshness.file;
        let line = |chain: &Chain| chain.versions.iter().filter(own).filter_map(|version| version.line).min();
        chains.sort_by_key(|chain| line(chain).unwrap_or(usize::MAX));
        let command = rest_command(&read.freshness.file, wanted.full_tags);
        let wish = Wish {
            question: wanted.question,
            limit: wanted.limit,
            max_tokens: wanted.max_tokens,
            rules: wanted.rules,
            full_tags: wanted.full_tags,
            command: &command,
        };
        // History is asked only for what the block can print.
        let numbers = dated_chains(&chains, &wish, read.today);
        let mut dated: Vec<Chain> = numbers.iter().map(|&number| chains[number].clone()).collect();
        self.date(read, &mut dated)?;
        numbers.into_iter().zip(dated).for_each(|(number, chain)| chains[number] = chain);
        Ok(present(&chains, &wish, read.today))
    }
}

impl Reply {
    /// The answer for people; what stands in a file is in its visible form.
    pub(super) fn text(&self) -> String {
        let chains = &self.read.chains;
        match &self.told {
            Told::Now => report::now(chains),
            Told::History(clock) => report::history(&versions(chains, *clock)),
            Told::AsOf(_, moment) => report::as_of(chains, *moment),
            Told::Diff(from, to) => report::changes(&diff(chains, *from, *to)),
            Told::Search(words) => match found(chains, words) {
                none if none.is_empty() => "nothing found\n".to_owned(),
                found => report::facts(&found),
            },
            Told::Why(head, origin) => {
                report::why(head, origin.commit.as_deref(), origin.author.as_deref(), chains.first().map_or(&[], |chain| &chain.versions))
            }
            Told::Present(block) => visible(&block.text).into_owned(),
        }
    }

    /// The answer for programs.
    pub(super) fn json(&self) -> String {
        let (chains, fresh) = (&self.read.chains, self.fresh());
        match &self.told {
            Told::Now => report::now_json(chains, fresh),
            Told::History(clock) => report::history_json(&versions(chains, *clock), fresh),
            Told::AsOf(day, moment) => report::as_of_json(chains, *moment, &day.iso(), fresh),
            Told::Diff(from, to) => report::diff_json(&diff(chains, *from, *to), fresh),
            Told::Search(words) => report::search_json(&found(chains, words), fresh),
            Told::Why(head, origin) => {
                let chain = chains.first().map_or(&[][..], |chain| &chain.versions);
                report::why_json(head, origin.commit.as_deref(), origin.author.as_deref(), chain, fresh)
            }
            Told::Present(block) => report::present_json(&visible(&block.text), block.shown, block.cut, fresh),
        }
    }

    /// One line on how far the answer can be trusted; for a file of which nothing is managed, how to change that.
    pub(super) fn freshness(&self) -> String {
        let name = self.read.freshness.file.as_str();
        if self.read.is_managed || self.read.freshness.pending > 0 {
            report::freshness(self.fresh())
        } else {
            format!("{name}: no managed text; `memfile adopt {name} --heading HEADING` puts a section under memfile's care")
        }
    }

    fn fresh(&self) -> Fresh<'_> {
        let freshness = &self.read.freshness;
        Fresh {
            file: &freshness.file,
            text: &freshness.text,
            base: freshness.base.as_deref(),
            pending: freshness.pending,
            is_current: freshness.pending == 0,
        }
    }
}

/// A date in any form that a file may hold.
fn read_date(read: &Read, text: &str) -> Result<Date, Unanswered> {
    let sentence = match read_whole(text, read.found.config.date_order) {
        Some(Written::Date(date)) => return Ok(date),
        Some(Written::Ambiguous) => format!("`{text}`: which field is the day? Write it as YYYY-MM-DD"),
        Some(Written::Yearless) => format!("`{text}` has no year"),
        _ => format!("`{text}` is no date; write it as YYYY, YYYY-MM or YYYY-MM-DD"),
    };
    Err(Unanswered::Usage(sentence))
}

/// All versions, in the order of a clock: in file order, else by the day or the session on which the memory learned them, where
/// those that neither orders keep their place behind the one before.
fn versions(chains: &[Chain], clock: Clock) -> Vec<&Version> {
    let all = chains.iter().flat_map(|chain| &chain.versions);
    if clock == Clock::Effective {
        return all.collect();
    }
    let later = |a: &Version, b: &Version| match (a.recorded, b.recorded, a.said, b.said) {
        (Some(a), Some(b), ..) => a.first() >= b.past(),
        (_, _, Some(Written::Session(a)), Some(Written::Session(b))) => a > b,
        _ => false,
    };
    let mut placed: Vec<&Version> = Vec::new();
    for version in all {
        let at = placed.iter().position(|other| later(other, version)).unwrap_or(placed.len());
        placed.insert(at, version);
    }
    placed
}

/// The versions that `words` find, the best facts first.
fn found<'a>(chains: &'a [Chain], words: &str) -> Vec<&'a Version> {
    rank(chains, words).into_iter().flat_map(|idx| hits(&chains[idx], words)).collect()
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

/// The command that shows the rest of a block: `present` without its limits.
fn rest_command(file: &str, full_tags: bool) -> String {
    let tags = if full_tags { " --tags full" } else { "" };
    format!("memfile present{tags} -f {}", shell_word(file))
}
