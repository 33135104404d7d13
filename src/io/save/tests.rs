//! Writing: the bytes, what is kept beside them, and what is left when it fails.

use super::*;
use crate::io::Lock;
use crate::io::in_place::keep_backup;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

struct Place {
    folder: tempfile::TempDir,
    state: State,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("temp");
        fs::create_dir(folder.path().join("tree")).expect("made");
        Self { state: State::at(folder.path().join("state")), folder }
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join("tree").join(name);
        fs::write(&path, text).expect("written");
        path.canonicalize().expect("there")
    }

    fn save(&self, real: &Path, old: &str, new: &str) -> Result<(), IoError> {
        Lock::acquire(&self.state, real)?.save(old, new)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path().join("tree")).expect("there");
        let mut names: Vec<_> = entries.map(|entry| entry.expect("entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    fn no_backup(&self) -> bool {
        fs::read_dir(self.folder.path().join("state/backups")).is_ok_and(|mut entries| entries.next().is_none())
    }
}

#[test]
fn bytes_mode_and_attributes_are_kept() {
    let place = Place::new();
    let (old, new) = ("\u{feff}a\r\nb", "\u{feff}a\r\nb\rc\n\n \t");
    let real = place.write("AGENTS.md", old);
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).expect("mode");
    let has_attributes = xattr::set(&real, "user.memfile", b"x").is_ok();
    place.save(&real, old, new).expect("saved");
    assert_eq!(fs::read_to_string(&real).expect("there"), new);
    assert_eq!(real.metadata().expect("there").permissions().mode() & 0o7777, 0o640);
    if has_attributes {
        assert_eq!(xattr::get(&real, "user.memfile").expect("read"), Some(b"x".to_vec()));
    }
    assert_eq!(place.names(), ["AGENTS.md"]);
}

#[test]
fn a_changed_file_is_left_alone() {
    let place = Place::new();
    let real = place.write("AGENTS.md", "theirs");
    assert!(matches!(place.save(&real, "old", "new"), Err(IoError::Changed { .. })));
    fs::remove_file(&real).expect("removed");
    assert!(matches!(place.save(&real, "old", "new"), Err(IoError::NotFound { .. })));
    assert!(place.names().is_empty());
}

#[test]
fn a_read_only_file_keeps_its_mode() {
    let place = Place::new();
    let real = place.write("AGENTS.md", "old");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o444)).expect("mode");
    place.save(&real, "old", "new").expect("the folder can be written");
    assert_eq!(fs::read_to_string(&real).expect("there"), "new");
    assert_eq!(fs::metadata(&real).expect("there").permissions().mode() & 0o777, 0o444);
}

#[test]
fn hard_links_stay_one_file() {
    let place = Place::new();
    let real = place.write("AGENTS.md", "old text");
    let other = real.with_file_name("CLAUDE.md");
    fs::hard_link(&real, &other).expect("linked");
    let inode = real.metadata().expect("there").ino();
    for (old, new) in [("old text", "a longer new text"), ("a longer new text", "short")] {
        place.save(&real, old, new).expect("saved");
        assert_eq!(fs::read_to_string(&other).expect("there"), new);
    }
    assert_eq!((other.metadata().expect("there").ino(), other.metadata().expect("there").nlink()), (inode, 2));
    assert!(place.no_backup());
    assert_eq!(place.names(), ["AGENTS.md", "CLAUDE.md"]);
}

#[test]
fn an_unfinished_write_in_place_is_taken_back_by_the_next_run() {
    let place = Place::new();
    let (old, new) = ("Port: 1\nTeam: a\n", "Port: 1 [historical]\nPort: 2\nTeam: a\n");
    let real = place.write("AGENTS.md", &format!("{}{}", &new[..4], &old[4..]));
    let backup = place.state.subfolder("backups").expect("made").join(name_of(&real));
    let torn = format!("{}{}", &new[..12], &old[12..]);
    for (now, then) in [(torn.as_str(), old), (old, old), (new, new), ("Somebody else wrote", "Somebody else wrote")] {
        fs::write(&real, now).expect("written");
        keep_backup(&backup, old.as_bytes(), new.as_bytes()).expect("kept");
        assert_eq!(Lock::acquire(&place.state, &real).expect("free").read().expect("read"), then);
        assert!(place.no_backup());
    }
}

#[test]
fn a_new_file_is_made_once() {
    let place = Place::new();
    let real = place.write("x", "").with_file_name("AGENTS.md");
    let lock = Lock::acquire(&place.state, &real).expect("free");
    lock.create("text").expect("made");
    assert!(matches!(lock.create("other"), Err(IoError::Changed { .. })));
    assert_eq!(lock.read().expect("read"), "text");
    assert_eq!(place.names(), ["AGENTS.md", "x"]);
}

#[test]
fn long_names_have_a_temporary_file() {
    let place = Place::new();
    let real = place.write(&"n".repeat(255), "old");
    place.save(&real, "old", "new").expect("saved");
    assert_eq!(fs::read_to_string(&real).expect("there"), "new");
}

#[test]
fn a_full_disk_keeps_the_old_bytes() {
    let place = Place::new();
    let mount = place.folder.path().join("tree");
    let tmpfs = || std::process::Command::new("mount").args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(&mount).output();
    if !tmpfs().is_ok_and(|done| done.status.success()) {
        return; // this machine does not let us
    }
    let (old, new) = ("x".repeat(20_000), "y".repeat(60_000));
    let real = place.write("AGENTS.md", &old);
    let linked = place.write("A.md", &old);
    fs::hard_link(&linked, linked.with_file_name("B.md")).expect("linked");
    let results = [place.save(&real, &old, &new), place.save(&linked, &old, &new)];
    let (texts, names) = ([fs::read_to_string(&real), fs::read_to_string(&linked)], place.names());
    let _ = std::process::Command::new("umount").arg("-l").arg(&mount).status();
    assert!(results.iter().all(|result| matches!(result, Err(IoError::Write { .. }))), "{results:?}");
    assert!(texts.into_iter().all(|text| text.expect("there") == old));
    assert_eq!(names, ["A.md", "AGENTS.md", "B.md"]);
    assert!(place.no_backup());
}

#[test]
fn a_folder_that_takes_no_file_is_no_obstacle() {
    if rustix::process::geteuid().is_root() {
        return; // root may write everywhere
    }
    let place = Place::new();
    let (real, tree) = (place.write("AGENTS.md", "old"), place.folder.path().join("tree"));
    let inode = real.metadata().expect("there").ino();
    fs::set_permissions(&tree, fs::Permissions::from_mode(0o555)).expect("mode");
    let saved = place.save(&real, "old", "longer than old");
    let created = Lock::acquire(&place.state, &tree.join("new.md")).expect("free").create("x");
    fs::set_permissions(&tree, fs::Permissions::from_mode(0o755)).expect("mode");
    saved.expect("in place");
    assert!(matches!(created, Err(IoError::Write { .. })));
    assert_eq!((fs::read_to_string(&real).expect("there").as_str(), real.metadata().expect("there").ino()), ("longer than old", inode));
    assert_eq!(place.names(), ["AGENTS.md"]);
    assert!(place.no_backup());
}
