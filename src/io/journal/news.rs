//! What became of a file by memfile's own commands since someone looked: a mark of the last look comes in; the steps since then go out,
//! each as the text it found and the text it left, with those that were taken back.
//!
//! For whoever lives beside the commands, and must know which change a person meant.

use super::Journal;
use crate::io::IoError;
use rusqlite::params;
use std::collections::BTreeSet;

/// How far the journal was read for one file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mark {
    last: i64,
    undone: BTreeSet<i64>,
}

/// A text that memfile found, and the one it left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The text before; `None` where there was no file.
    pub from: Option<String>,
    /// The text after; `None` where the file is gone.
    pub to: Option<String>,
}

/// The steps since a mark.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct News {
    /// What was written and taken back, in order.
    pub moves: Vec<Move>,
    /// A step without texts: something was forgotten.
    pub has_forgotten: bool,
}

impl Journal {
    /// The steps of `file` since `mark`, which moves on.
    ///
    /// # Errors
    /// [`IoError::Journal`].
    pub fn news(&self, file: &str, mark: &mut Mark) -> Result<News, IoError> {
        self.check(self.read_news(file, mark))
    }

    fn read_news(&self, file: &str, mark: &mut Mark) -> rusqlite::Result<News> {
        let mut select = self.connection.prepare(
            "SELECT id, is_undone, CAST(old_text AS TEXT), CAST(new_text AS TEXT) FROM step_files JOIN steps ON steps.id = step
             WHERE file = ?1 AND (step > ?2 OR is_undone = 1) ORDER BY step",
        )?;
        let row = |row: &rusqlite::Row| Ok((row.get(0)?, row.get(1)?, Move { from: row.get(2)?, to: row.get(3)? }));
        let (mut news, mut back) = (News::default(), Vec::new());
        for found in select.query_map(params![file, mark.last], row)? {
            let (step, is_undone, one): (i64, bool, Move) = found?;
            if is_undone && !mark.undone.insert(step) {
                continue;
            }
            if is_undone {
                back.push(Move { from: one.to.clone(), to: one.from.clone() });
            } else {
                // The last step is the first that can be taken back: what is undone was so before the next step that stands.
                news.moves.extend(back.drain(..).rev());
            }
            if step <= mark.last {
                continue;
            }
            mark.last = step;
            match one {
                Move { from: None, to: None } => news.has_forgotten = true,
                one => news.moves.push(one),
            }
        }
        news.moves.extend(back.into_iter().rev());
        Ok(news)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::State;
    use crate::io::journal::StepFile;

    #[test]
    fn each_step_is_told_once_and_its_undoing_too() {
        let folder = tempfile::tempdir().expect("temp");
        let mut journal = Journal::open(&State::at(folder.path())).expect("made");
        let mut add = |old: Option<&str>, new: Option<&str>| {
            let part: StepFile = StepFile { file: "/a".into(), old: old.map(Into::into), new: new.map(Into::into) };
            journal.add_step(1, "me", "set", &[part]).expect("noted")
        };
        let first = add(Some("a"), Some("b"));
        let second = add(Some("b"), Some("c"));
        add(None, None);
        let mut mark = Mark::default();
        let step = |from: &str, to: &str| Move { from: Some(from.into()), to: Some(to.into()) };
        let news = journal.news("/a", &mut mark).expect("read");
        assert_eq!(news, News { moves: vec![step("a", "b"), step("b", "c")], has_forgotten: true });
        assert_eq!(journal.news("/a", &mut mark).expect("read"), News::default());
        journal.mark_undone(first).expect("noted");
        journal.mark_undone(second).expect("noted");
        assert_eq!(journal.news("/a", &mut mark).expect("read").moves, [step("c", "b"), step("b", "a")]);
        assert_eq!(journal.news("/a", &mut mark).expect("read"), News::default());
        // One that looks late hears them in their order, too.
        let late = journal.news("/a", &mut Mark::default()).expect("read").moves;
        assert_eq!(late, [step("a", "b"), step("b", "c"), step("c", "b"), step("b", "a")]);
        let part: StepFile = StepFile { file: "/a".into(), old: Some("a".into()), new: Some("d".into()) };
        journal.add_step(1, "me", "set", &[part]).expect("noted");
        let late = journal.news("/a", &mut Mark::default()).expect("read").moves;
        assert_eq!(late[2..], [step("c", "b"), step("b", "a"), step("a", "d")]);
        assert_eq!(journal.news("/b", &mut Mark::default()).expect("read"), News::default());
    }
}
