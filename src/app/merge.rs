//! `merge`: git's merge driver. Three files and the name of the one that they are versions of come in; our file holds the result.

use super::session::Session;
use super::target::Target;
use crate::baseline::{Accepted, Declared};
use crate::check::Selection;
use crate::config::Config;
use crate::io::git::Repository;
use crate::io::{self, IoError};
use crate::merge::{Labels, Merged, Style, Terms, Versions, by_lines, merge};
use chrono::NaiveDate;
use std::path::{Path, PathBuf};

/// What git hands to a merge driver.
#[derive(Clone, Debug)]
pub struct Merging {
    /// The file with the common ancestor's text (`%O`).
    pub base: PathBuf,
    /// The file with our text, in which the result is written (`%A`).
    pub ours: PathBuf,
    /// The file with their text (`%B`).
    pub theirs: PathBuf,
    /// The file that these are versions of (`%P`), relative to the top of the work tree.
    pub path: Option<PathBuf>,
    /// The length of conflict markers (`%L`).
    pub marker_size: usize,
    /// The words behind the markers (`%S`, `%X`, `%Y`), where git gives them.
    pub labels: [Option<String>; 3],
    /// The day.
    pub today: NaiveDate,
}

/// What became of a merge.
#[derive(Clone, Debug)]
pub struct Joined {
    /// The file's name for people.
    pub name: String,
    /// The result, which our file holds.
    pub merged: Merged,
}

impl Session {
    /// Merges, and writes the result into our file.
    ///
    /// # Errors
    /// A file that cannot be read, is not UTF-8, or cannot be written: then our file is as it was.
    pub fn merge(&self, merging: &Merging) -> Result<Joined, IoError> {
        let [base, ours, theirs] = [&merging.base, &merging.ours, &merging.theirs].map(|path| read(path));
        let (base, ours, theirs) = (base?, ours?, theirs?);
        let repository = self.repositories.of(&std::fs::canonicalize(&self.cwd).unwrap_or_else(|_| self.cwd.clone()));
        let real = self.merged_file(merging, repository.as_deref());
        let versions = Versions { base: &base, ours: &ours, theirs: &theirs };
        let name = self.name(&real);
        let meant = Meant::new(self, &real, repository.as_deref(), merging);
        let [base_label, ours_label, theirs_label] = merging.labels.each_ref().map(|label| label.as_deref().map(one_line));
        let style = repository.as_deref().map_or(Style::Merge, style);
        let nothing = Config::default();
        let with = |config: &Config, whole_file: bool, why: Option<String>| {
            let terms = Terms {
                config,
                whole_file,
                is_archive: real.to_string_lossy().ends_with(".history.md"),
                today: merging.today,
                style,
                marker_size: merging.marker_size,
                labels: Labels {
                    base: base_label.as_deref().unwrap_or("base"),
                    ours: ours_label.as_deref().unwrap_or("ours"),
                    theirs: theirs_label.as_deref().unwrap_or("theirs"),
                },
                meant_by_us: &meant.ours,
                meant_by_them: &meant.theirs,
                reverting: parent_of(theirs_label.as_deref()).is_some(),
            };
            match why {
                Some(why) => by_lines(&versions, &terms, why),
                None => merge(&versions, &terms),
            }
        };
        let merged = match Target::new(self, &real, real.clone(), String::new(), false, &Selection::default()) {
            Ok(target) => with(&target.found.config, target.whole_file, None),
            // Which text is managed cannot be told; both sides' lines are all there.
            Err(error) => with(&nothing, false, Some(error.to_string())),
        };
        if merged.text != ours {
            io::replace_unshared(&merging.ours, &merged.text)?;
        }
        Ok(Joined { name, merged })
    }

    /// The file that is merged, as it stands in the work tree.
    fn merged_file(&self, merging: &Merging, repository: Option<&Repository>) -> PathBuf {
        let root = repository.map_or(self.cwd.as_path(), Repository::root);
        match &merging.path {
            Some(path) => root.join(path),
            // Without its name it is the file that is written, or one like others.
            None => {
                let given = self.cwd.join(&merging.ours);
                let temporary = given.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".merge_file_"));
                if temporary { root.join("AGENTS.md") } else { std::fs::canonicalize(&given).unwrap_or(given) }
            }
        }
    }
}

/// The text of a file of git's; of a side that has no such file git makes an empty one, people say `/dev/null`.
fn read(path: &Path) -> Result<String, IoError> {
    if path == Path::new("/dev/null") { Ok(String::new()) } else { Ok(io::load(path)?.text) }
}

fn style(repository: &Repository) -> Style {
    // A configuration that cannot be read is git's to complain of.
    match repository.effective_setting("merge.conflictStyle").ok().flatten().as_deref() {
        Some("diff3") => Style::Diff3,
        Some("zdiff3") => Style::Zdiff3,
        _ => Style::Merge,
    }
}

fn one_line(label: &str) -> String {
    label.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim().to_owned()
}

/// For a revert git names their side after the commit that is taken back.
fn parent_of(label: Option<&str>) -> Option<&str> {
    label?.strip_prefix("parent of ")
}

/// What people declared that each side does: in the journal of this machine, and by the trailers of its commits.
struct Meant {
    ours: Accepted,
    theirs: Accepted,
}

impl Meant {
    fn new(session: &Session, real: &Path, repository: Option<&Repository>, merging: &Merging) -> Self {
        // What cannot be asked was not declared: a record more is no loss.
        let declared: Vec<Declared> = session.declared(real).unwrap_or_default();
        let (own, other) = match (repository, merging.labels[2].as_deref()) {
            (Some(repository), Some(label)) => trailers(repository, label).unwrap_or_default(),
            _ => Default::default(),
        };
        let of = |keys: Vec<String>| Accepted { declared: declared.clone(), trailers: keys.into_iter().map(|key| (key, 1)).collect() };
        Self { ours: of(own), theirs: of(other) }
    }
}

/// The keys of `Memfile-Accept` trailers of both sides. Their side is named by its label: a branch, or for a commit that is picked its
/// name with its subject behind it.
fn trailers(repository: &Repository, label: &str) -> Result<(Vec<String>, Vec<String>), IoError> {
    let keys = |found: Vec<(String, String)>| found.into_iter().map(|(_, key)| key).collect::<Vec<String>>();
    let revision = label.split(' ').next().unwrap_or(label);
    if parent_of(Some(label)).is_some() || repository.resolve(revision)?.is_none() {
        return Ok(Default::default());
    }
    let base = repository.merge_base(revision)?;
    let ours = keys(repository.accepts(&base, "HEAD")?);
    let from = if label.contains(" (") { format!("{revision}^") } else { base };
    Ok((ours, keys(repository.accepts(&from, revision)?)))
}
