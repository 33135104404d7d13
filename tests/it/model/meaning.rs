//! What a group of records means: an obvious, slow model of order and status.
//!
//! In: the records of one fact as a person sees them (word, dates, tag), in the order of the file, and the day. Out: [`Told`]: what
//! holds, what held, what replaced what. It is written from the format's description and shares nothing with the library; where the
//! description is silent the model says nothing, too.

/// A date as it may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    Day(i32, u32, u32),
    Month(i32, u32),
    Year(i32),
    Session(u32),
    /// `Feb 12`: a day of no year.
    NoYear(u32),
    /// `03/04/2026`, and no setting that tells which is the month.
    Ambiguous(i32),
}

/// A day as a number that grows with time.
pub(super) fn day_number(year: i32, month: u32, day: u32) -> i32 {
    (year * 12 + month as i32 - 1) * 31 + day as i32 - 1
}

impl When {
    /// What it stands for: a kind (days or sessions), the first number in it and the first behind it. `None`: it orders nothing.
    fn span(self) -> Option<(u8, i32, i32)> {
        match self {
            Self::Day(year, month, day) => Some((0, day_number(year, month, day), day_number(year, month, day) + 1)),
            Self::Month(year, month) => Some((0, day_number(year, month, 1), day_number(year, month + 1, 1))),
            Self::Year(year) => Some((0, day_number(year, 1, 1), day_number(year + 1, 1, 1))),
            Self::Session(number) => Some((1, number as i32, number as i32 + 1)),
            Self::NoYear(_) | Self::Ambiguous(_) => None,
        }
    }

    fn is_after(self, other: Self) -> bool {
        matches!((self.span(), other.span()), (Some((a, start, _)), Some((b, _, end))) if a == b && start >= end)
    }
}

/// What a record's tag says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    None,
    /// `[historical]` and no more.
    Bare,
    /// `[historical] replaced by: WORD as of WHEN`
    Replaced(usize, Option<When>),
    Ended,
    Removed,
    Retracted,
    Scheduled,
}

/// One record of the fact.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Its value: the same word is the same value.
    pub(super) word: usize,
    pub(super) since: Option<When>,
    pub(super) source: Option<When>,
    /// Who said it; the same teller at the same date is the same source.
    pub(super) teller: usize,
    pub(super) until: Option<When>,
    pub(super) mark: Mark,
}

impl Line {
    /// The date that orders it: since when it is true, else when it was said.
    fn date(&self) -> Option<When> {
        self.since.or(self.source).filter(|when| when.span().is_some())
    }

    fn is_open(&self) -> bool {
        matches!(self.mark, Mark::None | Mark::Scheduled)
    }

    fn is_history(&self) -> bool {
        matches!(self.mark, Mark::Bare | Mark::Replaced(..))
    }
}

/// How the records are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Pipe,
    KeyValue,
    Row,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Current,
    Historical,
    Ended,
    Removed,
    Retracted,
    Scheduled,
}

/// Whether the group can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Settled,
    /// Nothing says which of several holds.
    TwoCurrent,
    /// Dates and tags contradict each other.
    Broken,
    /// Dates and tags contradict each other for some records, and others could stand last: the description decides nothing.
    Open,
    /// Two values from one source.
    SameSource,
    /// All is history, and the last did not end.
    AllTagged,
}

/// What the model says.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) verdict: Verdict,
    /// For each record; `None` where the verdict leaves it open.
    pub(super) status: Vec<Option<Status>>,
    /// For each record: which one replaced it, where that is certain.
    pub(super) next: Vec<Option<usize>>,
}

/// Reads the records of one fact on the day `today` (see [`day_number`]).
pub(super) fn tell(shape: Shape, lines: &[Line], today: i32) -> Told {
    let dangles = lines.iter().any(|line| matches!(line.mark, Mark::Replaced(word, _) if lines.iter().all(|other| other.word != word)));
    let mut told = Told { verdict: Verdict::Settled, status: vec![None; lines.len()], next: vec![None; lines.len()] };
    let is_future = |line: &Line| line.since.and_then(When::span).is_some_and(|(kind, start, _)| kind == 0 && start > today);
    // A tag that names a value speaks of the record that holds already, if there is one.
    let named = |word: usize| {
        lines.iter().any(|line| matches!(line.mark, Mark::Replaced(other, _) if other == word))
            && lines.iter().all(|line| line.word != word || is_future(line))
    };
    let is_scheduled = |line: &Line| line.is_open() && is_future(line) && !named(line.word);
    for (idx, line) in lines.iter().enumerate() {
        told.status[idx] = match line.mark {
            Mark::Bare | Mark::Replaced(..) => Some(Status::Historical),
            Mark::Ended => Some(Status::Ended),
            Mark::Removed => Some(Status::Removed),
            Mark::Retracted => Some(Status::Retracted),
            Mark::None | Mark::Scheduled => is_scheduled(line).then_some(Status::Scheduled),
        };
    }
    // What was never true and what is not yet true replaces nothing.
    let taking_part: Vec<usize> =
        (0..lines.len()).filter(|&idx| !is_scheduled(&lines[idx]) && lines[idx].mark != Mark::Retracted).collect();
    let order = arrival(lines, &taking_part);
    let has_tags = lines.iter().any(|line| matches!(line.mark, Mark::Replaced(..)));
    let open: Vec<usize> = order.iter().copied().filter(|&idx| lines[idx].is_open()).collect();
    let Some(&last) = open.last() else {
        let is_over = |idx: &usize| !lines[*idx].is_history();
        // What was ended, removed or never true may stand last.
        let ends = order.iter().any(is_over) || lines.iter().any(|line| line.mark == Mark::Retracted);
        told.verdict = match () {
            () if dangles => Verdict::Broken,
            // Which of them is last is told by no more than the tags.
            () if has_tags || ends => Verdict::Open,
            () if order.is_empty() => Verdict::Settled,
            () => Verdict::AllTagged,
        };
        return told;
    };
    if has_one_source(lines, &open) {
        told.verdict = Verdict::SameSource;
        return told;
    }
    // A value whose day has come goes behind the one it stands above; where dates do not say so, its tag alone does.
    let is_apart = |a: usize, b: usize| matches!((lines[a].date(), lines[b].date()), (Some(a), Some(b)) if a.is_after(b) || b.is_after(a));
    let mut due = taking_part.iter().filter(|&&idx| lines[idx].mark == Mark::Scheduled);
    if due.any(|&idx| taking_part.iter().any(|&other| other != idx && !is_apart(idx, other))) {
        told.verdict = Verdict::Open;
        return told;
    }
    if dangles {
        told.verdict = Verdict::Broken;
        return told;
    }
    let is_later = |a: usize, b: usize| matches!((lines[a].date(), lines[b].date()), (Some(a), Some(b)) if a.is_after(b));
    let contradicted = |open: usize| taking_part.iter().any(|&idx| !lines[idx].is_open() && is_later(idx, open));
    if shape == Shape::KeyValue && has_tags && !tags_are_a_chain(lines) {
        told.verdict = Verdict::Open;
        return told;
    }
    if shape == Shape::KeyValue && !are_ordered(lines, &open) {
        if open.iter().any(|&idx| contradicted(idx)) {
            told.verdict = Verdict::Open;
            return told;
        }
        // One value of several lines is ordered by any of them, and the description does not say by which.
        let stands_once = |&idx: &usize| open.iter().filter(|&&other| lines[other].word == lines[idx].word).count() == 1;
        told.verdict = if open.iter().all(stands_once) { Verdict::TwoCurrent } else { Verdict::Open };
        return told;
    }
    if open.iter().any(|&idx| contradicted(idx)) {
        let all = open.iter().all(|&idx| contradicted(idx));
        told.verdict = if all { Verdict::Broken } else { Verdict::Open };
        return told;
    }
    // Of the open ones the last holds, with its equals directly above it; the others are history.
    let ended = lines[last].until.and_then(When::span).is_some_and(|(_, _, end)| end <= today);
    for &idx in &open {
        told.status[idx] = match holds(shape, lines, &order, idx, last) {
            Some(true) if ended => Some(Status::Ended),
            Some(true) => Some(Status::Current),
            Some(false) => Some(Status::Historical),
            None => None,
        };
    }
    told.next = successors(shape, lines, &order, last);
    told
}

/// Whether the open record `idx` is the version that `last` is; `None` where a tagged record stands perhaps between them.
fn holds(shape: Shape, lines: &[Line], order: &[usize], idx: usize, last: usize) -> Option<bool> {
    let place = |of: usize| order.iter().position(|&other| other == of).expect("both take part");
    if idx == last {
        return Some(true);
    }
    if lines[idx].word != lines[last].word
        || order[place(idx)..place(last)].iter().any(|&other| lines[other].is_open() && lines[other].word != lines[last].word)
    {
        return Some(false);
    }
    let tagged = order.iter().filter(|&&other| !lines[other].is_open());
    if tagged.clone().any(|&other| lines[other].word == lines[last].word) {
        return None;
    }
    match shape {
        _ if tagged.clone().count() == 0 => Some(true),
        // Their places are their order, if no tag stands against it.
        Shape::Pipe | Shape::Row if order.last() == Some(&last) => Some(!tagged.into_iter().any(|&other| place(other) > place(idx))),
        _ => None,
    }
}

/// True where each tag names another value, and none of them leads back: then tags alone can order their records.
fn tags_are_a_chain(lines: &[Line]) -> bool {
    let stands_once = |word: usize| lines.iter().filter(|line| line.word == word).count() == 1;
    let target = |word: usize| {
        lines.iter().find_map(|line| match line.mark {
            Mark::Replaced(next, _) if line.word == word => Some(next),
            _ => None,
        })
    };
    let is_named_once = |word: usize| lines.iter().filter(|line| matches!(line.mark, Mark::Replaced(next, _) if next == word)).count() <= 1;
    lines.iter().all(|line| {
        let mut at = line.word;
        let leads_out = (0..lines.len()).any(|_| match target(at) {
            Some(next) => {
                at = next;
                false
            }
            None => true,
        });
        leads_out && stands_once(line.word) && is_named_once(line.word)
    })
}

/// The one insertion: by place, and before the first that is provably later.
fn arrival(lines: &[Line], taking_part: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    for &idx in taking_part {
        let is_later = |&other: &usize| matches!((lines[other].date(), lines[idx].date()), (Some(a), Some(b)) if a.is_after(b));
        let at = order.iter().position(is_later).unwrap_or(order.len());
        order.insert(at, idx);
    }
    order
}

/// Two values from one source that has a date, of whatever kind, or a session.
fn has_one_source(lines: &[Line], open: &[usize]) -> bool {
    let is_told_apart = |a: &Line, b: &Line| matches!((a.since, b.since), (Some(a), Some(b)) if a.is_after(b) || b.is_after(a));
    let is_same =
        |a: &Line, b: &Line| a.word != b.word && !is_told_apart(a, b) && a.teller == b.teller && a.source.is_some() && a.source == b.source;
    open.iter().any(|&a| open.iter().any(|&b| is_same(&lines[a], &lines[b])))
}

/// Every two different values of key-value records are ordered by what is written.
fn are_ordered(lines: &[Line], open: &[usize]) -> bool {
    // A date that cannot be read with certainty is a date all the same: its record is not undated.
    let is_undated = |idx: usize| lines[idx].since.is_none() && lines[idx].source.is_none();
    let is_ordered = |a: usize, b: usize| match (lines[a].date(), lines[b].date()) {
        (Some(first), Some(second)) => first.is_after(second) || second.is_after(first) || first == second,
        (None, Some(_)) => a < b && is_undated(a),
        (Some(_), None) => b < a && is_undated(b),
        (None, None) => false,
    };
    open.iter().all(|&a| open.iter().all(|&b| lines[a].word == lines[b].word || is_ordered(a, b)))
}

/// Which record replaced which, where the description leaves no doubt: where the order of the insertion needs no tag to be mended,
/// and, for key-value records, where written dates alone give it.
fn successors(shape: Shape, lines: &[Line], order: &[usize], last: usize) -> Vec<Option<usize>> {
    let mut next = vec![None; lines.len()];
    let is_certain = match shape {
        Shape::Pipe | Shape::Row => order.last() == Some(&last),
        Shape::KeyValue => order.windows(2).all(|pair| {
            let [a, b] = [&lines[pair[0]], &lines[pair[1]]];
            matches!((a.date(), b.date()), (Some(a), Some(b)) if b.is_after(a)) || (pair[1] == last && order.len() == 2)
        }),
    };
    if is_certain {
        for (at, &idx) in order.iter().enumerate() {
            next[idx] = order[at + 1..].iter().copied().find(|&other| lines[other].word != lines[idx].word);
        }
    }
    next
}

/// True where a date that stands in a tag cannot be the one that is written in the successor.
pub(super) fn contradicts(tag: When, successor: &Line) -> bool {
    successor.since.or(successor.source).is_some_and(|when| tag.is_after(when) || when.is_after(tag))
}
