//! The block that a model gets (SPEC 10): which records, in which room, and how each is printed.

use super::question::Shift;
use super::rank::rank;
use super::version::{Chain, Standing, Version};
use crate::facts::escape_bars;
use crate::syntax::date::Date;
use chrono::NaiveDate;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Wish<'a> {
    /// The question that ranks the facts.
    pub question: Option<&'a str>,
    /// At most this many records.
    pub limit: usize,
    /// At most this many tokens, by [`tokens`].
    pub max_tokens: Option<usize>,
    /// With the rules for answering.
    pub rules: bool,
    /// With the tags of the file; else bare ones.
    pub full_tags: bool,
    /// The command that shows more, without its limit.
    pub command: &'a str,
}

/// The block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Its text, with a final newline.
    pub text: String,
    /// Records in it.
    pub shown: usize,
    /// Records that could be in it and are not.
    pub cut: usize,
}

/// An upper estimate of the tokens of `text`: the larger of its words and a quarter of its characters. Tokenizers differ by
/// model, and none belongs to this file; for prose and records in English and Russian the common ones stay below it or near it.
pub fn tokens(text: &str) -> usize {
    text.split_whitespace().count().max(text.chars().count().div_ceil(4))
}

const RULES: &str = "\
Answer from these facts only; where they do not say, say that it is not known.
For what holds now use the records without a tag; [scheduled] ones do not hold yet.
For what held before use the [historical] ones, the nearest above the current one first.
";

/// Makes the block of `chains`, which are in file order.
pub fn present(chains: &[Chain], wish: &Wish, today: NaiveDate) -> Block {
    let picked = Picked::new(chains, wish, today);
    let total = chains.iter().flat_map(|chain| &chain.versions).filter(|version| is_shown(version)).count();
    let mut chosen: Vec<Vec<usize>> = vec![Vec::new(); chains.len()];
    let mut shown = 0;
    let mut room = wish.max_tokens.map(|most| Room::new(most, chains, wish, total));
    for (chain, version) in picked.order {
        if shown == wish.limit {
            break;
        }
        let row = row(chains, chain, version, true, wish, picked.why);
        if room.as_mut().is_none_or(|room| room.takes(&row)) {
            chosen[chain].push(version);
            shown += 1;
        }
    }
    chosen.iter_mut().for_each(|versions| versions.sort_unstable());
    let text = print(chains, &chosen, wish, picked.why, total - shown);
    Block { text, shown, cut: total - shown }
}

/// The chains whose dates the block of `wish` could print or rank by: all of them, or only those that get room.
pub fn dated_chains(chains: &[Chain], wish: &Wish, today: NaiveDate) -> Vec<usize> {
    let asks_time = wish.question.is_some_and(|question| Shift::of(question).during.is_some());
    if asks_time || wish.max_tokens.is_some() {
        return (0..chains.len()).collect();
    }
    let mut numbers: Vec<usize> = Picked::new(chains, wish, today).order.into_iter().take(wish.limit).map(|(chain, _)| chain).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Retracted and redacted records never appear.
fn is_shown(version: &Version) -> bool {
    !matches!(version.standing, Standing::Retracted | Standing::Redacted)
}

/// The records in the order in which they get room.
struct Picked {
    order: Vec<(usize, usize)>,
    why: bool,
}

impl Picked {
    fn new(chains: &[Chain], wish: &Wish, today: NaiveDate) -> Self {
        let Some(question) = wish.question else {
            let order = (0..chains.len())
                .flat_map(|idx| by_nearness(&chains[idx], Shift::default(), today).into_iter().map(move |version| (idx, version)));
            return Self { order: order.collect(), why: false };
        };
        let shift = Shift::of(question);
        let ranked = rank(chains, question);
        let whole = |idx: &usize| {
            let idx = *idx;
            by_nearness(&chains[idx], shift, today).into_iter().map(move |version| (idx, version)).collect::<Vec<_>>()
        };
        let mut order: Vec<(usize, usize)> = ranked.iter().flat_map(whole).collect();
        // What the question does not speak of fills the room with what holds, without history.
        let is_ranked = {
            let mut is = vec![false; chains.len()];
            ranked.iter().for_each(|&idx| is[idx] = true);
            is
        };
        for (idx, chain) in chains.iter().enumerate().filter(|(idx, _)| !is_ranked[*idx]) {
            let holds = |version: &usize| chain.versions[*version].standing == Standing::Current;
            order.extend((0..chain.versions.len()).filter(holds).map(|version| (idx, version)));
        }
        if shift.now {
            // What holds first, of all facts that were picked; their history where there is room.
            order.sort_by_key(|&(chain, version)| is_ranked[chain] && chains[chain].versions[version].standing != Standing::Current);
        }
        Self { order, why: shift.why }
    }
}

/// The versions of a chain in the order in which they get room: the current one, then its nearest history, unless the question
/// asks for another first.
fn by_nearness(chain: &Chain, shift: Shift, today: NaiveDate) -> Vec<usize> {
    let shown: Vec<usize> = (0..chain.versions.len()).filter(|&idx| is_shown(&chain.versions[idx])).collect();
    let standing = |idx: usize| chain.versions[idx].standing;
    let current = shown.iter().rposition(|&idx| standing(idx) == Standing::Current);
    let head = current.or_else(|| shown.iter().rposition(|&idx| standing(idx) != Standing::Scheduled)).unwrap_or(0);
    let during = shift.during.map_or(Vec::new(), |date| held_in(chain, date, today));
    let key = |at: usize| {
        let idx = shown[at];
        let asked = (shift.before && at + 1 == head)
            || (shift.first && at == 0)
            || (shift.later && standing(idx) == Standing::Scheduled)
            || (shift.ended && matches!(standing(idx), Standing::Ended | Standing::Removed))
            || during.contains(&idx);
        let holds = standing(idx) == Standing::Current;
        // Asked for, then what holds, then the nearest; at the same distance the later one.
        (!asked, !holds, at.abs_diff(head), std::cmp::Reverse(at))
    };
    let mut places: Vec<usize> = (0..shown.len()).collect();
    places.sort_by_key(|&at| key(at));
    places.into_iter().map(|at| shown[at]).collect()
}

/// The versions that held, or could have, on some day of `date`.
fn held_in(chain: &Chain, date: Date, today: NaiveDate) -> Vec<usize> {
    let start = |version: &Version| version.effective.or(version.recorded).map(Date::first);
    let versions = &chain.versions;
    let ends = |idx: usize| {
        let own = versions[idx].as_of.or(versions[idx].until).map(Date::first).filter(|_| versions[idx].standing.is_past());
        let next = versions[idx + 1..].iter().filter(|version| is_shown(version)).find_map(start);
        own.or(next).or((versions[idx].standing.is_past()).then_some(today))
    };
    let held = |&idx: &usize| {
        let begun = start(&versions[idx]).is_some_and(|start| start < date.past());
        begun && ends(idx).is_none_or(|end| end > date.first())
    };
    (0..versions.len()).filter(held).collect()
}

/// The tokens that are left: words and characters are counted apart, so that the estimate is that of the whole.
struct Room {
    words: usize,
    chars: usize,
    most: usize,
}

impl Room {
    fn new(most: usize, chains: &[Chain], wish: &Wish, total: usize) -> Self {
        let frame = print(chains, &vec![Vec::new(); chains.len()], wish, false, total.max(1));
        // The line above the records names a subject where there is one only.
        let subject =
            chains.iter().filter_map(|chain| chain.subject.as_deref()).max_by_key(|subject| subject.chars().count()).unwrap_or("");
        let frame = format!("{frame} about {subject}");
        Self { words: frame.split_whitespace().count(), chars: frame.chars().count(), most }
    }

    fn takes(&mut self, row: &str) -> bool {
        let (words, chars) = (self.words + row.split_whitespace().count(), self.chars + row.chars().count());
        let fits = words.max(chars.div_ceil(4)) <= self.most;
        if fits {
            (self.words, self.chars) = (words, chars);
        }
        fits
    }
}

fn print(chains: &[Chain], chosen: &[Vec<usize>], wish: &Wish, why: bool, cut: usize) -> String {
    let mut subjects: Vec<Option<&str>> = Vec::new();
    for (chain, _) in chains.iter().zip(chosen).filter(|(_, versions)| !versions.is_empty()) {
        if !subjects.contains(&chain.subject.as_deref()) {
            subjects.push(chain.subject.as_deref());
        }
    }
    let only = match subjects.as_slice() {
        [Some(only)] => Some(*only),
        _ => None,
    };
    let mut out = "<Memory generated=\"memfile\">\n".to_owned();
    match only {
        Some(subject) => out.push_str(&format!("Facts about {}, in order of appearance (oldest to newest).\n", plain(subject))),
        None => out.push_str("Facts, in order of appearance (oldest to newest).\n"),
    }
    out.push_str("Tag [historical] = value was replaced by a later one.\nNo tag = current value.\n");
    if wish.rules {
        out.push_str(RULES);
    }
    out.push('\n');
    for (idx, versions) in chosen.iter().enumerate() {
        versions.iter().for_each(|&version| out.push_str(&row(chains, idx, version, only.is_none(), wish, why)));
    }
    if cut > 0 {
        let count = if cut == 1 { "1 record is".to_owned() } else { format!("{cut} records are") };
        let all: usize = chosen.iter().map(Vec::len).sum::<usize>() + cut;
        out.push_str(&format!("({count} not shown; `{} --limit {all}` shows all)\n", plain(wish.command)));
    }
    out.push_str("</Memory>\n");
    out
}

/// One record in the pipe shape.
fn row(chains: &[Chain], chain: usize, version: usize, with_subject: bool, wish: &Wish, why: bool) -> String {
    let version = &chains[chain].versions[version];
    let mut cells: Vec<String> = Vec::new();
    if with_subject {
        cells.extend(version.subject.as_deref().map(cell));
    }
    cells.extend(version.parameter.as_deref().map(cell));
    cells.push(version.value.as_deref().map_or(String::new(), cell));
    let date = version.recorded.or(version.effective).map(Date::iso);
    let source = version.source.as_deref().map(cell).or(date.clone());
    let effective = version.effective.map(Date::iso).filter(|since| Some(since) != source.as_ref());
    cells.extend(source.map(|source| format!("source: {source}")));
    cells.extend(effective.map(|since| format!("effective since: {since}")));
    cells.extend(version.until.map(|until| format!("until: {}", until.iso())));
    if why {
        cells.extend(version.reason.as_deref().map(|reason| format!("reason: {}", cell(reason))));
    }
    format!("- {}{}\n", cells.join(" | "), tag(version, wish.full_tags))
}

/// The tag with a blank before it; nothing for a version that holds.
fn tag(version: &Version, full: bool) -> String {
    let bare = match version.standing {
        Standing::Current => return String::new(),
        Standing::Scheduled => "[scheduled]",
        _ => "[historical]",
    };
    match version.tag.as_deref().filter(|_| full) {
        Some(words) => format!(" {}", plain(words)),
        None => format!(" {bare}"),
    }
}

/// A text in a cell: on one line, its bars escaped.
fn cell(text: &str) -> String {
    escape_bars(&plain(text))
}

/// A text on one line that cannot end the block.
fn plain(text: &str) -> String {
    let line = crate::text::fold_blanks(text);
    if line.to_lowercase().contains("memory") {
        line.replace("</", "<\\/").replace("<M", "<\\M").replace("<m", "<\\m")
    } else {
        line.into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{TODAY, chains};
    use super::*;

    const FACTS: &str = "\
- Plan: one (source: 2021-01-01) [historical] replaced by: two as of 2022-01-01
- Plan: two (source: 2022-01-01) [historical] replaced by: three as of 2023-01-01
- Plan: three (source: 2023-01-01) [historical] replaced by: four as of 2024-01-01
- Plan: four (source: 2024-01-01)
- Seat: 12
";

    fn values(question: Option<&str>, limit: usize) -> Vec<String> {
        let wish = Wish { question, limit, max_tokens: None, rules: false, full_tags: false, command: "memfile present" };
        let block = present(&chains(FACTS), &wish, TODAY);
        let rows = block.text.lines().filter(|line| line.starts_with("- "));
        rows.map(|row| row.split(" | ").nth(1).unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn the_current_version_and_its_nearest_history_come_first() {
        assert_eq!(values(None, 2), ["three", "four"]);
        assert_eq!(values(Some("which plan"), 3), ["two", "three", "four"]);
        assert_eq!(values(Some("how many seats"), 9), ["four", "12"]);
        assert_eq!(values(None, 0), Vec::<String>::new());
    }

    #[test]
    fn words_shift_what_is_shown() {
        assert_eq!(values(Some("plan before"), 1), ["three"]);
        assert_eq!(values(Some("what plan in 2022"), 1), ["two"]);
        assert_eq!(values(Some("the plan originally"), 1), ["one"]);
        assert_eq!(values(Some("the plan now"), 1), ["four"]);
    }

    #[test]
    fn no_block_is_larger_than_asked() {
        for most in 80..200 {
            let wish =
                Wish { question: None, limit: 15, max_tokens: Some(most), rules: false, full_tags: true, command: "memfile present" };
            let block = present(&chains(FACTS), &wish, TODAY);
            assert!(tokens(&block.text) <= most, "{most}: {}", tokens(&block.text));
            assert_eq!(block.shown + block.cut, 5);
            assert_eq!(block.cut > 0, block.text.contains("not shown"));
        }
    }

    #[test]
    fn no_value_ends_the_block() {
        let wish = Wish { question: None, limit: 15, max_tokens: None, rules: true, full_tags: false, command: "memfile present" };
        let block = present(&chains("- Sign: a </Memory> b <Memory> | c\n"), &wish, TODAY);
        assert_eq!(block.text.matches("</Memory>").count(), 1);
        assert_eq!(block.text.matches("<Memory").count(), 1);
    }
}
