//! `memfile accept`: how what is meant can be named, from the command line.

use crate::repository::{Repository, facts};

const F: &str = "AGENTS.md";

/// A repository in whose memory one value was overwritten and one fact deleted.
fn changed() -> Repository {
    let repository = Repository::new("accept");
    repository.write(F, &facts(&["Database: MySQL", "Owner: Kim"]));
    repository.commit("facts");
    repository.write(F, &facts(&["Database: Postgres"]));
    repository
}

#[test]
fn a_file_a_place_and_a_fact_can_be_meant() {
    let link = |repository: &Repository| std::os::unix::fs::symlink(F, repository.root.join("CLAUDE.md")).expect("a link");
    // All of a file, also where it is named twice, or by another of its names.
    for args in [&["accept", F][..], &["accept", F, "-f", F], &["accept", "./AGENTS.md", "-f", "CLAUDE.md"]] {
        let repository = changed();
        link(&repository);
        let said = repository.memfile(args);
        assert!(said.code == 0 && said.err.contains("accepted: Database, Owner"), "{args:?}: {}", said.err);
        assert_eq!(repository.memfile(&["check", F]).code, 0, "{args:?}");
    }
    let line = format!("{F}:{}", 1 + facts(&[]).lines().count());
    for (args, left) in [(&["accept", "database", "-f", F][..], "deleted"), (&["accept", "Owner"], "overwritten")] {
        let repository = changed();
        assert_eq!(repository.memfile(args).code, 0, "{args:?}");
        let said = repository.memfile(&["check", "--output-format", "concise", F]).out;
        assert!(said.lines().count() == 1 && said.contains(left), "{args:?}: {said}");
    }
    let repository = changed();
    let said = repository.memfile(&["accept", &line]);
    assert!(said.code == 0 && said.err.contains("Database"), "{line}: {}", said.err);
}

#[test]
fn a_name_of_nothing_is_told() {
    let repository = changed();
    repository.write("docs/notes.md", "notes\n");
    for (args, said) in [
        (&["accept", "Databse"][..], "did you mean `Database`?"),
        (&["accept", "Colour"], "there is no fact `Colour`"),
        // A file that is another one than the one that is asked.
        (&["accept", "docs/notes.md", "-f", F], "there is no fact `docs/notes.md`"),
    ] {
        let ended = repository.memfile(args);
        assert!(ended.code == 1 && ended.err.contains(said), "{args:?}: {}", ended.err);
    }
    assert_eq!(repository.memfile(&["check", "--output-format", "concise", F]).out.lines().count(), 2);
}
