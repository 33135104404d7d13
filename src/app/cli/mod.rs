//! The command line: arguments become options, results become text and an exit code.

mod accept;
mod adopt;
mod agent_hook;
mod agents;
mod args;
mod doctor;
mod hook;
mod info;
mod init;
mod judge;
mod keeping;
mod merge;
mod output;
#[cfg(feature = "comforts")]
mod pages;
mod progress;
mod query;
#[cfg(feature = "serve")]
mod serve;
mod steps;
mod uninstall;
#[cfg(feature = "watch")]
mod watch;
mod write;

use super::Session;
use super::saving::without_secrets;
use crate::report::{for_terminal, talk, visible};
use args::{Args, Command};
use clap::Parser;
use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// Nothing to report, or everything fixed.
const CLEAN: u8 = 0;
/// Findings remain, or a key is not there.
const FOUND: u8 = 1;
/// memfile could not do what it was asked.
const FAILED: u8 = 2;

/// What `--version` prints.
const VERSION: &str = concat!("memfile ", env!("CARGO_PKG_VERSION"), "\n");

/// What a command ends with: an exit code, or a sentence on stderr and the code for "could not run".
type Ended = Result<u8, String>;

/// Reads the arguments of the process and runs the command.
pub fn main() -> ExitCode {
    // Asked for by every installer and shell prompt: answered before the arguments of all commands are made.
    if std::env::args_os().len() == 2 && std::env::args_os().nth(1).is_some_and(|arg| arg == "--version" || arg == "-V") {
        return print(VERSION.as_bytes()).map_or_else(|message| failed(&message), |()| ExitCode::from(CLEAN));
    }
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return usage(&error),
    };
    let cwd = match std::env::current_dir() {
        Ok(cwd) => cwd,
        // An agent would take exit code 2 for a denial.
        Err(_) if matches!(args.command, Command::AgentHook(_)) => std::path::PathBuf::new(),
        Err(error) => return failed(&format!("the current folder cannot be read: {error}")),
    };
    let session = Session::new(cwd.clone());
    let command_line = command_line(std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()));
    let ended = match args.command {
        #[cfg(feature = "watch")]
        Command::Watch(args) => watch::run(cwd, args.0, command_line),
        Command::Check(args) => judge::check(&session, args.0, command_line),
        Command::Fix(args) => judge::fix(&session, args.0, command_line),
        Command::Set(args) => write::set(&session, &args, &command_line),
        Command::Add(args) => write::add(&session, &args, &command_line),
        Command::End(args) => write::end(&session, &args, &command_line),
        Command::Correct(args) => write::correct(&session, &args, &command_line),
        Command::Reopen(args) => write::reopen(&session, &args, &command_line),
        Command::Reword(args) => write::reword(&session, &args, &command_line),
        Command::Rename(args) => write::rename(&session, &args, &command_line),
        Command::Drop(args) => write::drop(&session, &args, &command_line),
        Command::Forget(args) => keeping::forget(&session, &args),
        Command::Archive(args) => keeping::archive(&session, &args, &command_line),
        Command::Backfill(args) => keeping::backfill(&session, &args, &command_line),
        Command::Budget(args) => keeping::budget(&session, &args),
        Command::Restore(args) => steps::restore(&session, &args, &command_line),
        Command::Undo(args) => steps::undo(&session, &args),
        Command::Log(args) => steps::log(&session, &args),
        Command::Now(args) => query::now(&session, &args),
        Command::History(args) => query::history(&session, &args),
        Command::AsOf(args) => query::as_of(&session, &args),
        Command::Diff(args) => query::diff(&session, &args),
        Command::Search(args) => query::search(&session, &args),
        Command::Why(args) => query::why(&session, &args),
        Command::Present(args) => query::present(&session, &args),
        Command::Merge(args) => merge::merge(&session, args.0),
        Command::Accept(args) => accept::run(&session, &args),
        Command::Adopt(args) => adopt::run(&session, &args, command_line),
        Command::Init(args) if !args.agents.agent.is_empty() => agents::run(&session, &args.agents),
        Command::Init(args) => init::run(&session, &args),
        Command::Hook(args) => hook::main(&session, &args, &command_line),
        Command::Uninstall => uninstall::run(&session),
        Command::Doctor(args) => doctor::run(&session, &args),
        #[cfg(feature = "lsp")]
        Command::Lsp(_) => Ok(super::lsp::run(session.cwd)),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(&session, &args),
        Command::AgentHook(args) => agent_hook::run(&args, cwd),
        Command::Explain(args) => info::explain(&args),
        Command::Config(args) => info::config(&session, &args),
        Command::Schema => info::schema(),
        #[cfg(feature = "mcp")]
        Command::Mcp(args) => super::mcp::serve(args.root.as_deref(), args.read_only).map(|()| CLEAN),
        #[cfg(feature = "comforts")]
        Command::Completions(args) => pages::completions(&args),
        #[cfg(feature = "comforts")]
        Command::Man(args) => pages::man(&session, &args),
    };
    match ended {
        Ok(code) => ExitCode::from(code),
        Err(message) => failed(&message),
    }
}

/// The arguments as a shell would take them, for `log` and `undo`, without what looks like a secret.
/// What is quoted stays as it is, so that `forget` finds it.
pub(super) fn command_line(args: impl Iterator<Item = String>) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=,@+%".contains(c);
    let quoted = |arg: String| match arg {
        plain if !plain.is_empty() && plain.chars().all(is_plain) => plain,
        text if text.contains('\'') => format!("\"{text}\""),
        text => format!("'{text}'"),
    };
    args.map(|arg| quoted(without_secrets(&arg))).collect::<Vec<_>>().join(" ")
}

fn failed(message: &str) -> ExitCode {
    // Where even stderr is closed, the exit code still tells.
    let _ = writeln!(io::stderr(), "memfile: {}", talk(&without_secrets(message)));
    ExitCode::from(FAILED)
}

/// Writes to stdout in one go.
fn print(text: &[u8]) -> Result<(), String> {
    print_with(|out| out.write_all(text))
}

/// Writes to stdout in large pieces. A reader that has gone away is no failure.
fn print_with(write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>) -> Result<(), String> {
    let mut out = io::BufWriter::with_capacity(64 * 1024, io::stdout());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("stdout: {error}")),
        _ => Ok(()),
    }
}

/// Writes a patch or a text of a file to stdout: byte for byte, as `git apply` needs it, but in visible form to a terminal.
fn print_bytes(text: &[u8]) -> Result<(), String> {
    if io::stdout().is_terminal() { print(for_terminal(&String::from_utf8_lossy(text)).as_bytes()) } else { print(text) }
}

/// What is wrong with the arguments, or the help that they ask for.
fn usage(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    // Clap repeats the arguments, and drops escape sequences, but not all that steers a terminal.
    if error.use_stderr() && matches!(visible(&text), Cow::Owned(_)) {
        let _ = write!(io::stderr(), "{}", visible(&text));
        return ExitCode::from(FAILED);
    }
    error.exit()
}

/// Writes a line to stderr, never with what looks like a secret, nor with what steers a terminal.
fn say(text: &str) {
    // Talk that nobody reads is no failure.
    let _ = writeln!(io::stderr(), "{}", talk(&without_secrets(text)));
}

#[cfg(test)]
mod tests {
    use super::args::Args;
    use super::{VERSION, command_line};
    use clap::CommandFactory;

    #[test]
    fn the_quick_answer_is_the_one_of_the_arguments() {
        assert_eq!(VERSION, Args::command().render_version());
    }

    #[test]
    fn a_command_line_is_journaled_as_a_shell_takes_it_and_without_secrets() {
        let line = |args: &[&str]| command_line(args.iter().map(|&arg| arg.to_owned()));
        assert_eq!(line(&["set", "Port", "8080"]), "set Port 8080");
        assert_eq!(line(&["set", "Release day", "it's Monday"]), "set 'Release day' \"it's Monday\"");
        assert_eq!(line(&["add", "Key", "AKIAIOSFODNN7EXAMPLQ"]), "add Key '[redacted]'");
    }
}
