//! `init`: a section for facts, with five lines of rules for the agent. Idempotent.

use super::args::{InitArgs, Language};
use super::{CLEAN, Ended, say};
use crate::app::{Session, Target};
use crate::check::Selection;
use crate::io::IoError;
use crate::syntax::{Reading, parse};
use crate::text::Eol;

/// The rules stand in a quote: text in quotes is never taken for a fact.
const ENGLISH: &str = "## Project memory

<!-- memfile -->

> Facts of this project, one a line: `- Parameter: value (source: who DATE; since: DATE)`.
> A fact that changed: add the new line below the old one. Never overwrite or delete an old line.
> The old line gets the tag `[historical] replaced by: NEW as of DATE`; `memfile fix` writes it.
> The line without a tag holds now; it stands last. Tagged lines answer questions about the past.
> A slip of the pen is corrected with `memfile reword`, a wrong fact with `memfile correct`.
";

const RUSSIAN: &str = "## Память проекта

<!-- memfile -->

> Факты проекта, по одному в строке: `- Параметр: значение (источник: кто ДАТА; действует с: ДАТА)`.
> Факт изменился: новая строка встаёт под старой. Старые строки не стирают и не переписывают.
> Старая строка получает метку `[historical] заменено на: НОВОЕ от ДАТА`; её ставит `memfile fix`.
> Строка без метки действует сейчас и стоит последней. Строки с меткой отвечают на вопросы о прошлом.
> Описку исправляет `memfile reword`, неверный факт — `memfile correct`.
";

/// `memfile init [FILE]`
pub(super) fn run(session: &Session, args: &InitArgs) -> Ended {
    let target = match Target::load(session, &args.file, false, &Selection::default()) {
        Ok(target) => target,
        Err(IoError::NotFound { .. }) => {
            let path = session.absolute(&args.file);
            session.create(&path, section(args.language.unwrap_or(Language::En))).map_err(|error| error.to_string())?;
            say(&format!("{}: made, with a section for facts", session.name(&args.file)));
            offer();
            return Ok(CLEAN);
        }
        Err(error) => return Err(error.to_string()),
    };
    if parse(&target.text, Reading::new(&target.found.config)).is_managed() {
        session.put_right(&target.real).map_err(|error| error.to_string())?;
        say(&format!("{}: has managed text already; nothing changed", target.name));
        return Ok(CLEAN);
    }
    let language = args.language.unwrap_or_else(|| guess(&target.text));
    let eol = Eol::near(&target.text, target.text.len());
    let gap = match (target.text.is_empty(), Eol::of_line(&target.text)) {
        (true, _) => String::new(),
        (false, Some(_)) => eol.as_str().to_owned(),
        (false, None) => eol.as_str().repeat(2),
    };
    let after = format!("{}{gap}{}", target.text, section(language).replace('\n', eol.as_str()));
    session.write(&target, &after, "init").map_err(|error| error.to_string())?;
    say(&format!("{}: a section for facts was added", target.name));
    offer();
    Ok(CLEAN)
}

fn section(language: Language) -> &'static str {
    match language {
        Language::En => ENGLISH,
        Language::Ru => RUSSIAN,
    }
}

/// Russian for a text that is mostly Cyrillic.
fn guess(text: &str) -> Language {
    let cyrillic = text.chars().filter(|c| ('\u{400}'..='\u{4ff}').contains(c)).count();
    let latin = text.chars().filter(char::is_ascii_alphabetic).count();
    if cyrillic > latin { Language::Ru } else { Language::En }
}

fn offer() {
    say("next: write facts below the rules, and let `memfile hook install` check them before each commit");
}
