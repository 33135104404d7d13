//! The configuration: TOML text in, checked options out. Pure; which file is read is `io`'s business.

use crate::diagnostic::Severity;
use crate::text::{fold_heading, fold_key};
use globset::{Glob, GlobSet, GlobSetBuilder};
use rustc_hash::FxHashMap;
use serde::Deserialize;

/// Names of the configuration file, in the order in which a folder is searched for them.
pub const FILE_NAMES: [&str; 3] = ["memfile.toml", ".memfile.toml", ".config/memfile.toml"];

/// The JSON Schema of the file, for editors. Tests hold it to what is read here.
pub const SCHEMA: &str = include_str!("config/schema.json");

/// Language of the tags that memfile writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TagLanguage {
    /// `replaced by: X as of D`
    #[default]
    En,
    /// `заменено на: X от D`
    Ru,
}

/// Place of the status word of a tag that memfile writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TagPosition {
    /// Behind the record's own text.
    #[default]
    End,
    /// Before it; the rest of the tag still ends the text.
    Start,
}

/// Which field of `03/04/2026` is the day.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DateOrder {
    /// Day first.
    Dmy,
    /// Month first.
    Mdy,
}

/// How many values of one parameter hold at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Cardinality {
    /// A new value replaces the old one.
    #[default]
    One,
    /// All values hold; none is superseded.
    Many,
    /// A counter or the like: its history is not kept.
    Volatile,
}

/// The file as it is written. Unknown keys are errors.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Raw {
    /// Headings whose sections are managed text; replaces the default list.
    managed_headings: Option<Vec<String>>,
    /// Headings added to the list.
    extend_managed_headings: Vec<String>,
    /// Files (globs, relative to this file) that are managed as a whole.
    managed_files: Vec<String>,
    /// Parameters (names or globs) of which several values hold at once.
    many: Vec<String>,
    /// Parameters (names or globs) whose history is not kept.
    volatile: Vec<String>,
    /// Settles 03/04/2026.
    date_order: Option<DateOrder>,
    /// Language of the tags that memfile writes.
    tag_language: TagLanguage,
    /// Place of the status word in the tags that memfile writes.
    tag_position: TagPosition,
    /// Findings to report; "all" is the default.
    select: Option<Vec<String>>,
    /// Findings not to report.
    ignore: Vec<String>,
    /// The least severity that makes a run fail.
    fail_on: Option<FailOn>,
    /// Historical versions of a group that `fix` keeps in the file; unset: all.
    keep: Option<usize>,
    /// Lines that the loader reads of a file.
    max_lines: Option<usize>,
    /// Bytes that the loader reads of a file.
    max_bytes: Option<usize>,
    /// Another configuration file, relative to this one, whose settings hold where this one is silent.
    extend: Option<String>,
    /// Other names of parameters and values.
    aliases: RawAliases,
    /// More words for the attribute labels.
    labels: RawLabels,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct RawAliases {
    /// Canonical parameter = its other names.
    parameters: FxHashMap<String, Vec<String>>,
    /// Canonical value = its other spellings.
    values: FxHashMap<String, Vec<String>>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct RawLabels {
    source: Vec<String>,
    since: Vec<String>,
    until: Vec<String>,
    reason: Vec<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum FailOn {
    Error,
    Warning,
    Hint,
}

/// More words for the labels of the attributes, beside those that ship; folded.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    /// Words for `source`.
    pub source: Vec<String>,
    /// Words for `since`.
    pub since: Vec<String>,
    /// Words for `until`.
    pub until: Vec<String>,
    /// Words for `reason`.
    pub reason: Vec<String>,
}

/// Checked options.
#[derive(Clone, Debug)]
pub struct Config {
    /// Folded headings (see `fold_heading`) whose sections are managed.
    pub managed_headings: Vec<String>,
    /// Globs of files that are managed as a whole, as written.
    pub managed_files: Vec<String>,
    /// Settles `03/04/2026`.
    pub date_order: Option<DateOrder>,
    /// Language of written tags.
    pub tag_language: TagLanguage,
    /// Place of the status word in written tags.
    pub tag_position: TagPosition,
    /// Finding names to report; `None` is all.
    pub select: Option<Vec<String>>,
    /// Finding names not to report.
    pub ignore: Vec<String>,
    /// The least severity that makes a run fail.
    pub fail_on: Option<Severity>,
    /// Historical versions of a group kept in the file.
    pub keep: Option<usize>,
    /// Lines that the loader reads.
    pub max_lines: Option<usize>,
    /// Bytes that the loader reads.
    pub max_bytes: Option<usize>,
    /// More attribute labels.
    pub labels: Labels,
    many: Names,
    volatile: Names,
    parameters: FxHashMap<String, String>,
    values: FxHashMap<String, String>,
    managed_set: GlobSet,
}

/// Names and globs of parameters, folded.
#[derive(Clone, Debug)]
struct Names {
    globs: GlobSet,
    written: Vec<String>,
}

/// The headings that are managed when the configuration does not say.
pub const DEFAULT_HEADINGS: [&str; 4] = ["Project memory", "Project facts", "Память проекта", "Факты проекта"];

impl Default for Config {
    fn default() -> Self {
        // The defaults hold no glob that could be refused.
        Self::check(Raw::default()).unwrap_or_else(|_| unreachable!("the default configuration is valid"))
    }
}

impl Config {
    /// Reads a configuration.
    ///
    /// # Errors
    /// The reason, with line and column where TOML knows them; an unknown key comes with the nearest known one.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::check(Self::raw(text)?)
    }

    /// The path that `extend` names, if the text has one.
    ///
    /// # Errors
    /// As [`Config::parse`].
    pub fn extends(text: &str) -> Result<Option<String>, String> {
        Ok(Self::raw(text)?.extend)
    }

    /// Reads `text`, with `base` (the text that its `extend` names) where `text` is silent.
    ///
    /// # Errors
    /// As [`Config::parse`].
    pub fn parse_over(text: &str, base: &str) -> Result<Self, String> {
        Self::parse_chain(&[text, base])
    }

    /// Reads `texts`, each followed by the one that its `extend` names: what one is silent about, the next one says.
    ///
    /// # Errors
    /// As [`Config::parse`]; lines are those of the text that is wrong.
    pub fn parse_chain(texts: &[&str]) -> Result<Self, String> {
        let mut table = toml::Table::new();
        for text in texts.iter().rev() {
            Self::raw(text)?; // for the line of an error
            let own: toml::Table = toml::from_str(text).map_err(|error| error.to_string())?;
            for (key, value) in own {
                match (table.get_mut(&key), value) {
                    (Some(toml::Value::Table(under)), toml::Value::Table(over)) => under.extend(over),
                    (_, value) => {
                        table.insert(key, value);
                    }
                }
            }
        }
        Self::check(table.try_into().map_err(|error: toml::de::Error| suggest(error.message()))?)
    }

    fn raw(text: &str) -> Result<Raw, String> {
        toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| crate::text::LineIndex::new(text).line(text, span.start));
            let place = line.map_or(String::new(), |line| format!("line {line}: "));
            let message = suggest(error.message());
            // A wrong value is said without its key.
            let written = line.and_then(|line| text.lines().nth(line - 1)?.split_once('='));
            match written.map(|(key, _)| key.trim()).filter(|key| !message.contains(*key)) {
                Some(key) => format!("{place}`{key}`: {message}"),
                None => format!("{place}{message}"),
            }
        })
    }

    fn check(raw: Raw) -> Result<Self, String> {
        let headings = raw.managed_headings.unwrap_or_else(|| DEFAULT_HEADINGS.map(String::from).into());
        let fold = |words: Vec<String>| words.iter().map(|word| fold_key(word)).collect();
        let fail_on = raw.fail_on.map(|level| match level {
            FailOn::Error => Severity::Error,
            FailOn::Warning => Severity::Warning,
            FailOn::Hint => Severity::Hint,
        });
        Ok(Self {
            managed_headings: headings.iter().chain(&raw.extend_managed_headings).map(|name| fold_heading(name)).collect(),
            managed_set: globs(raw.managed_files.iter().cloned())?,
            managed_files: raw.managed_files,
            date_order: raw.date_order,
            tag_language: raw.tag_language,
            tag_position: raw.tag_position,
            select: raw.select.filter(|names| !names.iter().any(|name| name == "all")),
            ignore: raw.ignore,
            fail_on,
            keep: raw.keep,
            max_lines: raw.max_lines,
            max_bytes: raw.max_bytes,
            labels: Labels {
                source: fold(raw.labels.source),
                since: fold(raw.labels.since),
                until: fold(raw.labels.until),
                reason: fold(raw.labels.reason),
            },
            many: Names::new(&raw.many)?,
            volatile: Names::new(&raw.volatile)?,
            parameters: aliases(&raw.aliases.parameters, fold_key),
            values: aliases(&raw.aliases.values, crate::text::fold_value),
        })
    }

    /// The cardinality of the parameter with the folded name `parameter`.
    pub fn cardinality(&self, parameter: &str) -> Cardinality {
        if self.many.has(parameter) {
            Cardinality::Many
        } else if self.volatile.has(parameter) {
            Cardinality::Volatile
        } else {
            Cardinality::One
        }
    }

    /// The names and globs under `many`, as written.
    pub fn many_names(&self) -> &[String] {
        &self.many.written
    }

    /// The names and globs under `volatile`, as written.
    pub fn volatile_names(&self) -> &[String] {
        &self.volatile.written
    }

    /// The canonical name of a folded parameter.
    pub fn canonical_parameter(&self, folded: String) -> String {
        self.parameters.get(&folded).cloned().unwrap_or(folded)
    }

    /// As [`Self::canonical_parameter`], without a copy.
    pub(crate) fn canonical_parameter_of<'p>(&'p self, folded: &'p str) -> &'p str {
        if self.parameters.is_empty() { folded } else { self.parameters.get(folded).map_or(folded, String::as_str) }
    }

    /// The canonical form of a folded value.
    pub fn canonical_value(&self, folded: String) -> String {
        if self.values.is_empty() { folded } else { self.values.get(&folded).cloned().unwrap_or(folded) }
    }

    /// True where `path`, relative to the configuration file and with `/`, is managed as a whole.
    pub fn manages_file(&self, path: &str) -> bool {
        !self.managed_set.is_empty() && self.managed_set.is_match(path)
    }
}

impl Names {
    fn new(names: &[String]) -> Result<Self, String> {
        Ok(Self { globs: globs(names.iter().map(|name| fold_key_glob(name)))?, written: names.to_vec() })
    }

    fn has(&self, folded: &str) -> bool {
        !self.written.is_empty() && self.globs.is_match(folded)
    }
}

/// A glob is folded around its stars, which are no emphasis.
fn fold_key_glob(name: &str) -> String {
    let parts: Vec<_> = name.split('*').map(crate::text::fold_key_part).collect();
    parts.join("*")
}

fn globs(patterns: impl Iterator<Item = String>) -> Result<GlobSet, String> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(Glob::new(&pattern).map_err(|error| format!("`{pattern}` is no glob: {}", error.kind()))?);
    }
    set.build().map_err(|error| error.to_string())
}

fn aliases(raw: &FxHashMap<String, Vec<String>>, fold: fn(&str) -> String) -> FxHashMap<String, String> {
    let pairs = raw.iter().flat_map(|(name, others)| others.iter().map(move |other| (fold(other), fold(name))));
    pairs.collect()
}

/// Adds the nearest known key to toml's message about an unknown one.
fn suggest(message: &str) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let (true, Some(unknown)) = (message.starts_with("unknown field"), quoted.next()) else {
        return message.to_owned();
    };
    let nearest = quoted.max_by(|a, b| strsim::jaro_winkler(unknown, a).total_cmp(&strsim::jaro_winkler(unknown, b)));
    match nearest {
        Some(known) => format!("unknown key `{unknown}`; did you mean `{known}`?"),
        None => format!("unknown key `{unknown}`"),
    }
}

#[cfg(test)]
mod tests;
