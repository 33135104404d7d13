//! What was declared of the facts that a commit changes: the keys of its `Memfile-Accept` trailers.
//!
//! The journal says what was meant on this machine alone; the trailer says it wherever the commit goes.

use super::message::{self, Comment};
use crate::app::options::{BaseChoice, Mode};
use crate::app::{Options, Session};
use crate::check::{Change, check};
use crate::io::IoError;
use crate::io::git::Repository;
use crate::text::fold_key;
use chrono::NaiveDate;
use rustc_hash::FxHashSet;

/// The commit message that git is about to use.
pub(crate) struct Written<'a> {
    /// Its bytes.
    pub(crate) text: &'a [u8],
    /// Where it comes from, as git says it to a prepare-commit-msg hook.
    pub(crate) source: Option<&'a str>,
    /// The commit it was taken from.
    pub(crate) commit: Option<&'a str>,
    /// An editor will be opened on it.
    pub(crate) is_edited: bool,
}

impl Session {
    /// The message with the trailers that are due; `None` where it has them all.
    ///
    /// # Errors
    /// No repository, git or the journal that fail.
    pub(crate) fn with_trailers(&self, message: &Written, today: NaiveDate) -> Result<Option<Vec<u8>>, IoError> {
        let repository = Repository::of_hook(&self.cwd).ok_or_else(|| super::judging::no_repository(&self.cwd))?;
        // An amended commit is compared with its parent: what it was said to mean is still what it does.
        let amends = message.source == Some("commit") && message.commit == Some("HEAD");
        let parent = if amends { repository.resolve("HEAD^")? } else { None };
        let mut keys = self.declared_in_index(parent.as_deref(), today)?;
        if message.source == Some("squash") {
            keys.extend(message::quoted(message.text));
        }
        if keys.is_empty() {
            return Ok(None);
        }
        let comment = comment(&repository, message.is_edited)?;
        Ok(message::add(message.text, &keys, &comment))
    }

    /// The names of the facts that the index changes against `base`, where a declaration says that it is meant.
    fn declared_in_index(&self, base: Option<&str>, today: NaiveDate) -> Result<Vec<String>, IoError> {
        let index = self.of_index(base)?;
        let choice = match base {
            // The parent itself, not the commits between.
            Some(_) => &index.base,
            None => &BaseChoice::Default,
        };
        let session = &index.session;
        let mut told = FxHashSet::default();
        // A merge does not repeat what its sides say.
        told.extend(session.meant.iter().map(|key| fold_key(key)).filter(|_| !index.heads.is_empty()));
        let mut keys = Vec::new();
        let options = Options::new(Mode::Check, today);
        let targets = &index.staged.targets;
        for (target, mut base) in targets.iter().zip(session.bases(targets, choice)?) {
            if base.identical || base.revisions.is_empty() {
                continue;
            }
            let declared = session.declared(&target.real)?;
            if declared.is_empty() {
                continue;
            }
            // An amended commit is one revision, whatever it holds by now; its own trailers are in the message.
            base.revisions.truncate(1);
            base.accepted.trailers.clear();
            let mut changes = |declared| {
                base.accepted.declared = declared;
                session.with_subject(target, &base, &options, &[], |subject| check(&target.text, subject)).changes
            };
            let (all, left) = (changes(Vec::new()), changes(declared));
            let is_meant = |change: &&Change| left.iter().all(|other| (&other.key, &other.old) != (&change.key, &change.old));
            for key in all.iter().filter(is_meant).filter_map(|change| change.key.clone()) {
                if told.insert(fold_key(&key)) && crate::app::saving::without_secrets(&key) == key {
                    keys.push(key);
                }
            }
        }
        Ok(keys)
    }

    /// The message without its trailers where it holds nothing else; `None` where it says something, or has none.
    ///
    /// # Errors
    /// No repository, git that fails.
    pub(crate) fn without_lone_trailers(&self, text: &[u8]) -> Result<Option<Vec<u8>>, IoError> {
        let repository = Repository::of_hook(&self.cwd).ok_or_else(|| super::judging::no_repository(&self.cwd))?;
        let comment = comment(&repository, true)?;
        Ok(message::is_only_trailers(text, &comment).then(Vec::new))
    }
}

/// What begins a line that is no part of the message.
fn comment(repository: &Repository, is_edited: bool) -> Result<Comment, IoError> {
    if !is_edited {
        // Git strips no comments from a message that nobody edits.
        return Ok(Comment::None);
    }
    let set = match repository.setting("core.commentString", false)? {
        Some(set) => Some(set),
        None => repository.setting("core.commentChar", false)?,
    };
    let set = set.map(|set| set.value.as_encoded_bytes().to_owned()).filter(|set| !set.is_empty());
    Ok(match set {
        Some(auto) if auto.eq_ignore_ascii_case(b"auto") => Comment::Auto,
        Some(prefix) => Comment::Prefix(prefix),
        None => Comment::Prefix(b"#".to_vec()),
    })
}
