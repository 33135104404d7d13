//! The arguments of a call: JSON in, checked values out. What is wrong with them is a sentence for the agent.

use super::tools::{Field, Kind, Tool};
use crate::facts::is_secret;
use rmcp::model::JsonObject;
use serde_json::Value;

/// The arguments of one call; each is of its kind, and none is there that the tool does not know.
#[derive(Debug)]
pub(super) struct Arguments(JsonObject);

impl Arguments {
    /// Checks what a client sent. `null` is as good as left out.
    ///
    /// # Errors
    /// The sentence to answer with.
    pub(super) fn new(tool: &Tool, sent: Option<JsonObject>) -> Result<Self, String> {
        let mut sent = sent.unwrap_or_default();
        sent.retain(|_, value| !value.is_null());
        for (name, value) in &sent {
            match tool.fields.iter().find(|field| field.name == name) {
                Some(field) => field.check(value)?,
                None => return Err(unknown(tool, name)),
            }
        }
        match tool.fields.iter().find(|field| field.required && !sent.contains_key(field.name)) {
            Some(field) => Err(format!("`{}` is missing", field.name)),
            None => Ok(Self(sent)),
        }
    }

    /// A text.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// A text that is there, as the table of tools says.
    pub(super) fn needed(&self, name: &str) -> &str {
        self.text(name).unwrap_or_default()
    }

    /// A flag; false where it is left out.
    pub(super) fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or_default()
    }

    /// A number.
    pub(super) fn count(&self, name: &str) -> Option<usize> {
        self.0.get(name).and_then(Value::as_u64).map(|number| usize::try_from(number).unwrap_or(usize::MAX))
    }

    /// The argument that looks like a secret: a memory file is read by models, and mostly committed.
    pub(super) fn secret(&self) -> Option<&str> {
        self.0.iter().find(|(_, value)| value.as_str().is_some_and(is_secret)).map(|(name, _)| name.as_str())
    }

    /// The words of the call for the journal, as the command line would have them: `mcp memory_set Port 9090 --since 2026`.
    pub(super) fn words(&self, tool: &Tool) -> Vec<String> {
        let mut words = vec!["mcp".to_owned(), tool.name.to_owned()];
        for field in tool.fields {
            let Some(value) = self.0.get(field.name) else { continue };
            let plain = field.required || (tool.name, field.name) == ("memory_correct", "new");
            match value {
                Value::String(text) if plain => words.push(text.clone()),
                Value::Bool(false) => {}
                _ => {
                    words.push(format!("--{}", field.name.replace('_', "-")));
                    words.extend(value.as_str().map(str::to_owned));
                }
            }
        }
        words
    }
}

impl Field {
    fn check(&self, value: &Value) -> Result<(), String> {
        let name = self.name;
        match self.kind {
            Kind::Text if value.is_string() => Ok(()),
            Kind::Text if value.is_number() || value.is_boolean() => Err(format!("`{name}` is a text: write \"{value}\"")),
            Kind::Text => Err(format!("`{name}` is a text")),
            Kind::Flag if value.is_boolean() => Ok(()),
            Kind::Flag => Err(format!("`{name}` is true or false")),
            Kind::Count if value.is_u64() => Ok(()),
            Kind::Count => Err(format!("`{name}` is a whole number from 0")),
            Kind::Word(words) if value.as_str().is_some_and(|word| words.contains(&word)) => Ok(()),
            Kind::Word(words) => Err(format!("`{name}` is one of: {}", words.join(", "))),
        }
    }
}

fn unknown(tool: &Tool, name: &str) -> String {
    let known: Vec<&str> = tool.fields.iter().map(|field| field.name).collect();
    format!("{} has no argument `{}`; it takes: {}", tool.name, crate::report::visible(name), known.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::tools;
    use super::*;
    use serde_json::json;

    fn arguments(tool: &str, sent: Value) -> Result<Arguments, String> {
        Arguments::new(tools::find(tool, false).expect("a tool"), sent.as_object().cloned())
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = |tool: &str, sent: Value| arguments(tool, sent).expect_err("refused");
        assert_eq!(wrong("memory_set", json!({ "key": "Port" })), "`value` is missing");
        assert_eq!(wrong("memory_set", json!({ "key": "Port", "value": 8080 })), "`value` is a text: write \"8080\"");
        assert_eq!(wrong("memory_why", json!({ "key": "Port", "keys": 1 })), "memory_why has no argument `keys`; it takes: key, file");
        assert_eq!(wrong("memory_present", json!({ "limit": -1 })), "`limit` is a whole number from 0");
        assert_eq!(wrong("memory_as_of", json!({ "date": "2026", "clock": "wall" })), "`clock` is one of: effective, recorded");
        assert!(arguments("memory_now", json!({ "key": null })).is_ok());
    }

    #[test]
    fn a_call_has_the_words_of_a_command() {
        let words =
            |tool: &str, sent: Value| arguments(tool, sent).expect("good").words(tools::find(tool, false).expect("a tool")).join(" ");
        let sent = json!({ "since": "2026", "value": "9090", "key": "Port", "only": false });
        assert_eq!(words("memory_set", sent), "mcp memory_set Port 9090 --since 2026");
        let sent = json!({ "key": "Port", "new": "1", "as_of": "2026-01-01" });
        assert_eq!(words("memory_correct", sent), "mcp memory_correct Port 1 --as-of 2026-01-01");
    }
}
