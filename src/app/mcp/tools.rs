//! The tools: what each is called, what it takes, what it promises. A table in, the declarations of `tools/list` out.
//!
//! Absent on purpose: `forget`, `drop`, `accept`, `undo`. What takes something out of the memory is a person's to say.

use super::schema;
use rmcp::model::{JsonObject, Tool as Declared, ToolAnnotations};
use serde_json::{Value, json};
use std::sync::Arc;

/// What an argument holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A text.
    Text,
    /// True or false.
    Flag,
    /// A number from 0.
    Count,
    /// One of these words.
    Word(&'static [&'static str]),
}

/// An argument of a tool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) required: bool,
    about: &'static str,
}

/// A tool.
#[derive(Debug)]
pub(super) struct Tool {
    pub(super) name: &'static str,
    title: &'static str,
    about: &'static str,
    pub(super) fields: &'static [Field],
    /// It changes the file.
    pub(super) writes: bool,
    /// A second call with the same arguments changes nothing more.
    idempotent: bool,
    output: fn() -> Value,
}

const fn text(name: &'static str, about: &'static str) -> Field {
    Field { name, kind: Kind::Text, required: false, about }
}

const fn needed(name: &'static str, about: &'static str) -> Field {
    Field { name, kind: Kind::Text, required: true, about }
}

const KEY: Field = needed("key", "The fact: PARAMETER, or SUBJECT/PARAMETER where the parameter alone is not unique.");
const ANY_KEY: Field = text("key", "The fact: PARAMETER, or SUBJECT/PARAMETER. All facts where it is left out.");
const FILE: Field =
    text("file", "The memory file, below the opened folder. Needed only where several files hold facts; an error lists them.");
const VALUE: Field = needed("value", "The value, on one line, as it should stand in the file.");
const SUBJECT: Field = text("subject", "Whose parameter it is, where the file holds facts of several subjects.");
const SOURCE: Field = text("source", "Who or what said it, and when: `call 2026-03-02`, `PR #12`.");
const SINCE: Field = text("since", "When it became true: YYYY, YYYY-MM or YYYY-MM-DD. A day to come makes it scheduled.");
const REASON: Field = text("reason", "Why it changed.");
const AS_OF: Field = text("as_of", "The day it is dated with: YYYY-MM-DD. Today where it is left out.");
const CLOCK: Field = Field {
    name: "clock",
    kind: Kind::Word(&["effective", "recorded"]),
    required: false,
    about: "`effective`: when it was true (default). `recorded`: when the memory learned it.",
};

const fn flag(name: &'static str, about: &'static str) -> Field {
    Field { name, kind: Kind::Flag, required: false, about }
}

const fn count(name: &'static str, about: &'static str) -> Field {
    Field { name, kind: Kind::Count, required: false, about }
}

/// All tools, in the order in which they are listed.
pub(super) static TOOLS: [Tool; 12] = [
    Tool {
        name: "memory_now",
        title: "What holds now",
        about: "The facts that hold today: of one key, or all of the file. Ask this before you rely on a remembered value.",
        fields: &[ANY_KEY, FILE],
        writes: false,
        idempotent: true,
        output: schema::now,
    },
    Tool {
        name: "memory_history",
        title: "History of a fact",
        about: "All versions of a fact, oldest first: what held when, what replaced it, from which source, and why.",
        fields: &[
            KEY,
            Field { about: "Which clock orders the versions: `effective` (default) or `recorded`.", ..CLOCK },
            flag("git", "Also values that only the git history of the file has."),
            FILE,
        ],
        writes: false,
        idempotent: true,
        output: schema::history,
    },
    Tool {
        name: "memory_as_of",
        title: "What held on a day",
        about: "What was true on a day, or, on the recorded clock, what the memory believed on it.",
        fields: &[needed("date", "The day: YYYY-MM-DD. Of a month or a year the last one."), ANY_KEY, CLOCK, FILE],
        writes: false,
        idempotent: true,
        output: schema::as_of,
    },
    Tool {
        name: "memory_present",
        title: "Facts as a block to read",
        about: "The facts as one block of text, oldest first, outdated ones tagged [historical]; with a question the facts that it is about.",
        fields: &[
            text("question", "Rank the facts by the words of this question."),
            count("limit", "At most this many records (15 where it is left out)."),
            count("max_tokens", "At most this many tokens, by an upper estimate."),
            flag("rules", "With the rules for answering from the block."),
            Field {
                name: "tags",
                kind: Kind::Word(&["bare", "full"]),
                required: false,
                about: "`bare`: the status word only (default). `full`: as the file has them.",
            },
            FILE,
        ],
        writes: false,
        idempotent: true,
        output: schema::present,
    },
    Tool {
        name: "memory_search",
        title: "Find facts by words",
        about: "Facts with these words in parameter, subject, value or reason, the best first; also statements without a key.",
        fields: &[needed("words", "The words."), FILE],
        writes: false,
        idempotent: true,
        output: schema::search,
    },
    Tool {
        name: "memory_why",
        title: "Where a fact comes from",
        about: "Source, commit, author and reason of a fact, and the chain of its versions.",
        fields: &[KEY, FILE],
        writes: false,
        idempotent: true,
        output: schema::why,
    },
    Tool {
        name: "memory_set",
        title: "Give a fact a new value",
        about: "A fact has changed: writes the new value and keeps the old one as history. An equal value changes nothing. The key must \
                exist; a new fact comes by memory_add.",
        fields: &[
            KEY,
            VALUE,
            SUBJECT,
            SOURCE,
            SINCE,
            REASON,
            flag("only", "Of a parameter with several values: this one holds, all others have ended."),
            FILE,
        ],
        writes: true,
        idempotent: true,
        output: schema::written,
    },
    Tool {
        name: "memory_add",
        title: "Add a fact",
        about: "Adds a fact that is not there yet, or one more value of a parameter that has several at once.",
        fields: &[Field { about: "The fact: PARAMETER, or SUBJECT/PARAMETER.", ..KEY }, VALUE, SUBJECT, SOURCE, SINCE, REASON, FILE],
        writes: true,
        idempotent: true,
        output: schema::written,
    },
    Tool {
        name: "memory_end",
        title: "End a fact",
        about: "A value holds no more and nothing replaces it. It stays as history.",
        fields: &[KEY, text("value", "Which of its values, where it has several."), AS_OF, REASON, FILE],
        writes: true,
        idempotent: true,
        output: schema::written,
    },
    Tool {
        name: "memory_correct",
        title: "Correct a mistake",
        about: "A value was never true: marks it as retracted and writes what is true instead; without `new` the version before holds again. \
                For a value that was true and has changed use memory_set.",
        fields: &[
            KEY,
            text("new", "What is true instead."),
            text("value", "Which of its values was never true. The one that holds where it is left out."),
            AS_OF,
            FILE,
        ],
        writes: true,
        idempotent: false,
        output: schema::written,
    },
    Tool {
        name: "memory_reopen",
        title: "Take back an end",
        about: "Takes back an end, or a change that was none: the latest historical version holds again.",
        fields: &[KEY, text("value", "Which of its values holds again, where several could."), AS_OF, FILE],
        writes: true,
        idempotent: false,
        output: schema::written,
    },
    Tool {
        name: "memory_check",
        title: "Check the memory files",
        about: "What breaks the rules in the memory files: lost, untagged or contradicting facts, each with its line and, where there is \
                one, its fix. Writes nothing.",
        fields: &[text("file", "One file, or a folder below the opened one. All memory files where it is left out.")],
        writes: false,
        idempotent: true,
        output: schema::check,
    },
];

/// The tool `name`, unless it writes and that is not wanted.
pub(super) fn find(name: &str, read_only: bool) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name && !(tool.writes && read_only))
}

/// The declarations.
pub(super) fn declared(read_only: bool) -> Vec<Declared> {
    TOOLS.iter().filter(|tool| !(tool.writes && read_only)).map(Tool::declare).collect()
}

impl Tool {
    fn declare(&self) -> Declared {
        // Nothing is erased: what changes stays in the file with a tag. And the memory is a closed world.
        let hints = ToolAnnotations::with_title(self.title).read_only(!self.writes).destructive(false);
        let hints = hints.idempotent(self.idempotent).open_world(false);
        Declared::new(self.name, self.about, object(self.input()))
            .with_title(self.title)
            .with_annotations(hints)
            .with_raw_output_schema(object((self.output)()))
    }

    fn input(&self) -> Value {
        let properties: JsonObject = self.fields.iter().map(|field| (field.name.to_owned(), field.schema())).collect();
        let required: Vec<&str> = self.fields.iter().filter(|field| field.required).map(|field| field.name).collect();
        let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        schema
    }
}

impl Field {
    fn schema(&self) -> Value {
        let about = self.about;
        match self.kind {
            Kind::Text => json!({ "type": "string", "description": about }),
            Kind::Flag => json!({ "type": "boolean", "description": about }),
            Kind::Count => json!({ "type": "integer", "minimum": 0, "description": about }),
            Kind::Word(words) => json!({ "type": "string", "enum": words, "description": about }),
        }
    }
}

fn object(value: Value) -> Arc<JsonObject> {
    match value {
        Value::Object(object) => Arc::new(object),
        _ => Arc::default(),
    }
}
