//! What `HEAD` has of the files that were asked for last: paths come in, baselines go out, and git is asked only for what was not known
//! while `HEAD` was as it is. One edit of an agent is judged several times, and each start of git takes as long as the judging.

use super::blobs::Base;
use super::standing::Marks;
use crate::io::IoError;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// So many files are remembered; whoever asks for more asks once.
const MOST: usize = 16;
/// A text of more bytes is not remembered: beside its judging git is quick, and it need not be held.
const LARGE: usize = 4 << 20;

/// What one `HEAD` has of files, the newest asked last.
#[derive(Clone, Debug)]
struct Known {
    marks: Marks,
    files: Vec<(PathBuf, Base)>,
}

/// The files of the `HEAD` that was seen last.
#[derive(Debug, Default)]
pub(super) struct Heads(Mutex<Option<Known>>);

impl Heads {
    /// The baselines of `paths`, in their order: those that are known under the marks that `now` reads, the others by `ask`.
    pub(super) fn get(
        &self,
        now: impl Fn() -> Marks,
        paths: &[PathBuf],
        ask: impl Fn(&[PathBuf]) -> Result<Vec<Base>, IoError>,
    ) -> Result<Vec<Base>, IoError> {
        if paths.len() > MOST {
            return ask(paths);
        }
        // Read before git is: what git then says is of this `HEAD` or of a newer one, whose marks are others.
        let marks = now();
        if !marks.are_certain() {
            return ask(paths);
        }
        // A thread that panicked left the list as it was before or after.
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut known = lock().clone().filter(|known| known.marks == marks).map_or_else(Vec::new, |known| known.files);
        let unknown: Vec<PathBuf> = paths.iter().filter(|path| !known.iter().any(|(file, _)| file == *path)).cloned().collect();
        if !unknown.is_empty() {
            let bases = ask(&unknown)?;
            known.extend(unknown.into_iter().zip(bases));
        }
        let of = |path| known.iter().find(|(file, _)| file == path).map_or(Base::Missing, |(_, base)| base.clone());
        let bases = paths.iter().map(of).collect();
        known.retain(|(_, base)| !matches!(base, Base::Text(text) if text.len() > LARGE));
        // The newest are the likeliest to be asked for again.
        known.drain(..known.len().saturating_sub(MOST));
        *lock() = Some(Known { marks, files: known });
        Ok(bases)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Repository;
    use super::super::testing::TestRepository;
    use super::*;

    #[test]
    fn a_commit_between_two_questions_is_seen() {
        let repo = TestRepository::new();
        repo.write("a.md", "one\n");
        repo.git(&["add", "a.md"]);
        let repository = Repository::discover(&repo.root).expect("a repository");
        let paths = [repo.at("a.md"), repo.at("b.md")];
        let head = || repository.blobs("HEAD", &paths).expect("git answers");
        assert_eq!(head(), [Base::Missing, Base::Missing]);
        repo.git(&["commit", "-qm", "first"]);
        for _ in 0..2 {
            assert_eq!(head(), [Base::Text("one\n".into()), Base::Missing]);
        }
        repo.write("a.md", "two\n");
        repo.write("b.md", "b\n");
        repo.git(&["add", "-A"]);
        assert_eq!(head(), [Base::Text("one\n".into()), Base::Missing]);
        repo.git(&["commit", "-qm", "second"]);
        assert_eq!(head(), [Base::Text("two\n".into()), Base::Text("b\n".into())]);
        // The same index under another branch, and a branch that moves without the index.
        repo.git(&["branch", "-q", "-M", "main"]);
        repo.git(&["branch", "-q", "old", "HEAD~1"]);
        repo.git(&["symbolic-ref", "HEAD", "refs/heads/old"]);
        assert_eq!(head(), [Base::Text("one\n".into()), Base::Missing]);
        repo.git(&["pack-refs", "--all"]);
        assert_eq!(head(), [Base::Text("one\n".into()), Base::Missing]);
        repo.git(&["update-ref", "refs/heads/old", "main"]);
        assert_eq!(head(), [Base::Text("two\n".into()), Base::Text("b\n".into())]);
    }

    #[test]
    fn git_is_asked_once_for_each_file() {
        let repo = TestRepository::new();
        let repository = Repository::discover(&repo.root).expect("a repository");
        let asked = std::cell::RefCell::new(Vec::new());
        let heads = Heads::default();
        let get = |names: &[&str]| {
            let paths: Vec<PathBuf> = names.iter().map(|name| repo.at(name)).collect();
            let ask = |paths: &[PathBuf]| {
                asked.borrow_mut().extend(paths.to_vec());
                Ok(paths.iter().map(|path| Base::Text(path.display().to_string().into())).collect())
            };
            let texts = heads.get(|| repository.marks(), &paths, ask).expect("no error");
            assert!(texts.iter().zip(&paths).all(|(text, path)| *text == Base::Text(path.display().to_string().into())));
        };
        get(&["a", "b"]);
        get(&["b", "c"]);
        get(&["a"]);
        assert_eq!(*asked.borrow(), ["a", "b", "c"].map(|name| repo.at(name)));
        let many: Vec<String> = (0..MOST).map(|number| format!("m{number}")).collect();
        get(&many.iter().map(String::as_str).collect::<Vec<_>>());
        asked.borrow_mut().clear();
        get(&["a"]);
        assert_eq!(asked.borrow().len(), 1, "few are remembered");
    }

    #[test]
    fn a_large_text_is_not_held() {
        let repo = TestRepository::new();
        let repository = Repository::discover(&repo.root).expect("a repository");
        for (bytes, times) in [(LARGE, 1), (LARGE + 1, 2)] {
            let (asked, heads) = (std::cell::Cell::new(0), Heads::default());
            for _ in 0..2 {
                let ask = |_: &[PathBuf]| {
                    asked.set(asked.get() + 1);
                    Ok(vec![Base::Text("x".repeat(bytes).into())])
                };
                let texts = heads.get(|| repository.marks(), &[repo.at("a")], ask).expect("no error");
                assert!(matches!(&texts[..], [Base::Text(text)] if text.len() == bytes));
            }
            assert_eq!(asked.get(), times);
        }
    }
}
