//! Commands that only tell: `explain`, `config`, `schema`.

use super::args::{ConfigArgs, ExplainArgs};
use super::{CLEAN, Ended, print};
use crate::app::Session;
use crate::app::target::unknown_rule;
use crate::config::{Config, DateOrder, SCHEMA, TagLanguage, TagPosition};
use crate::diagnostic::Fixable;
use crate::rules::{self, RULES};
use std::fmt::Write;

/// `memfile explain [RULE]`
pub(super) fn explain(args: &ExplainArgs) -> Ended {
    let Some(name) = &args.rule else {
        let mut list = String::new();
        for rule in RULES {
            let info = rule.info;
            let fix = match info.fixable {
                Fixable::Safe => "fixed by `fix`",
                Fixable::Unsafe => "with --unsafe-fixes",
                Fixable::No => "",
            };
            let _ = writeln!(list, "{:<22} {:<8} {:<20} {}", info.name, info.severity.as_str(), fix, info.summary);
        }
        print(list.as_bytes())?;
        return Ok(CLEAN);
    };
    let rule = rules::find(name).ok_or_else(|| unknown_rule(name))?;
    let fix = match rule.info.fixable {
        Fixable::Safe => "`memfile fix` repairs it",
        Fixable::Unsafe => "`memfile fix --unsafe-fixes` repairs it",
        Fixable::No => "a person decides",
    };
    let page = rule.info.page.trim_end().replace("````", "```");
    print(format!("{page}\n\nSeverity: {}. {fix}.\n", rule.info.severity.as_str()).as_bytes())?;
    Ok(CLEAN)
}

/// `memfile config [PATH]`
pub(super) fn config(session: &Session, args: &ConfigArgs) -> Ended {
    let real = std::fs::canonicalize(session.absolute(&args.path)).map_err(|error| format!("{}: {error}", args.path.display()))?;
    let folder = if real.is_dir() { real.as_path() } else { real.parent().unwrap_or(&real) };
    let found = session.configs.of(folder).map_err(|error| error.to_string())?;
    let from = match &found.path {
        Some(path) => format!("# from {}\n", crate::report::name(&path.to_string_lossy())),
        None => "# no memfile.toml, .memfile.toml or .config/memfile.toml here or above: the defaults\n".to_owned(),
    };
    print(format!("{from}{}", settings(&found.config)).as_bytes())?;
    Ok(CLEAN)
}

/// The settings as TOML. Headings are shown as they are compared: folded.
fn settings(config: &Config) -> String {
    let list = |values: &[String]| format!("{values:?}");
    let mut out = String::new();
    let mut line = |key: &str, value: String| {
        let _ = writeln!(out, "{key} = {value}");
    };
    line("managed-headings", list(&config.managed_headings));
    line("managed-files", list(&config.managed_files));
    line("many", list(config.many_names()));
    line("volatile", list(config.volatile_names()));
    if let Some(order) = config.date_order {
        line("date-order", format!("{:?}", if order == DateOrder::Dmy { "dmy" } else { "mdy" }));
    }
    line("tag-language", format!("{:?}", if config.tag_language == TagLanguage::Ru { "ru" } else { "en" }));
    line("tag-position", format!("{:?}", if config.tag_position == TagPosition::Start { "start" } else { "end" }));
    line("select", config.select.as_deref().map_or("[\"all\"]".into(), list));
    line("ignore", list(&config.ignore));
    line("fail-on", format!("{:?}", config.fail_on.map_or("warning", crate::diagnostic::Severity::as_str)));
    for (key, number) in [("keep", config.keep), ("max-lines", config.max_lines), ("max-bytes", config.max_bytes)] {
        if let Some(number) = number {
            line(key, number.to_string());
        }
    }
    out
}

/// `memfile schema`
pub(super) fn schema() -> Ended {
    print(SCHEMA.as_bytes())?;
    Ok(CLEAN)
}
