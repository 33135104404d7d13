//! A repository can come from anyone: no program that its configuration, attributes or hooks name is started, whatever memfile
//! is asked. Each trick leaves a mark where it runs, and plain git is asked first whether the trick works at all.

use super::doors::{agent, editor, talk};
use crate::repository::{Repository, Said, facts, run_by_anyone};
use std::fs;
use std::path::Path;

const F: &str = "AGENTS.md";

/// A repository with a history, an overwritten value, a file without one, and marks to be left.
struct Hostile(Repository);

impl Hostile {
    fn new() -> Self {
        let repository = Repository::new("r");
        for (number, port) in ["1", "2", "3"].iter().enumerate() {
            let lost = ["Gone: g", "Left: l"][..2 - number.min(1)].to_vec();
            repository.write(F, &facts(&[&[format!("Port: {port}").as_str(), "Team: a"], &lost[..]].concat()));
            repository.commit(&format!("port {port}"));
        }
        sign(&repository);
        repository.write(F, &facts(&["Port: 4", "Team: a"]));
        repository.write("CLAUDE.md", &facts(&["Host: a", "Host: b"]));
        fs::create_dir(repository.top().join("marks")).expect("a folder");
        Self(repository)
    }

    /// A command that leaves the mark `name`.
    fn mark(&self, name: &str) -> String {
        format!("touch {}", self.0.top().join("marks").join(name).display())
    }

    /// A program of its own that leaves the mark `name`, for what git starts without a shell.
    fn program(&self, name: &str) -> String {
        let path = self.0.top().join(name);
        fs::write(&path, format!("#!/bin/sh\n{}\n", self.mark(name))).expect("written");
        run_by_anyone(&path);
        path.to_string_lossy().into_owned()
    }

    fn marks(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.top().join("marks")).expect("a folder").flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// What plain git runs, at least.
    fn works(&self, args: &[&str], mark: &str) {
        self.0.try_git(args);
        assert!(self.marks().iter().any(|name| name == mark), "git {args:?} does not run {mark}: {:?}", self.marks());
        self.clear();
    }

    fn clear(&self) {
        self.marks().iter().for_each(|name| fs::remove_file(self.0.top().join("marks").join(name)).expect("removed"));
    }

    fn config(&self, lines: &str) {
        let path = self.0.root.join(".git/config");
        fs::write(&path, fs::read_to_string(&path).expect("a text") + lines).expect("written");
    }

    /// All that reads a repository, in each door.
    fn ask_all(&self, folder: &Path) {
        let base = self.0.try_git(&["rev-parse", "--verify", "-q", "HEAD~1"]).out.trim().to_owned();
        for args in [
            &["check"][..],
            &["check", "--base", if base.is_empty() { "HEAD" } else { &base }],
            &["fix", "--diff"],
            &["now", "-f", F],
            &["history", "Port", "--git", "-f", F],
            &["why", "Port", "-f", F],
            &["present", "-f", F],
            &["backfill", "--dry-run", "-f", F],
            &["doctor"],
            &["hook", "status"],
            &["watch", "--once", "--report"],
            &["hook", "run", "--no-fix"],
            &["backfill", "-f", F],
            &["accept", "Port", "-f", F],
            &["fix"],
            &["log", "-f", F],
            &["undo", "-f", F],
            &["restore", "-f", F],
            &["watch", "--once"],
        ] {
            let said = self.0.call("memfile", folder, args);
            assert!((0..=2).contains(&said.code), "{args:?}: {}", said.both());
            assert_eq!(self.marks(), Vec::<String>::new(), "memfile {args:?} ran it");
        }
        if cfg!(feature = "mcp") {
            assert!(talk(&self.0, folder, "mcp", &agent()).contains("Port"));
        }
        if cfg!(feature = "lsp") {
            assert!(
                talk(&self.0, folder, "lsp", &editor(&folder.join(F), &fs::read_to_string(folder.join(F)).expect("a text")))
                    .contains("Port")
            );
        }
        assert_eq!(self.marks(), Vec::<String>::new());
    }
}

/// Puts a signature into the last commit.
fn sign(repository: &Repository) {
    let commit = repository.git(&["cat-file", "commit", "HEAD"]);
    let (head, message) = commit.split_once("\n\n").expect("a message");
    let signed = format!("{head}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n{message}");
    let path = repository.top().join("commit");
    fs::write(&path, signed).expect("written");
    let id = repository.git(&["hash-object", "-t", "commit", "-w", &path.to_string_lossy()]);
    repository.git(&["update-ref", "HEAD", id.trim()]);
}

#[test]
fn no_program_of_a_configuration_runs() {
    let hostile = Hostile::new();
    let mark = |name: &str| hostile.mark(name);
    hostile.0.write(".gitattributes", "*.md diff=evil filter=evil merge=evil\n");
    hostile.0.write("included", &format!("[core]\n\tfsmonitor = {}\n[pager]\n\tcat-file = {}\n", mark("include"), mark("include")));
    hostile.config(&format!(
        "[core]\n\tpager = {pager}\n\tsshCommand = {ssh}\n\taskPass = {ask}\n\teditor = {editor}\n\thooksPath = hooks\n\tgitProxy = {proxy}\n\
         \talternateRefsCommand = {refs}\n[diff]\n\texternal = {external}\n[diff \"evil\"]\n\ttextconv = {textconv}\n\tcommand = {command}\n\
         [filter \"evil\"]\n\tclean = {clean}\n\tsmudge = {smudge}\n\tprocess = {process}\n[merge \"evil\"]\n\tdriver = {driver}\n\
         [gpg]\n\tprogram = {gpg}\n[log]\n\tshowSignature = true\n[alias]\n\tlog = !{alias}\n\tcat-file = !{alias}\n[pager]\n\tlog = {pager}\n\
         [credential]\n\thelper = !{credential}\n[hook \"evil\"]\n\tcommand = {config_hook}\n\tevent = post-index-change\n\tevent = pre-commit\n\
         [trailer \"evil\"]\n\tcommand = {trailer}\n[include]\n\tpath = ../included\n",
        pager = mark("pager"), ssh = mark("ssh"), ask = hostile.program("ask"), editor = mark("editor"), proxy = hostile.program("proxy"), refs = mark("refs"),
        external = mark("external"), textconv = mark("textconv"), command = mark("command"), clean = mark("clean"),
        smudge = mark("smudge"), process = mark("process"), driver = mark("driver"), gpg = hostile.program("gpg"), alias = mark("alias"),
        credential = mark("credential"), config_hook = mark("config-hook"), trailer = mark("trailer"),
    ));
    for hook in ["pre-commit", "post-index-change", "post-checkout", "prepare-commit-msg", "reference-transaction", "fsmonitor-watchman"] {
        for folder in ["hooks", ".git/hooks"] {
            run_by_anyone(&hostile.0.write(&format!("{folder}/{hook}"), &format!("#!/bin/sh\n{}\n", mark("hook"))));
        }
    }
    for (args, name) in [
        (&["status"][..], "include"),
        (&["-c", "core.fsmonitor=", "-c", "filter.evil.process=", "diff", "HEAD"], "command"),
        (&["-c", "filter.evil.process=", "log", "-p", "-3", "--", F], "textconv"),
        (&["log", "-1"], "gpg"),
        (&["update-index", "--refresh", "--force-write-index"], "hook"),
        (&["hash-object", F], "process"),
    ] {
        hostile.works(args, name);
    }
    hostile.ask_all(&hostile.0.root);
}

/// A clone that lacks a blob, and says that a program brings it.
fn partial(hostile: &Hostile) -> String {
    let blob = hostile.0.git(&["rev-parse", "HEAD~2:AGENTS.md"]).trim().to_owned();
    fs::remove_file(hostile.0.root.join(".git/objects").join(&blob[..2]).join(&blob[2..])).expect("a loose object");
    hostile.0.git(&["config", "core.repositoryFormatVersion", "1"]);
    hostile.config(&format!(
        "[extensions]\n\tpartialClone = origin\n[remote \"origin\"]\n\tpromisor = true\n\turl = ext::{}\n\tfetch = +refs/heads/*:refs/x/*\n\
         [protocol]\n\tallow = always\n[protocol \"ext\"]\n\tallow = always\n",
        hostile.mark("fetched")
    ));
    blob
}

#[test]
fn nothing_is_fetched() {
    let hostile = Hostile::new();
    let blob = partial(&hostile);
    hostile.works(&["cat-file", "-p", &blob], "fetched");
    hostile.ask_all(&hostile.0.root);
}

/// Puts a program before git's that sets the environment otherwise.
fn other_git(repository: &Repository, change: &str) {
    let git = repository.call("sh", &repository.root, &["-c", "command -v git"]).out;
    let path = repository.top().join("bin/git");
    fs::write(&path, format!("#!/bin/sh\n{change}\nexec {} \"$@\"\n", git.trim())).expect("written");
    run_by_anyone(&path);
}

#[test]
fn a_git_that_knows_no_lazy_fetch_fetches_nothing_either() {
    let hostile = Hostile::new();
    let blob = partial(&hostile);
    other_git(&hostile.0, "unset GIT_NO_LAZY_FETCH");
    hostile.works(&["cat-file", "-p", &blob], "fetched");
    hostile.ask_all(&hostile.0.root);
}

#[test]
fn a_repository_of_someone_else_is_not_read() {
    let hostile = Hostile::new();
    hostile.config(&format!("[core]\n\tfsmonitor = {}\n", hostile.mark("fsmonitor")));
    other_git(&hostile.0, "export GIT_TEST_ASSUME_DIFFERENT_OWNER=1");
    let said = hostile.0.ends(2, &["check"]);
    assert!(said.err.contains("dubious ownership") && said.err.contains("safe.directory"), "{}", said.err);
    hostile.0.ends(1, &["check", "--base", "none", "CLAUDE.md"]);
    assert_eq!(hostile.marks(), Vec::<String>::new());
}

#[test]
fn a_bare_repository_in_a_folder_is_no_repository() {
    let hostile = Hostile::new();
    let inner = hostile.0.root.join("sub");
    for folder in ["objects", "refs"] {
        fs::create_dir_all(inner.join(folder)).expect("a folder");
    }
    hostile.0.write("sub/HEAD", "ref: refs/heads/main\n");
    let monitor = hostile.mark("fsmonitor");
    hostile
        .0
        .write("sub/config", &format!("[core]\n\trepositoryFormatVersion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = {monitor}\n"));
    hostile.0.write("sub/AGENTS.md", &facts(&["Port: 1"]));
    hostile.works(&["-C", "sub", "status"], "fsmonitor");
    hostile.0.git(&["add", F, "sub/AGENTS.md"]);
    hostile.0.write("sub/AGENTS.md", &facts(&["Port: 2"]));
    let said: Said = hostile.0.call("memfile", &inner, &["check"]);
    assert!(said.out.contains("overwritten") || said.err.contains("compared with"), "{}", said.both());
    hostile.ask_all(&inner);
}

#[test]
fn the_callers_variables_of_git_lead_nowhere_else() {
    let hostile = Hostile::new();
    let plain = hostile.0.ends(1, &["check"]);
    let elsewhere = Repository::new("other");
    elsewhere.write(F, &facts(&["Port: 4", "Team: a"]));
    elsewhere.commit("other");
    let trace = hostile.0.top().join("marks/trace");
    let mut program = hostile.0.program("memfile", &hostile.0.root);
    program.arg("check");
    for (name, value) in [
        ("GIT_DIR", elsewhere.root.join(".git").to_string_lossy().into_owned()),
        ("GIT_WORK_TREE", elsewhere.root.to_string_lossy().into_owned()),
        ("GIT_INDEX_FILE", "nowhere".to_owned()),
        ("GIT_OBJECT_DIRECTORY", "nowhere".to_owned()),
        ("GIT_NAMESPACE", "x".to_owned()),
        ("GIT_EXEC_PATH", "nowhere".to_owned()),
        ("GIT_EXTERNAL_DIFF", hostile.mark("external")),
        ("GIT_PAGER", hostile.mark("pager")),
        ("GIT_SSH_COMMAND", hostile.mark("ssh")),
        ("GIT_TRACE", trace.to_string_lossy().into_owned()),
        ("GIT_TRACE2_EVENT", trace.to_string_lossy().into_owned()),
        ("GIT_CONFIG_COUNT", "1".to_owned()),
        ("GIT_CONFIG_KEY_0", "core.fsmonitor".to_owned()),
        ("GIT_CONFIG_VALUE_0", hostile.mark("fsmonitor")),
        ("GIT_CONFIG_PARAMETERS", format!("'core.fsmonitor'='{}'", hostile.mark("parameters"))),
    ] {
        program.env(name, value);
    }
    let output = program.output().expect("it starts");
    assert_eq!(String::from_utf8_lossy(&output.stdout), plain.out);
    assert_eq!(hostile.marks(), Vec::<String>::new());
}

#[test]
fn a_git_file_that_leads_elsewhere_is_read_and_never_run() {
    let hostile = Hostile::new();
    let elsewhere = hostile.0.top().join("elsewhere");
    fs::rename(hostile.0.root.join(".git"), &elsewhere).expect("moved");
    hostile.0.write(".git", "gitdir: ../elsewhere\n");
    let config = elsewhere.join("config");
    let evil = format!("[core]\n\tfsmonitor = {}\n[pager]\n\tlog = {}\n", hostile.mark("fsmonitor"), hostile.mark("pager"));
    fs::write(&config, fs::read_to_string(&config).expect("a text") + &evil).expect("written");
    hostile.works(&["status"], "fsmonitor");
    hostile.ask_all(&hostile.0.root);
}

#[test]
fn a_git_file_that_leads_nowhere_is_no_repository() {
    for text in ["gitdir: .git\n", "gitdir: /nowhere\n", "gitdir: /dev/zero\n", "gitdir:\n", "", "gitdir: \u{1b}[31m\n\n"] {
        let repository = Repository::without_git("r");
        repository.write(".git", text);
        repository.write(F, &facts(&["Port: 1", "Port: 2"]));
        let said = repository.ends(1, &["check"]);
        assert!(said.err.contains("compared with nothing"), "{text:?}: {}", said.both());
    }
    // Neither is what is no file: a pipe would be waited for, and a device read for ever.
    for kind in ["mkfifo .git", "ln -s /dev/zero .git", "ln -s .git .git"] {
        let repository = Repository::without_git("r");
        repository.write(F, &facts(&["Port: 1", "Port: 2"]));
        assert_eq!(repository.call("sh", &repository.root, &["-c", kind]).code, 0);
        let said = repository.ends(1, &["check"]);
        assert!(said.err.contains("compared with nothing"), "{kind}: {}", said.both());
    }
}
