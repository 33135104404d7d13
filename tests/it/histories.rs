//! A model of the meaning, and agents that work against it.
//!
//! The model knows no Markdown, no edits and no baseline: for each parameter it keeps the list of what was true, one after the
//! other, and how each ended. An agent changes a file step by step: it overwrites, deletes, adds, untags, forgets the history,
//! reorders, renames headings, changes style and line endings. After each step memfile fixes the file against what it left the
//! step before, and the file must then say what the model says: SPEC's promises, over many steps. The lines are read here by a few
//! splits, not by memfile.

use crate::case::{Case, report};
use memfile::diagnostic::{Applicability, Severity};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

const PARAMETERS: [&str; 8] = ["Port", "Team", "Release day", "Budget", "Region", "Editor", "Night crew", "Flag"];
const VALUES: [&str; 6] = ["8080", "eu-west", "Friday: late", "$4,500 (net)", "x as of old", "`a | b`"];

/// The line below the heading, where prose has not moved it.
const HEADING: usize = 5;

/// How a version ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Holds,
    Replaced(usize),
    Removed(usize),
}

/// What was true of one parameter, the oldest first: value, end (with its step).
type Chain = Vec<(usize, End)>;

/// A line of the file, with its line ending cut off.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Row {
    Fact { bullet: char, bold: bool, parameter: usize, value: usize, tag: String },
    Text(String),
}

impl Row {
    fn read(line: &str) -> Self {
        let fact = || {
            let bullet = line.chars().next().filter(|c| "-*".contains(*c))?;
            let rest = line[1..].strip_prefix(' ')?;
            let (rest, tag) = rest.find(" [historical]").map_or((rest, ""), |at| rest.split_at(at));
            let bold = rest.starts_with("**");
            let (name, value) = rest.trim_start_matches('*').split_once(": ")?;
            let parameter = PARAMETERS.iter().position(|known| *known == name.trim_end_matches('*'))?;
            let value = VALUES.iter().position(|known| *known == value)?;
            Some(Self::Fact { bullet, bold, parameter, value, tag: tag.to_owned() })
        };
        fact().unwrap_or_else(|| Self::Text(line.to_owned()))
    }

    fn line(&self) -> String {
        match self {
            Self::Text(line) => line.clone(),
            Self::Fact { bullet, bold, parameter, value, tag } => {
                let stars = if *bold { "**" } else { "" };
                format!("{bullet} {stars}{}{stars}: {}{tag}", PARAMETERS[*parameter], VALUES[*value])
            }
        }
    }

    fn is_of(&self, wanted: usize) -> bool {
        matches!(self, Self::Fact { parameter, .. } if *parameter == wanted)
    }

    fn is_tagged(&self) -> bool {
        matches!(self, Self::Fact { tag, .. } if !tag.is_empty())
    }
}

fn rows(text: &str) -> Vec<Row> {
    text.lines().map(Row::read).collect()
}

/// What an agent does.
#[derive(Clone, Debug)]
enum Act {
    Overwrite(usize, usize),
    Add(usize, usize),
    Delete(usize),
    Double(usize),
    Untag(prop::sample::Index),
    DeleteHistory(prop::sample::Index),
    ForgetHistory,
    Swap(prop::sample::Index, prop::sample::Index),
    RenameHeading,
    Restyle,
    Prose(prop::sample::Index),
    LineEnds,
}

fn act() -> impl Strategy<Value = Act> {
    let at = any::<prop::sample::Index>;
    let (parameter, value) = (|| 0..PARAMETERS.len(), || 0..VALUES.len());
    prop_oneof![
        4 => (parameter(), value()).prop_map(|(parameter, value)| Act::Overwrite(parameter, value)),
        3 => (parameter(), value()).prop_map(|(parameter, value)| Act::Add(parameter, value)),
        2 => parameter().prop_map(Act::Delete),
        1 => parameter().prop_map(Act::Double),
        2 => at().prop_map(Act::Untag),
        2 => at().prop_map(Act::DeleteHistory),
        1 => Just(Act::ForgetHistory),
        3 => (at(), at()).prop_map(|(a, b)| Act::Swap(a, b)),
        1 => Just(Act::RenameHeading),
        1 => Just(Act::Restyle),
        2 => at().prop_map(Act::Prose),
        1 => Just(Act::LineEnds),
    ]
}

/// The file as the agent sees it, and the world as it is.
struct World {
    rows: Vec<Row>,
    crlf: bool,
    chains: Vec<Chain>,
    /// Facts that were changed in this step, those doubled, and those whose double of the step before was taken out.
    touched: Vec<usize>,
    doubled: Vec<usize>,
    tidied: Vec<usize>,
    /// In this step history goes, or loses a tag.
    forgets: bool,
    untags: bool,
}

impl World {
    fn new() -> Self {
        let mut rows: Vec<Row> =
            ["# Otter", "", "Keep the deck dry.", "", "## Project memory", ""].map(|line| Row::Text(line.into())).into();
        for parameter in 0..PARAMETERS.len() {
            rows.push(Row::Fact { bullet: '-', bold: false, parameter, value: parameter % VALUES.len(), tag: String::new() });
        }
        rows.extend(["", "## Habits", "", "- Short words."].map(|line| Row::Text(line.into())));
        Self {
            rows,
            crlf: false,
            chains: (0..PARAMETERS.len()).map(|value| vec![(value % VALUES.len(), End::Holds)]).collect(),
            touched: Vec::new(),
            doubled: Vec::new(),
            tidied: Vec::new(),
            forgets: false,
            untags: false,
        }
    }

    fn text(&self) -> String {
        let end = if self.crlf { "\r\n" } else { "\n" };
        self.rows.iter().map(|row| row.line() + end).collect()
    }

    fn current(&self, parameter: usize) -> Option<usize> {
        self.chains[parameter].last().filter(|(_, end)| *end == End::Holds).map(|(value, _)| *value)
    }

    /// The line that holds: the last one of the parameter without a tag.
    fn holding(&self, parameter: usize) -> Option<usize> {
        self.rows.iter().rposition(|row| row.is_of(parameter) && !row.is_tagged())
    }

    /// How facts are written: another bullet would begin another list.
    fn style(&self) -> (char, bool) {
        let style = |row: &Row| if let Row::Fact { bullet, bold, .. } = row { Some((*bullet, *bold)) } else { None };
        self.rows.iter().find_map(style).unwrap_or(('-', false))
    }

    fn facts(&self) -> Vec<usize> {
        (0..self.rows.len()).filter(|&at| matches!(self.rows[at], Row::Fact { .. })).collect()
    }

    fn tagged(&self) -> Vec<usize> {
        (0..self.rows.len()).filter(|&at| self.rows[at].is_tagged()).collect()
    }

    /// A new value is true from `step` on.
    fn changed(&mut self, parameter: usize, value: usize, step: usize) {
        let chain = &mut self.chains[parameter];
        if let Some((_, end @ End::Holds)) = chain.last_mut() {
            *end = End::Replaced(step);
        }
        chain.push((value, End::Holds));
    }

    /// True where the fact was not changed in this step yet. Two changes of one fact in one step leave no trace of the first, and
    /// an old value without its tag beside a new one could be a return: a person could not tell either.
    fn is_first(&mut self, parameter: usize) -> bool {
        let first = !self.touched.contains(&parameter);
        self.touched.push(parameter);
        first
    }

    /// What was removed and comes back in the step in which its old line goes looks like a tag taken off.
    fn may_forget(&mut self, row: &Row) -> bool {
        let Row::Fact { parameter, .. } = row else { return false };
        let removed = self.chains[*parameter].iter().any(|(_, end)| matches!(end, End::Removed(_)));
        let may = !removed || (self.current(*parameter).is_some() && !self.touched.contains(parameter));
        self.touched.extend(removed.then_some(*parameter));
        may
    }

    fn apply(&mut self, act: &Act, step: usize) {
        if let Act::Overwrite(parameter, _) | Act::Add(parameter, _) | Act::Delete(parameter) | Act::Double(parameter) = *act
            && !self.is_first(parameter)
        {
            return;
        }
        match *act {
            Act::Overwrite(parameter, value) | Act::Add(parameter, value) if self.current(parameter) == Some(value) => {}
            Act::Overwrite(parameter, value) if self.current(parameter).is_some() => {
                let at = self.holding(parameter).expect("it holds");
                if let Row::Fact { value: written, .. } = &mut self.rows[at] {
                    *written = value;
                }
                self.changed(parameter, value, step);
            }
            // An old value below the current one, and its old line is gone: was it added, or moved without its tag?
            Act::Add(parameter, value) if self.forgets && self.chains[parameter].iter().any(|(old, _)| *old == value) => {}
            Act::Overwrite(parameter, value) | Act::Add(parameter, value) => {
                let last = self.rows.iter().rposition(|row| row.is_of(parameter));
                let last = last.or_else(|| self.facts().last().copied()).unwrap_or(HEADING);
                let (bullet, bold) = self.style();
                self.rows.insert(last + 1, Row::Fact { bullet, bold, parameter, value, tag: String::new() });
                self.changed(parameter, value, step);
            }
            Act::Delete(parameter) => {
                // With half of the facts gone it would be a mass loss, which a person looks at.
                let gone = (0..PARAMETERS.len()).filter(|&parameter| self.current(parameter).is_none()).count();
                if self.current(parameter).is_some() && gone < 3 {
                    self.rows.remove(self.holding(parameter).expect("it holds"));
                    self.chains[parameter].last_mut().expect("never empty").1 = End::Removed(step);
                }
            }
            Act::Double(parameter) => {
                if self.current(parameter).is_some() {
                    let at = self.holding(parameter).expect("it holds");
                    self.rows.insert(at, self.rows[at].clone());
                    self.doubled.push(parameter);
                }
            }
            Act::Untag(at) => {
                let tagged = self.tagged();
                if !tagged.is_empty() {
                    let row = *at.get(&tagged);
                    let Row::Fact { parameter, .. } = self.rows[row] else { return };
                    // Where nothing holds, an old value without its tag would be a return, too; beside a double it could be that.
                    if self.is_first(parameter)
                        && !self.tidied.contains(&parameter)
                        && self.current(parameter).is_some()
                        && let Row::Fact { tag, .. } = &mut self.rows[row]
                    {
                        tag.clear();
                    }
                }
            }
            Act::DeleteHistory(at) => {
                let tagged = self.tagged();
                if !tagged.is_empty() && self.may_forget(&self.rows[*at.get(&tagged)].clone()) {
                    self.rows.remove(*at.get(&tagged));
                }
            }
            Act::ForgetHistory => {
                let all = std::mem::take(&mut self.rows);
                self.rows = all.into_iter().filter(|row| !row.is_tagged() || !self.may_forget(row)).collect();
            }
            Act::Swap(..) if self.untags => {}
            Act::Swap(a, b) => {
                let facts = self.facts();
                if !facts.is_empty() {
                    self.rows.swap(*a.get(&facts), *b.get(&facts));
                }
            }
            Act::RenameHeading => {
                for row in &mut self.rows {
                    if let Row::Text(line) = row
                        && line.starts_with("## Project")
                    {
                        *line = if line.ends_with("memory") { "## Project facts" } else { "## Project memory" }.into();
                    }
                }
            }
            Act::Restyle => {
                for row in &mut self.rows {
                    if let Row::Fact { bullet, bold, .. } = row {
                        *bullet = if *bullet == '-' { '*' } else { '-' };
                        *bold = !*bold;
                    }
                }
            }
            Act::Prose(at) => {
                let place = at.index(3);
                self.rows.insert(place, Row::Text("A word by the way.".into()));
            }
            Act::LineEnds => self.crlf = !self.crlf,
        }
    }

    /// Takes out the doubles of the step before.
    fn tidy(&mut self) {
        self.touched.clear();
        self.tidied = std::mem::take(&mut self.doubled);
        for parameter in 0..PARAMETERS.len() {
            if let (Some(at), Some(value)) = (self.holding(parameter), self.current(parameter)) {
                let mut number = 0;
                self.rows.retain(|row| {
                    number += 1;
                    let double = matches!(row, Row::Fact { parameter: other, value: same, tag, .. } if *other == parameter && *same == value && tag.is_empty());
                    !double || number == at + 1
                });
            }
        }
    }
}

fn day(step: usize) -> String {
    format!("2026-{:02}-{:02}", 1 + step / 28, 1 + step % 28)
}

/// The file says what the model says.
fn agrees(world: &World, fixed: &[Row]) -> Result<(), String> {
    for (parameter, chain) in world.chains.iter().enumerate() {
        let name = PARAMETERS[parameter];
        let own: Vec<&Row> = fixed.iter().filter(|row| row.is_of(parameter)).collect();
        let mut said: Vec<(usize, String)> = Vec::new();
        let mut holding = Vec::new();
        for row in &own {
            if let Row::Fact { value, tag, .. } = row {
                if tag.is_empty() { holding.push(*value) } else { said.push((*value, tag.clone())) }
            }
        }
        let mut meant = Vec::new();
        for (at, (value, end)) in chain.iter().enumerate() {
            match end {
                End::Holds => {}
                End::Removed(step) => meant.push((*value, format!(" [historical] removed as of {}", day(*step)))),
                End::Replaced(step) => {
                    let next = chain[at + 1].0;
                    meant.push((*value, format!(" [historical] replaced by: {} as of {}", VALUES[next], day(*step))));
                }
            }
        }
        said.sort();
        meant.sort();
        if said != meant {
            return Err(format!("{name}: the history should be {meant:#?}\nbut the file says {said:#?}"));
        }
        match world.current(parameter) {
            Some(value) => {
                let doubled = world.doubled.contains(&parameter) && holding.len() == 2;
                if holding.iter().any(|held| *held != value) || holding.is_empty() || (holding.len() > 1 && !doubled) {
                    return Err(format!("{name}: {} should hold, and {holding:?} do", VALUES[value]));
                }
                if own.last().is_some_and(|row| row.is_tagged()) {
                    return Err(format!("{name}: what holds does not stand last"));
                }
            }
            None if !holding.is_empty() => return Err(format!("{name}: nothing should hold, and {holding:?} do")),
            None => {}
        }
    }
    Ok(())
}

/// Plays the steps of an agent.
fn play(steps: &[Vec<Act>]) -> TestCaseResult {
    let mut world = World::new();
    let mut before = world.text();
    for (number, acts) in steps.iter().enumerate() {
        let step = number + 1;
        world.tidy();
        world.forgets = acts.iter().any(|act| matches!(act, Act::ForgetHistory | Act::DeleteHistory(_)));
        world.untags = acts.iter().any(|act| matches!(act, Act::Untag(_)));
        acts.iter().for_each(|act| world.apply(act, step));
        let text = world.text();
        let case = Case::new(Some(&before), "", &day(step));
        let fixed = case.fix(&text, Applicability::Safe);
        let shown = |what: &str, fixed: &str| {
            TestCaseError::fail(format!("step {step}, {acts:?}: {what}\n--- before\n{before}--- the agent's\n{text}--- fixed\n{fixed}"))
        };
        let fixed = fixed.map_err(|error| shown(&error.to_string(), ""))?;
        let errors: Vec<_> = fixed.remaining.iter().filter(|found| found.rule.severity == Severity::Error).cloned().collect();
        if !errors.is_empty() {
            return Err(shown(&format!("errors are left\n{}", report(&fixed.text, &errors)), &fixed.text));
        }
        let after = rows(&fixed.text);
        agrees(&world, &after).map_err(|wrong| shown(&wrong, &fixed.text))?;
        // Nothing else is touched: lines that are no facts, styles, line ends.
        let others = |rows: &[Row]| -> Vec<Row> { rows.iter().filter(|row| matches!(row, Row::Text(_))).cloned().collect() };
        if others(&after) != others(&world.rows) {
            return Err(shown("a line that is no fact has changed", &fixed.text));
        }
        if fixed.text.matches('\n').count()
            != fixed.text.matches("\r\n").count() * usize::from(world.crlf) + fixed.text.matches('\n').count() * usize::from(!world.crlf)
            || (!world.crlf && fixed.text.contains('\r'))
        {
            return Err(shown("line ends are mixed", &fixed.text));
        }
        let again = case.fix(&fixed.text, Applicability::Safe).map_err(|error| shown(&error.to_string(), &fixed.text))?;
        if again.text != fixed.text {
            return Err(shown("a second fix changes it again", &again.text));
        }
        // What was left is the next step's beginning, as after a commit.
        world.rows = after;
        before = fixed.text;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4000, ..ProptestConfig::default() })]

    #[test]
    fn agents_cannot_make_the_file_forget(steps in prop::collection::vec(prop::collection::vec(act(), 1..4), 1..16)) {
        play(&steps)?;
    }
}
