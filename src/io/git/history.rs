//! The commits of one file: a path comes in, its revisions go out with their texts, followed through renames.
//!
//! Not `git log --follow`: that walks every commit of the repository, shows side branches that left nothing behind, and no
//! merge at all. Here git's own simplification of history for one path decides, and where the file was added, the commit is
//! asked whether it was renamed; then the walk goes on under the old name. The cost is one `git log` and one small
//! `git diff-tree` for each name, and one `git cat-file` for all texts.

use super::batch::{Object, ObjectReader};
use super::log::{self, Change, Commit, LogReader};
use super::process::{Running, arg};
use super::{Repository, is_plain};
use crate::io::IoError;
use chrono::NaiveDate;
use rustc_hash::FxHashSet;
use std::ffi::OsString;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::ChildStdout;
use std::sync::Arc;

/// One commit that touched a file.
#[derive(Clone, Debug)]
pub struct Revision {
    /// The id of the commit, whole.
    pub commit: String,
    /// The author's name.
    pub author: String,
    /// The author's day, in the author's own offset.
    pub date: NaiveDate,
    /// False for the boundary of a shallow clone: all that is older seems to come from that commit.
    pub has_known_date: bool,
    /// The first line of the message.
    pub subject: String,
    /// The values of its `Memfile-Accept` trailers.
    pub trailers: Vec<String>,
    /// The path of the file in that commit, below the present root.
    pub path: PathBuf,
    /// The text at the first parent (under the old name, if it was renamed); `None` where there was no file.
    pub before: Option<Arc<str>>,
    /// The text at the commit; `None` where it removed the file.
    pub text: Option<Arc<str>>,
}

/// Which parents of a merge are walked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parents {
    /// The first one: each text follows from the one before; a merged branch is one step.
    First,
    /// All that brought something to the file. Texts of branches alternate by date: compare each with its `before`.
    All,
}

impl Repository {
    /// The whole history of the file with the real path `path`, from `HEAD` back, newest first. Git starts with the first
    /// revision that is asked for and ends when the iterator is dropped.
    pub fn history(&self, path: &Path, parents: Parents) -> History<'_> {
        let mut history = self.walk(vec!["HEAD".into()], path, parents);
        history.may_be_staged = true;
        history
    }

    /// The commits of `from..to` along first parents that touched the file with the real path `path`, oldest first.
    ///
    /// # Errors
    /// [`IoError::MissingRevision`], [`IoError::Git`].
    pub fn revisions(&self, from: &str, to: &str, path: &Path) -> Result<Vec<Revision>, IoError> {
        let history = self.walk(self.range(from, to)?, path, Parents::First);
        let revisions = history.collect::<Result<Vec<_>, _>>();
        let mut revisions = revisions.map_err(|error| self.missing_among([from, to], error))?;
        revisions.reverse();
        Ok(revisions)
    }

    /// For each of the files with the real paths `paths`: whether a commit of `from..to` along first parents touched it. One question
    /// for all, where [`Repository::revisions`] asks for each.
    ///
    /// # Errors
    /// As [`Repository::revisions`].
    pub fn touched(&self, from: &str, to: &str, paths: &[PathBuf]) -> Result<Vec<bool>, IoError> {
        let mut args: Vec<OsString> = ["log", "-z", "--format=", "--name-only", "--no-renames", "--no-color"].map(OsString::from).into();
        args.extend(["--no-ext-diff", "--no-textconv", "--diff-merges=first-parent", "--first-parent"].map(OsString::from));
        args.extend(self.range(from, to)?);
        args.push("--".into());
        let output = self.try_run(args)?;
        if !output.status.success() {
            return Err(self.missing_among([from, to], self.failed("git log", &output.stderr)));
        }
        // Between commits git may write a line break; no name is missed where one begins with it.
        let fields = output.stdout.split(|&byte| byte == 0);
        let names: FxHashSet<&[u8]> = fields.flat_map(|name| [name, name.trim_ascii_start()]).collect();
        Ok(paths.iter().map(|path| self.name(path).is_none_or(|name| names.contains(name.as_slice()))).collect())
    }

    /// The `Memfile-Accept` trailers of all commits of `from..to`, merged ones included, whatever they touched: commit and
    /// value, newest first.
    ///
    /// # Errors
    /// As [`Repository::revisions`].
    pub fn accepts(&self, from: &str, to: &str) -> Result<Vec<(String, String)>, IoError> {
        let mut args: Vec<OsString> =
            ["log", "-z", log::FORMAT, "--encoding=UTF-8", "--no-color", "--basic-regexp"].map(OsString::from).into();
        args.extend(["--regexp-ignore-case", "--grep=^Memfile-Accept:"].map(OsString::from));
        args.extend(self.range(from, to)?);
        args.push("--".into());
        let output = self.try_run(args)?;
        if !output.status.success() {
            return Err(self.missing_among([from, to], self.failed("git log", &output.stderr)));
        }
        let mut reader = LogReader::new(output.stdout.as_slice());
        let mut found = Vec::new();
        while let Some(commit) = reader.read().map_err(|error| self.failed("git log", error.to_string().as_bytes()))? {
            found.extend(log::accepted(&commit.message).into_iter().map(|value| (commit.id.clone(), value)));
        }
        Ok(found)
    }

    /// The `Memfile-Accept` trailers of the one commit `rev`.
    ///
    /// # Errors
    /// [`IoError::MissingRevision`], [`IoError::Git`].
    pub fn accepts_of(&self, rev: &str) -> Result<Vec<String>, IoError> {
        if !is_plain(rev) {
            return Err(self.missing(rev));
        }
        let output = self.try_run(["log", "-1", "--no-walk", "--encoding=UTF-8", "--no-color", "--format=%B", rev, "--"])?;
        if !output.status.success() {
            return Err(self.missing(rev));
        }
        Ok(log::accepted(&String::from_utf8_lossy(&output.stdout)))
    }

    fn range(&self, from: &str, to: &str) -> Result<Vec<OsString>, IoError> {
        match [from, to].into_iter().find(|rev| !is_plain(rev)) {
            Some(rev) => Err(self.missing(rev)),
            None => Ok(vec![to.into(), format!("^{from}").into()]),
        }
    }

    fn walk(&self, range: Vec<OsString>, path: &Path, parents: Parents) -> History<'_> {
        let shallow = std::fs::read_to_string(self.common_dir.join("shallow")).unwrap_or_default();
        History {
            repository: self,
            name: self.name(path),
            range,
            parents,
            shallow: shallow.lines().map(str::to_owned).collect(),
            walk: None,
            ahead: None,
            objects: None,
            recent: None,
            may_be_staged: false,
        }
    }

    /// What `name` was called, and which blob it was, before `commit` renamed it.
    fn renamed_in(&self, commit: &Commit, name: &[u8]) -> Result<Option<(Vec<u8>, Change)>, IoError> {
        let Some(parent) = commit.parents.first() else { return Ok(None) };
        let args = ["diff-tree", "-r", "-M", "-z", "--raw", "--no-abbrev", "--diff-filter=R", parent, &commit.id];
        let output = self.try_run(args)?;
        if !output.status.success() {
            return Err(self.failed("git diff-tree", &output.stderr));
        }
        let fields: Vec<_> = output.stdout.split(|&byte| byte == 0).collect();
        let found = fields.chunks_exact(3).find(|fields| fields[2] == name);
        Ok(found.and_then(|fields| Some((fields[1].to_owned(), log::parse_raw(fields[0])?.0))))
    }
}

/// The revisions of a file, read from git one by one. After an error it ends.
#[derive(Debug)]
pub struct History<'r> {
    repository: &'r Repository,
    /// The name that is followed now; `None` at the end.
    name: Option<Vec<u8>>,
    range: Vec<OsString>,
    parents: Parents,
    shallow: FxHashSet<String>,
    walk: Option<(Running<'r>, LogReader<BufReader<ChildStdout>>)>,
    ahead: Option<Commit>,
    objects: Option<ObjectReader<'r>>,
    /// The text read last: `before` of one revision is mostly `text` of the next.
    recent: Option<(String, Arc<str>)>,
    /// True until something was found: a rename that is only in the index is in no commit.
    may_be_staged: bool,
}

impl Iterator for History<'_> {
    type Item = Result<Revision, IoError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.advance().transpose();
        if matches!(next, None | Some(Err(_))) {
            self.name = None;
        }
        next
    }
}

impl History<'_> {
    fn advance(&mut self) -> Result<Option<Revision>, IoError> {
        while let Some(name) = self.name.clone() {
            let commit = match self.ahead.take() {
                Some(commit) => commit,
                None => match self.read(&name)? {
                    Some(commit) => commit,
                    None => {
                        self.name = self.staged_name(&name)?;
                        continue;
                    }
                },
            };
            self.may_be_staged = false;
            self.ahead = self.read(&name)?;
            if let Some(revision) = self.revision(commit, name)? {
                return Ok(Some(revision));
            }
        }
        Ok(None)
    }

    /// The next commit of the walk under the present name; starts that walk first.
    fn read(&mut self, name: &[u8]) -> Result<Option<Commit>, IoError> {
        if self.walk.is_none() {
            let mut args: Vec<OsString> =
                ["log", "-z", log::FORMAT, "--raw", "--no-abbrev", "--no-renames", "--encoding=UTF-8"].map(Into::into).into();
            args.extend(["--no-color", "--no-ext-diff", "--no-textconv", "--diff-merges=first-parent"].map(OsString::from));
            if self.parents == Parents::First {
                args.push("--first-parent".into());
            }
            args.extend(self.range.iter().cloned());
            args.extend(["--".into(), arg(name)]);
            let mut running = self.repository.start(args)?;
            let (_, stdout) = running.pipes()?;
            self.walk = Some((running, LogReader::new(stdout)));
        }
        let Some((running, reader)) = &mut self.walk else { return Ok(None) };
        match reader.read() {
            Ok(Some(commit)) => Ok(Some(commit)),
            Err(error) => Err(running.fail(Some(&error))),
            Ok(None) => {
                let end = self.walk.take().map_or(Ok(()), |(running, _)| running.finish());
                match end {
                    // Before the first commit there is no history, and git calls that fatal.
                    Err(_) if self.may_be_staged && self.repository.resolve("HEAD")?.is_none() => Ok(None),
                    end => end.map(|()| None),
                }
            }
        }
    }

    /// Where no commit knows `name`: the name it had before a rename that only the index holds.
    fn staged_name(&mut self, name: &[u8]) -> Result<Option<Vec<u8>>, IoError> {
        if !std::mem::take(&mut self.may_be_staged) {
            return Ok(None);
        }
        let old = self.repository.renamed_from("HEAD", &self.repository.path(name))?;
        Ok(old.and_then(|old| self.repository.name(&old)))
    }

    /// `None` for a commit with a text that is no UTF-8: it is passed over, as nothing of it could be shown or put back.
    fn revision(&mut self, commit: Commit, name: Vec<u8>) -> Result<Option<Revision>, IoError> {
        let is_boundary = self.shallow.contains(&commit.id);
        let mut change = commit.change.clone().unwrap_or(Change { before: None, after: None });
        let mut old_name = None;
        if change.before.is_none()
            && change.after.is_some()
            && let Some((old, renamed)) = self.repository.renamed_in(&commit, &name)?
        {
            change.before = renamed.before;
            old_name = Some(old);
        }
        if self.ahead.is_none() {
            if old_name.is_some() {
                let suffix = if self.parents == Parents::First { "^1" } else { "^@" };
                self.range[0] = format!("{}{suffix}", commit.id).into();
            }
            self.walk = None;
            self.name = old_name;
        }
        // In this order, as the next, older revision has the text that this one replaced.
        let (text, before) = (self.text(change.after)?, self.text(change.before)?);
        let (Some(before), Some(text)) = (before, text) else { return Ok(None) };
        let date = commit.date.get(..10).and_then(|day| day.parse().ok());
        Ok(Some(Revision {
            author: commit.author,
            date: date.unwrap_or_default(),
            has_known_date: date.is_some() && !is_boundary,
            subject: commit.message.lines().next().unwrap_or_default().to_owned(),
            trailers: log::accepted(&commit.message),
            path: self.repository.path(&name),
            commit: commit.id,
            before,
            text,
        }))
    }

    /// The text of a blob: `Some(None)` for no blob, `None` for one that is no UTF-8.
    fn text(&mut self, id: Option<String>) -> Result<Option<Option<Arc<str>>>, IoError> {
        let Some(id) = id else { return Ok(Some(None)) };
        if let Some((recent, text)) = &self.recent
            && *recent == id
        {
            return Ok(Some(Some(Arc::clone(text))));
        }
        let objects = match &mut self.objects {
            Some(objects) => objects,
            none => none.insert(self.repository.reader()?),
        };
        match objects.read(&id)? {
            Object::Blob(bytes) => Ok(String::from_utf8(bytes).ok().map(|text| {
                let text: Arc<str> = text.into();
                self.recent = Some((id, Arc::clone(&text)));
                Some(text)
            })),
            Object::Missing | Object::Other => {
                let text =
                    format!("the object {id} is not in this clone, and memfile does not use the network; fetch it (`git show {id}` does)");
                Err(self.repository.failed("git cat-file", text.as_bytes()))
            }
        }
    }
}
