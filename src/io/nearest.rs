//! What stands nearest above a folder, remembered: 2,000 files in 500 folders ask each folder of the tree once.

use rustc_hash::FxHashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Answers by folder. `T` is cheap to clone.
#[derive(Debug)]
pub(super) struct Nearest<T> {
    // By name: a path is hashed piece by piece.
    known: Mutex<FxHashMap<OsString, T>>,
}

impl<T> Default for Nearest<T> {
    fn default() -> Self {
        Self { known: Mutex::default() }
    }
}

impl<T: Clone> Nearest<T> {
    /// Says the answer for `folder` and all below it that have no nearer one.
    pub(super) fn set(&self, folder: PathBuf, answer: T) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.into_os_string(), answer);
    }

    /// Takes the answer of the folder above for `folder`, of which it is known that it has none of its own. Nothing is asked: where
    /// no answer is known, or the search ends there by `stop`, none is taken.
    pub(super) fn inherit(&self, folder: &Path, stop: impl Fn(&Path) -> bool) {
        let Some(above) = folder.parent().filter(|above| !stop(above)) else { return };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = known.get(above.as_os_str()).cloned() {
            known.entry(folder.as_os_str().to_owned()).or_insert(answer);
        }
    }

    /// The answer of `probe` for `folder`, else for the nearest ancestor that has one, else `otherwise`. The search ends
    /// above `folder` where `stop` says so. Two threads may probe the same folder; both find the same.
    pub(super) fn get(
        &self,
        folder: &Path,
        probe: impl Fn(&Path) -> Option<T>,
        stop: impl Fn(&Path) -> bool,
        otherwise: impl FnOnce() -> T,
    ) -> T {
        // A poisoned lock means that another thread panicked; the map itself is whole after every insertion.
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = known().get(folder.as_os_str()) {
            return answer.clone();
        }
        let mut asked = Vec::new();
        let mut found = None;
        for ancestor in folder.ancestors() {
            if ancestor != folder && stop(ancestor) {
                break;
            }
            asked.push(ancestor.as_os_str());
            found = known().get(ancestor.as_os_str()).cloned();
            found = found.or_else(|| probe(ancestor));
            if found.is_some() {
                break;
            }
        }
        let answer = found.unwrap_or_else(otherwise);
        known().extend(asked.into_iter().map(|ancestor| (ancestor.to_owned(), answer.clone())));
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn each_folder_is_asked_once() {
        let (nearest, count) = (Nearest::default(), Cell::new(0));
        let ask = |folder: &str| {
            let probe = |path: &Path| {
                count.set(count.get() + 1);
                (path == Path::new("/a")).then_some("a")
            };
            nearest.get(Path::new(folder), probe, |_| false, || "none")
        };
        assert_eq!((ask("/a/b/c"), count.get()), ("a", 3));
        assert_eq!((ask("/a/b/d"), count.get()), ("a", 4));
        assert_eq!((ask("/a/b"), count.get()), ("a", 4));
        assert_eq!((ask("/x"), count.get()), ("none", 6));
        nearest.inherit(Path::new("/a/b/e"), |_| false);
        nearest.inherit(Path::new("/y/z"), |_| false);
        nearest.inherit(Path::new("/a/b/f"), |above| above == Path::new("/a/b"));
        assert_eq!((ask("/a/b/e"), count.get()), ("a", 6));
        assert_eq!((ask("/y/z"), count.get()), ("none", 8));
        assert_eq!((ask("/a/b/f"), count.get()), ("a", 9));
    }

    #[test]
    fn a_ceiling_is_not_climbed_but_may_be_the_start() {
        let nearest = Nearest::default();
        let ask = |folder: &str| {
            let probe = |path: &Path| (path == Path::new("/a")).then_some("a");
            nearest.get(Path::new(folder), probe, |path| path == Path::new("/a"), || "none")
        };
        assert_eq!((ask("/a"), ask("/a/b"), ask("/a/b/c")), ("a", "none", "none"));
    }
}
