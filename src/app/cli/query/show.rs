//! `present`: the block of facts for a model. On stdout the block and nothing else.

use super::super::Ended;
use super::super::args::{AnswerFormat, PresentArgs, TagForm};
use super::{fresh, with_file};
use crate::app::{Session, Wanted};
use crate::query::{Chain, Version, Wish, dated_chains, present as block};
use crate::report::{queries as report, visible};

/// `memfile present`
pub(in crate::app::cli) fn present(session: &Session, args: &PresentArgs) -> Ended {
    with_file(
        session,
        &args.read,
        |wanted| Wanted { statements: true, ..wanted },
        |read| {
            let mut chains = std::mem::take(&mut read.chains);
            // Statements among the facts where they stand; what only the archive or the baseline has comes last.
            let own = |version: &&Version| *version.file == *read.freshness.file;
            let line = |chain: &Chain| chain.versions.iter().filter(own).filter_map(|version| version.line).min();
            chains.sort_by_key(|chain| line(chain).unwrap_or(usize::MAX));
            let command = command(args, &read.freshness.file);
            let wish = Wish {
                question: args.question.as_deref(),
                limit: args.limit,
                max_tokens: args.max_tokens,
                rules: args.rules,
                full_tags: args.tags == TagForm::Full,
                command: &command,
            };
            // History is asked only for what the block can print.
            let numbers = dated_chains(&chains, &wish, read.today);
            let mut dated: Vec<Chain> = numbers.iter().map(|&number| chains[number].clone()).collect();
            session.date(read, &mut dated).map_err(|error| error.to_string())?;
            numbers.into_iter().zip(dated).for_each(|(number, chain)| chains[number] = chain);
            let block = block(&chains, &wish, read.today);
            let text = visible(&block.text);
            Ok(match args.read.format {
                AnswerFormat::Text => text.into_owned(),
                AnswerFormat::Json => report::present_json(&text, block.shown, block.cut, fresh(read)),
            })
        },
    )
}

/// The command that shows the rest: this one without its limits.
fn command(args: &PresentArgs, file: &str) -> String {
    let quoted = if file.contains(|c: char| !(c.is_alphanumeric() || "./_-".contains(c))) { format!("'{file}'") } else { file.to_owned() };
    let tags = if args.tags == TagForm::Full { " --tags full" } else { "" };
    format!("memfile present{tags} -f {quoted}")
}
