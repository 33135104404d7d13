//! Judged files on their way to being told: who of them waits, as another file may contradict what it holds.
//!
//! In: files in their order, with hashes of what they hold. Out: what is told of those that need not wait, and which have to be judged
//! together. Whether two values that are written otherwise are two values is not found out here: that takes the texts.

use crate::check::{Checked, Current};
use crate::io::discover::Place;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::hash::BuildHasher;
use std::path::Path;

/// A file that was judged by itself.
pub(super) struct File<'p, T> {
    pub place: &'p Place,
    /// What other files may contradict.
    pub held: Vec<Held>,
    /// What was told of it, until it is written.
    pub told: Option<T>,
    /// It waits for other files.
    pub waits: bool,
}

/// A value that holds, as far as other files are concerned.
pub(super) struct Held {
    /// The fact.
    key: u64,
    /// Any file may contradict it, not only those of its folder.
    explicit: bool,
    /// The value as written, hashed.
    value: u64,
}

/// What a file holds by what a check found in `text`.
pub(super) fn held(checked: &Checked, text: &str) -> Vec<Held> {
    let of =
        |current: &Current| Held { key: current.key, explicit: current.explicit, value: FxBuildHasher.hash_one(current.value.of(text)) };
    checked.currents.iter().map(of).collect()
}

/// Files that were judged, in their order.
pub(super) struct Waiting<'p, T> {
    pub files: Vec<File<'p, T>>,
    folders: FxHashMap<Option<&'p OsStr>, Folder>,
    /// Those that differ from another file of their folder.
    differ: BTreeSet<usize>,
    /// How many of `files` were written.
    written: usize,
}

/// What came of a folder.
#[derive(Default)]
struct Folder {
    /// How many of its files are still to come.
    awaited: usize,
    /// Those that came.
    members: Vec<usize>,
}

impl<'p, T> Waiting<'p, T> {
    /// Waits for files at `places`.
    pub(super) fn new(places: &'p [Place]) -> Self {
        let mut folders: FxHashMap<_, Folder> = FxHashMap::default();
        places.iter().for_each(|place| folders.entry(folder(place)).or_default().awaited += 1);
        Self { files: Vec::with_capacity(places.len()), folders, differ: BTreeSet::new(), written: 0 }
    }

    /// For each place whether no other stands in its folder.
    pub(super) fn alone(&self, places: &'p [Place]) -> Vec<bool> {
        places.iter().map(|place| self.folders.get(&folder(place)).is_some_and(|folder| folder.awaited == 1)).collect()
    }

    /// Takes the next file.
    pub(super) fn add(&mut self, file: File<'p, T>) {
        let (place, idx) = (file.place, self.files.len());
        self.files.push(file);
        self.came(place, Some(idx));
    }

    /// The next file, which stands at `place`, could not be judged.
    pub(super) fn skip(&mut self, place: &'p Place) {
        self.came(place, None);
    }

    /// Compares the files of a folder when the last of them came.
    fn came(&mut self, place: &'p Place, idx: Option<usize>) {
        let folder = self.folders.entry(folder(place)).or_default();
        folder.members.extend(idx);
        folder.awaited = folder.awaited.saturating_sub(1);
        if folder.awaited > 0 {
            return;
        }
        let members = std::mem::take(&mut folder.members);
        let differ = differing(&self.files, &members, false);
        for idx in members {
            let file = &mut self.files[idx];
            file.held.retain(|held| held.explicit);
            file.waits = !file.held.is_empty() || differ.contains(&idx);
        }
        self.differ.extend(differ);
    }

    /// Hands out, in order, what was told of files, up to the first that waits.
    pub(super) fn write(&mut self, write: &mut dyn FnMut(T)) {
        while let Some(file) = self.files.get_mut(self.written)
            && !file.waits
        {
            file.told.take().into_iter().for_each(&mut *write);
            self.written += 1;
        }
    }

    /// Those that differ in a fact from another file; from now on none waits.
    pub(super) fn settle(&mut self) -> BTreeSet<usize> {
        let explicit: Vec<usize> = (0..self.files.len()).filter(|&idx| !self.files[idx].held.is_empty()).collect();
        let mut differ = std::mem::take(&mut self.differ);
        differ.extend(differing(&self.files, &explicit, true));
        self.files.iter_mut().for_each(|file| file.waits = false);
        differ
    }
}

/// The folder that a file stands in.
fn folder(place: &Place) -> Option<&OsStr> {
    place.real.parent().map(Path::as_os_str)
}

/// Those of `members` (numbers in `files`) that hold a fact for which another of them has a value that is written otherwise.
fn differing<T>(files: &[File<T>], members: &[usize], explicit: bool) -> BTreeSet<usize> {
    let held = |&idx: &usize| files[idx].held.iter().filter(move |held| held.explicit == explicit).map(move |held| (idx, held));
    let mut keys: Vec<u64> = members.iter().flat_map(held).map(|(_, held)| held.key).collect();
    keys.sort_unstable();
    // Most facts are held by one file.
    if keys.windows(2).all(|two| two[0] != two[1]) {
        return BTreeSet::new();
    }
    let mut seen: FxHashMap<u64, Seen> = FxHashMap::default();
    for (idx, held) in members.iter().flat_map(held) {
        let seen = seen.entry(held.key).or_insert(Seen { file: idx, value: held.value, files: false, values: false });
        seen.files |= seen.file != idx;
        seen.values |= seen.value != held.value;
    }
    let differs = |held: &Held| seen.get(&held.key).is_some_and(|seen| seen.files && seen.values);
    members.iter().flat_map(held).filter(|(_, held)| differs(held)).map(|(idx, _)| idx).collect()
}

/// Where a fact was seen: first, and whether in several files and with several values since.
struct Seen {
    file: usize,
    value: u64,
    files: bool,
    values: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A key, a value, and whether it is explicit.
    type Fact = (u64, u64, bool);

    /// Adds files that hold facts; gives what was written after each.
    fn written(files: &[(&str, &[Fact])]) -> (Vec<String>, BTreeSet<usize>) {
        let places: Vec<Place> = files.iter().map(|(path, _)| Place { path: path.into(), real: path.into() }).collect();
        let mut waiting = Waiting::new(&places);
        let mut after = Vec::new();
        for (place, (_, facts)) in places.iter().zip(files) {
            let held = facts.iter().map(|&(key, value, explicit)| Held { key, explicit, value }).collect();
            waiting.add(File { place, held, told: Some(place.path.file_name().expect("a name")), waits: true });
            let mut now = Vec::new();
            waiting.write(&mut |told| now.push(told.to_string_lossy().into_owned()));
            after.push(now.join(" "));
        }
        (after, waiting.settle())
    }

    #[test]
    fn a_file_is_told_when_its_folder_is_known() {
        let held: [(&str, &[_]); 4] =
            [("/a/1", &[(1, 1, false)]), ("/a/b/2", &[(1, 2, false)]), ("/a/3", &[(1, 1, false), (2, 1, false)]), ("/c/4", &[])];
        assert_eq!(written(&held), (vec![String::new(), String::new(), "1 2 3".into(), "4".into()], BTreeSet::new()));
    }

    #[test]
    fn what_another_file_contradicts_waits_and_all_behind_it() {
        let waited = |differ: [usize; 2]| (vec!["1".into(), String::new(), String::new(), String::new()], BTreeSet::from(differ));
        let held: [(&str, &[_]); 4] = [("/a/1", &[]), ("/b/2", &[(1, 1, false)]), ("/b/3", &[(1, 2, false)]), ("/c/4", &[])];
        assert_eq!(written(&held), waited([1, 2]));
        // Of an explicit subject any file may speak; in one file it may have two values.
        let held: [(&str, &[_]); 4] =
            [("/a/1", &[]), ("/b/2", &[(1, 1, true), (1, 3, true)]), ("/c/3", &[(2, 2, true)]), ("/d/4", &[(2, 3, true)])];
        assert_eq!(written(&held), waited([2, 3]));
    }

    #[test]
    fn a_file_that_could_not_be_judged_keeps_none_waiting() {
        let places = ["/a/1", "/a/2"].map(|path| Place { path: path.into(), real: path.into() });
        let mut waiting = Waiting::new(&places);
        assert_eq!(waiting.alone(&places), [false, false]);
        waiting.add(File { place: &places[0], held: Vec::new(), told: Some(1), waits: true });
        waiting.write(&mut |_| panic!("the folder is not known yet"));
        waiting.skip(&places[1]);
        let mut told = Vec::new();
        waiting.write(&mut |one| told.push(one));
        assert_eq!(told, [1]);
        assert_eq!(Waiting::<()>::new(&places[..1]).alone(&places[..1]), [true]);
    }
}
