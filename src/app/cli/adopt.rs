//! `adopt`: one marker line under a heading makes its section managed text.

use super::args::AdoptArgs;
use super::judge::check_after;
use super::{Ended, FOUND, say};
use crate::app::options::{Mode, Options};
use crate::app::{Session, Target};
use crate::check::Selection;
use crate::io::clock;
use crate::syntax::{Reading, parse};
use crate::text::{Eol, fold_heading};

/// `memfile adopt FILE --heading TEXT`
pub(super) fn run(session: &Session, args: &AdoptArgs, command: String) -> Ended {
    let today = clock::today(args.today).map_err(|error| error.to_string())?;
    let target = Target::load(session, &args.file, false, &Selection::default()).map_err(|error| error.to_string())?;
    let document = parse(&target.text, Reading::new(&target.found.config));
    let wanted = fold_heading(&args.heading);
    let mut named = document.headings.iter().filter(|heading| fold_heading(heading.text.of(&target.text)) == wanted);
    let Some(heading) = named.next() else {
        let known: Vec<&str> = document.headings.iter().map(|heading| heading.text.of(&target.text)).collect();
        let known = if known.is_empty() { "it has none".to_owned() } else { format!("it has: {}", known.join(" · ")) };
        say(&format!("memfile: {} has no heading {:?}; {}", target.name, args.heading, crate::report::visible(&known)));
        return Ok(FOUND);
    };
    if named.next().is_some() {
        say(&format!("memfile: {} has the heading {:?} more than once; the first one is meant", target.name, args.heading));
    }
    let at = heading.range.end();
    if document.manages(heading.range.start()) {
        say(&format!("{}: the section {:?} is managed already", target.name, args.heading));
    } else {
        let eol = Eol::near(&target.text, heading.range.start()).as_str();
        let marker = match Eol::of_line(&target.text[..at]) {
            Some(_) => format!("<!-- memfile -->{eol}"),
            None => format!("{eol}<!-- memfile -->"),
        };
        let after = format!("{}{marker}{}", &target.text[..at], &target.text[at..]);
        session.write(&target, &after, &command).map_err(|error| error.to_string())?;
        say(&format!("{}: the section {:?} is managed now", target.name, args.heading));
    }
    let options = Options { command, ..Options::new(Mode::Check, today) };
    check_after(session, &args.file, &options)
}
