//! The JSON of queries. Fields may be added, never renamed; what is unknown is `null`.

use super::super::visible;
use crate::query::{Answer, Chain, Change, Moment, Version, as_of};
use crate::syntax::date::Date;
use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};

/// Freshness, as JSON says it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Fresh<'a> {
    /// The file's name.
    pub file: &'a str,
    /// Its text, of which JSON tells the hash.
    #[serde(rename = "sha256", serialize_with = "hashed")]
    pub text: &'a str,
    /// What it was compared with.
    pub base: Option<&'a str>,
    /// Errors that nobody fixed.
    pub pending: usize,
    /// There are none.
    pub is_current: bool,
}

/// SHA-256 of the bytes, in hexadecimal digits.
fn hashed<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let digits: String = Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    serializer.serialize_str(&digits)
}

#[derive(Serialize)]
struct WireVersion<'a> {
    file: &'a str,
    line: Option<usize>,
    subject: Option<&'a str>,
    parameter: Option<&'a str>,
    value: Option<&'a str>,
    status: &'static str,
    source: Option<&'a str>,
    recorded: Option<String>,
    effective: Option<String>,
    until: Option<String>,
    as_of: Option<String>,
    as_of_text: Option<&'a str>,
    replaced_by: Option<&'a str>,
    reason: Option<&'a str>,
}

impl<'a> From<&'a Version> for WireVersion<'a> {
    fn from(version: &'a Version) -> Self {
        let iso = |date: Option<Date>| date.map(Date::iso);
        Self {
            file: &version.file,
            line: version.line,
            subject: version.subject.as_deref(),
            parameter: version.parameter.as_deref(),
            value: version.value.as_deref(),
            status: version.standing.as_str(),
            source: version.source.as_deref(),
            recorded: iso(version.recorded),
            effective: iso(version.effective),
            until: iso(version.until),
            as_of: iso(version.as_of),
            as_of_text: version.as_of_text.as_deref(),
            replaced_by: version.replaced_by.as_deref(),
            reason: version.reason.as_deref(),
        }
    }
}

type Wires<'a> = Vec<WireVersion<'a>>;

fn wires<'a>(versions: impl IntoIterator<Item = &'a Version>) -> Wires<'a> {
    versions.into_iter().map(WireVersion::from).collect()
}

fn print(value: &impl Serialize) -> String {
    // Strings, numbers and lists always have a JSON form.
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    visible::json(text) + "\n"
}

/// `now`
pub fn now_json(chains: &[Chain], freshness: Fresh) -> String {
    #[derive(Serialize)]
    struct Now<'a> {
        facts: Wires<'a>,
        ambiguous: Vec<Wires<'a>>,
        freshness: Fresh<'a>,
    }
    let unsettled = chains.iter().filter(|chain| !chain.unsettled.is_empty());
    let ambiguous = unsettled.map(|chain| wires(chain.unsettled.iter().map(|&idx| &chain.versions[idx]))).collect();
    print(&Now { facts: wires(chains.iter().flat_map(Chain::current)), ambiguous, freshness })
}

/// `history`
pub fn history_json(versions: &[&Version], freshness: Fresh) -> String {
    #[derive(Serialize)]
    struct History<'a> {
        versions: Wires<'a>,
        freshness: Fresh<'a>,
    }
    print(&History { versions: wires(versions.iter().copied()), freshness })
}

/// `as-of`
pub fn as_of_json(chains: &[Chain], moment: Moment, date: &str, freshness: Fresh) -> String {
    #[derive(Serialize)]
    struct Fact<'a> {
        subject: Option<&'a str>,
        parameter: Option<&'a str>,
        answer: &'static str,
        version: Option<WireVersion<'a>>,
        candidates: Wires<'a>,
        start_known: bool,
    }
    #[derive(Serialize)]
    struct AsOf<'a> {
        clock: &'static str,
        date: &'a str,
        facts: Vec<Fact<'a>>,
        freshness: Fresh<'a>,
    }
    let mut facts = Vec::new();
    for chain in chains {
        for answer in as_of(chain, moment) {
            let version = |idx: usize| WireVersion::from(&chain.versions[idx]);
            let (word, found, candidates, start_known) = match answer {
                Answer::Known(idx, known) => ("known", Some(version(idx)), Vec::new(), known),
                Answer::Unknown(candidates) => ("unknown", None, candidates.into_iter().map(version).collect(), false),
                Answer::Ambiguous(candidates) => ("ambiguous", None, candidates.into_iter().map(version).collect(), false),
                Answer::Nothing => ("none", None, Vec::new(), false),
            };
            facts.push(Fact {
                subject: chain.subject.as_deref(),
                parameter: chain.versions.first().and_then(|version| version.parameter.as_deref()),
                answer: word,
                version: found,
                candidates,
                start_known,
            });
        }
    }
    print(&AsOf { clock: moment.clock.as_str(), date, facts, freshness })
}

/// `diff`
pub fn diff_json(changes: &[Change], freshness: Fresh) -> String {
    #[derive(Serialize)]
    struct Both<'a> {
        before: Option<WireVersion<'a>>,
        after: Option<WireVersion<'a>>,
    }
    #[derive(Serialize)]
    struct Diff<'a> {
        changes: Vec<Both<'a>>,
        freshness: Fresh<'a>,
    }
    let changes =
        changes.iter().map(|change| Both { before: change.before.map(Into::into), after: change.after.map(Into::into) }).collect();
    print(&Diff { changes, freshness })
}

/// `search`
pub fn search_json(versions: &[&Version], freshness: Fresh) -> String {
    #[derive(Serialize)]
    struct Search<'a> {
        facts: Wires<'a>,
        freshness: Fresh<'a>,
    }
    print(&Search { facts: wires(versions.iter().copied()), freshness })
}

/// `why`
pub fn why_json(version: &Version, commit: Option<&str>, author: Option<&str>, chain: &[Version], freshness: Fresh) -> String {
    #[derive(Serialize)]
    struct Why<'a> {
        version: WireVersion<'a>,
        commit: Option<&'a str>,
        author: Option<&'a str>,
        chain: Wires<'a>,
        freshness: Fresh<'a>,
    }
    print(&Why { version: version.into(), commit, author, chain: wires(chain), freshness })
}

/// `present`
pub fn present_json(text: &str, shown: usize, cut: usize, freshness: Fresh) -> String {
    #[derive(Serialize)]
    struct Present<'a> {
        text: &'a str,
        shown: usize,
        cut: usize,
        freshness: Fresh<'a>,
    }
    print(&Present { text, shown, cut, freshness })
}
