//! JSON Schemas of what the tools answer: the JSON of SPEC 8, which the command line prints too.
//!
//! Fields may be added to it, so nothing here forbids more.

use serde_json::{Map, Value, json};

/// `memory_now`
pub(super) fn now() -> Value {
    object(
        &[("facts", list(version())), ("ambiguous", list(list(version()))), ("freshness", freshness())],
        "What holds; under `ambiguous` the versions between which nothing decides.",
    )
}

/// `memory_history`
pub(super) fn history() -> Value {
    object(&[("versions", list(version())), ("freshness", freshness())], "All versions of the fact, oldest first.")
}

/// `memory_as_of`
pub(super) fn as_of() -> Value {
    let fact = object(
        &[
            ("subject", word_or_null()),
            ("parameter", word_or_null()),
            ("answer", json!({ "type": "string", "enum": ["known", "unknown", "ambiguous", "none"] })),
            ("version", json!({ "anyOf": [version(), { "type": "null" }] })),
            ("candidates", list(version())),
            ("start_known", json!({ "type": "boolean" })),
        ],
        "`none`: it had ended, and nothing held.",
    );
    object(&[("clock", word()), ("date", word()), ("facts", list(fact)), ("freshness", freshness())], "What held on the day.")
}

/// `memory_present`
pub(super) fn present() -> Value {
    object(
        &[("text", word()), ("shown", number()), ("cut", number()), ("freshness", freshness())],
        "The block, and how many records are in it and how many had no room.",
    )
}

/// `memory_search`
pub(super) fn search() -> Value {
    object(&[("facts", list(version())), ("freshness", freshness())], "The facts that were found, the best first.")
}

/// `memory_why`
pub(super) fn why() -> Value {
    object(
        &[
            ("version", version()),
            ("commit", word_or_null()),
            ("author", word_or_null()),
            ("chain", list(version())),
            ("freshness", freshness()),
        ],
        "The version that holds, the commit that brought it, and all versions.",
    )
}

/// The tools that write.
pub(super) fn written() -> Value {
    object(
        &[("said", word()), ("changed", json!({ "type": "boolean" })), ("versions", list(version())), ("freshness", freshness())],
        "What was done, whether bytes changed, and all versions of the fact after it, oldest first.",
    )
}

/// `memory_check`
pub(super) fn check() -> Value {
    let finding = object(
        &[
            ("file", word()),
            ("rule", word()),
            ("severity", json!({ "type": "string", "enum": ["error", "warning", "hint"] })),
            ("message", word()),
            ("line", number()),
            ("column", number()),
            ("end_line", number()),
            ("end_column", number()),
            ("key", word_or_null()),
            ("fix", json!({ "type": ["object", "null"] })),
        ],
        "Lines and columns from 1.",
    );
    object(
        &[("findings", list(finding)), ("files", list(freshness())), ("errors", list(word()))],
        "The findings, the freshness of each file, and what could not be read.",
    )
}

/// All of `fields` are there.
fn object(fields: &[(&str, Value)], about: &str) -> Value {
    let properties: Map<String, Value> = fields.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    let required: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    json!({ "type": "object", "description": about, "properties": properties, "required": required })
}

fn version() -> Value {
    let names =
        ["subject", "parameter", "value", "source", "recorded", "effective", "until", "as_of", "as_of_text", "replaced_by", "reason"];
    let words = names.into_iter().map(|name| (name, word_or_null()));
    let fields: Vec<(&str, Value)> =
        [("file", word()), ("line", json!({ "type": ["integer", "null"] })), ("status", word())].into_iter().chain(words).collect();
    object(&fields, "A version of a fact. Dates are ISO, with their precision; `null` is unknown.")
}

fn freshness() -> Value {
    object(
        &[
            ("file", word()),
            ("sha256", word()),
            ("base", word_or_null()),
            ("pending", number()),
            ("is_current", json!({ "type": "boolean" })),
        ],
        "How far the answer can be trusted: errors that nobody fixed yet are pending.",
    )
}

fn list(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

fn word() -> Value {
    json!({ "type": "string" })
}

fn word_or_null() -> Value {
    json!({ "type": ["string", "null"] })
}

fn number() -> Value {
    json!({ "type": "integer" })
}
