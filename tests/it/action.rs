//! What the GitHub Action runs, on real clones: whole ones, shallow ones, and names that would like to be commands.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A repository with a branch that overwrote a value, and what is cloned from it.
struct Place {
    temp: tempfile::TempDir,
}

impl Place {
    fn new(target: &str) -> Self {
        let place = Self { temp: tempfile::tempdir().expect("a temporary folder") };
        let origin = place.path("origin");
        fs::create_dir(&origin).expect("a folder");
        place.git(&origin, &["init", "-q", "-b", target]);
        place.commit("## Project memory\n\n- Database: MySQL 8\n");
        place.git(&origin, &["checkout", "-q", "-b", "change"]);
        place.commit("## Project memory\n\n- Database: Postgres 17\n");
        place.commit("## Project memory\n\nA word on it.\n\n- Database: Postgres 17\n");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.temp.path().join(name)
    }

    fn commit(&self, text: &str) {
        let origin = self.path("origin");
        fs::write(origin.join("AGENTS.md"), text).expect("written");
        self.git(&origin, &["add", "."]);
        self.git(&origin, &["commit", "-q", "-m", "facts"]);
    }

    fn git(&self, folder: &Path, args: &[&str]) -> String {
        let mut command = Command::new("git");
        command
            .args(args)
            .current_dir(folder)
            .env("HOME", self.temp.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1");
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "Kim").env(format!("GIT_{who}_EMAIL"), "kim@otter.invalid");
        }
        let output = command.output().expect("git is installed");
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// A clone of the branch as `actions/checkout` makes it: all of it, or the last commit alone.
    fn clone(&self, shallow: bool) -> PathBuf {
        let to = self.path("clone");
        let url = format!("file://{}", self.path("origin").display());
        let mut args = vec!["clone", "-q", "-b", "change"];
        if shallow {
            args.extend(["--depth", "1"]);
        }
        args.extend([url.as_str(), "clone"]);
        self.git(self.temp.path(), &args);
        to
    }

    fn act(&self, clone: &Path, variables: &[(&str, &str)]) -> Output {
        let program = Path::new(env!("CARGO_BIN_EXE_memfile")).parent().expect("a folder");
        let path = std::env::join_paths(
            [program.to_owned()].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
        );
        let mut command = Command::new("bash");
        command.arg(Path::new(ROOT).join("packaging/action.sh")).current_dir(clone).env("PATH", path.expect("a path"));
        command.env("HOME", self.temp.path()).env("XDG_STATE_HOME", self.path("state")).env("SOURCE_DATE_EPOCH", "1795953600");
        for name in ["GITHUB_BASE_REF", "MEMFILE_BASE", "MEMFILE_BEFORE", "MEMFILE_PATHS", "MEMFILE_FAIL_ON"] {
            command.env_remove(name);
        }
        command.envs(variables.iter().copied()).output().expect("bash is installed")
    }
}

fn said(output: &Output) -> (Option<i32>, String) {
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.code(), text)
}

#[test]
fn a_pull_request_is_compared_with_its_target() {
    let place = Place::new("main");
    let clone = place.clone(false);
    let (code, text) = said(&place.act(&clone, &[("GITHUB_BASE_REF", "main")]));
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("::error file=AGENTS.md,line=5,col=3,") && text.contains("overwritten"), "{text}");
    // What a person says was meant is clean.
    place.git(&clone, &["commit", "-q", "--allow-empty", "-m", "meant\n\nMemfile-Accept: Database"]);
    let (code, text) = said(&place.act(&clone, &[("GITHUB_BASE_REF", "main")]));
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn missing_history_is_said_with_the_way_out() {
    let place = Place::new("main");
    let clone = place.clone(true);
    let before = place.git(&place.path("origin"), &["rev-parse", "main"]);
    for variables in [[("GITHUB_BASE_REF", "main")], [("MEMFILE_BEFORE", before.as_str())]] {
        let (code, text) = said(&place.act(&clone, &variables));
        assert_eq!(code, Some(2), "{text}");
        assert!(text.starts_with("::error title=memfile::") && text.contains("`fetch-depth: 0`"), "{text}");
    }
    // The target alone was fetched, and nothing between.
    place.git(&clone, &["fetch", "-q", "--depth", "1", "origin", "main:refs/remotes/origin/main"]);
    let (code, text) = said(&place.act(&clone, &[("GITHUB_BASE_REF", "main")]));
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("no common commit") && text.contains("`fetch-depth: 0`"), "{text}");
    // With the history it needs, the same clone is judged.
    place.git(&clone, &["fetch", "-q", "--unshallow", "origin"]);
    let (code, text) = said(&place.act(&clone, &[("GITHUB_BASE_REF", "main")]));
    assert_eq!(code, Some(1), "{text}");
}

#[test]
fn a_push_is_compared_with_what_stood_there() {
    let place = Place::new("main");
    let clone = place.clone(false);
    let before = place.git(&clone, &["rev-parse", "origin/main"]);
    let none = "0".repeat(40);
    let forced = "1".repeat(40);
    for (before, wanted) in [(before.as_str(), 1), (none.as_str(), 0), (forced.as_str(), 0)] {
        let (code, text) = said(&place.act(&clone, &[("MEMFILE_BEFORE", before)]));
        assert_eq!(code, Some(wanted), "{before}: {text}");
    }
}

#[test]
fn names_are_never_commands() {
    let target = "x$(touch${IFS}pwned)`touch${IFS}pwned`;touch${IFS}pwned";
    let place = Place::new(target);
    let clone = place.clone(false);
    let hostile = "$(touch pwned)\n--fail-on=hint\n`touch pwned`\n  AGENTS.md  ";
    let (code, text) = said(&place.act(&clone, &[("GITHUB_BASE_REF", target), ("MEMFILE_PATHS", hostile)]));
    // The paths that are not there are said; the one that is there is judged.
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("::error file=AGENTS.md") && text.contains("--fail-on=hint"), "{text}");
    for (name, value) in [("MEMFILE_BASE", "--help"), ("MEMFILE_FAIL_ON", "error --exit-zero"), ("MEMFILE_BASE", "none\n::error::x")] {
        let (code, text) = said(&place.act(&clone, &[(name, value)]));
        assert_eq!(code, Some(2), "{name}: {text}");
        assert!(!text.lines().any(|line| line.starts_with("::error::x")), "{text}");
    }
    assert!(!clone.join("pwned").exists());
}

#[test]
fn expressions_reach_the_script_as_variables_only() {
    let action = fs::read_to_string(Path::new(ROOT).join("action.yml")).expect("UTF-8");
    let mut in_env = false;
    for line in action.lines() {
        let text = line.trim_start();
        if line.len() - text.len() == 6 {
            in_env = text == "env:";
        }
        assert!(in_env || !text.contains("${{"), "an expression outside env: {line}");
    }
    assert!(action.contains("MEMFILE_PATHS: ${{ inputs.paths }}"));
}
