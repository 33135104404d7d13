//! Repositories, texts at revisions, histories: against the real git.

use super::testing::{TestRepository, open};
use super::*;

fn text(text: &str) -> Base {
    Base::Text(text.into())
}

#[test]
fn repositories_are_found_without_a_process() {
    let repo = TestRepository::new();
    repo.commit("a/b/AGENTS.md", "x", "one");
    let found = open(&repo.at("a/b"));
    assert_eq!((found.root(), found.git_dir(), found.is_shallow()), (&*repo.root, &*repo.at(".git"), false));
    let outside = tempfile::tempdir().expect("temp");
    fs::create_dir(outside.path().join(".git")).expect("made");
    assert!(Repository::discover(outside.path()).is_none(), "an empty .git is none");
    let ceiling = Repositories { ceilings: ceilings(repo.at("a").as_os_str()), nearest: Nearest::default() };
    assert!(ceiling.of(&repo.at("a/b")).is_none());
    assert!(ceiling.of(&repo.at("a")).is_some(), "git looks above a ceiling that is the start");
    assert_eq!(ceilings(OsStr::new("/x::relative:/y")), [PathBuf::from("/x"), "/y".into()]);
}

#[test]
fn worktrees_and_submodules_have_a_file_for_git() {
    let repo = TestRepository::new();
    repo.commit("AGENTS.md", "one", "one");
    let tree = repo.root.with_file_name("tree");
    repo.git(&["worktree", "add", "-q", &tree.to_string_lossy()]);
    fs::write(tree.join("AGENTS.md"), "two").expect("written");
    let found = open(&tree);
    assert_eq!((found.root(), found.common_dir()), (&*tree, &*repo.at(".git")));
    assert_eq!(found.blobs("HEAD", &[tree.join("AGENTS.md")]).expect("read"), [text("one")]);
    assert!(!found.is_busy());
    fs::write(found.git_dir().join("MERGE_HEAD"), "").expect("written");
    assert!(found.is_busy() && !repo.open().is_busy());
    let url = repo.root.to_string_lossy();
    let outer = TestRepository::new();
    outer.git(&["-c", "protocol.file.allow=always", "submodule", "add", "-q", &url, "sub"]);
    let found = open(&outer.at("sub"));
    assert_eq!(found.root(), outer.at("sub"));
    assert_eq!(found.blobs("HEAD", &[outer.at("sub/AGENTS.md")]).expect("read"), [text("one")]);
    assert_eq!(outer.open().blobs("HEAD", &[outer.at("sub/AGENTS.md")]).expect("read"), [Base::Missing]);
}

#[test]
fn odd_names_and_odd_files() {
    let repo = TestRepository::new();
    let names = ["a b.md", "-x.md", "ключ 値.md", "line\nfeed.md", "x missing", ":colon*?.md", "dir/q\"uote.md"];
    let paths: Vec<_> = names.iter().map(|name| repo.write(name, name)).collect();
    let latin = repo.write("latin.md", b"caf\xe9");
    std::os::unix::fs::symlink("a b.md", repo.at("link.md")).expect("linked");
    repo.commit_all("2026-03-01T12:00:00 +0000", "all");
    let found = repo.open();
    let expected: Vec<_> = names.iter().map(|name| text(name)).collect();
    assert_eq!(found.blobs("HEAD", &paths).expect("read"), expected);
    assert_eq!(found.staged(&paths).expect("read"), expected);
    let rest = [latin, repo.at("none.md"), repo.at("dir"), repo.root.with_file_name("outside.md"), repo.root.clone()];
    assert_eq!(found.blobs("HEAD", &rest).expect("read"), [Base::NotUtf8, Base::Missing, Base::Missing, Base::Missing, Base::Missing]);
    // The same by way of ids.
    let many: Vec<_> = std::iter::repeat_n(&paths, 3).flatten().chain(&rest).map(|path| (path.clone(), "a b.md")).collect();
    let bases = found.changed_blobs("HEAD", &many).expect("read");
    assert_eq!((&bases[0], &bases[1..7]), (&Base::Same, &expected[1..]));
    assert_eq!(&bases[21..], [Base::NotUtf8, Base::Missing, Base::Missing, Base::Missing, Base::Missing]);
    assert_eq!(found.changed_blobs("HEAD", &many[..2]).expect("read"), [Base::Same, text("-x.md")]);
}

#[test]
fn before_the_first_commit_there_is_nothing() {
    let repo = TestRepository::new();
    let path = repo.write("AGENTS.md", "x");
    let found = repo.open();
    assert_eq!(found.blobs("HEAD", std::slice::from_ref(&path)).expect("read"), [Base::Missing]);
    let many = vec![(path.clone(), "x"); 20];
    assert_eq!(found.changed_blobs("HEAD", &many).expect("read"), vec![Base::Missing; 20]);
    assert_eq!(found.history(&path, Parents::All).count(), 0);
    assert_eq!(found.renamed_from("HEAD", &path).expect("none"), None);
    assert!(matches!(found.merge_base("HEAD"), Err(IoError::MissingRevision { .. })));
}

#[test]
fn many_files_through_one_process() {
    let repo = TestRepository::new();
    let line = "- Key: a value of some length, so that the pipes fill up\n".repeat(300);
    let paths: Vec<_> = (0..300).map(|number| repo.write(&format!("d{}/f{number}.md", number % 50), format!("{number}\n{line}"))).collect();
    repo.commit_all("2026-03-01T12:00:00 +0000", "all");
    let found = repo.open();
    let bases = found.blobs("HEAD", &paths).expect("read");
    assert!(bases.iter().enumerate().all(|(number, base)| *base == text(&format!("{number}\n{line}"))));
    let texts: Vec<_> = (0..300).map(|number| if number % 3 == 0 { "changed".into() } else { format!("{number}\n{line}") }).collect();
    let files: Vec<_> = paths.iter().cloned().zip(texts.iter().map(String::as_str)).collect();
    let changed = found.changed_blobs("HEAD", &files).expect("read");
    assert!(changed.iter().enumerate().all(|(number, base)| if number % 3 == 0 { *base == bases[number] } else { *base == Base::Same }));
}

#[test]
fn a_sha256_repository() {
    let repo = TestRepository::new();
    fs::remove_dir_all(repo.at(".git")).expect("removed");
    repo.git(&["init", "-q", "--object-format=sha256"]);
    let path = repo.write("AGENTS.md", "x");
    repo.commit_all("2026-03-01T12:00:00 +0000", "all");
    let mut files = vec![(path.clone(), "x"); 20];
    files[7].1 = "y";
    let bases = repo.open().changed_blobs("HEAD", &files).expect("read");
    assert!(bases.iter().enumerate().all(|(at, base)| *base == if at == 7 { text("x") } else { Base::Same }));
}

#[test]
fn missing_revisions_name_shallow_clones() {
    let repo = TestRepository::new();
    let first = repo.commit("AGENTS.md", "one", "one");
    repo.commit("AGENTS.md", "two", "two");
    let path = repo.at("AGENTS.md");
    let many = vec![(path.clone(), "x"); 20];
    for rev in ["nosuch", "HEAD~9", "-x", "", "a:b", "a\nb"] {
        let results = [repo.open().blobs(rev, std::slice::from_ref(&path)), repo.open().changed_blobs(rev, &many)];
        assert!(results.iter().all(|result| matches!(result, Err(IoError::MissingRevision { shallow: false, .. }))), "{rev}");
        assert!(matches!(repo.open().merge_base(rev), Err(IoError::MissingRevision { .. })), "{rev}");
    }
    assert_eq!(repo.open().merge_base("HEAD~1").expect("known"), first);
    let clone = repo.shallow(1);
    let error = open(&clone).merge_base("HEAD~1").expect_err("cut off").to_string();
    assert!(error.contains("git fetch --unshallow") && error.contains("HEAD~1"), "{error}");
    repo.git(&["checkout", "-q", "--orphan", "other"]);
    repo.commit("AGENTS.md", "three", "three");
    assert!(matches!(repo.open().merge_base("main"), Err(IoError::NoMergeBase { .. })));
}

#[test]
fn no_command_of_the_configuration_runs() {
    let repo = TestRepository::new();
    repo.write(".gitattributes", "*.md diff=evil filter=evil\n");
    repo.commit("AGENTS.md", "one", "one");
    repo.commit("AGENTS.md", "two", "two");
    let evil = format!("touch '{}'; cat", repo.at("ran").display());
    for key in ["diff.evil.textconv", "diff.evil.command", "diff.external", "filter.evil.clean", "filter.evil.smudge", "core.pager"] {
        repo.git(&["config", key, &evil]);
    }
    for key in ["core.fsmonitor", "gpg.program", "pager.log"] {
        repo.git(&["config", key, &evil]);
    }
    repo.git(&["config", "log.showSignature", "true"]);
    let path = repo.write("AGENTS.md", "three");
    let found = repo.open();
    let _ = found.blobs("HEAD", std::slice::from_ref(&path)).expect("read");
    let _ = found.changed_blobs("HEAD", &vec![(path.clone(), "x"); 20]).expect("read");
    assert_eq!(found.history(&path, Parents::All).count(), 2);
    let _ = (found.renamed_from("HEAD~1", &path).expect("asked"), found.accepts("HEAD~1", "HEAD").expect("read"));
    assert!(!repo.at("ran").exists());
}

fn texts(revisions: &[Revision]) -> Vec<(&str, Option<&str>, Option<&str>)> {
    revisions.iter().map(|revision| (revision.subject.as_str(), revision.before.as_deref(), revision.text.as_deref())).collect()
}

#[test]
fn a_history_goes_through_renames() {
    let repo = TestRepository::new();
    let body = "one line\nand another one\nand a third\n";
    let first = repo.commit("MEMORY.md", body, "make");
    repo.commit("other", "x", "elsewhere");
    repo.git(&["mv", "--", "MEMORY.md", "-agents é.md"]);
    let renamed = format!("{body}more\n");
    repo.commit("-agents é.md", &renamed, "rename and change");
    repo.write("-agents é.md", "last");
    repo.commit_all("2026-03-05T23:30:00 -0800", "last\n\nwhy\n\nMemfile-Accept: Database");
    let (found, path) = (repo.open(), repo.at("-agents é.md"));
    let history: Vec<_> = found.history(&path, Parents::All).collect::<Result<_, _>>().expect("read");
    let expected = [
        ("last", Some(renamed.as_str()), Some("last")),
        ("rename and change", Some(body), Some(renamed.as_str())),
        ("make", None, Some(body)),
    ];
    assert_eq!(texts(&history), expected);
    assert_eq!(history[2].path, repo.at("MEMORY.md"));
    assert_eq!((history[0].date.to_string().as_str(), history[0].author.as_str()), ("2026-03-05", "Ann Ö"));
    assert_eq!(history[0].trailers, ["Database"]);
    let mut range =
        texts(&found.revisions(&first, "HEAD", &path).expect("read")).into_iter().map(|row| row.0.to_owned()).collect::<Vec<_>>();
    assert_eq!(range, ["rename and change", "last"]);
    range.clear();
    assert_eq!(found.renamed_from(&first, &path).expect("asked"), None, "too little is left of it");
    assert_eq!(found.renamed_from("HEAD~1", &path).expect("asked"), None);
    repo.git(&["mv", "--", "-agents é.md", "AGENTS.md"]);
    let staged = repo.at("AGENTS.md");
    assert_eq!(found.renamed_from("HEAD", &staged).expect("asked"), Some(path));
    assert_eq!(found.history(&staged, Parents::First).count(), 3);
    assert_eq!(found.history(&repo.at("none.md"), Parents::All).count(), 0);
}

#[test]
fn merges_come_once_and_trailers_of_branches_count() {
    let repo = TestRepository::new();
    let base = repo.commit("AGENTS.md", "1\n2\n3\n", "base");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("AGENTS.md", "1\n2\nside\n");
    repo.commit_all("2026-03-02T12:00:00 +0000", "side");
    repo.write("other", "x");
    repo.commit_all("2026-03-02T13:00:00 +0000", "elsewhere\n\nMemfile-Accept: Port");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("AGENTS.md", "main\n2\n3\n");
    repo.commit_all("2026-03-03T12:00:00 +0000", "main");
    repo.git_on("2026-03-04T12:00:00 +0000", &["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    let (found, path) = (repo.open(), repo.at("AGENTS.md"));
    let merge = ("merge", Some("main\n2\n3\n"), Some("main\n2\nside\n"));
    let main = ("main", Some("1\n2\n3\n"), Some("main\n2\n3\n"));
    assert_eq!(texts(&found.revisions(&base, "HEAD", &path).expect("read")), [main, merge]);
    let all: Vec<_> = found.history(&path, Parents::All).collect::<Result<_, _>>().expect("read");
    assert_eq!(texts(&all), [merge, main, ("side", Some("1\n2\n3\n"), Some("1\n2\nside\n")), ("base", None, Some("1\n2\n3\n"))]);
    let accepts = found.accepts(&base, "HEAD").expect("read");
    assert_eq!(accepts.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>(), ["Port"]);
    // A reader that stops early ends git with it.
    assert!(found.history(&path, Parents::All).next().is_some_and(|first| first.is_ok()));
    assert!(matches!(found.revisions("nosuch", "HEAD", &path), Err(IoError::MissingRevision { .. })));
    assert!(matches!(found.accepts("HEAD", "nosuch"), Err(IoError::MissingRevision { .. })));
}

#[test]
fn one_question_tells_which_files_were_touched() {
    let repo = TestRepository::new();
    for name in ["kept.md", "changed.md", "old.md", "gone.md", "sub dir/\u{43f}.md"] {
        repo.write(name, format!("{name}\n").repeat(20));
    }
    repo.commit_all("2026-03-01T12:00:00 +0000", "base");
    let base = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.commit("sub dir/\u{43f}.md", "side", "side");
    repo.git(&["checkout", "-q", "main"]);
    repo.commit("changed.md", "1", "changed");
    repo.git(&["mv", "old.md", "new.md"]);
    repo.git(&["rm", "-q", "gone.md"]);
    repo.commit_all("2026-03-02T12:00:00 +0000", "moved");
    repo.git(&["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    let names = ["kept.md", "changed.md", "old.md", "new.md", "gone.md", "sub dir/\u{43f}.md", "none.md"];
    let paths: Vec<_> = names.iter().map(|name| repo.at(name)).collect();
    let found = repo.open();
    let touched = found.touched(&base, "HEAD", &paths).expect("read");
    assert_eq!(touched, [false, true, true, true, true, true, false]);
    for (path, touched) in paths.iter().zip(touched) {
        assert_eq!(found.revisions(&base, "HEAD", path).expect("read").is_empty(), !touched, "{}", path.display());
    }
    assert!(matches!(found.touched("nosuch", "HEAD", &paths), Err(IoError::MissingRevision { .. })));
}

#[test]
fn deleted_and_unreadable_texts() {
    let repo = TestRepository::new();
    repo.commit("AGENTS.md", "one", "one");
    fs::remove_file(repo.at("AGENTS.md")).expect("removed");
    repo.commit_all("2026-03-01T12:00:00 +0000", "gone");
    repo.write("AGENTS.md", b"\xff");
    repo.commit_all("2026-03-01T12:00:00 +0000", "bad");
    repo.commit("AGENTS.md", "two", "two");
    let repository = repo.open();
    let all: Vec<_> = repository.history(&repo.at("AGENTS.md"), Parents::First).collect::<Result<_, _>>().expect("read");
    assert_eq!(all.iter().map(|revision| revision.subject.as_str()).collect::<Vec<_>>(), ["gone", "one"]);
}

#[test]
fn the_boundary_of_a_shallow_clone_has_no_date() {
    let repo = TestRepository::new();
    for number in 0..3 {
        repo.commit("AGENTS.md", &number.to_string(), "x");
    }
    let clone = repo.shallow(2);
    let repository = open(&clone);
    let history: Vec<_> = repository.history(&clone.join("AGENTS.md"), Parents::All).collect::<Result<_, _>>().expect("read");
    assert_eq!(history.iter().map(|revision| revision.has_known_date).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn a_partial_clone_is_an_error_and_no_missing_file() {
    let repo = TestRepository::new();
    repo.commit("AGENTS.md", "one", "one");
    repo.commit("AGENTS.md", "two", "two");
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let clone = repo.root.with_file_name("partial");
    let url = format!("file://{}", repo.root.display());
    repo.git(&["clone", "-q", "--filter=blob:none", &url, &clone.to_string_lossy()]);
    let (found, path) = (open(&clone), clone.join("AGENTS.md"));
    assert_eq!(found.blobs("HEAD", &[path.clone(), clone.join("none")]).expect("read"), [text("two"), Base::Missing]);
    let error = found.blobs("HEAD~1", std::slice::from_ref(&path)).expect_err("not there").to_string();
    assert!(error.contains("not in this clone"), "{error}");
    assert!(found.history(&path, Parents::All).any(|revision| revision.is_err()));
}

#[test]
fn the_index_of_a_hook() {
    let repo = TestRepository::new();
    let path = repo.write("AGENTS.md", "one");
    repo.git(&["add", "-A"]);
    fs::copy(repo.at(".git/index"), repo.at(".git/next-index")).expect("copied");
    repo.write("AGENTS.md", "two");
    repo.git(&["add", "-A"]);
    let found = repo.open();
    assert_eq!(found.staged(std::slice::from_ref(&path)).expect("read"), [text("two")]);
    assert_eq!(found.with_index(Path::new(".git/next-index")).staged(&[path]).expect("read"), [text("one")]);
}
