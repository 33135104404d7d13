//! Which commit brought a record in; for files outside git, which step of the journal.
//!
//! What was traced is kept outside the tree, under a key of all that decides about it: the text, `HEAD`, the configuration. A
//! second query does not walk again. Only hashes of contents are kept, no values.

use super::reading::Read;
use super::session::Session;
use crate::check::Commit;
use crate::facts::Facts;
use crate::io::IoError;
use crate::io::git::{Parents, Repository, Revision};
use crate::io::journal::{Journal, file_key};
use crate::io::state::name_of;
use crate::query::{Chain, Content, Trace};
use crate::syntax::date::Date;
use crate::syntax::{Managed, Reading, parse};
use chrono::{DateTime, NaiveDate};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io::Write;
use std::path::PathBuf;

/// How a record came.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// The author's day; `None` at the boundary of a shallow clone.
    pub date: Option<NaiveDate>,
    /// The commit; `None` outside git.
    pub commit: Option<String>,
    /// Who.
    pub author: Option<String>,
}

/// What is kept between runs, for one file.
#[derive(Serialize, Deserialize, Default)]
struct Kept {
    key: String,
    found: FxHashMap<String, Option<Line>>,
}

/// Day, commit, author of an [`Origin`].
type Line = (Option<String>, Option<String>, Option<String>);

impl From<Origin> for Line {
    fn from(origin: Origin) -> Self {
        (origin.date.map(|date| date.to_string()), origin.commit, origin.author)
    }
}

impl From<Line> for Origin {
    fn from((date, commit, author): Line) -> Self {
        Self { date: date.and_then(|date| date.parse().ok()), commit, author }
    }
}

impl Session {
    /// Gives the versions of `chains` that do not say when they were recorded the day on which they came.
    ///
    /// # Errors
    /// Those of git and the journal.
    pub fn date(&self, read: &Read, chains: &mut [Chain]) -> Result<(), IoError> {
        let places: Vec<(usize, usize)> =
            chains.iter().enumerate().flat_map(|(chain, found)| found.undated().map(move |(version, _)| (chain, version))).collect();
        let wanted: Vec<Content> = places.iter().map(|&(chain, version)| chains[chain].versions[version].content.clone()).collect();
        let origins = self.origins(read, wanted)?;
        for ((chain, version), origin) in places.into_iter().zip(origins) {
            chains[chain].versions[version].recorded = origin.and_then(|origin| origin.date).map(Date::day);
        }
        chains.iter_mut().for_each(|chain| chain.date_successions(read.today));
        Ok(())
    }

    /// How each of `wanted` came; `None` for what is in no commit and no step.
    ///
    /// # Errors
    /// Those of git and the journal.
    pub fn origins(&self, read: &Read, wanted: Vec<Content>) -> Result<Vec<Option<Origin>>, IoError> {
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let Some(repository) = read.repository.as_deref() else { return self.steps(read, wanted) };
        let key = key(read, repository)?;
        let names: Vec<String> = wanted.iter().map(name).collect();
        let mut kept = self.kept(read, key);
        let unknown: Vec<usize> = (0..wanted.len()).filter(|&idx| !kept.found.contains_key(&names[idx])).collect();
        if !unknown.is_empty() {
            let missing = unknown.iter().map(|&idx| wanted[idx].clone()).collect();
            let found = commits(read, repository, missing)?;
            let lines = found.into_iter().map(|origin| origin.map(Line::from));
            kept.found.extend(unknown.into_iter().map(|idx| names[idx].clone()).zip(lines));
            self.keep(read, &kept);
        }
        Ok(names.iter().map(|name| kept.found.get(name).cloned().flatten().map(Origin::from)).collect())
    }

    /// What was kept, if it was found under the same conditions.
    fn kept(&self, read: &Read, key: String) -> Kept {
        let path = self.state.for_read().map(|folder| folder.join("origins").join(name_of(&read.real)));
        let text = path.and_then(|path| std::fs::read(path).ok());
        let kept = text.and_then(|text| serde_json::from_slice::<Kept>(&text).ok()).filter(|kept| kept.key == key);
        kept.unwrap_or(Kept { key, found: FxHashMap::default() })
    }

    /// A cache that cannot be written is no failure.
    fn keep(&self, read: &Read, kept: &Kept) {
        let write = || -> Option<()> {
            let folder = self.state.subfolder("origins").ok()?;
            let path: PathBuf = folder.join(name_of(&read.real));
            let temp = folder.join(format!("{}.{}", name_of(&read.real), std::process::id()));
            let mut file = std::fs::File::create(&temp).ok()?;
            let written = file.write_all(&serde_json::to_vec(kept).ok()?).is_ok() && std::fs::rename(&temp, &path).is_ok();
            if !written {
                std::fs::remove_file(&temp).ok()?;
            }
            Some(())
        };
        write();
    }

    /// The steps of the journal, for files outside git.
    fn steps(&self, read: &Read, wanted: Vec<Content>) -> Result<Vec<Option<Origin>>, IoError> {
        let none = vec![None; wanted.len()];
        if read.is_tracked {
            return Ok(none);
        }
        let Some(journal) = Journal::open_for_read(&self.state)? else { return Ok(none) };
        let file = file_key(&read.real);
        let steps = journal.steps(&file)?;
        let texts = steps.into_iter().rev().filter(|step| !step.is_undone).filter_map(|step| {
            let text = step.files.into_iter().find(|part| part.file == file)?.new?;
            let date = DateTime::from_timestamp(step.time, 0).map(|time| time.date_naive());
            Some(((date, text.into()), Origin { date, commit: None, author: Some(step.actor) }))
        });
        walk(read, wanted, &mut texts.map(Ok))
    }
}

/// The commits of the file, from `HEAD` back.
fn commits(read: &Read, repository: &Repository, wanted: Vec<Content>) -> Result<Vec<Option<Origin>>, IoError> {
    let revisions = repository.history(&read.real, Parents::First);
    let mut texts = revisions.map(|revision| {
        let Revision { commit, author, date, has_known_date, text, .. } = revision?;
        let known = has_known_date.then_some((date, commit, author));
        let date = known.as_ref().map(|(date, _, _)| *date);
        let text = text.unwrap_or_else(|| "".into());
        let (commit, author) = known.map_or((None, None), |(_, commit, author)| (Some(commit), Some(author)));
        Ok(((date, text), Origin { date, commit, author }))
    });
    walk(read, wanted, &mut texts)
}

/// Walks texts, the newest first, and gives the origin of each content.
fn walk(
    read: &Read,
    wanted: Vec<Content>,
    texts: &mut dyn Iterator<Item = Result<(Commit, Origin), IoError>>,
) -> Result<Vec<Option<Origin>>, IoError> {
    let mut trace = Trace::new(wanted);
    let mut origins = Vec::new();
    let config = &read.found.config;
    let managed: &Managed = &read.managed;
    for text in texts {
        let ((_, text), origin) = text?;
        origins.push(origin);
        let document = parse(&text, Reading { config, whole_file: read.whole_file, also: Some(managed) });
        if !trace.add(&Facts::new(&document, config)) {
            break;
        }
    }
    Ok(trace.finish().into_iter().map(|number| number.and_then(|number| origins.get(number).cloned())).collect())
}

/// All that decides about what a walk finds.
fn key(read: &Read, repository: &Repository) -> Result<String, IoError> {
    let head = repository.resolve("HEAD")?.unwrap_or_default();
    let config = format!("{:?}", read.found.config);
    let shallow = std::fs::read_to_string(repository.common_dir().join("shallow")).unwrap_or_default();
    let parts = [env!("CARGO_PKG_VERSION"), &head, &shallow, &read.freshness.text, &config];
    Ok(hash(&parts))
}

fn name(content: &Content) -> String {
    let nth = content.nth.to_string();
    hash(&[&content.space, &content.parameter, &content.value, &nth, if content.is_tagged { "tagged" } else { "" }])
}

fn hash(parts: &[&str]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    digest.finalize()[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}
