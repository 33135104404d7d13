//! What each tool does: checked arguments in, a tool result out. Questions and operations go through [`Session`]; this only translates.

use super::arguments::Arguments;
use super::tools::Tool;
use crate::app::asking::{Asked, Presented, Question, Reply, Unanswered};
use crate::app::cli::command_line;
use crate::app::saving::without_secrets;
use crate::app::{Mode, Options, Session, Unwritten};
use crate::command::{self, Fact, Plan, Refusal, World};
use crate::diagnostic::Severity;
use crate::facts::is_secret;
use crate::io::clock;
use crate::io::journal::DeclaredKind;
use crate::query::Clock;
use crate::report::queries::Fresh;
use crate::report::{self, FileReport, Format, Style, visible};
use crate::text::count;
use chrono::NaiveDate;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What a call says: texts to read, and the structured result.
struct Said {
    texts: Vec<String>,
    json: Value,
}

/// A sentence that says what was wrong.
type Failed = String;

/// Runs one tool. What goes wrong is a result, too: a sentence that an agent can act on.
pub(super) fn call(session: &Session, tool: &Tool, arguments: &Arguments) -> CallToolResult {
    let said = match tool.name {
        "memory_check" => check(session, arguments),
        _ if tool.writes => write(session, tool, arguments),
        _ => ask(session, tool, arguments),
    };
    match said {
        Ok(Said { texts, json }) => {
            let mut result = CallToolResult::success(texts.iter().map(|text| ContentBlock::text(safe(text))).collect());
            result.structured_content = Some(hidden(json));
            result
        }
        Err(sentence) => failed(&sentence),
    }
}

/// The result of a call that could not be done.
pub(super) fn failed(sentence: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(visible(&safe(&worded(sentence))).into_owned())])
}

/// The block of facts, for the prompt.
///
/// # Errors
/// The sentence to answer with.
pub(super) fn block(session: &Session, question: Option<&str>, file: Option<&str>) -> Result<String, Failed> {
    let wanted = Presented { question, limit: 15, max_tokens: None, rules: true, full_tags: false };
    let reply = session.ask(&Asked { file: file.map(Path::new), today: today()?, question: Question::Present(wanted), dated: true });
    Ok(safe(&reply.map_err(sentence)?.text()))
}

fn ask(session: &Session, tool: &Tool, arguments: &Arguments) -> Result<Said, Failed> {
    let (key, clock) = (arguments.text("key"), clock_of(arguments));
    let question = match tool.name {
        "memory_now" => Question::Now { key },
        "memory_history" => Question::History { key: arguments.needed("key"), clock, git: arguments.flag("git") },
        "memory_as_of" => Question::AsOf { date: arguments.needed("date"), key, clock },
        "memory_search" => Question::Search { words: arguments.needed("words") },
        "memory_why" => Question::Why { key: arguments.needed("key") },
        _ => Question::Present(Presented {
            question: arguments.text("question"),
            limit: arguments.count("limit").unwrap_or(15),
            max_tokens: arguments.count("max_tokens"),
            rules: arguments.flag("rules"),
            full_tags: arguments.text("tags") == Some("full"),
        }),
    };
    let file = arguments.text("file").map(Path::new);
    told(&session.ask(&Asked { file, today: today()?, question, dated: true }).map_err(sentence)?)
}

fn clock_of(arguments: &Arguments) -> Clock {
    if arguments.text("clock") == Some("recorded") { Clock::Recorded } else { Clock::Effective }
}

fn told(reply: &Reply) -> Result<Said, Failed> {
    Ok(Said { texts: vec![reply.text(), reply.freshness()], json: parsed(reply.json().as_bytes())? })
}

fn write(session: &Session, tool: &Tool, arguments: &Arguments) -> Result<Said, Failed> {
    if let Some(name) = arguments.secret() {
        return Err(format!(
            "`{name}` looks like a secret; nothing is written. Memory files are read by models and kept in git: write where the secret is kept instead"
        ));
    }
    let key = arguments.needed("key");
    let [value, new, day, reason] = ["value", "new", "as_of", "reason"].map(|name| arguments.text(name));
    let [subject, source, since] = ["subject", "source", "since"].map(|name| arguments.text(name));
    let fact = Fact { key, value: arguments.needed("value"), subject, source, since, reason };
    let plan = |text: &str, world: &World| -> Result<Plan, Refusal> {
        match tool.name {
            "memory_set" => command::set(text, world, &fact, arguments.flag("only")),
            "memory_add" => command::add(text, world, &fact),
            "memory_end" => command::end(text, world, key, value, day, reason),
            "memory_correct" => command::correct(text, world, key, new, value, day),
            _ => command::reopen(text, world, key, value, day),
        }
    };
    let kind = if tool.name == "memory_reopen" { DeclaredKind::Reopen } else { DeclaredKind::Accept };
    let today = today()?;
    let file = match arguments.text("file") {
        Some(file) => PathBuf::from(file),
        None => session.the_memory_file().map_err(|error| sentence(Unanswered::File(error)))?,
    };
    let line = command_line(arguments.words(tool).into_iter());
    let written = session.command(&file, today, &line, kind, &plan).map_err(unwritten)?;
    let said = format!("{}: {}", written.name, visible(&written.said));
    let (versions, freshness) = after(session, &file, today, key, subject)?;
    let mut texts = vec![said.clone()];
    texts.extend(freshness.1);
    let json = json!({ "said": said, "changed": written.changed, "versions": versions, "freshness": freshness.0 });
    Ok(Said { texts, json })
}

/// What the file says of a fact after it was written: its versions, and the freshness as JSON and as a line.
fn after(
    session: &Session,
    file: &Path,
    today: NaiveDate,
    key: &str,
    subject: Option<&str>,
) -> Result<(Value, (Value, Option<String>)), Failed> {
    let ask = |question: Question| session.ask(&Asked { file: Some(file), today, question, dated: true });
    let history = |key: &str| ask(Question::History { key, clock: Clock::Effective, git: false });
    let named = subject.map(|subject| format!("{subject}/{key}"));
    let reply = match named.as_deref().map_or_else(|| history(key), |named| history(named).or_else(|_| history(key))) {
        Ok(reply) => reply,
        // Another process may have renamed it by now; what was done is done.
        Err(Unanswered::Key(_)) => ask(Question::Now { key: None }).map_err(sentence)?,
        Err(error) => return Err(sentence(error)),
    };
    let mut json = parsed(reply.json().as_bytes())?;
    let versions = json.get_mut("versions").map_or_else(|| json!([]), Value::take);
    Ok((versions, (json["freshness"].take(), Some(reply.freshness()))))
}

fn check(session: &Session, arguments: &Arguments) -> Result<Said, Failed> {
    let paths: Vec<PathBuf> = arguments.text("file").map(PathBuf::from).into_iter().collect();
    for path in &paths {
        session.allow(path).map_err(|error| error.to_string())?;
    }
    let ran = session.run(&Options { paths, ..Options::new(Mode::Check, today()?) }, &|_, _| ());
    let files: Vec<FileReport> = ran
        .outcomes
        .iter()
        .map(|outcome| FileReport { name: &outcome.name, text: outcome.text(), diagnostics: &outcome.diagnostics })
        .collect();
    let written = |format: Format| {
        let mut out = Vec::new();
        report::write(&mut out, format, &files, Style { color: false, width: 0 }).map_err(|error| error.to_string())?;
        Ok::<_, Failed>(out)
    };
    let fresh: Vec<Value> = ran
        .outcomes
        .iter()
        .map(|outcome| {
            let pending = outcome.diagnostics.iter().filter(|finding| finding.rule.severity == Severity::Error).count();
            let base = outcome.base.as_deref();
            json!(Fresh { file: &outcome.name, text: outcome.text(), base, pending, is_current: pending == 0 })
        })
        .collect();
    let failures = ran.outcomes.iter().filter_map(|outcome| outcome.failure.as_ref().map(|failure| format!("{}: {failure}", outcome.name)));
    let errors: Vec<String> = ran.errors.iter().map(ToString::to_string).chain(failures).collect();
    if files.is_empty() && !errors.is_empty() {
        return Err(errors.join("\n"));
    }
    let found: usize = files.iter().map(|file| file.diagnostics.len()).sum();
    let mut text = String::from_utf8_lossy(&written(Format::Concise)?).into_owned();
    errors.iter().for_each(|error| text.push_str(&format!("{}\n", visible(error))));
    text.push_str(&format!("{} in {}\n", count(found, "finding"), count(files.len(), "memory file")));
    let json = json!({ "findings": parsed(&written(Format::Json)?)?, "files": fresh, "errors": errors });
    Ok(Said { texts: vec![text], json })
}

fn today() -> Result<NaiveDate, Failed> {
    clock::today(None).map_err(|error| error.to_string())
}

fn parsed(json: &[u8]) -> Result<Value, Failed> {
    serde_json::from_slice(json).map_err(|error| format!("the answer is no JSON: {error}; this is a fault of memfile"))
}

fn sentence(unanswered: Unanswered) -> Failed {
    match unanswered {
        Unanswered::File(files) if files.trouble.is_some() => files.to_string(),
        Unanswered::File(files) if files.names.is_empty() => {
            "no memory file with managed text below the opened folder; a person can start one with `memfile init`".to_owned()
        }
        Unanswered::File(files) => format!("several memory files have managed text; name one with `file`: {}", files.names.join(", ")),
        other => other.to_string(),
    }
}

fn unwritten(unwritten: Unwritten) -> Failed {
    match unwritten {
        Unwritten::Refused(refusal) => refusal.to_string(),
        Unwritten::Loss(loss) => format!("this would {loss}; nothing is written. This is a fault of memfile"),
        Unwritten::Io(error) => error.to_string(),
    }
}

/// The sentences of the command line name its commands and options; an agent has tools and arguments.
fn worded(sentence: &str) -> String {
    const WORDS: [(&str, &str); 12] = [
        ("`memfile set --only`", "`memory_set` with `only`"),
        ("`memfile set", "`memory_set"),
        ("`memfile add", "`memory_add"),
        ("`memfile end", "`memory_end"),
        ("`memfile correct", "`memory_correct"),
        ("`memfile check", "`memory_check"),
        ("--value", "`value`"),
        ("--since", "`since`"),
        ("--as-of", "`as_of`"),
        ("--reason", "`reason`"),
        ("--source", "`source`"),
        ("--subject", "`subject`"),
    ];
    WORDS.iter().fold(sentence.to_owned(), |sentence, (from, to)| sentence.replace(from, to))
}

/// A text for a model: what looks like a secret is taken out, as a whole line where no single word is one.
pub(super) fn safe(text: &str) -> String {
    let words = without_secrets(text);
    if !words.lines().any(is_secret) {
        return words;
    }
    let line = |line: &str| {
        let own = line.trim_end_matches(['\r', '\n']);
        if is_secret(own) { format!("[redacted]{}", &line[own.len()..]) } else { line.to_owned() }
    };
    words.split_inclusive('\n').map(line).collect()
}

/// JSON in which no text holds what looks like a secret: an answer goes to a model, and from there anywhere.
fn hidden(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(safe(&text)),
        Value::Array(items) => Value::Array(items.into_iter().map(hidden).collect()),
        Value::Object(fields) => Value::Object(fields.into_iter().map(|(name, value)| (name, hidden(value))).collect()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_name_tools_and_arguments() {
        assert_eq!(worded("pick one with --value: a, b"), "pick one with `value`: a, b");
        assert_eq!(worded("a new one comes by `memfile add`"), "a new one comes by `memory_add`");
        assert_eq!(worded("`memfile set --only` ends all others"), "`memory_set` with `only` ends all others");
    }

    #[test]
    fn an_answer_holds_no_secret() {
        let json = json!({ "facts": [{ "value": "token AKIAIOSFODNN7EXAMPLQ" }], "sha256": "a".repeat(64), "n": 1 });
        let hidden = hidden(json);
        assert_eq!(hidden["facts"][0]["value"], "token [redacted]");
        assert_eq!(hidden["sha256"], "a".repeat(64));
        let key = "- Key: -----BEGIN RSA PRIVATE KEY-----\r\n- Team: core\n";
        assert_eq!(safe(key), "[redacted]\r\n- Team: core\n");
    }
}
