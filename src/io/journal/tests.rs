//! The journal: what goes in comes out, `forget` leaves nothing, a broken file is an error.

use super::schema::MIGRATIONS;
use super::*;
use std::fs;

fn place() -> (tempfile::TempDir, State) {
    let folder = tempfile::tempdir().expect("temp");
    let state = State::at(folder.path().join("state"));
    (folder, state)
}

fn declared(kind: DeclaredKind, old: &str) -> Declared {
    Declared { key: "Database".into(), kind, old: Some(old.into()), new: None, time: 7 }
}

#[test]
fn reading_makes_nothing() {
    let (_folder, state) = place();
    assert!(Journal::open_for_read(&state).expect("none").is_none());
    assert!(state.for_read().is_none());
    Journal::open(&state).expect("made");
    let journal = Journal::open_for_read(&state).expect("read").expect("there");
    assert_eq!(journal.accepted("/a").expect("read"), None);
}

#[test]
fn what_goes_in_comes_out() {
    let (_folder, state) = place();
    let mut journal = Journal::open(&state).expect("made");
    journal.set_accepted(&[("/a".into(), "one"), ("/b".into(), "\u{feff}two\r\n")], 1).expect("noted");
    journal.set_accepted(&[("/a".into(), "three")], 2).expect("noted");
    let made: StepFile = StepFile { file: "/b".into(), old: None, new: Some("x".into()) };
    let changed: StepFile = StepFile { file: "/a".into(), old: Some("one".into()), new: Some("three".into()) };
    let first = journal.add_step(3, "ann", "memfile set", std::slice::from_ref(&changed)).expect("noted");
    let second = journal.add_step(4, "ann", "memfile archive", &[made.clone(), changed.clone()]).expect("noted");
    journal.mark_undone(second).expect("noted");
    journal.declare("/a", &[declared(DeclaredKind::Accept, "old"), declared(DeclaredKind::Drop, "older")]).expect("noted");
    let reader = Journal::open_for_read(&state).expect("read").expect("there");
    assert_eq!(reader.accepted("/a").expect("read").as_deref(), Some("three"));
    assert_eq!(reader.accepted("/b").expect("read").as_deref(), Some("\u{feff}two\r\n"));
    let steps = reader.steps("/a").expect("read");
    assert_eq!(steps.iter().map(|step| (step.id, step.is_undone)).collect::<Vec<_>>(), [(first, false), (second, true)]);
    assert_eq!(steps[1].files, [changed, made]);
    assert_eq!(reader.steps("/b").expect("read").len(), 1);
    assert_eq!(reader.declared("/a").expect("read"), [declared(DeclaredKind::Accept, "old"), declared(DeclaredKind::Drop, "older")]);
    assert!(reader.declared("/b").expect("read").is_empty());
}

#[test]
fn an_older_journal_is_read_and_written_on() {
    let (_folder, state) = place();
    let path = state.for_write().expect("made").join("journal.db");
    let older = Connection::open(&path).expect("made");
    older.execute_batch(&format!("{} {} PRAGMA user_version = 2;", MIGRATIONS[0], MIGRATIONS[1])).expect("of old");
    older.execute("INSERT INTO accepted (file, text, time) VALUES ('/a', 'öld', 1), ('/b', 'b', 1)", []).expect("noted");
    older.execute("INSERT INTO steps (time, actor, command) VALUES (1, 'ann', 'fix')", []).expect("noted");
    older.execute("INSERT INTO step_files VALUES (1, '/a', 'before', 'öld')", []).expect("noted");
    drop(older);
    let reader = Journal::open_for_read(&state).expect("read").expect("there");
    assert_eq!(reader.accepted("/a").expect("read").as_deref(), Some("öld"));
    let mut journal = Journal::open(&state).expect("written on");
    assert_eq!(journal.schema().expect("read"), MIGRATIONS.len());
    let part = StepFile { file: "/a".into(), old: Some("öld"), new: Some("now") };
    journal.add_accepted_step(2, "ann", "fix", &[part], &[("/a".into(), "now")]).expect("noted");
    let texts = |step: &Step| (step.files[0].old.clone(), step.files[0].new.clone());
    let steps = journal.steps("/a").expect("read");
    let said = [("before", "öld"), ("öld", "now")].map(|(old, new)| (Some(old.to_owned()), Some(new.to_owned())));
    assert_eq!(steps.iter().map(texts).collect::<Vec<_>>(), said);
    assert_eq!(["/a", "/b"].map(|file| journal.accepted(file).expect("read")), ["now", "b"].map(|text| Some(text.to_owned())));
}

#[test]
fn forgotten_texts_leave_the_disk() {
    let (_folder, state) = place();
    let mut journal = Journal::open(&state).expect("made");
    let secret = "tok-5up3r-53cr3t";
    let long = format!("{}{secret}{}", "a".repeat(5_000), "b".repeat(5_000));
    journal.set_accepted(&[("/a".into(), long.clone()), ("/b".into(), "kept".into())], 1).expect("noted");
    let part = StepFile { file: "/a".into(), old: Some(long), new: Some(format!("- Hook: {secret}")) };
    journal.add_step(1, "ann", "memfile set", &[part]).expect("noted");
    journal.declare("/a", &[declared(DeclaredKind::Accept, secret)]).expect("noted");
    journal.rewrite("/a", &|_, text| text.contains(secret).then(|| text.replace(secret, "[redacted]"))).expect("rewritten");
    assert_eq!(journal.steps("/a").expect("read")[0].files[0].new.as_deref(), Some("- Hook: [redacted]"));
    assert_eq!(journal.accepted("/b").expect("read").as_deref(), Some("kept"));
    let folder = state.for_read().expect("there");
    for entry in fs::read_dir(&folder).expect("there") {
        let bytes = fs::read(entry.expect("entry").path()).expect("read");
        assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()));
    }
}

#[test]
fn a_broken_or_newer_journal_is_an_error_with_its_path() {
    let (_folder, state) = place();
    let path = state.for_write().expect("made").join("journal.db");
    fs::write(&path, "this is no database, and long enough to have a header of one hundred bytes or so, which is what it takes")
        .expect("written");
    for error in [Journal::open(&state).expect_err("broken"), Journal::open_for_read(&state).expect_err("broken")] {
        assert!(error.to_string().contains("journal.db") && error.to_string().contains("move the file away"), "{error}");
    }
    fs::remove_file(&path).expect("removed");
    drop(Journal::open(&state).expect("made"));
    Connection::open(&path).and_then(|connection| connection.execute_batch("PRAGMA user_version = 99")).expect("written");
    for error in [Journal::open(&state).expect_err("newer"), Journal::open_for_read(&state).expect_err("newer")] {
        assert!(error.to_string().contains("newer memfile"), "{error}");
    }
    fs::write(&path, "").expect("written");
    assert!(Journal::open_for_read(&state).expect("empty").is_none());
}

#[test]
fn writers_wait_for_each_other() {
    let (_folder, state) = place();
    std::thread::scope(|scope| {
        for number in 0..8 {
            let state = &state;
            scope.spawn(move || {
                let mut journal = Journal::open(state).expect("made once");
                journal.set_accepted(&[(format!("/{number}"), "x")], 1).expect("noted");
            });
        }
    });
    let journal = Journal::open(&state).expect("there");
    assert!((0..8).all(|number| journal.accepted(&format!("/{number}")).expect("read").is_some()));
}
